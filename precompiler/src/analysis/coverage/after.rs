//! What may be run after a node of a function, in the whole program.

use std::collections::{BTreeSet, HashMap};

use super::facts::Facts;
use crate::analysis::effects::{Action, ActionKind, walk};
use crate::dataflow::NodeId;
use crate::dataflow::steps::RoutineId;
use crate::source::Span;

/// The nodes that may come later.
pub struct After {
    /// Functions all of whose nodes may.
    whole: BTreeSet<RoutineId>,
    /// Functions that are active at the node, by their nodes.
    active: HashMap<RoutineId, Vec<bool>>,
}

impl After {
    /// What may be run after a node has been run once.
    pub fn of(facts: &Facts<'_>, site: (RoutineId, usize)) -> After {
        let effects = facts.known.effects;
        let mut after = After {
            whole: BTreeSet::new(),
            active: HashMap::new(),
        };
        let mut seen = BTreeSet::new();
        let mut called: Vec<RoutineId> = Vec::new();
        let mut open: Vec<(RoutineId, usize, Option<Span>)> = vec![(site.0, site.1, None)];
        while let Some((routine, node, call)) = open.pop() {
            if !seen.insert((routine, node, call)) {
                continue;
            }
            let flow = &facts.known.steps.routine(routine).flow;
            let mut later = flow.after(NodeId(node));
            if let Some(call) = call {
                let actions = &effects.bodies[routine.0 as usize].nodes[node];
                called.extend(callees(others(actions, call)));
            }
            let body = &effects.bodies[routine.0 as usize];
            for (actions, _) in body.nodes.iter().zip(&later).filter(|(_, later)| **later) {
                called.extend(callees(actions));
            }
            // What else is stored in the node of a call is not told apart.
            later[node] |= call.is_some();
            let known = after.active.entry(routine);
            let known = known.or_insert_with(|| vec![false; later.len()]);
            for (known, later) in known.iter_mut().zip(&later) {
                *known |= later;
            }
            let callers = facts.callers[routine.0 as usize].iter();
            open.extend(callers.map(|one| (one.routine, one.node, Some(one.span))));
        }
        for routines in [&effects.any_time, &effects.at_exit, &effects.from_outside] {
            called.extend(routines);
        }
        while let Some(routine) = called.pop() {
            if after.whole.insert(routine) {
                let body = &effects.bodies[routine.0 as usize];
                called.extend(callees(body.nodes.iter().flatten()));
            }
        }
        after
    }

    /// Whether a node is among them.
    pub fn has(&self, routine: RoutineId, node: usize) -> bool {
        let is_later = |nodes: &Vec<bool>| nodes.get(node).copied().unwrap_or(true);
        self.whole.contains(&routine) || self.active.get(&routine).is_some_and(is_later)
    }
}

/// The actions of a node but a call that always happens. C leaves open which of several calls in an expression comes first.
fn others(actions: &[Action], call: Span) -> impl Iterator<Item = &Action> {
    let is_it = move |action: &&Action| {
        action.span == call && matches!(action.kind, ActionKind::Call { .. })
    };
    let only = actions.iter().filter(is_it).count() == 1;
    actions.iter().filter(move |action| !only || !is_it(action))
}

fn callees<'a>(actions: impl IntoIterator<Item = &'a Action>) -> Vec<RoutineId> {
    let mut called = Vec::new();
    walk(actions, &mut |action| {
        if let ActionKind::Call { routines, .. } = &action.kind {
            called.extend_from_slice(routines);
        }
    });
    called
}
