//! Parameters that nobody reads any more, wherever a restart goes on.

use super::Liveness;
use crate::program::SymbolId;
use std::collections::{BTreeSet, HashSet};

/// Parameters of functions that may be under way at a checkpoint, of which none is live at any.
///
/// The calls of these functions are made again on restart (S11). What such a parameter pointed to need not be there.
#[derive(Debug, Default)]
pub struct Unread {
    all: HashSet<(usize, SymbolId)>,
    partly: HashSet<(usize, SymbolId)>,
}

impl Unread {
    /// All of them.
    pub fn of(liveness: &Liveness) -> Unread {
        let mut under_way = BTreeSet::new();
        let mut live = HashSet::new();
        for checkpoint in liveness.checkpoints() {
            under_way.insert(checkpoint.routine);
            under_way.extend(checkpoint.frames.iter().map(|frame| frame.routine));
            live.extend(checkpoint.everywhere());
        }
        let mut unread = Unread::default();
        for routine in under_way {
            let routine = liveness.steps.routine(routine);
            for &parameter in &routine.parameters {
                let cells = liveness.points_to.variable(parameter);
                let cells: Vec<_> = cells
                    .into_iter()
                    .flat_map(|object| liveness.points_to.cells(object))
                    .collect();
                let symbol = liveness.steps.variables[parameter.0 as usize].symbol;
                let Some(symbol) = symbol else {
                    continue;
                };
                let known = (routine.function.unit, symbol);
                let count = cells.iter().filter(|cell| !live.contains(cell)).count();
                if count > 0 {
                    unread.partly.insert(known);
                }
                if count > 0 && count == cells.len() {
                    unread.all.insert(known);
                }
            }
        }
        unread
    }

    /// Whether this one is among them, by the index of its unit.
    pub fn contains(&self, unit: usize, parameter: SymbolId) -> bool {
        self.all.contains(&(unit, parameter))
    }

    /// Whether this one is, or some members of it if it is a struct: what these pointed to need not be there.
    pub fn contains_part(&self, unit: usize, parameter: SymbolId) -> bool {
        self.partly.contains(&(unit, parameter))
    }
}
