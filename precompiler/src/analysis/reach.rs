//! The control of a program whose effects are known: with what pointers call, and what libraries and code that is not given
//! call back.
//!
//! See [`Control`], which answers the questions. Errors fall on the side of more calls.

use super::effects::{Action, ActionKind, Effects};
use crate::dataflow::steps::{RoutineId, Steps};
use crate::dataflow::{Control, ControlCall, NodeId, Others};

/// The flow graphs and calls of a program.
pub fn control<'a>(steps: &'a Steps, effects: &Effects) -> Control<'a> {
    let mut calls = Vec::new();
    for caller in steps.routine_ids() {
        let nodes = effects
            .bodies
            .get(caller.0 as usize)
            .map(|body| &body.nodes);
        for (node, actions) in nodes.into_iter().flatten().enumerate() {
            collect(actions, (caller, NodeId(node)), false, &mut calls);
        }
    }
    let flows = steps.routines.iter().map(|one| &one.flow);
    let others = Others {
        beside: effects.any_time.iter().copied().collect(),
        outside: effects.from_outside.iter().copied().collect(),
        at_end: effects.at_exit.iter().copied().collect(),
    };
    Control::of(flows.collect(), calls, others)
}

fn collect(
    actions: &[Action],
    at: (RoutineId, NodeId),
    is_repeated: bool,
    calls: &mut Vec<ControlCall>,
) {
    for action in actions {
        match &action.kind {
            ActionKind::Call {
                routines, surely, ..
            } => calls.extend(routines.iter().map(|callee| ControlCall {
                caller: at.0,
                place: action.span.start,
                node: Some(at.1),
                callee: *callee,
                is_repeated: is_repeated || !surely,
            })),
            ActionKind::Choose(lists) => {
                lists
                    .iter()
                    .for_each(|list| collect(list, at, is_repeated, calls));
            }
            ActionKind::Repeat(list) => collect(list, at, true, calls),
            _ => {}
        }
    }
}
