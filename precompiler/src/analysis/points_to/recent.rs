//! What a local was set to last, where that is sure.
//!
//! In: the flow of a function. Out: for a read of a local the value that was stored there before, when control comes from
//! that store for sure and the local's address is nowhere taken. The one idea: a node with one predecessor begins with
//! what was known behind that one; every other node begins with nothing known.
//!
//! ```text
//! void *give_back(void *p) { free(p); p = NULL; return p; }      returns no pointer, not what was given back
//! ```
//!
//! Otherwise all pointers that ever pass through such a function would be each other's.
//!
//! Errors fall on the side of nothing known: then a read gives whatever is stored in the local anywhere. Nothing is known
//! in functions with regions of OpenMP (others may store between) and of what is volatile. Where `setjmp` comes back there
//! are many predecessors.
//!
//! Not here: what else is pointed to when; what is stored in a local is still all in the set of the local itself.

use rustc_hash::FxHashMap;

use super::Scope;
use super::solver::Solver;
use crate::analysis::memory::{LeafKind, Shape};
use crate::dataflow::Flow;
use crate::dataflow::steps::{Base, Location, Routine, Step, StepKind, ValueId, VariableId};
use crate::program::Storage;

/// What locals hold: a value, or what is no pointer.
pub type Recent = FxHashMap<VariableId, Option<ValueId>>;

/// So many locals are followed at a time.
const LOCALS: usize = 64;

/// Nodes in an order in which what is known can be handed on.
pub struct Chains {
    single: Vec<bool>,
}

impl Chains {
    /// Which nodes have one predecessor.
    pub fn of(flow: &Flow) -> Chains {
        let mut before = vec![0usize; flow.nodes.len()];
        for node in &flow.nodes {
            for next in &node.next {
                before[next.0] += 1;
            }
        }
        let mut single: Vec<bool> = before.iter().map(|count| *count == 1).collect();
        if let Some(entry) = single.get_mut(Flow::ENTRY.0) {
            *entry = false;
        }
        Chains { single }
    }
}

impl<'a> Solver<'a> {
    /// Looks at all steps of an instance.
    pub fn generate(&mut self, instance: usize) {
        let scope = self.instances[instance].scope;
        let routine = self.steps_of(scope);
        let nodes = routine.flow.nodes.len();
        let mut done = vec![false; routine.nodes.len()];
        if let Scope::Routine(id) = scope
            && !self.shares_locals[id.0 as usize]
        {
            let chains = Chains::of(&routine.flow);
            // Those that begin a chain, then what only follows itself: text that is never reached.
            for first in 0..nodes.min(done.len()) * 2 {
                let is_later = first >= nodes;
                let first = first % nodes;
                if done[first] || chains.single[first] && !is_later {
                    continue;
                }
                let mut waiting = vec![(first, Recent::default())];
                while let Some((node, mut recent)) = waiting.pop() {
                    if std::mem::replace(&mut done[node], true) {
                        continue;
                    }
                    self.list(instance, routine, &routine.nodes[node], &mut recent);
                    let next = routine.flow.nodes[node].next.iter().rev();
                    let mut next: Vec<usize> = next
                        .map(|one| one.0)
                        .filter(|one| chains.single[*one] && !done[*one])
                        .collect();
                    let last = next.pop();
                    waiting.extend(next.into_iter().map(|one| (one, recent.clone())));
                    waiting.extend(last.map(|one| (one, recent)));
                }
            }
        }
        for (node, done) in routine.nodes.iter().zip(done) {
            if !done {
                for step in node {
                    self.list(
                        instance,
                        routine,
                        std::slice::from_ref(step),
                        &mut Recent::default(),
                    );
                }
            }
        }
    }

    fn list(
        &mut self,
        instance: usize,
        routine: &'a Routine,
        steps: &'a [Step],
        recent: &mut Recent,
    ) {
        for step in steps {
            match &step.kind {
                StepKind::Choose(ways) => {
                    for way in ways {
                        self.list(instance, routine, way, &mut recent.clone());
                    }
                    ways.iter().flatten().for_each(|one| forget(one, recent));
                }
                StepKind::Repeat(inner) => {
                    inner.iter().for_each(|one| forget(one, recent));
                    self.list(instance, routine, inner, &mut recent.clone());
                }
                StepKind::Read { place, into } => {
                    let known = whole(place).and_then(|variable| recent.get(&variable).copied());
                    match known {
                        Some(value) => self.set_from(instance, *into, value),
                        None => self.step(instance, routine, step),
                    }
                }
                StepKind::Write { place, value, weak } => {
                    self.step(instance, routine, step);
                    forget(step, recent);
                    if let Some(variable) = whole(place)
                        && !weak
                        && recent.len() < LOCALS
                        && self.is_followed(instance, variable)
                    {
                        recent.insert(variable, *value);
                    }
                }
                _ => {
                    self.step(instance, routine, step);
                    forget(step, recent);
                }
            }
        }
    }

    /// A value is another one, or no pointer.
    fn set_from(&mut self, instance: usize, into: ValueId, value: Option<ValueId>) {
        match value.and_then(|value| self.value(instance, value)) {
            Some(node) => self.set(instance, into, node),
            None => self.set_none(instance, into),
        }
    }

    /// Nobody but the text of its function can store to a local, which is a pointer or a number.
    fn is_followed(&mut self, instance: usize, variable: VariableId) -> bool {
        let known = &self.steps.variables[variable.0 as usize];
        if self.is_exposed[variable.0 as usize]
            || known.owner.map(Scope::Routine) != Some(self.instances[instance].scope)
            || !matches!(known.storage, Storage::Automatic | Storage::Register)
        {
            return false;
        }
        let layout = self.layout(known.ty);
        matches!(
            self.layouts.get(layout).shape,
            Shape::Leaf(LeafKind::Pointer | LeafKind::Integer, _)
        )
    }

    /// Whether threads share the locals of a function.
    pub fn has_regions(&self, routine: &Routine) -> bool {
        let unit = &self.program.units[routine.function.unit];
        unit.function(routine.function.function).has_constructs()
    }
}

/// A variable that is meant as a whole.
fn whole(place: &Location) -> Option<VariableId> {
    match place.base {
        Base::Variable(variable) if place.path.is_empty() => Some(variable),
        _ => None,
    }
}

/// After a step nothing is known of what it stores to.
fn forget(step: &Step, recent: &mut Recent) {
    if recent.is_empty() {
        return;
    }
    step.walk(&mut |one| match &one.kind {
        StepKind::Write { place, .. } | StepKind::Copy { to: place, .. } => {
            if let Base::Variable(variable) = place.base {
                recent.remove(&variable);
            }
        }
        StepKind::Begin(variable) => {
            recent.remove(variable);
        }
        StepKind::Call(call) => {
            if let Some(variable) = call.aggregate {
                recent.remove(&variable);
            }
        }
        StepKind::Assembly { .. } | StepKind::Directive(_) => recent.clear(),
        _ => {}
    });
}
