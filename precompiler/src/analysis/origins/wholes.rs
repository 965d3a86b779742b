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
//! What a function gives as `void *` is memory of which the caller says what it holds: the types that the function itself has seen there,
//! as the head of a block that it has carved from a pool, tell nothing.
//!
//! In: the steps of all functions. Out: the pointers that may have been such ones, on the ways of all origins and through arithmetic,
//! too. One that becomes such a pointer later is one, and so is what it was read from.
//!
//! Errors fall on both sides: what is none is assumed to lead to numbers, and reported as that.

use std::collections::BTreeSet;

use super::model::Origin;
use super::search::{Search, Sought};
use super::unions::members;
use crate::analysis::points_to::Scope;
use crate::catalog::{Alternative, LibraryFunction, Root};
use crate::dataflow::steps::{
    Call, Combination, Location, Routine, Step, StepKind, TypeRef, ValueId,
};
use crate::program::TypeKind;

/// The pointers to characters through which bytes of pointers may be read.
pub(super) type Wholes = BTreeSet<(Scope, ValueId)>;

impl<'a> Search<'a> {
    pub(super) fn seeks_wholes(&self) -> bool {
        matches!(self.sought, Sought::Wholes)
    }

    /// Whether a type is that of a pointer to what may hold pointers.
    pub(super) fn leads_to_pointers(&self, ty: TypeRef) -> bool {
        let unit = &self.program.units[ty.unit];
        unit.pointee(ty.id).is_some_and(|inner| {
            let is_record = matches!(unit.kind(inner), TypeKind::Record(_));
            unit.holds_pointers(inner) || is_record && !unit.is_complete(inner)
        })
    }

    /// Whether a function gives memory without a type.
    pub(super) fn gives_memory(&self, routine: &Routine) -> bool {
        let unit = &self.program.units[routine.function.unit];
        let given = unit.functions[routine.function.function.0].return_type;
        { unit.pointee(given) }.is_some_and(|inner| matches!(unit.kind(inner), TypeKind::Void))
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
                let becomes = *how == Combination::Cast && self.leads_to_pointers(ty(into));
                if becomes && self.is_pointer(ty(first)) {
                    self.value(scope, *first, Some(Origin::Whole));
                    if let Some(place) = place {
                        self.store(scope, place, Some(Origin::Whole));
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
        let mut more = call.arguments.iter().skip(callee.parameters.len());
        if let Some(origin) = more.find_map(|one| self.origin(scope, routine, one.value)) {
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
            let points_to = self.points_to;
            let callees = points_to.targets(scope, callback.value);
            for callee in callees.filter_map(|target| points_to.memory.routine(target)) {
                let parameters = &self.steps.routine(callee).parameters;
                for (parameter, values) in parameters.iter().zip(&back.arguments) {
                    if let Some(origin) = values.iter().find_map(|one| given(self, one)) {
                        self.mark(self.variable(*parameter), &origin);
                    }
                }
            }
        }
    }
}
