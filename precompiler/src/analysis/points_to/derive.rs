//! Nodes that follow from others: what is read through a pointer, where it is after a step. Each is made once, so that
//! the same expression in many places is one node.

use super::constrain::Constraint;
use super::graph::NodeId;
use super::solver::Solver;
use crate::analysis::memory::LayoutId;
use crate::dataflow::steps::TextPlace;

/// What has a node already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Derived {
    Load(LayoutId, u32),
    Address(LayoutId, u32),
    Step(LayoutId, Option<i128>),
    Tag(i128),
    Spread,
    LoadAll,
    Everything,
    Used(LayoutId),
}

impl Solver<'_> {
    /// What is read through a pointer.
    pub fn loaded(&mut self, node: NodeId, used: LayoutId, leaf: u32) -> NodeId {
        let key = (node, Derived::Load(used, leaf));
        if let Some(known) = self.derived.get(&key) {
            return *known;
        }
        let into = self.graph.node();
        self.derived.insert(key, into);
        self.constrain(node, Constraint::Load { used, leaf, into });
        into
    }

    /// Memory behind a pointer is used under a type.
    pub fn used_as(&mut self, node: NodeId, used: LayoutId) {
        if self
            .derived
            .insert((node, Derived::Used(used)), node)
            .is_none()
        {
            self.constrain(node, Constraint::Use { used });
        }
    }

    pub fn stepped(
        &mut self,
        node: NodeId,
        used: LayoutId,
        count: Option<i128>,
        at: TextPlace,
    ) -> NodeId {
        let key = (node, Derived::Step(used, count));
        if let Some(known) = self.derived.get(&key) {
            return *known;
        }
        let into = self.graph.node();
        self.derived.insert(key, into);
        let step = Constraint::Step {
            used,
            count,
            into,
            at,
        };
        self.constrain(node, step);
        into
    }

    /// A tag is put into the lowest bits, or taken out, or a few bytes are added.
    pub fn tagged(&mut self, node: NodeId, count: i128) -> NodeId {
        let key = (node, Derived::Tag(count));
        if let Some(known) = self.derived.get(&key) {
            return *known;
        }
        let into = self.graph.node();
        self.derived.insert(key, into);
        self.constrain(node, Constraint::Tag { count, into });
        into
    }

    /// Anywhere in what a node points to.
    pub fn spread(&mut self, node: NodeId, at: TextPlace) -> NodeId {
        let key = (node, Derived::Spread);
        if let Some(known) = self.derived.get(&key) {
            return *known;
        }
        let into = self.graph.node();
        self.derived.insert(key, into);
        self.constrain(node, Constraint::Spread { into, at });
        into
    }

    /// All that is stored in what a node points to.
    pub fn loaded_all(&mut self, node: NodeId) -> NodeId {
        let key = (node, Derived::LoadAll);
        if let Some(known) = self.derived.get(&key) {
            return *known;
        }
        let into = self.graph.node();
        self.derived.insert(key, into);
        self.constrain(node, Constraint::LoadAll { into });
        into
    }

    /// All that can be reached from a node, itself included.
    pub fn everything(&mut self, node: NodeId) -> NodeId {
        let key = (node, Derived::Everything);
        if let Some(known) = self.derived.get(&key) {
            return *known;
        }
        let into = self.graph.node();
        self.derived.insert(key, into);
        self.graph.edge(node, into);
        self.constrain(into, Constraint::LoadAll { into });
        into
    }

    /// A node that holds one target only.
    pub fn constant(&mut self, target: u32) -> NodeId {
        if let Some(node) = self.constants.get(&target) {
            return *node;
        }
        let node = self.graph.node();
        self.graph.insert(node, target);
        self.constants.insert(target, node);
        node
    }
}
