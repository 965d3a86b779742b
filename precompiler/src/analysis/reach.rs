//! Where control may come to from a place, in calls and behind them.
//!
//! In: a part of a function's text, or a node. Out: for each node of each function whether control may come to it behind that. What is
//! called comes back to where it was called from; the function of the statement itself comes back to all that call it. Errors fall on
//! the side of more places.

use std::collections::{HashMap, HashSet};

use super::points_to::PointsTo;
use crate::dataflow::calls::CallGraph;
use crate::dataflow::steps::{Called, RoutineId, StepKind, Steps};
use crate::dataflow::{Flow, NodeId};
use crate::program::Program;
use crate::source::Span;

/// Calls of a program by node, and who calls whom.
pub struct Calls {
    callees: HashMap<(RoutineId, usize), Vec<RoutineId>>,
    callers: HashMap<RoutineId, Vec<(RoutineId, usize)>>,
}

impl Calls {
    /// Looks at a program.
    pub fn of(program: &Program, steps: &Steps, points_to: &PointsTo) -> Calls {
        let mut calls = Calls {
            callees: HashMap::new(),
            callers: HashMap::new(),
        };
        // A pointer of which nothing is known leads to no function whose address nobody takes.
        let graph = CallGraph::of(program);
        let taken = graph.address_taken.iter();
        let taken: HashSet<RoutineId> = taken.map(|one| steps.routine_of(*one)).collect();
        for id in steps.routine_ids() {
            for (node, list) in steps.routine(id).nodes.iter().enumerate() {
                for step in list {
                    step.walk(&mut |step| {
                        let StepKind::Call(call) = &step.kind else {
                            return;
                        };
                        let is_direct = matches!(call.callee, Called::Routine(_));
                        for callee in points_to.callees(id, call).routines {
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
pub struct Reach(HashMap<RoutineId, Vec<Way>>);

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
    /// From the end of a part of a function.
    pub fn behind(steps: &Steps, calls: &Calls, home: RoutineId, from: Span) -> Reach {
        let nodes = &steps.routine(home).flow.nodes;
        let mut work = Vec::new();
        for node in nodes {
            if node.statement.is_some() && from.contains(node.span) {
                let is_out = |next: &usize| !from.contains(nodes[*next].span);
                let next = node.next.iter().map(|next| next.0);
                work.extend(next.filter(is_out).map(|next| (home, next, Way::Returning)));
            }
        }
        Reach::along(steps, calls, work)
    }

    /// From the end of a node.
    pub fn after(steps: &Steps, calls: &Calls, home: RoutineId, node: NodeId) -> Reach {
        let next = steps.routine(home).flow.nodes[node.0].next.iter();
        let work = next.map(|next| (home, next.0, Way::Returning));
        Reach::along(steps, calls, work.collect())
    }

    fn along(steps: &Steps, calls: &Calls, mut work: Vec<(RoutineId, usize, Way)>) -> Reach {
        let mut reach = Reach(HashMap::new());
        while let Some((id, node, way)) = work.pop() {
            let flow = &steps.routine(id).flow;
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
                    let next = &steps.routine(caller).flow.nodes[site].next;
                    work.extend(next.iter().map(|next| (caller, next.0, way)));
                }
            }
        }
        reach
    }

    /// Whether control may come to a text of a function.
    pub fn has(&self, steps: &Steps, routine: RoutineId, text: Span) -> bool {
        let flow = &steps.routine(routine).flow;
        let ways = self.0.get(&routine).into_iter().flatten();
        let mut inside = flow
            .nodes
            .iter()
            .zip(ways)
            .filter(|(node, _)| node.statement.is_some() && text.contains(node.span));
        inside.any(|(_, way)| *way != Way::Never)
    }

    /// Whether control may come to the node at a place of a function.
    pub fn comes_to(&self, steps: &Steps, routine: RoutineId, place: usize) -> bool {
        let node = steps.routine(routine).flow.node_at(place);
        let ways = self.0.get(&routine);
        node.zip(ways)
            .is_some_and(|(node, ways)| ways[node.0] != Way::Never)
    }
}
