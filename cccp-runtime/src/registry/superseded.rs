//! Which executions of a block are still on the way (S9).
//!
//! In: executions of one block in one activation, with the loop counters as they were, and the place where the
//! activation stands. Out: whether a later execution supersedes an earlier one. The one idea: two executions with the
//! same instances of all loops around the block differ in the iteration of the innermost one; otherwise they differ in
//! the iteration of the loop just outside the first whose instance changed. When unsure: not superseded, one execution
//! more. Blocks with `each` supersede nothing: what they do adds up.

use super::Function;

/// The loop in whose iteration two executions of `block` differ; none when no loop tells them apart, or both are to run again.
pub fn differing_loop(
    function: &Function,
    block: u32,
    earlier: &[u64],
    later: &[u64],
) -> Option<usize> {
    // What one thread of a team does says nothing about another.
    let adds_up = function.block(block).is_some_and(|found| found.each);
    if adds_up || function.thread(earlier) != function.thread(later) {
        return None;
    }
    let path = function.path(block);
    let changed = path
        .iter()
        .position(|&number| function.instance(number, earlier) != function.instance(number, later));
    match changed {
        None => path.last().copied(),
        Some(0) => None,
        Some(first) => Some(path[first - 1]),
    }
}

/// Whether `later` makes `earlier` a thing of the past while the activation stands in block `place` with the counters
/// `now`: they differ in the iteration of a loop that is still running there.
pub fn superseded(
    function: &Function,
    block: u32,
    earlier: &[u64],
    later: &[u64],
    place: u32,
    now: &[u64],
) -> bool {
    let Some(number) = differing_loop(function, block, earlier, later) else {
        return false;
    };
    for around in function.path(place) {
        if function.instance(around, now) != function.instance(around, later) {
            return false;
        }
        if around == number {
            return true;
        }
    }
    false
}

/// Whether nobody can ever need `earlier` again after `later`: the loop that tells them apart is not followed by a
/// checkpoint.
pub fn forgettable(function: &Function, block: u32, earlier: &[u64], later: &[u64]) -> bool {
    differing_loop(function, block, earlier, later)
        .and_then(|number| function.loops.get(number - 1))
        .is_some_and(|found| found.prunable)
}
