//! Rows of what is in scope and not live: why it need not be saved.
//!
//! In scope are the locals of all functions on the way, globals and statics of the files given, memory that they
//! allocate, and what libraries keep that the program uses.

use std::collections::{BTreeMap, BTreeSet};

use super::amounts::Amounts;
use super::items::KnownItem;
use super::live::{Here, blank};
use super::places::place;
use super::report::Found;
use crate::analysis::liveness::Dead;
use crate::analysis::memory::{CellId, Object, ObjectId, ObjectKind};
use crate::dataflow::FunctionRef;
use crate::dataflow::steps::{RoutineId, VariableKind};
use crate::explain::report::{Reason, Row};
use crate::program::{ItemPlace, Storage};

/// A row for each object, or for members of one that share their reason.
pub fn rest(here: &Here, held: &[KnownItem], amounts: &mut Amounts) -> Vec<Row> {
    let found = here.found;
    let Some(index) = here.index else {
        return Vec::new();
    };
    let live = &found.analysed.liveness.checkpoints()[index];
    let mut routines: BTreeSet<RoutineId> = live.frames.iter().map(|one| one.routine).collect();
    routines.insert(live.routine);
    let mut told: BTreeSet<CellId> = here
        .locations
        .iter()
        .flat_map(|location| location.cells.iter().copied())
        .collect();
    let (cells, registered) = registered(found, held);
    told.extend(cells);
    let names = names_of_memory(found);
    let memory = &found.analysed.points_to.memory;
    let mut rows = Vec::new();
    for (number, object) in memory.objects.iter().enumerate() {
        let id = ObjectId(number as u32);
        if registered.contains(&id) || !is_in_scope(found, object, &routines) {
            continue;
        }
        let mut groups: BTreeMap<Reason, Vec<CellId>> = BTreeMap::new();
        for cell in found.analysed.points_to.cells(id) {
            if told.contains(&cell) {
                continue;
            }
            // What is live and not told of is not for this list.
            if let Some(dead) = found.analysed.liveness.why_dead(index, cell) {
                groups.entry(reason(found, dead)).or_default().push(cell);
            }
        }
        for (reason, cells) in groups {
            let whole = cells.len() == object.count as usize;
            let name = match (&object.kind, names.get(&id)) {
                (ObjectKind::Heap { .. }, Some(name)) if whole => name.clone(),
                _ if whole => found.analysed.points_to.object_name(id).to_string(),
                _ => found.analysed.points_to.cell_name(cells[0]),
            };
            let mut row = blank(found, name, &cells);
            if !whole {
                row.members = cells
                    .iter()
                    .map(|&cell| found.analysed.points_to.cell_name(cell))
                    .collect();
            }
            row.reason = reason;
            row.bytes = amounts.cells(&cells);
            rows.push(row);
        }
    }
    rows
}

fn reason(found: &Found, dead: Dead) -> Reason {
    match dead {
        Dead::Overwritten { write, .. } => Reason::Overwritten {
            write: place(found.analysed.program, write),
        },
        Dead::NeverRead => Reason::NeverRead,
        Dead::NotThere => Reason::NotThere,
        Dead::NeverWritten => Reason::NeverWritten,
    }
}

/// Whether a reader of the report may ask for it.
fn is_in_scope(found: &Found, object: &Object, routines: &BTreeSet<RoutineId>) -> bool {
    match &object.kind {
        ObjectKind::Variable(variable) => {
            let facts = found.analysed.steps.variable(*variable);
            let named = matches!(facts.kind, VariableKind::Named | VariableKind::Parameter(_))
                && !facts.name.is_empty();
            match facts.owner {
                _ if !named => false,
                Some(owner) => match facts.storage {
                    Storage::Automatic | Storage::Register => routines.contains(&owner),
                    _ => true,
                },
                None => facts.is_defined,
            }
        }
        ObjectKind::Heap { .. } => true,
        _ => false,
    }
}

/// Cells that registers hold, and objects behind pointers with a register.
fn registered(found: &Found, held: &[KnownItem]) -> (Vec<CellId>, BTreeSet<ObjectId>) {
    let (mut cells, mut objects) = (Vec::new(), BTreeSet::new());
    let memory = &found.analysed.points_to.memory;
    for one in held {
        let Some(function) = one.directive.function else {
            continue;
        };
        let routine = found.analysed.steps.routine_of(FunctionRef {
            unit: one.at.directive.unit,
            function,
        });
        let items = found.analysed.steps.routine(routine).items.iter();
        let bases = items
            .filter(|item| item.directive == one.at.directive.id && item.index == one.at.index);
        for base in bases {
            let touched = found.analysed.points_to.touched(routine, &base.place).cells;
            if one.item.kind != ItemPlace::BehindPointer {
                cells.extend(touched.iter());
                continue;
            }
            let behind = touched
                .iter()
                .flat_map(|cell| found.analysed.points_to.pointees(*cell));
            objects
                .extend(behind.filter_map(|cell| Some(memory.cells.get(cell.0 as usize)?.object)));
        }
    }
    (cells, objects)
}

/// Allocated memory by the shortest name of a pointer that points to it.
fn names_of_memory(found: &Found) -> BTreeMap<ObjectId, String> {
    let memory = &found.analysed.points_to.memory;
    let mut names: BTreeMap<ObjectId, String> = BTreeMap::new();
    for (number, object) in memory.objects.iter().enumerate() {
        if !matches!(object.kind, ObjectKind::Variable(_)) {
            continue;
        }
        for cell in found.analysed.points_to.cells(ObjectId(number as u32)) {
            for behind in found.analysed.points_to.pointees(cell) {
                let Some(target) = memory.cells.get(behind.0 as usize) else {
                    continue;
                };
                let is_heap = matches!(
                    memory.objects[target.object.0 as usize].kind,
                    ObjectKind::Heap { .. }
                );
                if !is_heap {
                    continue;
                }
                let name = format!("{}[…]", found.analysed.points_to.cell_name(cell));
                let shorter = names
                    .get(&target.object)
                    .is_none_or(|known| name.len() < known.len());
                if shorter {
                    names.insert(target.object, name);
                }
            }
        }
    }
    names
}
