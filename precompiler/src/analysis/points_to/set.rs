//! Sets of small numbers that come in groups: sorted words of 64 bits, those with no bit left out.
//!
//! What a pointer may point to is such a set: few members as a rule, sometimes thousands, and the leaves of an object
//! have numbers that follow each other.

/// Room for so many words is taken at once at most.
const RUN: usize = 64;

/// A set of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Set {
    words: Vec<(u32, u64)>,
}

impl Set {
    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How much room it takes.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// Whether a number is in it.
    #[cfg(test)]
    pub fn contains(&self, value: u32) -> bool {
        self.words
            .binary_search_by_key(&(value / 64), |word| word.0)
            .is_ok_and(|at| self.words[at].1 & (1 << (value % 64)) != 0)
    }

    /// Puts a number in; whether it was not there.
    pub fn insert(&mut self, value: u32) -> bool {
        let bit = 1 << (value % 64);
        match self
            .words
            .binary_search_by_key(&(value / 64), |word| word.0)
        {
            Ok(at) => {
                let new = self.words[at].1 & bit == 0;
                self.words[at].1 |= bit;
                new
            }
            Err(at) => {
                self.words.insert(at, (value / 64, bit));
                true
            }
        }
    }

    /// Puts all of another set in; what was not there is put into `new`, too.
    pub fn absorb(&mut self, other: &Set, new: &mut Set) -> bool {
        let fresh = other.without(self);
        if fresh.is_empty() {
            return false;
        }
        self.unite(&fresh);
        new.unite(&fresh);
        true
    }

    /// Puts all of another set in.
    pub fn unite(&mut self, other: &Set) {
        if other.words.is_empty() {
            return;
        }
        if self.words.is_empty() {
            self.words.clone_from(&other.words);
            return;
        }
        // What has a word here already; the others are counted.
        let (mut at, mut missing) = (0, 0);
        for (word, bits) in &other.words {
            at = self.seek(at, *word);
            match self.words.get_mut(at) {
                Some(mine) if mine.0 == *word => mine.1 |= bits,
                _ => missing += 1,
            }
        }
        if missing == 0 {
            return;
        }
        // From behind, so that nothing has to be moved twice.
        let mut from = self.words.len();
        self.words.resize(from + missing, (0, 0));
        let mut to = self.words.len();
        for (word, bits) in other.words.iter().rev() {
            while from > 0 && self.words[from - 1].0 > *word {
                to -= 1;
                from -= 1;
                self.words[to] = self.words[from];
            }
            if from == 0 || self.words[from - 1].0 != *word {
                to -= 1;
                self.words[to] = (*word, *bits);
            }
            if to == from {
                return;
            }
        }
    }

    /// The position of the first word from `at` on that is not before `word`.
    fn seek(&self, at: usize, word: u32) -> usize {
        let (mut low, mut step) = (at, 1);
        while low + step <= self.words.len() && self.words[low + step - 1].0 < word {
            low += step;
            step *= 2;
        }
        let high = (low + step).min(self.words.len());
        low + self.words[low..high].partition_point(|one| one.0 < word)
    }

    /// What is in this set and not in the other.
    pub fn without(&self, other: &Set) -> Set {
        let mut at = 0;
        let mut words = Vec::new();
        for (index, (word, bits)) in self.words.iter().enumerate() {
            at = other.seek(at, *word);
            let left = match other.words.get(at) {
                Some(one) if one.0 == *word => bits & !one.1,
                _ => *bits,
            };
            if left != 0 {
                if words.is_empty() {
                    words.reserve((self.words.len() - index).min(RUN));
                }
                words.push((*word, left));
            }
        }
        Set { words }
    }

    /// What is in both sets.
    pub fn common(&self, other: &Set) -> Set {
        let mut at = 0;
        let mut words = Vec::new();
        for (word, bits) in &self.words {
            at = other.seek(at, *word);
            if let Some(one) = other.words.get(at)
                && one.0 == *word
                && bits & one.1 != 0
            {
                words.push((*word, bits & one.1));
            }
        }
        Set { words }
    }

    /// Its members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().flat_map(|(word, bits)| {
            let mut left = *bits;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(word * 64 + bit)
            })
        })
    }
}

impl FromIterator<u32> for Set {
    fn from_iter<I: IntoIterator<Item = u32>>(values: I) -> Set {
        let mut set = Set::default();
        for value in values {
            set.insert(value);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::Set;

    #[test]
    fn sets_do_what_sets_do() {
        let a: Set = [1, 64, 65, 700].into_iter().collect();
        let b: Set = [2, 65, 128, 9000].into_iter().collect();
        let mut both = a.clone();
        let mut new = Set::default();
        assert!(both.absorb(&b, &mut new));
        assert_eq!(
            both.iter().collect::<Vec<_>>(),
            [1, 2, 64, 65, 128, 700, 9000]
        );
        assert_eq!(new.iter().collect::<Vec<_>>(), [2, 128, 9000]);
        assert!(!both.absorb(&a, &mut new));
        assert!(!both.contains(8999) && both.contains(700));
        assert!(!both.insert(1) && both.insert(3));
        assert_eq!(a.without(&b).iter().collect::<Vec<_>>(), [1, 64, 700]);
        assert_eq!(a.common(&b).iter().collect::<Vec<_>>(), [65]);
    }

    #[test]
    fn sets_of_all_shapes_are_united_and_told_apart() {
        let mut random = 1u64;
        let mut next = |bound: u64| {
            random = random
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (random >> 33) % bound
        };
        for _ in 0..2000 {
            let bound = [70, 700, 70_000][next(3) as usize];
            let mut some = || -> std::collections::BTreeSet<u32> {
                let count = [0, 1, 3, 40, 400][next(5) as usize];
                (0..count).map(|_| next(bound) as u32).collect()
            };
            let (a, b) = (some(), some());
            let (first, second): (Set, Set) =
                (a.iter().copied().collect(), b.iter().copied().collect());
            let mut both = first.clone();
            both.unite(&second);
            assert!(both.iter().eq(a.union(&b).copied()));
            assert_eq!(both, both.iter().collect::<Set>());
            assert!(first.without(&second).iter().eq(a.difference(&b).copied()));
            assert!(first.common(&second).iter().eq(a.intersection(&b).copied()));
        }
    }
}
