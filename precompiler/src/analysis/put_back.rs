//! What the library puts back itself, and whether a restart needs it before that.
//!
//! In: the blocks that are executed on restart, with all that they call. Out: whether calls such as `chdir`, `signal` and `setenv`
//! have to be executed on restart, too. The library puts back what they set only where a restart ends; a block is executed before that.
//! The working directory matters to what names a file or asks for the directory, and to nothing else:
//!
//! ```c
//! #pragma cccp execute on restart
//! MPI_Comm_dup(MPI_COMM_WORLD, &world);    needs no directory: `chdir` is left to the library
//! #pragma cccp end execute
//! ```
//!
//! Errors fall on the side of needing them: a function that is not known may open a file.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use super::Analysed;
use super::kept_states::{PutBackState, is_mask, put_back};
use super::memory::ObjectKind;
use super::points_to::Scope;
use super::ways::is_in_block;
use crate::catalog::{EffectKind, LibraryFunction, Place as LibraryPlace, Role, Root};
use crate::dataflow::steps::{Call, FunctionTarget, RoutineId, StepKind, ValueId};
use crate::program::Directive;

/// States of libraries that have to do with the working directory: what names a file, where the process is, what another process or a
/// library that is loaded may do with it, and what nobody sees.
const OF_DIRECTORY: [&str; 6] = [
    "files",
    "environment",
    "locale",
    "processes",
    "loader",
    "escaped",
];

/// Those that have to do with what signals do.
const OF_HANDLERS: [&str; 3] = ["signals", "processes", "escaped"];

/// Those that have to do with environment variables.
const OF_VARIABLES: [&str; 6] = [
    "environment",
    "locale",
    "time",
    "processes",
    "loader",
    "escaped",
];

/// What decides whether what the library puts back comes in time.
pub struct PutBack {
    /// Something is executed on restart before that.
    has_blocks: bool,
    /// The states of libraries on which some of it may depend; none when nothing is known.
    states: Option<BTreeSet<String>>,
}

impl PutBack {
    /// Looks at the blocks of a program.
    pub fn of(facts: &Analysed) -> PutBack {
        let has_blocks = facts.has(|one| matches!(one, Directive::ExecuteOnRestart { .. }));
        PutBack {
            has_blocks,
            states: match has_blocks {
                true => states(facts),
                false => Some(BTreeSet::new()),
            },
        }
    }

    /// Whether something is executed on restart before the library puts anything back.
    pub fn has_blocks(&self) -> bool {
        self.has_blocks
    }

    /// Whether the library puts back what such a call sets before anything needs it.
    pub fn is_in_time(
        &self,
        facts: &Analysed,
        (routine, call): (RoutineId, &Call),
        function: &LibraryFunction,
    ) -> bool {
        match put_back(function) {
            None => false,
            Some(PutBackState::Task) => !self.has_blocks,
            Some(PutBackState::Directory) => !self.looks_at(&OF_DIRECTORY),
            Some(PutBackState::Handlers) => {
                !self.looks_at(&OF_HANDLERS) && !gives_former(facts, routine, call, function)
            }
            Some(PutBackState::Variables) => {
                !self.looks_at(&OF_VARIABLES) && !lends(facts, routine, call, function)
            }
        }
    }

    fn looks_at(&self, states: &[&str]) -> bool {
        let all = self.states.as_ref();
        all.is_none_or(|all| states.iter().any(|one| all.contains(*one)))
    }
}

/// Whether the program keeps what such a call gives of the handler before: that is an address, which the same call gives again.
fn gives_former(
    facts: &Analysed,
    routine: RoutineId,
    call: &Call,
    function: &LibraryFunction,
) -> bool {
    let steps = facts.steps.routine(routine);
    let is_stored = |place: &LibraryPlace| match place.root {
        Root::Parameter(at) => steps.constant_argument(call, at) != Some(0),
        _ => true,
    };
    if function.stores.iter().any(|(place, _)| is_stored(place)) {
        return true;
    }
    if function.returns.is_empty() {
        return false;
    }
    let mut derived: BTreeSet<ValueId> = [call.result].into();
    let mut is_kept = false;
    steps.walk(&mut |step| match &step.kind {
        StepKind::Combine { from, into, .. } if from.iter().any(|one| derived.contains(one)) => {
            derived.insert(*into);
        }
        StepKind::Write {
            value: Some(value), ..
        }
        | StepKind::Return {
            value: Some(value), ..
        } => {
            is_kept |= derived.contains(value);
        }
        StepKind::Call(call) => {
            is_kept |= call
                .arguments
                .iter()
                .any(|one| derived.contains(&one.value));
        }
        _ => {}
    });
    is_kept
}

/// Whether such a call lends the environment memory of the program that comes back elsewhere.
fn lends(facts: &Analysed, routine: RoutineId, call: &Call, function: &LibraryFunction) -> bool {
    let mut effects = function.effects.iter();
    let keeps = effects.any(|effect| matches!(effect.kind, EffectKind::Keeps(_)));
    let is_text = || {
        let texts = call.arguments.first().map(|one| {
            facts
                .points_to
                .texts_behind(Scope::Routine(routine), one.value)
        });
        texts.flatten().is_some()
    };
    keeps && !facts.program.has_fixed_heap() && !is_text()
}

/// The states of libraries on which what is executed on restart may depend.
fn states(facts: &Analysed) -> Option<BTreeSet<String>> {
    let (steps, points_to) = (facts.steps, facts.points_to);
    let mut first: Vec<RoutineId> = Vec::new();
    let calls_back = Cell::new(false);
    let states = RefCell::new(BTreeSet::new());
    let look = |routine: RoutineId, call: &Call| {
        let callees = points_to.callees(routine, call);
        let found = callees.named.iter().map(|name| facts.catalogue.find(name));
        let found: Option<Vec<_>> = found.collect();
        let known = found.filter(|_| !callees.unknown)?;
        for one in &known {
            calls_back.set(calls_back.get() || one.is(Role::CallsBack));
            states.borrow_mut().extend(states_of(one));
        }
        Some(())
    };
    for routine in steps.routine_ids() {
        for (place, call) in facts.calls(routine) {
            if is_in_block(facts, routine, place.span) {
                look(routine, call)?;
                first.extend(points_to.callees(routine, call).routines);
            }
        }
    }
    let look_in = |routines: &BTreeSet<RoutineId>| {
        for routine in routines {
            for (_, call) in facts.calls(*routine) {
                look(*routine, call)?;
            }
        }
        Some(())
    };
    look_in(&points_to.called_from(steps, first))?;
    if calls_back.get() {
        look_in(&points_to.called_from(steps, named_by_pointers(facts)))?;
    }
    Some(states.into_inner())
}

/// The states that a function of a library has to do with. What sets the handler of a signal, or a variable, asks for no other.
fn states_of(function: &LibraryFunction) -> impl Iterator<Item = String> {
    let own = match put_back(function) {
        Some(PutBackState::Handlers) => Some("signals"),
        Some(PutBackState::Variables) => Some("environment"),
        _ => is_mask(function).then_some("signals"),
    };
    let hidden = function
        .effects
        .iter()
        .filter_map(|effect| match &effect.place.root {
            Root::Hidden(state) => Some(state.trim_start_matches('@')),
            _ => None,
        });
    hidden
        .filter(move |state| own != Some(*state))
        .map(str::to_string)
}

/// Functions of the program that something may call by a pointer.
fn named_by_pointers(facts: &Analysed) -> Vec<RoutineId> {
    let objects = facts.points_to.memory.objects.iter();
    let functions = objects.filter_map(|one| match &one.kind {
        ObjectKind::Function(FunctionTarget::Routine(routine)) => Some(*routine),
        _ => None,
    });
    functions.collect()
}
