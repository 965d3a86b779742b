//! What the library puts back itself, and whether a restart needs it before that.
//!
//! In: the blocks that are executed on restart, with all that they call. Out: whether calls such as `chdir` and `omp_set_num_threads`
//! have to be executed on restart, too. The library puts back what they set only where a restart ends; a block is executed before that.
//! The working directory matters to what names a file or asks for the directory, and to nothing else:
//!
//! ```c
//! #pragma cccp execute on restart
//! signal(SIGTERM, handler);            needs no directory: `chdir` is left to the library
//! #pragma cccp end execute
//! ```
//!
//! Errors fall on the side of needing them: a function that is not known may open a file.

use std::cell::Cell;
use std::collections::BTreeSet;

use super::Analysed;
use super::kept_states::{is_hidden, is_of_process, is_put_back};
use super::memory::ObjectKind;
use super::ways::is_in_block;
use crate::catalog::{LibraryFunction, Role};
use crate::dataflow::steps::{Call, FunctionTarget, RoutineId};
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

/// What decides whether what the library puts back comes in time.
pub struct PutBack {
    /// Something is executed on restart before that.
    has_blocks: bool,
    /// Some of it may depend on the working directory.
    looks_at_directory: bool,
}

impl PutBack {
    /// Looks at the blocks of a program.
    pub fn of(facts: &Analysed) -> PutBack {
        let has_blocks = facts.has(|one| matches!(one, Directive::ExecuteOnRestart { .. }));
        PutBack {
            has_blocks,
            looks_at_directory: has_blocks && looks_at_directory(facts),
        }
    }

    /// Whether something is executed on restart before the library puts anything back.
    pub fn has_blocks(&self) -> bool {
        self.has_blocks
    }

    /// Whether the library puts back what such a call sets before anything needs it.
    pub fn is_in_time(&self, function: &LibraryFunction) -> bool {
        is_put_back(function)
            && match is_of_process(function) {
                true => !self.looks_at_directory,
                false => !self.has_blocks,
            }
    }
}

/// Whether what is executed on restart may depend on the working directory.
fn looks_at_directory(facts: &Analysed) -> bool {
    let (steps, points_to) = (facts.steps, facts.points_to);
    let mut first: Vec<RoutineId> = Vec::new();
    let calls_back = Cell::new(false);
    let looks = |routine: RoutineId, call: &Call| {
        let callees = points_to.callees(routine, call);
        let found = callees.named.iter().map(|name| facts.catalogue.find(name));
        let found: Option<Vec<_>> = found.collect();
        let known = found.filter(|_| !callees.unknown);
        let calls = known.iter().flatten().any(|one| one.is(Role::CallsBack));
        calls_back.set(calls_back.get() || calls);
        known.is_none_or(|all| all.iter().any(|one| is_about_directory(one)))
    };
    for routine in steps.routine_ids() {
        for (place, call) in facts.calls(routine) {
            if is_in_block(facts, routine, place.span) {
                if looks(routine, call) {
                    return true;
                }
                first.extend(points_to.callees(routine, call).routines);
            }
        }
    }
    let looks_in = |routines: &BTreeSet<RoutineId>| {
        routines.iter().any(|routine| {
            let calls = facts.calls(*routine);
            calls.iter().any(|(_, call)| looks(*routine, call))
        })
    };
    if looks_in(&points_to.called_from(steps, first)) {
        return true;
    }
    calls_back.get() && looks_in(&points_to.called_from(steps, named_by_pointers(facts)))
}

/// Whether what a function of a library does depends on the working directory.
fn is_about_directory(function: &LibraryFunction) -> bool {
    let mut effects = function.effects.iter();
    effects.any(|effect| {
        let mut states = OF_DIRECTORY.iter();
        states.any(|state| is_hidden(&effect.place.root, state))
    })
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
