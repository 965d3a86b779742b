//! A set of small numbers of which the lowest is found at once, however many there are.
//!
//! Three levels of bits: one of the second says that a word of the first is not empty, and so on.

const BITS: usize = u64::BITS as usize;

/// The set.
#[derive(Debug, Default)]
pub(super) struct Lowest {
    levels: [Vec<u64>; 3],
    count: usize,
}

impl Lowest {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// The lowest of them.
    pub(super) fn first(&self) -> Option<usize> {
        let top = self.levels[2].iter().position(|word| *word != 0)?;
        let mut at = top;
        for level in self.levels.iter().rev() {
            at = at * BITS + level[at].trailing_zeros() as usize;
        }
        Some(at)
    }

    pub(super) fn insert(&mut self, number: usize) {
        let mut at = number;
        for (height, level) in self.levels.iter_mut().enumerate() {
            let (word, bit) = (at / BITS, 1 << (at % BITS));
            if word >= level.len() {
                level.resize(word + 1, 0);
            }
            let before = level[word];
            level[word] |= bit;
            self.count += usize::from(height == 0 && before & bit == 0);
            if before != 0 {
                return;
            }
            at = word;
        }
    }

    pub(super) fn remove(&mut self, number: usize) {
        let mut at = number;
        for (height, level) in self.levels.iter_mut().enumerate() {
            let (word, bit) = (at / BITS, 1 << (at % BITS));
            let Some(bits) = level.get_mut(word).filter(|bits| **bits & bit != 0) else {
                return;
            };
            *bits &= !bit;
            self.count -= usize::from(height == 0);
            if *bits != 0 {
                return;
            }
            at = word;
        }
    }

    /// All of them, from the lowest on.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.levels[0].iter().enumerate();
        words.flat_map(|(word, &bits)| {
            let some = |bits: u64| (bits != 0).then_some(bits);
            let rest = std::iter::successors(some(bits), move |bits| some(bits & (bits - 1)));
            rest.map(move |bits| word * BITS + bits.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Lowest;

    #[test]
    fn the_lowest_number_is_that_of_a_sorted_set() {
        let (mut set, mut sorted) = (Lowest::default(), BTreeSet::new());
        let mut seed = 3u64;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
            let number = (seed >> 40) as usize % 9000;
            match seed >> 39 & 1 {
                0 => {
                    set.insert(number);
                    sorted.insert(number);
                }
                _ => {
                    set.remove(number);
                    sorted.remove(&number);
                }
            }
            assert_eq!(
                (set.first(), set.len()),
                (sorted.first().copied(), sorted.len())
            );
        }
        assert!(set.iter().eq(sorted.iter().copied()));
        for number in sorted {
            set.remove(number);
        }
        assert_eq!((set.first(), set.len()), (None, 0));
    }
}
