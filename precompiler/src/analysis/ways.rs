//! Ways to checkpoints: whether one may follow a place.
//!
//! Errors fall on the side of *yes*.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::Analysed;
use crate::dataflow::steps::RoutineId;
use crate::program::Directive;
use crate::source::Span;

/// All ways, looked at once.
pub struct Ways<'a> {
    facts: &'a Analysed<'a>,
    /// The places of checkpoints and of calls that lead to them.
    places: BTreeMap<RoutineId, Vec<usize>>,
    /// Where functions are called.
    callers: BTreeMap<RoutineId, Vec<(RoutineId, usize)>>,
    /// Functions that may be called after a checkpoint, when somebody asks.
    later: OnceCell<BTreeSet<RoutineId>>,
}

impl<'a> Ways<'a> {
    /// Of a program with checkpoints.
    pub fn of(facts: &'a Analysed<'a>) -> Ways<'a> {
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
            later: OnceCell::new(),
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

    /// Whether a place may be reached after a checkpoint.
    pub fn may_come_later(&self, routine: RoutineId, span: Span) -> bool {
        let flow = &self.facts.steps.routine(routine).flow;
        let after = self.places.get(&routine).is_some_and(|places| {
            places
                .iter()
                .any(|place| flow.may_follow(*place, span.start))
        });
        after || self.called_later().contains(&routine)
    }

    /// Functions that may be called after a checkpoint.
    fn called_later(&self) -> &BTreeSet<RoutineId> {
        self.later.get_or_init(|| {
            let mut found = BTreeSet::new();
            let mut work = Vec::new();
            for (callee, callers) in &self.callers {
                let is_later = |(caller, at): &(RoutineId, usize)| {
                    let flow = &self.facts.steps.routine(*caller).flow;
                    self.places.get(caller).is_some_and(|places| {
                        places.iter().any(|place| flow.may_follow(*place, *at))
                    })
                };
                if callers.iter().any(is_later) {
                    work.push(*callee);
                }
            }
            // Handlers run at any time.
            work.extend(&self.facts.effects.any_time);
            work.extend(&self.facts.effects.at_exit);
            let mut calls: BTreeMap<RoutineId, Vec<RoutineId>> = BTreeMap::new();
            for (callee, callers) in &self.callers {
                for (caller, _) in callers {
                    calls.entry(*caller).or_default().push(*callee);
                }
            }
            while let Some(routine) = work.pop() {
                if found.insert(routine) {
                    work.extend(calls.get(&routine).into_iter().flatten());
                }
            }
            found
        })
    }

    /// Whether a place may be reached after `init`.
    pub fn comes_after_init(&self, routine: RoutineId, span: Span) -> bool {
        let facts = self.facts;
        let mut seen: BTreeSet<RoutineId> = BTreeSet::new();
        let mut work: Vec<(RoutineId, usize)> = vec![(routine, span.start)];
        while let Some((routine, place)) = work.pop() {
            let function = facts.function(routine);
            let unit = facts.unit_index(routine);
            let init = facts.directives().find(|(of, one)| {
                *of == unit
                    && matches!(one.directive, Directive::Init { .. })
                    && function.span.contains(one.span)
            });
            if let Some((_, init)) = init {
                let flow = &facts.steps.routine(routine).flow;
                if flow.may_follow(init.span.start, place) {
                    return true;
                }
            } else if seen.insert(routine) {
                work.extend(self.callers.get(&routine).into_iter().flatten());
            }
        }
        false
    }
}

/// Whether a place lies in a block that is executed on restart.
pub fn is_in_block(facts: &Analysed, routine: RoutineId, span: Span) -> bool {
    let unit = facts.unit(routine);
    unit.directives.iter().any(|one| {
        let end = one.partner.map(|end| unit.directives[end.0].span.start);
        matches!(one.directive, Directive::ExecuteOnRestart)
            && end.is_some_and(|end| one.span.end <= span.start && span.end <= end)
    })
}
