//! Loops whose iterations are divided among threads, written as what each thread does with its share (S54).
//!
//! In: a program and places in it where a checkpoint stands or is wanted. Out: the loops of OpenMP around them as plain loops of each
//! thread, as lines of the text. The one idea: the share that a thread has is worked out in C, as compilers do it for
//! `schedule(static)`, so that the same thread executes the same iterations as before, and how far it has come is a variable:
//!
//! ```c
//! #pragma omp parallel for                { long long count = …;
//! for (i = 0; i < n; i++)                 #pragma omp parallel private(i) shared(count)
//!     BODY                                { long long at = …, end = …;         the thread's share
//!                                         while (at < end) {
//!                                             long long stop = …;              a strip of it
//!                                             for (i = at; at < stop; i++, at++)
//!                                                 BODY
//!                                         } } }
//! ```
//!
//! Checkpoints that auto mode wants go between strips, so that the loop inside stays as fast as it was. With `schedule(dynamic)` and
//! `guided` a thread takes its next share from a counter that all of them see.
//!
//! A loop that cannot be written so stays as it is, with all others around the same place.

mod lines;
mod nest;

use std::collections::BTreeSet;

use super::proposal::Proposal;
use crate::analysis::Analysed;
use crate::analysis::load::{Load, LoopLoad, SMALL};
use crate::analysis::nesting::{Around, Holds, Nesting};
use crate::dataflow::FunctionRef;
use crate::dataflow::steps::{RoutineId, TextPlace};
use crate::program::{Directive, Statement, StatementKind};
use crate::source::Span;

/// Who puts the checkpoints and the registers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Marks {
    /// The user both: the checkpoints stand in the body, and what the loops need is registered here.
    ByHand,
    /// The user the checkpoints; the check finds what is missing.
    Completed,
    /// Auto mode both: the checkpoints go between strips.
    Inferred,
}

/// The loops around checkpoints that stand in the program. What they need is registered, if nobody else does that.
pub fn shares(facts: &Analysed, registers: bool) -> Proposal {
    let checkpoints = facts.directives().filter_map(|(unit, one)| {
        let is_checkpoint = matches!(one.directive, Directive::Checkpoint { .. });
        let function = one.function.filter(|_| is_checkpoint)?;
        let routine = facts.steps.routine_of(FunctionRef { unit, function });
        Some((routine, one.span))
    });
    let marks = if registers {
        Marks::ByHand
    } else {
        Marks::Completed
    };
    written_out(facts, &checkpoints.collect::<Vec<_>>(), marks)
}

/// Loops that do more of the work than those in which a checkpoint may stand.
pub fn wanted_shares(facts: &Analysed, load: &Load) -> Proposal {
    let best = load.selected().iter().map(|one| one.value);
    let best = best.fold(f64::INFINITY, f64::min);
    let is_wanted = |one: &&LoopLoad| {
        one.excluded.is_some()
            && one.cure.is_some()
            && one.is_outermost
            && one.value < best.min(SMALL)
    };
    let bodies = load.all().iter().filter(is_wanted).filter_map(|one| {
        let mut body = None;
        facts.function(one.routine).body.walk(&mut |statement| {
            if statement.id == one.statement {
                body = statement
                    .children()
                    .into_iter()
                    .next()
                    .map(|body| body.span);
            }
            body.is_none()
        });
        Some((one.routine, body?))
    });
    written_out(facts, &bodies.collect::<Vec<_>>(), Marks::Inferred)
}

fn written_out(facts: &Analysed, places: &[(RoutineId, Span)], marks: Marks) -> Proposal {
    let mut proposal = Proposal::default();
    // Threads come to such checkpoints unequally often, which ranks do not agree about.
    let has_ranks = facts.program.units.iter().any(|unit| unit.uses_mpi);
    let mut constructs = facts.program.units.iter().flat_map(|unit| &unit.openmp);
    if has_ranks || !constructs.any(|one| one.is_worksharing()) {
        return proposal;
    }
    let nesting = Nesting::of(facts.program, facts.steps, facts.points_to);
    let mut done: BTreeSet<TextPlace> = BTreeSet::new();
    for &(routine, at) in places {
        let Some(loops) = loops_around(nesting.around(routine, at)) else {
            continue;
        };
        let loops: Vec<TextPlace> = loops
            .into_iter()
            .filter(|one| !done.contains(one))
            .collect();
        let mut changes = Proposal::default();
        let all = loops.iter().all(|one| {
            let found = construct(facts, *one);
            found.is_some_and(|(region, statement)| {
                let site = lines::Site {
                    facts,
                    unit: one.unit,
                    region,
                    marks,
                };
                site.write(statement, &mut changes)
            })
        });
        if all {
            done.extend(loops);
            proposal.insertions.extend(changes.insertions);
            proposal.replacements.extend(changes.replacements);
        }
    }
    proposal
}

/// The loops among the constructs around a place, when nothing else around it divides work.
fn loops_around(around: Vec<Around>) -> Option<Vec<TextPlace>> {
    let team = around.iter().position(|one| one.is_team)?;
    let (inside, outside) = around.split_at(team + 1);
    let is_loop = |one: &&Around| matches!(one.holds, Holds::Loop { .. });
    let divides = |one: &Around| one.holds != Holds::Nothing;
    if outside.iter().any(divides) || inside.iter().any(|one| divides(one) && !is_loop(&one)) {
        return None;
    }
    Some(inside.iter().filter(is_loop).map(|one| one.place).collect())
}

/// The loop with a pragma, and the region around it when that is in the same function.
fn construct<'a>(
    facts: &Analysed<'a>,
    place: TextPlace,
) -> Option<(Option<&'a Statement>, &'a Statement)> {
    for function in &facts.program.units[place.unit].functions {
        let mut found = None;
        function.body.walk(&mut |one| {
            if one.openmp.iter().any(|one| one.span == place.span) {
                found = Some(one);
            }
            found.is_none()
        });
        let Some(statement) = found else {
            continue;
        };
        if !matches!(statement.kind, StatementKind::For { .. }) {
            return None;
        }
        let mut regions = function.body.regions_around(statement.span);
        regions.retain(|one| one.id != statement.id);
        let region = regions.into_iter().rfind(|one| one.is_parallel_region());
        return Some((region, statement));
    }
    None
}
