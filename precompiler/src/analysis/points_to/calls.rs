//! Calls: arguments go to parameters, what is returned comes back.

use super::Scope;
use super::constrain::Constraint;
use super::graph::{NodeId, UNSEEN};
use super::lent::addresses;
use super::misfits::Misfits;
use super::solver::Solver;
use crate::analysis::allocators::{VIEWS, is_view};
use crate::analysis::memory::ObjectKind;
use crate::analysis::unknown::{Use, declared_functions};
use crate::dataflow::steps::{
    Call, Called, FunctionTarget, RoutineId, TextPlace, TypeRef, ValueId, VariableId,
};
use crate::program::{IntegerKind, TypeKind};
use crate::source::Span;
use rustc_hash::FxHashSet;
use std::collections::{BTreeSet, HashMap};

/// A call, with nodes.
#[derive(Clone, Debug)]
pub struct Site {
    /// In which instance it stands; none for calls that a library makes.
    pub instance: Option<usize>,
    /// The function in which it, or the call of the library, stands; none when it may happen at any time.
    pub caller: Option<RoutineId>,
    pub at: TextPlace,
    /// Its result, which names it; none for calls that a library makes.
    pub call: Option<(Scope, ValueId)>,
    pub arguments: Vec<Given>,
    /// What comes back.
    pub result: NodeId,
    /// The struct that comes back.
    pub aggregate: Option<VariableId>,
    /// What comes back from functions of the program goes there, too: a library that remembers it.
    pub kept_in: Option<NodeId>,
    /// What it moves are numbers, and nothing else: datatypes of MPI say so.
    pub moves_numbers: bool,
}

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Caller {
    /// A function of the program.
    Routine(RoutineId),
    /// Code that we do not see.
    Unseen,
    /// A library, at any time.
    Library,
}

impl Caller {
    fn of(caller: Option<RoutineId>) -> Caller {
        caller.map_or(Caller::Library, Caller::Routine)
    }
}

/// An argument.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// By leaf: one for a scalar. Nothing for what is no pointer.
    pub nodes: Vec<NodeId>,
    /// Its type.
    pub ty: Option<TypeRef>,
    /// It is the address of this local, which nobody but the library function stores to.
    pub lent: Option<VariableId>,
}

impl<'a> Solver<'a> {
    /// A call in an instance.
    pub fn call(&mut self, instance: usize, call: &'a Call, span: Span) {
        let scope = self.instances[instance].scope;
        let mut arguments = Vec::new();
        let known = match self.filled(call).is_empty() {
            true => HashMap::new(),
            false => addresses(self.steps_of(scope)),
        };
        for argument in &call.arguments {
            let lent = self.lent(&known, argument);
            let given = match &argument.aggregate {
                Some(place) => Given {
                    nodes: self.leaves(instance, place),
                    ty: Some(place.ty),
                    lent,
                },
                None => Given {
                    nodes: self.value(instance, argument.value).into_iter().collect(),
                    ty: Some(self.steps_of(scope).values[argument.value.0 as usize].ty),
                    lent,
                },
            };
            arguments.push(given);
        }
        let at = self.at(instance, span);
        let result = self.graph.node();
        let id = self.sites.len() as u32;
        self.sites.push(Site {
            instance: Some(instance),
            caller: match scope {
                Scope::Routine(id) => Some(id),
                Scope::Initial(_) => None,
            },
            at,
            call: Some((scope, call.result)),
            arguments,
            result,
            aggregate: call.aggregate,
            kept_in: None,
            moves_numbers: self.moves_numbers(scope, call),
        });
        self.set(instance, call.result, result);
        match &call.callee {
            Called::Routine(routine) => {
                let callee = self.instance_for(instance, *routine, at);
                self.link_instance(id, callee, *routine);
            }
            Called::Named(name) if is_view(name, self.steps_of(scope), call) => {
                let target = self.target(ObjectKind::Library(format!("@{VIEWS}")));
                let view = self.constant(target);
                self.graph.edge(view, result);
            }
            Called::Named(name) => self.library(id, name),
            Called::Pointer(value) => {
                if let Some(node) = self.value(instance, *value) {
                    self.constrain(node, Constraint::Call(id));
                }
            }
        }
    }

    /// A call turns out to call a function.
    pub fn link(&mut self, site: u32, target: &FunctionTarget) {
        if !self.linked.insert((site, target.clone())) {
            return;
        }
        if let (FunctionTarget::Routine(routine), Some(call)) =
            (target, self.sites[site as usize].call)
            && !self.misfits.allow(call, *routine)
        {
            return;
        }
        match target {
            FunctionTarget::Routine(routine) => {
                let callee = self.base(*routine);
                self.link_instance(site, callee, *routine);
            }
            FunctionTarget::Named(name) => self.library(site, name),
        }
    }

    fn link_instance(&mut self, site: u32, callee: usize, routine: RoutineId) {
        let called = self.routine(routine);
        let one = self.sites[site as usize].clone();
        self.call_edges
            .insert((Caller::of(one.caller), Caller::Routine(routine)));
        self.calls_of
            .entry(routine)
            .or_default()
            .insert((one.caller, one.at));
        for (index, given) in one.arguments.iter().enumerate() {
            let (variable, is_rest) = match called.parameters.get(index) {
                Some(parameter) => (*parameter, false),
                None => match called.variable_arguments {
                    Some(rest) => (rest, true),
                    None => break,
                },
            };
            let object = self.object(ObjectKind::Variable(variable));
            let leaves = self.leaf_count(object).max(1);
            if given.nodes.len() as u32 == leaves && !is_rest && given.ty.is_some() {
                for (leaf, node) in given.nodes.iter().enumerate() {
                    let parameter = self.variable_node(callee, variable, leaf as u32);
                    self.graph.edge(*node, parameter);
                }
                continue;
            }
            let layout = self.objects[object as usize].layout;
            for leaf in 0..leaves {
                let there = self.layouts.get(layout).leaves.get(leaf as usize);
                // What a library hands over are pointers.
                if given.ty.is_none() && there.is_some_and(|leaf| !leaf.holds_pointers()) {
                    continue;
                }
                let parameter = self.variable_node(callee, variable, leaf);
                for node in &given.nodes {
                    self.graph.edge(*node, parameter);
                }
            }
        }
        let returned = self.returned_node(callee, 0);
        self.graph.edge(returned, one.result);
        if let Some(state) = one.kept_in {
            self.graph.edge(returned, state);
        }
        for (leaf, node) in self.result_nodes(&one).into_iter().enumerate() {
            let returned = self.returned_node(callee, leaf as u32);
            self.graph.edge(returned, node);
        }
    }

    /// The nodes of the struct that comes back.
    pub fn result_nodes(&mut self, site: &Site) -> Vec<NodeId> {
        let (Some(variable), Some(instance)) = (site.aggregate, site.instance) else {
            return Vec::new();
        };
        let object = self.object(ObjectKind::Variable(variable));
        (0..self.leaf_count(object))
            .map(|leaf| self.variable_node(instance, variable, leaf))
            .collect()
    }

    /// A call of a function that we do not see; its name, when it has one.
    pub fn link_unseen(&mut self, site: u32, name: Option<&str>) {
        let one = self.sites[site as usize].clone();
        self.call_edges
            .insert((Caller::of(one.caller), Caller::Unseen));
        for (index, given) in one.arguments.iter().enumerate() {
            let to = match self.takes(name, index, given) {
                Use::Reads | Use::Fills => self.handed_out,
                Use::Anything => UNSEEN,
            };
            for node in &given.nodes {
                self.graph.edge(*node, to);
            }
        }
        let results = std::iter::once(one.result).chain(self.result_nodes(&one));
        for node in results.collect::<Vec<_>>() {
            self.graph.insert(node, UNSEEN);
            self.graph.edge(self.handed_out, node);
        }
    }

    /// What an unknown function does with an argument.
    pub fn takes(&self, name: Option<&str>, index: usize, given: &Given) -> Use {
        let Some(declared) = name.and_then(|name| self.declared.get(name)) else {
            return Use::Anything;
        };
        let given = given.ty;
        declared.takes(index, given.map(|ty| (&self.program.units[ty.unit], ty.id)))
    }

    /// Code that we do not see may call a function.
    pub fn called_from_outside(&mut self, target: &FunctionTarget) {
        let FunctionTarget::Routine(routine) = target else {
            return;
        };
        let called = self.routine(*routine);
        let callee = self.base(*routine);
        self.call_edges
            .insert((Caller::Unseen, Caller::Routine(*routine)));
        for parameter in called.parameters.iter().chain(&called.variable_arguments) {
            let object = self.object(ObjectKind::Variable(*parameter));
            let layout = self.objects[object as usize].layout;
            let leaves = self.layouts.get(layout).leaves.clone();
            for (index, leaf) in leaves.iter().enumerate() {
                if leaf.holds_pointers() {
                    let node = self.variable_node(callee, *parameter, index as u32);
                    self.graph.insert(node, UNSEEN);
                    self.graph.edge(self.handed_out, node);
                }
            }
        }
        self.instances[callee].is_outside = true;
        for node in self.instances[callee].returned.clone() {
            self.graph.edge(node, UNSEEN);
        }
    }

    /// What there is before anything happens.
    pub fn prepare(&mut self) {
        let steps = self.steps;
        self.look_ahead();
        self.misfits = Misfits::of(self.program, self.steps);
        let unseen = self.unseen_functions();
        self.declared = declared_functions(self.program, &unseen);
        let is_of_library = |name: &String| {
            let known = self.declared.get(name);
            let unseen = self.catalogue.unseen(name);
            known.is_some_and(|one| one.is_of_library)
                || unseen.is_some_and(|one| one.program.is_none())
        };
        let knows_no_names = unseen.iter().all(is_of_library);
        self.is_open = self.main().is_none() || !knows_no_names;
        for index in 0..steps.variables.len() {
            self.object(ObjectKind::Variable(VariableId(index as u32)));
        }
        for unit in 0..steps.initial.len() {
            self.add_instance(Scope::Initial(unit), Vec::new());
        }
        for id in steps.routine_ids() {
            if !self.allocators[id.0 as usize] {
                self.base(id);
            }
        }
        for id in steps.routine_ids() {
            let at = self.routine(id).function;
            let function = self.program.units[at.unit].function(at.function);
            if function.name == "main" && !function.is_static {
                self.arguments_of_main(id);
            } else if self.is_open && !function.is_static {
                let target = FunctionTarget::Routine(id);
                let object = self.object(ObjectKind::Function(target));
                self.escape(object);
            }
        }
    }

    /// Functions that nobody has called so far.
    pub fn remaining(&mut self) {
        let known: FxHashSet<Scope> = self.instances.iter().map(|one| one.scope).collect();
        for id in self.steps.routine_ids() {
            if !known.contains(&Scope::Routine(id)) {
                self.base(id);
            }
        }
    }

    /// The words of the command line, and pointers to them: what copies a word copies no pointer.
    fn arguments_of_main(&mut self, main: RoutineId) {
        let words = self.target(ObjectKind::Library("@words".to_string()));
        let target = self.target(ObjectKind::Library("@arguments".to_string()));
        let node = self.target_node[target as usize];
        self.graph.insert(node, words);
        let instance = self.base(main);
        let routine = self.routine(main);
        for parameter in routine.parameters.iter().skip(1) {
            let node = self.variable_node(instance, *parameter, 0);
            self.graph.insert(node, target);
        }
    }

    /// Functions that are neither among the files nor described by the catalogue.
    fn unseen_functions(&self) -> BTreeSet<String> {
        let mut unseen = BTreeSet::new();
        for routine in self.steps.routines.iter().chain(&self.steps.initial) {
            routine.walk(&mut |step| {
                use crate::dataflow::steps::{Base, StepKind};
                match &step.kind {
                    StepKind::Call(call) => {
                        if let Called::Named(name) = &call.callee {
                            unseen.insert(name.clone());
                        }
                    }
                    StepKind::Address { place, .. } => {
                        if let Base::Function(FunctionTarget::Named(name)) = &place.base {
                            unseen.insert(name.clone());
                        }
                    }
                    _ => {}
                }
            });
        }
        unseen.retain(|name| !self.catalogue.contains(name));
        unseen
    }

    /// Whether a value of a type leads to memory that a pointer can be stored in.
    pub fn points_to_pointer(&mut self, ty: Option<TypeRef>) -> bool {
        let Some(ty) = ty else {
            return true;
        };
        let unit = &self.program.units[ty.unit];
        let Some(inner) = unit.pointee(ty.id) else {
            return true;
        };
        matches!(
            unit.kind(inner),
            TypeKind::Pointer(_) | TypeKind::Void | TypeKind::Unknown
        )
    }

    /// Whether a type is a pointer to numbers of more than a byte.
    pub fn points_to_number(&self, ty: Option<TypeRef>) -> bool {
        let Some(ty) = ty else { return false };
        let unit = &self.program.units[ty.unit];
        let inner = unit.pointee(ty.id).map(|inner| unit.kind(inner));
        inner.is_some_and(|inner| match inner {
            TypeKind::Float(_) => true,
            TypeKind::Integer(kind) => !matches!(
                kind,
                IntegerKind::Char | IntegerKind::SignedChar | IntegerKind::UnsignedChar
            ),
            _ => false,
        })
    }
}
