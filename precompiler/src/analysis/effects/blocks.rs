//! The nodes of a function in blocks: chains that control runs through from the first to the last.

use crate::dataflow::Flow;
use crate::solver::postorder;

use super::model::SetId;

/// Blocks of one function, as far as control can come to them from its entry.
#[derive(Debug, Default)]
pub struct Blocks {
    /// All blocks; the first one begins with the entry.
    pub all: Vec<Block>,
    /// A block comes after all that follow it, as far as loops allow.
    pub backward: Vec<usize>,
    /// The block that ends with the exit, when control can come there.
    pub exit: Option<usize>,
}

/// A chain of nodes.
#[derive(Debug, Default)]
pub struct Block {
    /// Indices of the nodes, in the order in which control goes through them.
    pub nodes: Vec<usize>,
    /// Blocks that may follow, and what is surely overwritten when control goes there.
    pub next: Vec<Edge>,
    /// Blocks that may come before.
    pub before: Vec<usize>,
}

/// A way from one block to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// To which block.
    pub to: usize,
    /// What is surely overwritten on this way before anybody reads it: loops that fill arrays.
    pub overwritten: Vec<SetId>,
}

impl Blocks {
    /// The blocks of a flow. `overwritten`: for an edge between two nodes, what is surely overwritten on the way.
    pub fn of(flow: &Flow, overwritten: &dyn Fn(usize, usize) -> Vec<SetId>) -> Blocks {
        let order = postorder(flow.nodes.len(), [Flow::ENTRY.0], |node, edge| {
            Some(flow.nodes[node].next.get(edge)?.0)
        });
        let mut entries = vec![0usize; flow.nodes.len()];
        let mut reached = vec![false; flow.nodes.len()];
        for &node in &order {
            reached[node] = true;
            for next in &flow.nodes[node].next {
                entries[next.0] += 1;
            }
        }
        // A node goes on in the same block when it is the only way to the next one and has no other.
        let follower = |node: usize| match flow.nodes[node].next.as_slice() {
            [only]
                if entries[only.0] == 1
                    && only.0 != Flow::ENTRY.0
                    && overwritten(node, only.0).is_empty() =>
            {
                Some(only.0)
            }
            _ => None,
        };
        let mut is_follower = vec![false; flow.nodes.len()];
        for &node in &order {
            if let Some(next) = follower(node) {
                is_follower[next] = true;
            }
        }
        let mut blocks = Blocks::default();
        let mut block_of = vec![usize::MAX; flow.nodes.len()];
        let heads = order.iter().rev().filter(|&&node| !is_follower[node]);
        for &head in heads {
            let mut block = Block::default();
            let mut at = Some(head);
            while let Some(node) = at {
                block_of[node] = blocks.all.len();
                block.nodes.push(node);
                at = follower(node).filter(|&next| block_of[next] == usize::MAX);
            }
            blocks.all.push(block);
        }
        for index in 0..blocks.all.len() {
            let Some(&last) = blocks.all[index].nodes.last() else {
                continue;
            };
            for next in &flow.nodes[last].next {
                let to = block_of[next.0];
                blocks.all[index].next.push(Edge {
                    to,
                    overwritten: overwritten(last, next.0),
                });
                blocks.all[to].before.push(index);
            }
        }
        blocks.backward = (0..blocks.all.len()).rev().collect();
        blocks.exit = Some(block_of[Flow::EXIT.0]).filter(|&block| block != usize::MAX);
        blocks
    }
}
