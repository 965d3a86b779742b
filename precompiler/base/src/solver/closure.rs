//! All that edges lead to.

use std::hash::Hash;

use rustc_hash::FxHashSet;

/// The nodes that edges lead to from the first ones, these included, each once; `next` adds where the edges of one lead.
/// Who stops asking leaves the rest undone.
pub fn closure<T: Copy + Eq + Hash>(
    first: impl IntoIterator<Item = T>,
    next: impl FnMut(T, &mut Vec<T>),
) -> impl Iterator<Item = T> {
    let mut seen = FxHashSet::default();
    closure_of(first, move |one| seen.insert(one), next)
}

/// The same where somebody else knows which nodes are new: `is_new` says so once for each.
pub fn closure_of<T: Copy>(
    first: impl IntoIterator<Item = T>,
    mut is_new: impl FnMut(T) -> bool,
    mut next: impl FnMut(T, &mut Vec<T>),
) -> impl Iterator<Item = T> {
    let mut open: Vec<T> = first.into_iter().collect();
    std::iter::from_fn(move || {
        loop {
            let one = open.pop()?;
            if is_new(one) {
                next(one, &mut open);
                return Some(one);
            }
        }
    })
}

/// The same for nodes with numbers below `count`: for each, whether it is one of them.
pub fn reached(
    count: usize,
    first: impl IntoIterator<Item = usize>,
    mut next: impl FnMut(usize, &mut Vec<usize>),
) -> Vec<bool> {
    let mut reached = vec![false; count];
    let mut open: Vec<usize> = first.into_iter().collect();
    while let Some(one) = open.pop() {
        if !std::mem::replace(&mut reached[one], true) {
            next(one, &mut open);
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [&[usize]; 5] = [&[1, 2], &[0], &[2], &[0, 4], &[]];

    #[test]
    fn what_edges_lead_to_comes_once_and_the_first_nodes_with_it() {
        let next = |one: usize, open: &mut Vec<usize>| open.extend(EDGES[one]);
        let mut found: Vec<usize> = closure([0], next).collect();
        found.sort_unstable();
        assert_eq!(found, [0, 1, 2]);
        assert_eq!(reached(5, [0], next), [true, true, true, false, false]);
        assert_eq!(reached(5, [], next), [false; 5]);
        let mut seen = [false; 5];
        let is_new = |one: usize| !std::mem::replace(&mut seen[one], true);
        assert_eq!(closure_of([3], is_new, next).count(), 5);
    }

    #[test]
    fn who_has_found_it_looks_no_further() {
        let mut asked = 0;
        let mut all = closure([0_u64], |one, open| {
            asked += 1;
            open.push(one + 1);
        });
        assert!(all.any(|one| one == 3));
        drop(all);
        assert_eq!(asked, 4);
    }
}
