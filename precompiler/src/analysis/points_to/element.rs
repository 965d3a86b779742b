//! What a block of the heap consists of, where the call that allocates it says so: `n * sizeof(T)`, through however many
//! functions.
//!
//! Without that a block has the type of the largest struct through which anything may touch it. That is right where pointers
//! lead to blocks of one kind; where one table leads to numbers and to structs, the numbers would be structs.
//!
//! ```text
//! table[0] = calloc(64, sizeof(float));    table[1] = calloc(1, sizeof(struct box));    struct box *b = table[i];
//! ```
//!
//! What the text says is believed when it is a struct, a pointer or a number that nobody takes for raw memory, and when the
//! pointer that the block is first stored in does not say something else: `struct complex *z = malloc(2 * n * sizeof(double))`.
//! Errors fall on the side of *not said*.

use cccp_grammar::Amount;

use super::solver::Solver;
use crate::analysis::memory::{LayoutId, LeafKind, ObjectKind, Shape};
use crate::catalog::{Alternative, Extent, LibraryFunction};
use crate::dataflow::steps::{
    Call, Combination, RoutineId, Step, StepKind, TextPlace, TypeRef, ValueId,
};
use crate::program::TypeKind;

impl<'a> Solver<'a> {
    /// What a block consists of, as the text says.
    pub fn element_of(&mut self, kind: &ObjectKind) -> Option<(LayoutId, TypeRef)> {
        let ObjectKind::Heap {
            routine,
            call,
            through,
        } = kind
        else {
            return None;
        };
        let (function, one) = self.allocation(*routine, *call)?;
        let said =
            self.type_in_amount(new_amount(&function)?, &function, one, *routine, through)?;
        let said = self.layout(said);
        let said = self.layouts.element(said);
        let size = self.layouts.get(said).size?;
        let first = match through.first() {
            Some(outermost) => self.call_at(*outermost)?,
            None => (*routine, one),
        };
        let stored = self.first_pointer(first.0, first.1.result);
        let stored = stored.map(|layout| self.layouts.element(layout));
        let is_same = stored == Some(said);
        let is_believed = match self.layouts.get(said).shape {
            // A struct may begin like the one by which it is known.
            Shape::Record(..) => size > 8 && stored.is_none_or(|one| self.begins_like(said, one)),
            // Bytes and words may be anything, unless they are used as such at once.
            Shape::Leaf(LeafKind::Integer, _) if size == 8 || size >= self.pointer_bits => {
                size > 8 && is_same
            }
            Shape::Leaf(LeafKind::Integer | LeafKind::Float | LeafKind::Pointer, _) => {
                is_same || stored.is_none()
            }
            _ => false,
        };
        let ty = self.layouts.type_of(said)?;
        is_believed.then_some((said, ty))
    }

    /// Whether a struct begins with all members of another one.
    fn begins_like(&self, long: LayoutId, short: LayoutId) -> bool {
        let (long, short) = (self.layouts.get(long), self.layouts.get(short));
        let pairs = || short.leaves.iter().zip(&long.leaves);
        matches!(short.shape, Shape::Record(..))
            && short.leaves.len() <= long.leaves.len()
            && pairs().all(|(a, b)| (a.offset, a.size, a.kind) == (b.offset, b.size, b.kind))
    }

    /// The type whose size an amount is a multiple of.
    fn type_in_amount(
        &self,
        amount: &Amount,
        function: &LibraryFunction,
        call: &Call,
        caller: RoutineId,
        through: &[TextPlace],
    ) -> Option<TypeRef> {
        match amount {
            Amount::Parameter {
                name,
                behind: false,
            } => {
                let mut names = function.parameters.iter();
                let position = names.position(|one| *one == name.text)?;
                let (mut caller, mut through) = (caller, through);
                let mut value = call.arguments.get(position)?.value;
                loop {
                    if let Some(said) = self.steps.routine(caller).value(value).size_of {
                        return Some(said);
                    }
                    (caller, value, through) = self.source_of(caller, value, through)?;
                }
            }
            Amount::Product(factors) => {
                let mut said = factors
                    .iter()
                    .filter_map(|one| self.type_in_amount(one, function, call, caller, through));
                // The size of a struct times that of another one is nobody's.
                said.next().filter(|_| said.next().is_none())
            }
            _ => None,
        }
    }

    /// To what the first pointer leads that a value is stored in, or that it is cast to.
    fn first_pointer(&mut self, routine: RoutineId, value: ValueId) -> Option<LayoutId> {
        let steps = self.steps.routine(routine);
        let mut found = None;
        steps.walk(&mut |step: &'a Step| {
            let ty = match &step.kind {
                StepKind::Combine {
                    from,
                    into,
                    how: Combination::Cast,
                } if from[..] == [value] => steps.value(*into).ty,
                StepKind::Write {
                    place,
                    value: Some(written),
                    ..
                } if *written == value => place.ty,
                _ => return,
            };
            found = found.or(Some(ty));
        });
        let ty = found?;
        let unit = &self.program.units[ty.unit];
        let inner = unit.pointee(ty.id)?;
        match unit.kind(inner) {
            TypeKind::Void | TypeKind::Unknown => None,
            _ => self.pointee(ty),
        }
    }
}

/// How much new memory a function hands out.
fn new_amount(function: &LibraryFunction) -> Option<&Amount> {
    let stored = function.stores.iter().flat_map(|(_, values)| values);
    function
        .returns
        .iter()
        .chain(stored)
        .find_map(|one| match one {
            Alternative::New(Some(Extent::Elements(amount))) => Some(amount),
            _ => None,
        })
}
