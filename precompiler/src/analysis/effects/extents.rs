//! How many bytes of memory a library function is told to touch, where that is surely known.

use cccp_grammar::Amount;

use crate::analysis::datatypes::Datatype;
use crate::catalog::{Extent, LibraryFunction};
use crate::dataflow::steps::{Call, Called, RoutineId};
use crate::program::TypeKind;

use super::lower::Lowering;

/// A call whose extents are asked for.
pub(super) struct Measured<'a> {
    pub routine: RoutineId,
    pub call: &'a Call,
    pub function: &'a LibraryFunction,
}

impl Lowering<'_> {
    /// How many bytes behind a parameter an extent surely is.
    pub fn bytes(
        &self,
        of: &Measured<'_>,
        parameter: usize,
        extent: Option<&Extent>,
    ) -> Option<u64> {
        let Some(Extent::Elements(amount)) = extent else {
            return None;
        };
        if let Amount::Of(count, datatype) = amount {
            let count = self.amount(of, count)?;
            let position = of.parameter(&datatype.text)?;
            return count.checked_mul(self.datatype(of, position)?.size);
        }
        let count = self.amount(of, amount)?;
        if self.is_untyped(of, parameter)? {
            return Some(count);
        }
        let value = of.call.arguments.get(parameter)?.value;
        count.checked_mul(self.points_to.size_of_pointee(of.routine, value)?)
    }

    /// A number, when it is the same in every run.
    fn amount(&self, of: &Measured<'_>, amount: &Amount) -> Option<u64> {
        match amount {
            Amount::Number(number) => Some(*number),
            Amount::Parameter {
                name,
                behind: false,
            } => {
                let position = of.parameter(&name.text)?;
                let value = of.call.arguments.get(position)?.value;
                let routine = &self.steps.routines[of.routine.0 as usize];
                u64::try_from(routine.values.get(value.0 as usize)?.constant?).ok()
            }
            Amount::Product(factors) => factors.iter().try_fold(1u64, |product, factor| {
                product.checked_mul(self.amount(of, factor)?)
            }),
            Amount::Sum(terms) => terms.iter().try_fold(0u64, |sum, (subtracted, term)| {
                let term = self.amount(of, term)?;
                if *subtracted {
                    sum.checked_sub(term)
                } else {
                    sum.checked_add(term)
                }
            }),
            Amount::Parameter { .. } | Amount::Of(..) | Amount::Measure(..) => None,
        }
    }

    /// The datatype of MPI that an argument is.
    fn datatype(&self, of: &Measured<'_>, position: usize) -> Option<&'static Datatype> {
        let routine = &self.steps.routines[of.routine.0 as usize];
        let file = &self.program.units[routine.function.unit].file;
        Datatype::written(file, of.call.arguments.get(position)?.span)
    }

    /// Whether the function's declaration says `void *` there; nothing when it does not say.
    fn is_untyped(&self, of: &Measured<'_>, parameter: usize) -> Option<bool> {
        let routine = &self.steps.routines[of.routine.0 as usize];
        let unit = &self.program.units[routine.function.unit];
        let Called::Named(name) = &of.call.callee else {
            return None;
        };
        let ty = self.prototypes[routine.function.unit].get(name.as_str())?;
        let TypeKind::Function { parameters, .. } = unit.kind(*ty) else {
            return None;
        };
        let pointee = unit.pointee(*parameters.get(parameter)?)?;
        Some(*unit.kind(pointee) == TypeKind::Void)
    }
}

impl Measured<'_> {
    fn parameter(&self, name: &str) -> Option<usize> {
        self.function.parameters.iter().position(|one| one == name)
    }
}
