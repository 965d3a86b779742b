//! Which loops are written out.

use std::collections::BTreeSet;

use super::lines;
use crate::analysis::Analysed;
use crate::analysis::load::{Load, LoopLoad, SMALL};
use crate::analysis::nesting::{Around, Holds, Nesting};
use crate::auto::proposal::Proposal;
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

/// Loops that do more of the work than those in which a checkpoint may stand. Where those that did the most are written out already
/// (`has_some`), one that is left may be another way to do the work: it is enough that it does much of it, or that guesses may hide how much.
pub fn wanted_shares(facts: &Analysed, load: &Load, has_some: bool) -> Proposal {
    let best = load.selected().iter().map(|one| one.value);
    let most = match has_some {
        true => SMALL,
        false => best.fold(SMALL, f64::min),
    };
    let is_wanted = |one: &&LoopLoad| {
        one.excluded.is_some()
            && one.cure.is_some()
            && one.is_outermost
            && (one.value < most || has_some && one.repeats && one.is_guessed)
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
    // Outside of all regions the initial thread is a team.
    let team = around.iter().position(|one| one.is_team);
    let (inside, outside) = around.split_at(team.map_or(around.len(), |team| team + 1));
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
