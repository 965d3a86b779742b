//! To what bytes belong that a program reads through a pointer to characters: whether the pointer was one to what holds pointers.
//!
//! Characters may look into everything (C11 6.5p7), and from the address of a member they reach, as far as anybody can see, the whole
//! struct that it is in. Whether they are meant to do so is told by the types that the pointer has had:
//!
//! ```text
//! hash(&key, sizeof key)          struct key *: all of the struct, with the pointers in it
//! hash(&key.number, 8)            long *: a number, not what lies beside it
//! ```
//!
//! In: the steps of all functions. Out: the pointers that may have been such ones, on the ways of all origins and through arithmetic,
//! too. One that becomes such a pointer later is one, and so is what it was read from.
//!
//! Errors fall on both sides: what is none is assumed to lead to numbers, and reported as that.

use std::collections::BTreeSet;

use super::model::Origin;
use super::search::{Search, Sought};
use super::unions::members;
use crate::analysis::memory::{CellId, ObjectKind};
use crate::analysis::points_to::Scope;
use crate::catalog::{Alternative, LibraryFunction, Root};
use crate::dataflow::steps::{
    Call, Combination, FunctionTarget, Location, Routine, RoutineId, Step, StepKind, TypeRef,
    ValueId,
};
use crate::program::{TypeId, TypeKind, Unit};

/// The pointers to characters through which bytes of pointers may be read.
pub(super) type Wholes = BTreeSet<(Scope, ValueId)>;

impl<'a> Search<'a> {
    pub(super) fn seeks_wholes(&self) -> bool {
        matches!(self.sought, Sought::Wholes)
    }

    /// What the type of a pointer says: to what holds pointers.
    pub(super) fn whole_of_type(&self, ty: TypeRef) -> Option<Origin> {
        let unit = &self.program.units[ty.unit];
        let inner = unit.pointee(ty.id)?;
        may_hold_pointers(unit, inner).then_some(Origin::Whole)
    }

    /// Whether a place is an element behind a pointer, whose address leads to the same memory as the pointer.
    pub(super) fn is_among_bytes(&self, place: &Location) -> bool {
        self.seeks_wholes() && members(place).is_empty()
    }

    /// Notes from where pointers are read, and marks those that become pointers to what holds pointers.
    pub(super) fn note_bytes(&mut self, scope: Scope, routine: &Routine, step: &'a Step) {
        match &step.kind {
            StepKind::Read { place, into } => {
                self.bytes.insert(*into, place);
            }
            StepKind::Combine { from, into, how } => {
                let Some(first) = from.first() else { return };
                let is_step = matches!(
                    how,
                    Combination::Cast | Combination::PointerStep | Combination::PointerBack
                );
                let place = self.bytes.get(first).copied().filter(|_| is_step);
                if let Some(place) = place {
                    self.bytes.insert(*into, place);
                }
                let ty = |value: &ValueId| routine.values[value.0 as usize].ty;
                let origin = self.whole_of_type(ty(into));
                if *how == Combination::Cast && self.is_pointer(ty(first)) && origin.is_some() {
                    self.value(scope, *first, origin.clone());
                    if let Some(place) = place {
                        self.store(scope, place, origin);
                    }
                }
            }
            _ => {}
        }
    }

    /// Hands over what stands for the dots of a function.
    pub(super) fn hand_over_more(
        &mut self,
        scope: Scope,
        routine: &Routine,
        call: &Call,
        callee: &Routine,
    ) {
        let Some(all) = callee.variable_arguments.filter(|_| self.seeks_wholes()) else {
            return;
        };
        let more = call.arguments.iter().skip(callee.parameters.len());
        let mut origins = more.filter_map(|one| self.origin(scope, routine, one.value));
        if let Some(origin) = origins.next() {
            drop(origins);
            self.mark(self.variable(all), &origin);
        }
    }

    /// What a library gives back or stores may be what it was given, and so may what it hands to a function of the program.
    pub(super) fn pass_through(
        &mut self,
        scope: Scope,
        routine: &Routine,
        call: &Call,
        function: &LibraryFunction,
    ) {
        if !self.seeks_wholes() {
            return;
        }
        let given = |search: &Self, one: &Alternative| match one {
            Alternative::Same(place) | Alternative::Into(place) => match place.root {
                Root::Parameter(position) if place.behind == 0 => {
                    search.origin(scope, routine, call.arguments.get(position)?.value)
                }
                _ => None,
            },
            Alternative::New(_) | Alternative::Null => None,
        };
        let result = function.returns.iter().find_map(|one| given(self, one));
        self.value(scope, call.result, result);
        for (to, values) in &function.stores {
            let origin = values.iter().find_map(|one| given(self, one));
            if let (Some(origin), Root::Parameter(position)) = (origin, &to.root)
                && let Some(argument) = call.arguments.get(*position)
            {
                let cells = self.points_to.behind(scope, argument.value, None).cells;
                self.mark(cells.iter().copied(), &origin);
            }
        }
        for back in &function.calls {
            let Root::Parameter(position) = back.callback.root else {
                continue;
            };
            let Some(callback) = call.arguments.get(position) else {
                continue;
            };
            let callees: Vec<RoutineId> = { self.points_to.targets(scope, callback.value) }
                .filter_map(|target| self.routine_at(target))
                .collect();
            for callee in callees {
                let parameters = &self.steps.routine(callee).parameters;
                for (parameter, values) in parameters.iter().zip(&back.arguments) {
                    if let Some(origin) = values.iter().find_map(|one| given(self, one)) {
                        self.mark(self.variable(*parameter), &origin);
                    }
                }
            }
        }
    }

    /// The function of the program to which a pointer points.
    fn routine_at(&self, target: CellId) -> Option<RoutineId> {
        let memory = &self.points_to.memory;
        let object = memory.cells[target.0 as usize].object;
        match memory.objects[object.0 as usize].kind {
            ObjectKind::Function(FunctionTarget::Routine(id)) => Some(id),
            _ => None,
        }
    }
}

/// Whether there may be pointers in something of a type.
fn may_hold_pointers(unit: &Unit, ty: TypeId) -> bool {
    match unit.kind(ty) {
        TypeKind::Pointer(_) => true,
        TypeKind::Array { element, .. } => may_hold_pointers(unit, *element),
        TypeKind::Record(_) => !unit.is_complete(ty) || unit.holds_pointers(ty),
        _ => false,
    }
}
