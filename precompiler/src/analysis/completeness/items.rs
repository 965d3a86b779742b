//! What every item of a register directive is needed for.
//!
//! An item can go when at every checkpoint where it may be in force all that it covers is dead, or has its value without
//! it. When unsure it is needed: what blocks, calls and declarations on the way read when they run again; memory to
//! which what is saved points.

use std::collections::BTreeSet;

use super::bytes::bytes;
use super::cover::{Cover, is_heap};
use super::decide::Deciding;
use super::facts::Facts;
use super::model::{DirectivePlace, ItemCheck, Need, Reader};
use super::state::State;
use crate::analysis::effects::{Action, ActionKind};
use crate::analysis::memory::{CellId, CellSet, ObjectId};
use crate::dataflow::steps::RoutineId;
use crate::program::{Directive, StatementId, StatementKind};
use rustc_hash::FxHashMap;

/// All items.
pub(super) fn items(deciding: &Deciding, facts: &Facts) -> Vec<ItemCheck> {
    let again = read_again(facts);
    let needed = needed(deciding);
    let covers = deciding.covers.all.iter();
    covers
        .map(|cover| {
            let unit = &deciding.program.units[cover.item.directive.unit];
            let item = match &unit.directives[cover.item.directive.id.0].directive {
                Directive::Register { items } => items.get(cover.item.index),
                _ => None,
            };
            ItemCheck {
                item: cover.item,
                name: cover.name.clone(),
                need: need(deciding, cover, &needed, &again),
                bytes: item.map_or_else(Default::default, |item| bytes(unit, item)),
                length: item.map_or_else(Default::default, |item| deciding.length(cover, item)),
            }
        })
        .collect()
}

/// The first checkpoint at which a cell would have no value without registers.
struct Needed {
    /// How many cells were found before.
    rank: usize,
    checkpoint: DirectivePlace,
    by: Reader,
}

/// All cells that need a register.
fn needed(deciding: &Deciding) -> FxHashMap<usize, Needed> {
    let mut all = FxHashMap::default();
    for (number, live) in deciding.liveness.checkpoints().iter().enumerate() {
        let checkpoint = DirectivePlace {
            unit: live.unit,
            id: live.directive,
        };
        let Some(state) = deciding.found.checkpoints.get(&checkpoint) else {
            continue;
        };
        for one in deciding.seen(live, state) {
            let cell = one.cell.0 as usize;
            let any = |test: &dyn Fn(&State) -> bool| one.states.iter().any(|state| test(state));
            let changed = any(&|state| state.changed.contains(cell));
            let made = is_heap(deciding.memory(), cell) && any(&|s| s.made.contains(cell));
            if made || changed && one.only_memory.is_none() {
                let rank = all.len();
                all.entry(cell).or_insert_with(|| Needed {
                    rank,
                    checkpoint,
                    by: deciding.reader(number, &one),
                });
            }
        }
    }
    all
}

fn need(
    deciding: &Deciding,
    cover: &Cover,
    needed: &FxHashMap<usize, Needed>,
    again: &CellSet,
) -> Need {
    let cells: BTreeSet<usize> = cover.named.iter().chain(&cover.behind).copied().collect();
    if cells.is_empty() || cover.crowd {
        return Need::Unknown;
    }
    let found = cells.iter().filter_map(|cell| needed.get(cell));
    if let Some(first) = found.min_by_key(|one| one.rank) {
        return Need::Needed {
            checkpoint: first.checkpoint,
            by: first.by.clone(),
        };
    }
    // A pointer that is saved has to lead to something that is saved.
    let is_read_again = cells.iter().any(|&cell| again.contains(cell));
    if is_read_again || is_pointed_at(deciding, cover, &cells) {
        Need::Unknown
    } else {
        Need::Removable
    }
}

fn is_pointed_at(deciding: &Deciding, cover: &Cover, cells: &BTreeSet<usize>) -> bool {
    let object = |cell: usize| deciding.memory().cells[cell].object;
    let objects: BTreeSet<ObjectId> = cells.iter().map(|&cell| object(cell)).collect();
    let leads_here = |cell: usize| {
        let mut targets = deciding.points_to.pointees(CellId(cell as u32));
        targets.any(|target| objects.contains(&object(target.0 as usize)))
    };
    let others = deciding.covers.all.iter();
    let others = others.filter(|other| other.item != cover.item && other.name != cover.name);
    let mut saved = others.flat_map(|other| other.named.iter().chain(&other.behind));
    if saved.any(|&cell| leads_here(cell)) {
        return true;
    }
    // Arguments of calls on the way are saved.
    let mut on_the_way: BTreeSet<RoutineId> = BTreeSet::new();
    for live in deciding.liveness.checkpoints() {
        on_the_way.insert(live.routine);
        on_the_way.extend(live.frames.iter().map(|frame| frame.routine));
    }
    on_the_way.iter().any(|routine| {
        let parameters = &deciding.steps.routine(*routine).parameters;
        let objects = parameters
            .iter()
            .filter_map(|one| deciding.points_to.variable(*one));
        objects
            .flat_map(|object| deciding.points_to.cells(object))
            .any(|cell| leads_here(cell.0 as usize))
    })
}

/// What is read once more on the way of a restart: in blocks, in calls of functions with directives, in declarations
/// that have to be executed, in the heads of loops that begin with a checkpoint.
fn read_again(facts: &Facts) -> CellSet {
    let mut cells = CellSet::with_capacity(facts.memory.cells.len());
    for routine in facts.steps.routine_ids() {
        let one = facts.steps.routine(routine);
        let nodes = &facts.effects.bodies[routine.0 as usize].nodes;
        let heads = executed_again(facts, routine);
        for (node, actions) in one.flow.nodes.iter().zip(nodes) {
            let whole = node.statement.is_some_and(|id| heads.contains(&id));
            // Numbers among the arguments of a call come from the trace.
            let call = actions.iter().any(|action| facts.calls_client(action));
            let mut look = |action: &Action| {
                let ActionKind::Read(set) = &action.kind else {
                    return;
                };
                let all = whole || facts.runs_again(routine, action.span);
                let read = facts.effects.cells(*set).iter();
                let read = read.filter(|cell| all || call && !facts.is_number(**cell));
                cells.extend(read.map(|cell| cell.0 as usize));
            };
            Facts::walk(actions, &mut look);
        }
    }
    cells
}

/// Declarations with extents that are computed, and loops whose body begins with a checkpoint.
fn executed_again(facts: &Facts, routine: RoutineId) -> BTreeSet<StatementId> {
    let place = facts.steps.routine(routine).function;
    let unit = &facts.program.units[place.unit];
    let mut found = BTreeSet::new();
    if !facts.is_client(routine) {
        return found;
    }
    unit.function(place.function).body.walk(&mut |statement| {
        let again = match &statement.kind {
            StatementKind::Declaration(declaration) => declaration.variably_modified,
            StatementKind::While { body, .. } | StatementKind::For { body, .. } => {
                body.children().first().is_some_and(|first| {
                    matches!(first.kind, StatementKind::Directive(id)
                        if matches!(unit.directives[id.0].directive, Directive::Checkpoint { .. }))
                })
            }
            _ => false,
        };
        if again {
            found.insert(statement.id);
        }
        true
    });
    found
}
