//! Where a run has ended: `shutdown`.
//!
//! It comes before everything that ends a run well: a `return` of `main` and the end of its body, `exit(0)`, in an MPI program
//! `MPI_Finalize`. A `return` of another constant is a failure, and so is what leads to nothing but such an end,
//! `MPI_Finalize(); exit(1);`: the next run may go on from the last checkpoint. Where the status is given to the function that does that,
//! its calls are the ends.

use super::begin::initialises_mpi;
use super::insert::{At, Insertion};
use super::proposal::Proposal;
use super::spots::{self, Chain};
use crate::analysis::{Analysed, constants};
use crate::catalog::Role;
use crate::dataflow::Flow;
use crate::dataflow::calls::CallGraph;
use crate::dataflow::steps::{Base, Call, Called, Routine, RoutineId, Step, StepKind, ValueId};
use crate::program::{Directive, DirectiveUse, ExpressionKind, StatementKind};

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
    let has_address = |routine: &RoutineId| {
        let function = facts.steps.routine(*routine).function;
        let graph = CallGraph::of(facts.program);
        graph.address_taken.contains(&function)
    };
    for routine in facts.steps.routine_ids() {
        for (place, call) in facts.calls(routine) {
            if !matches!(&call.callee, Called::Named(name) if name == "MPI_Finalize") {
                continue;
            }
            match end(facts, main, routine, place.span.start) {
                End::Fails => {}
                End::Told(position) if !has_address(&routine) => {
                    for (caller, at) in calls_that_succeed(facts, routine, position) {
                        found |= put(caller, at, proposal);
                    }
                }
                End::Told(_) | End::Other => found |= put(routine, place.span.start, proposal),
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

/// How control ends behind a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Always with a constant status that means failure, written in the same function.
    Fails,
    /// So, or with the status that the function was given in this position.
    Told(usize),
    /// Otherwise, or not at all.
    Other,
}

/// How control ends behind a place of a function.
fn end(facts: &Analysed, main: RoutineId, routine: RoutineId, offset: usize) -> End {
    let steps = facts.steps.routine(routine);
    let Some(from) = steps.flow.node_at(offset) else {
        return End::Other;
    };
    let of_status = |value: ValueId| match steps.value(value).constant {
        Some(0) => End::Other,
        Some(_) => End::Fails,
        None => given(facts, steps, value).map_or(End::Other, End::Told),
    };
    let of_step = |step: &Step| match &step.kind {
        StepKind::Return {
            value: Some(value), ..
        } if routine == main => Some(of_status(*value)),
        StepKind::Call(call) => match (&call.callee, call.arguments.first()) {
            (Called::Named(name), None) if name == "abort" => Some(End::Fails),
            (Called::Named(name), Some(status)) => {
                let function = facts.catalogue.find(name);
                let ends = function.is_some_and(|one| one.is(Role::Exits));
                ends.then(|| of_status(status.value))
            }
            _ => None,
        },
        _ => None,
    };
    let of_node = |node: usize| {
        let mut found = None;
        for step in &steps.nodes[node] {
            step.walk(&mut |step| found = found.or_else(|| of_step(step)));
        }
        found
    };
    let behind = steps
        .flow
        .along([from.0], |node, _| of_node(node).is_none());
    if behind[Flow::EXIT.0] {
        return End::Other;
    }
    let ends = (0..behind.len()).filter(|&node| behind[node]);
    ends.filter_map(of_node)
        .reduce(|one, other| match (one, other) {
            (End::Fails, other) => other,
            (one, End::Fails) => one,
            (one, other) if one == other => one,
            _ => End::Other,
        })
        .unwrap_or(End::Other)
}

/// The position of the parameter that has given a value, and keeps its own.
fn given(facts: &Analysed, steps: &Routine, value: ValueId) -> Option<usize> {
    let mut read = None;
    steps.walk(&mut |step| match &step.kind {
        StepKind::Read { place, into } if *into == value && place.path.is_empty() => {
            read = Some(&place.base);
        }
        _ => {}
    });
    let Base::Variable(variable) = read? else {
        return None;
    };
    let known = facts.steps.variable(*variable);
    let unit = &facts.program.units[known.ty.unit];
    let is_steady = constants::is_steady_parameter(&unit.symbols[known.symbol?.0]);
    let mut parameters = steps.parameters.iter();
    parameters.position(|one| is_steady && one == variable)
}

/// The calls of a function that hand it no constant that means failure in this position.
fn calls_that_succeed(
    facts: &Analysed,
    routine: RoutineId,
    position: usize,
) -> Vec<(RoutineId, usize)> {
    let mut found = Vec::new();
    for caller in facts.steps.routine_ids() {
        let steps = facts.steps.routine(caller);
        for (place, call) in facts.calls(caller) {
            let is_it = matches!(&call.callee, Called::Routine(one) if *one == routine);
            let status = steps.constant_argument(call, position);
            if is_it && status.is_none_or(|status| status == 0) {
                found.push((caller, place.span.start));
            }
        }
    }
    found
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
            !here.is_some_and(|one| match &one.kind {
                StatementKind::Return(_) => true,
                // What is called under a condition, as in `assert`, may not be called.
                StatementKind::Expression(Some(value)) => {
                    matches!(value.kind, ExpressionKind::Call { .. })
                        && never_returns(facts, main, node.span.start, node.span.end)
                }
                _ => false,
            })
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
