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
//! In memory it counts as what a pointer is stored: as a pointer to `void`, as one to characters or numbers, as a number. What is stored
//! as one is not read as another (C11 6.5p7), except where members of a union say so. That keeps apart what a pool hands out, which is
//! one block for the analysis.
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
use crate::program::{RecordId, TypeId, TypeKind, Unit};

/// The pointers to characters through which bytes of pointers may be read.
pub(super) type Wholes = BTreeSet<(Scope, ValueId)>;

/// As what a pointer may be stored in memory. It is read as the same: a `char *` is not where a `void *` was stored (C11 6.5p7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kinds(u8);

impl Kinds {
    /// A pointer to `void`.
    const UNTYPED: Kinds = Kinds(1);
    /// Another pointer.
    const TYPED: Kinds = Kinds(2);
    /// A number.
    const NUMBER: Kinds = Kinds(4);
    pub(super) const ALL: Kinds = Kinds(7);

    /// Where nothing needs to be known.
    const NONE: Kinds = Kinds(0);

    pub(super) fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    fn common(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    fn is_empty(self) -> bool {
        self == Kinds::NONE
    }

    pub(super) fn includes(self, other: Kinds) -> bool {
        self.and(other) == self
    }
}

impl<'a> Search<'a> {
    pub(super) fn seeks_wholes(&self) -> bool {
        matches!(self.sought, Sought::Wholes)
    }

    /// Whether a type is that of a pointer to what may hold pointers.
    pub(super) fn leads_to_pointers(&self, ty: TypeRef) -> bool {
        leads_to_pointers(&self.program.units[ty.unit], ty.id)
    }

    /// As what pointers are stored in a place, and read from there. What is read as a pointer to what holds pointers needs no mark.
    fn stored_as(&self, place: &Location) -> Kinds {
        let unit = &self.program.units[place.ty.unit];
        let members = members(place);
        // Members of unions are there to be stored as one and to be read as another.
        let whole = { members.iter() }.find(|(record, _)| unit.records[record.0].is_union);
        match whole {
            Some((record, _)) => self.kinds_of_members(unit, *record),
            None => self.kinds_of(unit, place.ty.id),
        }
    }

    fn kinds_of_members(&self, unit: &Unit, record: RecordId) -> Kinds {
        let Some(members) = &unit.records[record.0].members else {
            return Kinds::ALL;
        };
        let kinds = members.iter().map(|one| self.kinds_of(unit, one.ty));
        kinds.fold(Kinds::NONE, Kinds::and)
    }

    fn kinds_of(&self, unit: &Unit, ty: TypeId) -> Kinds {
        match unit.kind(ty) {
            TypeKind::Pointer(inner) => match unit.kind(*inner) {
                TypeKind::Void => Kinds::UNTYPED,
                _ if leads_to_pointers(unit, ty) => Kinds::NONE,
                _ => Kinds::TYPED,
            },
            TypeKind::Integer(_) | TypeKind::Enum(_) => Kinds::NUMBER,
            TypeKind::Float(_) | TypeKind::Bool => Kinds::NONE,
            TypeKind::Array { element, .. } => self.kinds_of(unit, *element),
            TypeKind::Record(record) => self.kinds_of_members(unit, *record),
            _ => Kinds::ALL,
        }
    }

    /// What of an origin comes into a place when it is stored there.
    pub(super) fn stored(&self, place: &Location, origin: Origin) -> Option<Origin> {
        match origin {
            Origin::Whole(kinds) => {
                let kinds = kinds.common(self.stored_as(place));
                (!kinds.is_empty()).then_some(Origin::Whole(kinds))
            }
            _ => Some(origin),
        }
    }

    /// What is known of a value that is read from a place where such origins are.
    pub(super) fn read<'b>(
        &self,
        place: &Location,
        mut there: impl Iterator<Item = &'b Origin>,
    ) -> Option<Origin> {
        if !self.seeks_wholes() {
            return there.max().cloned();
        }
        let sought = self.stored_as(place);
        let is_read = |one: &Origin| match one {
            Origin::Whole(kinds) => !kinds.common(sought).is_empty(),
            _ => false,
        };
        there.any(is_read).then_some(Origin::Whole(Kinds::ALL))
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
                    self.value(scope, *first, Some(Origin::Whole(Kinds::ALL)));
                    if let Some(place) = place {
                        self.store(scope, place, Some(Origin::Whole(Kinds::ALL)));
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

/// Whether a type is that of a pointer to what may hold pointers.
fn leads_to_pointers(unit: &Unit, ty: TypeId) -> bool {
    unit.pointee(ty).is_some_and(|inner| {
        let is_record = matches!(unit.kind(inner), TypeKind::Record(_));
        unit.holds_pointers(inner) || is_record && !unit.is_complete(inner)
    })
}
