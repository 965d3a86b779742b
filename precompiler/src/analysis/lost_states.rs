//! States of libraries that a restart does not restore: what `strtok` remembers, how far a directory has been read.
//!
//! In: library functions that are called on the way to a checkpoint and after it, and the states of libraries that are live there.
//! Out: what a restarted program would find otherwise than it was. Errors fall on the side of naming too many.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Analysed;
use super::completeness::DirectivePlace;
use super::handles::{handle, holds_stream, is_mpi_file};
use super::joined::has_none;
use super::kept_states::{BUFFERS, LOST, OPTIONS, THREADS, goes_through_options};
use super::liveness::CheckpointLive;
use super::memory::{ObjectId, ObjectKind};
use super::points_to::Scope;
use super::ways::{Ways, is_in_block};
use crate::catalog::{LibraryFunction, Role};
use crate::dataflow::steps::{Call, Called, RoutineId, TextPlace};
use crate::diagnostic::{Code, Diagnostic, Severity};

/// A state that is set before a checkpoint and read after it.
#[derive(Clone, Copy, Debug)]
pub struct Lost {
    /// What it is, as `kept_states` says.
    pub what: &'static str,
    /// What to do, as it says.
    pub cure: &'static str,
    /// The first checkpoint.
    pub checkpoint: TextPlace,
    /// What reads it after that, where it is seen.
    pub read: Option<TextPlace>,
    /// It is that of threads and locks, about which there is more to say.
    pub is_of_threads: bool,
}

impl Lost {
    /// Why it is lost, for a message that stands in a file.
    pub fn reason(&self, facts: &Analysed, unit: usize) -> String {
        let read = self.read.map(|read| facts.line(read, unit));
        let read = read.map_or_else(String::new, |line| format!(" ({line})"));
        format!("it is set before the checkpoint and read after it{read}, and lies in a library")
    }
}

/// All of them, each state once.
pub fn lost(facts: &Analysed, ways: &Ways) -> Vec<Lost> {
    let memory = &facts.points_to.memory;
    let mut found = Vec::new();
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for check in &facts.completeness.checkpoints {
        let DirectivePlace { unit, id } = check.directive;
        let of_check = |live: &&CheckpointLive| (live.unit, live.directive) == (unit, id);
        let all = facts.liveness.checkpoints();
        let Some(number) = all.iter().position(|live| of_check(&live)) else {
            continue;
        };
        let live = &all[number];
        for cell in &check.states {
            let object = memory.cells[cell.0 as usize].object;
            let ObjectKind::Library(state) = &memory.objects[object.0 as usize].kind else {
                continue;
            };
            let state = state.trim_start_matches('@');
            // Locks and what belongs to them are nobody's while there is no other thread.
            let is_nobodys = state == THREADS
                && (facts.catalogue.joins_threads() || has_none(facts.program, facts.catalogue));
            if is_nobodys || state == BUFFERS && !leads_to(facts, live, object) {
                continue;
            }
            // What `optarg` points to is a word of the program's.
            if state == OPTIONS && !comes_to_options(facts, ways) {
                continue;
            }
            let known = LOST.iter().find(|(name, ..)| &name[1..] == state);
            if let Some((name, what, cure)) = known
                && told.insert(name)
            {
                found.push(Lost {
                    what,
                    cure,
                    checkpoint: live.place,
                    read: facts.liveness.why_live(number, *cell).map(|why| why.read),
                    is_of_threads: state == THREADS,
                });
            }
        }
    }
    found
}

/// The functions of libraries that a call may call.
fn called(facts: &Analysed, routine: RoutineId, call: &Call) -> Vec<Arc<LibraryFunction>> {
    let named = facts.points_to.callees(routine, call).named;
    { named.iter() }
        .filter_map(|name| facts.catalogue.find(name))
        .collect()
}

/// Whether `getopt` and the like may be called after a checkpoint.
fn comes_to_options(facts: &Analysed, ways: &Ways) -> bool {
    let mut routines = facts.steps.routine_ids();
    routines.any(|routine| {
        let mut calls = facts.calls(routine).into_iter();
        calls.any(|(place, call)| match &call.callee {
            Called::Named(name) => {
                let function = facts.catalogue.find(name);
                function.is_some_and(|one| goes_through_options(&one))
                    && ways.may_come_later(routine, place.span)
            }
            _ => false,
        })
    })
}

/// Whether something that is live at a checkpoint may point to an object: what nobody reads by itself, only a pointer from
/// before can read as it was.
fn leads_to(facts: &Analysed, live: &CheckpointLive, object: ObjectId) -> bool {
    let points_to = facts.points_to;
    let mut targets = live.everywhere().flat_map(|cell| points_to.pointees(cell));
    targets.any(|target| points_to.memory.cells[target.0 as usize].object == object)
}

/// A directory or file of a library that every start opens before `init`, and that is gone through before a checkpoint and after it.
#[derive(Clone, Debug)]
pub struct Passed {
    /// What opens it.
    pub name: String,
    /// Where.
    pub opened: TextPlace,
    /// Where it is read or written after a checkpoint.
    pub used: TextPlace,
}

/// All of them. The C library's streams, descriptors and files of MPI are not among them: the library restores their places.
pub fn passed(facts: &Analysed, ways: &Ways) -> Vec<Passed> {
    let mut found = Vec::new();
    for routine in facts.steps.routine_ids() {
        for (place, call) in facts.calls(routine) {
            let opens =
                { called(facts, routine, call).into_iter() }.find(|one| one.is(Role::Opens));
            let Some(opens) = opens.filter(|_| has_place_of_its_own(facts, routine, call)) else {
                continue;
            };
            if ways.comes_after_init(routine, place.span) || is_in_block(facts, routine, place.span)
            {
                continue;
            }
            let uses = uses(facts, place);
            let is_moved = uses.iter().any(|(routine, place)| {
                ways.comes_after_init(*routine, place.span) && ways.may_follow(*routine, place.span)
            });
            let later =
                { uses.iter() }.find(|(routine, place)| ways.may_come_later(*routine, place.span));
            if let (true, Some((_, used))) = (is_moved, later) {
                found.push(Passed {
                    name: opens.name.clone(),
                    opened: place,
                    used: *used,
                });
            }
        }
    }
    found
}

/// Whether what a call opens has a place in a file that only its library knows.
fn has_place_of_its_own(facts: &Analysed, routine: RoutineId, call: &Call) -> bool {
    let ty = facts.steps.routine(routine).values[call.result.0 as usize].ty;
    let unit = &facts.program.units[ty.unit];
    handle(facts.catalogue, unit, ty.id).is_some()
        && !holds_stream(unit, ty.id)
        && !is_mpi_file(unit, ty.id)
}

/// The calls that read or write what a call has opened.
fn uses(facts: &Analysed, opened: TextPlace) -> Vec<(RoutineId, TextPlace)> {
    let memory = &facts.points_to.memory;
    let is_it = |routine: RoutineId, call: &Call| {
        let scope = Scope::Routine(routine);
        let mut targets = { call.arguments.iter() }
            .flat_map(|argument| facts.points_to.targets(scope, argument.value));
        targets.any(|target| {
            let object = memory.cells[target.0 as usize].object;
            matches!(&memory.objects[object.0 as usize].kind, ObjectKind::Heap { call, .. } if *call == opened)
        })
    };
    let mut found = Vec::new();
    for routine in facts.steps.routine_ids() {
        for (place, call) in facts.calls(routine) {
            let functions = called(facts, routine, call);
            let moves =
                |one: &Arc<LibraryFunction>| one.is(Role::ReadsInput) || one.is(Role::Prints);
            if functions.iter().any(moves) && is_it(routine, call) {
                found.push((routine, place));
            }
        }
    }
    found
}

/// Warnings about both in a program with marks, which are errors when what is missing is denied. Threads and locks are told elsewhere,
/// as assumed.
pub fn diagnostics(facts: &Analysed, denied: bool) -> Vec<Diagnostic> {
    let severity = match denied {
        true => Severity::Error,
        false => Severity::Warning,
    };
    let tell = |place: TextPlace, message: String| {
        let warning = Diagnostic::warning(Code::HIDDEN_STATE, facts.at(place), message);
        Diagnostic {
            severity,
            ..warning
        }
    };
    let ways = Ways::of(facts);
    let states = lost(facts, &ways).into_iter();
    let states = states.filter(|one| !one.is_of_threads).map(|one| {
        tell(
            one.checkpoint,
            format!("a restart does not restore {}", one.what),
        )
        .label("a run that is restarted from here would need it")
        .reason(one.reason(facts, one.checkpoint.unit))
        .help(one.cure)
    });
    let places = passed(facts, &ways).into_iter().map(|one| {
        let place = &one.opened;
        tell(*place, format!("how far what `{}` opens is read or written is lost in a restart", one.name))
            .label("every start opens it again, at its beginning")
            .also(
                facts.at(one.used),
                "a restarted program continues here from another place",
            )
            .reason("its place is known to its library only")
            .help("go through it before the first checkpoint, or between two of them: open it behind a checkpoint and close it before the next")
    });
    states.chain(places).collect()
}
