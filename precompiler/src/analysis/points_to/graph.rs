//! Inclusions between sets of targets, solved.
//!
//! In: nodes, edges (what is in one set is in another) and constraints that depend on what turns out to be in a set.
//! Out: the smallest sets. The one idea: waves. Nodes that include each other become one, what is new goes along the
//! edges in their order, then the constraints see what is new and add edges; until nothing is new.
//!
//! ```text
//! p = &x; q = p; *q = r;      x ∈ p,  p ⊆ q,  and when q has x:  r ⊆ content of x
//! ```
//!
//! Node 0 is the content of memory that we do not see. It swallows what is put in (the owner is told, so that it can
//! escape) and gives out one target, number 0: *anything that escaped*.
//!
//! Not here: what the constraints mean ([`constrain`](super::constrain)).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

use super::query::Room;
use super::set::Set;
use crate::dataflow::steps::TextPlace;
use crate::source::Span;

/// Number of a node.
pub type NodeId = u32;

/// The node of memory that we do not see, and the target that means anything there.
pub const UNSEEN: u32 = 0;

/// For what stands nowhere in the text.
pub const NOWHERE: TextPlace = TextPlace {
    unit: 0,
    span: Span { start: 0, end: 0 },
};

/// So much longer than a step of the search for cycles takes an edge that is added or passed along.
const SEARCH: usize = 8;

#[derive(Debug, Default)]
pub(super) struct Node {
    /// Targets.
    all: Set,
    /// Those that have not gone along the edges.
    to_pass: Set,
    /// Those that the constraints have not seen.
    to_see: Set,
    /// What includes this node.
    pub(super) next: Vec<NodeId>,
    /// Constraints, by number.
    pub(super) constraints: Vec<u32>,
    /// Of the nodes that it includes, the one with the largest set; node 0: none with a large one.
    pub(super) supplier: NodeId,
}

impl Node {
    /// These are new. Edges and constraints that come later are told all at once.
    fn note(&mut self, fresh: &Set) {
        if !self.next.is_empty() {
            self.to_pass.unite(fresh);
        }
        if !self.constraints.is_empty() {
            self.to_see.unite(fresh);
        }
    }

    /// How much room its targets take.
    pub(super) fn words(&self) -> usize {
        self.all.words()
    }
}

/// What is left for the edges, or for the constraints, of two nodes that become one. Of each: what is left for its own, whether it has
/// any, and what only the other one had.
fn rest(both: [(Set, bool, &Set); 2]) -> Set {
    let mut left = Set::default();
    for (own, has_any, missing) in both {
        if has_any {
            left.unite(&own);
            left.unite(missing);
        }
    }
    left
}

/// Adds one list to another: the shorter one is moved, because in a long row of nodes that become one the long list may be on either side.
fn append(list: &mut Vec<u32>, mut other: Vec<u32>) {
    if other.len() > list.len() {
        std::mem::swap(list, &mut other);
    }
    list.extend(other);
}

/// Nodes and edges.
#[derive(Debug)]
pub struct Graph {
    pub(super) nodes: Vec<Node>,
    parent: Vec<NodeId>,
    edges: FxHashSet<(NodeId, NodeId)>,
    /// Nodes with something to pass or to see, each once.
    open: Vec<NodeId>,
    is_open: Vec<bool>,
    /// Where nodes stand in the order of edges that was found the last time.
    pub(super) rank: Vec<u32>,
    /// Edges that have been added since, and what has been done.
    pub(super) fresh: usize,
    pub(super) work: usize,
    /// What was put into node 0 and has not been fetched.
    swallowed: Set,
    ever_swallowed: Set,
    is_new: bool,
    /// Nodes that others have become part of, since this was asked for the last time.
    grown: Vec<NodeId>,
    /// Constraints of nodes that have become part of node 0, and what they had not seen.
    late: Vec<(Vec<u32>, Set)>,
    /// Words of sets that have been stored.
    stored: usize,
    /// How many may be, and how many a set that others have targets from has at least.
    pub(super) room: Room,
}

impl Graph {
    /// With node 0 only.
    pub fn new(room: Room) -> Graph {
        let mut graph = Graph {
            nodes: Vec::new(),
            parent: Vec::new(),
            edges: FxHashSet::default(),
            open: Vec::new(),
            is_open: Vec::new(),
            rank: Vec::new(),
            fresh: 0,
            work: 0,
            swallowed: Set::default(),
            ever_swallowed: Set::default(),
            is_new: false,
            grown: Vec::new(),
            late: Vec::new(),
            stored: 0,
            room,
        };
        graph.node();
        graph.nodes[0].all.insert(UNSEEN);
        graph
    }

    /// A new node.
    pub fn node(&mut self) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node::default());
        self.parent.push(id);
        self.is_open.push(false);
        // What comes later is computed from what was there.
        self.rank.push(u32::MAX);
        id
    }

    /// The node has something to pass or to see.
    fn open(&mut self, node: NodeId) {
        if !std::mem::replace(&mut self.is_open[node as usize], true) {
            self.open.push(node);
        }
    }

    /// The node that a node has become part of.
    pub fn find(&self, mut node: NodeId) -> NodeId {
        while self.parent[node as usize] != node {
            node = self.parent[node as usize];
        }
        node
    }

    pub(super) fn find_short(&mut self, node: NodeId) -> NodeId {
        let root = self.find(node);
        let mut at = node;
        while at != root {
            at = std::mem::replace(&mut self.parent[at as usize], root);
        }
        root
    }

    /// What is in the set of a node.
    pub fn targets(&self, node: NodeId) -> &Set {
        &self.nodes[self.find(node) as usize].all
    }

    /// Puts a target in.
    pub fn insert(&mut self, node: NodeId, target: u32) {
        let node = self.find_short(node);
        if node == UNSEEN {
            self.swallow(&Set::from_iter([target]));
            return;
        }
        let one = &mut self.nodes[node as usize];
        if one.all.insert(target) {
            one.note(&Set::from_iter([target]));
            self.is_new = true;
            self.open(node);
        }
    }

    /// Puts targets in.
    pub fn insert_all(&mut self, node: NodeId, targets: &Set) {
        let node = self.find_short(node);
        self.put(node, targets);
    }

    fn swallow(&mut self, targets: &Set) {
        if self.ever_swallowed.absorb(targets, &mut self.swallowed) {
            self.is_new = true;
        }
    }

    /// What was put into node 0 since this was asked for the last time.
    pub fn take_swallowed(&mut self) -> Set {
        std::mem::take(&mut self.swallowed)
    }

    /// What is in `from` is in `to`.
    pub fn edge(&mut self, from: NodeId, to: NodeId) {
        let (from, to) = (self.find_short(from), self.find_short(to));
        self.work += 1;
        if from == to || !self.edges.insert((from, to)) {
            return;
        }
        self.fresh += 1;
        self.nodes[from as usize].next.push(to);
        let all = std::mem::take(&mut self.nodes[from as usize].all);
        self.put(to, &all);
        let words = all.words();
        self.nodes[from as usize].all = all;
        self.supply(from, to, words);
    }

    fn put(&mut self, to: NodeId, targets: &Set) {
        if targets.is_empty() {
            return;
        }
        if to == UNSEEN {
            self.swallow(targets);
            return;
        }
        let node = &mut self.nodes[to as usize];
        let fresh = targets.without(&node.all);
        if !fresh.is_empty() {
            let before = node.all.words();
            node.all.unite(&fresh);
            self.stored += node.all.words() - before;
            node.note(&fresh);
            self.is_new = true;
            self.open(to);
        }
    }

    /// The sets have become too large to go on: whatever points somewhere points to anything that escaped, and everything
    /// has escaped.
    pub fn give_up(&mut self) {
        for node in 0..self.nodes.len() as NodeId {
            if !self.targets(node).is_empty() {
                self.unify(UNSEEN, node);
            }
        }
        self.stored = 0;
    }

    /// The sets have become too large.
    pub fn is_too_large(&self) -> bool {
        self.stored > self.room.words
    }

    /// The constraint will be told what is in the set of the node.
    pub fn watch(&mut self, node: NodeId, constraint: u32) {
        let node = self.find_short(node) as usize;
        let first = self.nodes[node].constraints.is_empty();
        self.nodes[node].constraints.push(constraint);
        if first {
            self.nodes[node].to_see = self.nodes[node].all.clone();
        } else {
            // The others see some of it twice, which does no harm.
            let all = self.nodes[node].all.clone();
            self.nodes[node].to_see.unite(&all);
        }
        if !self.nodes[node].all.is_empty() {
            self.is_new = true;
            self.open(node as NodeId);
        }
    }

    /// The constraints of every node that has one of these targets see it anew.
    pub fn show_again(&mut self, targets: &Set) {
        for index in 0..self.nodes.len() {
            let node = &mut self.nodes[index];
            if node.constraints.is_empty() {
                continue;
            }
            let again = targets.common(&node.all);
            if !again.is_empty() {
                node.to_see.unite(&again);
                self.is_new = true;
                self.open(index as NodeId);
            }
        }
    }

    /// The two include each other from now on.
    pub fn unify(&mut self, a: NodeId, b: NodeId) {
        let (a, b) = (self.find_short(a), self.find_short(b));
        if a == b {
            return;
        }
        // Node 0 stays what it is.
        let (keep, gone) = if b == UNSEEN || (a != UNSEEN && b < a) {
            (b, a)
        } else {
            (a, b)
        };
        self.parent[gone as usize] = keep;
        let old = std::mem::take(&mut self.nodes[gone as usize]);
        self.is_new = true;
        self.open(keep);
        if keep == UNSEEN {
            self.swallow(&old.all);
            let has_constraints = !old.constraints.is_empty();
            if has_constraints && !old.to_see.is_empty() {
                self.late.push((old.constraints.clone(), old.to_see));
            }
            let node = &mut self.nodes[UNSEEN as usize];
            node.next.extend(old.next);
            node.constraints.extend(old.constraints);
            if has_constraints {
                node.to_see.insert(UNSEEN);
            }
            node.to_pass.clone_from(&node.all);
            return;
        }
        let node = &mut self.nodes[keep as usize];
        let before = node.all.words() + old.all.words();
        // In a cycle both have the same as a rule.
        let (here, there) = match node.all == old.all {
            true => (Set::default(), Set::default()),
            false => (old.all.without(&node.all), node.all.without(&old.all)),
        };
        node.all.unite(&here);
        node.to_pass = rest([
            (
                std::mem::take(&mut node.to_pass),
                !node.next.is_empty(),
                &here,
            ),
            (old.to_pass, !old.next.is_empty(), &there),
        ]);
        node.to_see = rest([
            (
                std::mem::take(&mut node.to_see),
                !node.constraints.is_empty(),
                &here,
            ),
            (old.to_see, !old.constraints.is_empty(), &there),
        ]);
        self.stored = (self.stored + node.all.words()).saturating_sub(before);
        append(&mut node.next, old.next);
        if !node.constraints.is_empty() && !old.constraints.is_empty() {
            self.grown.push(keep);
        }
        append(&mut node.constraints, old.constraints);
    }

    /// Nodes with constraints that have got those of others, since this was asked for the last time.
    pub fn take_grown(&mut self) -> Vec<NodeId> {
        let mut grown = std::mem::take(&mut self.grown);
        for node in &mut grown {
            *node = self.find_short(*node);
        }
        grown.sort_unstable();
        grown.dedup();
        grown
    }

    /// Constraints of nodes that have become part of node 0, and what they had not seen, since this was asked for the last
    /// time.
    pub fn take_late(&mut self) -> Vec<(Vec<u32>, Set)> {
        std::mem::take(&mut self.late)
    }

    /// The constraints of a node that is no part of another one.
    pub fn constraints(&mut self, node: NodeId) -> &mut Vec<u32> {
        &mut self.nodes[node as usize].constraints
    }

    /// Sends what is new along the edges. Then, for every node with constraints, what they have not seen.
    pub fn wave(&mut self) -> Vec<(NodeId, Set)> {
        // A search for cycles pays when much has been done since the last one.
        if self.fresh > 0 && self.work * SEARCH > self.edges.len() + self.nodes.len() {
            self.collapse_cycles();
        }
        let mut waiting: BinaryHeap<Reverse<(u32, NodeId)>> = BinaryHeap::new();
        let mut touched: Vec<NodeId> = Vec::new();
        self.wait(&mut waiting, &mut touched);
        while let Some(Reverse((_, node))) = waiting.pop() {
            // One wave alone can outgrow all memory; what it has not passed on yet waits for the next one.
            if self.is_too_large() {
                break;
            }
            self.pass(node);
            self.wait(&mut waiting, &mut touched);
        }
        self.is_new = false;
        touched.sort_unstable();
        touched.dedup();
        let mut seen = Vec::new();
        for index in touched {
            let node = &mut self.nodes[index as usize];
            let new = std::mem::take(&mut node.to_see);
            if !new.is_empty() && !node.constraints.is_empty() {
                seen.push((index, new));
            }
            if !node.to_pass.is_empty() {
                self.is_new = true;
                self.open(index);
            }
        }
        seen
    }

    /// Nodes that have become open wait for their turn.
    fn wait(
        &mut self,
        waiting: &mut BinaryHeap<Reverse<(u32, NodeId)>>,
        touched: &mut Vec<NodeId>,
    ) {
        while let Some(node) = self.open.pop() {
            self.is_open[node as usize] = false;
            let node = self.find_short(node);
            touched.push(node);
            if !self.nodes[node as usize].to_pass.is_empty() {
                waiting.push(Reverse((self.rank[node as usize], node)));
            }
        }
    }

    /// Sends what is new in a node along its edges.
    fn pass(&mut self, node: NodeId) {
        let new = std::mem::take(&mut self.nodes[node as usize].to_pass);
        if new.is_empty() {
            return;
        }
        let mut next = std::mem::take(&mut self.nodes[node as usize].next);
        for to in &mut next {
            *to = self.find_short(*to);
        }
        next.sort_unstable();
        next.dedup();
        next.retain(|to| *to != node);
        self.work += next.len() * (1 + new.words());
        let words = self.nodes[node as usize].all.words();
        for to in &next {
            self.put(*to, &new);
            self.supply(node, *to, words);
        }
        self.nodes[node as usize].next = next;
    }

    /// Something has been added since the last wave.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// How many constraints a node has, and which is one of them.
    pub fn constraint(&self, node: NodeId, index: usize) -> Option<u32> {
        self.nodes[node as usize].constraints.get(index).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_of_two_lists_stays_where_it_is() {
        for long_is_first in [true, false] {
            let mut long: Vec<u32> = Vec::with_capacity(100);
            long.extend(0..90);
            let place = long.as_ptr();
            let short = vec![91, 90];
            let (mut list, other) = match long_is_first {
                true => (long, short),
                false => (short, long),
            };
            append(&mut list, other);
            assert_eq!(list.as_ptr(), place);
            list.sort_unstable();
            assert_eq!(list, (0..92).collect::<Vec<u32>>());
        }
    }
}
