//! Files of which nothing is left when the process has ended: what standard streams and descriptors are redirected to, and streams
//! that belong to no file with a name. And how far standard input was read.
//!
//! In: the calls of the program, and where pointers lead at checkpoints. Out: the calls that a restart would have to repeat. What
//! stands in a block that is executed on restart is repeated. Errors fall on the side of naming too many.

use std::collections::{BTreeMap, BTreeSet};

use super::Analysed;
use super::avoidable::Avoidable;
use super::memory::ObjectKind;
use super::points_to::Scope;
use super::ways::{Ways, is_in_block};
use crate::dataflow::steps::{Base, Called, RoutineId, StepKind, TextPlace};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::program::Directive;

/// What makes another file of a descriptor that there is. (The file that `freopen` gives a stream comes back with the checkpoint.)
const REDIRECTS: [&str; 2] = ["dup2", "dup3"];

/// What opens streams that belong to no file. Files that have no name any more are kept in checkpoints.
const NAMELESS: [&str; 5] = [
    "open_memstream",
    "open_wmemstream",
    "fmemopen",
    "fopencookie",
    "popen",
];

/// Functions that read standard input without naming it.
const STANDARD_INPUT: [&str; 9] = [
    "scanf",
    "vscanf",
    "getchar",
    "getchar_unlocked",
    "gets",
    "wscanf",
    "vwscanf",
    "getwchar",
    "__isoc99_scanf",
];

/// Where standard input is read after a checkpoint although no register keeps how far it was read.
pub fn input_read_later(facts: &Analysed, ways: &Ways) -> Option<TextPlace> {
    let is_registered = facts.has(|one| match one {
        Directive::Register { items } => items.iter().any(|item| item.name == "stdin"),
        _ => false,
    });
    let routines = facts.steps.routine_ids().filter(|_| !is_registered);
    routines
        .flat_map(|routine| reads_of_input(facts, routine))
        .find(|(place, routine)| ways.may_come_later(*routine, place.span))
        .map(|(place, _)| place)
}

/// Where a function reads standard input.
fn reads_of_input(facts: &Analysed, routine: RoutineId) -> Vec<(TextPlace, RoutineId)> {
    let unit = facts.unit_index(routine);
    let mut places = Vec::new();
    facts.steps.routine(routine).walk(&mut |step| {
        let reads = match &step.kind {
            StepKind::Call(call) => {
                matches!(&call.callee, Called::Named(name) if STANDARD_INPUT.contains(&name.as_str()))
            }
            StepKind::Read { place, .. } => {
                let variable = match place.base {
                    Base::Variable(variable) => Some(facts.steps.variable(variable)),
                    _ => None,
                };
                variable.is_some_and(|one| one.name == "stdin" && one.owner.is_none())
            }
            _ => false,
        };
        if reads {
            let span = step.span;
            places.push((TextPlace { unit, span }, routine));
        }
    });
    places
}

/// Calls before a checkpoint that redirect a descriptor.
pub fn redirected(facts: &Analysed, ways: &Ways) -> Vec<(TextPlace, String)> {
    let mut found = Vec::new();
    for routine in facts.steps.routine_ids() {
        for (place, call) in facts.calls(routine) {
            // A pointer may call it, too.
            for name in facts.points_to.callees(routine, call).named {
                let name = facts.catalogue.find(&name).map(|one| one.name.clone());
                let Some(name) = name.filter(|name| REDIRECTS.contains(&name.as_str())) else {
                    continue;
                };
                if ways.may_follow(routine, place.span) && !is_in_block(facts, routine, place.span)
                {
                    found.push((place, name));
                }
            }
        }
    }
    found
}

/// Calls of `popen` whose process has been waited for before any checkpoint: some `pclose` is given the stream, and after a
/// checkpoint nobody uses it.
pub fn waited_for(facts: &Analysed) -> BTreeSet<TextPlace> {
    let memory = &facts.points_to.memory;
    let mut closed = BTreeSet::new();
    for routine in facts.steps.routine_ids() {
        for (_, call) in facts.calls(routine) {
            let (Called::Named(name), Some(stream)) = (&call.callee, call.arguments.first()) else {
                continue;
            };
            if name != "pclose" {
                continue;
            }
            let scope = Scope::Routine(routine);
            for target in facts.points_to.targets(scope, stream.value) {
                let object = memory.cells[target.0 as usize].object;
                if let ObjectKind::Heap { call, .. } = &memory.objects[object.0 as usize].kind {
                    closed.insert(*call);
                }
            }
        }
    }
    if !closed.is_empty() {
        for (place, _) in nameless(facts) {
            closed.remove(&place);
        }
    }
    closed
}

/// Calls that open streams without a file which are open at a checkpoint and used after it. Where no checkpoint is taken while a
/// process of the program is there, `popen` counts only where every run has called it and no other call opens what is used: otherwise
/// there are runs with checkpoints, those that read a plain file or show nothing on the way.
pub fn nameless(facts: &Analysed) -> Vec<(TextPlace, String)> {
    let mut opened: BTreeMap<TextPlace, (RoutineId, String)> = BTreeMap::new();
    for routine in facts.steps.routine_ids() {
        for (place, call) in facts.calls(routine) {
            if let Called::Named(name) = &call.callee
                && NAMELESS.contains(&name.as_str())
                && !is_in_block(facts, routine, place.span)
            {
                opened.insert(place, (routine, name.clone()));
            }
        }
    }
    let memory = &facts.points_to.memory;
    let mut used: BTreeSet<TextPlace> = BTreeSet::new();
    let mut avoidable: BTreeMap<TextPlace, Avoidable<'_>> = BTreeMap::new();
    for live in facts.liveness.checkpoints() {
        if opened.is_empty() {
            break;
        }
        for cell in live.everywhere() {
            let calls: Vec<TextPlace> = { facts.points_to.pointees(cell) }
                .filter_map(|target| {
                    let object = memory.cells[target.0 as usize].object;
                    match &memory.objects[object.0 as usize].kind {
                        ObjectKind::Heap { call, .. } => Some(*call),
                        _ => None,
                    }
                })
                .collect();
            let is_awaited = |call: &TextPlace| {
                facts.catalogue.awaits_children()
                    && opened.get(call).is_some_and(|(_, name)| name == "popen")
            };
            let may_be_a_file = calls.iter().any(|call| !opened.contains_key(call));
            let mut is_avoidable = |call: &TextPlace| {
                let (routine, _) = opened[call];
                let one = { avoidable.entry(*call) }.or_insert_with(|| {
                    Avoidable::of(facts.steps, facts.effects, [(routine, call.span)].into())
                });
                one.leads_to(live)
            };
            for call in calls {
                let is_there_or_not = opened.contains_key(&call)
                    && is_awaited(&call)
                    && (may_be_a_file || is_avoidable(&call));
                if !is_there_or_not {
                    used.insert(call);
                }
            }
        }
    }
    opened.retain(|place, _| used.contains(place));
    { opened.into_iter() }
        .map(|(place, (_, name))| (place, name))
        .collect()
}

/// Warnings about all three in a program with marks, which are errors when what is missing is denied.
pub fn diagnostics(facts: &Analysed, denied: bool) -> Vec<Diagnostic> {
    let severity = match denied {
        true => Severity::Error,
        false => Severity::Warning,
    };
    let tell_as = |code: Code, place: TextPlace, message: String| {
        let warning = Diagnostic::warning(code, facts.at(place), message);
        Diagnostic {
            severity,
            ..warning
        }
    };
    let tell = |place, message| tell_as(Code::PASSING_FILE, place, message);
    let ways = Ways::of(facts);
    let input = input_read_later(facts, &ways).map(|place| {
        let message = "`stdin` is read after a checkpoint and not registered".to_string();
        tell_as(Code::NOT_REGISTERED, place, message)
            .label("a restarted program would read it from its beginning")
            .reason("how far standard input was read is restored only where it is registered")
            .help("write `#pragma cccp register(stdin)` behind `init`")
    });
    let redirected = redirected(facts, &ways).into_iter();
    let redirected = redirected.map(|(place, name)| {
        tell(place, format!("what `{name}` redirects is not redirected after a restart"))
            .label("from here on a descriptor is another file")
            .reason("a restarted process begins with the descriptors that it is given")
            .help("use `freopen`, or redirect the output where the program is started (`prog > file`); or put this between `#pragma cccp execute on restart` and `#pragma cccp end execute`, and open the file to append: what was written after the checkpoint is cut off")
    });
    let nameless = nameless(facts).into_iter().map(|(place, name)| {
        tell(place, format!("what `{name}` opens is gone after a restart"))
            .label("a stream without a file begins here, and is used after a checkpoint")
            .reason("what was written to it or read from it lies in the process, and ends with it")
            .help("use `fopen` with a name, or close the stream before the checkpoint; or open it between `#pragma cccp execute on restart` and `#pragma cccp end execute`, and write or read there what it held")
    });
    redirected.chain(nameless).chain(input).collect()
}
