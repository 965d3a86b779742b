//! From steps to nodes, edges and constraints.

use super::constrain::Constraint;
use super::derive::Derived;
use super::graph::NodeId;
use super::instance::ValueNode;
use super::solver::Solver;
use super::{Scope, graph};
use crate::analysis::memory::{LayoutId, Layouts, LeafKind, ObjectKind};
use crate::dataflow::steps::{
    Base, Combination, Location, Routine, Step, StepKind, TextPlace, TypeRef, ValueId,
};

/// Where a place is.
pub enum Placed {
    /// In nodes, by leaf, and the target of the first leaf.
    Here(Vec<NodeId>, u32),
    /// Where a node points to: leaves of a type.
    Behind {
        node: NodeId,
        used: LayoutId,
        first: u32,
        count: u32,
    },
    /// Nowhere: the pointer is a constant.
    Nowhere,
}

impl<'a> Solver<'a> {
    /// A place in the text of an instance.
    pub fn at(&self, instance: usize, span: crate::source::Span) -> TextPlace {
        let unit = match self.instances[instance].scope {
            Scope::Routine(id) => self.steps.routines[id.0 as usize].function.unit,
            Scope::Initial(unit) => unit,
        };
        TextPlace { unit, span }
    }

    /// Looks at a step, but for lists of others.
    pub fn step(&mut self, instance: usize, routine: &'a Routine, step: &'a Step) {
        match &step.kind {
            StepKind::Read { place, into } => {
                let placed = self.place(instance, place);
                if !self.carries(routine.values[into.0 as usize].ty) {
                    self.use_only(&placed);
                    self.set_none(instance, *into);
                    return;
                }
                let nodes = self.nodes(&placed);
                match nodes[..] {
                    [] => self.set_none(instance, *into),
                    [node] => self.set(instance, *into, node),
                    _ => {
                        let all = self.graph.node();
                        for node in nodes {
                            self.graph.edge(node, all);
                        }
                        self.set(instance, *into, all);
                    }
                }
            }
            StepKind::Write { place, value, .. } => {
                let Some(value) = value.and_then(|value| self.value(instance, value)) else {
                    return;
                };
                let placed = self.place(instance, place);
                self.store(&placed, value);
            }
            StepKind::Copy { from, to, .. } => self.copy(instance, from, to),
            StepKind::Address { place, into } => {
                let node = self.address_of(instance, place, step.span);
                match node {
                    Some(node) => self.set(instance, *into, node),
                    None => self.set_none(instance, *into),
                }
            }
            StepKind::Combine { from, into, how } => {
                self.combine(instance, routine, from, *into, *how, step.span);
            }
            StepKind::Call(call) => self.call(instance, call, step.span),
            StepKind::Return { value, aggregate } => {
                if let Some(value) = value.and_then(|value| self.value(instance, value)) {
                    let node = self.returned_node(instance, 0);
                    self.graph.edge(value, node);
                }
                if let Some(place) = aggregate {
                    let nodes = self.leaves(instance, place);
                    for (leaf, node) in nodes.into_iter().enumerate() {
                        let returned = self.returned_node(instance, leaf as u32);
                        self.graph.edge(node, returned);
                    }
                }
            }
            StepKind::Assembly {
                keeps_pointers: true,
                ..
            } => {}
            StepKind::Assembly { named, .. } => {
                for place in named {
                    self.assembly(instance, place, step.span);
                }
            }
            StepKind::Begin(_)
            | StepKind::Directive(_)
            | StepKind::Choose(_)
            | StepKind::Repeat(_) => {}
        }
    }

    /// The node of a value; `None` when it is no pointer.
    pub fn value(&mut self, instance: usize, value: ValueId) -> Option<NodeId> {
        let here = self.instances[instance].values[value.0 as usize];
        match here {
            ValueNode::Node(node) => Some(node),
            ValueNode::None => None,
            ValueNode::Unset => {
                let scope = self.instances[instance].scope;
                let known = &self.steps_of(scope).values[value.0 as usize];
                if known.constant.is_some() || !self.carries(known.ty) {
                    self.instances[instance].values[value.0 as usize] = ValueNode::None;
                    return None;
                }
                let node = self.graph.node();
                self.instances[instance].values[value.0 as usize] = ValueNode::Node(node);
                Some(node)
            }
        }
    }

    /// A value is what a node says.
    pub fn set(&mut self, instance: usize, value: ValueId, node: NodeId) {
        let scope = self.instances[instance].scope;
        let ty = self.steps_of(scope).values[value.0 as usize].ty;
        let known = self.instances[instance].values[value.0 as usize];
        match known {
            _ if !self.carries(ty) => self.set_none(instance, value),
            ValueNode::Node(other) => self.graph.edge(node, other),
            ValueNode::Unset | ValueNode::None => {
                self.instances[instance].values[value.0 as usize] = ValueNode::Node(node);
            }
        }
    }

    /// A value is no pointer, as far as is known.
    pub fn set_none(&mut self, instance: usize, value: ValueId) {
        let here = &mut self.instances[instance].values[value.0 as usize];
        if *here == ValueNode::Unset {
            *here = ValueNode::None;
        }
    }

    /// Finds a place.
    pub fn place(&mut self, instance: usize, place: &Location) -> Placed {
        match &place.base {
            Base::Variable(variable) => {
                let object = self.object(ObjectKind::Variable(*variable));
                let layout = self.objects[object as usize].layout;
                let named = self.layouts.named(layout, &place.path);
                let count = named
                    .count
                    .min(self.layouts.get(layout).leaves.len() as u32);
                let nodes = (named.first..named.first + count)
                    .map(|leaf| self.variable_node(instance, *variable, leaf))
                    .collect();
                Placed::Here(nodes, self.target_of(object, named.first))
            }
            Base::Pointer(value, ty) => {
                let Some(mut node) = self.value(instance, *value) else {
                    return Placed::Nowhere;
                };
                let used = self.layout(*ty);
                let named = self.layouts.named(used, &place.path);
                if named.is_step {
                    let at = self.at(instance, crate::source::Span::new(0, 0));
                    node = self.stepped(node, used, None, at);
                }
                Placed::Behind {
                    node,
                    used,
                    first: named.first,
                    count: named.count,
                }
            }
            Base::Function(target) => {
                let target = self.target(ObjectKind::Function(target.clone()));
                Placed::Here(Vec::new(), target)
            }
            Base::Text(text) => {
                let target = self.target(ObjectKind::Text(*text));
                let node = self.target_node[target as usize];
                Placed::Here(vec![node], target)
            }
        }
    }

    /// Nodes of what is stored in a place.
    pub fn nodes(&mut self, placed: &Placed) -> Vec<NodeId> {
        match placed {
            Placed::Here(nodes, _) => nodes.clone(),
            Placed::Behind {
                node,
                used,
                first,
                count,
            } => (*first..first + count)
                .map(|leaf| self.loaded(*node, *used, leaf))
                .collect(),
            Placed::Nowhere => Vec::new(),
        }
    }

    /// What is stored in a place is no pointer, but it shows which type is there.
    fn use_only(&mut self, placed: &Placed) {
        if let Placed::Behind { node, used, .. } = placed {
            self.used_as(*node, *used);
        }
    }

    /// The same, by leaf; used for what is a struct or union as a whole.
    pub fn leaves(&mut self, instance: usize, place: &Location) -> Vec<NodeId> {
        let placed = self.place(instance, place);
        self.nodes(&placed)
    }

    /// A value is stored in all of a place.
    pub fn store(&mut self, placed: &Placed, value: NodeId) {
        match placed {
            Placed::Here(nodes, _) => {
                for node in nodes {
                    self.graph.edge(value, *node);
                }
            }
            Placed::Behind {
                node,
                used,
                first,
                count,
            } => {
                for leaf in *first..first + count {
                    self.store_leaf(*node, *used, leaf, value);
                }
            }
            Placed::Nowhere => {}
        }
    }

    /// A value is stored through a pointer.
    pub fn store_leaf(&mut self, node: NodeId, used: LayoutId, leaf: u32, value: NodeId) {
        if self.stored.insert((node, used, leaf, value)) {
            let store = Constraint::Store {
                used,
                leaf,
                from: value,
            };
            self.constrain(node, store);
        }
    }

    fn copy(&mut self, instance: usize, from: &Location, to: &Location) {
        let source = self.place(instance, from);
        let target = self.place(instance, to);
        let values = self.nodes(&source);
        match target {
            Placed::Here(nodes, _) => {
                for (value, node) in values.iter().zip(&nodes) {
                    self.graph.edge(*value, *node);
                }
            }
            Placed::Behind {
                node,
                used,
                first,
                count,
            } => {
                for (leaf, value) in (first..first + count).zip(values) {
                    self.store_leaf(node, used, leaf, value);
                }
            }
            Placed::Nowhere => {}
        }
    }

    /// The address of a place as a node.
    pub fn address_of(
        &mut self,
        instance: usize,
        place: &Location,
        span: crate::source::Span,
    ) -> Option<NodeId> {
        match self.place(instance, place) {
            Placed::Here(_, target) => Some(self.constant(target)),
            Placed::Behind {
                node, used, first, ..
            } => {
                let key = (node, Derived::Address(used, first));
                if let Some(known) = self.derived.get(&key) {
                    return Some(*known);
                }
                let into = self.graph.node();
                self.derived.insert(key, into);
                let at = self.at(instance, span);
                let address = Constraint::Address {
                    used,
                    leaf: first,
                    into,
                    at,
                };
                self.constrain(node, address);
                Some(into)
            }
            Placed::Nowhere => None,
        }
    }

    fn combine(
        &mut self,
        instance: usize,
        routine: &Routine,
        from: &[ValueId],
        into: ValueId,
        how: Combination,
        span: crate::source::Span,
    ) {
        let ty = |value: ValueId| routine.values[value.0 as usize].ty;
        let mut nodes = Vec::new();
        match how {
            Combination::Cast | Combination::Choice => {
                for value in from {
                    // Half a pointer is none.
                    let is_cut = self.carries_all(ty(*value)) && !self.carries_all(ty(into));
                    if !is_cut && let Some(node) = self.value(instance, *value) {
                        nodes.push(node);
                    }
                }
            }
            Combination::PointerStep | Combination::PointerBack => {
                let Some((pointer, rest)) = from.split_first() else {
                    return self.set_none(instance, into);
                };
                if let Some(node) = self.value(instance, *pointer) {
                    let count = rest
                        .first()
                        .and_then(|one| routine.values[one.0 as usize].constant);
                    let used = self.pointee(ty(*pointer)).unwrap_or(Layouts::OPAQUE);
                    let at = self.at(instance, span);
                    nodes.push(self.stepped(node, used, count, at));
                }
            }
            Combination::Arithmetic | Combination::Scramble => {
                let is_pointer = |value: &ValueId| self.is_pointer(ty(*value));
                // What C does with pointers apart from steps compares or subtracts them.
                let is_number = from.iter().any(is_pointer) && !self.is_pointer(ty(into));
                if self.carries_all(ty(into)) && !is_number {
                    let at = self.at(instance, span);
                    let small = from.iter().find_map(|value| {
                        let constant = routine.values[value.0 as usize].constant;
                        constant.filter(|constant| (-16..=16).contains(constant))
                    });
                    for value in from {
                        if let Some(node) = self.value(instance, *value) {
                            nodes.push(match small {
                                Some(count) => self.tagged(node, count),
                                None => self.spread(node, at),
                            });
                        }
                    }
                }
            }
        }
        match nodes[..] {
            [] => self.set_none(instance, into),
            [node] => self.set(instance, into, node),
            _ => {
                let all = self.graph.node();
                for node in nodes {
                    self.graph.edge(node, all);
                }
                self.set(instance, into, all);
            }
        }
    }

    fn is_pointer(&self, ty: TypeRef) -> bool {
        use crate::program::TypeKind;
        let unit = &self.program.units[ty.unit];
        matches!(
            unit.kind(ty.id),
            TypeKind::Pointer(_) | TypeKind::Array { .. } | TypeKind::Function { .. }
        )
    }

    /// Assembly may do what it likes with what it names, and with what that leads to. It does not hide pointers in integers.
    fn assembly(&mut self, instance: usize, place: &Location, span: crate::source::Span) {
        let placed = self.place(instance, place);
        let layout = match (&place.base, &placed) {
            (Base::Variable(variable), _) => {
                let object = self.object(ObjectKind::Variable(*variable));
                let layout = self.objects[object as usize].layout;
                Some((layout, self.layouts.named(layout, &place.path).first))
            }
            (_, Placed::Behind { used, first, .. }) => Some((*used, *first)),
            _ => None,
        };
        for (number, node) in self.nodes(&placed).into_iter().enumerate() {
            let leaf = layout.and_then(|(layout, first)| {
                let leaves = &self.layouts.get(layout).leaves;
                leaves.get(first as usize + number)
            });
            if leaf.is_some_and(|leaf| leaf.kind == LeafKind::Integer) {
                continue;
            }
            self.graph.edge(node, graph::UNSEEN);
            self.graph.insert(node, graph::UNSEEN);
        }
        if let Some(node) = self.address_of(instance, place, span) {
            self.graph.edge(node, graph::UNSEEN);
        }
    }
}
