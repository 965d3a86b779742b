//! Memory whose address an object of a library keeps: buffers of persistent requests, arrays of plans.
//!
//! Such an object is made again on restart. It is the same then when its buffer is a variable, or memory to which every
//! pointer that leads there leads for ever: then the register of any of them brings this memory back to where the object
//! was made for. Buffers that change places may come back in each other's place.

use std::collections::BTreeSet;

use crate::analysis::memory::{CellId, ObjectId, ObjectKind};
use crate::analysis::points_to::PointsTo;
use crate::catalog::{EffectKind, LibraryFunction, Root};
use crate::dataflow::steps::{Call, RoutineId};

/// What the object that a call makes holds the address of.
pub fn buffers(
    points_to: &PointsTo,
    routine: RoutineId,
    call: &Call,
    function: &LibraryFunction,
) -> BTreeSet<ObjectId> {
    let kept = function
        .effects
        .iter()
        .filter_map(|one| match one.place.root {
            Root::Parameter(position) => {
                matches!(one.kind, EffectKind::Keeps(_)).then_some(position)
            }
            _ => None,
        });
    let values = kept.filter_map(|position| call.arguments.get(position));
    let targets = values.flat_map(|one| points_to.targets(routine, one.value));
    targets
        .map(|cell| points_to.memory.cells[cell.0 as usize].object)
        .collect()
}

/// Which of these a restart may have elsewhere than the pointers say that once led there. What MPI itself keeps does not count.
pub fn moved(points_to: &PointsTo, buffers: &BTreeSet<ObjectId>) -> BTreeSet<ObjectId> {
    let memory = &points_to.memory;
    let stays = |object: &ObjectId| {
        let one = &memory.objects[object.0 as usize];
        one.is_single && matches!(one.kind, ObjectKind::Variable(_) | ObjectKind::Heap { .. })
    };
    let is_heap = |object: &ObjectId| {
        matches!(
            memory.objects[object.0 as usize].kind,
            ObjectKind::Heap { .. }
        )
    };
    let mut moved: BTreeSet<ObjectId> = buffers.iter().copied().filter(|one| !stays(one)).collect();
    if !buffers.iter().any(is_heap) {
        return moved;
    }
    let is_of_library = |cell: CellId| {
        let object = memory.cells[cell.0 as usize].object;
        let kind = &memory.objects[object.0 as usize].kind;
        matches!(kind, ObjectKind::Library(state) if state.trim_start_matches('@') == "mpi")
    };
    let mut seen: BTreeSet<u32> = BTreeSet::new();
    for cell in (0..memory.cells.len() as u32).map(CellId) {
        if is_of_library(cell) || !seen.insert(points_to.pointees_number(cell)) {
            continue;
        }
        let targets = points_to.pointees(cell);
        let targets: BTreeSet<ObjectId> = targets
            .map(|cell| memory.cells[cell.0 as usize].object)
            .collect();
        if targets.len() > 1 {
            moved.extend(buffers.intersection(&targets).filter(|one| is_heap(one)));
        }
    }
    moved
}
