//! How many bytes of memory a library function is told to touch, where that is surely known.

use cccp_grammar::Amount;

use crate::analysis::datatypes::Datatype;
use crate::analysis::polynomial::Polynomial;
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
        let count = u64::try_from(self.amount(of, amount)?).ok()?;
        if matches!(amount, Amount::Of(..)) || self.is_untyped(of, parameter)? {
            return Some(count);
        }
        let value = of.call.arguments.get(parameter)?.value;
        count.checked_mul(self.points_to.size_of_pointee(of.routine, value)?)
    }

    /// A number, when it is the same in every run.
    fn amount(&self, of: &Measured<'_>, amount: &Amount) -> Option<i128> {
        let routine = &self.steps.routines[of.routine.0 as usize];
        let argument = |position: usize| of.call.arguments.get(position);
        let known = |position| {
            let constant = routine.value(argument(position)?.value).constant?;
            Some(Polynomial::constant(constant))
        };
        let items = |position| {
            let file = &self.program.units[routine.function.unit].file;
            Some(Datatype::written(file, argument(position)?.span)?.size)
        };
        Polynomial::amount(amount, of.function, &known, &items)?.as_constant()
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
