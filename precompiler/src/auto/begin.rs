//! Where a run begins and where it has ended: `init` and `shutdown`.
//!
//! `init` comes first in `main`, behind declarations that only set constants; in an MPI program behind the statement
//! that initialises MPI, in `main` or in the function that runs the program from there on, and where `main` begins with giving standard
//! streams other files, behind that: every start does it again. `shutdown` comes before
//! everything that ends a run well: a `return` of `main` and the end of its body, `exit(0)`, in an MPI program
//! `MPI_Finalize`. A `return` of another constant is a failure, and so is what leads to nothing but such an end,
//! `MPI_Finalize(); exit(1);`: the next run may go on from the last checkpoint.

use super::insert::{At, Insertion};
use super::proposal::Proposal;
use super::refusal;
use super::spots::{self, Chain};
use crate::analysis::Analysed;
use crate::analysis::load::Load;
use crate::analysis::passing_files;
use crate::catalog::Role;
use crate::dataflow::steps::{Call, Called, RoutineId, Step, StepKind, TextPlace};
use crate::dataflow::{Flow, FunctionRef, Reached};
use crate::program::{
    Declaration, Directive, DirectiveUse, Expression, ExpressionKind, Initialiser, Statement,
    StatementKind,
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
    if let Some((insertion, reach)) = behind_reopening(facts, load, (main, line)) {
        proposal.add(facts.unit_index(main), [insertion]);
        return Some(reach);
    }
    at_start(facts, (main, line), proposal);
    None
}

/// Behind the last statement of `main` that gives a standard stream another file, where all that may get checkpoints comes later only.
fn behind_reopening(
    facts: &Analysed,
    load: &Load,
    (main, line): (RoutineId, &str),
) -> Option<(Insertion, Reached)> {
    let reopening = passing_files::reopening(facts);
    if reopening.is_empty() {
        return None;
    }
    let leading = facts.leading(reopening.iter().copied());
    let calls = facts.calls(main);
    let reopens = |statement: &Statement| {
        let mut within = calls.iter().filter(|(place, _)| {
            statement.span.start <= place.span.start && place.span.end <= statement.span.end
        });
        within.any(|(place, call)| match &call.callee {
            Called::Routine(routine) => leading[routine.0 as usize],
            _ => passing_files::is_reopened(facts, main, (*place, call)),
        })
    };
    let StatementKind::Compound { items, .. } = &facts.function(main).body.kind else {
        return None;
    };
    let statement = items.iter().rfind(|one| reopens(one))?;
    let reach = facts.control.behind(main, statement.span);
    let wanted = wanted(facts, load);
    let is_later = |(routine, text): &(RoutineId, Span)| {
        let is_inside = *routine == main && statement.span.contains(*text);
        !is_inside && facts.control.has_part(&reach, *routine, *text)
    };
    if !wanted.iter().all(is_later) {
        return None;
    }
    let line = format!("{line} /* every start gives the standard streams their files again */");
    Some((spots::after(statement, vec![line])?, reach))
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
fn initialises_mpi<'a>(facts: &'a Analysed, routine: RoutineId) -> Option<(TextPlace, &'a Call)> {
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

/// Puts `shutdown` where runs end.
pub(super) fn shutdown(facts: &Analysed, main: RoutineId, proposal: &mut Proposal) {
    let lines = || vec!["#pragma cccp shutdown".to_string()];
    let mut found = false;
    let put = |routine: RoutineId, offset: usize, proposal: &mut Proposal| {
        let function = facts.function(routine);
        let chain = Chain::of(function, offset);
        let statement = chain.innermost();
        if let Some(insertions) = spots::before(statement, chain.parent(statement), lines()) {
            proposal.add(facts.unit_index(routine), insertions);
            return true;
        }
        false
    };
    for routine in facts.steps.routine_ids() {
        for (place, call) in facts.calls(routine) {
            let ends = matches!(&call.callee, Called::Named(name) if name == "MPI_Finalize");
            if ends && !only_fails(facts, main, routine, place.span.start) {
                found |= put(routine, place.span.start, proposal);
            }
        }
    }
    if found {
        return;
    }
    for (place, call) in facts.calls(main) {
        let ends_well = matches!(&call.callee, Called::Named(name) if name == "exit")
            && call.arguments.first().is_some_and(|argument| {
                let value = facts.steps.routine(main).value(argument.value);
                value.constant == Some(0)
            });
        // In a region every thread would execute it; the library sees that the program ends.
        let around = facts.function(main).body.regions_around(place.span);
        let is_in_team = around.iter().any(|one| one.is_parallel_region());
        if ends_well && !is_in_team && follows_init(facts, main, place.span.start, proposal) {
            found |= put(main, place.span.start, proposal);
        }
    }
    let function = facts.function(main);
    let mut returns: Vec<(usize, bool)> = Vec::new();
    let steps = facts.steps.routine(main);
    steps.walk(&mut |step| {
        if let StepKind::Return { value, .. } = step.kind {
            let constant = value.and_then(|value| steps.value(value).constant);
            let well = value.is_none() || constant.is_none_or(|constant| constant == 0);
            returns.push((step.span.start, well));
        }
    });
    returns.retain(|(at, _)| follows_init(facts, main, *at, proposal));
    // `return run();` is no end before that call: what it returns tells whether the run was good.
    let leading = leading(facts, proposal);
    let works = |offset: usize| {
        let statement = Chain::of(function, offset).innermost().span;
        let calls = facts.calls(main);
        let mut within = calls.iter().filter(|(place, _)| {
            statement.start <= place.span.start && place.span.end <= statement.end
        });
        within.any(|(_, call)| match &call.callee {
            Called::Routine(routine) => leading[routine.0 as usize],
            Called::Pointer(_) => true,
            Called::Named(_) => false,
        })
    };
    let count = returns.len();
    returns.retain(|(at, _)| !works(*at));
    let some_return_works = returns.len() < count;
    let found = found || some_return_works;
    let some_end_well = found || returns.iter().any(|(_, well)| *well) || falls_out(facts, main);
    for (at, well) in returns {
        if well || !some_end_well {
            put(main, at, proposal);
        }
    }
    if let (true, Some(close)) = (falls_out(facts, main), function.body_close) {
        let insertion = Insertion {
            at: At::Before(close),
            order: 0,
            lines: lines(),
        };
        proposal.add(facts.unit_index(main), [insertion]);
    }
}

/// Whether a place leads to nothing but ends with a status that means failure: a constant one, written in the same function.
fn only_fails(facts: &Analysed, main: RoutineId, routine: RoutineId, offset: usize) -> bool {
    let steps = facts.steps.routine(routine);
    let Some(from) = steps.flow.node_at(offset) else {
        return false;
    };
    let is_failure = |step: &Step| match &step.kind {
        StepKind::Return { value, .. } if routine == main => {
            let constant = value.and_then(|value| steps.value(value).constant);
            constant.is_some_and(|constant| constant != 0)
        }
        StepKind::Call(call) => match (&call.callee, call.arguments.first()) {
            (Called::Named(name), None) => name == "abort",
            (Called::Named(name), Some(status)) => {
                let ends = facts
                    .catalogue
                    .find(name)
                    .is_some_and(|one| one.is(Role::Exits));
                let constant = steps.value(status.value).constant;
                ends && constant.is_some_and(|constant| constant != 0)
            }
            _ => false,
        },
        _ => false,
    };
    let fails = |node: usize| {
        let mut fails = false;
        for step in &steps.nodes[node] {
            step.walk(&mut |step| fails |= is_failure(step));
        }
        fails
    };
    let behind = steps.flow.along([from.0], |node, _| !fails(node));
    !behind[Flow::EXIT.0] && (0..behind.len()).any(|node| behind[node] && fails(node))
}

/// The functions from which control may come to a checkpoint.
fn leading(facts: &Analysed, proposal: &Proposal) -> Vec<bool> {
    let is_checkpoint = |one: &Insertion| {
        let mut lines = one.lines.iter();
        lines.any(|line| line.starts_with("#pragma cccp checkpoint"))
    };
    let holds = |routine: &RoutineId| {
        let unit = facts.unit_index(*routine);
        let body = &facts.function(*routine).body;
        // A body that a macro makes has no place: as if there were one in it.
        let is_added = |(of, one): &(usize, Insertion)| {
            let (At::Before(at) | At::After(at)) = one.at;
            let place = body.place.as_ref();
            *of == unit
                && is_checkpoint(one)
                && place.is_none_or(|body| body.start <= at && at <= body.end)
        };
        let is_own = |one: &DirectiveUse| {
            matches!(one.directive, Directive::Checkpoint { .. })
                && body.span.start <= one.span.start
                && one.span.end <= body.span.end
        };
        proposal.insertions.iter().any(is_added)
            || facts.program.units[unit].directives.iter().any(is_own)
    };
    // What a pointer calls may be anything.
    let asks = |routine: &RoutineId| {
        let calls = facts.calls(*routine);
        let is_pointer = |call: &Call| matches!(call.callee, Called::Pointer(_));
        holds(routine) || calls.iter().any(|(_, call)| is_pointer(call))
    };
    facts.leading(facts.steps.routine_ids().filter(asks))
}

/// Whether control can come to a place of `main` after `init`: behind the line that was put there, or the call that leads to it.
fn follows_init(facts: &Analysed, main: RoutineId, offset: usize, proposal: &Proposal) -> bool {
    let function = facts.function(main);
    let chain = Chain::of(function, offset);
    let Some(place) = chain.innermost().place else {
        return false;
    };
    let unit = facts.unit_index(main);
    let is_init = |one: &&Insertion| {
        one.lines
            .iter()
            .any(|line| line.starts_with("#pragma cccp init"))
    };
    let body = function.body.place;
    let in_main = |at: usize| body.is_none_or(|body| body.start <= at && at <= body.end);
    let mut own = proposal.insertions.iter().filter(|(of, _)| *of == unit);
    let init = own.find_map(|(_, one)| {
        let (At::Before(at) | At::After(at)) = one.at;
        (is_init(&one) && in_main(at)).then_some(at)
    });
    match (init, initialises_mpi(facts, main)) {
        (Some(at), _) => at <= place.start,
        (None, Some((call, _))) => {
            let called = Chain::of(function, call.span.start).innermost().place;
            called.is_none_or(|called| called.start <= place.start)
        }
        (None, None) => true,
    }
}

/// Whether control can come to the closing brace of `main`.
fn falls_out(facts: &Analysed, main: RoutineId) -> bool {
    let flow = &facts.steps.routine(main).flow;
    let function = facts.function(main);
    let ends = |node: &crate::dataflow::Node| {
        let Some(statement) = node.statement else {
            return false;
        };
        node.next.contains(&Flow::EXIT) && {
            let chain = Chain::of(function, node.span.start);
            let here = chain.statements.iter().find(|one| one.id == statement);
            !here.is_some_and(|one| matches!(one.kind, StatementKind::Return(_)))
                && !never_returns(facts, main, node.span.start, node.span.end)
        }
    };
    flow.nodes.iter().any(ends)
}

/// Whether something in a piece of text ends the process.
fn never_returns(facts: &Analysed, main: RoutineId, start: usize, end: usize) -> bool {
    facts.calls(main).iter().any(|(place, call)| {
        let inside = start <= place.span.start && place.span.end <= end;
        inside
            && match &call.callee {
                Called::Named(name) => facts
                    .catalogue
                    .find(name)
                    .is_some_and(|function| function.is(Role::Exits)),
                Called::Routine(routine) => !facts.effects.summary(*routine).returns,
                Called::Pointer(_) => false,
            }
    })
}
