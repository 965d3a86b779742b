//! Where control may come to from a place, in calls and behind them.
//!
//! In: a statement of a function. Out: for each node of each function whether control may come to it after the statement has ended. What is
//! called comes back to where it was called from; the function of the statement itself comes back to all that call it. Errors fall on
//! the side of more places.

use std::collections::{HashMap, HashSet};

use crate::analysis::Analysed;
use crate::dataflow::Flow;
use crate::dataflow::calls::CallGraph;
use crate::dataflow::steps::{Called, RoutineId, StepKind};
use crate::program::Statement;
use crate::source::Span;

/// Calls of a program by node, and who calls whom.
pub(super) struct Calls {
    callees: HashMap<(RoutineId, usize), Vec<RoutineId>>,
    callers: HashMap<RoutineId, Vec<(RoutineId, usize)>>,
}

impl Calls {
    /// Looks at a program.
    pub fn of(facts: &Analysed) -> Calls {
        let mut calls = Calls {
            callees: HashMap::new(),
            callers: HashMap::new(),
        };
        // A pointer of which nothing is known leads to no function whose address nobody takes.
        let graph = CallGraph::of(facts.program);
        let taken = graph.address_taken.iter();
        let taken: HashSet<RoutineId> = taken.map(|one| facts.steps.routine_of(*one)).collect();
        for id in facts.steps.routine_ids() {
            for (node, steps) in facts.steps.routine(id).nodes.iter().enumerate() {
                for step in steps {
                    step.walk(&mut |step| {
                        let StepKind::Call(call) = &step.kind else {
                            return;
                        };
                        let is_direct = matches!(call.callee, Called::Routine(_));
                        for callee in facts.points_to.callees(id, call).routines {
                            if !is_direct && !taken.contains(&callee) {
                                continue;
                            }
                            calls.callees.entry((id, node)).or_default().push(callee);
                            calls.callers.entry(callee).or_default().push((id, node));
                        }
                    });
                }
            }
        }
        calls
    }
}

/// The nodes that control may come to.
pub(super) struct Reach(HashMap<RoutineId, Vec<Way>>);

/// How control comes to a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Never,
    /// In a call: behind it control goes on where it was called from, which is looked at anyway.
    Called,
    /// When the function ends, control goes on in whoever called it.
    Returning,
}

impl Reach {
    /// From the end of a statement.
    pub fn behind(facts: &Analysed, calls: &Calls, home: RoutineId, from: &Statement) -> Reach {
        let mut reach = Reach(HashMap::new());
        let mut work = Vec::new();
        for node in &facts.steps.routine(home).flow.nodes {
            if node.statement.is_some() && from.span.contains(node.span) {
                let nodes = &facts.steps.routine(home).flow.nodes;
                let is_out = |next: &usize| !from.span.contains(nodes[*next].span);
                let next = node.next.iter().map(|next| next.0);
                let next = next.filter(is_out).map(|next| (home, next, Way::Returning));
                work.extend(next);
            }
        }
        while let Some((id, node, way)) = work.pop() {
            let flow = &facts.steps.routine(id).flow;
            let known = reach.0.entry(id);
            let known = known.or_insert_with(|| vec![Way::Never; flow.nodes.len()]);
            if known[node] >= way {
                continue;
            }
            known[node] = way;
            work.extend(flow.nodes[node].next.iter().map(|next| (id, next.0, way)));
            let called = calls.callees.get(&(id, node)).into_iter().flatten();
            work.extend(called.map(|callee| (*callee, Flow::ENTRY.0, Way::Called)));
            if node == Flow::EXIT.0 && way == Way::Returning {
                for &(caller, site) in calls.callers.get(&id).into_iter().flatten() {
                    let next = &facts.steps.routine(caller).flow.nodes[site].next;
                    work.extend(next.iter().map(|next| (caller, next.0, way)));
                }
            }
        }
        reach
    }

    /// Whether control may come to a text of a function.
    pub fn has(&self, facts: &Analysed, routine: RoutineId, text: Span) -> bool {
        let flow = &facts.steps.routine(routine).flow;
        let ways = self.0.get(&routine).into_iter().flatten();
        let mut inside = flow
            .nodes
            .iter()
            .zip(ways)
            .filter(|(node, _)| node.statement.is_some() && text.contains(node.span));
        inside.any(|(_, way)| *way != Way::Never)
    }
}
