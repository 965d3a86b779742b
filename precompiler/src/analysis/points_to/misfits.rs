//! Calls through pointers that do not happen: a program that has callbacks in C and in Fortran calls either kind through the one pointer
//! that it has, after a cast, and a flag tells which kind it is.
//!
//! ```text
//! if (is_fortran) ((double (*)(void *, void *))f)(&context, &index);
//! else            f(context, index);                            double f(struct context *context, int index)
//! ```
//!
//! In: the steps of all functions. Out: for each call the arguments that are addresses of variables, and for each function the parameters
//! that it uses as numbers without room for an address. A call that gives the one for the other does not happen: part of an address says
//! nothing (and C leaves such a call undefined, C11 6.5.2.2p9). A parameter that is only there, as of a handler that looks at none, takes
//! anything.
//!
//! Errors fall on the side of calls that may happen.

use super::lent::addresses;
use super::query::Scope;
use crate::dataflow::steps::{
    Base, Called, Combination, Routine, RoutineId, StepKind, Steps, TypeRef, ValueId, VariableId,
};
use crate::program::{Layout, Program, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of calls through pointers, each named by its result, and of what they may call.
#[derive(Clone, Debug, Default)]
pub(super) struct Misfits {
    /// The arguments that are addresses of variables.
    given: FxHashMap<(Scope, ValueId), Vec<usize>>,
    /// The parameters of a function that it uses, and in which there is no room for an address.
    narrow: FxHashMap<RoutineId, Vec<usize>>,
}

impl Misfits {
    /// Finds them.
    pub fn of(program: &Program, steps: &Steps) -> Misfits {
        let mut found = Misfits::default();
        let initial = (0..steps.initial.len()).map(Scope::Initial);
        for scope in initial.chain(steps.routine_ids().map(Scope::Routine)) {
            let routine = scope.steps(steps);
            let known = addresses(routine);
            routine.walk(&mut |step| {
                let StepKind::Call(call) = &step.kind else {
                    return;
                };
                if matches!(call.callee, Called::Pointer(_)) {
                    let arguments = call.arguments.iter().enumerate();
                    let given = arguments.filter(|(_, one)| known.contains_key(&one.value));
                    let given: Vec<usize> = given.map(|(index, _)| index).collect();
                    if !given.is_empty() {
                        found.given.insert((scope, call.result), given);
                    }
                }
            });
        }
        if found.given.is_empty() {
            return found;
        }
        for id in steps.routine_ids() {
            let routine = steps.routine(id);
            let parameters = routine.parameters.iter().enumerate();
            let narrow = |(_, one): &(usize, &VariableId)| {
                is_narrow(program, steps.variable(**one).ty) && is_used(routine, **one)
            };
            let narrow: Vec<usize> = parameters.filter(narrow).map(|(index, _)| index).collect();
            if !narrow.is_empty() {
                found.narrow.insert(id, narrow);
            }
        }
        found
    }

    /// Whether a call may call a function of the program.
    pub fn allow(&self, (scope, result): (Scope, ValueId), callee: RoutineId) -> bool {
        let narrow = self.narrow.get(&callee);
        let (Some(given), Some(narrow)) = (self.given.get(&(scope, result)), narrow) else {
            return true;
        };
        !given.iter().any(|one| narrow.contains(one))
    }
}

/// Whether a number has no room for an address.
fn is_narrow(program: &Program, ty: TypeRef) -> bool {
    let unit = &program.units[ty.unit];
    let layout = Layout::of(unit);
    match unit.kind(ty.id) {
        TypeKind::Integer(_) | TypeKind::Enum(_) | TypeKind::Bool => layout
            .bytes(ty.id)
            .is_some_and(|bytes| bytes < layout.machine.pointer),
        TypeKind::Float(_) => true,
        _ => false,
    }
}

/// Whether something is done with the value of a parameter; `(void)parameter` is nothing.
fn is_used(routine: &Routine, parameter: VariableId) -> bool {
    let mut values: FxHashSet<ValueId> = FxHashSet::default();
    let mut is_used = false;
    routine.walk(&mut |step| match &step.kind {
        StepKind::Read { place, into } if place.base == Base::Variable(parameter) => {
            values.insert(*into);
        }
        StepKind::Combine {
            from,
            into,
            how: Combination::Cast,
        } if from.iter().any(|one| values.contains(one)) => {
            values.insert(*into);
        }
        StepKind::Combine { from, .. } => {
            is_used |= from.iter().any(|one| values.contains(one));
        }
        StepKind::Write {
            value: Some(value), ..
        } => is_used |= values.contains(value),
        StepKind::Call(call) => {
            let mut arguments = call.arguments.iter();
            is_used |= arguments.any(|one| values.contains(&one.value));
        }
        _ => {}
    });
    is_used
}
