//! What every start repeats: calls before `init` whose effects outlive the process.
//!
//! In: the calls that may come before `init`, through all functions. Out: a warning for each that sends something, starts or signals
//! another process, or changes what has a name in the system. What opens, makes, renames and removes files is not meant: the
//! library holds it back until it is known whether this is a restart (`HELD_BACK`), and what is written to a descriptor
//! goes where that leads. Errors fall on the side of saying too much; a function that is not in the catalogue is named
//! elsewhere.

use std::collections::BTreeSet;

use cccp_grammar::OPENING_ZLIB;

use super::Analysed;
use crate::catalog::{EffectKind, LibraryFunction, Root};
use crate::dataflow::steps::{Called, TextPlace};
use crate::diagnostic::{Code, Diagnostic, Place, Severity};
use crate::program::Directive;
use crate::source::Span;

/// What the library holds back until `init` has decided (`plan::opens`).
pub const HELD_BACK: [&str; 16] = [
    "creat",
    "creat64",
    "fopen",
    "fopen64",
    "freopen",
    "freopen64",
    "mkdir",
    "open",
    "open64",
    "openat",
    "openat64",
    "remove",
    "rename",
    "renameat",
    "unlink",
    "unlinkat",
];

/// What changes only this process, what waits, and what goes through a descriptor or leaves nothing behind.
const HARMLESS: [&str; 42] = [
    "aio_fsync",
    "aio_write",
    "close",
    "dprintf",
    "fallocate",
    "fallocate64",
    "fchmod",
    "fchown",
    "fdatasync",
    "flock",
    "fsync",
    "ftruncate",
    "ftruncate64",
    "futimens",
    "futimes",
    "lockf",
    "lockf64",
    "memfd_create",
    "mq_close",
    "mq_setattr",
    "msync",
    "munmap",
    "nice",
    "pclose",
    "posix_fallocate",
    "prctl",
    "pwrite",
    "pwrite64",
    "sched_setaffinity",
    "sched_setparam",
    "sched_setscheduler",
    "setpgid",
    "setpgrp",
    "setpriority",
    "setsid",
    "sync",
    "sync_file_range",
    "syncfs",
    "tmpfile",
    "vdprintf",
    "wait",
    "waitpid",
];

/// Warnings about what every start repeats; errors when that is denied, and what blocks empty when that is denied which a restart
/// does not restore.
pub fn diagnostics(found: &Analysed, denied: bool, incomplete: bool) -> Vec<Diagnostic> {
    let tell = |mut all: Vec<Diagnostic>, denied: bool| {
        if denied {
            let severities = all.iter_mut().map(|one| &mut one.severity);
            severities.for_each(|one| *one = Severity::Error);
        }
        all
    };
    let mut all = tell(before_any_init(found), denied);
    all.extend(tell(emptied_in_blocks(found), denied || incomplete));
    all
}

fn before_any_init(found: &Analysed) -> Vec<Diagnostic> {
    let mut told: BTreeSet<TextPlace> = BTreeSet::new();
    let mut all = Vec::new();
    for (place, name) in before_init(found) {
        let Some(function) = found.catalogue.find(name) else {
            continue;
        };
        let Some(what) = lasting(&function) else {
            continue;
        };
        let file = &found.program.units[place.unit].file;
        let Some(range) = file.message_place(place.span) else {
            continue;
        };
        if !told.insert(place) {
            continue;
        }
        let path = file.path.clone();
        let place = Place::Range {
            path,
            range: range.start..range.end,
        };
        let message = format!("`{name}` is called before `init`, and every start does it again");
        all.push(
            Diagnostic::warning(Code::LASTING, place, message)
                .label(what)
                .reason("a restart runs all that stands before `init`, as the first start did; what that changes outside of the process is changed twice")
                .help("let it come after `init`; what every start has to do may stay, or stands in an `execute on restart` block"),
        );
    }
    all
}

/// Warnings about files that a block empties: a restart runs the block, and what the run had written is gone.
fn emptied_in_blocks(found: &Analysed) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    for routine in found.steps.routine_ids() {
        let unit = found.unit(routine);
        let own = found.steps.routine(routine).function.function;
        for block in &unit.directives {
            let is_block = matches!(block.directive, Directive::ExecuteOnRestart { .. });
            let (true, Some(end)) = (is_block && block.function == Some(own), block.partner) else {
                continue;
            };
            let end = unit.directives[end.0].span.start;
            let (steps, points_to) = (found.steps, found.points_to);
            let is_inside = |span: Span| (block.span.start..end).contains(&span.start);
            let first = points_to.called_in(steps, routine, is_inside);
            let own = found.calls(routine).into_iter();
            let own = own.filter(|(place, _)| is_inside(place.span));
            let mut calls: Vec<_> = own.map(|(place, call)| (routine, place, call)).collect();
            for routine in points_to.called_from(steps, first) {
                let all = found.calls(routine).into_iter();
                calls.extend(all.map(|(place, call)| (routine, place, call)));
            }
            for (routine, place, call) in calls {
                let known = |value| found.steps.routine(routine).value(value).constant;
                let Called::Named(name) = &call.callee else {
                    continue;
                };
                let file = &found.program.units[place.unit].file;
                let texts = call.arguments.iter();
                let texts = texts.map(|one| (file.preprocessed_text(one.span), known(one.value)));
                if !empties(name, &texts.collect::<Vec<_>>()) {
                    continue;
                }
                let Some(range) = file.message_place(place.span) else {
                    continue;
                };
                let path = file.path.clone();
                let place = Place::Range {
                    path,
                    range: range.start..range.end,
                };
                let message =
                    format!("`{name}` empties a file in a block that every restart executes");
                all.push(
                    Diagnostic::warning(Code::LASTING, place, message)
                        .label("what the run had written before is gone after a restart")
                        .reason("an `execute on restart` block runs in the first start and in every restart")
                        .help("open the file outside of the block and register it, then it is restored with what was written by the checkpoint; or open it to append here (mode \"a\", `O_APPEND`)"),
                );
            }
        }
    }
    all
}

/// `O_EXCL` and `O_TRUNC`, as Linux has them on all machines but some old ones.
const ALONE: i128 = 0o200;
const EMPTIES: i128 = 0o1000;

/// Whether a call with these arguments, their texts and what is known of their values, empties the file that it opens.
fn empties(name: &str, arguments: &[(&str, Option<i128>)]) -> bool {
    let mode = |(text, _): &(&str, _)| {
        text.trim_start_matches(['(', ' ']).starts_with("\"w") && !text.contains('x')
    };
    let flags = |place: usize| {
        let known = arguments.get(place).and_then(|one| one.1);
        known.is_some_and(|flags| flags & EMPTIES != 0 && flags & ALONE == 0)
    };
    match name {
        "creat" | "creat64" => true,
        "open" | "open64" => flags(1),
        "openat" | "openat64" => flags(2),
        "fopen" | "fopen64" | "freopen" | "freopen64" => arguments.get(1).is_some_and(mode),
        _ => false,
    }
}

/// What a function does that outlives the process; none when it does not.
fn lasting(function: &LibraryFunction) -> Option<&'static str> {
    let name = function.name.as_str();
    // What zlib opens is held back as what C opens.
    let is_held_back = HELD_BACK.contains(&name) || OPENING_ZLIB.contains(&name);
    if HARMLESS.contains(&name) || is_held_back || name.starts_with("MPI_") {
        return None;
    }
    let writes = |state: &str| {
        function.effects.iter().any(|effect| {
            let is_state = |root: &Root| matches!(root, Root::Hidden(own) if own.trim_start_matches('@') == state);
            matches!(effect.kind, EffectKind::Writes | EffectKind::Fills)
                && is_state(&effect.place.root)
        })
    };
    let opens = function.is(crate::catalog::Role::Opens);
    match () {
        () if writes("processes") => {
            Some("another process may be started, signalled or sent something")
        }
        () if writes("sockets") && !opens => Some("something may be sent or received"),
        () if writes("files") && (!writes("streams") || opens) => {
            Some("a file may be changed, which is not held back until `init`")
        }
        () => None,
    }
}

/// Calls of functions with names that may come before `init`, each with its place.
fn before_init<'a>(found: &Analysed<'a>) -> Vec<(TextPlace, &'a str)> {
    let before = found.control.leading_to(found.inits());
    let mut calls = Vec::new();
    for routine in found.control.routines(&before) {
        for (place, call) in found.calls(routine) {
            if let Called::Named(name) = &call.callee
                && found.control.has(&before, routine, place.span.start)
            {
                calls.push((place, name.as_str()));
            }
        }
    }
    calls
}
