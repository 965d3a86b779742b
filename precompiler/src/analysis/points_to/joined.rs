//! Constraints that do the same on nodes that have become one.
//!
//! A hundred functions that walk through one tree have a hundred pointers to its nodes, which are one node of the graph in
//! the end, with a hundred reads of `->left`. Each would add an edge from every node of the tree. One of them is
//! enough, into a node between, from which an edge leads to where each of the hundred led.
//!
//! ```text
//! load p → a   load p → b   load p → c      becomes      load p → between,  between → a, b, c
//! ```
//!
//! The sets stay what they are: what a constraint puts into its own node is what the first one puts into the node between.

use rustc_hash::FxHashMap;

use super::constrain::Constraint;
use super::graph::NodeId;
use super::solver::Solver;
use crate::analysis::memory::LayoutId;

/// What constraints on the same node do in the same way.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Load(LayoutId, u32),
    Store(LayoutId, u32),
    Address(LayoutId, u32),
    Step(LayoutId, Option<i128>),
    Use(LayoutId),
}

impl Kind {
    /// It reads, stores or shows a type, and makes no new targets.
    pub fn is_access(self) -> bool {
        matches!(self, Kind::Load(..) | Kind::Store(..) | Kind::Use(_))
    }

    /// A constraint that does it, and leads to or comes from a node.
    pub fn access(self, end: NodeId) -> Option<Constraint> {
        match self {
            Kind::Load(used, leaf) => Some(Constraint::Load {
                used,
                leaf,
                into: end,
            }),
            Kind::Store(used, leaf) => Some(Constraint::Store {
                used,
                leaf,
                from: end,
            }),
            Kind::Use(used) => Some(Constraint::Use { used }),
            Kind::Address(..) | Kind::Step(..) => None,
        }
    }
}

impl Constraint {
    /// What it does, but for where that leads to or comes from.
    pub(super) fn kind(&self) -> Option<Kind> {
        match *self {
            Constraint::Load { used, leaf, .. } => Some(Kind::Load(used, leaf)),
            Constraint::Store { used, leaf, .. } => Some(Kind::Store(used, leaf)),
            Constraint::Address { used, leaf, .. } => Some(Kind::Address(used, leaf)),
            Constraint::Step { used, count, .. } => Some(Kind::Step(used, count)),
            Constraint::Use { used } => Some(Kind::Use(used)),
            _ => None,
        }
    }

    /// Where it leads to or comes from.
    pub(super) fn end(&mut self) -> Option<&mut NodeId> {
        match self {
            Constraint::Load { into, .. }
            | Constraint::Address { into, .. }
            | Constraint::Step { into, .. } => Some(into),
            Constraint::Store { from, .. } => Some(from),
            _ => None,
        }
    }
}

impl Solver<'_> {
    /// Nodes that have become one may have constraints that do the same with different nodes: one is enough for all of them,
    /// from or to a node between.
    pub fn join_constraints(&mut self) {
        for node in self.graph.take_grown() {
            let constraints = std::mem::take(self.graph.constraints(node));
            let mut alike: FxHashMap<Kind, Vec<u32>> = FxHashMap::default();
            let mut left = Vec::with_capacity(constraints.len());
            for id in constraints {
                match self.constraints[id as usize].kind() {
                    Some(kind) => {
                        let known = alike.entry(kind).or_default();
                        if known.is_empty() {
                            left.push(id);
                        }
                        known.push(id);
                    }
                    None => left.push(id),
                }
            }
            *self.graph.constraints(node) = left;
            let mut alike: Vec<_> = alike.into_iter().filter(|one| one.1.len() > 1).collect();
            alike.sort_unstable_by_key(|one| one.1[0]);
            for (_, ids) in alike {
                self.join(node, &ids);
            }
        }
    }

    /// The first constraint does what all of them do.
    fn join(&mut self, node: NodeId, ids: &[u32]) {
        let (first, others) = (ids[0], &ids[1..]);
        if self.joined.insert(first) {
            let between = self.graph.node();
            if let Some(end) = self.constraints[first as usize].end() {
                let old = std::mem::replace(end, between);
                self.lead(first, between, old);
            }
            self.suppliers.remove(&first);
            let all = self.graph.targets(node).clone();
            self.tell(node, first, &all);
        }
        for id in others {
            self.instead.insert(*id, first);
        }
        let Some(between) = self.constraints[first as usize].end().copied() else {
            return;
        };
        for id in others {
            if let Some(end) = self.constraints[*id as usize].end().copied() {
                self.lead(first, between, end);
            }
        }
    }

    pub(super) fn lead(&mut self, constraint: u32, between: NodeId, end: NodeId) {
        match self.constraints[constraint as usize] {
            Constraint::Store { .. } => self.graph.edge(end, between),
            _ => self.graph.edge(between, end),
        }
    }
}
