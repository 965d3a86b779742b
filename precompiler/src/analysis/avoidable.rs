//! Whether control may come to a checkpoint without having made any of some calls: there are runs without them, and these have
//! checkpoints.
//!
//! In: the steps of all functions, and the calls among them. Out: yes or no, for one checkpoint. What surely makes one of the calls
//! whenever it returns counts as the call. Errors fall on the side of *yes*: conditions count for nothing, and calls of which it is not
//! certain that they happen may not happen.
//!
//! ```c
//! gzFile in = named ? gzopen(name, "r") : gzdopen(0, "r");    // each of the two may be left out, but not both
//! ```

use std::collections::BTreeSet;

use super::effects::{Action, ActionKind, Effects, walk};
use super::liveness::CheckpointLive;
use super::memory::{CellId, ObjectKind};
use super::points_to::PointsTo;
use crate::dataflow::Flow;
use crate::dataflow::steps::{RoutineId, Step, StepKind, Steps, TextPlace};
use crate::solver::{closure, rounds};
use crate::source::Span;

/// Some calls, and what surely makes one of them.
pub struct Avoidable<'a> {
    steps: &'a Steps,
    effects: &'a Effects,
    calls: Calls,
    /// For each function: it does not return without having made one.
    surely: Vec<bool>,
}

/// Calls, each in its function.
pub type Calls = BTreeSet<(RoutineId, Span)>;

/// The calls that allocate all that a pointer points to; none where something else is among that, or a call that does not count.
pub fn allocating(
    points_to: &PointsTo,
    cell: CellId,
    counts: impl Fn(&TextPlace) -> bool,
) -> Option<Calls> {
    let memory = &points_to.memory;
    let made = points_to.pointees(cell).map(|target| {
        let object = memory.cells[target.0 as usize].object;
        match &memory.objects[object.0 as usize].kind {
            ObjectKind::Heap { routine, call, .. } if counts(call) => Some((*routine, call.span)),
            _ => None,
        }
    });
    made.collect()
}

impl<'a> Avoidable<'a> {
    /// Of these calls.
    pub fn of(steps: &'a Steps, effects: &'a Effects, calls: Calls) -> Avoidable<'a> {
        let mut all = Avoidable {
            steps,
            effects,
            calls,
            surely: vec![false; effects.bodies.len()],
        };
        rounds(|| {
            let mut is_new = false;
            for one in steps.routine_ids() {
                let index = one.0 as usize;
                if !all.surely[index] && !all.visited(one)[Flow::EXIT.0] {
                    all.surely[index] = true;
                    is_new = true;
                }
            }
            is_new
        });
        all
    }

    /// Whether some way leads to the checkpoint without any of the calls.
    pub fn leads_to(&self, checkpoint: &CheckpointLive) -> bool {
        let effects = self.effects;
        let others = effects.any_time.iter().chain(&effects.from_outside);
        let first = effects.main.iter().chain(others).copied();
        let mut entered = closure(first, |routine, called| {
            walk(self.passed(routine), &mut |action| {
                if let ActionKind::Call { routines, .. } = &action.kind {
                    called.extend(routines.iter().copied());
                }
            });
        });
        let directive = ActionKind::Directive(checkpoint.directive);
        entered.any(|routine| {
            routine == checkpoint.routine
                && self.passed(routine).any(|action| action.kind == directive)
        })
    }

    /// What happens in a function before the calls, or without them.
    fn passed(&self, routine: RoutineId) -> impl Iterator<Item = &'a Action> + use<'a> {
        let nodes = &self.effects.bodies[routine.0 as usize].nodes;
        let passed = nodes.iter().zip(self.visited(routine));
        passed
            .filter(|(_, visited)| *visited)
            .flat_map(|(actions, _)| actions)
    }

    /// For each node of a function: whether control passes it without the calls.
    fn visited(&self, routine: RoutineId) -> Vec<bool> {
        let flow = &self.steps.routine(routine).flow;
        flow.along([Flow::ENTRY.0], |_, to| !self.makes_it(routine, to))
    }

    /// Whether a node surely makes one of the calls, or stops the program.
    fn makes_it(&self, routine: RoutineId, node: usize) -> bool {
        let steps = &self.steps.routine(routine).nodes[node];
        let actions = &self.effects.bodies[routine.0 as usize].nodes[node];
        self.is_among(routine, steps) || self.does(actions)
    }

    /// Whether one of the calls is surely among some steps.
    fn is_among(&self, routine: RoutineId, steps: &[Step]) -> bool {
        steps.iter().any(|step| match &step.kind {
            StepKind::Call(_) => self.calls.contains(&(routine, step.span)),
            StepKind::Choose(lists) => lists.iter().all(|list| self.is_among(routine, list)),
            _ => false,
        })
    }

    /// Whether some actions surely make one of the calls further down, or stop the program.
    fn does(&self, actions: &[Action]) -> bool {
        let makes_it = |routine: &RoutineId| self.surely[routine.0 as usize];
        actions.iter().any(|action| match &action.kind {
            ActionKind::Call {
                routines, surely, ..
            } => *surely && routines.iter().all(makes_it),
            ActionKind::Choose(lists) => lists.iter().all(|list| self.does(list)),
            ActionKind::Stop => true,
            _ => false,
        })
    }
}
