//! Calls that allocate blocks of bytes in which no address ever lies.
//!
//! In: what pointers may point to, with copies of bytes. Out: the calls, each with the type of what it gives. A checkpoint of a program
//! with a fixed heap looks at the words of all other blocks, because they mean nothing in another process where they are addresses of
//! the stack or of a library; in these it is chance that they look like one: bytes that were never set before a message brought them.
//!
//! Under-approximation: a block counts only where all that its call allocates holds single bytes, is used as nothing else, has nothing
//! stored that may point somewhere, and is known to no library between two calls.

use std::collections::{BTreeMap, BTreeSet};

use super::Analysed;
use super::allocators::known;
use super::memory::{CellId, ObjectId, ObjectKind};
use crate::dataflow::steps::{Called, TextPlace, TypeRef};

/// All of a program with a fixed heap; none in others.
pub fn byte_blocks(facts: &Analysed) -> BTreeMap<TextPlace, TypeRef> {
    let mut found = BTreeMap::new();
    if !facts.program.has_fixed_heap() {
        return found;
    }
    let kept = kept(facts);
    for routine in facts.steps.routine_ids() {
        for (place, call) in facts.calls(routine) {
            let Called::Named(name) = &call.callee else {
                continue;
            };
            if !known().any(|known| known == name.as_str()) {
                continue;
            }
            let blocks = facts.points_to.allocated(routine, place);
            let are_bytes = !blocks.is_empty()
                && blocks
                    .iter()
                    .all(|block| !kept.contains(block) && is_bytes(facts, *block));
            let gives = facts.points_to.targets(routine, call.result);
            let is_block = |cell: CellId| {
                let object = facts.points_to.memory.cells[cell.0 as usize].object;
                blocks.contains(&object)
            };
            if are_bytes && gives.into_iter().all(is_block) {
                let ty = facts.steps.routine(routine).value(call.result).ty;
                found.insert(place, ty);
            }
        }
    }
    found
}

/// What libraries and unknown code have pointers to: they may keep anything there.
fn kept(facts: &Analysed) -> BTreeSet<ObjectId> {
    let memory = &facts.points_to.memory;
    let mut kept = BTreeSet::new();
    for (number, one) in memory.cells.iter().enumerate() {
        let holder = &memory.objects[one.object.0 as usize].kind;
        if matches!(holder, ObjectKind::Library(_) | ObjectKind::Unknown) {
            let targets = facts.points_to.pointees(CellId(number as u32));
            kept.extend(targets.map(|cell| memory.cells[cell.0 as usize].object));
        }
    }
    kept
}

/// Whether an object is used as single bytes only, and nothing in it points anywhere.
fn is_bytes(facts: &Analysed, object: ObjectId) -> bool {
    let points_to = facts.points_to;
    let one = &points_to.memory.objects[object.0 as usize];
    // What is stored to through pointers to wider things has their type, or several.
    let (_, size) = points_to.element(object);
    let is_used_as_bytes = one.count == 1 && size.is_none_or(|size| size == 1);
    is_used_as_bytes
        && one.collapsed.is_none()
        && !points_to.escaped().contains(one.first.0 as usize)
        && points_to.pointees(one.first).next().is_none()
}
