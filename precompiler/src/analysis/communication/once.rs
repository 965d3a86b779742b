//! What control comes to at most once in a run.
//!
//! In: steps and what pointers lead to. Out: whether a node of a function can be executed a second time. The one idea: a
//! function is entered once when it is `main`, or when one call is all that leads to it and that call is made once; a
//! node is executed once in a function that is entered once, when control cannot come back to it.
//!
//! ```text
//! int main(…) { … work(); … }      work: once
//! for (…) work();                  work: not
//! qsort(…, compare);               compare: not: its address is taken
//! ```
//!
//! Errors fall on the side of *not*. Restarts do not count: they go on where the run was.

use crate::analysis::effects::Effects;
use crate::analysis::points_to::PointsTo;
use crate::dataflow::Flow;
use crate::dataflow::steps::{Base, Called, FunctionTarget, RoutineId, Step, StepKind, Steps};

/// The answer.
pub struct Once<'a> {
    steps: &'a Steps,
    /// By function: it is entered at most once.
    entered: Vec<bool>,
    /// Control may go on anywhere.
    jumps: bool,
}

/// How a function is called.
#[derive(Clone, Copy, Default)]
enum From {
    #[default]
    Nowhere,
    /// By one call, in this node.
    Call(RoutineId, usize),
    Anywhere,
}

impl<'a> Once<'a> {
    /// Looks at a program.
    pub fn of(steps: &'a Steps, points_to: &PointsTo, effects: &Effects) -> Once<'a> {
        let mut look = Look {
            points_to,
            from: vec![From::Nowhere; steps.routines.len()],
            jumps: false,
        };
        for id in steps.routine_ids() {
            for (node, list) in steps.routine(id).nodes.iter().enumerate() {
                look.list(id, node, list, false);
            }
        }
        for one in &steps.initial {
            for list in &one.nodes {
                look.addresses(list);
            }
        }
        let mut once = Once {
            steps,
            entered: vec![false; steps.routines.len()],
            jumps: look.jumps,
        };
        let Some(main) = effects.main else {
            return once;
        };
        once.entered[main.0 as usize] = matches!(look.from[main.0 as usize], From::Nowhere);
        loop {
            let mut changed = false;
            for id in steps.routine_ids() {
                if let From::Call(caller, node) = look.from[id.0 as usize]
                    && !once.entered[id.0 as usize]
                    && once.is_node_once(caller, node)
                {
                    once.entered[id.0 as usize] = true;
                    changed = true;
                }
            }
            if !changed {
                return once;
            }
        }
    }

    /// Whether control comes from outside to a node at most once.
    pub fn is_node_once(&self, routine: RoutineId, node: usize) -> bool {
        self.is_within_once(routine, node, &|_| false)
    }

    /// The same when control goes round in some nodes: those of a loop.
    pub fn is_within_once(
        &self,
        routine: RoutineId,
        node: usize,
        is_inside: &dyn Fn(usize) -> bool,
    ) -> bool {
        let flow = &self.steps.routine(routine).flow;
        !self.jumps && self.entered[routine.0 as usize] && !comes_back(flow, node, is_inside)
    }
}

/// Whether control can come back to a node, or to one of those around it, from outside of them.
fn comes_back(flow: &Flow, node: usize, is_inside: &dyn Fn(usize) -> bool) -> bool {
    let is_inside = |one: usize| one == node || is_inside(one);
    let mut seen = vec![false; flow.nodes.len()];
    let mut work = Vec::new();
    for (from, one) in flow.nodes.iter().enumerate() {
        if is_inside(from) {
            let out = one.next.iter().map(|to| to.0);
            work.extend(out.filter(|&to| to == node && from == node || !is_inside(to)));
        }
    }
    while let Some(at) = work.pop() {
        if is_inside(at) {
            return true;
        }
        if !std::mem::replace(&mut seen[at], true) {
            work.extend(flow.nodes[at].next.iter().map(|to| to.0));
        }
    }
    false
}

struct Look<'a> {
    points_to: &'a PointsTo,
    from: Vec<From>,
    jumps: bool,
}

impl Look<'_> {
    /// Steps of a node. `again`: they may happen several times.
    fn list(&mut self, id: RoutineId, node: usize, list: &[Step], again: bool) {
        for step in list {
            match &step.kind {
                StepKind::Call(call) => {
                    if let Called::Named(name) = &call.callee {
                        self.jumps |= name.contains("longjmp");
                    }
                    let is_direct = matches!(call.callee, Called::Routine(_)) && !again;
                    for callee in self.points_to.callees(id, call).routines {
                        let from = &mut self.from[callee.0 as usize];
                        *from = match (&from, is_direct) {
                            (From::Nowhere, true) => From::Call(id, node),
                            _ => From::Anywhere,
                        };
                    }
                }
                StepKind::Choose(lists) => {
                    for list in lists {
                        self.list(id, node, list, again);
                    }
                }
                StepKind::Repeat(list) => self.list(id, node, list, true),
                _ => {}
            }
        }
        self.addresses(list);
    }

    /// Functions whose address is taken may be called from anywhere.
    fn addresses(&mut self, list: &[Step]) {
        for step in list {
            step.walk(&mut |step| {
                let place = match &step.kind {
                    StepKind::Address { place, .. } | StepKind::Read { place, .. } => place,
                    _ => return,
                };
                if let Base::Function(FunctionTarget::Routine(id)) = &place.base {
                    self.from[id.0 as usize] = From::Anywhere;
                }
            });
        }
    }
}
