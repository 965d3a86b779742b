//! Whether control may come to a checkpoint without having made a call: there are runs without it, and these have checkpoints.
//!
//! In: the steps of all functions, and the calls among them. Out: yes or no, for one call and one checkpoint. What surely makes the call
//! whenever it returns counts as the call. Errors fall on the side of *yes*: conditions count for nothing, and calls of which it is not
//! certain that they happen may not happen.

use super::effects::{Action, ActionKind, Effects, walk};
use super::liveness::CheckpointLive;
use crate::dataflow::Flow;
use crate::dataflow::steps::{RoutineId, StepKind, Steps};
use crate::solver::{closure, rounds};
use crate::source::Span;

/// A call, and what surely makes it.
pub struct Avoidable<'a> {
    steps: &'a Steps,
    effects: &'a Effects,
    routine: RoutineId,
    call: Span,
    /// For each function: it does not return without having made it.
    surely: Vec<bool>,
}

impl<'a> Avoidable<'a> {
    /// Of a call in a function.
    pub fn of(
        steps: &'a Steps,
        effects: &'a Effects,
        (routine, call): (RoutineId, Span),
    ) -> Avoidable<'a> {
        let mut all = Avoidable {
            steps,
            effects,
            routine,
            call,
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

    /// Whether some way leads to the checkpoint without the call.
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

    /// What happens in a function before the call, or without it.
    fn passed(&self, routine: RoutineId) -> impl Iterator<Item = &'a Action> + use<'a> {
        let nodes = &self.effects.bodies[routine.0 as usize].nodes;
        let passed = nodes.iter().zip(self.visited(routine));
        passed
            .filter(|(_, visited)| *visited)
            .flat_map(|(actions, _)| actions)
    }

    /// For each node of a function: whether control passes it without the call.
    fn visited(&self, routine: RoutineId) -> Vec<bool> {
        let flow = &self.steps.routine(routine).flow;
        flow.along([Flow::ENTRY.0], |_, to| !self.makes_it(routine, to))
    }

    /// Whether a node surely makes the call, or stops the program.
    fn makes_it(&self, routine: RoutineId, node: usize) -> bool {
        let steps = &self.steps.routine(routine).nodes[node];
        let is_it = routine == self.routine
            && steps
                .iter()
                .any(|step| step.span == self.call && matches!(step.kind, StepKind::Call(_)));
        let actions = &self.effects.bodies[routine.0 as usize].nodes[node];
        let makes_it = |routine: &RoutineId| self.surely[routine.0 as usize];
        let does = || {
            actions.iter().any(|action| match &action.kind {
                ActionKind::Call {
                    routines, surely, ..
                } => *surely && routines.iter().all(makes_it),
                ActionKind::Stop => true,
                _ => false,
            })
        };
        is_it || does()
    }
}
