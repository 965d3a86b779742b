//! Which register of one file belongs to which of the other.

use std::collections::{HashMap, VecDeque};

use cccp::format::{Checkpoint, Payload, PointerValue, Register, Trace};

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
        let ways = ways(&checkpoint.trace);
        let all = checkpoint.sections.iter();
        let all: Vec<&Register> = all.flat_map(|section| &section.registers).collect();
        let mut alike: HashMap<(u32, &str), Vec<&Register>> = HashMap::new();
        for register in &all {
            let same = alike.entry((register.function, &register.name));
            same.or_default().push(register);
        }
        let mut keys = HashMap::new();
        for registers in alike.values_mut() {
            registers.sort_by_key(|one| ways.get(&one.id));
            for (which, register) in registers.iter().enumerate() {
                let function = &checkpoint.functions[register.function as usize];
                let key = Key {
                    function: function.name.clone(),
                    name: register.name.clone(),
                    which,
                };
                keys.insert(register.id, key);
            }
        }
        let named = |register: &'a Register| (keys[&register.id].clone(), register);
        let registers = all.into_iter().map(named).collect();
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

/// The counters of loops, and the numbers of threads, on the way to what registered something. Threads register in any order.
fn ways(trace: &Trace) -> HashMap<u64, Vec<&[u64]>> {
    let mut found = HashMap::new();
    let mut to: Vec<Vec<&[u64]>> = vec![Vec::new(); trace.nodes.len()];
    // A caller comes before those that it calls.
    for (index, node) in trace.nodes.iter().enumerate() {
        let around = std::mem::take(&mut to[index]);
        for entry in &node.entries {
            let mut way = around.clone();
            way.push(&entry.instances);
            match &entry.payload {
                Payload::Call(callee) => to[*callee as usize] = way,
                Payload::Register(links) => {
                    let registers = links.iter().filter_map(|link| link.register);
                    found.extend(registers.map(|id| (id, way.clone())));
                }
                _ => {}
            }
        }
    }
    found
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

#[cfg(test)]
mod tests {
    use super::*;
    use cccp::format::{Entry, Node, RegisterLink};

    fn entry(sequence: u64, instances: &[u64], payload: Payload) -> Entry {
        Entry {
            sequence,
            block: 1,
            dormant: false,
            instances: instances.to_vec(),
            region: None,
            payload,
        }
    }

    fn registers(id: u64) -> Payload {
        let register = Some(id);
        Payload::Register(vec![RegisterLink { item: 0, register }])
    }

    fn node(entries: Vec<Entry>) -> Node {
        Node {
            function: 0,
            arguments: Vec::new(),
            entries,
            active: None,
        }
    }

    #[test]
    fn threads_are_in_the_order_of_their_numbers_whichever_came_first() {
        // In the third pass of a loop, with two threads: thread 1 comes first, and each calls a function that registers, too.
        let trace = Trace {
            nodes: vec![
                node(vec![
                    entry(1, &[3, 1, 2], registers(11)),
                    entry(2, &[3, 1, 2], Payload::Call(1)),
                    entry(3, &[3, 0, 2], registers(10)),
                    entry(4, &[3, 0, 2], Payload::Call(2)),
                ]),
                node(vec![entry(5, &[], registers(21))]),
                node(vec![entry(6, &[], registers(20))]),
            ],
            roots: vec![0],
        };
        let ways = ways(&trace);
        assert!(ways[&10] < ways[&11] && ways[&20] < ways[&21]);
        assert_eq!(ways.len(), 4);
    }
}
