//! Nodes of the graph that include each other: they have the same targets, and become one.
//!
//! The search looks at all of the graph. It is made again when as much has been done since the last time as it takes; cycles
//! that are there for some time cost work, and nothing else.

use super::graph::{Graph, NodeId};

impl Graph {
    /// Nodes that include each other become one; the others get ranks, so that edges go to higher ones.
    pub(super) fn collapse_cycles(&mut self) {
        self.fresh = 0;
        self.work = 0;
        let components = self.components();
        for (rank, component) in components.into_iter().rev().enumerate() {
            let Some((first, rest)) = component.split_first() else {
                continue;
            };
            for other in rest {
                self.unify(*first, *other);
            }
            let node = self.find_short(*first);
            self.rank[node as usize] = rank as u32;
        }
    }

    /// Strongly connected components, last ones first (Tarjan, without recursion).
    fn components(&mut self) -> Vec<Vec<NodeId>> {
        let count = self.nodes.len();
        let mut number = vec![0u32; count];
        let mut low = vec![0u32; count];
        let mut on_stack = vec![false; count];
        let (mut stack, mut path) = (Vec::new(), Vec::<(NodeId, usize)>::new());
        let (mut next_number, mut found) = (1, Vec::new());
        for start in 0..count as NodeId {
            let has_edges = !self.nodes[start as usize].next.is_empty();
            if number[start as usize] != 0 || !has_edges || self.find(start) != start {
                continue;
            }
            path.push((start, 0));
            while let Some((node, at)) = path.last_mut() {
                let here = *node as usize;
                if *at == 0 {
                    number[here] = next_number;
                    low[here] = next_number;
                    next_number += 1;
                    stack.push(*node);
                    on_stack[here] = true;
                }
                let edge = self.nodes[here].next.get(*at).copied();
                *at += 1;
                if let Some(to) = edge {
                    let to = self.find_short(to);
                    if number[to as usize] == 0 {
                        path.push((to, 0));
                    } else if on_stack[to as usize] {
                        low[here] = low[here].min(number[to as usize]);
                    }
                    continue;
                }
                path.pop();
                if let Some((above, _)) = path.last() {
                    low[*above as usize] = low[*above as usize].min(low[here]);
                }
                if low[here] == number[here] {
                    let mut component = Vec::new();
                    while let Some(one) = stack.pop() {
                        on_stack[one as usize] = false;
                        component.push(one);
                        if one as usize == here {
                            break;
                        }
                    }
                    found.push(component);
                }
            }
        }
        found
    }
}
