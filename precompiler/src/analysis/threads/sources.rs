//! What depends on the number of threads to begin with.

use std::collections::BTreeSet;

use super::carried::carried;
use super::executed::{By, Executed};
use crate::analysis::Analysed;
use crate::analysis::communication::{Kind, Library, Sources, communicates};
use crate::analysis::effects::{ActionKind, walk};
use crate::analysis::memory::{CellId, CellSet, ObjectId, ObjectKind};
use crate::analysis::uniform::reached_from_shared;
use crate::catalog::{LibraryFunction, Role};
use crate::dataflow::steps::{Call, RoutineId, StepKind, TextPlace, Variable, VariableKind};
use crate::program::Storage;
use crate::source::Span;

/// How many processors there are: OpenMP mostly has as many threads.
const PROCESSORS: [&str; 8] = [
    "sysconf",
    "get_nprocs",
    "get_nprocs_conf",
    "getcpu",
    "sched_getcpu",
    "sched_getaffinity",
    "getrlimit",
    "popen",
];
const ENVIRONMENT: [&str; 2] = ["getenv", "secure_getenv"];
/// What begins like this in the environment is OpenMP's.
const OF_OPENMP: [&str; 3] = ["\"OMP_", "\"GOMP_", "\"KMP_"];
/// Prints for people.
const SHOWN: [&str; 6] = ["printf", "puts", "putchar", "vprintf", "perror", "wprintf"];
/// States of libraries from which programs compute. Of files see the channels.
const COMPUTED_FROM: [&str; 6] = [
    "@random",
    "@environment",
    "@strings",
    "@tokens",
    "@search",
    "@escaped",
];
/// Messages between ranks, and files.
const MESSAGES: u8 = 1;
const FILES: u8 = 2;

/// Whether a function of OpenMP tells or sets what depends on the number of threads.
pub fn gives_number(function: &LibraryFunction, name: &str) -> bool {
    let others = [
        "_lock",
        "_nest_lock",
        "_schedule",
        "omp_get_wti",
        "alloc",
        "omp_free",
    ];
    function.chapter.starts_with("OpenMP") && !others.iter().any(|one| name.contains(one))
}

/// The sources of a program.
pub struct OfThreads<'a> {
    found: &'a Analysed<'a>,
    library: Library<'a>,
    differing: Vec<(CellId, TextPlace)>,
}

impl<'a> OfThreads<'a> {
    /// Looks at a program.
    pub fn of(found: &'a Analysed<'a>, executed: &Executed) -> OfThreads<'a> {
        let mut library = Library::of(
            found.program,
            found.steps,
            found.points_to,
            found.effects,
            found.catalogue,
        );
        let own = Own::of(found);
        library.forget(|cell| match own.kind(cell) {
            ObjectKind::Library(state) => !COMPUTED_FROM.contains(&state.as_str()),
            _ => false,
        });
        let mut differing = stored_by_everybody(found, executed, &library, &own);
        differing.extend(kept_by_threads(found, executed));
        differing.extend(carried(found, executed, &own));
        OfThreads {
            found,
            library,
            differing,
        }
    }

    fn argument(&self, routine: RoutineId, call: &Call) -> &str {
        let file = &self.found.unit(routine).file;
        let first = call.arguments.first();
        first.map_or("", |one| file.preprocessed_text(one.span).trim())
    }
}

impl Sources for OfThreads<'_> {
    fn kind(&self, routine: RoutineId, call: &Call, name: &str) -> Kind {
        if ENVIRONMENT.contains(&name) {
            let asked = self.argument(routine, call);
            let is_other =
                asked.starts_with('"') && !OF_OPENMP.iter().any(|one| asked.starts_with(one));
            return if is_other { Kind::Plain } else { Kind::Varying };
        }
        match self.found.catalogue.find(name) {
            Some(function) if gives_number(&function, name) => Kind::Varying,
            Some(_) if !PROCESSORS.contains(&name) => Kind::Plain,
            None if name.starts_with("__builtin_") => Kind::Plain,
            _ => Kind::Varying,
        }
    }

    fn channels(&self, routine: RoutineId, call: &Call, name: &str) -> (u8, u8) {
        let Some(function) = self.found.catalogue.find(name) else {
            return (0, 0);
        };
        if communicates(&function) {
            return (MESSAGES, MESSAGES);
        }
        let file = &self.found.unit(routine).file;
        let mut arguments = call.arguments.iter();
        let is_shown = SHOWN.contains(&name)
            || arguments
                .any(|one| matches!(file.preprocessed_text(one.span).trim(), "stdout" | "stderr"));
        let out = function.is(Role::Prints) && !is_shown;
        let into = function.is(Role::ReadsInput);
        (FILES * u8::from(out), FILES * u8::from(into))
    }

    fn read(&self, routine: RoutineId, call: Span) -> &[CellId] {
        self.library.read(routine, call)
    }

    fn stored(&self, routine: RoutineId, call: Span) -> &[(CellId, bool)] {
        self.library.stored(routine, call)
    }

    fn differing(&self) -> &[(CellId, TextPlace)] {
        &self.differing
    }
}

/// Which memory is a thread's own.
pub struct Own<'a> {
    found: &'a Analysed<'a>,
    reached: CellSet,
}

impl<'a> Own<'a> {
    fn of(found: &'a Analysed<'a>) -> Own<'a> {
        Own {
            found,
            reached: reached_from_shared(found.steps, found.points_to),
        }
    }

    /// Whether there is one of it for each thread that executes a text of a function, and no other thread can reach it; none when that
    /// is not certain.
    pub fn has(&self, cell: CellId, at: (RoutineId, Span)) -> Option<bool> {
        let memory = &self.found.points_to.memory;
        let object = self.object(cell);
        let known = &memory.objects[object.0 as usize];
        let is_several = match &known.kind {
            ObjectKind::Variable(id) => {
                let variable = self.found.steps.variable(*id);
                let is_local = matches!(variable.storage, Storage::Automatic | Storage::Register);
                match variable.owner.filter(|_| is_local) {
                    Some(owner) if owner == at.0 => self.is_own(variable, at)?,
                    Some(owner) => self.found.points_to.teams().has(*id, owner),
                    None => false,
                }
            }
            ObjectKind::Heap { .. } => !known.is_single,
            ObjectKind::Function(_) | ObjectKind::Text(_) => true,
            ObjectKind::Library(_) | ObjectKind::Unknown => false,
        };
        Some(is_several && !self.reached.contains(cell.0 as usize))
    }

    /// Whether a local of the function is the thread's own in a text of it.
    fn is_own(&self, variable: &Variable, (id, at): (RoutineId, Span)) -> Option<bool> {
        let around = self.found.function(id).body.regions_around(at);
        let mut team = None;
        for statement in &around {
            for construct in &statement.openmp {
                if construct.is_private_by_default() {
                    return None;
                }
                let mut kept = construct.keeps_value();
                if kept.any(|one| one.text == variable.name) {
                    return Some(true);
                }
                if construct.runs_in_other_threads() {
                    team = Some(statement.span);
                }
            }
        }
        Some(team.is_none_or(|team| team.contains(variable.declared.span)))
    }

    /// The object that a cell is of.
    pub fn object(&self, cell: CellId) -> ObjectId {
        self.found.points_to.memory.cells[cell.0 as usize].object
    }

    /// What an object is.
    pub fn kind(&self, cell: CellId) -> &'a ObjectKind {
        let object = self.object(cell);
        &self.found.points_to.memory.objects[object.0 as usize].kind
    }

    /// Whether each thread has a copy of a variable that stays.
    fn stays(&self, cell: CellId) -> bool {
        match self.kind(cell) {
            ObjectKind::Variable(id) => {
                let variable = self.found.steps.variable(*id);
                variable.per_thread || variable.kind == VariableKind::OtherThreads
            }
            _ => false,
        }
    }
}

/// What all threads share, and every thread stores to.
fn stored_by_everybody(
    found: &Analysed,
    executed: &Executed,
    library: &Library<'_>,
    own: &Own,
) -> Vec<(CellId, TextPlace)> {
    let mut all = Vec::new();
    for id in found.steps.routine_ids() {
        let flow = &found.steps.routine(id).flow;
        let unit = found.unit_index(id);
        for (node, known) in flow.nodes.iter().enumerate() {
            if executed.by(found, id, known.span) != By::Everybody {
                continue;
            }
            let actions = found.effects.bodies[id.0 as usize].nodes.get(node);
            walk(actions.into_iter().flatten(), &mut |action| {
                let ActionKind::Write { cells, .. } = &action.kind else {
                    return;
                };
                let place = TextPlace {
                    unit,
                    span: action.span,
                };
                let shared = found.effects.cells(*cells).iter().copied().filter(|cell| {
                    let is_library = matches!(own.kind(*cell), ObjectKind::Library(_));
                    !is_library
                        && own.has(*cell, (id, known.span)) != Some(true)
                        && !own.stays(*cell)
                });
                all.extend(shared.map(|cell| (cell, place)));
            });
            // Generators go on with each thread's call.
            for step in found
                .steps
                .routine(id)
                .nodes
                .get(node)
                .into_iter()
                .flatten()
            {
                step.walk(&mut |step| {
                    let StepKind::Call(call) = &step.kind else {
                        return;
                    };
                    let named = found.points_to.callees(id, call).named;
                    let is_random = named.iter().any(|name| {
                        let function = found.catalogue.find(name);
                        function.is_some_and(|one| one.is(Role::Random) || one.is(Role::Seeds))
                    });
                    let span = step.span;
                    let stored = library.stored(id, span).iter().filter(|_| is_random);
                    let stored =
                        stored.filter(|(cell, _)| own.has(*cell, (id, span)) != Some(true));
                    all.extend(stored.map(|(cell, _)| (*cell, TextPlace { unit, span })));
                });
            }
        }
    }
    all
}

/// Variables of which each thread has a copy that stays, where the copies differ: not all threads store to theirs.
fn kept_by_threads(found: &Analysed, executed: &Executed) -> Vec<(CellId, TextPlace)> {
    let kept: BTreeSet<_> = (found.steps.variable_ids())
        .filter(|id| {
            let variable = found.steps.variable(*id);
            variable.per_thread || variable.kind == VariableKind::OtherThreads
        })
        .filter_map(|id| found.points_to.variable(id))
        .collect();
    if kept.is_empty() {
        return Vec::new();
    }
    let is_kept =
        |cell: CellId| kept.contains(&found.points_to.memory.cells[cell.0 as usize].object);
    let mut stored: Vec<(CellId, TextPlace, By)> = Vec::new();
    let mut read_in_teams = BTreeSet::new();
    for id in found.steps.routine_ids() {
        let unit = found.unit_index(id);
        for (node, known) in found.steps.routine(id).flow.nodes.iter().enumerate() {
            let by = executed.by(found, id, known.span);
            let actions = found.effects.bodies[id.0 as usize].nodes.get(node);
            walk(actions.into_iter().flatten(), &mut |action| {
                let span = action.span;
                match &action.kind {
                    ActionKind::Read(cells) if by != By::Nobody => {
                        read_in_teams.extend(found.effects.cells(*cells).iter().copied());
                    }
                    ActionKind::Write { cells, .. } if by != By::Everybody => {
                        let cells = found.effects.cells(*cells).iter().copied();
                        let kept = cells.filter(|cell| is_kept(*cell));
                        stored.extend(kept.map(|cell| (cell, TextPlace { unit, span }, by)));
                    }
                    _ => {}
                }
            });
        }
    }
    let stored = stored.into_iter();
    let differ = stored.filter(|(cell, _, by)| *by == By::Somebody || read_in_teams.contains(cell));
    differ.map(|(cell, place, _)| (cell, place)).collect()
}
