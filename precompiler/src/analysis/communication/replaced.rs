//! What is stored to be replaced on all ranks soon.
//!
//! In: a store. Out: whether control comes from there on every way to a collective call that gives all ranks the same in its place,
//! or to the end of the program, and the nodes on these ways. What only some ranks have stored differs there, and nowhere else.
//!
//! ```text
//! if (rank == 0) read_input(&n);
//! MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
//! for (i = 0; i < n; i++) …                            all ranks iterate equally often
//! ```
//!
//! Errors fall on the side of what stays.

use super::varying::Sources;
use crate::analysis::effects::{Action, ActionKind, Effects, walk};
use crate::analysis::memory::{CellId, CellSet};
use crate::analysis::points_to::PointsTo;
use crate::dataflow::Flow;
use crate::dataflow::steps::{RoutineId, StepKind, Steps};
use crate::solver::closure;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A node of a function.
pub type NodeAt = (RoutineId, usize);
/// Nodes on the ways from a store.
type Ways = Rc<[NodeAt]>;
/// A node, and the function from which control comes back into the middle of it.
type Stand = (NodeAt, Option<RoutineId>);

/// Calls that give all ranks the same.
pub struct Replaced<'a> {
    steps: &'a Steps,
    effects: &'a Effects,
    /// What the calls of a node overwrite.
    calls: HashMap<NodeAt, Vec<CellId>>,
    /// All that they overwrite.
    cells: CellSet,
    /// Where each function is called.
    callers: Vec<Vec<NodeAt>>,
    known: RefCell<HashMap<(RoutineId, usize, CellId), Option<Ways>>>,
}

impl<'a> Replaced<'a> {
    /// Looks at a program.
    pub fn of(
        steps: &'a Steps,
        points_to: &PointsTo,
        effects: &'a Effects,
        sources: &dyn Sources,
    ) -> Replaced<'a> {
        let mut replaced = Replaced {
            steps,
            effects,
            calls: HashMap::new(),
            cells: CellSet::with_capacity(points_to.memory.cells.len()),
            callers: vec![Vec::new(); steps.routines.len()],
            known: RefCell::default(),
        };
        for id in steps.routine_ids() {
            let nodes = effects.bodies[id.0 as usize].nodes.iter();
            for (node, actions) in nodes.enumerate() {
                walk(actions, &mut |action| {
                    if let ActionKind::Call { routines, .. } = &action.kind {
                        for callee in routines {
                            replaced.callers[callee.0 as usize].push((id, node));
                        }
                    }
                });
            }
            for (node, list) in steps.routine(id).nodes.iter().enumerate() {
                for step in list {
                    // What an expression may leave out is no such call.
                    let StepKind::Call(call) = &step.kind else {
                        continue;
                    };
                    let callees = points_to.callees(id, call);
                    let is_one = !callees.unknown && callees.routines.is_empty();
                    if let [name] = callees.named.as_slice()
                        && is_one
                        && sources.shares(id, call, name)
                    {
                        let stored = sources.stored(id, step.span).iter();
                        let surely = stored.filter(|(_, all)| *all).map(|(cell, _)| *cell);
                        for cell in surely {
                            replaced.cells.put(cell.0 as usize);
                            let calls = replaced.calls.entry((id, node)).or_default();
                            calls.push(cell);
                        }
                    }
                }
            }
        }
        replaced
    }

    /// The nodes where what a node stores to a cell may be read, if it is replaced on every way and all that read it before are known.
    pub fn until(&self, id: RoutineId, node: usize, cell: CellId) -> Option<Ways> {
        if !self.cells.contains(cell.0 as usize) || self.effects.is_unsteady(cell) {
            return None;
        }
        let known = self.known.borrow().get(&(id, node, cell)).cloned();
        known.unwrap_or_else(|| {
            let found = self.ways((id, node), cell);
            let mut known = self.known.borrow_mut();
            known.insert((id, node, cell), found.clone());
            found
        })
    }

    fn ways(&self, first: NodeAt, cell: CellId) -> Option<Ways> {
        let mut is_lost = false;
        let mut nodes = vec![first];
        let stands = closure([(first, None)], |(at, from): Stand, open| {
            is_lost |= self.is_read_elsewhere(at, cell, from);
            let behind = self.behind(at, cell);
            is_lost |= (behind.iter()).any(|node| self.is_read_elsewhere(*node, cell, None));
            if behind.contains(&(at.0, Flow::EXIT.0)) {
                let callers = &self.callers[at.0.0 as usize];
                is_lost |= callers.is_empty() && self.effects.main != Some(at.0);
                open.extend(callers.iter().map(|caller| (*caller, Some(at.0))));
            }
            nodes.push(at);
            nodes.extend(behind);
        });
        stands.for_each(drop);
        nodes.sort_unstable();
        nodes.dedup();
        (!is_lost).then(|| nodes.into())
    }

    /// Where control comes to behind a node of a function before a cell is replaced, with the nodes that do so.
    fn behind(&self, (id, node): NodeAt, cell: CellId) -> Vec<NodeAt> {
        let flow = &self.steps.routine(id).flow;
        let is_open = |from: usize, _| !self.replaces((id, from), cell);
        let found = flow.along(flow.next(node), is_open);
        let nodes = (0..found.len()).filter(|node| found[*node]);
        nodes.map(|node| (id, node)).collect()
    }

    /// Whether a node replaces a cell.
    fn replaces(&self, node: NodeAt, cell: CellId) -> bool {
        let replaced = self.calls.get(&node);
        replaced.is_some_and(|replaced| replaced.contains(&cell))
    }

    /// Whether a function that a node calls may read a cell, or control may go on where nobody knows. Left out is the call that control
    /// has come back `from`.
    fn is_read_elsewhere(&self, node: NodeAt, cell: CellId, from: Option<RoutineId>) -> bool {
        let mut found = false;
        let mut look = |action: &Action| match &action.kind {
            ActionKind::Call { routines, .. } => {
                for routine in routines.iter().filter(|one| Some(**one) != from) {
                    let summary = self.effects.summary(*routine);
                    found |= summary.reads.contains(cell.0 as usize) || summary.may_jump;
                }
            }
            ActionKind::Jump => found = true,
            _ => {}
        };
        let body = &self.effects.bodies[node.0.0 as usize];
        if let Some(actions) = body.nodes.get(node.1) {
            walk(actions, &mut look);
        }
        found
    }
}
