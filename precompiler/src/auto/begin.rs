//! Where a run begins: `init`.
//!
//! `init` comes first in `main`, behind declarations that only set constants; in an MPI program behind the statement
//! that initialises MPI, in `main` or in the function that runs the program from there on.

use super::proposal::Proposal;
use super::refusal;
use super::spots::{self, Chain};
use crate::analysis::Analysed;
use crate::analysis::load::Load;
use crate::catalog::Role;
use crate::dataflow::steps::{Call, Called, RoutineId, TextPlace};
use crate::dataflow::{FunctionRef, Reached};
use crate::program::{
    Declaration, Directive, Expression, ExpressionKind, Initialiser, Statement, StatementKind,
};
use crate::source::Span;
use std::collections::HashSet;

/// Puts `init` into `main`, or, in an MPI program, behind the statement that initialises MPI. Where control may come to from there, when
/// that is not everything.
pub(super) fn init(
    facts: &Analysed,
    load: &Load,
    (main, has_fixed_heap): (RoutineId, bool),
    proposal: &mut Proposal,
) -> Option<Reached> {
    let line = match has_fixed_heap {
        true => "#pragma cccp init heap(fixed)",
        false => "#pragma cccp init",
    };
    if let Some((place, _)) = initialises_mpi(facts, main) {
        return behind_mpi(facts, load, (main, line), place, proposal);
    }
    at_start(facts, (main, line), proposal);
    None
}

/// The places of checkpoints: those that are there, or the loops that may get one.
fn wanted(facts: &Analysed, load: &Load) -> Vec<(RoutineId, Span)> {
    let own = facts.directives().filter_map(|(unit, one)| {
        let is_checkpoint = matches!(one.directive, Directive::Checkpoint { .. });
        let function = one.function.filter(|_| is_checkpoint)?;
        Some((
            facts.steps.routine_of(FunctionRef { unit, function }),
            one.span,
        ))
    });
    let mut wanted: Vec<(RoutineId, Span)> = own.collect();
    if wanted.is_empty() {
        let selected = load.selected().iter();
        wanted.extend(selected.map(|one| (one.routine, one.span)));
    }
    wanted
}

fn at_start(facts: &Analysed, (main, line): (RoutineId, &str), proposal: &mut Proposal) {
    let unit = facts.unit_index(main);
    let function = facts.function(main);
    let StatementKind::Compound { items, .. } = &function.body.kind else {
        return refusal::no_room(facts, main, function.body.span, proposal);
    };
    let line = vec![line.to_string()];
    let is_start = |one: &&Statement| match &one.kind {
        StatementKind::Declaration(declaration) => !is_harmless(declaration),
        _ => true,
    };
    let Some(first) = items.iter().position(|one| is_start(&one)) else {
        return refusal::no_room(facts, main, function.body.span, proposal);
    };
    // Where a macro makes the statement, in front of a declaration before it.
    let mut earlier = items[..=first].iter().rev();
    let found = earlier.find_map(|one| spots::before(one, Some(&function.body), line.clone()));
    match found {
        Some(insertions) => proposal.add(unit, insertions),
        None => refusal::no_room(facts, main, items[first].span, proposal),
    }
}

/// Behind the outermost statement with the call that initialises MPI from which control comes to most of the places of checkpoints: in
/// `main` as a rule, and where a branch or a function does all of it, there.
fn behind_mpi(
    facts: &Analysed,
    load: &Load,
    (main, line): (RoutineId, &str),
    call: TextPlace,
    proposal: &mut Proposal,
) -> Option<Reached> {
    let wanted = wanted(facts, load);
    let mut best: Option<(usize, RoutineId, &Statement, Reached)> = None;
    let mut home = Some(main);
    let mut seen = HashSet::new();
    while let Some(routine) = home.take().filter(|one| seen.insert(*one)) {
        let Some((place, call)) = initialises_mpi(facts, routine) else {
            break;
        };
        let chain = Chain::of(facts.function(routine), place.span.start);
        for statement in chain.statements.into_iter().skip(1) {
            if !statement.in_compound || matches!(statement.kind, StatementKind::Compound { .. }) {
                continue;
            }
            let reach = facts.control.behind(routine, statement.span);
            let count = { wanted.iter() }
                .filter(|(routine, text)| facts.control.has_part(&reach, *routine, *text))
                .count();
            if best.as_ref().is_none_or(|(most, ..)| count > *most) {
                best = Some((count, routine, statement, reach));
            }
        }
        if let Called::Routine(inner) = call.callee {
            home = Some(inner);
        }
    }
    let line = vec![format!("{line} /* MPI has been initialised */")];
    let found = best.and_then(|(count, home, statement, reach)| {
        Some((count, home, spots::after(statement, line)?, reach))
    });
    let Some((count, home, insertion, reach)) = found else {
        refusal::no_room(facts, main, call.span, proposal);
        return None;
    };
    proposal.add(facts.unit_index(home), [insertion]);
    (count > 0).then_some(reach)
}

/// Whether a declaration may be executed in every start: it sets constants only.
fn is_harmless(declaration: &Declaration) -> bool {
    fn is_constant(value: &Expression) -> bool {
        let mut constant = true;
        value.walk(&mut |one| {
            let acts = matches!(
                one.kind,
                ExpressionKind::Call { .. } | ExpressionKind::Assign { .. }
            );
            constant &= !acts && one.symbol().is_none();
        });
        constant
    }
    let harmless = |initialiser: &Initialiser| match initialiser {
        Initialiser::Expression(value) => is_constant(value),
        Initialiser::List(list) => list.expressions().iter().all(|one| is_constant(one)),
    };
    !declaration.variably_modified
        && declaration
            .declarators
            .iter()
            .filter_map(|one| one.initialiser.as_ref())
            .all(harmless)
}

/// The call in a function after which MPI is there.
pub(super) fn initialises_mpi<'a>(
    facts: &'a Analysed,
    routine: RoutineId,
) -> Option<(TextPlace, &'a Call)> {
    let is_it = |(_, call): &(TextPlace, &Call)| match &call.callee {
        Called::Named(name) => name == "MPI_Init" || name == "MPI_Init_thread",
        Called::Routine(routine) => {
            let roles = &facts.effects.summary(*routine).roles;
            roles.contains(&Role::Initialises) && facts.unit(*routine).uses_mpi
        }
        Called::Pointer(_) => false,
    };
    facts.calls(routine).into_iter().find(is_it)
}
