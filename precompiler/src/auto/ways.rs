//! Ways to checkpoints: whether one may follow a place.
//!
//! Errors fall on the side of *yes*.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::Facts;
use crate::dataflow::steps::RoutineId;
use crate::source::Span;

/// All ways, looked at once.
pub struct Ways<'a> {
    facts: &'a Facts<'a>,
    /// The places of checkpoints and of calls that lead to them.
    places: BTreeMap<RoutineId, Vec<usize>>,
    /// Where functions are called.
    callers: BTreeMap<RoutineId, Vec<(RoutineId, usize)>>,
}

impl<'a> Ways<'a> {
    /// Of a program with checkpoints.
    pub fn of(facts: &'a Facts<'a>) -> Ways<'a> {
        let mut places: BTreeMap<RoutineId, Vec<usize>> = BTreeMap::new();
        for live in facts.liveness.checkpoints() {
            let own = places.entry(live.routine).or_default();
            own.push(live.place.span.start);
            for frame in &live.frames {
                let calls = places.entry(frame.routine).or_default();
                calls.push(frame.call.span.start);
            }
        }
        let mut callers: BTreeMap<RoutineId, Vec<(RoutineId, usize)>> = BTreeMap::new();
        for caller in facts.steps.routine_ids() {
            for (place, call) in facts.calls(caller) {
                for callee in facts.points_to.callees(caller, call).routines {
                    let all = callers.entry(callee).or_default();
                    all.push((caller, place.span.start));
                }
            }
        }
        Ways {
            facts,
            places,
            callers,
        }
    }

    /// Whether a checkpoint may come after a place of a function: in it, in what it calls later, or after it returns.
    pub fn may_follow(&self, routine: RoutineId, span: Span) -> bool {
        let mut seen: BTreeSet<RoutineId> = BTreeSet::new();
        let mut work: Vec<(RoutineId, usize)> = vec![(routine, span.start)];
        while let Some((routine, place)) = work.pop() {
            let flow = &self.facts.steps.routine(routine).flow;
            if let Some(later) = self.places.get(&routine)
                && later.iter().any(|later| flow.may_follow(place, *later))
            {
                return true;
            }
            if seen.insert(routine) {
                work.extend(self.callers.get(&routine).into_iter().flatten());
            }
        }
        false
    }
}
