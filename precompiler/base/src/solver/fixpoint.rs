//! Going round until nothing is new.

use std::collections::BTreeSet;

/// What is found out about nodes by handing facts on along edges. All facts together have to be finitely many, and to
/// be joined has to lead up only: then it comes to an end, at the same facts in whatever order.
pub trait Analysis {
    /// What is known at a node.
    type Fact: Clone;

    /// Adds what comes along another way. Whether that is new.
    fn join(known: &mut Self::Fact, more: &Self::Fact) -> bool;

    /// What a node makes of what is known there: `hand_on` takes it to the nodes to which control goes on from here, or, in
    /// an analysis that goes backward, from which it comes.
    fn transfer(
        &mut self,
        node: usize,
        fact: Self::Fact,
        hand_on: &mut dyn FnMut(usize, &Self::Fact),
    );
}

/// What is known at each of `count` nodes, none where no way leads; lower nodes are looked at first.
pub fn solve<A: Analysis>(
    analysis: &mut A,
    count: usize,
    first: impl IntoIterator<Item = (usize, A::Fact)>,
) -> Vec<Option<A::Fact>> {
    let mut known: Vec<Option<A::Fact>> = vec![None; count];
    let mut open = Vec::new();
    for (node, fact) in first {
        known[node] = Some(fact);
        open.push(node);
    }
    settle(open, |node, waiting| {
        let Some(fact) = known[node].clone() else {
            return;
        };
        analysis.transfer(node, fact, &mut |to, fact| {
            let is_new = match &mut known[to] {
                Some(known) => A::join(known, fact),
                empty => empty.replace(fact.clone()).is_none(),
            };
            if is_new {
                waiting.insert(to);
            }
        });
    });
    known
}

/// Looks at what waits, lowest first, until nothing does; `look` adds what has to be looked at again.
pub fn settle<T: Ord>(
    first: impl IntoIterator<Item = T>,
    mut look: impl FnMut(T, &mut BTreeSet<T>),
) {
    let mut waiting: BTreeSet<T> = first.into_iter().collect();
    while let Some(one) = waiting.pop_first() {
        look(one, &mut waiting);
    }
}

/// Joins what has to hold on all ways: what both know stays. Whether something goes.
pub fn keep_common<T: Ord>(known: &mut BTreeSet<T>, more: &BTreeSet<T>) -> bool {
    let count = known.len();
    known.retain(|one| more.contains(one));
    known.len() != count
}

/// Goes over everything until a round brings nothing new.
pub fn rounds(mut brings_news: impl FnMut() -> bool) {
    while brings_news() {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least number of edges to a node.
    struct Distance(&'static [&'static [usize]]);

    impl Analysis for Distance {
        type Fact = usize;

        fn join(known: &mut usize, more: &usize) -> bool {
            let old = std::mem::replace(known, (*known).min(*more));
            *known != old
        }

        fn transfer(&mut self, node: usize, fact: usize, hand_on: &mut dyn FnMut(usize, &usize)) {
            self.0[node].iter().for_each(|to| hand_on(*to, &(fact + 1)));
        }
    }

    #[test]
    fn facts_are_joined_until_nothing_is_new() {
        let edges: &[&[usize]] = &[&[1, 3], &[2], &[1, 3], &[0], &[0]];
        let found = solve(&mut Distance(edges), 5, [(0, 0)]);
        assert_eq!(found, [Some(0), Some(1), Some(2), Some(1), None]);
    }

    #[test]
    fn what_waits_is_looked_at_once_however_often_it_was_told() {
        let mut order = Vec::new();
        settle([3, 1], |one, waiting| {
            order.push(one);
            if order.len() == 1 {
                waiting.extend([3, 2, 3]);
            }
        });
        assert_eq!(order, [1, 2, 3]);
    }
}
