//! Where pointers lead: always to the beginning of the same array, or nobody knows.

use super::facts::{Facts, Run, elements, is_same_type};
use super::view::Look;
use crate::analysis::datatypes::Datatype;
use crate::analysis::memory::{CellId, ObjectId};
use crate::analysis::polynomial::Polynomial;
use crate::catalog::LibraryFunction;
use crate::dataflow::steps::{
    Base, Call, Combination, Location, Projection, Routine, RoutineId, StepKind, TextPlace,
    TypeRef, ValueId, VariableKind,
};
use crate::program::{Expression, Extent, TypeKind};
use crate::source::Span;
use cccp_grammar::Amount;

/// Where a value comes from: null, or an array.
type Source = Option<Run>;

impl<'a> Facts<'a> {
    /// The array that a pointer in a cell leads to the beginning of whenever it leads anywhere, in elements of a type.
    pub fn run(&self, pointer: CellId, element: TypeRef) -> Option<Run> {
        let known = self.runs.borrow().get(&(pointer, element)).cloned();
        if let Some(found) = known {
            return found;
        }
        // Pointers that are copied in a circle are given up.
        self.runs.borrow_mut().insert((pointer, element), None);
        let found = self.find_run(pointer, element).flatten();
        self.runs
            .borrow_mut()
            .insert((pointer, element), found.clone());
        found
    }

    fn find_run(&self, pointer: CellId, element: TypeRef) -> Option<Source> {
        if self.known.effects.is_unsteady(pointer) {
            return None;
        }
        let mut found = self.initial_run(pointer, element)?;
        for writer in self.writers(pointer) {
            let look = self.look(writer.routine);
            let mut stored = Vec::new();
            for (_, step) in look.stores(writer.span) {
                match &step.kind {
                    StepKind::Write { place, value, .. } => {
                        if look.touched(place).cells.contains(&pointer) {
                            stored.push(*value);
                        }
                    }
                    _ => return None,
                }
            }
            if stored.is_empty() {
                join(&mut found, self.parameter_run(pointer, writer, element)?)?;
            }
            for value in stored.into_iter().flatten() {
                join(&mut found, self.value_run(look, value, element)?)?;
            }
        }
        Some(found)
    }

    /// What the initialisers of variables with static storage store there.
    fn initial_run(&self, pointer: CellId, element: TypeRef) -> Option<Source> {
        let mut found = None;
        for (unit, initial) in self.known.steps.initial.iter().enumerate() {
            let scope = crate::analysis::points_to::Scope::Initial(unit);
            for step in initial.nodes.iter().flatten() {
                let (place, value) = match &step.kind {
                    StepKind::Write { place, value, .. } => (place, *value),
                    StepKind::Copy { to, .. } => (to, None),
                    _ => continue,
                };
                if !self
                    .known
                    .points_to
                    .touched(scope, place)
                    .cells
                    .contains(&pointer)
                {
                    continue;
                }
                if matches!(step.kind, StepKind::Copy { .. }) {
                    return None;
                }
                if let Some(value) = value {
                    join(&mut found, self.address_in(initial, value, element)?)?;
                }
            }
        }
        Some(found)
    }

    /// What all callers hand over.
    fn parameter_run(
        &self,
        pointer: CellId,
        writer: super::facts::Writer,
        element: TypeRef,
    ) -> Option<Source> {
        let (id, variable) = self.scalar(pointer)?;
        let VariableKind::Parameter(number) = variable.kind else {
            return None;
        };
        let owner = variable.owner?;
        if owner != writer.routine || writer.span != variable.declared.span {
            return None;
        }
        let mut found = None;
        for (caller, _, argument) in self.arguments(owner, id, number)? {
            let more = self.value_run(self.look(caller), argument.value, element)?;
            join(&mut found, more)?;
        }
        Some(found)
    }

    /// Where a value of a function leads.
    pub(super) fn value_run(
        &self,
        look: Look<'_, 'a>,
        value: ValueId,
        element: TypeRef,
    ) -> Option<Source> {
        if look.routine.value(value).constant.is_some() {
            return Some(None);
        }
        let step = look.setter(value)?;
        match &step.kind {
            StepKind::Combine {
                from,
                how: Combination::Cast | Combination::Choice,
                ..
            } if !from.is_empty() => {
                let mut found = None;
                for one in from {
                    join(&mut found, self.value_run(look, *one, element)?)?;
                }
                Some(found)
            }
            StepKind::Read { place, .. } => {
                let cell = look.exact(place)?;
                Some(Some(self.run(cell, element)?))
            }
            StepKind::Address { place, .. } => {
                self.address_run(look.routine, place, element).map(Some)
            }
            StepKind::Call(call) => self
                .allocated(look, call, step.span, element)
                .or_else(|| self.handed_out(look, call, step.span, element))
                .map(Some),
            _ => None,
        }
    }

    fn address_in(&self, routine: &Routine, value: ValueId, element: TypeRef) -> Option<Source> {
        if routine.value(value).constant.is_some() {
            return Some(None);
        }
        let mut steps = routine.nodes.iter().flatten();
        let step = steps.find(|step| step.sets() == Some(value))?;
        match &step.kind {
            StepKind::Combine {
                from,
                how: Combination::Cast,
                ..
            } => self.address_in(routine, *from.first()?, element),
            StepKind::Address { place, .. } => self.address_run(routine, place, element).map(Some),
            _ => None,
        }
    }

    /// A variable, the beginning of an array, or the same in a member of a struct.
    fn address_run(&self, routine: &Routine, place: &Location, element: TypeRef) -> Option<Run> {
        let Base::Variable(id) = place.base else {
            return None;
        };
        let variable = self.known.steps.variable(id);
        let unit = &self.known.program.units[variable.ty.unit];
        let mut ty = variable.ty.id;
        let mut count = Polynomial::constant(1);
        let mut is_array = false;
        for projection in &place.path {
            match (projection, unit.kind(ty)) {
                (Projection::Member(_, number), TypeKind::Record(record)) if !is_array => {
                    let record = &unit.records[record.0];
                    if record.is_union {
                        return None;
                    }
                    ty = record.members.as_ref()?.get(*number)?.ty;
                }
                (
                    Projection::Element(index),
                    TypeKind::Array {
                        element,
                        extent: Extent::Constant(extent),
                    },
                ) if routine.value(*index).constant == Some(0) => {
                    is_array = true;
                    count = count.times(&Polynomial::constant(i128::from(*extent)))?;
                    ty = *element;
                }
                _ => return None,
            }
        }
        let reached = TypeRef {
            unit: variable.ty.unit,
            id: ty,
        };
        is_same_type(self.known.program, reached, element).then_some(())?;
        Some(Run {
            object: self.known.points_to.variable(id)?,
            elements: count,
            site: None,
        })
    }

    /// Memory that a call of the library has just allocated.
    fn allocated(
        &self,
        look: Look<'_, 'a>,
        call: &Call,
        span: Span,
        element: TypeRef,
    ) -> Option<Run> {
        let callees = self.known.points_to.callees(look.id, call);
        let name = callees.only_named()?;
        let function = self.known.catalogue.find(name)?;
        let bytes = self.amount(look, call, &function, function.allocates()?)?;
        let [(node, _)] = look.calls(span) else {
            return None;
        };
        Some(Run {
            object: self.object_of(look.id, look.routine, span)?,
            elements: elements(self.known.program, &bytes, element)?,
            site: Some((look.id, *node)),
        })
    }

    fn object_of(&self, id: RoutineId, routine: &Routine, span: Span) -> Option<ObjectId> {
        let place = TextPlace {
            unit: routine.function.unit,
            span,
        };
        match self.known.points_to.allocated(id, place).as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// A number of the catalogue, by what a call hands over.
    pub fn amount(
        &self,
        look: Look<'_, 'a>,
        call: &Call,
        function: &LibraryFunction,
        amount: &Amount,
    ) -> Option<Polynomial> {
        let normal = &|expression: &Expression| look.normal_term(expression);
        self.amount_of(look, call, function, amount, normal)
    }

    /// The same; `term`: what an argument is.
    pub(super) fn amount_of(
        &self,
        look: Look<'_, 'a>,
        call: &Call,
        function: &LibraryFunction,
        amount: &Amount,
        term: &dyn Fn(&Expression) -> Option<Polynomial>,
    ) -> Option<Polynomial> {
        let argument = |position: usize| {
            let argument = call.arguments.get(position)?;
            term(look.expression(argument.span)?)
        };
        let items = |position: usize| {
            let written = call.arguments.get(position)?.span;
            Some(Datatype::written(&look.unit.file, written)?.size)
        };
        Polynomial::amount(amount, function, &argument, &items)
    }
}

/// Adds a source; none when there are two different ones.
fn join(found: &mut Source, more: Source) -> Option<()> {
    match (&found, more) {
        (_, None) => Some(()),
        (None, more) => {
            *found = more;
            Some(())
        }
        (Some(known), Some(more)) => (*known == more).then_some(()),
    }
}
