//! Whether the library can see to it that no thread of the program is there at a checkpoint.
//!
//! It counts the threads that `pthread_create` makes and `pthread_join` joins, and puts off each checkpoint while one is there.
//! Then all that threads do is done between these calls, as what is called there, in any order; nothing of them is left for a
//! restart.
//!
//! In: the program. Out: yes where threads are made and joined in no other way, and no thread hands anything over when it is
//! joined, in programs without MPI and OpenMP. Errors fall on the side of *no*: then threads are beside the program all the time.

use super::kept_states::{THREADS, is_hidden, starts, starts_thread};
use super::unknown::mentioned_functions;
use crate::catalog::{Catalogue, EffectKind, LibraryFunction, Role};
use crate::dataflow::steps::TextPlace;
use crate::program::{Expression, ExpressionKind, Function, Program, Unit};

/// What makes a thread.
pub const CREATE: &str = "pthread_create";
/// What waits for its end.
pub const JOIN: &str = "pthread_join";
/// What says whether it is waited for: 0 for yes, as nothing says it, too.
const DETACH_STATE: &str = "pthread_attr_setdetachstate";

/// What leaves something of a thread behind, or ends one otherwise.
const NOT_JOINING: [&str; 15] = [
    "pthread_detach",
    "pthread_tryjoin_np",
    "pthread_timedjoin_np",
    "pthread_clockjoin_np",
    "pthread_cancel",
    "pthread_atfork",
    "pthread_once",
    "pthread_key_create",
    "pthread_getspecific",
    "pthread_setspecific",
    "pthread_kill",
    "call_once",
    "tss_create",
    "tss_get",
    "tss_set",
];

/// Whether all threads of a program are counted, and there may be some.
fn are_counted(program: &Program, catalogue: &Catalogue) -> bool {
    !mentioned_functions(program, &|name| name == CREATE).is_empty()
        && in_the_way(program, catalogue).is_none()
}

/// The first thing in a program with threads that keeps the library from counting them, as in *were it not for …*. Processes that it
/// starts are none: whether they are waited for is another question.
pub fn in_the_way(program: &Program, catalogue: &Catalogue) -> Option<(String, Option<TextPlace>)> {
    let starts_other =
        |name: &str| name != CREATE && catalogue.find(name).is_some_and(|one| starts_thread(&one));
    let is_other =
        |name: &str| name.starts_with("MPI_") || NOT_JOINING.contains(&name) || starts_other(name);
    if let Some(one) = mentioned_functions(program, &is_other).first() {
        let (unit, span) = (one.unit, one.span);
        return Some((format!("`{}`", one.name), Some(TextPlace { unit, span })));
    }
    let any = |holds: &dyn Fn(&Unit) -> bool| program.units.iter().any(holds);
    if any(&has_regions) {
        return Some(("regions of OpenMP".to_string(), None));
    }
    if any(&|unit| !is_always_null(unit, JOIN)) {
        let what = format!("a `{JOIN}` that takes what the thread gives back");
        return Some((what, None));
    }
    let is_detached = any(&|unit| !is_always_null(unit, DETACH_STATE));
    is_detached.then(|| (format!("`{DETACH_STATE}`"), None))
}

/// Whether a program starts no thread by itself, and uses nothing but locks of what belongs to threads, and calls that wait for a
/// thread: there is none to wait for.
pub fn has_none(program: &Program, catalogue: &Catalogue) -> bool {
    let waits = |function: &LibraryFunction| {
        let mut roles = [Role::Locks, Role::Unlocks, Role::Waits].into_iter();
        roles.any(|role| function.is(role))
    };
    let reads = |function: &LibraryFunction| {
        let mut effects = function.effects.iter();
        effects.any(|one| one.kind == EffectKind::Reads && is_hidden(&one.place.root, THREADS))
    };
    let is_other = |name: &str| {
        let function = catalogue.find(name);
        function.is_some_and(|one| starts(&one) || reads(&one) && !waits(&one))
    };
    mentioned_functions(program, &is_other).is_empty()
}

/// Whether a file has regions of OpenMP: their threads ask for checkpoints in another way.
pub(super) fn has_regions(unit: &Unit) -> bool {
    unit.functions.iter().any(Function::has_constructs)
}

/// The catalogue for a program whose threads are all counted.
pub fn catalogue(program: &Program, catalogue: &Catalogue) -> Option<Catalogue> {
    are_counted(program, catalogue).then(|| catalogue.with_joined_threads())
}

/// Whether each mention of a function in a file is a call with 0 or NULL as the second argument.
fn is_always_null(unit: &Unit, name: &str) -> bool {
    let (mut mentions, mut plain) = (0, 0);
    let is_it = |one: &Expression| {
        let symbol = one.symbol();
        symbol.is_some_and(|symbol| unit.symbols[symbol.0].name == name)
    };
    for function in &unit.functions {
        function.body.walk_expressions(&mut |one| {
            mentions += usize::from(is_it(one));
            if let ExpressionKind::Call { callee, arguments } = &one.kind
                && is_it(callee)
                && arguments.get(1).is_some_and(|value| is_null(unit, value))
            {
                plain += 1;
            }
        });
    }
    mentions == plain
}

fn is_null(unit: &Unit, value: &Expression) -> bool {
    unit.constant(value, &mut |_| None) == Some(0)
        || matches!(&value.kind, ExpressionKind::Cast(inner) if is_null(unit, inner))
}
