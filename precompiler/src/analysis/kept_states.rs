//! What libraries keep between calls, by state: what the same calls set again, and what a restart does not restore.
//!
//! Not here: memory, streams and random numbers, which registers restore.

use std::collections::BTreeSet;

use crate::catalog::{Catalogue, Effect, EffectKind, LibraryFunction, Role, Root};
use crate::dataflow::steps::{Base, Location, StepKind, Steps, VariableId};

/// States that the same calls set again.
const SET_AGAIN: [&str; 7] = [
    "@signals",
    "@exit",
    "@locale",
    "@environment",
    "@floating",
    "@openmp",
    "@logging",
];

/// Calls that write such a state without setting it.
const NOT_SETTING: [&str; 8] = [
    "kill",
    "killpg",
    "raise",
    "pthread_kill",
    "sigqueue",
    "lgamma",
    "iconv",
    "syslog",
];

/// What starts a process and waits for it.
const WAITED_FOR: [&str; 1] = ["system"];

/// A state that is nothing but buffers of which functions give the address: none of them reads it.
pub const BUFFERS: &str = "strings";

/// Where `getopt` is.
pub const OPTIONS: &str = "options";

/// Threads, locks and what belongs to them.
pub const THREADS: &str = "threads";

/// States that a restart does not restore: what they are, and what to do.
pub const LOST: [(&str, &str, &str); 9] = [
    (
        "@options",
        "where `getopt` continues",
        "go through the options before `init` or before the first checkpoint",
    ),
    (
        "@tokens",
        "what `strtok` remembers",
        "use `strtok_r`, which keeps that in a pointer of the program's, and register the pointer",
    ),
    (
        "@strings",
        "what `strerror` and the like gave back",
        "copy the text into memory of the program's",
    ),
    (
        "@threads",
        "threads",
        "let them end before the checkpoint, and start them behind it",
    ),
    (
        "@sockets",
        "connections",
        "close them before the checkpoint, and connect again behind it",
    ),
    (
        "@search",
        "tables of `hsearch` and the like",
        "put all that fills them between `#pragma cccp execute on restart` and `#pragma cccp end execute`",
    ),
    (
        "@loader",
        "libraries loaded with `dlopen`",
        "load them between `#pragma cccp execute on restart` and `#pragma cccp end execute`",
    ),
    (
        "@terminal",
        "the state of a terminal",
        "set it between `#pragma cccp execute on restart` and `#pragma cccp end execute`",
    ),
    (
        "@databases",
        "a place in a database of the system",
        "go through it between two checkpoints, or before the first",
    ),
];

/// Whether a call sets a state that the same call sets again.
pub fn sets_again(function: &LibraryFunction) -> bool {
    let is_of_lock = function.is(Role::Locks) || function.is(Role::Unlocks);
    if NOT_SETTING.contains(&function.name.as_str()) || is_of_lock || function.never_returns {
        return false;
    }
    if function.name.starts_with("MPI_") {
        // A file comes back with what was set for it.
        let sets = function.is(Role::Handles) || function.is(Role::Configures);
        return sets && !function.name.starts_with("MPI_File_");
    }
    function.effects.iter().any(|effect| {
        let state = match (&effect.kind, &effect.place.root) {
            (EffectKind::Writes, Root::Hidden(state)) => Some(state),
            (EffectKind::Keeps(Some(state)), _) => Some(state),
            _ => None,
        };
        state.is_some_and(|state| is_set_again(state))
    })
}

/// Functions that set what belongs to the task that calls them: `nthreads-var`, `dyn-var`, `run-sched-var`, `max-active-levels-var`. The
/// library restores that for each thread of the region with the checkpoint.
pub const OF_TASK: [&str; 5] = [
    "omp_set_num_threads",
    "omp_set_dynamic",
    "omp_set_nested",
    "omp_set_schedule",
    "omp_set_max_active_levels",
];

/// Functions that set in which directory the process is.
const OF_DIRECTORY: [&str; 2] = ["chdir", "fchdir"];

/// Functions that set what a signal does.
pub const HANDLERS: [&str; 9] = [
    "__sysv_signal",
    "bsd_signal",
    "sigaction",
    "sigignore",
    "siginterrupt",
    "signal",
    "sigset",
    "ssignal",
    "sysv_signal",
];

/// Functions that set environment variables, or take them away.
const VARIABLES: [&str; 4] = ["clearenv", "putenv", "setenv", "unsetenv"];

/// What the library puts back where a restart ends, whatever is executed on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutBackState {
    /// What belongs to a task of OpenMP.
    Task,
    /// The working directory.
    Directory,
    /// What signals do.
    Handlers,
    /// The environment variables.
    Variables,
}

/// What of it a call sets.
pub fn put_back(function: &LibraryFunction) -> Option<PutBackState> {
    let all = [
        (&OF_TASK[..], PutBackState::Task),
        (&OF_DIRECTORY, PutBackState::Directory),
        (&HANDLERS, PutBackState::Handlers),
        (&VARIABLES, PutBackState::Variables),
    ];
    let is_one = |(names, _): &(&[&str], _)| names.contains(&function.name.as_str());
    all.into_iter().find(is_one).map(|(_, state)| state)
}

/// Functions that set which signals a thread blocks.
const MASKS: [&str; 2] = ["sigprocmask", "pthread_sigmask"];

/// Whether a call sets which signals a thread blocks.
pub fn is_mask(function: &LibraryFunction) -> bool {
    MASKS.contains(&function.name.as_str())
}

/// Whether a call sets what belongs to the thread that calls it, and is kept by the machine or the kernel: how it rounds, what it
/// traps, the signals that it blocks.
pub fn is_of_thread(function: &LibraryFunction) -> bool {
    let writes = function
        .effects
        .iter()
        .filter(|effect| effect.kind == EffectKind::Writes);
    let mut hidden = writes.filter(|effect| matches!(effect.place.root, Root::Hidden(_)));
    is_mask(function)
        || sets_again(function) && hidden.all(|one| is_hidden(&one.place.root, "floating"))
}

/// Whether a function gives what such calls have set: `getenv`, `getrlimit`.
pub fn gives_what_is_set(function: &LibraryFunction) -> bool {
    let reads = |effect: &Effect| matches!(&effect.place.root, Root::Hidden(state) if effect.kind == EffectKind::Reads && is_set_again(state));
    !sets_again(function) && function.effects.iter().any(reads)
}

fn is_set_again(state: &str) -> bool {
    let state = format!("@{}", state.trim_start_matches('@'));
    SET_AGAIN.contains(&state.as_str())
}

/// Whether a function goes through the words of the command line, one by one.
pub fn goes_through_options(function: &LibraryFunction) -> bool {
    let does = |kind: EffectKind| {
        let mut effects = function.effects.iter();
        effects.any(|effect| effect.kind == kind && is_hidden(&effect.place.root, OPTIONS))
    };
    does(EffectKind::Reads) && does(EffectKind::Writes)
}

/// Whether something is a state of a library.
pub fn is_hidden(root: &Root, name: &str) -> bool {
    matches!(root, Root::Hidden(state) if state.trim_start_matches('@') == name)
}

/// Whether something of its own runs from this call on: a thread, a process that nobody waits for.
pub fn starts(function: &LibraryFunction) -> bool {
    function.is(Role::Spawns) && !WAITED_FOR.contains(&function.name.as_str())
}

/// Whether a thread may run from this call on, in the memory of the program.
pub fn starts_thread(function: &LibraryFunction) -> bool {
    let mut effects = function.effects.iter();
    let keeps = |effect: &Effect| matches!(&effect.kind, EffectKind::Keeps(Some(state)) if state.trim_start_matches('@') == THREADS);
    starts(function) && effects.any(keeps)
}

/// States that the functions of the library which read them set first: whoever asks for the local time sets `tzname`.
const SET_BY_READERS: [&str; 1] = ["time"];

/// The variables of such states that the program itself does not name: only functions of the library read them, and set them before.
pub fn set_by_readers(steps: &Steps, catalogue: &Catalogue) -> BTreeSet<VariableId> {
    let mut named = BTreeSet::new();
    let mut add = |place: &Location| {
        if let Base::Variable(variable) = place.base {
            named.insert(variable);
        }
    };
    for routine in steps.routines.iter().chain(&steps.initial) {
        routine.walk(&mut |step| match &step.kind {
            StepKind::Read { place, .. }
            | StepKind::Write { place, .. }
            | StepKind::Address { place, .. } => add(place),
            StepKind::Copy { to, from, .. } => [to, from].into_iter().for_each(&mut add),
            StepKind::Assembly { named, .. } => named.iter().for_each(&mut add),
            _ => {}
        });
    }
    let all = (0..steps.variables.len()).map(|number| VariableId(number as u32));
    all.filter(|id| {
        let variable = steps.variable(*id);
        let is_foreign = !variable.is_defined && variable.owner.is_none() && !named.contains(id);
        let state = catalogue.state_of_variable(&variable.name);
        is_foreign && state.is_some_and(|state| SET_BY_READERS.contains(&state))
    })
    .collect()
}
