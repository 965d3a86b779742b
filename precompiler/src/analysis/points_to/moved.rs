//! What calls of library functions that copy memory surely do not copy: pointers, where the types at the call say so, and what lies behind
//! as much as they are told to copy.
//!
//! `memcpy` may copy pointers. Where it is handed pointers to numbers it is a loop that copies numbers:
//!
//! ```text
//! float *x, **rows;                       memcpy(&x[b * n], rows[i], n * sizeof(float));
//! struct s { int d[4]; char *p; } *a;     memcpy(a->d, b->d, k * sizeof(int));
//! ```
//!
//! Where the amount is a constant, `memcpy(buffer, &s->head, sizeof s->head)`, it copies that much and nothing behind it; where the run
//! counts it, `memcpy(text, s->name, n)`, an array in a struct ends where it ends, but for the first and the last one.
//!
//! Without that, whatever one of these pointers leads to by an analysis that is not exact would have a copy of all pointers in
//! what the other leads to. Bytes, and numbers as long as a pointer, may be anything; of shorter integers the amount has to say
//! that they are meant, because structs are copied in words, too.

use super::Scope;
use super::constrain::Moved;
use super::solver::Solver;
use crate::analysis::datatypes::Datatype;
use crate::analysis::handles::named;
use crate::analysis::memory::{LeafKind, Shape};
use crate::analysis::polynomial::Polynomial;
use crate::catalog::{Effect, Extent, LibraryFunction, Place, Root};
use crate::dataflow::steps::{
    Call, Called, Combination, RoutineId, Step, StepKind, TextPlace, TypeRef, ValueId,
};
use crate::program::TypeKind;

impl<'a> Solver<'a> {
    /// Whether a call of MPI says what it moves, and that are numbers of several bytes. Single bytes may be anything.
    pub fn moves_numbers(&self, scope: Scope, call: &Call) -> bool {
        let Called::Named(name) = &call.callee else {
            return false;
        };
        if !name.trim_start_matches('P').starts_with("MPI_") {
            return false;
        }
        let mut numbers = false;
        for argument in &call.arguments {
            let ty = self.steps_of(scope).values[argument.value.0 as usize].ty;
            let unit = &self.program.units[ty.unit];
            match Datatype::written(&unit.file, argument.span) {
                Some(datatype) if datatype.size > 1 => numbers = true,
                Some(_) => return false,
                None if named(self.catalogue, unit, ty.id) == Some("MPI_Datatype") => {
                    return false;
                }
                None => {}
            }
        }
        numbers
    }

    /// Whether a call copies only numbers from what one parameter leads to into what another one leads to.
    pub fn copies_numbers(&mut self, call: TextPlace, from: &Place, to: &Place) -> bool {
        let Some((routine, call)) = self.call_at(call) else {
            return false;
        };
        let (Some(from), Some(to)) = (
            self.number_behind(routine, call, from),
            self.number_behind(routine, call, to),
        ) else {
            return false;
        };
        let steps = self.steps.routine(routine);
        let mut said = call
            .arguments
            .iter()
            .filter_map(|argument| steps.value(argument.value).size_of);
        let is_said = said.any(|said| self.number(said).is_some());
        is_said || (from, to) == (LeafKind::Float, LeafKind::Float)
    }

    /// How much a call reads or writes behind a parameter.
    pub fn moved(
        &mut self,
        function: &LibraryFunction,
        call: TextPlace,
        way: &Effect,
    ) -> Option<Moved> {
        let (Root::Parameter(position), Some(Extent::Elements(amount))) =
            (&way.place.root, &way.place.extent)
        else {
            return None;
        };
        let unit = call.unit;
        let (routine, call) = self.call_at(call)?;
        let steps = self.steps.routine(routine);
        let argument = |position: usize| {
            let value = call.arguments.get(position)?.value;
            Some(Polynomial::constant(steps.value(value).constant?))
        };
        let count = Polynomial::amount(amount, function, &argument, &|_| None);
        let Some(count) = count.and_then(|count| count.as_constant()) else {
            let mut numbers = call.arguments.iter().map(|one| one.value);
            return numbers
                .all(|one| self.is_address(routine, one) || self.is_counted(routine, one))
                .then_some(Moved::Counted);
        };
        let id = self.declared_pointee(unit, &function.name, *position)?;
        let element = match self.program.units[unit].kind(id) {
            TypeKind::Void => 8,
            _ => self.bits(TypeRef { unit, id })?,
        };
        let bits = u64::try_from(count).ok()?.checked_mul(element)?;
        let thing = self.thing_behind(routine, call, &way.place);
        let thing = thing.and_then(|ty| self.bits(ty));
        let is_whole = thing.max(Some(element)) >= Some(bits);
        Some(Moved::Bits { bits, is_whole })
    }

    fn is_address(&self, routine: RoutineId, value: ValueId) -> bool {
        let ty = self.steps.routine(routine).value(value).ty;
        self.program.units[ty.unit].pointee(ty.id).is_some()
    }

    /// Whether a number is a constant or comes from what the program has stored. A distance of members (`offsetof`, `&s->b - &s->a`) does
    /// not: what is so long may be several of them.
    fn is_counted(&self, routine: RoutineId, value: ValueId) -> bool {
        let steps = self.steps.routine(routine);
        if steps.value(value).constant.is_some() {
            return true;
        }
        match self.made_by(routine, value) {
            Some(StepKind::Combine { from, .. }) => {
                let is_known = |one: &ValueId| {
                    !self.is_address(routine, *one) && self.is_counted(routine, *one)
                };
                !from.is_empty() && from.iter().all(is_known)
            }
            Some(_) => true,
            None => false,
        }
    }

    /// The step that a value comes from.
    fn made_by(&self, routine: RoutineId, value: ValueId) -> Option<&'a StepKind> {
        let mut found = None;
        let steps = self.steps;
        steps.routine(routine).walk(&mut |step: &'a Step| {
            let into = match &step.kind {
                StepKind::Read { into, .. }
                | StepKind::Combine { into, .. }
                | StepKind::Address { into, .. } => *into,
                StepKind::Call(call) => call.result,
                _ => return,
            };
            if into == value {
                found = Some(&step.kind);
            }
        });
        found
    }

    fn bits(&mut self, ty: TypeRef) -> Option<u64> {
        let layout = self.layout(ty);
        self.layouts.get(layout).size
    }

    /// The kind of number that the pointer leads to which a parameter gets, whatever it is cast to on the way.
    fn number_behind(
        &mut self,
        routine: RoutineId,
        call: &Call,
        place: &Place,
    ) -> Option<LeafKind> {
        let ty = self.thing_behind(routine, call, place)?;
        self.number(ty)
    }

    /// What the pointer leads to which a parameter gets, whatever it is cast to on the way.
    fn thing_behind(&self, routine: RoutineId, call: &Call, place: &Place) -> Option<TypeRef> {
        let Root::Parameter(position) = place.root else {
            return None;
        };
        if place.behind > 0 || !place.members.is_empty() || place.everything {
            return None;
        }
        let mut value = call.arguments.get(position)?.value;
        loop {
            match self.made_by(routine, value) {
                Some(StepKind::Combine {
                    from,
                    how: Combination::Cast,
                    ..
                }) => value = *from.first()?,
                // Of an array as a whole, too.
                Some(StepKind::Address { place, .. }) => return Some(place.ty),
                _ => break,
            }
        }
        let ty = self.steps.routine(routine).value(value).ty;
        let id = self.program.units[ty.unit].pointee(ty.id)?;
        Some(TypeRef { id, ..ty })
    }

    /// The kind of a number in which no pointer can be; of an array, that of its elements.
    fn number(&mut self, ty: TypeRef) -> Option<LeafKind> {
        let layout = self.layout(ty);
        let element = self.layouts.element(layout);
        let one = self.layouts.get(element);
        let size = one.size?;
        match one.shape {
            Shape::Leaf(LeafKind::Float, _) => Some(LeafKind::Float),
            Shape::Leaf(LeafKind::Integer, _) if size > 8 && size < self.pointer_bits => {
                Some(LeafKind::Integer)
            }
            _ => None,
        }
    }
}
