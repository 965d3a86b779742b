//! Which thread it is, in one number: its numbers in the teams that it is in, from the outermost on.
//!
//! In: the number of a thread in a team, and who entered the region. Out: a number that is the same on every restart. The thread
//! that enters a region is the first one of the team inside, and keeps its number.

/// So many bits has the number in the team of each level. They are 32, as checkpoints hold these numbers.
const BITS: [u32; 3] = [14, 9, 9];

/// Above it the numbers of a level begin.
const fn shift(level: usize) -> u32 {
    let (mut at, mut sum) = (0, 0);
    while at < level {
        sum += BITS[at];
        at += 1;
    }
    sum
}

/// A team of several threads: 0 is the level of the outermost region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inside {
    /// Who entered it.
    pub parent: usize,
    /// How many teams of several threads are around it, with the outermost one.
    pub level: usize,
    /// So many threads.
    pub threads: usize,
}

impl Inside {
    /// Whether its threads can be told apart from all others.
    pub fn fits(&self) -> bool {
        BITS.get(self.level)
            .is_some_and(|bits| self.threads <= 1 << bits)
            && self.parent < 1 << shift(self.level)
    }

    /// Its thread of this number.
    pub fn member(&self, number: usize) -> usize {
        self.parent | number << shift(self.level)
    }
}

/// The numbers of a thread, as people are told.
pub fn name(member: usize) -> String {
    let part = |level: usize| member >> shift(level) & ((1 << BITS[level]) - 1);
    let last = (1..BITS.len()).rev().find(|level| part(*level) != 0);
    let parts: Vec<String> = (0..=last.unwrap_or(0))
        .map(|one| part(one).to_string())
        .collect();
    parts.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_has_a_number_of_its_own_in_teams_inside_of_others() {
        let mut all = Vec::new();
        for outer in 0..3 {
            let inside = Inside {
                parent: outer,
                level: 1,
                threads: 2,
            };
            assert_eq!(inside.member(0), outer);
            for number in 0..2 {
                let deepest = Inside {
                    parent: inside.member(number),
                    level: 2,
                    threads: 2,
                };
                assert!(inside.fits() && deepest.fits());
                all.extend([deepest.member(0), deepest.member(1)]);
            }
        }
        let names: Vec<String> = all.iter().map(|one| name(*one)).collect();
        assert_eq!(names[4..8], ["1", "1.0.1", "1.1", "1.1.1"]);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 12);
        let too_deep = Inside {
            parent: 0,
            level: 3,
            threads: 2,
        };
        assert!(!too_deep.fits());
    }
}
