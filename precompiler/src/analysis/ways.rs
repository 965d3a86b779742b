//! Ways to checkpoints: whether one may follow a place.
//!
//! Errors fall on the side of *yes*.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::Analysed;
use super::effects::ActionKind;
use super::memory::CellId;
use crate::dataflow::steps::RoutineId;
use crate::dataflow::{Reached, RoundTrips};
use crate::program::Directive;
use crate::source::Span;

/// All ways, looked at once.
pub struct Ways<'a> {
    facts: &'a Analysed<'a>,
    /// From where control may come to a checkpoint, and to where after one.
    leading: OnceCell<Reached>,
    later: OnceCell<Reached>,
    /// To where it may come after `init`.
    begun: OnceCell<Reached>,
    /// The ways over each of the checkpoints and back.
    trips: OnceCell<RoundTrips>,
}

impl<'a> Ways<'a> {
    /// Of a program with checkpoints.
    pub fn of(facts: &'a Analysed<'a>) -> Ways<'a> {
        Ways {
            facts,
            leading: OnceCell::new(),
            later: OnceCell::new(),
            begun: OnceCell::new(),
            trips: OnceCell::new(),
        }
    }

    fn checkpoints(&self) -> impl Iterator<Item = (RoutineId, usize)> {
        let checkpoints = self.facts.liveness.checkpoints().iter();
        checkpoints.map(|one| (one.routine, one.place.span.start))
    }

    /// Whether a checkpoint may come after a place of a function: in it, in what it calls later, or after it returns.
    pub fn may_follow(&self, routine: RoutineId, span: Span) -> bool {
        let control = self.facts.control;
        let leading = self
            .leading
            .get_or_init(|| control.before(self.checkpoints()));
        control.has(leading, routine, span.start)
    }

    /// Memory that may be released while checkpoints are still to come.
    pub fn freed(&self) -> BTreeSet<CellId> {
        let effects = self.facts.effects;
        let mut freed = BTreeSet::new();
        for routine in self.facts.steps.routine_ids() {
            effects.bodies[routine.0 as usize].walk(&mut |action| {
                if let ActionKind::Free { cells, .. } = &action.kind
                    && self.may_follow(routine, action.span)
                {
                    freed.extend(effects.cells(*cells));
                }
            });
        }
        freed
    }

    /// Whether a place may be reached after a checkpoint.
    pub fn may_come_later(&self, routine: RoutineId, span: Span) -> bool {
        let control = self.facts.control;
        let later = self.later.get_or_init(|| control.after(self.checkpoints()));
        control.has(later, routine, span.start)
    }

    /// Whether control may come from a place to a checkpoint and back again: of a block there only the latest execution runs again.
    pub fn comes_back(&self, routine: RoutineId, span: Span) -> bool {
        let control = self.facts.control;
        let trips = self
            .trips
            .get_or_init(|| control.round_trips(self.checkpoints()));
        control.comes_back(trips, (routine, span.start))
    }

    /// Whether a place may be reached after `init`.
    pub fn comes_after_init(&self, routine: RoutineId, span: Span) -> bool {
        let control = self.facts.control;
        let begun = self.begun.get_or_init(|| control.after(self.facts.inits()));
        control.has(begun, routine, span.start)
    }
}

/// Whether a place lies in a block that is executed on restart.
pub fn is_in_block(facts: &Analysed, routine: RoutineId, span: Span) -> bool {
    each_of_block(facts, routine, span).is_some()
}

/// Whether it lies in one without `each`.
pub fn is_in_plain_block(facts: &Analysed, routine: RoutineId, span: Span) -> bool {
    each_of_block(facts, routine, span) == Some(false)
}

/// Whether the block around a place has `each`.
fn each_of_block(facts: &Analysed, routine: RoutineId, span: Span) -> Option<bool> {
    let unit = facts.unit(routine);
    unit.directives.iter().find_map(|one| {
        let end = one.partner.map(|end| unit.directives[end.0].span.start)?;
        match one.directive {
            Directive::ExecuteOnRestart { each } => {
                (one.span.end <= span.start && span.end <= end).then_some(each)
            }
            _ => None,
        }
    })
}
