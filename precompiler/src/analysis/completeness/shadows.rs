//! Whether a pointer has an item that brings what it leads to, at a place of the program.
//!
//! A cell is covered by any item that names it; `p[n]` and `p[]` bring the block, too, `x` alone does not, and one of them
//! replaces the other. So a pointer that some item of the program stands behind has two shadows: cells of their own, to
//! which happens what happens to the pointer, but which are covered only by items that bring the block, or everything
//! that can be reached.
//!
//! ```text
//! register(p); f(); register(p[]); g();      at a checkpoint in f, p is covered and its first shadow is not
//! ```
//!
//! Not here: what follows from that for a checkpoint ([`own`](super::own)).

use std::collections::{BTreeMap, BTreeSet};

use super::cover::Cover;
use crate::analysis::memory::{Memory, ObjectId, ObjectKind};
use crate::program::Brings;

/// The pointers with items behind them, and their shadows.
#[derive(Clone, Debug, Default)]
pub(super) struct Shadows {
    /// The first shadow: behind all cells.
    first: usize,
    /// By the pointer: its number, and its items by their numbers.
    pointers: BTreeMap<usize, (usize, Vec<usize>)>,
}

impl Shadows {
    /// Those of all items.
    pub fn of(covers: &[Cover], memory: &Memory) -> Shadows {
        let mut pointers: BTreeMap<usize, (usize, Vec<usize>)> = BTreeMap::new();
        for (number, cover) in covers.iter().enumerate() {
            if cover.behind.is_empty() || !leads_from_one_place(cover, memory) {
                continue;
            }
            for pointer in &cover.named {
                let next = pointers.len();
                let entry = pointers.entry(*pointer).or_insert((next, Vec::new()));
                entry.1.push(number);
            }
        }
        Shadows {
            first: memory.cells.len(),
            pointers,
        }
    }

    /// All shadows.
    pub fn cells(&self) -> std::ops::Range<usize> {
        self.first..self.first + 2 * self.pointers.len()
    }

    /// The pointers, and the items that stand behind them, by their numbers.
    pub fn pointers(&self) -> impl Iterator<Item = (usize, &[usize])> {
        let pointers = self.pointers.iter();
        pointers.map(|(pointer, (_, items))| (*pointer, items.as_slice()))
    }

    /// The shadow of a pointer that an item covers which brings so much.
    pub fn shadow(&self, pointer: usize, brings: Brings) -> Option<usize> {
        let (number, _) = self.pointers.get(&pointer)?;
        Some(self.first + 2 * number + usize::from(brings == Brings::Everything))
    }

    /// Both shadows of a pointer.
    pub fn both(&self, pointer: usize) -> impl Iterator<Item = usize> {
        let known = self.pointers.get(&pointer).into_iter();
        known.flat_map(|(number, _)| [2 * number, 2 * number + 1].map(|one| self.first + one))
    }

    /// The shadows that an item covers.
    pub fn covered_by(&self, cover: &Cover) -> impl Iterator<Item = usize> {
        let is_behind = !cover.behind.is_empty();
        let named = cover.named.iter().filter(move |_| is_behind);
        named.flat_map(move |pointer| {
            let is_everything = cover.brings == Brings::Everything;
            self.both(*pointer).take(1 + usize::from(is_everything))
        })
    }
}

/// The pointer of an item is always the same one: a variable, or a member of a block of which there is one.
fn leads_from_one_place(cover: &Cover, memory: &Memory) -> bool {
    let objects: BTreeSet<ObjectId> = cover
        .named
        .iter()
        .map(|cell| memory.cells[*cell].object)
        .collect();
    objects.len() == 1
        && objects.iter().all(|object| {
            let one = &memory.objects[object.0 as usize];
            one.is_single || !matches!(one.kind, ObjectKind::Heap { .. })
        })
}
