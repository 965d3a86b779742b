//! Whether a call hands over memory, where NULL would mean to go on with what the library remembers.
//!
//! ```text
//! strtok(line, " ");      begins anew: what strtok went on with before is not read
//! strtok(NULL, " ");      goes on
//! ```
//!
//! In: an argument. Out: that it is an address, or a pointer that nowhere gets a null constant. A pointer to which a library
//! function stores through its address (`getline(&line, …)`) may begin as NULL. What an allocation gives when there is no memory
//! left, or a library function when it fails, is not looked at: a program that goes on with that has stopped working before. That
//! a variable with static storage, which begins as NULL, has been set before the call is assumed, and reported; so it is of members and
//! elements, unless the function itself stores NULL to such a one.
//! Errors fall on the side of *not known*.

use std::collections::BTreeSet;

use crate::catalog::{Alternative, EffectKind, LibraryFunction, Root};
use crate::dataflow::steps::{
    Base, Call, Called, Combination, Location, Projection, Routine, RoutineId, Step, StepKind,
    ValueId, VariableId, VariableKind,
};
use crate::program::Storage;
use crate::source::Span;

use super::kept::state_name;
use super::lower::Lowering;

/// What is being asked already: its answer depends on the others.
#[derive(Clone, Default)]
pub(super) struct Asked {
    variables: Vec<VariableId>,
    routines: Vec<RoutineId>,
    /// Where a variable is read.
    reads: Vec<(RoutineId, ValueId)>,
    /// The answer was no, by what happened just before, and by what is stored there anywhere.
    not_here: BTreeSet<(RoutineId, ValueId)>,
    not_everywhere: BTreeSet<VariableId>,
    once_set: bool,
    /// Members and elements are taken to have been set before.
    trusts_members: bool,
}

/// What a call hands over, when that is surely an address.
#[derive(Clone, Copy)]
pub(super) struct Memory {
    /// Only if a variable that begins as NULL has been set before.
    pub once_set: bool,
}

impl Lowering<'_> {
    /// Whether a call begins anew what a library remembers for the calls that come: it hands over memory where the others,
    /// which go on, hand over NULL (`strtok`).
    pub(super) fn begins_anew(
        &self,
        id: RoutineId,
        call: &Call,
        function: &LibraryFunction,
        root: &Root,
    ) -> Option<Memory> {
        let Root::Hidden(state) = root else {
            return None;
        };
        let mut effects = function.effects.iter();
        effects.find_map(|one| match (&one.kind, &one.place.root) {
            (EffectKind::Keeps(Some(kept)), Root::Parameter(parameter)) => {
                let is_it =
                    state_name(kept) == state_name(state) && function.nullable.contains(parameter);
                let asked = Asked {
                    trusts_members: true,
                    ..Asked::default()
                };
                let memory = is_it.then(|| self.is_argument_memory(id, call, *parameter, asked));
                memory.flatten()
            }
            _ => None,
        })
    }

    /// Whether an argument is surely not NULL.
    pub(super) fn hands_over_memory(
        &self,
        id: RoutineId,
        call: &Call,
        parameter: usize,
    ) -> Option<Memory> {
        self.is_argument_memory(id, call, parameter, Asked::default())
    }

    fn is_argument_memory(
        &self,
        id: RoutineId,
        call: &Call,
        parameter: usize,
        mut asked: Asked,
    ) -> Option<Memory> {
        let argument = call.arguments.get(parameter)?;
        let is_memory = self.is_memory(id, argument.value, &mut asked);
        is_memory.then_some(Memory {
            once_set: asked.once_set,
        })
    }

    /// Whether a value is the address of something, surely not NULL.
    pub(super) fn is_memory(&self, id: RoutineId, mut value: ValueId, asked: &mut Asked) -> bool {
        let routine = self.steps.routine(id);
        loop {
            match setter(routine, value) {
                Some(StepKind::Address { place, .. }) => {
                    let is_inside = !place.path.is_empty();
                    return match place.base {
                        Base::Pointer(pointer, _) if !is_inside => {
                            self.is_memory(id, pointer, asked)
                        }
                        _ => true,
                    };
                }
                Some(StepKind::Combine { from, how, .. }) => match (how, from.as_slice()) {
                    (Combination::Cast, [only]) => value = *only,
                    (Combination::PointerStep | Combination::PointerBack, [pointer, ..]) => {
                        value = *pointer;
                    }
                    (Combination::Choice, all) => {
                        return all.iter().all(|one| self.is_memory(id, *one, asked));
                    }
                    _ => return false,
                },
                Some(StepKind::Read { place, .. }) => {
                    return match place.base {
                        Base::Variable(variable) if place.path.is_empty() => {
                            self.reads_memory(id, value, variable, asked)
                        }
                        Base::Variable(_) | Base::Pointer(..) if asked.trusts_members => {
                            asked.once_set = true;
                            !sets_to_null(routine, place)
                        }
                        _ => false,
                    };
                }
                Some(StepKind::Call(call)) => return self.gives_memory(call, asked),
                _ => return false,
            }
        }
    }

    /// Whether a variable holds an address where it is read, or everywhere.
    fn reads_memory(
        &self,
        id: RoutineId,
        read: ValueId,
        variable: VariableId,
        asked: &mut Asked,
    ) -> bool {
        if asked.reads.contains(&(id, read)) {
            return true;
        }
        // What is only taken for granted while a question is open holds no longer when the answer is no.
        if !asked.not_here.contains(&(id, read)) {
            let before = asked.clone();
            asked.reads.push((id, read));
            if self.is_memory_here(id, read, variable, asked) {
                return true;
            }
            let tried = std::mem::replace(asked, before);
            asked.not_here = tried.not_here;
            asked.not_everywhere = tried.not_everywhere;
            asked.not_here.insert((id, read));
        }
        let is_one =
            !asked.not_everywhere.contains(&variable) && self.holds_memory(variable, asked);
        if !is_one {
            asked.not_everywhere.insert(variable);
        }
        is_one
    }

    /// Whether a call gives back memory, unless there is none left.
    fn gives_memory(&self, call: &Call, asked: &mut Asked) -> bool {
        match &call.callee {
            Called::Named(name) => self.catalogue.find(name).is_some_and(|function| {
                let is_new = |one: &Alternative| matches!(one, Alternative::New(_));
                let is_new_or_null = |one: &Alternative| is_new(one) || *one == Alternative::Null;
                function.returns.iter().any(is_new) && function.returns.iter().all(is_new_or_null)
            }),
            Called::Routine(routine) => {
                if asked.routines.contains(routine) {
                    return true;
                }
                asked.routines.push(*routine);
                let mut returned = Vec::new();
                self.steps.routine(*routine).walk(&mut |step| {
                    if let StepKind::Return { value, .. } = &step.kind {
                        returned.push(*value);
                    }
                });
                let gives = |one: Option<ValueId>, asked: &mut Asked| {
                    one.is_some_and(|value| self.is_memory(*routine, value, asked))
                };
                !returned.is_empty() && returned.into_iter().all(|one| gives(one, asked))
            }
            Called::Pointer(_) => false,
        }
    }

    /// Whether a variable holds nothing but addresses.
    fn holds_memory(&self, variable: VariableId, asked: &mut Asked) -> bool {
        let facts = self.steps.variable(variable);
        if asked.variables.contains(&variable) {
            return true;
        }
        if facts.per_thread || facts.is_shared && !self.points_to.unknown_functions().is_empty() {
            return false;
        }
        asked.variables.push(variable);
        let mut uses = Uses::default();
        match facts.owner {
            Some(owner) => uses.look(self.steps.routine(owner), owner, variable),
            None => {
                for id in self.steps.routine_ids() {
                    uses.look(self.steps.routine(id), id, variable);
                }
            }
        }
        let is_declaration = |step: Span| {
            let declared = facts.declared.span;
            step.contains(declared) || declared.contains(step)
        };
        let is_filled = uses.taken > 0 && uses.taken == self.filled(&uses, variable);
        let is_given = match facts.kind {
            VariableKind::Parameter(position) => facts
                .owner
                .is_some_and(|owner| self.is_given_memory(owner, position, asked)),
            VariableKind::Named => is_filled || !uses.written.is_empty(),
            _ => false,
        };
        let is_local = matches!(facts.storage, Storage::Automatic | Storage::Register);
        let is_initialised = |one: &(_, _, Span)| is_declaration(one.2);
        asked.once_set |= !is_local && !uses.written.iter().any(is_initialised);
        is_given
            && !uses.is_hidden
            && (uses.taken == 0 || is_filled)
            && uses.written.iter().all(|(id, value, span)| {
                // Until the library function has stored there.
                let is_first = is_filled && is_local && is_declaration(*span);
                is_first || value.is_some_and(|value| self.is_memory(*id, value, asked))
            })
    }

    /// How many addresses of a variable are handed to library functions that store pointers there.
    fn filled(&self, uses: &Uses, variable: VariableId) -> usize {
        let mut filled = 0;
        for &id in &uses.routines {
            let routine = self.steps.routine(id);
            routine.walk(&mut |step| {
                let StepKind::Call(call) = &step.kind else {
                    return;
                };
                let Called::Named(name) = &call.callee else {
                    return;
                };
                let Some(function) = self.catalogue.find(name) else {
                    return;
                };
                let stores = function.stores.iter().filter(|(place, values)| {
                    let Root::Parameter(position) = place.root else {
                        return false;
                    };
                    let argument = call.arguments.get(position);
                    let is_it = argument.is_some_and(|one| {
                        matches!(uncast(routine, one.value), Some(StepKind::Address { place, .. })
                            if place.base == Base::Variable(variable) && place.path.is_empty())
                    });
                    is_it && place.behind == 0 && !values.contains(&Alternative::Null)
                });
                filled += stores.count();
            });
        }
        filled
    }

    /// Whether all callers of a function hand over addresses.
    pub(super) fn is_given_memory(
        &self,
        id: RoutineId,
        position: usize,
        asked: &mut Asked,
    ) -> bool {
        if self.from_outside.contains(&id) || !self.points_to.unknown_functions().is_empty() {
            return false;
        }
        let mut given = Vec::new();
        for caller in self.steps.routine_ids() {
            self.steps.routine(caller).walk(&mut |step| {
                if let StepKind::Call(call) = &step.kind
                    && self.points_to.callees(caller, call).routines.contains(&id)
                {
                    let argument = call.arguments.get(position);
                    given.push((caller, argument.map(|argument| argument.value)));
                }
            });
        }
        let is_called = !given.is_empty();
        let mut given = given.into_iter();
        is_called
            && given.all(|(caller, value)| {
                value.is_some_and(|value| self.is_memory(caller, value, asked))
            })
    }
}

/// What the program does with a variable.
#[derive(Default)]
struct Uses {
    /// What is stored to it: by whom, what, and where.
    written: Vec<(RoutineId, Option<ValueId>, Span)>,
    /// How often its address is taken.
    taken: usize,
    /// It is set in a way that does not say what.
    is_hidden: bool,
    /// The functions that mention it so.
    routines: Vec<RoutineId>,
}

impl Uses {
    fn look(&mut self, routine: &Routine, id: RoutineId, variable: VariableId) {
        let is_it = |place: &Location| place.base == Base::Variable(variable);
        let before = (self.written.len(), self.taken);
        routine.walk(&mut |step: &Step| match &step.kind {
            StepKind::Write { place, value, .. } if is_it(place) => {
                self.written.push((id, *value, step.span));
            }
            StepKind::Address { place, .. } if is_it(place) => self.taken += 1,
            StepKind::Copy { to, .. } => self.is_hidden |= is_it(to),
            StepKind::Assembly { named, .. } => self.is_hidden |= named.iter().any(is_it),
            _ => {}
        });
        if before != (self.written.len(), self.taken) {
            self.routines.push(id);
        }
    }
}

/// Whether a function stores NULL to what has the last member of a place, or to an element of its type.
fn sets_to_null(routine: &Routine, place: &Location) -> bool {
    let member = |one: &Location| match one.path.last() {
        Some(Projection::Member(record, number)) => Some((*record, *number)),
        _ => None,
    };
    let mut found = false;
    routine.walk(&mut |step| {
        if let StepKind::Write {
            place: to, value, ..
        } = &step.kind
        {
            let is_null = value.is_none_or(|one| routine.value(one).constant == Some(0));
            found |= is_null && to.ty == place.ty && member(to) == member(place);
        }
    });
    found
}

/// What sets a value, casts left out.
fn uncast(routine: &Routine, mut value: ValueId) -> Option<&StepKind> {
    loop {
        match setter(routine, value)? {
            StepKind::Combine {
                from,
                how: Combination::Cast,
                ..
            } if from.len() == 1 => value = from[0],
            other => return Some(other),
        }
    }
}

/// What sets a value.
pub(super) fn setter(routine: &Routine, value: ValueId) -> Option<&StepKind> {
    let mut setter = None;
    routine.walk(&mut |step| {
        if step.sets() == Some(value) {
            setter = Some(&step.kind);
        }
    });
    setter
}
