//! Checkpoints to which no restart can come: those in functions that a library calls, or code that is not given.
//!
//! In: the calls of the program. Out: an error for every checkpoint that is reached only through such a function, a warning
//! for one that an ordinary way from `main` reaches, too. A restart makes the calls from `main` to its checkpoint again, and
//! only precompiled code can do that: it does not come back into `qsort`, a signal handler, `atexit`, another thread.
//! A library whose source is given is part of the program, and so is a function that a `client` directive names.
//! Errors fall on the side of saying nothing; the library does not take such a checkpoint in any case, and says so.

use std::collections::{BTreeMap, BTreeSet};

use super::Analysed;
use super::memory::CellId;
use crate::catalog::{EffectKind, LibraryFunction, Role, Root};
use crate::dataflow::steps::{Call, RoutineId, TextPlace, ValueId};
use crate::diagnostic::{Code, Diagnostic};
use crate::program::Directive;

/// A function of the program, as other code knows it.
struct HandedOver {
    /// Where it is handed over.
    place: TextPlace,
    /// To which function.
    to: String,
}

/// Errors and warnings about such checkpoints.
pub fn diagnostics(found: &Analysed) -> Vec<Diagnostic> {
    let handed = handed_over(found);
    let Some(main) = found.effects.main.filter(|_| !handed.is_empty()) else {
        return Vec::new();
    };
    let reached = |from| found.points_to.called_from(found.steps, [from]);
    let ordinary = reached(main);
    let mut all = Vec::new();
    let mut told: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (&called, from) in &handed {
        for routine in reached(called) {
            let unit_index = found.unit_index(routine);
            let unit = found.unit(routine);
            let own = found.steps.routine(routine).function.function;
            for one in &unit.directives {
                let is_checkpoint = matches!(one.directive, Directive::Checkpoint { .. });
                if !is_checkpoint
                    || one.function != Some(own)
                    || !told.insert((unit_index, one.span.start))
                {
                    continue;
                }
                let place = found.at_directive(unit_index, one);
                let name = &found.steps.routine(called).name;
                let to = &from.to;
                let diagnostic = match ordinary.contains(&routine) {
                    false => Diagnostic::error(
                        Code::CALLED_BACK,
                        place,
                        "no checkpoint can be taken here",
                    ),
                    true => Diagnostic::warning(
                        Code::CALLED_BACK,
                        place,
                        format!("no checkpoint is taken here where `{to}` has called `{name}`"),
                    ),
                };
                let diagnostic = diagnostic
                    .label(format!("`{to}` calls `{name}`, and is not precompiled"))
                    .reason("a restart makes the calls from `main` to the checkpoint again, and cannot make those of other code")
                    .help(help(found, to, name));
                all.push(diagnostic.also(found.at(from.place), "handed over here"));
            }
        }
    }
    all
}

fn help(found: &Analysed, to: &str, name: &str) -> String {
    match found.catalogue.contains(to) {
        true => format!(
            "move it to where `main` and the functions called from there come, outside of `{name}`"
        ),
        false => format!(
            "precompile the file that defines `{to}` together with this one, or move the checkpoint out of `{name}`"
        ),
    }
}

/// Functions of the program that other code calls, because a call hands them over.
fn handed_over(found: &Analysed) -> BTreeMap<RoutineId, HandedOver> {
    let promised: BTreeSet<&str> = found
        .directives()
        .filter_map(|(_, one)| match &one.directive {
            Directive::Client { names } => Some(names.iter().map(String::as_str)),
            _ => None,
        })
        .flatten()
        .collect();
    let mut all = BTreeMap::new();
    for caller in found.steps.routine_ids() {
        for (place, call) in found.calls(caller) {
            for name in found.points_to.callees(caller, call).named {
                if promised.contains(name.as_str()) {
                    continue;
                }
                let routines = match found.catalogue.find(&name) {
                    Some(function) => handed_to(found, caller, call, &function),
                    None => {
                        let all = call.arguments.iter();
                        all.flat_map(|one| {
                            functions(found, targets(found, caller, one.value), true)
                        })
                        .collect()
                    }
                };
                for routine in routines {
                    let to = name.clone();
                    all.entry(routine).or_insert(HandedOver { place, to });
                }
            }
        }
    }
    all
}

/// What a function of a library calls at once or later because of a call.
fn handed_to(
    found: &Analysed,
    caller: RoutineId,
    call: &Call,
    function: &LibraryFunction,
) -> Vec<RoutineId> {
    let mut routines = Vec::new();
    let at = |root: &Root| match root {
        Root::Parameter(parameter) => call.arguments.get(*parameter),
        _ => None,
    };
    for one in &function.calls {
        let is_member = !one.callback.members.is_empty() || one.callback.behind > 0;
        if let Some(argument) = at(&one.callback.root) {
            let cells = targets(found, caller, argument.value);
            routines.extend(functions(found, cells, is_member));
        }
    }
    for effect in &function.effects {
        if let (EffectKind::Keeps(_), Some(argument)) = (&effect.kind, at(&effect.place.root))
            && !function.is_data(&effect.place)
        {
            let cells = targets(found, caller, argument.value);
            routines.extend(functions(found, cells, function.is(Role::Handles)));
        }
    }
    routines
}

fn targets(found: &Analysed, caller: RoutineId, value: ValueId) -> Vec<CellId> {
    found.points_to.targets(caller, value).collect()
}

/// The functions among some cells, or among all that these lead to.
fn functions(found: &Analysed, cells: Vec<CellId>, all: bool) -> Vec<RoutineId> {
    let of = |cell: usize| found.points_to.memory.routine(CellId(cell as u32));
    match all {
        true => {
            let cells = found.points_to.reachable(cells);
            cells.ones().filter_map(of).collect()
        }
        false => {
            let cells = cells.into_iter().map(|cell| cell.0 as usize);
            cells.filter_map(of).collect()
        }
    }
}
