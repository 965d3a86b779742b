//! Locals whose address is handed to nobody but library functions that put a new block there: `posix_memalign(&p, 32, n)`.
//!
//! For such a local the call is as good as an assignment of what it allocates: in a function that hands out memory it is told apart
//! by call, like locals whose address nobody takes. Errors fall on the side of *not lent*.

use std::collections::HashMap;

use super::solver::Solver;
use crate::catalog::{Alternative, EffectKind, LibraryFunction, Place, Root};
use crate::dataflow::steps::{
    Argument, Base, Call, Called, Combination, Location, Routine, Step, StepKind, ValueId,
    VariableId,
};

/// The values of a function that are addresses of variables as a whole.
pub(super) fn addresses(routine: &Routine) -> HashMap<ValueId, VariableId> {
    let mut found = HashMap::new();
    routine.walk(&mut |step| match &step.kind {
        StepKind::Address { place, into } => {
            if let (Base::Variable(variable), true) = (&place.base, place.path.is_empty()) {
                found.insert(*into, *variable);
            }
        }
        StepKind::Combine {
            from,
            into,
            how: Combination::Cast,
        } => {
            if let [one] = from[..]
                && let Some(variable) = found.get(&one).copied()
            {
                found.insert(*into, variable);
            }
        }
        _ => {}
    });
    found
}

/// Whether a place is what an argument points to.
fn is_behind(place: &Place, argument: usize) -> bool {
    place.root == Root::Parameter(argument)
}

/// Whether a library function does nothing with an argument but to store a new block where it points to.
fn is_filled(function: &LibraryFunction, argument: usize) -> bool {
    let stores = |(place, values): &(Place, Vec<Alternative>)| {
        is_behind(place, argument)
            && place.behind == 0
            && place.members.is_empty()
            && !place.everything
            && (values.iter()).all(|one| matches!(one, Alternative::New(_) | Alternative::Null))
    };
    let keeps = function.effects.iter().any(|effect| {
        matches!(effect.kind, EffectKind::Keeps(_)) && is_behind(&effect.place, argument)
    });
    let gives = function.returns.iter().any(|one| match one {
        Alternative::Same(place) | Alternative::Into(place) => is_behind(place, argument),
        Alternative::New(_) | Alternative::Null => false,
    });
    function.stores.iter().any(stores) && !keeps && !gives && function.calls.is_empty()
}

impl Solver<'_> {
    /// Finds them among the variables whose address is taken.
    pub(super) fn look_for_lent(&mut self) {
        let mut lent = self.is_exposed.clone();
        for routine in self.steps.routines.iter().chain(&self.steps.initial) {
            let known = addresses(routine);
            let mut kept = |value: &ValueId| {
                if let Some(variable) = known.get(value) {
                    lent[variable.0 as usize] = false;
                }
            };
            routine.walk(&mut |step| self.others(step, &mut kept));
            routine.walk(&mut |step| {
                let named = match &step.kind {
                    StepKind::Address { place, .. } if !place.path.is_empty() => {
                        std::slice::from_ref(place)
                    }
                    StepKind::Assembly { named, .. } => named.as_slice(),
                    _ => &[],
                };
                for place in named {
                    if let Base::Variable(variable) = place.base {
                        lent[variable.0 as usize] = false;
                    }
                }
            });
        }
        self.is_lent = lent;
    }

    /// The values that a step uses otherwise.
    fn others(&self, step: &Step, kept: &mut dyn FnMut(&ValueId)) {
        let mut places: Vec<&Location> = Vec::new();
        match &step.kind {
            StepKind::Read { place, .. } | StepKind::Address { place, .. } => places.push(place),
            StepKind::Write { place, value, .. } => {
                places.push(place);
                value.iter().for_each(&mut *kept);
            }
            StepKind::Copy { from, to, .. } => places.extend([from, to]),
            StepKind::Combine { from, how, .. } => {
                if *how != Combination::Cast || from.len() != 1 {
                    from.iter().for_each(&mut *kept);
                }
            }
            StepKind::Call(call) => {
                if let Called::Pointer(value) = &call.callee {
                    kept(value);
                }
                let filled = self.filled(call);
                for (index, argument) in call.arguments.iter().enumerate() {
                    places.extend(&argument.aggregate);
                    if !filled.contains(&index) {
                        kept(&argument.value);
                    }
                }
            }
            StepKind::Return { value, aggregate } => {
                value.iter().for_each(&mut *kept);
                places.extend(aggregate);
            }
            StepKind::Assembly { named, .. } => places.extend(named),
            StepKind::Begin(_)
            | StepKind::Choose(_)
            | StepKind::Repeat(_)
            | StepKind::Directive(_) => {}
        }
        for place in places {
            place.values().for_each(|value| kept(&value));
        }
    }

    /// Of the arguments of a call, those with which nothing is done but to store a new block where they point to.
    pub(super) fn filled(&self, call: &Call) -> Vec<usize> {
        let Called::Named(name) = &call.callee else {
            return Vec::new();
        };
        let Some(function) = self.catalogue.find(name) else {
            return Vec::new();
        };
        let all = 0..call.arguments.len();
        all.filter(|argument| is_filled(&function, *argument))
            .collect()
    }

    /// The lent local whose address an argument is.
    pub(super) fn lent(
        &self,
        known: &HashMap<ValueId, VariableId>,
        argument: &Argument,
    ) -> Option<VariableId> {
        let variable = *known.get(&argument.value)?;
        let is_lent = argument.aggregate.is_none() && self.is_lent[variable.0 as usize];
        is_lent.then_some(variable)
    }
}
