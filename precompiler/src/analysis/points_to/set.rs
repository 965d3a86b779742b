//! Sets of small numbers that come in groups: sorted words of 64 bits, those with no bit left out.
//!
//! What a pointer may point to is such a set: few members as a rule, sometimes thousands, and the leaves of an object
//! have numbers that follow each other.

/// A set of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
        if self.words.is_empty() {
            self.words.clone_from(&other.words);
            return;
        }
        if let [(word, bits)] = other.words[..] {
            match self.words.binary_search_by_key(&word, |one| one.0) {
                Ok(at) => self.words[at].1 |= bits,
                Err(at) => self.words.insert(at, (word, bits)),
            }
            return;
        }
        let mut both = Vec::with_capacity(self.words.len() + other.words.len());
        let (mut mine, mut theirs) = (self.words.iter().peekable(), other.words.iter().peekable());
        while let (Some(a), Some(b)) = (mine.peek(), theirs.peek()) {
            match a.0.cmp(&b.0) {
                std::cmp::Ordering::Less => both.extend(mine.next()),
                std::cmp::Ordering::Greater => both.extend(theirs.next()),
                std::cmp::Ordering::Equal => {
                    both.push((a.0, a.1 | b.1));
                    mine.next();
                    theirs.next();
                }
            }
        }
        both.extend(mine);
        both.extend(theirs);
        self.words = both;
    }

    /// What is in this set and not in the other.
    pub fn without(&self, other: &Set) -> Set {
        let mut theirs = other.words.iter().peekable();
        let mut words = Vec::new();
        for (word, bits) in &self.words {
            while theirs.peek().is_some_and(|one| one.0 < *word) {
                theirs.next();
            }
            let left = match theirs.peek() {
                Some(one) if one.0 == *word => bits & !one.1,
                _ => *bits,
            };
            if left != 0 {
                words.push((*word, left));
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
    }
}
