//! Which functions have to be looked at once more: those that look at what has changed since.
//!
//! In: what a function looks at, and what changes, as numbers, while the functions are gone through. The one idea: what has
//! changed is a list in the order of time, and a function knows how far the list went when it was looked at last.
//!
//! Numbers share a bit of a small set: errors fall on the side of a visit too many.

use std::rc::Rc;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use crate::analysis::memory::CellId;
use crate::dataflow::steps::RoutineId;

/// As many bits as a function has for what it looks at.
const BITS: usize = 1 << 16;

/// What was looked at, and what has changed since.
#[derive(Default)]
pub(super) struct Visits {
    all: Vec<Visit>,
    /// The function that is looked at.
    here: usize,
    /// What has changed, in the order of time.
    changes: Vec<u16>,
}

struct Visit {
    looks_at: FixedBitSet,
    /// The lists of cells that are in there.
    lists: FxHashSet<*const [CellId]>,
    /// So many changes had happened when it began.
    seen: usize,
    /// It was looked at as if nothing were known of any cell.
    is_blind: bool,
    /// What it knows of its own values has changed: it is looked at in the order of the text, and values may go back.
    has_changed: bool,
}

impl Visits {
    /// The next list of steps is that with this number. `is_blind`: nothing is known of any cell. Whether it has to be looked at.
    pub fn begin(&mut self, number: usize, is_blind: bool) -> bool {
        self.here = number;
        while self.all.len() <= number {
            self.all.push(Visit {
                looks_at: FixedBitSet::with_capacity(BITS),
                lists: FxHashSet::default(),
                seen: 0,
                is_blind: true,
                has_changed: true,
            });
        }
        let visit = &mut self.all[number];
        let mut changes = self.changes[visit.seen..].iter();
        let is_looked_at = |one: &u16| visit.looks_at.contains(usize::from(*one));
        let is_due = visit.has_changed || visit.is_blind && !is_blind || changes.any(is_looked_at);
        visit.seen = self.changes.len();
        if is_due {
            (visit.is_blind, visit.has_changed) = (is_blind, false);
        }
        is_due
    }

    /// What is known of a value of the function has changed.
    pub fn own_value_changes(&mut self) {
        self.all[self.here].has_changed = true;
    }

    /// What is known of these cells is looked at.
    pub fn look_at(&mut self, cells: &[CellId]) {
        let set = &mut self.all[self.here].looks_at;
        cells.iter().for_each(|one| set.insert(bit(one.0)));
    }

    /// The same for a list that lives as long as the analysis of pointers.
    pub fn look_at_list(&mut self, cells: &Rc<[CellId]>) {
        if self.all[self.here].lists.insert(Rc::as_ptr(cells)) {
            self.look_at(cells);
        }
    }

    /// What is known of a cell has changed.
    pub fn cell_changes(&mut self, cell: CellId) {
        self.changes.push(bit(cell.0) as u16);
    }

    /// What a function returns is looked at.
    pub fn look_at_result(&mut self, of: RoutineId) {
        self.all[self.here].looks_at.insert(bit(!of.0));
    }

    /// What is known of what a function returns has changed.
    pub fn result_changes(&mut self, of: RoutineId) {
        self.changes.push(bit(!of.0) as u16);
    }
}

fn bit(number: u32) -> usize {
    number as usize % BITS
}
