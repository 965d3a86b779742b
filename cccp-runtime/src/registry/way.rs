//! What a restart from here has to run again: the executions of an activation that nothing has superseded.
//!
//! In: the trace, and where the activation stands. Out: sequence numbers. A call that holds registers which no later
//! call has made again is not superseded, whatever the loops say, nor is one in which a block with `each` was executed: when
//! unsure, a larger checkpoint, never a wrong one.

use std::rc::Rc;

use super::superseded::superseded;
use super::trace::{Execution, Left, Node, NodeId, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a call has left that may be missed when it is superseded.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Held {
    /// A register of this item, with the address of its function's description.
    Item(usize, u32),
    /// This execution of a block with `each`: nothing stands for it.
    Execution(u64),
}

impl Trace {
    /// Whether a call holds something that no later call of the block has made again. Such a call is not superseded:
    /// what a loop registers in its first iteration only would be lost.
    pub(super) fn holds_more(&self, node: &Node, block: u32, at: usize) -> bool {
        let mut queue = node.by_block[&block].iter().skip(at);
        let items = queue
            .next()
            .map_or_else(FxHashSet::default, |old| self.items(node, *old));
        !items.is_empty() && {
            let own = node.by_block[&block].get(at).map(|one| node.thread(*one));
            let later = queue.filter(|one| Some(node.thread(**one)) == own);
            let later: FxHashSet<Held> = later.flat_map(|one| self.items(node, *one)).collect();
            !items.is_subset(&later)
        }
    }

    /// Whether a call is not superseded by any later one: a block with `each` was executed in it.
    pub(super) fn adds_up(&self, node: &Node, sequence: u64) -> bool {
        let items = self.items(node, sequence);
        let is_execution = |one: &Held| matches!(one, Held::Execution(_));
        items.iter().any(is_execution)
    }

    /// What a call and the calls below it hold.
    fn items(&self, node: &Node, sequence: u64) -> FxHashSet<Held> {
        let mut items = FxHashSet::default();
        let Left::Called(callee) = node.executions[&sequence].left else {
            return items;
        };
        let mut due = vec![callee];
        while let Some(node) = due.pop().and_then(|id| self.nodes.get(&id)) {
            let function = Rc::as_ptr(&node.function) as usize;
            let adds_up = |block| node.function.block(block).is_some_and(|found| found.each);
            for (&sequence, execution) in &node.executions {
                match &execution.left {
                    Left::Registers(held) => {
                        items.extend(held.iter().map(|&(item, _)| Held::Item(function, item)))
                    }
                    Left::Called(callee) => due.push(*callee),
                    Left::Executed(_) if adds_up(execution.block) => {
                        items.insert(Held::Execution(sequence));
                    }
                    Left::Executed(_) | Left::Entered(_) => {}
                }
            }
        }
        items
    }

    /// Among superseded executions, the calls that hold what no later one has made again.
    fn holding(&self, node: &Node, past: &FxHashSet<u64>) -> FxHashSet<u64> {
        let mut holding = FxHashSet::default();
        for queue in node.by_block.values() {
            // By the thread: what one of a team made again, another did not.
            let mut covered: FxHashMap<Option<u64>, FxHashSet<Held>> = FxHashMap::default();
            if !queue.iter().any(|one| past.contains(one)) {
                continue;
            }
            for sequence in queue.iter().rev() {
                let covered = covered.entry(node.thread(*sequence)).or_default();
                let items = self.items(node, *sequence);
                if past.contains(sequence) {
                    if items.is_subset(covered) {
                        continue;
                    }
                    holding.insert(*sequence);
                }
                covered.extend(items);
            }
        }
        holding
    }

    /// The executions of a node that a restart has to run again when the activation stands in `place` (a call or the
    /// checkpoint, with the counters `now`); all of them when it has returned. The others are dormant.
    pub fn on_the_way(&self, id: NodeId, place: Option<(u32, &[u64])>) -> Vec<u64> {
        let node = self.node(id);
        let Some((place, now)) = place else {
            return node.executions.keys().copied().collect();
        };
        let past = |sequence: u64, execution: &Execution| {
            let queue = node.by_block.get(&execution.block);
            let own = node.thread(sequence);
            let same = |other: &&u64| node.thread(**other) == own;
            let last = queue.and_then(|queue| queue.iter().rev().find(same));
            let last = last.filter(|&&last| last != sequence);
            let last = last.and_then(|last| node.executions.get(last));
            last.is_some_and(|last| {
                superseded(
                    &node.function,
                    execution.block,
                    &execution.counters,
                    &last.counters,
                    place,
                    now,
                )
            })
        };
        let kept = node.executions.iter().filter(|(_, one)| !one.released);
        let (past, mut needed): (Vec<u64>, Vec<u64>) = kept
            .map(|(&sequence, one)| (sequence, past(sequence, one)))
            .fold((Vec::new(), Vec::new()), |mut lists, (sequence, past)| {
                if past {
                    lists.0.push(sequence)
                } else {
                    lists.1.push(sequence)
                }
                lists
            });
        needed.extend(self.holding(node, &past.into_iter().collect()));
        // A region is entered again when something inside it is on the way.
        let mut known: FxHashSet<u64> = needed.iter().copied().collect();
        let mut at = 0;
        while at < needed.len() {
            if let Some(region) = node.executions[&needed[at]].region
                && known.insert(region)
            {
                needed.push(region);
            }
            at += 1;
        }
        needed.sort_unstable();
        needed
    }
}
