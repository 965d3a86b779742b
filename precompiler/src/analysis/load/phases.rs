//! What runs before the use of MPI begins, or after it has ended: no place for a checkpoint.

use super::routine::Local;
use crate::analysis::effects::leading;
use crate::catalog::{Catalogue, Role};
use crate::dataflow::NodeId;
use crate::dataflow::steps::{RoutineId, Steps};
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
        for (role, is_begin) in [(Role::Initialises, true), (Role::Finalises, false)] {
            for (id, nodes) in nodes_leading(locals, &|name| {
                name.contains("MPI_") && catalogue.find(name).is_some_and(|found| found.is(role))
            }) {
                let flow = &steps.routine(id).flow;
                let behind: Vec<Vec<bool>> =
                    nodes.iter().map(|&node| flow.after(NodeId(node))).collect();
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

/// The nodes that call such a library function, or a function of the program that leads to one.
fn nodes_leading(
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
