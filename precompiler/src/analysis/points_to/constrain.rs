//! Constraints that depend on what a pointer points to.
//!
//! Each is attached to the node of a pointer and is told every target once (or more often): a read adds an edge from
//! what is stored there, a write one to it, an address of a member puts the member in, a call links the function.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::graph::{NodeId, UNSEEN};
use super::set::Set;
use super::solver::Solver;
use crate::analysis::memory::{Collapse, LayoutId, ObjectKind, Shape};
use crate::dataflow::steps::TextPlace;

/// What happens with the targets of a node.
#[derive(Clone, Debug)]
pub enum Constraint {
    /// A leaf of a type is read there.
    Load {
        used: LayoutId,
        leaf: u32,
        into: NodeId,
    },
    /// It is used under a type, with nothing in it that is a pointer.
    Use { used: LayoutId },
    /// A leaf of a type is stored to.
    Store {
        used: LayoutId,
        leaf: u32,
        from: NodeId,
    },
    /// The address of a leaf of a type is taken.
    Address {
        used: LayoutId,
        leaf: u32,
        into: NodeId,
        at: TextPlace,
    },
    /// So many elements are added or taken away.
    Step {
        used: LayoutId,
        count: Option<i128>,
        into: NodeId,
        at: TextPlace,
    },
    /// So many bytes may be added, or a tag in the lowest bits.
    Tag { count: i128, into: NodeId },
    /// Anywhere in the object.
    Spread { into: NodeId, at: TextPlace },
    /// All of the object is read.
    LoadAll { into: NodeId },
    /// All of the object is stored to.
    StoreAll { from: NodeId },
    /// It is called: number of the site.
    Call(u32),
    /// Memory is copied from there, or to there.
    Copy(u32),
}

impl Constraint {
    /// The node into which targets are put.
    fn fills(&self) -> Option<NodeId> {
        match self {
            Constraint::Address { into, .. }
            | Constraint::Step { into, .. }
            | Constraint::Tag { into, .. }
            | Constraint::Spread { into, .. } => Some(*into),
            _ => None,
        }
    }
}

/// Memory that is copied without a type: `memcpy`.
#[derive(Clone, Debug)]
pub struct BlockCopy {
    pub from: NodeId,
    pub to: NodeId,
    /// The call.
    pub at: TextPlace,
    /// How much there and how much here, where that is known.
    pub amounts: [Option<Moved>; 2],
    /// Once there are too many pairs: all that is copied, and the targets on each side that lead there.
    pub hub: Option<(NodeId, [Set; 2])>,
    pub done: rustc_hash::FxHashSet<(u32, u32)>,
}

/// How much is copied from somewhere or to somewhere.
#[derive(Clone, Copy, Debug)]
pub enum Moved {
    /// So many bits, the same in every run; whether the pointer surely leads to a thing of at least so many.
    Bits { bits: u64, is_whole: bool },
    /// As many elements as the run has counted.
    Counted,
}

/// Leaves that an access touches: one as a rule.
#[derive(Clone, Debug)]
pub enum Leaves {
    One(u32),
    Some(Rc<[u32]>),
}

impl Leaves {
    fn all(&self) -> &[u32] {
        match self {
            Leaves::One(leaf) => std::slice::from_ref(leaf),
            Leaves::Some(leaves) => leaves,
        }
    }
}

/// So many pairs of source and destination are told apart.
const PAIRS: usize = 2000;

impl Solver<'_> {
    /// Attaches a constraint to a node.
    pub fn constrain(&mut self, node: NodeId, constraint: Constraint) {
        let id = self.constraints.len() as u32;
        self.constraints.push(constraint);
        self.graph.watch(node, id);
    }

    /// A constraint is told of new targets.
    pub fn apply(&mut self, id: u32, new: &Set) {
        let constraint = self.constraints[id as usize].clone();
        if let Constraint::Copy(copy) = constraint {
            self.copy_block(copy, new);
            return;
        }
        let mut found = Vec::new();
        for target in new.iter() {
            if target == UNSEEN {
                self.apply_unseen(&constraint);
            } else {
                self.apply_one(&constraint, target, &mut found);
            }
        }
        if let Some(into) = constraint.fills()
            && !found.is_empty()
        {
            found.sort_unstable();
            self.graph.insert_all(into, &found.into_iter().collect());
        }
    }

    fn apply_unseen(&mut self, constraint: &Constraint) {
        match *constraint {
            Constraint::Load { into, .. } | Constraint::LoadAll { into } => {
                self.graph.edge(UNSEEN, into);
            }
            Constraint::Store { from, .. } | Constraint::StoreAll { from } => {
                self.graph.edge(from, UNSEEN);
            }
            Constraint::Address { into, .. }
            | Constraint::Step { into, .. }
            | Constraint::Tag { into, .. }
            | Constraint::Spread { into, .. } => self.graph.insert(into, UNSEEN),
            Constraint::Call(site) => self.link_unseen(site, None),
            Constraint::Copy(_) | Constraint::Use { .. } => {}
        }
    }

    /// `found`: gets what is to be put into the node that the constraint leads to.
    fn apply_one(&mut self, constraint: &Constraint, target: u32, found: &mut Vec<u32>) {
        let (object, from) = self.locate(target);
        if let ObjectKind::Function(function) = &self.objects[object as usize].kind {
            let function = function.clone();
            match *constraint {
                Constraint::Call(site) => self.link(site, &function),
                Constraint::Address { .. }
                | Constraint::Step { .. }
                | Constraint::Tag { .. }
                | Constraint::Spread { .. } => found.push(target),
                _ => {}
            }
            return;
        }
        match *constraint {
            Constraint::Load { used, leaf, into } => {
                for there in self.hit(object, from, used, leaf).all() {
                    let node = self.node_of(object, *there);
                    self.graph.edge(node, into);
                }
            }
            Constraint::Use { used } => {
                if self.objects[object as usize].is_untyped {
                    self.want(object, used);
                }
            }
            Constraint::Store {
                used,
                leaf,
                from: value,
            } => {
                for there in self.hit(object, from, used, leaf).all() {
                    let node = self.node_of(object, *there);
                    self.graph.edge(value, node);
                }
            }
            Constraint::Address { used, leaf, at, .. } => {
                self.address(object, from, (used, leaf), at, found)
            }
            Constraint::Step {
                used, count, at, ..
            } => {
                if self.is_one(object) {
                    found.push(target);
                    return;
                }
                let layout = self.objects[object as usize].layout;
                let layouts = &self.layouts;
                let known = self.stepped.entry((layout, from, used, count));
                let stepped =
                    known.or_insert_with(|| Rc::new(layouts.step(layout, from, used, count)));
                let stepped = stepped.clone();
                for leaf in &stepped.leaves {
                    let target = self.target_of(object, *leaf);
                    found.push(target);
                }
                if stepped.is_anywhere {
                    self.objects[object as usize].blurred.get_or_insert(at);
                }
            }
            Constraint::Tag { count, .. } => {
                found.push(target);
                if !self.is_one(object) {
                    let layout = self.objects[object as usize].layout;
                    for leaf in self.layouts.near(layout, from, count) {
                        let target = self.target_of(object, leaf);
                        found.push(target);
                    }
                }
            }
            Constraint::Spread { at, .. } => {
                for leaf in 0..self.leaf_count(object).max(1) {
                    let target = self.target_of(object, leaf);
                    found.push(target);
                }
                if !self.is_one(object) {
                    self.objects[object as usize].blurred.get_or_insert(at);
                }
            }
            Constraint::LoadAll { into } => {
                for leaf in 0..self.leaf_count(object) {
                    let node = self.node_of(object, leaf);
                    self.graph.edge(node, into);
                }
            }
            Constraint::StoreAll { from } => {
                for leaf in 0..self.leaf_count(object) {
                    let node = self.node_of(object, leaf);
                    self.graph.edge(from, node);
                }
            }
            Constraint::Call(_) | Constraint::Copy(_) => {}
        }
    }

    /// All of it is one target for now.
    fn is_one(&self, object: u32) -> bool {
        let entry = &self.objects[object as usize];
        entry.is_untyped || entry.collapsed.is_some() || self.leaf_count(object) <= 1
    }

    /// The leaves that an access touches.
    fn hit(&mut self, object: u32, from: u32, used: LayoutId, leaf: u32) -> Leaves {
        if self.objects[object as usize].is_untyped && self.want(object, used) {
            // When it has its type, all this is seen again.
            return Leaves::Some(Rc::new([]));
        }
        if self.is_one(object) {
            return Leaves::One(0);
        }
        let layout = self.objects[object as usize].layout;
        let layouts = &self.layouts;
        let known = self.hits.entry((layout, from, used, leaf));
        let known = known.or_insert_with(|| {
            let leaves = layouts.overlay(layout, from, used, leaf).leaves;
            match leaves[..] {
                [leaf] => Leaves::One(leaf),
                _ => Leaves::Some(leaves.into()),
            }
        });
        known.clone()
    }

    fn address(
        &mut self,
        object: u32,
        from: u32,
        (used, leaf): (LayoutId, u32),
        at: TextPlace,
        found: &mut Vec<u32>,
    ) {
        if self.objects[object as usize].is_untyped && self.want(object, used) {
            return;
        }
        if self.is_one(object) {
            let target = self.target_of(object, 0);
            found.push(target);
            return;
        }
        let layout = self.objects[object as usize].layout;
        let hit = self.layouts.overlay(layout, from, used, leaf);
        if !hit.is_aligned && !hit.leaves.is_empty() {
            let used_as = self.spelling(used);
            self.collapse(object, Collapse { at, used_as });
        }
        for there in hit
            .leaves
            .iter()
            .take(if hit.is_aligned { 1 } else { usize::MAX })
        {
            let target = self.target_of(object, *there);
            found.push(target);
        }
    }

    /// A layout as the user would write its type.
    pub fn spelling(&self, layout: LayoutId) -> String {
        let ty = self.layouts.type_of(layout);
        ty.and_then(|ty| self.program.units[ty.unit].spell(ty.id, "").ok())
            .unwrap_or_else(|| "an unnamed type".to_string())
            .trim()
            .to_string()
    }

    /// Memory is copied from the targets of one node to those of another.
    pub fn block_copy(
        &mut self,
        at: TextPlace,
        (from, to): (NodeId, NodeId),
        amounts: [Option<Moved>; 2],
    ) {
        let id = self.copies.len() as u32;
        self.copies.push(BlockCopy {
            from,
            to,
            at,
            amounts,
            hub: None,
            done: rustc_hash::FxHashSet::default(),
        });
        self.constrain(from, Constraint::Copy(id));
        self.constrain(to, Constraint::Copy(id));
    }

    fn copy_block(&mut self, id: u32, new: &Set) {
        if self.copies[id as usize].hub.is_some() {
            return self.copy_by_hub(id, new);
        }
        let copy = &self.copies[id as usize];
        let (source, destination, amounts) = (copy.from, copy.to, copy.amounts);
        let from: Vec<u32> = self.graph.targets(source).iter().collect();
        let to: Vec<u32> = self.graph.targets(destination).iter().collect();
        if from.len().saturating_mul(to.len()) > PAIRS {
            let hub = self.graph.node();
            self.copies[id as usize].hub = Some((hub, [Set::default(), Set::default()]));
            return self.copy_by_hub(id, new);
        }
        for source in from {
            for destination in &to {
                let key = (self.known_as(source), self.known_as(*destination));
                if self.copies[id as usize].done.insert(key) {
                    self.copy_pair(source, *destination, amounts);
                }
            }
        }
    }

    /// What has not led to the hub of a copy yet does so from now on; so does what is shown again.
    fn copy_by_hub(&mut self, id: u32, new: &Set) {
        let copy = &mut self.copies[id as usize];
        let (ways, amounts) = ([copy.from, copy.to], copy.amounts);
        let Some((hub, led)) = &mut copy.hub else {
            return;
        };
        let hub = *hub;
        let [from, to] = [0, 1].map(|side| {
            let all = self.graph.targets(ways[side]);
            let mut left = all.without(&led[side]);
            left.unite(&all.common(new));
            led[side].unite(&left);
            left.iter().collect::<Vec<u32>>()
        });
        self.apply_hub(hub, &from, &to, amounts);
    }

    /// Changes when a block of the heap gets a type.
    fn known_as(&self, target: u32) -> u32 {
        let (object, leaf) = self.locate(target);
        self.target_of(object, leaf)
    }

    fn apply_hub(&mut self, hub: NodeId, from: &[u32], to: &[u32], amounts: [Option<Moved>; 2]) {
        let load = Constraint::LoadAll { into: hub };
        let store = Constraint::StoreAll { from: hub };
        for (side, targets, constraint) in [(0, from, load), (1, to, store)] {
            let amount = amounts[side];
            for target in targets {
                let target = *target;
                if target == UNSEEN {
                    self.apply_unseen(&constraint);
                    continue;
                }
                let (object, leaf) = self.locate(target);
                let Some(leaves) = self.behind(object, leaf, amount) else {
                    self.apply_one(&constraint, target, &mut Vec::new());
                    continue;
                };
                for leaf in leaves {
                    let node = self.node_of(object, leaf);
                    match side {
                        0 => self.graph.edge(node, hub),
                        _ => self.graph.edge(hub, node),
                    }
                }
            }
        }
    }

    /// The copies that end with an array in a struct because the run counts how much they copy: the object, and the last leaf of the array.
    pub fn copies_within(&self) -> BTreeSet<(TextPlace, u32, u32)> {
        let mut found = BTreeSet::new();
        for copy in &self.copies {
            for (way, amount) in [copy.from, copy.to].into_iter().zip(copy.amounts) {
                let counted = amount.filter(|one| matches!(one, Moved::Counted));
                let targets = self.graph.targets(way).iter();
                for target in targets.filter(|one| counted.is_some() && *one != UNSEEN) {
                    let (object, leaf) = self.locate(target);
                    let array = self.behind(object, leaf, counted);
                    let last = array.and_then(|leaves| leaves.last().copied());
                    found.extend(last.map(|last| (copy.at, object, last)));
                }
            }
        }
        found
    }

    /// The leaves of an object into which so much reaches; none: any.
    fn behind(&self, object: u32, leaf: u32, amount: Option<Moved>) -> Option<Vec<u32>> {
        if self.is_one(object) {
            return None;
        }
        let layout = self.objects[object as usize].layout;
        match amount? {
            Moved::Bits { bits, is_whole } => {
                Some(self.layouts.behind(layout, leaf, bits, is_whole))
            }
            Moved::Counted => Some(self.layouts.array_of(layout, leaf)?.collect()),
        }
    }

    fn copy_pair(&mut self, source: u32, destination: u32, amounts: [Option<Moved>; 2]) {
        if source == UNSEEN || destination == UNSEEN {
            self.copy_unseen(source, destination);
            return;
        }
        let (from_object, from) = self.locate(source);
        let (to_object, to) = self.locate(destination);
        if (from_object, from) == (to_object, to) {
            return;
        }
        let source_layout = self.objects[from_object as usize].layout;
        let target_layout = self.objects[to_object as usize].layout;
        let is_array = matches!(self.layouts.get(source_layout).shape, Shape::Array(..));
        if self.is_one(from_object) || self.is_one(to_object) || (is_array && from != 0) {
            let hub = self.graph.node();
            self.apply_hub(hub, &[source], &[destination], amounts);
            return;
        }
        // Elements of the same kind.
        let is_alike = from == to
            && self.layouts.element(source_layout) == self.layouts.element(target_layout);
        let leaves = self.layouts.get(source_layout).leaves.clone();
        let [there, here] = amounts;
        let copied = self.behind(from_object, from, there);
        let copied = copied.unwrap_or_else(|| (from..leaves.len() as u32).collect());
        let allowed = self.behind(to_object, to, here);
        let start = leaves[from as usize].offset;
        let begin = self.layouts.get(target_layout).leaves[to as usize].offset;
        for index in copied {
            let leaf = &leaves[index as usize];
            let touched = match (is_alike, leaf.offset.checked_sub(start)) {
                (true, _) => vec![index],
                (false, Some(far)) => {
                    let low = begin + far;
                    let high = match leaf.size {
                        Some(size) if !leaf.is_many => low.saturating_add(size),
                        _ => u64::MAX,
                    };
                    self.layouts.touched(target_layout, low, high)
                }
                // An element behind the one where it begins.
                (false, None) => self.layouts.touched(target_layout, begin, u64::MAX),
            };
            let is_allowed = |leaf: &u32| allowed.as_ref().is_none_or(|all| all.contains(leaf));
            for there in touched.into_iter().filter(is_allowed) {
                let a = self.node_of(from_object, index);
                let b = self.node_of(to_object, there);
                self.graph.edge(a, b);
            }
        }
    }

    /// Bytes of memory that we do not see are kept where pointers are kept only.
    fn copy_unseen(&mut self, source: u32, destination: u32) {
        if source != UNSEEN {
            let load = Constraint::LoadAll { into: UNSEEN };
            self.apply_one(&load, source, &mut Vec::new());
        } else if destination != UNSEEN {
            let (object, _) = self.locate(destination);
            let layout = self.objects[object as usize].layout;
            let leaves = self.layouts.get(layout).leaves.clone();
            for (index, leaf) in leaves.iter().enumerate() {
                if leaf.holds_pointers() && !self.objects[object as usize].is_untyped {
                    let node = self.node_of(object, index as u32);
                    self.graph.insert(node, UNSEEN);
                }
            }
        }
    }
}
