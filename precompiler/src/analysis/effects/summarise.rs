//! From actions to summaries, callees first; functions that call each other until nothing changes any more.

use std::collections::BTreeSet;

use crate::analysis::memory::{CellSet, Memory, ObjectKind};
use crate::dataflow::Flow;
use crate::dataflow::steps::{RoutineId, Steps};
use crate::solver::settle;

use super::backward::{Backward, Later};
use super::blocks::Blocks;
use super::model::{ActionKind, Body, Effects, Note, SetId, Summary};
use super::order;
use super::together::Together;

/// Sets the summaries of all functions.
pub(super) fn summarise(effects: &mut Effects, steps: &Steps, memory: &Memory) {
    let cells = memory.cells.len();
    let mut unknown = Summary::nothing(cells);
    unknown.overwrites.insert_range(..);
    effects.summaries = vec![unknown; effects.bodies.len()];
    let calls = order::calls(&effects.bodies);
    for group in order::groups(&calls) {
        gather(effects, &group, memory);
        let blocks: Vec<Blocks> = group
            .iter()
            .map(|&routine| blocks(effects, steps, routine))
            .collect();
        let recursive = group.len() > 1
            || group
                .iter()
                .any(|one| calls[one.0 as usize].binary_search(one).is_ok());
        let together = Together::default();
        // Those again whose callees have changed.
        settle(0..group.len(), |at, waiting| {
            let routine = group[at];
            if solve(effects, memory, routine, &blocks[at], &together) && recursive {
                together.changes(routine);
                let calls = |caller: &usize| {
                    let calls = &calls[group[*caller].0 as usize];
                    calls.binary_search(&routine).is_ok()
                };
                waiting.extend((0..group.len()).filter(calls));
            }
        });
    }
}

/// The blocks of a function.
pub fn blocks(effects: &Effects, steps: &Steps, routine: RoutineId) -> Blocks {
    let body = &effects.bodies[routine.0 as usize];
    let flow: &Flow = &steps.routines[routine.0 as usize].flow;
    Blocks::of(flow, &|from, to| match body.overwritten.get(&(from, to)) {
        Some(filled) if !body.returns_twice => filled.iter().map(|one| one.cells).collect(),
        _ => Vec::new(),
    })
}

/// Order of reads and writes in one function. Whether its summary has changed.
fn solve(
    effects: &mut Effects,
    memory: &Memory,
    routine: RoutineId,
    blocks: &Blocks,
    together: &Together,
) -> bool {
    let cells = memory.cells.len();
    let exit = Later::at_exit(CellSet::with_capacity(cells), true);
    let backward = Backward {
        effects,
        objects: &memory.objects,
        blocks,
        body: &effects.bodies[routine.0 as usize],
        exit: &exit,
        together,
    };
    let Some(entry) = backward.solve().into_iter().next() else {
        return false;
    };
    let mut exposed = entry.live;
    exposed.difference_with(&effects.private);
    let mut overwrites = entry.sure.unwrap_or_default();
    if entry.returns {
        overwrites.difference_with(&effects.private);
    } else {
        overwrites.insert_range(..);
    }
    let summary = &mut effects.summaries[routine.0 as usize];
    let changed = summary.exposed != exposed
        || summary.overwrites != overwrites
        || summary.returns != entry.returns;
    summary.exposed = exposed;
    summary.overwrites = overwrites;
    summary.returns = entry.returns;
    changed
}

/// What does not depend on the order of things: the same for all functions of a group.
fn gather(effects: &mut Effects, group: &[RoutineId], memory: &Memory) {
    let mut all = Summary::nothing(memory.cells.len());
    let members: BTreeSet<RoutineId> = group.iter().copied().collect();
    for &routine in group {
        own(
            effects,
            &effects.bodies[routine.0 as usize],
            memory,
            &mut all,
        );
        let mut called: BTreeSet<(RoutineId, SetId)> = BTreeSet::new();
        effects.bodies[routine.0 as usize].walk(&mut |action| {
            if let ActionKind::Call {
                routines, spared, ..
            } = &action.kind
            {
                called.extend(routines.iter().map(|one| (*one, *spared)));
            }
        });
        for (callee, spared) in called {
            if !members.contains(&callee) {
                include(effects, &mut all, effects.summary(callee), spared);
            }
        }
    }
    for set in [
        &mut all.reads,
        &mut all.writes,
        &mut all.frees,
        &mut all.creates,
        &mut all.destroys,
    ] {
        set.difference_with(&effects.private);
    }
    for &routine in group {
        let summary = &mut effects.summaries[routine.0 as usize];
        let overwrites = std::mem::take(&mut summary.overwrites);
        *summary = Summary {
            overwrites,
            ..all.clone()
        };
    }
}

fn own(effects: &Effects, body: &Body, memory: &Memory, all: &mut Summary) {
    body.walk(&mut |action| match &action.kind {
        ActionKind::Read(cells) => add(effects, *cells, &mut all.reads),
        ActionKind::Write { cells, .. } => add(effects, *cells, &mut all.writes),
        ActionKind::Free { cells, .. } => add(effects, *cells, &mut all.frees),
        ActionKind::Begin { object, .. } => {
            if matches!(
                memory.objects[object.0 as usize].kind,
                ObjectKind::Heap { .. }
            ) {
                all.allocates.insert(*object);
            }
        }
        ActionKind::Stop => all.may_stop = true,
        ActionKind::Jump => all.may_jump = true,
        ActionKind::Note(note) => match note {
            Note::OnceSet => {}
            Note::Role(role) => {
                all.roles.insert(*role);
            }
            Note::Creates(cells) => add(effects, *cells, &mut all.creates),
            Note::Destroys(cells) => add(effects, *cells, &mut all.destroys),
            Note::Unknown(name) => {
                all.unknown.insert(name.clone());
            }
        },
        _ => {}
    });
}

fn add(effects: &Effects, cells: super::model::SetId, to: &mut CellSet) {
    effects.sets.insert_into(cells, to);
}

fn include(effects: &Effects, all: &mut Summary, callee: &Summary, spared: SetId) {
    all.reads
        .union_with(&effects.unspared(spared, &callee.reads));
    all.writes
        .union_with(&effects.unspared(spared, &callee.writes));
    all.frees.union_with(&callee.frees);
    all.creates.union_with(&callee.creates);
    all.destroys.union_with(&callee.destroys);
    all.allocates.extend(&callee.allocates);
    all.roles.extend(&callee.roles);
    all.unknown.extend(callee.unknown.iter().cloned());
    all.may_stop |= callee.may_stop;
    all.may_jump |= callee.may_jump;
}

impl Summary {
    /// Of a function that does nothing and never returns: where the search begins.
    fn nothing(cells: usize) -> Summary {
        let empty = CellSet::with_capacity(cells);
        Summary {
            exposed: empty.clone(),
            reads: empty.clone(),
            writes: empty.clone(),
            overwrites: empty.clone(),
            frees: empty.clone(),
            creates: empty.clone(),
            destroys: empty,
            ..Summary::default()
        }
    }
}
