//! In which constructs of OpenMP control is at a place, also when a function is called from them.
//!
//! In: the program, and who calls whom. Out: for a place the constructs around it, from the inside out, in its own function
//! and in those that call it, up to `main`. The one idea: constructs are statements, so what is around a place is a chain of
//! statements, and a call continues the chain where it stands.
//!
//! ```text
//! #pragma omp parallel                        3  team
//! #pragma omp for schedule(dynamic)           2  loop, dynamic
//! for (i = 0; i < n; i++) step(i);
//! void step(int i) {
//! #pragma omp critical                        1  critical, which is around
//!     { … }
//! ```
//!
//! Errors fall on the side of more: of several calls the one counts from which a checkpoint is forbidden, a call through a
//! pointer is one of all that it may call, and an unknown directive forbids.
//!
//! Not here: whether all threads come to a place ([`uniform`](super::uniform)).

use std::collections::BTreeMap;

use cccp_grammar::openmp::DirectiveName as Name;

use super::points_to::PointsTo;
use crate::dataflow::steps::{RoutineId, StepKind, Steps, TextPlace};
use crate::program::{Construct, Program, Statement};
use crate::solver::rounds;
use crate::source::Span;

/// Which loops that threads share may have a checkpoint inside, as the end of a sentence.
pub const WRITTEN_OUT: &str = "a loop is written out as what each thread does with its share where its head is like \
     `for (i = a; i < b; i += c)` with integers, it has no other clauses than `private`, `firstprivate`, `lastprivate` (but not `conditional`), `reduction`, `collapse`, `nowait`, \
     `schedule` and those of `parallel`, and the program has no messages";

/// What a construct is to a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Nothing: every thread executes it.
    Nothing,
    /// Iterations are shared out, in this way if it is written there.
    Loop {
        /// `static`, `dynamic`, …
        schedule: Option<String>,
    },
    /// Each section is executed by one thread.
    Sections,
    /// One thread that comes first.
    Single,
    /// One thread of a certain number.
    Masked,
    /// One thread after the other.
    Critical,
    /// One iteration after the other.
    Ordered,
    /// One access.
    Atomic,
    /// Several iterations at once.
    Simd,
    /// Some thread at some time.
    Task,
    /// Another device.
    Target,
    /// Nobody knows.
    Unknown,
}

/// A construct around a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Around {
    /// What it is to a checkpoint.
    pub holds: Holds,
    /// A team begins with it.
    pub is_team: bool,
    /// As it is written, after `#pragma omp`.
    pub text: String,
    /// Its pragma.
    pub place: TextPlace,
    /// The place right before it: its first pragma.
    pub before: TextPlace,
    /// The place right behind its statement.
    pub after: TextPlace,
    /// The calls that lead from it to the place, the outermost first; empty when it is in the same function.
    pub calls: Vec<TextPlace>,
}

impl Around {
    /// A checkpoint cannot stand in it just so. A loop whose schedule is `static`, written or by default, is none of these.
    pub fn forbids(&self) -> bool {
        match &self.holds {
            Holds::Nothing => false,
            Holds::Loop { schedule } => schedule.as_ref().is_some_and(|word| word != "static"),
            _ => true,
        }
    }
}

/// The constructs around every place of a program.
pub struct Nesting<'a> {
    program: &'a Program,
    steps: &'a Steps,
    /// For functions that are called from constructs: those around them, of the call that matters most.
    outside: BTreeMap<RoutineId, Vec<Around>>,
}

impl<'a> Nesting<'a> {
    /// Looks at a program.
    pub fn of(program: &'a Program, steps: &'a Steps, points_to: &PointsTo) -> Nesting<'a> {
        let mut nesting = Nesting {
            program,
            steps,
            outside: BTreeMap::new(),
        };
        if program.units.iter().all(|unit| unit.openmp.is_empty()) {
            return nesting;
        }
        let mut calls = Vec::new();
        for id in steps.routine_ids() {
            steps.routine(id).walk(&mut |step| {
                if let StepKind::Call(call) = &step.kind {
                    let callees = points_to.callees(id, call).routines.into_iter();
                    calls.extend(callees.map(|callee| (id, step.span, callee)));
                }
            });
        }
        rounds(|| {
            let mut due = false;
            for &(caller, at, callee) in &calls {
                let mut found = nesting.around(caller, at);
                let known = nesting.outside.get(&callee);
                if found.is_empty() || known.is_some_and(|known| weight(known) >= weight(&found)) {
                    continue;
                }
                let unit = steps.routine(caller).function.unit;
                for one in &mut found {
                    one.calls.push(TextPlace { unit, span: at });
                }
                nesting.outside.insert(callee, found);
                due = true;
            }
            due
        });
        nesting
    }

    /// The constructs around a text of a function, from the inside out.
    pub fn around(&self, routine: RoutineId, at: Span) -> Vec<Around> {
        let function = self.steps.routine(routine).function;
        let unit = function.unit;
        let mut found = Vec::new();
        let body = &self.program.units[unit].function(function.function).body;
        for statement in body.regions_around(at) {
            let constructs = statement.openmp.iter();
            found.extend(constructs.map(|one| around(unit, statement, one)));
        }
        found.reverse();
        found.extend(self.outside.get(&routine).into_iter().flatten().cloned());
        found
    }

    /// The innermost construct around a text of a function in which a checkpoint cannot stand.
    pub fn forbidding(&self, routine: RoutineId, at: Span) -> Option<Around> {
        let mut around = self.around(routine, at).into_iter();
        around.find(Around::forbids)
    }

    /// The outermost construct that forbids a checkpoint in the same team: before and behind it one may stand, as far as
    /// constructs go.
    pub fn outermost_forbidding(&self, routine: RoutineId, at: Span) -> Option<Around> {
        let mut around = self.around(routine, at);
        let team = around.iter().position(|one| one.is_team);
        around.truncate(team.map_or(around.len(), |team| team + 1));
        around.into_iter().rfind(Around::forbids)
    }
}

/// What matters more: that something forbids a checkpoint, that there are teams.
fn weight(around: &[Around]) -> (bool, bool) {
    (around.iter().any(Around::forbids), !around.is_empty())
}

fn around(unit: usize, statement: &Statement, construct: &Construct) -> Around {
    let first = statement
        .openmp
        .first()
        .map_or(construct.span, |one| one.span);
    let end = statement.span.end;
    let place = |span| TextPlace { unit, span };
    Around {
        holds: holds(construct),
        is_team: construct.is_parallel(),
        text: construct.text.clone(),
        place: place(construct.span),
        before: place(Span::new(first.start, first.start)),
        after: place(Span::new(end, end)),
        calls: Vec::new(),
    }
}

/// Of a combined directive what forbids most.
fn holds(construct: &Construct) -> Holds {
    let has = |names: &[Name]| names.iter().any(|name| construct.has(name));
    if construct.is_unknown() {
        Holds::Unknown
    } else if construct.is_target() {
        Holds::Target
    } else if construct.is_task() {
        Holds::Task
    } else if has(&[Name::Simd]) && !has(&[Name::Ordered]) {
        Holds::Simd
    } else if has(&[Name::For, Name::Loop, Name::Distribute]) {
        let schedule = construct.schedule().and_then(|one| one.word());
        let is_free = has(&[Name::Loop]);
        Holds::Loop {
            schedule: schedule.or(is_free.then_some("auto")).map(str::to_string),
        }
    } else if has(&[Name::Sections, Name::Section]) {
        Holds::Sections
    } else if has(&[Name::Single]) {
        Holds::Single
    } else if has(&[Name::Masked, Name::Master]) {
        Holds::Masked
    } else if has(&[Name::Critical]) {
        Holds::Critical
    } else if has(&[Name::Ordered]) {
        Holds::Ordered
    } else if has(&[Name::Atomic]) {
        Holds::Atomic
    } else if construct.divides() {
        Holds::Unknown
    } else {
        Holds::Nothing
    }
}
