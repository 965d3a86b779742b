//! The program's types, as the checkpoint file wants them.
//!
//! In: the descriptors of cccp.h, one by one, members first (`ffi` reads them). Out: a table without duplicates; a
//! struct stands after the types of its members. Types are never forgotten: there are as many as the program has.

use std::collections::HashMap;

use crate::format::{Kind, Layout, Machine, Member, Type};

/// All types that the session has seen.
#[derive(Debug)]
pub struct TypeTable {
    types: Vec<Type>,
    machine: Machine,
    by_address: HashMap<usize, u32>,
}

impl TypeTable {
    /// An empty table for this machine.
    pub fn new() -> TypeTable {
        TypeTable {
            types: Vec::new(),
            machine: Machine::host(),
            by_address: HashMap::new(),
        }
    }

    /// The types, in the order of their indices.
    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// The machine whose memory they describe.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Both.
    pub fn layout(&self) -> Layout<'_> {
        Layout {
            types: &self.types,
            machine: &self.machine,
        }
    }

    /// The type at this index.
    pub fn get(&self, index: u32) -> Option<&Type> {
        self.types.get(index as usize)
    }

    /// What the descriptor at this address became.
    pub fn known(&self, descriptor: usize) -> Option<u32> {
        self.by_address.get(&descriptor).copied()
    }

    /// Adds the type that a descriptor describes.
    pub fn add(&mut self, descriptor: usize, found: Type) -> u32 {
        let index = self.intern(found);
        self.by_address.insert(descriptor, index);
        index
    }

    fn intern(&mut self, found: Type) -> u32 {
        let at = self.types.iter().position(|known| *known == found);
        at.unwrap_or_else(|| {
            self.types.push(found);
            self.types.len() - 1
        }) as u32
    }

    /// The program's counterpart of a type of a checkpoint, for values whose own type the program does not say: the
    /// same kinds with the sizes of this machine. None when a struct would have to be laid out anew.
    pub fn counterpart(&mut self, file: &[Type], index: u32, machine: &Machine) -> Option<u32> {
        let found = file.get(index as usize)?;
        let same = machine.same_layout(&self.machine);
        let size = match found.kind {
            Kind::Struct if !same => return None,
            Kind::Pointer | Kind::Function => u64::from(self.machine.pointer),
            Kind::Long | Kind::UnsignedLong => u64::from(self.machine.long),
            Kind::LongDouble => u64::from(self.machine.long_double),
            Kind::ComplexLongDouble => 2 * u64::from(self.machine.long_double),
            _ => found.size,
        };
        let mut members: Vec<Member> = found.members.clone();
        for member in &mut members {
            member.type_index = self.counterpart(file, member.type_index, machine)?;
        }
        Some(self.intern(Type {
            name: found.name.clone(),
            kind: found.kind,
            size,
            members,
        }))
    }
}

impl Default for TypeTable {
    fn default() -> TypeTable {
        TypeTable::new()
    }
}
