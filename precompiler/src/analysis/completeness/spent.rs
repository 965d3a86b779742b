//! Variables that hold nothing after a restart, at the places where restarts end: checkpoints, and calls on the way to them.
//!
//! In: what is live, and what a restart does about it. Out: for each such place of a unit, the variables of which no part is
//! both live and restored at any checkpoint that it may lead to. Arguments are evaluated anew when the calls behind a call are made
//! again, so a variable of the file that they name is not among those of that call. Tests fill them with values that show: a program that
//! reads one of them was told so, or the analyses are wrong.

use super::model::{Completeness, Decision};
use crate::analysis::liveness::{FrameLive, Liveness};
use crate::analysis::memory::{CellId, CellSet};
use crate::program::{SymbolId, SymbolKind};
use crate::source::find_word;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// By the index of the unit and where the directive or call begins in its preprocessed text.
#[derive(Debug, Default)]
pub struct Spent(HashSet<(usize, usize, SymbolId)>);

/// What is live at one checkpoint, as seen from one frame.
struct Needed<'a> {
    live: Vec<&'a CellSet>,
    missing: BTreeSet<CellId>,
    /// The calls that a restart makes again behind this place.
    calls: Vec<&'a str>,
}

impl Needed<'_> {
    fn contains(&self, cell: CellId) -> bool {
        let mut live = self.live.iter();
        live.any(|set| set.contains(cell.0 as usize)) && !self.missing.contains(&cell)
    }
}

impl Spent {
    /// All of them.
    pub fn of(liveness: &Liveness, completeness: &Completeness) -> Spent {
        let mut needed: BTreeMap<(usize, usize), Vec<Needed>> = BTreeMap::new();
        for one in liveness.checkpoints() {
            let is_this = |unit: usize, id| unit == one.unit && id == one.directive;
            let mut checked = completeness.checkpoints.iter();
            let checked = checked.find(|other| is_this(other.directive.unit, other.directive.id));
            let missing = |call| {
                let locations = checked.into_iter().flat_map(|checked| &checked.locations);
                let here = locations.filter(|location| {
                    (location.frame.is_none() || location.call == call)
                        && matches!(location.decision, Decision::Missing(_))
                });
                here.flat_map(|location| location.cells.iter().copied())
                    .collect()
            };
            let at = (one.place.unit, one.place.span.start);
            needed.entry(at).or_default().push(Needed {
                live: vec![&one.cells, &one.read_later],
                missing: missing(None),
                calls: Vec::new(),
            });
            let text_of = |frame: &FrameLive| {
                let file = &liveness.program.units[frame.call.unit].file;
                file.preprocessed_text(frame.call.span)
            };
            for frame in &one.frames {
                let at = (frame.call.unit, frame.call.span.start);
                let is_other = |other: &&FrameLive| other.call != frame.call;
                needed.entry(at).or_default().push(Needed {
                    live: vec![&one.cells, &one.read_later, &frame.cells],
                    missing: missing(Some(frame.call)),
                    calls: one.frames.iter().filter(is_other).map(text_of).collect(),
                });
            }
        }
        let mut spent = HashSet::new();
        for (&(unit, at), needed) in &needed {
            let symbols = &liveness.program.units[unit].symbols;
            for (index, facts) in symbols.iter().enumerate() {
                let symbol = SymbolId(index);
                let variable = liveness.steps.variable_at(unit, symbol, at);
                let object = variable.and_then(|one| liveness.points_to.variable(one));
                let (Some(object), SymbolKind::Variable) = (object, facts.kind) else {
                    continue;
                };
                let mut calls = needed.iter().flat_map(|one| &one.calls);
                let is_global = facts.function.is_none();
                if is_global && calls.any(|text| find_word(text, &facts.name).is_some()) {
                    continue;
                }
                let mut cells = liveness.points_to.cells(object);
                if !cells.any(|cell| needed.iter().any(|one| one.contains(cell))) {
                    spent.insert((unit, at, symbol));
                }
            }
        }
        Spent(spent)
    }

    /// Whether a variable holds nothing after a restart that ends at this place.
    pub fn contains(&self, unit: usize, at: usize, symbol: SymbolId) -> bool {
        self.0.contains(&(unit, at, symbol))
    }
}
