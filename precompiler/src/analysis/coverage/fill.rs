//! Whether the indices that a nest of loops stores to are all that an array has.
//!
//! Every dimension is compared for itself: `a[i][j]`, or one index made of several counters in a mixed radix:
//! `a[(i * m + j) * k + l]` with `j < m` and `l < k`. A counter may serve one dimension only. A counter that no index
//! depends on must surely count something.
//!
//! Extents are taken to be no products of two negative numbers.

use crate::analysis::memory::CellId;
use crate::analysis::polynomial::{Atom, Polynomial};

/// A variable that takes all values from `low` up to but not including `high`, once each, in whatever order; none when
/// `high` is not above `low`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The variable.
    pub cell: CellId,
    /// The first value.
    pub low: Polynomial,
    /// One more than the last.
    pub high: Polynomial,
}

impl Counter {
    fn count(&self) -> Option<Polynomial> {
        self.high.minus(&self.low)
    }

    /// It surely counts something.
    pub fn counts(&self) -> bool {
        let count = self.count().and_then(|count| count.as_constant());
        count.is_some_and(|count| count >= 1)
    }
}

/// Whether the indices take all values below the extents, those of an array from the outermost to the innermost.
pub fn fills(extents: &[Polynomial], indices: &[Polynomial], counters: &[Counter]) -> bool {
    let is_counter = |cell| counters.iter().any(|counter| counter.cell == cell);
    let fixed = |polynomial: &Polynomial| !polynomial.cells().any(is_counter);
    let limits = counters.iter().flat_map(|one| [&one.low, &one.high]);
    if !extents.iter().chain(limits).all(fixed) {
        return false;
    }
    let mut used = vec![false; counters.len()];
    extents.len() == indices.len()
        && extents
            .iter()
            .zip(indices)
            .all(|(extent, index)| dimension(extent, index, counters, &mut used).unwrap_or(false))
        && counters
            .iter()
            .zip(&used)
            .all(|(counter, used)| *used || counter.counts())
}

/// How many elements, from the first one on, counters reach in one dimension.
pub fn reached(index: &Polynomial, counters: &[Counter]) -> Option<Polynomial> {
    let mut count = Polynomial::constant(1);
    for counter in counters {
        count = count.times(&counter.count()?)?;
    }
    let all = fills(
        std::slice::from_ref(&count),
        std::slice::from_ref(index),
        counters,
    );
    all.then_some(count)
}

fn dimension(
    extent: &Polynomial,
    index: &Polynomial,
    counters: &[Counter],
    used: &mut [bool],
) -> Option<bool> {
    let mut lowest = index.clone();
    let mut open = Vec::new();
    for (number, counter) in counters.iter().enumerate() {
        let factor = index.coefficient(counter.cell)?;
        if factor.is_zero() {
            continue;
        }
        if std::mem::replace(&mut used[number], true) {
            return Some(false);
        }
        let cell = Polynomial::atom(Atom::Cell(counter.cell));
        lowest = lowest.minus(&factor.times(&cell)?)?;
        lowest = lowest.plus(&factor.times(&counter.low)?)?;
        open.push((factor, counter.count()?));
    }
    let mut radix = Polynomial::constant(1);
    while !open.is_empty() {
        let Some(next) = open.iter().position(|(factor, _)| *factor == radix) else {
            return Some(false);
        };
        radix = radix.times(&open.swap_remove(next).1)?;
    }
    Some(lowest.is_zero() && radix == *extent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(number: u32) -> Polynomial {
        Polynomial::atom(Atom::Cell(CellId(number)))
    }

    fn number(value: i128) -> Polynomial {
        Polynomial::constant(value)
    }

    fn counter(cell: u32, low: i128, high: Polynomial) -> Counter {
        Counter {
            cell: CellId(cell),
            low: number(low),
            high,
        }
    }

    #[test]
    fn one_counter_fills_one_dimension() {
        let n = cell(9);
        let i = cell(1);
        let up = [counter(1, 0, n.clone())];
        assert!(fills(
            std::slice::from_ref(&n),
            std::slice::from_ref(&i),
            &up
        ));
        assert!(!fills(&[number(5)], std::slice::from_ref(&i), &up));
        assert!(!fills(
            &[n.clone(), n.clone()],
            &[i.clone(), i.clone()],
            &up
        ));
        let from_one = [counter(1, 1, number(6))];
        assert!(!fills(&[number(5)], std::slice::from_ref(&i), &from_one));
        let shifted = i.minus(&number(1)).expect("small");
        assert!(fills(&[number(5)], &[shifted], &from_one));
    }

    #[test]
    fn several_counters_fill_a_flat_array() {
        let (n, m) = (cell(8), cell(9));
        let nest = [counter(1, 0, n.clone()), counter(2, 0, m.clone())];
        let all = n.times(&m).expect("small");
        let row = cell(1).times(&m).expect("small");
        let index = row.plus(&cell(2)).expect("small");
        assert!(fills(
            std::slice::from_ref(&all),
            std::slice::from_ref(&index),
            &nest
        ));
        let wrong = cell(2).times(&m).and_then(|row| row.plus(&cell(1)));
        assert!(!fills(&[all], &[wrong.expect("small")], &nest));
        let triangle = [counter(1, 0, n), counter(2, 0, cell(1))];
        assert!(!fills(&[cell(7)], &[index], &triangle));
    }

    #[test]
    fn a_counter_without_an_index_must_count() {
        let (n, i) = (cell(9), cell(1));
        let sure = [counter(2, 0, number(3)), counter(1, 0, n.clone())];
        assert!(fills(
            std::slice::from_ref(&n),
            std::slice::from_ref(&i),
            &sure
        ));
        let unsure = [counter(2, 0, cell(8)), counter(1, 0, n.clone())];
        assert!(!fills(&[n], &[i], &unsure));
    }
}
