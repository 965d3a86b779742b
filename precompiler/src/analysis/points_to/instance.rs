//! Functions as they are called: once for all calls, or once per call when they allocate memory for their callers.
//!
//! `xmalloc`, `matrix(n, m)`: a function that hands out memory which it (or what it calls) has just allocated would make
//! one object of all that it ever hands out. So its steps are looked at anew for each call, with memory of its own, up to
//! a certain depth and amount: ways that end with the same calls are one.

use std::collections::HashMap;

use super::Scope;
use super::graph::NodeId;
use super::lent::addresses;
use super::solver::Solver;
use crate::analysis::memory::ObjectKind;
use crate::dataflow::steps::{
    Base, Called, Combination, Location, Routine, RoutineId, Step, StepKind, TextPlace, ValueId,
    VariableId,
};
use crate::program::Storage;

/// So many calls of allocating functions within each other are told apart: the innermost ones.
const DEPTH: usize = 3;
/// No larger function is looked at once per call.
const STEPS_OF_ALLOCATOR: usize = 200;
/// So many steps are looked at anew at most.
const STEPS_ANEW: usize = 200_000;

/// What stands for the node of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueNode {
    /// Nobody has mentioned it.
    Unset,
    /// It is no pointer.
    None,
    /// This one.
    Node(NodeId),
}

/// A function as it is called.
#[derive(Debug)]
pub struct Instance {
    pub scope: Scope,
    /// The calls that lead here, as far as they are told apart.
    pub through: Vec<TextPlace>,
    pub values: Vec<ValueNode>,
    /// Locals that only this instance knows.
    pub own: HashMap<VariableId, Vec<NodeId>>,
    /// What is returned, by leaf.
    pub returned: Vec<NodeId>,
    /// What is returned goes to code that we do not see.
    pub is_outside: bool,
}

impl<'a> Solver<'a> {
    /// The steps of an instance.
    pub fn steps_of(&self, scope: Scope) -> &'a Routine {
        scope.steps(self.steps)
    }

    /// A new instance, to be looked at.
    pub fn add_instance(&mut self, scope: Scope, through: Vec<TextPlace>) -> usize {
        let id = self.instances.len();
        let count = self.steps_of(scope).values.len();
        if through.is_empty() {
            self.base_instance.insert(scope, id);
        }
        self.instances.push(Instance {
            scope,
            through,
            values: vec![ValueNode::Unset; count],
            own: HashMap::new(),
            returned: Vec::new(),
            is_outside: false,
        });
        self.to_generate.push_back(id);
        id
    }

    /// The instance for all calls that are not told apart.
    pub fn base(&mut self, routine: RoutineId) -> usize {
        let scope = Scope::Routine(routine);
        match self.base_instance.get(&scope) {
            Some(id) => *id,
            None => self.add_instance(scope, Vec::new()),
        }
    }

    /// The instance for a call that stands in an instance.
    pub fn instance_for(&mut self, caller: usize, routine: RoutineId, call: TextPlace) -> usize {
        let count = self.steps_of(Scope::Routine(routine)).values.len();
        let through = &self.instances[caller].through;
        if !self.allocators[routine.0 as usize] || through.contains(&call) {
            return self.base(routine);
        }
        let outer = (through.len() + 1).saturating_sub(DEPTH);
        let through: Vec<TextPlace> = through.iter().skip(outer).copied().chain([call]).collect();
        let key = (routine, through);
        if let Some(known) = self.through_instance.get(&key) {
            return *known;
        }
        if self.anew + count > STEPS_ANEW {
            return self.base(routine);
        }
        self.anew += count;
        let id = self.add_instance(Scope::Routine(routine), key.1.clone());
        self.through_instance.insert(key, id);
        id
    }

    /// The node of a leaf of a variable, as an instance sees it.
    pub fn variable_node(&mut self, instance: usize, variable: VariableId, leaf: u32) -> NodeId {
        let one = &self.steps.variables[variable.0 as usize];
        let here = &self.instances[instance];
        let is_own = !here.through.is_empty()
            && one.owner.map(Scope::Routine) == Some(here.scope)
            && matches!(one.storage, Storage::Automatic | Storage::Register)
            && (!self.is_exposed[variable.0 as usize] || self.is_lent[variable.0 as usize]);
        let object = self.object(ObjectKind::Variable(variable));
        if !is_own {
            return self.node_of(object, leaf);
        }
        if !self.instances[instance].own.contains_key(&variable) {
            let count = self.leaf_count(object).max(1);
            let nodes = (0..count).map(|_| self.graph.node()).collect();
            self.instances[instance].own.insert(variable, nodes);
        }
        let nodes = &self.instances[instance].own[&variable];
        nodes[(leaf as usize).min(nodes.len() - 1)]
    }

    /// The node of what an instance returns in a leaf.
    pub fn returned_node(&mut self, instance: usize, leaf: u32) -> NodeId {
        while self.instances[instance].returned.len() <= leaf as usize {
            let node = self.graph.node();
            self.instances[instance].returned.push(node);
            if self.instances[instance].is_outside {
                self.graph.edge(node, super::graph::UNSEEN);
            }
        }
        self.instances[instance].returned[leaf as usize]
    }

    /// Finds out which functions hand out memory that they allocate, and whose address is taken.
    pub fn look_ahead(&mut self) {
        self.is_exposed = vec![false; self.steps.variables.len()];
        for routine in self.steps.routines.iter().chain(&self.steps.initial) {
            routine.walk(&mut |step| {
                let place = match &step.kind {
                    StepKind::Address { place, .. } => Some(place),
                    _ => None,
                };
                let named = match &step.kind {
                    StepKind::Assembly { named, .. } => named.as_slice(),
                    _ => &[],
                };
                for place in named.iter().chain(place) {
                    if let Base::Variable(variable) = place.base {
                        self.is_exposed[variable.0 as usize] = true;
                    }
                }
            });
        }
        self.look_for_lent();
        let routines = &self.steps.routines;
        self.shares_locals = routines.iter().map(|one| self.has_regions(one)).collect();
        self.allocators = vec![false; self.steps.routines.len()];
        for _ in 0..DEPTH {
            for (index, routine) in self.steps.routines.iter().enumerate() {
                let is_small = routine.values.len() <= STEPS_OF_ALLOCATOR;
                if !self.allocators[index] && is_small && self.hands_out(routine) {
                    self.allocators[index] = true;
                }
            }
        }
    }

    /// Whether a function returns memory that it allocates, or stores it where its caller said.
    fn hands_out(&self, routine: &Routine) -> bool {
        let mut fresh = Fresh {
            addresses: addresses(routine),
            values: vec![false; routine.values.len()],
            variables: HashMap::new(),
            answer: false,
        };
        // Values flow forward but for loops.
        for _ in 0..3 {
            routine.walk(&mut |step| self.follow(routine, step, &mut fresh));
        }
        fresh.answer
    }

    fn follow(&self, routine: &Routine, step: &Step, fresh: &mut Fresh) {
        match &step.kind {
            StepKind::Call(call) => {
                let allocates = match &call.callee {
                    Called::Routine(id) => self.allocators[id.0 as usize],
                    Called::Named(name) => self.is_new(name),
                    Called::Pointer(_) => false,
                };
                if allocates {
                    fresh.values[call.result.0 as usize] = true;
                }
                for index in self.filled(call) {
                    let argument = &call.arguments[index];
                    let lent = self.lent(&fresh.addresses, argument);
                    fresh.variables.extend(lent.map(|variable| (variable, ())));
                    fresh.answer |= self.is_parameter(routine, argument.value);
                }
            }
            StepKind::Combine { from, into, how }
                if !matches!(how, Combination::Arithmetic | Combination::Scramble)
                    && from.iter().any(|value| fresh.values[value.0 as usize]) =>
            {
                fresh.values[into.0 as usize] = true;
            }
            StepKind::Read { place, into } => {
                let is_fresh = local(place).is_some_and(|one| fresh.variables.contains_key(&one));
                if is_fresh {
                    fresh.values[into.0 as usize] = true;
                }
            }
            StepKind::Write {
                place,
                value: Some(value),
                ..
            } if fresh.values[value.0 as usize] => match &place.base {
                Base::Variable(variable) if place.path.is_empty() => {
                    fresh.variables.insert(*variable, ());
                }
                Base::Pointer(pointer, _) => {
                    fresh.answer |= self.is_parameter(routine, *pointer);
                }
                _ => {}
            },
            StepKind::Return {
                value: Some(value), ..
            } => fresh.answer |= fresh.values[value.0 as usize],
            _ => {}
        }
    }

    /// Whether a value is what a parameter holds.
    fn is_parameter(&self, routine: &Routine, value: ValueId) -> bool {
        let mut found = false;
        routine.walk(&mut |step| {
            if let StepKind::Read { place, into } = &step.kind
                && *into == value
                && local(place).is_some_and(|one| routine.parameters.contains(&one))
            {
                found = true;
            }
        });
        found
    }

    /// Whether a library function returns memory that did not exist before.
    fn is_new(&self, name: &str) -> bool {
        let is_new =
            |one: &crate::catalog::Alternative| matches!(one, crate::catalog::Alternative::New(_));
        let known = self.catalogue.find(name);
        known.is_some_and(|known| known.returns.iter().any(is_new))
    }
}

/// What is known to be fresh memory in a function.
struct Fresh {
    /// Which values are addresses of variables.
    addresses: HashMap<ValueId, VariableId>,
    values: Vec<bool>,
    variables: HashMap<VariableId, ()>,
    answer: bool,
}

fn local(place: &Location) -> Option<VariableId> {
    match place.base {
        Base::Variable(variable) if place.path.is_empty() => Some(variable),
        _ => None,
    }
}
