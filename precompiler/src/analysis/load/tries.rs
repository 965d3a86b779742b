//! Loops of which one pass may be the whole run: over jobs that are read from the input, and over tries that end with the first that
//! succeeds.
//!
//! In: a function's loops and its flow. Out: whether a loop with a condition of its own is left from inside as well, behind a loop in
//! it. A checkpoint in such a loop alone might be taken once, and that before the work.
//!
//! ```c
//! for (try = 0; try < tries; try++) {
//!     for (flip = 0; flip < flips && wrong; flip++) improve();   // this does the work
//!     if (!wrong) return 0;                                       // and the loop around it may pass once
//! }
//! ```
//!
//! Errors fall on the side of more: one more place for checkpoints.

use super::routine::Local;
use crate::dataflow::Flow;

/// Whether a loop of a function is one over tries.
pub fn is_over_tries(local: &Local, flow: &Flow, index: usize) -> bool {
    let own = local.loops.all[index].statement;
    let is_inside = |node: usize| local.is_in(node, index);
    let nodes = || (0..flow.nodes.len()).filter(|node| is_inside(*node));
    let leaves = |node: &usize| flow.next(*node).any(|to| !is_inside(to));
    let outside = (0..flow.nodes.len()).filter(|node| !is_inside(*node));
    let entered = outside.flat_map(|node| flow.next(node).filter(|to| is_inside(*to)));
    // What comes in each pass before any loop in it.
    let first = flow.along(entered.collect::<Vec<_>>(), |_, to| {
        local.around[to] == Some(index)
    });
    let is_condition = |node: &usize| first[*node] || flow.nodes[*node].statement == Some(own);
    nodes().any(|node| leaves(&node) && is_condition(&node))
        && nodes()
            .any(|node| leaves(&node) && !is_condition(&node) && local.around[node] == Some(index))
}
