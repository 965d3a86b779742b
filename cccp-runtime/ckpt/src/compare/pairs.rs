//! Which register of one file belongs to which of the other.

use std::collections::{HashMap, VecDeque};

use cccp::format::{Checkpoint, PointerValue, Register};

/// A register and what names it: function, name, and which of several with the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    function: String,
    name: String,
    which: usize,
}

/// The registers of a file and what names them.
pub struct Side<'a> {
    /// What the file says.
    pub checkpoint: &'a Checkpoint,
    keys: HashMap<u64, Key>,
    registers: Vec<(Key, &'a Register)>,
}

/// What belongs together.
pub enum Pair<'a> {
    /// A register of both.
    Both(&'a Register, &'a Register),
    /// One that only the first file has.
    OnlyFirst(&'a Register),
    /// One that only the second file has.
    OnlySecond(&'a Register),
}

impl<'a> Side<'a> {
    /// That of a file.
    pub fn of(checkpoint: &'a Checkpoint) -> Side<'a> {
        let mut seen: HashMap<(u32, &str), usize> = HashMap::new();
        let mut registers = Vec::new();
        let mut keys = HashMap::new();
        for register in checkpoint
            .sections
            .iter()
            .flat_map(|section| &section.registers)
        {
            let which = seen.entry((register.function, &register.name)).or_default();
            let key = Key {
                function: checkpoint.functions[register.function as usize]
                    .name
                    .clone(),
                name: register.name.clone(),
                which: *which,
            };
            *which += 1;
            keys.insert(register.id, key.clone());
            registers.push((key, register));
        }
        Side {
            checkpoint,
            keys,
            registers,
        }
    }

    /// Whether a pointer of this file leads to the same as one of the other; none when nobody can know: addresses of
    /// two processes, constants of two builds.
    pub fn leads_to_the_same(
        &self,
        own: &PointerValue,
        other_side: &Side,
        other: &PointerValue,
    ) -> Option<bool> {
        let same_build =
            self.checkpoint.header.fingerprint == other_side.checkpoint.header.fingerprint;
        match (own, other) {
            (
                PointerValue::Register {
                    id,
                    element,
                    leaf,
                    byte,
                },
                PointerValue::Register {
                    id: other_id,
                    element: other_element,
                    leaf: other_leaf,
                    byte: other_byte,
                },
            ) => {
                let (one, other) = (self.keys.get(id), other_side.keys.get(other_id));
                let places = (element, leaf, byte) == (other_element, other_leaf, other_byte);
                Some(one.is_some() && one == other && places)
            }
            (PointerValue::Unresolved { address }, PointerValue::Unresolved { address: other }) => {
                (address == other).then_some(true)
            }
            (PointerValue::Image { .. }, PointerValue::Image { .. }) if !same_build => None,
            (own, other) => Some(own == other),
        }
    }
}

/// What belongs together, in the order of the first file; what only the second one has comes last.
pub fn pair<'a>(one: &Side<'a>, other: &Side<'a>) -> Vec<Pair<'a>> {
    let mut rest: HashMap<&Key, &'a Register> = other
        .registers
        .iter()
        .map(|(key, register)| (key, *register))
        .collect();
    let mut pairs: VecDeque<Pair> = VecDeque::new();
    for (key, register) in &one.registers {
        pairs.push_back(match rest.remove(key) {
            Some(twin) => Pair::Both(register, twin),
            None => Pair::OnlyFirst(register),
        });
    }
    let left = other
        .registers
        .iter()
        .filter(|(key, _)| rest.contains_key(key));
    pairs.extend(left.map(|(_, register)| Pair::OnlySecond(register)));
    pairs.into()
}
