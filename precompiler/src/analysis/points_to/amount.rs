//! How many bytes a block of the heap has, where that is a constant, through however many functions.
//!
//! In: the call of the library that allocates it, and the calls of the program's own functions that lead there. A block
//! that is known to hold one struct is one struct: a write to a member is one to *that* member, and nothing lies behind
//! it.
//!
//! ```text
//! void *get(size_t n) { return malloc(n); }      struct s *s = get(sizeof *s);     sizeof(struct s)
//! ```
//!
//! Errors fall on the side of *not known*: a parameter that the function changes, a call that may be another one.
//!
//! Not here: numbers of elements that are computed (`coverage`).

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::solver::Solver;
use crate::analysis::memory::{LayoutId, ObjectKind};
use crate::analysis::polynomial::Polynomial;
use crate::catalog::LibraryFunction;
use crate::dataflow::steps::{
    Base, Call, Called, Combination, RoutineId, Step, StepKind, TextPlace, TypeRef, ValueId,
    VariableId,
};
use crate::program::{IntegerKind, TypeKind};

/// Calls by their text; none when there are several there.
pub type Calls<'a> = FxHashMap<TextPlace, Option<(RoutineId, &'a Call)>>;

impl<'a> Solver<'a> {
    /// How many bytes a block has.
    pub fn bytes_of(&self, kind: &ObjectKind) -> Option<u64> {
        let ObjectKind::Heap {
            routine,
            call,
            through,
        } = kind
        else {
            return None;
        };
        let (function, one) = self.allocation(*routine, *call)?;
        let argument = |position: usize| {
            let value = one.arguments.get(position)?.value;
            let constant = self.constant_of(*routine, value, through)?;
            Some(Polynomial::constant(constant))
        };
        let bytes = Polynomial::amount(function.allocates()?, &function, &argument, &|_| None)?;
        u64::try_from(bytes.as_constant()?)
            .ok()
            .filter(|bytes| *bytes > 0)
    }

    /// The call of the library that allocates a block.
    pub fn allocation(
        &self,
        routine: RoutineId,
        call: TextPlace,
    ) -> Option<(Arc<LibraryFunction>, &'a Call)> {
        let (caller, one) = self.call_at(call)?;
        let Called::Named(name) = &one.callee else {
            return None;
        };
        let function = self.catalogue.find(name).filter(|_| caller == routine)?;
        Some((function, one))
    }

    /// Whether all of a block is one element of a type.
    pub fn is_one_element(&self, bytes: Option<u64>, element: LayoutId) -> bool {
        let bits = bytes.and_then(|bytes| bytes.checked_mul(8));
        let size = self.layouts.get(element).size;
        bits.zip(size).is_some_and(|(bits, size)| bits <= size)
    }

    /// All calls of the program.
    pub fn all_calls(&self) -> Calls<'a> {
        let mut calls = Calls::default();
        for routine in self.steps.routine_ids() {
            let one = self.steps.routine(routine);
            let unit = one.function.unit;
            one.walk(&mut |step: &'a Step| {
                if let StepKind::Call(call) = &step.kind {
                    let span = step.span;
                    let known = calls.entry(TextPlace { unit, span });
                    known
                        .and_modify(|known| *known = None)
                        .or_insert(Some((routine, call)));
                }
            });
        }
        calls
    }

    /// The call that stands at a place.
    pub fn call_at(&self, place: TextPlace) -> Option<(RoutineId, &'a Call)> {
        *self.calls.get(&place)?
    }

    /// What a value is in a function that was called by these calls.
    fn constant_of(
        &self,
        routine: RoutineId,
        value: ValueId,
        through: &[TextPlace],
    ) -> Option<i128> {
        let steps = self.steps.routine(routine);
        let value_of = steps.value(value);
        if !self.is_wide(value_of.ty) {
            return None;
        }
        if let Some(constant) = value_of.constant {
            return i16::try_from(constant).ok().map(i128::from);
        }
        let (caller, value, outer) = self.source_of(routine, value, through)?;
        self.constant_of(caller, value, outer)
    }

    /// Where the value of a cast or of a parameter comes from: the function there, and the calls that lead to it.
    pub fn source_of<'t>(
        &self,
        routine: RoutineId,
        value: ValueId,
        through: &'t [TextPlace],
    ) -> Option<(RoutineId, ValueId, &'t [TextPlace])> {
        let steps = self.steps.routine(routine);
        let mut found = None;
        steps.walk(&mut |step: &'a Step| match &step.kind {
            StepKind::Read { into, .. } | StepKind::Combine { into, .. } if *into == value => {
                found = Some(&step.kind);
            }
            _ => {}
        });
        match found? {
            StepKind::Combine {
                from,
                how: Combination::Cast,
                ..
            } => match from[..] {
                [one] => Some((routine, one, through)),
                _ => None,
            },
            StepKind::Read { place, .. } => {
                let Base::Variable(variable) = place.base else {
                    return None;
                };
                let mut parameters = steps.parameters.iter();
                let position = parameters.position(|one| *one == variable)?;
                if !place.path.is_empty() || !self.keeps(routine, variable) {
                    return None;
                }
                let (last, outer) = through.split_last()?;
                let (caller, call) = self.call_at(*last)?;
                if call.callee != Called::Routine(routine) {
                    return None;
                }
                Some((caller, call.arguments.get(position)?.value, outer))
            }
            _ => None,
        }
    }

    /// Whether a type holds all numbers of sixteen bits from zero on.
    fn is_wide(&self, ty: TypeRef) -> bool {
        let kind = self.program.units[ty.unit].kind(ty.id);
        !matches!(
            kind,
            TypeKind::Bool
                | TypeKind::Float(_)
                | TypeKind::Integer(
                    IntegerKind::Char | IntegerKind::SignedChar | IntegerKind::UnsignedChar
                )
        )
    }

    /// Whether a parameter keeps the value that it was handed.
    fn keeps(&self, routine: RoutineId, parameter: VariableId) -> bool {
        let mut kept = !self.is_exposed[parameter.0 as usize];
        self.steps.routine(routine).walk(&mut |step| {
            if let StepKind::Write { place, .. } | StepKind::Copy { to: place, .. } = &step.kind {
                kept &= place.base != Base::Variable(parameter);
            }
        });
        kept
    }
}
