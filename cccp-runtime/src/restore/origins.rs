//! Where memory behind pointers came from in the run that wrote a checkpoint.
//!
//! In: registers of a checkpoint, and the rows that the library kept about them. Out: which memory of this process stands
//! for that of a register, whatever its pointer points to at the moment. The one idea: a pointer may have been given other
//! memory since the program began, and on restart leads to the first one again, which belongs to others.
//!
//! * In another register that is an object (`register(a, p[4])`, `p = a`): it is there.
//! * In data of the program: it is there again in a restart of the same build.
//! * In a block that every start allocates before `init`: the block of that number.
//! * Else it has come since: what the pointer points to before `init` is none of it.
//!
//! Files before version 1.3 tell nothing about it: there it is what the pointer points to.

use std::collections::{BTreeMap, HashMap};

use crate::format::types::leaf_at;
use crate::format::{Checkpoint, PointerValue, Register};
use crate::memory::blocks;
use crate::registry::{BEHIND, BLOCKS, HEAP, INDIRECT};

/// What the register of the rows is called.
pub const ORIGINS: &str = "origins of memory";

/// Numbers in a row: what it says, which register and which of its blocks; two more.
pub const ROW: usize = 5;

/// What a row says. For all: how many blocks there were before `init`.
pub const COUNT: u64 = 0;
/// The item lies in data of the program: at this offset.
pub const IMAGE: u64 = 1;
/// The item lies on the stack.
pub const STACK: u64 = 2;
/// The item lies in the block of this number: at this byte.
pub const EARLY: u64 = 3;
/// Blocks of an item have numbers from this one on: so many, one more each.
pub const UPWARDS: u64 = 4;
/// The same, one less each.
pub const DOWNWARDS: u64 = 5;

/// The memory of the item is longer than what is saved of it: so many elements from its pointer on.
pub const LENGTH: u64 = 6;

/// Where the memory of an item lay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In data of the program, at this offset.
    Image(u64),
    /// On the stack.
    Stack,
    /// In an early block, at this byte.
    Early(u64, u64),
}

/// All origins that a checkpoint tells.
#[derive(Debug, Default)]
pub struct Origins {
    items: HashMap<u64, Origin>,
    blocks: HashMap<u64, BTreeMap<u64, (u64, u64, bool)>>,
    lengths: BTreeMap<u64, u64>,
    /// Early blocks of this process, by their numbers: where they are, and how long.
    early: HashMap<u64, (usize, usize)>,
    /// The same by their addresses.
    sorted: Vec<(usize, usize, u64)>,
    /// The version of the file is one that tells origins.
    pub is_told: bool,
    /// This start allocated as many blocks before `init` as the one that wrote the checkpoint.
    pub same_start: bool,
    inside: HashMap<u64, PointerValue>,
    /// Memory that the program had and that has been given to a register: from, to.
    taken: BTreeMap<usize, usize>,
}

impl Origins {
    /// Items behind pointers that lie in objects which are registered themselves.
    pub fn of(checkpoint: &Checkpoint, registers: &BTreeMap<u64, Register>) -> Origins {
        let mut objects: Vec<&Register> = registers
            .values()
            .filter(|one| one.flags & (BEHIND | INDIRECT | HEAP | BLOCKS) == 0)
            .filter(|one| one.element_size > 0)
            .collect();
        objects.sort_by_key(|one| one.address);
        let mut origins = Origins::default();
        let behind = |one: &&Register| one.flags & BEHIND != 0 && one.flags & HEAP == 0;
        for one in registers.values().filter(behind) {
            let skipped = one.first.saturating_mul(one.element_size);
            let base = one.address.saturating_sub(skipped);
            let at = objects.partition_point(|object| object.address <= base);
            let Some(object) = at.checked_sub(1).map(|at| objects[at]) else {
                continue;
            };
            let distance = base - object.address;
            if distance / object.element_size < object.elements {
                let byte = distance % object.element_size;
                let (leaf, byte) = leaf_at(&checkpoint.types, object.type_index, byte);
                let value = PointerValue::Register {
                    id: object.id,
                    element: distance / object.element_size,
                    leaf,
                    byte,
                };
                origins.inside.insert(one.id, value);
            }
        }
        origins
    }

    /// Takes the rows of a checkpoint.
    pub fn read(&mut self, numbers: &[u64]) {
        self.is_told = true;
        let mut count = 0;
        for row in numbers.chunks_exact(ROW) {
            let &[what, id, block, number, more] = row else {
                continue;
            };
            match what {
                COUNT => count = number,
                IMAGE => {
                    self.items.insert(id, Origin::Image(number));
                }
                STACK => {
                    self.items.insert(id, Origin::Stack);
                }
                EARLY => {
                    self.items.insert(id, Origin::Early(number, more));
                }
                LENGTH => {
                    self.lengths.insert(id, number);
                }
                UPWARDS | DOWNWARDS => {
                    let runs = self.blocks.entry(id).or_default();
                    runs.insert(block, (number, more, what == UPWARDS));
                }
                _ => {}
            }
        }
        self.same_start = count == blocks::early_count();
        if self.same_start {
            self.sorted = blocks::with_early(|early| early.all().collect());
            let early = self.sorted.iter();
            self.early = early
                .map(|&(at, length, number)| (number, (at, length)))
                .collect();
        }
    }

    /// The registered object in which an item lies.
    pub fn object(&self, id: u64) -> Option<&PointerValue> {
        self.inside.get(&id)
    }

    /// Where an item lay.
    pub fn item(&self, id: u64) -> Option<Origin> {
        self.items.get(&id).copied()
    }

    /// All items of which something is told.
    pub fn items(&self) -> impl Iterator<Item = (u64, Origin)> {
        self.items.iter().map(|(id, origin)| (*id, *origin))
    }

    /// Items whose memory is longer than what is saved of it: how many elements it has.
    pub fn lengths(&self) -> Vec<(u64, u64)> {
        self.lengths
            .iter()
            .map(|(id, elements)| (*id, *elements))
            .collect()
    }

    /// All blocks that items brought and that are early ones: register, block, number.
    pub fn blocks(&self) -> impl Iterator<Item = (u64, u64, u64)> {
        let runs = self.blocks.iter();
        let runs = runs.flat_map(|(id, runs)| runs.iter().map(move |run| (*id, run)));
        runs.flat_map(|(id, (&first, &(number, count, upwards)))| {
            (0..count).map_while(move |step| {
                let number = match upwards {
                    true => number.checked_add(step)?,
                    false => number.checked_sub(step)?,
                };
                Some((id, first.checked_add(step)?, number))
            })
        })
    }

    /// The early block of a number in this process: where it is, and how long.
    pub fn early(&self, number: u64) -> Option<(usize, usize)> {
        self.early.get(&number).copied()
    }

    /// Whether memory is that of an early block which is still there.
    pub fn is_early(&self, address: usize) -> bool {
        let at = self.sorted.partition_point(|block| block.0 <= address);
        let found = at.checked_sub(1).map(|at| self.sorted[at]);
        found.is_some_and(|(start, length, number)| {
            address - start <= length && blocks::early(start) == Some(number)
        })
    }

    /// Memory that the program had is a register's now.
    pub fn take(&mut self, start: usize, length: usize) {
        let (mut first, mut last) = (start, start.saturating_add(length));
        while let Some((&from, &to)) = self.taken.range(..=last).next_back()
            && to >= first
        {
            self.taken.remove(&from);
            (first, last) = (first.min(from), last.max(to));
        }
        self.taken.insert(first, last);
    }

    /// Whether memory has been given to a register.
    pub fn is_taken(&self, start: usize, length: usize) -> bool {
        let end = start.saturating_add(length.max(1));
        let before = self.taken.range(..end).next_back();
        let before = before.filter(|_| self.is_told);
        before.is_some_and(|(_, to)| *to > start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_the_numbers_of_their_run() {
        let mut origins = Origins::default();
        origins.read(&[
            COUNT,
            0,
            0,
            u64::MAX,
            0,
            UPWARDS,
            7,
            0,
            10,
            3,
            DOWNWARDS,
            7,
            5,
            20,
            2,
            IMAGE,
            9,
            0,
            64,
            0,
        ]);
        let mut found: Vec<(u64, u64, u64)> = origins.blocks().collect();
        found.sort_unstable();
        assert_eq!(
            found,
            [(7, 0, 10), (7, 1, 11), (7, 2, 12), (7, 5, 20), (7, 6, 19)]
        );
        assert_eq!(origins.item(9), Some(Origin::Image(64)));
        assert!(!origins.same_start);
        assert_eq!(origins.early(10), None);
    }

    #[test]
    fn s23_files_that_tell_no_origins_take_memory_for_what_pointers_lead_to() {
        let mut origins = Origins::default();
        origins.take(1000, 16);
        assert!(!origins.is_taken(1000, 16));
    }

    #[test]
    fn memory_is_given_once() {
        let mut origins = Origins::default();
        origins.read(&[]);
        origins.take(1000, 16);
        origins.take(2000, 16);
        assert!(origins.is_taken(1008, 4));
        assert!(origins.is_taken(990, 11));
        assert!(!origins.is_taken(1016, 16));
        assert!(!origins.is_taken(990, 10));
        origins.take(1010, 100);
        origins.take(1004, 4);
        assert!(origins.is_taken(1100, 1));
        assert!(!origins.is_taken(1110, 800));
    }
}
