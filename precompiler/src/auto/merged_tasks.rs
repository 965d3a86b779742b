//! Tasks that are executed at once, by the thread that makes them, so that a checkpoint can be inside (S53).
//!
//! In: a program with a checkpoint in a task, or with a task that has the time loop. Out: the line of the task's directive is gone.
//! A restart cannot enter a task; but OpenMP may execute each one where it is made, and then it is a part of what is around it. With
//! a task of its own its data goes, so that is done only where the task has no copy that makes a difference:
//!
//! ```c
//! #pragma omp single                  #pragma omp single
//! {                                   {
//!     #pragma omp task                    /* a task that is executed at once */
//!     for (…) {                           for (…) {
//!         #pragma omp task                    #pragma omp task
//!         …                                   …
//!         #pragma omp taskwait                #pragma omp taskwait
//!     }                                   }
//! }                                   }
//! ```
//!
//! Directives that share a statement, as `parallel` and `single` in two lines above one block, are taken apart by braces before that: each
//! gets a statement of its own, which can have another form.
//!
//! Without a mark it is done where one thread makes the only task, and a loop in it waits for tasks, also in what it calls: others lose nothing
//! when this thread has it. Not here: whether tasks are unfinished at the checkpoint (`unfinished`).

use std::collections::BTreeSet;

use cccp_grammar::openmp::{Clause, ClauseKind, DirectiveName};

use super::insert::{At, Insertion, Replacement};
use super::proposal::Proposal;
use crate::analysis::{Analysed, called};
use crate::dataflow::steps::RoutineId;
use crate::program::{
    Construct, Directive, ExpressionKind, Statement, StatementKind, Storage, SymbolId,
};
use crate::source::Span;

/// Clauses that say when the task is executed, or what is not copied.
const HARMLESS: [ClauseKind; 6] = [
    ClauseKind::If,
    ClauseKind::Final,
    ClauseKind::Untied,
    ClauseKind::Mergeable,
    ClauseKind::Priority,
    ClauseKind::Shared,
];

/// Clauses of constructs around whose variables are copied into a task, or of which each thread has one.
const COPIES: [ClauseKind; 5] = [
    ClauseKind::Private,
    ClauseKind::Firstprivate,
    ClauseKind::Lastprivate,
    ClauseKind::Reduction,
    ClauseKind::Linear,
];

/// The directives that go.
pub fn merged_tasks(facts: &Analysed, has_checkpoint: bool) -> Proposal {
    let mut proposal = Proposal::default();
    each_statement(facts, &mut |merging, unit, one| {
        let [construct] = one.openmp.as_slice() else {
            return true;
        };
        let Some(range) = construct.place.filter(|_| is_task(construct)) else {
            return true;
        };
        let is_wanted = match has_checkpoint {
            true => merging.has_checkpoint(one),
            false => merging.has_time_loop(one),
        };
        if is_wanted && merging.is_equal(one, construct) {
            let file = &facts.program.units[unit].file;
            let lines = file.original_text(range).trim_end().lines().count();
            let text = "/* a task that is executed at once */".to_string()
                + &"\n".repeat(lines.saturating_sub(1));
            let replacement = Replacement { range, text };
            proposal.replacements.push((unit, replacement));
        }
        // Those inside are looked at when this one is gone.
        false
    });
    proposal
}

/// Looks at the statements of all functions, with the index of their unit; inside where `look` says so. With ranks no construct for
/// one thread is entered again: then at none.
fn each_statement(facts: &Analysed, look: &mut dyn FnMut(&Merging, usize, &Statement) -> bool) {
    if facts.program.units.iter().any(|unit| unit.uses_mpi) {
        return;
    }
    for routine in facts.steps.routine_ids() {
        let merging = Merging { facts, routine };
        let unit = facts.unit_index(routine);
        let body = &facts.function(routine).body;
        body.walk(&mut |one| look(&merging, unit, one));
    }
}

/// Braces around directives that share their statement with others.
pub fn apart(facts: &Analysed, has_checkpoint: bool) -> Proposal {
    let mut proposal = Proposal::default();
    each_statement(facts, &mut |merging, unit, one| {
        let Some(end) = one.place.filter(|_| one.openmp.len() > 1) else {
            return true;
        };
        let is_wanted = match has_checkpoint {
            true => merging.has_checkpoint(one),
            false => one.has_loop(),
        };
        let is_by_one =
            |construct: &Construct| construct.is_plainly_by_one_thread() || is_task(construct);
        let is_region = |construct: &Construct| construct.directives == [DirectiveName::Parallel];
        for pair in one.openmp.windows(2) {
            let [outer, inner] = pair else { continue };
            let (Some(above), Some(_), true) =
                (outer.place, inner.place, is_wanted && is_by_one(inner))
            else {
                continue;
            };
            if is_region(outer) || is_by_one(outer) {
                let brace = |at: At, brace: &str| Insertion {
                    at,
                    order: 0,
                    lines: vec![brace.to_string()],
                };
                let file = &facts.program.units[unit].file;
                let above = above.start + file.original_text(above).trim_end().len();
                let both = [brace(At::After(above), "{"), brace(At::After(end.end), "}")];
                proposal.add(unit, both);
            }
        }
        true
    });
    proposal
}

fn is_task(construct: &Construct) -> bool {
    construct.directives == [DirectiveName::Task]
}

struct Merging<'a> {
    facts: &'a Analysed<'a>,
    routine: RoutineId,
}

impl Merging<'_> {
    fn called(&self, text: Span) -> BTreeSet<RoutineId> {
        called(self.facts, (self.routine, text))
    }

    /// Whether a checkpoint stands in a task, or in what it calls.
    fn has_checkpoint(&self, task: &Statement) -> bool {
        let has = |routine: RoutineId, text: Span| {
            let unit = &self.facts.program.units[self.facts.unit_index(routine)];
            let mut all = unit.directives.iter();
            all.any(|one| {
                matches!(one.directive, Directive::Checkpoint { .. }) && text.contains(one.span)
            })
        };
        let mut called = self.called(task.span).into_iter();
        has(self.routine, task.span)
            || called.any(|one| has(one, self.facts.function(one).body.span))
    }

    /// Whether it is the only task that one thread makes, once, and a loop in it waits for tasks.
    fn has_time_loop(&self, task: &Statement) -> bool {
        let body = &self.facts.function(self.routine).body;
        let around = body.regions_around(task.span);
        let is_one =
            |one: &&&Statement| one.openmp.iter().any(|one| one.is_plainly_by_one_thread());
        let Some(region) = around.iter().rev().find(is_one) else {
            return false;
        };
        let (mut others, mut is_in_loop) = (false, false);
        region.walk(&mut |one| {
            let is_around = one.span.contains(task.span) && one.span != task.span;
            others |= one.span != task.span && one.openmp.iter().any(|one| one.is_task());
            is_in_loop |= is_around && one.is_loop();
            one.span != task.span
        });
        let called = self.called(task.span);
        let mut bodies = called
            .iter()
            .map(|one| (*one, &self.facts.function(*one).body));
        !others
            && !is_in_loop
            && !called.contains(&self.routine)
            && (self.waits_in_loop(self.routine, task)
                || bodies.any(|(routine, body)| self.waits_in_loop(routine, body)))
    }

    /// Whether a loop in a text of a function waits for tasks, itself or in what it calls.
    fn waits_in_loop(&self, routine: RoutineId, text: &Statement) -> bool {
        let mut found = false;
        outside_tasks(text, &mut |one| {
            found |= one.is_loop()
                && (waits(one) || {
                    let called = called(self.facts, (routine, one.span));
                    let mut bodies = called.iter().map(|one| &self.facts.function(*one).body);
                    bodies.any(waits)
                });
        });
        found
    }

    /// Whether it makes no difference that the task has no data of its own.
    fn is_equal(&self, task: &Statement, construct: &Construct) -> bool {
        let is_harmless = |one: &Clause| match &one.kind {
            ClauseKind::Default => matches!(one.word(), Some("shared" | "none")),
            ClauseKind::Firstprivate => true,
            kind => HARMLESS.contains(kind),
        };
        let mut is_left = false;
        task.walk(&mut |one| {
            is_left |= matches!(&one.kind, StatementKind::OpenMp(inside) if inside.leaves());
            !is_left
        });
        let mut copied = self.copied(task, construct).into_iter();
        construct.clauses.iter().all(is_harmless)
            && !is_left
            && copied.all(|one| self.is_unchanged(one, task))
    }

    /// The variables of which the task may have copies.
    fn copied(&self, task: &Statement, construct: &Construct) -> BTreeSet<SymbolId> {
        let unit = &self.facts.program.units[self.facts.unit_index(self.routine)];
        let named = |constructs: &[Construct], kinds: &[ClauseKind]| -> BTreeSet<String> {
            let clauses = constructs.iter().flat_map(|one| &one.clauses);
            let clauses = clauses.filter(|one| kinds.contains(&one.kind));
            let names = clauses.flat_map(|one| one.variables());
            names.map(|one| one.text.clone()).collect()
        };
        let own = std::slice::from_ref(construct);
        let shared = named(own, &[ClauseKind::Shared]);
        let copied = named(own, &[ClauseKind::Firstprivate]);
        let around = self
            .facts
            .function(self.routine)
            .body
            .regions_around(task.span);
        let around: Vec<&Statement> = (around.into_iter())
            .filter(|one| one.span != task.span)
            .collect();
        // Declared before the region that makes the team, and nowhere copied: all see one.
        let team =
            { around.iter() }.rposition(|one| one.openmp.iter().any(|one| one.is_parallel()));
        let inside = &around[team.unwrap_or(0)..];
        let in_team: BTreeSet<String> = { inside.iter() }
            .flat_map(|one| named(&one.openmp, &COPIES))
            .collect();
        let makes_copies = inside.iter().flat_map(|one| &one.openmp).any(|one| {
            let mut defaults = one.clauses_of(ClauseKind::Default);
            defaults.any(|one| matches!(one.word(), Some("private" | "firstprivate")))
        });
        let is_shared = |symbol: SymbolId| {
            let facts = &unit.symbols[symbol.0];
            let is_before = team.is_some_and(|at| facts.declared.start < around[at].span.start);
            let is_static = matches!(facts.storage, Storage::Static | Storage::External);
            let is_one = is_before && !makes_copies && !in_team.contains(&facts.name);
            let is_in_team = in_team.contains(&facts.name);
            shared.contains(&facts.name)
                || !copied.contains(&facts.name) && (is_static && !is_in_team || is_one)
        };
        let mut found = BTreeSet::new();
        task.walk_expressions(&mut |one| {
            if let ExpressionKind::Name {
                symbol: Some(symbol),
                ..
            } = one.kind
            {
                let is_inside = task.span.contains(unit.symbols[symbol.0].declared);
                found.extend((!is_inside && !is_shared(symbol)).then_some(symbol));
            }
        });
        found
    }

    /// Whether a variable has the same value all the time that the task is executed.
    fn is_unchanged(&self, symbol: SymbolId, task: &Statement) -> bool {
        let unit = &self.facts.program.units[self.facts.unit_index(self.routine)];
        let mut is_changed = unit.symbols[symbol.0].address_taken;
        task.walk_expressions(&mut |one| {
            if let ExpressionKind::Assign { target, .. } | ExpressionKind::Step(_, target) = &one.kind
            {
                target.walk(&mut |one| {
                    let is_it = matches!(one.kind, ExpressionKind::Name { symbol: Some(it), .. } if it == symbol);
                    is_changed |= is_it;
                });
            }
        });
        !is_changed
    }
}

/// The statements of a text, those of tasks inside aside.
fn outside_tasks(text: &Statement, look: &mut dyn FnMut(&Statement)) {
    text.walk(&mut |one| {
        look(one);
        one.span == text.span || !one.openmp.iter().any(is_task)
    });
}

/// Whether a text waits for tasks.
fn waits(text: &Statement) -> bool {
    let is_wait = |one: &Construct| {
        one.has(&DirectiveName::Taskwait)
            || one.has(&DirectiveName::Taskgroup)
            || one.has(&DirectiveName::Taskloop)
    };
    let mut found = false;
    outside_tasks(text, &mut |one| {
        found |= one.openmp.iter().any(is_wait)
            || matches!(&one.kind, StatementKind::OpenMp(alone) if is_wait(alone));
    });
    found
}
