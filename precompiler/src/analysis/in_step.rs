//! Whether the threads of a team are in step at the checkpoints in its region, and nothing of theirs is unfinished there.
//!
//! In: which places all threads pass equally often ([`uniform`](super::uniform)), what may be unfinished where
//! ([`unfinished`](super::unfinished)). Out: messages about checkpoints that were written by hand.
//!
//! All threads meet at the n-th checkpoint that each passes in the region. Where one passes fewer, it is waited for, and the
//! checkpoint is given up: a warning. Where some are further than others when they meet, all that they have done is saved. But who has
//! which iterations of a loop that is handed out while it runs is known to OpenMP alone, by how many such constructs each thread
//! has come to: when some have come to more of them than others since the last barrier, a restart would hand out the wrong ones:
//! an error. It is one, too, where a region calls what is in no file given. Errors fall on the side of messages.

use std::collections::{BTreeMap, BTreeSet};

use super::Analysed;
use super::communication::Parallel;
use super::locks::{self, Locking};
use super::points_to::PointsTo;
use super::unfinished::{Left, Unfinished};
use super::uniform::{Cause, Uniform};
use super::unknown::functions_without_team;
use crate::catalog::Catalogue;
use crate::dataflow::FunctionRef;
use crate::dataflow::steps::{RoutineId, Steps, TextPlace};
use crate::diagnostic::{Code, Diagnostic};
use crate::program::{Directive, DirectiveUse, Program, Stands, StatementKind};
use crate::source::Span;

/// A checkpoint that a team comes to.
struct Checkpoint<'a> {
    unit: usize,
    directive: &'a DirectiveUse,
    routine: RoutineId,
}

/// The functions with checkpoints that threads of a team may pass unequally often, and that they can come back to all the same when
/// they stop at barriers, too; and the places of these.
pub fn unequal(found: &Analysed) -> Vec<(RoutineId, Span)> {
    let all = checkpoints(found);
    if all.is_empty() {
        return Vec::new();
    }
    let uniform = uniform(found);
    let unfinished = unfinished(found);
    // Who holds a lock there keeps others that wait for it from coming.
    let holds = |one: &Checkpoint| {
        let flow = &found.steps.routine(one.routine).flow;
        let node = flow.node_at(one.directive.span.start);
        let mut held = { node.into_iter() }.flat_map(|node| unfinished.locks_at(one.routine, node));
        held.any(|place| locks::is_noted(found.program, place))
    };
    let is_unequal = |one: &Checkpoint| {
        let span = one.directive.span;
        (uniform.why_not(one.routine, span, span).is_some() || holds(one))
            && uniform.why_never(one.routine, span, span).is_none()
    };
    let all = all.into_iter().filter(is_unequal);
    all.map(|one| (one.routine, one.directive.span)).collect()
}

fn uniform<'a>(found: &Analysed<'a>) -> Uniform<'a> {
    Uniform::of(
        found.program,
        found.steps,
        found.points_to,
        found.effects,
        found.catalogue,
    )
}

fn unfinished<'a>(found: &Analysed<'a>) -> Unfinished<'a> {
    Unfinished::of(found.program, found.steps, found.points_to, found.catalogue)
}

/// Whether a thread may hold a lock of OpenMP at a checkpoint, so that the library has to know who holds which.
pub fn holds_locks(
    program: &Program,
    steps: &Steps,
    points_to: &PointsTo,
    catalogue: &Catalogue,
) -> bool {
    if !program
        .units
        .iter()
        .any(|unit| unit.mentions(&locks::LOCKING))
    {
        return false;
    }
    let unfinished = Unfinished::of(program, steps, points_to, catalogue);
    let units = program.units.iter().enumerate();
    let directives =
        units.flat_map(|(unit, one)| one.directives.iter().map(move |one| (unit, one)));
    let mut held = directives.flat_map(|(unit, one)| {
        let is_checkpoint = matches!(one.directive, Directive::Checkpoint { .. });
        let function = one.function.filter(|_| is_checkpoint);
        let held = function.and_then(|function| {
            let routine = steps.routine_of(FunctionRef { unit, function });
            let node = steps.routine(routine).flow.node_at(one.span.start)?;
            Some(unfinished.locks_at(routine, node))
        });
        held.unwrap_or_default()
    });
    held.any(|place| locks::is_noted(program, place))
}

/// The first call in a region, or in what it calls, of a function that is in no file given: what barriers it has, and what work it
/// hands out, nobody can see. Functions of the system's headers have none that the team comes to, and none have those from whose
/// objects no way leads there.
pub fn unseen(found: &Analysed, region: (RoutineId, Span)) -> Option<TextPlace> {
    let silent = functions_without_team(found.program, found.catalogue);
    let mut unseen = BTreeSet::new();
    let mut look = |id: RoutineId, is_inside: &dyn Fn(Span) -> bool| {
        let calls = found.calls(id).into_iter();
        for (place, call) in calls.filter(|(place, _)| is_inside(place.span)) {
            let callees = found.points_to.callees(id, call);
            let is_unseen = |name: &String| {
                found.points_to.unknown_functions().contains(name) && !silent.contains(name)
            };
            if callees.unknown || callees.named.iter().any(is_unseen) {
                unseen.insert(place);
            }
        }
    };
    look(region.0, &|span| region.1.contains(span));
    let called = called(found, region);
    called.into_iter().for_each(|id| look(id, &|_| true));
    unseen.into_iter().next()
}

/// The same in all regions in which threads come to a checkpoint.
fn unseen_around(found: &Analysed, one: &Checkpoint) -> Option<TextPlace> {
    let mut all = found.steps.routine_ids();
    all.find_map(|id| {
        let mut regions = Vec::new();
        found.function(id).body.walk(&mut |statement| {
            let is_region = statement.is_parallel_region();
            regions.extend(is_region.then_some(statement.span));
            !is_region
        });
        regions.into_iter().find_map(|region| {
            let is_around = id == one.routine && region.contains(one.directive.span);
            let is_here = is_around || called(found, (id, region)).contains(&one.routine);
            unseen(found, (id, region)).filter(|_| is_here)
        })
    })
}

/// The functions that may be called from a text.
pub fn called(found: &Analysed, from: (RoutineId, Span)) -> BTreeSet<RoutineId> {
    let (steps, points_to) = (found.steps, found.points_to);
    let first = points_to.called_in(steps, from.0, |span| from.1.contains(span));
    points_to.called_from(steps, first)
}

/// Errors and warnings about checkpoints in parallel regions.
pub fn diagnostics(found: &Analysed) -> Vec<Diagnostic> {
    let all = checkpoints(found);
    if all.is_empty() {
        return Vec::new();
    }
    // Where threads stop at barriers, too, they need not be in step.
    let stops_at_barriers = found.has(|one| one.stands().is_some());
    let uniform = uniform(found);
    let unfinished = unfinished(found);
    let mut told = Vec::new();
    let mut causes: BTreeMap<usize, Cause> = BTreeMap::new();
    for (number, one) in all.iter().enumerate() {
        let span = one.directive.span;
        if let Some(cause) = uniform.why_not(one.routine, span, span) {
            causes.insert(number, cause);
        }
    }
    for (number, one) in all.iter().enumerate() {
        let flow = &found.steps.routine(one.routine).flow;
        let Some(node) = flow.node_at(one.directive.span.start) else {
            continue;
        };
        let held = unfinished.locks_at(one.routine, node).into_iter();
        for place in held
            .filter(|place| !locks::is_noted(found.program, *place))
            .take(1)
        {
            told.push(of_lock(found, one, place));
        }
        let of_others = one.directive.directive.stands().is_some();
        let tasks = unfinished.tasks_at(one.routine, node).into_iter();
        // Those of the thread that executes a construct are looked at there.
        let tasks = tasks.filter(|place| !(of_others && is_by_one_with_checkpoint(found, *place)));
        for place in tasks.take(1) {
            told.push(of_tasks(found, one, place));
        }
        if stops_at_barriers {
            continue;
        }
        let left = unfinished.at(one.routine, node).into_iter();
        let handed = { left }.find_map(|one| match one {
            Left::Handed(place) => Some(place),
            _ => None,
        });
        let own = causes.get(&number);
        if let (Some(cause), None) = (own, handed)
            && let Some(place) = unseen_around(found, one)
        {
            told.push(of_unseen(found, one, cause, place));
            continue;
        }
        match (own, handed) {
            (Some(cause), handed) => told.push(out_of_step(found, one, cause, handed)),
            // They are counted together: one that is passed unequally often puts all of them out of step.
            (None, Some(handed)) => {
                let other = causes.iter().next();
                told.extend(other.map(|(_, cause)| out_of_step(found, one, cause, Some(handed))));
            }
            (None, None) => {}
        }
    }
    told.extend(waiting_without_stop(found, &all, &unfinished));
    told
}

/// Locks that a thread may hold at a checkpoint and for which others wait where they do not stop: they come late to every one. Where
/// nobody has written a stop, all that are needed are put in.
fn waiting_without_stop(
    found: &Analysed,
    all: &[Checkpoint],
    unfinished: &Unfinished,
) -> Vec<Diagnostic> {
    let is_own_stop = |(unit, one): (usize, &DirectiveUse)| {
        let file = &found.program.units[unit].file;
        one.directive.stands().is_some() && !file.is_added(one.lines.start)
    };
    if !found.directives().any(is_own_stop) {
        return Vec::new();
    }
    let takings: Vec<Locking> = { found.steps.routine_ids() }
        .flat_map(|id| {
            let body = &found.function(id).body;
            let own = locks::of(found.program, found.steps, id, body, found.catalogue);
            own.into_values().flatten().filter(|one| one.takes)
        })
        .collect();
    let mut told: BTreeMap<TextPlace, Diagnostic> = BTreeMap::new();
    let of_threads = all
        .iter()
        .filter(|one| one.directive.directive.stands().is_none());
    for one in of_threads {
        let flow = &found.steps.routine(one.routine).flow;
        let Some(node) = flow.node_at(one.directive.span.start) else {
            continue;
        };
        let held: Vec<TextPlace> = unfinished.locks_at(one.routine, node).into_iter().collect();
        let held: Vec<&Locking> = { takings.iter() }
            .filter(|taking| held.contains(&taking.place))
            .filter(|taking| locks::is_noted(found.program, taking.place))
            .collect();
        let late = takings.iter().filter(|taking| {
            held.iter().any(|one| one.lock == taking.lock)
                && locks::is_waiting(found.program, taking.place)
                && !stops_before(found.program, taking.place)
        });
        for taking in late {
            let lock = held.iter().find(|one| one.lock == taking.lock);
            let Some(lock) = lock else { continue };
            let diagnostic = || of_late_lock(found, one, lock, taking.place);
            told.entry(taking.place).or_insert_with(diagnostic);
        }
    }
    told.into_values().collect()
}

/// Whether a thread stops right before a statement that takes a lock.
fn stops_before(program: &Program, taking: TextPlace) -> bool {
    let unit = &program.units[taking.unit];
    let mut stops = false;
    for function in &unit.functions {
        function.body.walk(&mut |one| {
            if let StatementKind::Compound { items, .. } = &one.kind {
                stops |= items.windows(2).any(|pair| {
                    let (before, one) = (&pair[0], &pair[1]);
                    let is_stop = matches!(before.kind, StatementKind::Directive(id)
                        if unit.directives[id.0].directive.stands() == Some(Stands::Lock));
                    is_stop && one.span.contains(taking.span)
                });
            }
            one.span.contains(taking.span)
        });
    }
    stops
}

fn of_late_lock(
    found: &Analysed,
    one: &Checkpoint,
    held: &Locking,
    waits: TextPlace,
) -> Diagnostic {
    let at = found.at_directive(one.unit, one.directive);
    let told = Diagnostic::warning(
        Code::OUT_OF_STEP,
        at,
        "a thread may hold a lock at this checkpoint for which others wait",
    )
    .label("no checkpoint is taken while they wait")
    .reason(
        "a thread that waits for a lock comes to no checkpoint and to no barrier before it gets it: it is waited for 2 s or longer, and \
         then the run continues without",
    )
    .help(format!(
        "write `#pragma cccp checkpoint lock` as a line of its own before {}, where it then stops; or give the lock back in front of the \
         checkpoint, and take it again behind it",
        found.line(waits, one.unit)
    ))
    .also(found.at(waits), "waits here");
    match held.place == waits {
        true => told,
        false => told.also(found.at(held.place), "taken here"),
    }
}

/// The checkpoints that several threads may come to.
fn checkpoints<'a>(found: &Analysed<'a>) -> Vec<Checkpoint<'a>> {
    let parallel = Parallel::of(found.program, found.steps, found.points_to, found.effects);
    if !parallel.has_regions() {
        return Vec::new();
    }
    let all = found.directives().filter_map(|(unit, directive)| {
        let is_checkpoint = matches!(directive.directive, Directive::Checkpoint { .. });
        let function = directive.function.filter(|_| is_checkpoint)?;
        let routine = found.steps.routine_of(FunctionRef { unit, function });
        let body = &found.function(routine).body;
        let is_in_team = parallel.is_in_region(routine, directive.span);
        // In these a checkpoint is refused anyway.
        let around = body.regions_around(directive.span).into_iter();
        let mut constructs = around.flat_map(|one| &one.openmp);
        let is_refused = constructs.any(|one| one.divides() && !one.is_plainly_by_one_thread());
        (is_in_team && !is_refused).then_some(Checkpoint {
            unit,
            directive,
            routine,
        })
    });
    all.collect()
}

/// Whether one thread executes this text, and a checkpoint with it.
fn is_by_one_with_checkpoint(found: &Analysed, place: TextPlace) -> bool {
    let unit = &found.program.units[place.unit];
    let functions = unit.functions.iter();
    let around = functions.flat_map(|one| one.body.regions_around(place.span));
    let mut by_one =
        around.filter(|one| one.openmp.iter().any(|one| one.is_plainly_by_one_thread()));
    by_one.any(|region| {
        let mut own = unit.directives.iter();
        own.any(|one| {
            matches!(one.directive, Directive::Checkpoint { .. }) && region.span.contains(one.span)
        })
    })
}

fn of_tasks(found: &Analysed, one: &Checkpoint, tasks: TextPlace) -> Diagnostic {
    let at = found.at_directive(one.unit, one.directive);
    Diagnostic::error(
        Code::UNFINISHED_TASKS,
        at,
        "tasks may be unfinished at this checkpoint",
    )
    .label("a restart from here does not make them again")
    .reason("a task that has not been executed yet is known to OpenMP alone, and is in no checkpoint")
    .help("put `#pragma omp taskwait`, or `#pragma omp barrier` where other threads may execute them, in front of the checkpoint")
    .also(found.at(tasks), "made here")
}

fn of_lock(found: &Analysed, one: &Checkpoint, taken: TextPlace) -> Diagnostic {
    let at = found.at_directive(one.unit, one.directive);
    Diagnostic::error(
        Code::UNFINISHED_TASKS,
        at,
        "a thread may hold a lock at this checkpoint",
    )
    .label("after a restart from here no thread holds it")
    .reason(match locks::is_of_openmp(found.program, taken) {
        true => "another thread may wait for it all the time, and with several ranks that cannot be waited for",
        false => "who holds a lock is known to its library alone, and is in no checkpoint",
    })
    .help("give the lock back in front of the checkpoint, and take it again behind it")
    .also(found.at(taken), "taken here")
}

fn out_of_step(
    found: &Analysed,
    one: &Checkpoint,
    cause: &Cause,
    handed: Option<TextPlace>,
) -> Diagnostic {
    let at = found.at_directive(one.unit, one.directive);
    let what = "threads may pass checkpoints of this parallel region unequally often";
    let told = match handed {
        Some(_) => Diagnostic::error(Code::OUT_OF_STEP, at, what)
            .label("some may have come to more shared-out work than others when they meet here")
            .reason(
                "OpenMP hands out the work of a construct to the thread that comes first, and it alone knows which has what: after a restart \
                 some of it would be done twice, and some not at all",
            )
            .help("move checkpoints to where all threads of the team come equally often, or remove the `nowait`"),
        None => Diagnostic::warning(Code::OUT_OF_STEP, at, what)
            .label("no checkpoint is taken where one of them does not come")
            .reason(match found.program.units.iter().any(|unit| unit.uses_mpi) {
                false => {
                    "all threads meet at the n-th checkpoint that each of them passes; one that passes fewer is waited for 2 s or \
                     longer, and then the run continues without"
                }
                true => {
                    "all threads meet at the n-th checkpoint that each of them passes; one that passes fewer is waited for 2 s or \
                     longer, and then the run continues without. They do not stop at barriers as in programs without MPI: ranks agree on \
                     checkpoints by how many the initial thread has passed, and where the others stand then differs from rank to rank"
                }
            })
            .help("move the checkpoint to where all threads of the team come equally often"),
    };
    let told = decided(found, told, cause);
    match handed {
        Some(place) => told.also(
            found.at(place),
            "handed out while it runs, without a barrier",
        ),
        None => told,
    }
}

/// Who decides whether a thread comes to a checkpoint.
fn decided(found: &Analysed, told: Diagnostic, cause: &Cause) -> Diagnostic {
    let decides = match &cause.variable {
        Some(name) => format!("`{name}` decides: {}", cause.why),
        None => cause.why.clone(),
    };
    let told = told.also(found.at(cause.place), decides);
    match cause.origin == cause.place {
        true => told,
        false => told.also(found.at(cause.origin), "which comes from here"),
    }
}

fn of_unseen(found: &Analysed, one: &Checkpoint, cause: &Cause, call: TextPlace) -> Diagnostic {
    let at = found.at_directive(one.unit, one.directive);
    let told = Diagnostic::error(
        Code::OUT_OF_STEP,
        at,
        "threads may pass checkpoints of this parallel region unequally often, and it calls what is in no file given",
    )
    .label("some may have come to more shared-out work or barriers there than others when they meet here")
    .reason(
        "threads that are not in step stop before their barriers, too, and OpenMP alone knows who has which part of shared-out work: both \
         have to be seen",
    )
    .help(
        "give the file that defines the function in the same call, or say with an entry for `--catalog` what it does; or move \
         checkpoints to where all threads of the team come equally often",
    );
    decided(found, told, cause).also(found.at(call), "called here")
}
