//! What may be run after a node of a function, in the whole program.

use std::collections::{BTreeSet, HashMap};

use super::facts::Facts;
use crate::analysis::effects::{ActionKind, walk};
use crate::dataflow::NodeId;
use crate::dataflow::steps::RoutineId;

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
        let mut open = vec![(site.0, site.1, false)];
        while let Some((routine, node, itself)) = open.pop() {
            if !seen.insert((routine, node)) {
                continue;
            }
            let flow = &facts.known.steps.routine(routine).flow;
            let mut later = flow.after(NodeId(node));
            later[node] |= itself;
            let known = after
                .active
                .entry(routine)
                .or_insert_with(|| vec![false; later.len()]);
            for (known, later) in known.iter_mut().zip(&later) {
                *known |= later;
            }
            let callers = facts.callers[routine.0 as usize].iter();
            open.extend(callers.map(|one| (one.routine, one.node, true)));
        }
        let mut called: Vec<RoutineId> = Vec::new();
        for (routine, nodes) in &after.active {
            let body = &effects.bodies[routine.0 as usize];
            for (actions, _) in body.nodes.iter().zip(nodes).filter(|(_, later)| **later) {
                called.extend(callees(actions));
            }
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

fn callees<'a>(
    actions: impl IntoIterator<Item = &'a crate::analysis::effects::Action>,
) -> Vec<RoutineId> {
    let mut called = Vec::new();
    walk(actions, &mut |action| {
        if let ActionKind::Call { routines, .. } = &action.kind {
            called.extend_from_slice(routines);
        }
    });
    called
}
