//! Nodes of the graph that include each other: they have the same targets, and become one.
//!
//! The search looks at all of the graph. It is made again when as much has been done since the last time as it takes; cycles
//! that are there for some time cost work, and nothing else.

use super::graph::{Graph, NodeId};
use crate::solver::components;

impl Graph {
    /// Nodes that include each other become one; the others get ranks, so that edges go to higher ones.
    pub(super) fn collapse_cycles(&mut self) {
        self.fresh = 0;
        self.work = 0;
        for (rank, group) in self.groups().into_iter().rev().enumerate() {
            let mut group = group.into_iter().rev().map(|node| node as NodeId);
            let Some(first) = group.next() else {
                continue;
            };
            group.for_each(|other| self.unify(first, other));
            let node = self.find_short(first);
            self.rank[node as usize] = rank as u32;
        }
    }

    /// Those that include each other, last ones first.
    fn groups(&mut self) -> Vec<Vec<usize>> {
        let count = self.nodes.len();
        let begins = |start: &usize| {
            let node = *start as NodeId;
            !self.nodes[*start].next.is_empty() && self.find(node) == node
        };
        let first: Vec<usize> = (0..count).filter(begins).collect();
        components(count, first, |node, edge| {
            let to = self.nodes[node].next.get(edge).copied()?;
            Some(self.find_short(to) as usize)
        })
    }
}
