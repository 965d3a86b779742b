//! Where pointers lead, in the words of the program.

use std::collections::HashMap;

use cccp::format::types::{leaf_count, offset_of};
use cccp::format::{Checkpoint, PointerValue, Register, scalar_count, scalar_name};

use super::grid::Grid;

/// The registers of a file by their numbers.
pub struct Targets<'a> {
    checkpoint: &'a Checkpoint,
    registers: HashMap<u64, &'a Register>,
}

impl<'a> Targets<'a> {
    /// Those of a file.
    pub fn of(checkpoint: &'a Checkpoint) -> Targets<'a> {
        let all = checkpoint.sections.iter();
        let registers = all
            .flat_map(|section| &section.registers)
            .map(|register| (register.id, register))
            .collect();
        Targets {
            checkpoint,
            registers,
        }
    }

    /// The register with a number.
    pub fn register(&self, id: u64) -> Option<&'a Register> {
        self.registers.get(&id).copied()
    }

    /// What a pointer points to: `&cells[2].next`.
    pub fn spell(&self, pointer: &PointerValue) -> String {
        match pointer {
            PointerValue::Null => "NULL".to_string(),
            PointerValue::Register {
                id,
                element,
                leaf,
                byte,
            } => match self.register(*id) {
                Some(register) => self.place(register, *element, *leaf, *byte),
                None => format!("in register {id}, which cannot be read"),
            },
            // The array itself; then the offset counts words.
            PointerValue::Argument {
                index: u32::MAX,
                offset: 0,
            } => "argv".to_string(),
            PointerValue::Argument {
                index: u32::MAX,
                offset,
            } => format!("argv+{offset}"),
            PointerValue::Argument { index, offset: 0 } => format!("argv[{index}]"),
            PointerValue::Argument { index, offset } => format!("argv[{index}]+{offset}"),
            PointerValue::Function { name } => name.clone(),
            PointerValue::Image { offset } => format!("constant at {offset:#x}"),
            PointerValue::Unresolved { address } => format!("{address:#x}, nothing saved"),
        }
    }

    fn place(&self, register: &Register, element: u64, leaf: u64, byte: u64) -> String {
        let types = &self.checkpoint.types;
        let kind = register.type_index;
        let grid = Grid::of(register);
        let name = &register.name;
        // Handles are leaves, but no values.
        let named = leaf_count(types, kind) == scalar_count(types, kind);
        match (leaf, byte, offset_of(types, kind, leaf, byte)) {
            (0, 0, _) | (_, _, None) => format!("&{name}{}", grid.spell(element, "")),
            (_, 0, _) if named => {
                let member = scalar_name(types, kind, leaf).unwrap_or_default();
                format!("&{name}{}", grid.spell(element, &member))
            }
            (_, _, Some(offset)) => format!("&{name}{}+{offset}", grid.spell(element, "")),
        }
    }
}
