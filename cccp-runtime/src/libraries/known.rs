//! Objects that libraries give as pointers: those that are alive, numbered in the order in which they were made, and those of which there
//! is nothing to say.

use std::collections::{BTreeMap, BTreeSet};

use crate::comm::is_in_block;

/// Objects of one kind, by their addresses.
#[derive(Debug)]
pub(super) struct Known<T> {
    alive: BTreeMap<usize, (u64, T)>,
    /// Those that blocks make, which every restart executes, and those that are gone.
    others: BTreeSet<usize>,
    /// Counted from 1 in a run.
    next: u64,
}

impl<T> Known<T> {
    /// None.
    pub const fn new() -> Known<T> {
        Known {
            alive: BTreeMap::new(),
            others: BTreeSet::new(),
            next: 1,
        }
    }

    /// One was made: its address, 0 where it could not be; `what` gets its number. Those that blocks make are made by them again.
    pub fn note(&mut self, object: usize, what: impl FnOnce(u64) -> T) {
        self.alive.remove(&object);
        self.others.remove(&object);
        if is_in_block() {
            self.others.insert(object);
        } else if object != 0 {
            self.alive.insert(object, (self.next, what(self.next)));
            self.next += 1;
        }
    }

    /// One is gone.
    pub fn forget(&mut self, object: usize) {
        self.alive.remove(&object);
        self.others.insert(object);
    }

    /// All that are such are gone.
    pub fn forget_all(&mut self, is_one: impl Fn(&T) -> bool) {
        let gone = self.alive.iter().filter(|(_, (_, what))| is_one(what));
        let gone: Vec<usize> = gone.map(|(object, _)| *object).collect();
        for object in gone {
            self.forget(object);
        }
    }

    /// What is known of one that is alive.
    pub fn get(&mut self, object: usize) -> Option<&mut T> {
        self.alive.get_mut(&object).map(|(_, what)| what)
    }

    /// All that are alive, with their addresses.
    pub fn all(&self) -> impl Iterator<Item = (usize, &T)> {
        self.alive.iter().map(|(object, (_, what))| (*object, what))
    }

    /// The number of the one whose address these bytes are; none for one that no call has made which the library has seen.
    pub fn number(&self, bytes: &[u8]) -> Option<u64> {
        let object = usize::from_ne_bytes(bytes.try_into().ok()?);
        Some(self.alive.get(&object)?.0)
    }

    /// Whether there is nothing to say of an address: it is none, of an object that is gone, or of one that a block makes.
    pub fn is_other(&self, bytes: &[u8]) -> bool {
        let object = bytes.try_into().map_or(0, usize::from_ne_bytes);
        object == 0 || self.others.contains(&object)
    }

    /// Those whose numbers are meant, in the order in which they were made: number, address, what is known.
    pub fn meant(&self, is_meant: impl Fn(u64) -> bool) -> Vec<(u64, usize, &T)> {
        let alive = self.alive.iter();
        let all = alive.map(|(object, (number, what))| (*number, *object, what));
        let mut meant: Vec<_> = all.filter(|one| is_meant(one.0)).collect();
        meant.sort_by_key(|one| one.0);
        meant
    }
}
