//! Which nodes of a function are passed or not depending on the way that control takes elsewhere.
//!
//! A node decides about others when some of its ways come by there and others do not (control dependence, by
//! post-dominators). Errors fall on the side of deciding.

use super::graph::Flow;

impl Flow {
    /// For every node with several ways on, the nodes that are passed or not depending on the way. `stops`: nodes in which
    /// control surely stops.
    pub fn decided(&self, stops: &[bool]) -> Vec<Vec<usize>> {
        let count = self.nodes.len();
        let next: Vec<Vec<usize>> = (0..count)
            .map(|node| match stops.get(node) {
                Some(true) => Vec::new(),
                _ => self.nodes[node].next.iter().map(|one| one.0).collect(),
            })
            .collect();
        let mut back: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (node, all) in next.iter().enumerate() {
            for &to in all {
                back[to].push(node);
            }
        }
        let exit = Flow::EXIT.0;
        // Nodes from which an end can be reached, the ends first.
        let leading_to = |ends: &[usize]| {
            let mut reached = vec![false; count];
            ends.iter().for_each(|&end| reached[end] = true);
            let mut order = ends.to_vec();
            let mut at = 0;
            while at < order.len() {
                for &from in &back[order[at]] {
                    if !std::mem::replace(&mut reached[from], true) {
                        order.push(from);
                    }
                }
                at += 1;
            }
            (order, reached)
        };
        let mut ends = vec![exit];
        let (mut order, mut reached) = leading_to(&ends);
        // A function that never returns ends where it stops.
        if !reached[Flow::ENTRY.0] {
            ends.extend((0..count).filter(|&node| node != exit && next[node].is_empty()));
            (order, reached) = leading_to(&ends);
        }
        let all = || vec![true; count];
        // Post-dominators as sets: small functions are the rule, and large ones are walked a few times only.
        let mut after: Vec<Vec<bool>> = (0..count).map(|_| all()).collect();
        for &end in &ends {
            after[end] = vec![false; count];
            after[end][end] = true;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &node in &order[ends.len()..] {
                let mut set = all();
                for &to in next[node].iter().filter(|to| reached[**to]) {
                    for (one, other) in set.iter_mut().zip(&after[to]) {
                        *one &= other;
                    }
                }
                set[node] = true;
                if set != after[node] {
                    after[node] = set;
                    changed = true;
                }
            }
        }
        let region = |node: usize| {
            let ways: Vec<usize> = next[node]
                .iter()
                .copied()
                .filter(|to| reached[*to])
                .collect();
            if next[node].len() < 2 || (reached[node] && ways.len() < 2) {
                return Vec::new();
            }
            let is_after = |other: usize| reached[node] && other != node && after[node][other];
            let mut inside = vec![false; count];
            let mut work = if reached[node] {
                ways
            } else {
                next[node].clone()
            };
            while let Some(at) = work.pop() {
                if !is_after(at) && !std::mem::replace(&mut inside[at], true) {
                    work.extend(&next[at]);
                }
            }
            (0..count).filter(|&at| inside[at]).collect()
        };
        (0..count).map(region).collect()
    }
}
