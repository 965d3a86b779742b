//! Reads and stores through a pointer that has its targets from another one.
//!
//! A hundred functions that are handed one tree have a hundred pointers to its nodes. What is in the set of one pointer is in
//! those of all that include it; so what is read through these includes what is read through that one. Where both have
//! targets by the thousands, an edge from the one read to the other stands for an edge from each target.
//!
//! ```text
//! p → q,  load q → a      becomes      load p → between,  between → a,  and edges of its own for what q has and p has not
//! p → q,  store b → *q    becomes      b → between,  store between → *p,  …
//! ```
//!
//! The sets stay what they are: edges are never taken away, so q includes p for good, and nothing but the constraint on p
//! fills a node between. Errors would fall on the wrong side where two pointers relied on each other and both did nothing:
//! whoever relies on another one asks each time whether that leads back to itself, and then sees to all of its targets.
//!
//! Not here: pointers that have become one node ([`joined`](super::joined)).

use super::graph::{Graph, NodeId, UNSEEN};
use super::joined::Kind;
use super::set::Set;
use super::solver::Solver;

/// A constraint relies on so many others at most.
const MOST: usize = 3;

/// So many rely on each other in a row at most, and so many are asked whether they lead back.
const ROW: usize = 32;
const ASKED: usize = 128;

/// A pointer that sees to all of its targets, also for another one that has them from it.
#[derive(Clone, Copy, Debug)]
pub struct Supplier {
    /// Its node.
    node: NodeId,
    /// What does it there.
    constraint: u32,
}

impl Graph {
    /// A node includes another one with so many words.
    pub(super) fn supply(&mut self, from: NodeId, to: NodeId, words: usize) {
        if words < self.room.few || from == UNSEEN || to == UNSEEN || from == to {
            return;
        }
        let known = self.find(self.nodes[to as usize].supplier);
        if known == UNSEEN || known == to || self.nodes[known as usize].words() < words {
            self.nodes[to as usize].supplier = from;
        }
    }

    /// Of the nodes that one includes, that with the largest set.
    fn supplier(&self, node: NodeId) -> Option<NodeId> {
        let known = self.find(self.nodes[node as usize].supplier);
        (known != UNSEEN && known != node).then_some(known)
    }

    /// A constraint that has been told all that is in the set of the node.
    fn attach(&mut self, node: NodeId, constraint: u32) {
        self.nodes[node as usize].constraints.push(constraint);
    }
}

impl Solver<'_> {
    /// A constraint of a node is told of new targets, but for those that others see to.
    pub fn tell(&mut self, node: NodeId, id: u32, new: &Set) {
        self.tell_within(node, id, new, 0);
    }

    fn tell_within(&mut self, node: NodeId, id: u32, new: &Set, depth: usize) {
        let node = self.graph.find(node);
        let kind = self.constraints[id as usize].kind();
        let is_large = self.graph.targets(node).words() >= self.graph.room.few;
        let Some(kind) = kind.filter(|kind| is_large && kind.is_access()) else {
            self.apply(id, new);
            return;
        };
        let mut left = new.clone();
        let mut known = self.suppliers.get(&id).cloned().unwrap_or_default();
        let count = known.len();
        known.retain(|one| !self.leads_back(*one, node));
        if known.len() < count {
            left = self.graph.targets(node).clone();
            self.suppliers.insert(id, known.clone());
        }
        for one in &known {
            left = left.without(self.graph.targets(one.node));
        }
        if known.len() < MOST
            && depth < ROW
            && let Some(from) = self.source(node)
            && known.iter().all(|one| self.graph.find(one.node) != from)
        {
            let common = left.common(self.graph.targets(from));
            if !common.is_empty() && common.words() * 2 >= left.words() {
                self.rely(node, id, from, kind, depth);
                if self.suppliers.get(&id).map_or(0, Vec::len) > known.len() {
                    left = left.without(self.graph.targets(from));
                }
            }
        }
        if !left.is_empty() {
            self.apply(id, &left);
        }
    }

    /// The pointer furthest up from which a node has most of what it has from others.
    fn source(&self, node: NodeId) -> Option<NodeId> {
        let mut at = self.graph.supplier(node)?;
        let words = self.graph.targets(at).words();
        for _ in 0..ROW {
            let Some(next) = self.graph.supplier(at).filter(|next| *next != node) else {
                break;
            };
            let there = self.graph.targets(next).words();
            if there * 8 < words * 7 {
                break;
            }
            at = next;
        }
        Some(at)
    }

    /// From now on a pointer sees to its targets for a constraint of another node, too.
    fn rely(&mut self, node: NodeId, id: u32, from: NodeId, kind: Kind, depth: usize) {
        let there = self.graph.nodes[from as usize].constraints.iter().copied();
        let mut there = there.filter(|one| self.constraints[*one as usize].kind() == Some(kind));
        let (constraint, is_ready) = match there.next() {
            Some(known) => (known, self.joined.contains(&known)),
            None => (self.constraints.len() as u32, false),
        };
        let supplier = Supplier {
            node: from,
            constraint,
        };
        if self.leads_back(supplier, node) {
            return;
        }
        self.suppliers.entry(id).or_default().push(supplier);
        if !is_ready {
            let between = self.graph.node();
            self.joined.insert(constraint);
            self.suppliers.remove(&constraint);
            match self.constraints.get_mut(constraint as usize) {
                Some(known) => {
                    if let Some(end) = known.end() {
                        let old = std::mem::replace(end, between);
                        self.lead(constraint, between, old);
                    }
                }
                None => {
                    let Some(new) = kind.access(between) else {
                        return;
                    };
                    self.constraints.push(new);
                    self.graph.attach(from, constraint);
                }
            }
            let all = self.graph.targets(from).clone();
            self.tell_within(from, constraint, &all, depth + 1);
        }
        let mut end = |id: u32| self.constraints[id as usize].end().copied();
        if let (Some(own), Some(between)) = (end(id), end(constraint)) {
            self.lead(constraint, between, own);
        }
    }

    /// Whether a constraint comes to rely on a node when it relies on this one; also when that is not found out soon.
    fn leads_back(&self, supplier: Supplier, node: NodeId) -> bool {
        let mut open = vec![supplier];
        let mut asked = 0;
        while let Some(one) = open.pop() {
            asked += 1;
            let at = self.graph.find(one.node);
            if at == node || at == UNSEEN || asked > ASKED {
                return true;
            }
            let mut constraint = one.constraint;
            while let Some(instead) = self.instead.get(&constraint) {
                constraint = *instead;
            }
            open.extend(self.suppliers.get(&constraint).into_iter().flatten());
        }
        false
    }
}
