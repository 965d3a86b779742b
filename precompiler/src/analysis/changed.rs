//! Pointers of the whole program that may hold something else than what the way to `init` sets.
//!
//! A call on the way to a checkpoint is made again with arguments whose text is evaluated once more, where they point to memory
//! that every start sets up. That is the value of the undisturbed run as long as nothing but blocks that are executed on restart
//! stores to the pointer behind `init`. Errors fall on the side of *changed*: the record of the run gives the value then.

use std::collections::HashSet;

use super::Analysed;
use super::effects::ActionKind;
use super::memory::CellSet;
use super::ways::{Ways, is_in_block};
use crate::program::{SymbolId, SymbolKind, TypeKind};

/// The pointers, by unit and symbol.
#[derive(Debug, Default)]
pub struct Changed {
    pointers: HashSet<(usize, SymbolId)>,
}

impl Changed {
    /// Of a program with `init`.
    pub fn of(found: &Analysed) -> Changed {
        let changed = stored_behind_init(found);
        let mut pointers = HashSet::new();
        for (number, unit) in found.program.units.iter().enumerate() {
            for (index, symbol) in unit.symbols.iter().enumerate() {
                let id = SymbolId(index);
                let is_pointer = symbol.kind == SymbolKind::Variable
                    && matches!(unit.kind(symbol.ty), TypeKind::Pointer(_));
                let variable = is_pointer.then(|| found.steps.variable_of(number, id));
                let object = variable
                    .flatten()
                    .and_then(|one| found.points_to.variable(one));
                let mut cells = object
                    .into_iter()
                    .flat_map(|one| found.points_to.cells(one));
                if cells.any(|cell| {
                    changed.contains(cell.0 as usize) || found.effects.is_unsteady(cell)
                }) {
                    pointers.insert((number, id));
                }
            }
        }
        Changed { pointers }
    }

    /// Whether this one is among them, by the index of its unit.
    pub fn contains(&self, unit: usize, symbol: SymbolId) -> bool {
        self.pointers.contains(&(unit, symbol))
    }
}

fn stored_behind_init(found: &Analysed) -> CellSet {
    let ways = Ways::of(found);
    let mut changed = CellSet::new();
    for routine in found.steps.routine_ids() {
        found.effects.bodies[routine.0 as usize].walk(&mut |action| {
            let ActionKind::Write { cells, .. } = action.kind else {
                return;
            };
            if ways.comes_after_init(routine, action.span)
                && !is_in_block(found, routine, action.span)
            {
                changed.extend(
                    found
                        .effects
                        .cells(cells)
                        .iter()
                        .map(|cell| cell.0 as usize),
                );
            }
        });
    }
    changed
}
