//! What runs before the use of MPI begins, or after it has ended: no place for a checkpoint.

use super::routine::Local;
use crate::analysis::effects::leading;
use crate::catalog::{Catalogue, Role};
use crate::dataflow::steps::{Called, RoutineId, StepKind, Steps};
use crate::dataflow::{Flow, NodeId};
use crate::solver::rounds;
use std::collections::{BTreeMap, BTreeSet};

/// Nodes outside of the use of MPI.
#[derive(Default)]
pub struct Phases {
    before: BTreeMap<RoutineId, Vec<bool>>,
    after: BTreeMap<RoutineId, Vec<bool>>,
}

impl Phases {
    /// Looks at all functions.
    pub fn of(steps: &Steps, catalogue: &Catalogue, locals: &[Local]) -> Phases {
        let mut phases = Phases::default();
        let last = last_nodes(steps, catalogue, locals);
        for (role, is_begin) in [(Role::Initialises, true), (Role::Finalises, false)] {
            for (id, nodes) in nodes_leading(locals, &|name| {
                name.contains("MPI_") && catalogue.find(name).is_some_and(|found| found.is(role))
            }) {
                let flow = &steps.routine(id).flow;
                let last = &last[id.0 as usize];
                // An error that ends the program, often behind `MPI_Finalize`, is followed by nothing.
                let behind = |&node: &usize| {
                    let first = flow.next(node).filter(|_| !last[node]);
                    flow.along(first, |from, _| !last[from])
                };
                let behind: Vec<Vec<bool>> = nodes.iter().map(behind).collect();
                let outside = (0..flow.nodes.len()).map(|node| {
                    let comes = behind.iter().any(|after| after[node]);
                    let after = flow.after(NodeId(node));
                    let goes = nodes.iter().any(|&at| after[at]);
                    if is_begin {
                        goes && !comes
                    } else {
                        comes && !goes
                    }
                });
                let outside = outside.collect();
                let phase = if is_begin {
                    &mut phases.before
                } else {
                    &mut phases.after
                };
                phase.insert(id, outside);
            }
        }
        phases
    }

    /// Whether a node runs before MPI is begun.
    pub fn is_before(&self, routine: RoutineId, node: usize) -> bool {
        self.before.get(&routine).is_some_and(|nodes| nodes[node])
    }

    /// Whether a node runs after MPI has ended.
    pub fn is_after(&self, routine: RoutineId, node: usize) -> bool {
        self.after.get(&routine).is_some_and(|nodes| nodes[node])
    }

    /// Neither.
    pub fn is_between(&self, routine: RoutineId, node: usize) -> bool {
        !self.is_before(routine, node) && !self.is_after(routine, node)
    }
}

/// By function and node, whether what is called there does not come back.
pub(super) fn last_nodes(steps: &Steps, catalogue: &Catalogue, locals: &[Local]) -> Vec<Vec<bool>> {
    let ends = |name: &String| catalogue.find(name).is_some_and(|one| one.never_returns);
    let mut last: Vec<Vec<bool>> = { steps.routine_ids() }
        .map(|id| {
            let mut nodes = vec![false; steps.routine(id).flow.nodes.len()];
            for (node, all) in steps.routine(id).nodes.iter().enumerate() {
                nodes[node] = all.iter().any(|step| match &step.kind {
                    StepKind::Call(call) => {
                        matches!(&call.callee, Called::Named(name) if ends(name))
                    }
                    _ => false,
                });
            }
            nodes
        })
        .collect();
    // By function the nodes with calls that are surely made: all that may be called there.
    let called: Vec<BTreeMap<usize, Vec<RoutineId>>> = { locals.iter() }
        .map(|local| {
            let mut nodes: BTreeMap<usize, Vec<RoutineId>> = BTreeMap::new();
            for site in local.sites.iter().filter(|site| site.surely) {
                nodes.entry(site.node).or_default();
            }
            for site in &local.sites {
                if let Some(callees) = nodes.get_mut(&site.node) {
                    callees.push(site.callee);
                }
            }
            nodes
        })
        .collect();
    rounds(|| {
        let comes_back: Vec<bool> = { steps.routine_ids() }
            .map(|id| {
                let flow = &steps.routine(id).flow;
                let last = &last[id.0 as usize];
                flow.along([Flow::ENTRY.0], |from, _| !last[from])[Flow::EXIT.0]
            })
            .collect();
        let mut is_changed = false;
        for (called, nodes) in called.iter().zip(&mut last) {
            for (node, callees) in called {
                let mut callees = callees.iter();
                if !nodes[*node] && callees.all(|callee| !comes_back[callee.0 as usize]) {
                    nodes[*node] = true;
                    is_changed = true;
                }
            }
        }
        is_changed
    });
    last
}

/// The nodes that call such a library function, or a function of the program that leads to one.
pub(super) fn nodes_leading(
    locals: &[Local],
    is: &dyn Fn(&str) -> bool,
) -> BTreeMap<RoutineId, BTreeSet<usize>> {
    let mut found: BTreeMap<RoutineId, BTreeSet<usize>> = BTreeMap::new();
    for (number, local) in locals.iter().enumerate() {
        for (node, name) in &local.library {
            if is(name) {
                let nodes = found.entry(RoutineId(number as u32)).or_default();
                nodes.insert(*node);
            }
        }
    }
    let calls: Vec<Vec<RoutineId>> = { locals.iter() }
        .map(|local| local.sites.iter().map(|site| site.callee).collect())
        .collect();
    let leads = leading(&calls, found.keys().copied());
    for (number, local) in locals.iter().enumerate() {
        let sites = local
            .sites
            .iter()
            .filter(|site| leads[site.callee.0 as usize]);
        for site in sites {
            let nodes = found.entry(RoutineId(number as u32)).or_default();
            nodes.insert(site.node);
        }
    }
    found
}
