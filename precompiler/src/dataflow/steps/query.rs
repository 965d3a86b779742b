//! Questions to [`Steps`] that need no analysis.

use std::collections::BTreeSet;

use super::model::{
    Base, Call, Called, Location, Projection, Routine, RoutineId, Step, StepKind, Steps, TypeRef,
    Value, ValueId, Variable, VariableId,
};
use super::{IsClientCall, lower};
use crate::catalog::{Catalogue, EffectKind, Root};
use crate::dataflow::FunctionRef;
use crate::program::{Program, SymbolId, TypeKind};
use crate::source::Span;

impl Steps {
    /// A program as steps.
    pub fn of(program: &Program, catalogue: &Catalogue, is_client_call: IsClientCall) -> Steps {
        let mut steps = lower::program(program, catalogue, is_client_call);
        let by_calls = steps.variables_set_by_calls(program, catalogue);
        for id in steps.set_variables(program).into_iter().chain(by_calls) {
            steps.variables[id.0 as usize].is_set = true;
        }
        steps
    }

    /// Variables of libraries that calls of the program set: numbers (`optind`), and where the library keeps what it is given, strings
    /// (`optarg`).
    fn variables_set_by_calls(&self, program: &Program, catalogue: &Catalogue) -> Vec<VariableId> {
        let state_of = |one: &Variable| {
            let is_foreign = !one.is_defined && one.owner.is_none();
            let state = is_foreign.then(|| catalogue.state_of_variable(&one.name));
            state.flatten().map(|state| state.trim_start_matches('@'))
        };
        let known: Vec<(VariableId, &str)> = { 0.. }
            .zip(&self.variables)
            .filter_map(|(number, one)| Some((VariableId(number), state_of(one)?)))
            .collect();
        if known.is_empty() {
            return Vec::new();
        }
        let (mut written, mut kept) = (BTreeSet::new(), BTreeSet::new());
        for routine in self.routines.iter().chain(&self.initial) {
            routine.walk(&mut |step| {
                let StepKind::Call(call) = &step.kind else {
                    return;
                };
                let Called::Named(name) = &call.callee else {
                    return;
                };
                let function = catalogue.find(name);
                for effect in function.iter().flat_map(|one| &one.effects) {
                    match (&effect.kind, &effect.place.root) {
                        (EffectKind::Writes, Root::Hidden(state)) => {
                            written.insert(state.trim_start_matches('@').to_string());
                        }
                        (EffectKind::Keeps(Some(state)), _) => {
                            kept.insert(state.trim_start_matches('@').to_string());
                        }
                        _ => {}
                    }
                }
            });
        }
        let is_set = |(id, state): &(VariableId, &str)| {
            let ty = self.variable(*id).ty;
            let unit = &program.units[ty.unit];
            let is_number = |ty| matches!(unit.kind(ty), TypeKind::Integer(_) | TypeKind::Float(_));
            written.contains(*state)
                && match unit.kind(ty.id) {
                    TypeKind::Pointer(to) => is_number(*to) && kept.contains(*state),
                    _ => is_number(ty.id),
                }
        };
        known.into_iter().filter(is_set).map(|one| one.0).collect()
    }

    /// The variables that the program stores to.
    fn set_variables(&self, program: &Program) -> BTreeSet<VariableId> {
        let mut found = BTreeSet::new();
        for routine in self.routines.iter().chain(&self.initial) {
            routine.walk(&mut |step| {
                let (place, is_stored) = match &step.kind {
                    StepKind::Write { place, .. } | StepKind::Copy { to: place, .. } => {
                        (place, true)
                    }
                    StepKind::Address { place, .. } => (place, false),
                    _ => return,
                };
                // Only the address of others counts: libraries give their handles so.
                let is_scalar = |ty: TypeRef| {
                    let unit = &program.units[ty.unit];
                    matches!(
                        unit.kind(ty.id),
                        TypeKind::Integer(_) | TypeKind::Float(_) | TypeKind::Pointer(_)
                    )
                };
                if let Base::Variable(id) = place.base
                    && (is_stored || is_scalar(self.variable(id).ty))
                {
                    found.insert(id);
                }
            });
        }
        found
    }

    /// The steps of a function.
    pub fn routine_of(&self, function: FunctionRef) -> RoutineId {
        RoutineId(self.first_routines[function.unit] + function.function.0 as u32)
    }

    /// The variable that a symbol of a unit stands for; `None` for functions, types, constants and what only a
    /// prototype names.
    pub fn variable_of(&self, unit: usize, symbol: SymbolId) -> Option<VariableId> {
        *self.symbols.get(unit)?.get(symbol.0)?
    }

    /// The same where the symbol is used: in a region of OpenMP, the copy that a thread has of it.
    pub fn variable_at(&self, unit: usize, symbol: SymbolId, offset: usize) -> Option<VariableId> {
        let variable = self.variable_of(unit, symbol)?;
        let copies = self.copies.get(unit).map_or(&[][..], Vec::as_slice);
        let here = copies.iter().rev();
        let within = |span: Span| span.start < offset && offset < span.end;
        let mut here = here.filter(|(span, original, _)| *original == variable && within(*span));
        Some(here.next().map_or(variable, |(_, _, copy)| *copy))
    }

    /// A function.
    pub fn routine(&self, id: RoutineId) -> &Routine {
        &self.routines[id.0 as usize]
    }

    /// A variable.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    /// All functions with their numbers.
    pub fn routine_ids(&self) -> impl Iterator<Item = RoutineId> + use<> {
        (0..self.routines.len() as u32).map(RoutineId)
    }

    /// All variables with their numbers.
    pub fn variable_ids(&self) -> impl Iterator<Item = VariableId> + use<> {
        (0..self.variables.len() as u32).map(VariableId)
    }

    /// The function that is called `name` outside of its unit.
    pub fn routine_named(&self, program: &Program, name: &str) -> Option<RoutineId> {
        self.routine_ids().find(|&id| {
            let at = self.routine(id).function;
            let function = program.units[at.unit].function(at.function);
            function.name == name && !function.is_static
        })
    }
}

impl Routine {
    /// The number that a call hands over in this position, when it is a constant.
    pub fn constant_argument(&self, call: &Call, position: usize) -> Option<i128> {
        let argument = call.arguments.get(position)?;
        self.values.get(argument.value.0 as usize)?.constant
    }

    /// A value.
    pub fn value(&self, id: ValueId) -> &Value {
        &self.values[id.0 as usize]
    }

    /// Calls `visit` for every step of every node, those inside others too.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Step)) {
        for step in self.nodes.iter().flatten() {
            step.walk(visit);
        }
    }
}

impl Step {
    /// Calls `visit` for this step and those inside, this one first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Step)) {
        visit(self);
        match &self.kind {
            StepKind::Choose(lists) => {
                for step in lists.iter().flatten() {
                    step.walk(visit);
                }
            }
            StepKind::Repeat(list) => {
                for step in list {
                    step.walk(visit);
                }
            }
            _ => {}
        }
    }

    /// The places that it names, not those of steps inside.
    pub fn places(&self) -> Vec<&Location> {
        match &self.kind {
            StepKind::Read { place, .. }
            | StepKind::Write { place, .. }
            | StepKind::Address { place, .. } => vec![place],
            StepKind::Copy { from, to, .. } => vec![from, to],
            StepKind::Call(call) => call
                .arguments
                .iter()
                .filter_map(|argument| argument.aggregate.as_ref())
                .collect(),
            StepKind::Return { aggregate, .. } => aggregate.iter().collect(),
            StepKind::Assembly { named, .. } => named.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// The value that it sets, not those that steps inside set.
    pub fn sets(&self) -> Option<ValueId> {
        match &self.kind {
            StepKind::Read { into, .. }
            | StepKind::Address { into, .. }
            | StepKind::Combine { into, .. } => Some(*into),
            StepKind::Call(call) => Some(call.result),
            _ => None,
        }
    }
}

impl Location {
    /// The values on the way to it.
    pub fn values(&self) -> impl Iterator<Item = ValueId> + '_ {
        let base = match self.base {
            Base::Pointer(value, _) => Some(value),
            _ => None,
        };
        let elements = self.path.iter().filter_map(|step| match step {
            Projection::Element(value) => Some(*value),
            Projection::Member(..) => None,
        });
        base.into_iter().chain(elements)
    }

    /// The variable in which it lies, when it is reached without a pointer.
    pub fn variable(&self) -> Option<VariableId> {
        match self.base {
            Base::Variable(variable) => Some(variable),
            _ => None,
        }
    }
}
