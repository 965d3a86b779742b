//! What is known about every cell at one place: changed or not since a restart would set it, covered by a register or
//! not.
//!
//! A cell is *changed* when code that does not run again on restart may have stored to it. It is *open* when on some
//! way no register covers it, and *lost* when on one and the same way it is changed and open: then a restart does not
//! bring it back. Ways are told apart as far as that, so that `if (root) { p = …; register(p); }` is right.
//!
//! Blocks of the heap are open from their allocation on. `made`: allocated by code that does not run again. What may
//! exist is `born`: a register covers nothing else. An allocation that a function makes only in some cases, and a register
//! that depends on the same cases, are not seen together; there it is enough that some way registers the block: `kept`.
//!
//! All sets are *may* sets: ways that meet unite them, and every operation works on each cell by itself ([`Running`]).

use super::running::{Running, Universe};
use crate::analysis::memory::CellSet;

/// Cells by what may have happened to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// Changed by code that does not run again.
    pub changed: CellSet,
    /// Without a register.
    pub open: CellSet,
    /// Both at once.
    pub lost: CellSet,
    /// Allocated by code that does not run again.
    pub made: CellSet,
    /// With a register.
    pub kept: CellSet,
    /// May exist; of no meaning for variables.
    pub born: CellSet,
}

impl State {
    /// What is known in terms of classes, for every cell.
    pub fn of(running: &Running, universe: &Universe) -> State {
        use super::running::{BORN, CHANGED, KEPT, LOST, MADE, OPEN};
        let cells = |set: usize| universe.cells(running, set);
        State {
            changed: cells(CHANGED),
            open: cells(OPEN),
            lost: cells(LOST),
            made: cells(MADE),
            kept: cells(KEPT),
            born: cells(BORN),
        }
    }
}
