//! What libraries keep between calls: handlers, the locale, the working directory, a place in standard input.
//!
//! In: library functions that are called on the way to a checkpoint, and the states of libraries that are live there. Out:
//! `execute on restart` blocks around calls that set what can be set again; a register of `stdin` where the program goes
//! on reading it; a refusal where a state is read later that cannot be set again. Memory, streams and random numbers
//! are not looked at here: registers bring them back.
//!
//! Errors fall on the side of refusing: a state that is not known here is not restored.

use std::collections::{BTreeMap, BTreeSet};

use super::adds_up;
use super::blocks::{can_be_repeated, holds_directives, is_in_block, wrap};
use super::files;
use super::insert::{At, Insertion};
use super::lost_pointers;
use super::plans;
use super::proposal::Proposal;
use super::refusal;
use super::spots::{self, Chain};
use super::ways::Ways;
use super::written_out::write_out;
use crate::analysis::Analysed;
use crate::analysis::borrowed::{Borrowed, Kept};
use crate::analysis::communication::Parallel;
use crate::analysis::kept_states::{OF_TASK, sets_again, starts};
use crate::analysis::lost_states;
use crate::analysis::memory::{CellId, ObjectKind};
use crate::analysis::passing_files;
use crate::analysis::put_back::PutBack;
use crate::dataflow::steps::{RoutineId, TextPlace};
use crate::program::{Directive, Statement, StatementId, StatementKind};

/// Proposes blocks and registers for what libraries keep. Allocated memory that new blocks hand over: what they do to it shows when they
/// are there.
pub(super) fn propose(
    facts: &Analysed,
    ways: &Ways,
    borrowed: &Borrowed,
    proposal: &mut Proposal,
) -> BTreeSet<CellId> {
    let ended = passing_files::waited_for(facts);
    let of_teams = of_teams(facts);
    let mut found = Vec::new();
    for routine in facts.steps.routine_ids() {
        for (place, call) in facts.calls(routine) {
            // A pointer may call it, too.
            for name in facts.points_to.callees(routine, call).named {
                let Some(function) = facts.catalogue.find(&name) else {
                    continue;
                };
                if starts(&function)
                    && ways.may_follow(routine, place.span)
                    && !ended.contains(&place)
                {
                    refusal::spawns(facts, &function.name, place, proposal);
                }
                if (sets_again(&function) || plans::sets_planner(&function.name))
                    && ways.may_follow(routine, place.span)
                    && ways.comes_after_init(routine, place.span)
                    && !is_in_block(facts, routine, place.span)
                    && !of_teams.contains(&place)
                {
                    found.push((routine, place, call, function));
                }
            }
        }
    }
    // Blocks that are proposed now are looked at in the next round.
    let put_back = PutBack::of(facts);
    found.retain(|(routine, _, call, one)| !put_back.is_in_time(facts, (*routine, *call), one));
    let mut all: BTreeMap<RoutineId, BTreeMap<StatementId, Chain>> = BTreeMap::new();
    let mut each = adds_up::is_there(facts);
    let mut handed = BTreeSet::new();
    for (routine, place, call, function) in found {
        let chain = Chain::of(facts.function(routine), place.span.start);
        let chains = with_room(facts, routine, &chain);
        if chains.is_empty() && write_out(facts, routine, &chain, proposal) {
            continue;
        }
        if chains.is_empty() {
            refusal::has_no_room(facts, &function.name, place, proposal);
            continue;
        }
        each |= adds_up::adds_up(facts, routine, call, &function)
            && ways.comes_back(routine, place.span);
        let arguments = call.arguments.iter();
        let targets = arguments.flat_map(|one| facts.points_to.targets(routine, one.value));
        handed.extend(targets.filter(|cell| is_allocated(facts, *cell)));
        let statements = all.entry(routine).or_default();
        statements.extend(chains.into_iter().map(|one| (one.innermost().id, one)));
    }
    for (routine, statements) in &all {
        each |= adds_up::asks(facts, ways, *routine, statements);
    }
    for (routine, statements) in &all {
        wrap(facts, ways, (*routine, statements), each, proposal);
    }
    for one in lost_states::lost(facts, ways) {
        refusal::lost(facts, &one, proposal);
    }
    for one in lost_states::passed(facts, ways) {
        refusal::passed(facts, &one, proposal);
    }
    for (place, name) in passing_files::redirected(facts, ways) {
        refusal::redirects(facts, &name, place, proposal);
    }
    for (place, name) in passing_files::nameless(facts) {
        refusal::nameless(facts, &name, place, proposal);
    }
    files::refuse(facts, proposal);
    for one in &borrowed.arenas {
        lost_pointers::in_bytes(facts, *one, proposal);
    }
    let kept = Kept::of(facts, borrowed);
    let lost = { borrowed.lost.iter().chain(&kept.lost) }
        .map(|(cell, checkpoint)| (*cell, *checkpoint, borrowed.allocated.contains(cell)));
    lost_pointers::borrowed(facts, lost, proposal);
    standard_input(facts, ways, proposal);
    handed
}

/// Whether a cell lies in allocated memory.
fn is_allocated(facts: &Analysed, cell: CellId) -> bool {
    let memory = &facts.points_to.memory;
    let object = memory.cells[cell.0 as usize].object;
    matches!(
        memory.objects[object.0 as usize].kind,
        ObjectKind::Heap { .. }
    )
}

/// The statements that a block around a call takes: the innermost one around it, or with it those that the same macro makes, or one of
/// those around it, if all it does can be repeated. None where there is no room.
fn with_room<'a>(facts: &Analysed, routine: RoutineId, chain: &Chain<'a>) -> Vec<Chain<'a>> {
    let statements = chain.statements.clone();
    let mut chain = Chain { statements };
    let is_around = |chain: &Chain| {
        let statement = chain.innermost();
        let parent = chain.parent(statement);
        spots::around(statement, parent, Vec::new(), vec![String::new()]).is_some()
    };
    let fits = |chain: &Chain| !holds_directives(facts, routine, chain.innermost());
    let file = &facts.program.units[facts.unit_index(routine)].file;
    if is_around(&chain) {
        return if fits(&chain) {
            vec![chain]
        } else {
            Vec::new()
        };
    }
    let of_macro = made_by_macro(facts, routine, &chain);
    if !of_macro.is_empty() && of_macro.iter().all(fits) {
        return of_macro;
    }
    while !is_around(&chain) {
        chain.statements.pop();
        match chain.statements.last() {
            Some(wider) if file.touched_by_macro(wider.span) => {}
            _ => return Vec::new(),
        }
    }
    if can_be_repeated(facts, routine, chain.innermost()) && fits(&chain) {
        vec![chain]
    } else {
        Vec::new()
    }
}

/// A statement and its neighbours that one macro makes, as `TRAPS` does of `#define TRAPS TRAP(SIGINT); TRAP(SIGTERM);`: nothing but
/// expressions that can be repeated.
fn made_by_macro<'a>(facts: &Analysed, routine: RoutineId, chain: &Chain<'a>) -> Vec<Chain<'a>> {
    let file = &facts.program.units[facts.unit_index(routine)].file;
    let statement = chain.innermost();
    let is_part = |one: &Statement| {
        matches!(one.kind, StatementKind::Expression(_)) && can_be_repeated(facts, routine, one)
    };
    let items = chain
        .parent(statement)
        .map(Statement::children)
        .unwrap_or_default();
    let index = items.iter().position(|one| one.id == statement.id);
    let found = index.and_then(|index| spots::together(file, &items, index, is_part));
    let (all, _) = found.unwrap_or_default();
    let to = |one: &&'a Statement| {
        let mut statements = chain.statements.clone();
        statements.pop();
        statements.push(*one);
        Chain { statements }
    };
    items[all].iter().map(to).collect()
}

/// Calls in parallel regions that set something for the threads of the team alone (OpenMP 5.0, 2.5.2), where no checkpoint is in a
/// region: with the team it is gone.
fn of_teams(facts: &Analysed) -> BTreeSet<TextPlace> {
    let parallel = Parallel::of(facts.program, facts.steps, facts.points_to, facts.effects);
    let mut checkpoints = facts.liveness.checkpoints().iter();
    if checkpoints.any(|one| parallel.is_in_region(one.routine, one.place.span)) {
        return BTreeSet::new();
    }
    let mut places = BTreeSet::new();
    for routine in facts.steps.routine_ids() {
        let calls = facts.calls(routine).into_iter();
        let inside = calls.filter(|(place, _)| parallel.is_inside(routine, place.span));
        for (place, call) in inside {
            let named = facts.points_to.callees(routine, call).named;
            let is_of_task = |name: &String| OF_TASK.contains(&name.as_str());
            if !named.is_empty() && named.iter().all(is_of_task) {
                places.insert(place);
            }
        }
    }
    places
}

/// A register of `stdin`, where the program reads it after a checkpoint.
fn standard_input(facts: &Analysed, ways: &Ways, proposal: &mut Proposal) {
    let Some(read) = passing_files::input_read_later(facts, ways) else {
        return;
    };
    let init = facts
        .directives()
        .find(|(_, one)| matches!(one.directive, Directive::Init { .. }));
    let Some((unit, init)) = init else {
        return;
    };
    let line = format!(
        "#pragma cccp register(stdin) /* read: {} */",
        facts.line(read, unit)
    );
    let insertion = Insertion {
        at: At::After(init.lines.end),
        order: 1,
        lines: vec![line],
    };
    proposal.add(unit, [insertion]);
}
