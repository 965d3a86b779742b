//! What is known of memory at a place, and which ranks are there.

use super::shared::Shared;
use super::value::{Sym, Value};
use std::collections::BTreeMap;

/// A cell, or an element of the array that it stands for.
pub type Key = (u32, Option<i64>);

/// Memory, and the ranks for which it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// What is known of memory. What is not here is as the coarse answer says.
    pub memory: Shared<BTreeMap<Key, Value>>,
    /// The ranks that are here.
    pub mask: Vec<bool>,
}

impl State {
    /// All ranks, nothing known.
    pub fn new(ranks: usize) -> State {
        State {
            memory: Shared::default(),
            mask: vec![true; ranks],
        }
    }

    /// Whether all ranks are here.
    pub fn is_full(&self) -> bool {
        self.mask.iter().all(|one| *one)
    }

    /// Whether nobody is here.
    pub fn is_empty(&self) -> bool {
        !self.mask.contains(&true)
    }

    /// The same memory for some of the ranks.
    pub fn only(&self, mask: &[bool]) -> State {
        let both = self.mask.iter().zip(mask).map(|(a, b)| *a && *b);
        State {
            memory: self.memory.clone(),
            mask: both.collect(),
        }
    }

    /// The ranks that are here and have another component than 0, if all are known; those and the others.
    pub fn parted(&self, condition: &Value) -> Option<(Vec<bool>, Vec<bool>)> {
        let numbers = condition.numbers(&self.mask)?;
        let yes = (self.mask.iter().zip(&numbers)).map(|(here, number)| *here && *number != 0);
        let no = (self.mask.iter().zip(&numbers)).map(|(here, number)| *here && *number == 0);
        Some((yes.collect(), no.collect()))
    }

    /// Stores on the ranks that are here.
    pub fn store(&mut self, key: Key, value: &Value) {
        let full = self.is_full();
        match self.memory.get_mut(&key) {
            Some(old) if !full => {
                for (rank, part) in old.parts.iter_mut().enumerate() {
                    if self.mask[rank] {
                        *part = value.parts[rank];
                    }
                }
                old.shape = old.shape.or(value.shape);
            }
            _ => {
                let mut value = value.clone();
                for (rank, part) in value.parts.iter_mut().enumerate() {
                    if !self.mask[rank] {
                        *part = Sym::Unknown;
                    }
                }
                self.memory.insert(key, value);
            }
        }
    }

    /// Forgets all elements of a cell.
    pub fn forget(&mut self, cell: u32) {
        let keys: Vec<Key> = (self.memory.range((cell, None)..=(cell, Some(i64::MAX))))
            .map(|(key, _)| *key)
            .collect();
        for key in keys {
            self.memory.remove(&key);
        }
    }

    /// Two states come together. `name` gives a term for what all ranks have, but not the same on both ways.
    pub fn join(self, other: State, name: &mut dyn FnMut(Key) -> Sym) -> State {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let ranks = self.mask.len();
        let mask: Vec<bool> = (0..ranks)
            .map(|rank| self.mask[rank] || other.mask[rank])
            .collect();
        let is_fork = self.mask == other.mask;
        let mut memory = BTreeMap::new();
        for (key, one) in &self.memory {
            let Some(two) = other.memory.get(key) else {
                if !is_fork {
                    let mut value = one.clone();
                    for rank in 0..ranks {
                        if !self.mask[rank] {
                            value.parts[rank] = Sym::Unknown;
                        }
                    }
                    memory.insert(*key, value);
                }
                continue;
            };
            memory.insert(*key, joined(&self, &other, *key, one, two, name));
        }
        if !is_fork {
            for (key, two) in &other.memory {
                if !self.memory.contains_key(key) {
                    let mut value = two.clone();
                    for rank in 0..ranks {
                        if !other.mask[rank] {
                            value.parts[rank] = Sym::Unknown;
                        }
                    }
                    memory.insert(*key, value);
                }
            }
        }
        State {
            memory: Shared::new(memory),
            mask,
        }
    }
}

fn joined(
    one: &State,
    two: &State,
    key: Key,
    a: &Value,
    b: &Value,
    name: &mut dyn FnMut(Key) -> Sym,
) -> Value {
    if one.mask == two.mask {
        let same =
            (a.parts.iter().zip(&b.parts).zip(&one.mask)).all(|((a, b), here)| !here || a == b);
        if same {
            let mut value = a.clone();
            value.shape = a.shape.or(b.shape);
            return value;
        }
        if a.uniform(&one.mask).is_some() && b.uniform(&one.mask).is_some() {
            return Value::same(a.parts.len(), name(key));
        }
    }
    let mut value = a.clone();
    value.shape = a.shape.or(b.shape);
    for rank in 0..value.parts.len() {
        value.parts[rank] = match (one.mask[rank], two.mask[rank]) {
            (true, true) if a.parts[rank] == b.parts[rank] => a.parts[rank],
            (true, false) => a.parts[rank],
            (false, true) => b.parts[rank],
            _ => Sym::Unknown,
        };
    }
    value
}
