//! Whether messages cross a generation that all ranks have written, found out by one of them, and which generations stay
//! because of it.
//!
//! In: the files of all ranks, as far as this one sees them. Out: yes, no, or nothing when that is not known: a few small
//! reads per file, given up when they take long, and gone on with at the next checkpoint. What is not known is kept.
//!
//! In a large job rank 0 alone looks: what it has left cannot be restarted from any more, and the others leave it after it.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::format::Messages;
use crate::store::{Directory, StoreError};

/// The next checkpoint may wait for the writer so long at most because of this.
const LONGEST: Duration = Duration::from_secs(1);
/// Ranks of the largest job in which each rank looks at the files of all others before it removes its own.
const MOST_RANKS: u32 = 64;
/// More generations than are there at a time.
const REMEMBERED: usize = 1000;

/// What a rank has found out about generations in this run.
#[derive(Debug, Default)]
pub struct Crossings(Mutex<BTreeMap<u64, Seen>>);

/// What is known of a generation.
#[derive(Debug)]
enum Seen {
    /// What the first ranks have counted.
    Some(Vec<Messages>),
    /// Whether messages cross it.
    All(bool),
}

/// What a look at older generations finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The newest that all ranks have written.
    Whole {
        /// Which one.
        generation: u64,
        /// Messages cross it.
        crossed: bool,
    },
    /// None is whole.
    Absent {
        /// The first rank that has not even written the first of them.
        rank: u32,
    },
}

/// So many generations that one rank has written, and another one none of them, are worth a word.
const ABSENT: usize = 8;

/// A look at generations after a file was written.
pub(super) struct Look<'a> {
    directory: &'a Directory,
    known: &'a Crossings,
    size: u32,
    begun: Instant,
}

impl<'a> Look<'a> {
    /// Begins now.
    pub(super) fn of(directory: &'a Directory, known: &'a Crossings, size: u32) -> Look<'a> {
        Look {
            directory,
            known,
            size,
            begun: Instant::now(),
        }
    }

    /// Whether messages were in flight when a generation was taken; nothing when not all files can be read soon.
    pub(super) fn is_crossed(&self, generation: u64) -> Option<bool> {
        let mut known = self.known.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = match known.remove(&generation) {
            Some(Seen::All(crossed)) => {
                known.insert(generation, Seen::All(crossed));
                return Some(crossed);
            }
            Some(Seen::Some(all)) => all,
            None => Vec::new(),
        };
        if !self.directory.is_complete(generation, self.size).ok()? {
            return None;
        }
        for rank in all.len() as u32..self.size {
            if self.begun.elapsed() > LONGEST {
                known.insert(generation, Seen::Some(all));
                return None;
            }
            let file = self.directory.glance(generation, rank).ok()?;
            let header = &file.checkpoint.header;
            if (header.generation, header.rank, header.size) != (generation, rank, self.size) {
                return None;
            }
            all.push(Messages::of(&file).ok()??);
        }
        let crossed = Messages::cross(&all);
        known.insert(generation, Seen::All(crossed));
        if known.len() > REMEMBERED {
            known.pop_first();
        }
        Some(crossed)
    }

    /// The newest of these generations that all ranks have written, as far as a few looks tell, and whether messages cross it. Where
    /// ranks pass checkpoints unequally often, those of one of them may be far ahead of all others.
    ///
    /// Where none is whole, the lowest rank that writes says which one does not; in a large job, if it is rank 0.
    pub(super) fn newest(&self, rank: u32, which: &RangeInclusive<u64>) -> Option<Found> {
        if rank > 0 && self.size > MOST_RANKS {
            return None;
        }
        let all = self.directory.generations().ok()?;
        let all: Vec<u64> = all.into_iter().filter(|one| which.contains(one)).collect();
        let is_whole = |one: &u64| matches!(self.directory.is_complete(*one, self.size), Ok(true));
        // The first, the second, the fourth, …
        let some = (0..usize::BITS).map_while(|power| all.get((1_usize << power) - 1));
        match some.copied().find(is_whole) {
            Some(generation) if rank == 0 => Some(Found::Whole {
                generation,
                crossed: self.is_crossed(generation)?,
            }),
            Some(_) => None,
            None => {
                let first = all
                    .last()
                    .filter(|one| all.len() >= ABSENT && !is_whole(one))?;
                let there = self.directory.ranks(*first).ok()?;
                let absent = (0..self.size).find(|one| !there.contains(one))?;
                { there.first() == Some(&rank) }.then_some(Found::Absent { rank: absent })
            }
        }
    }

    /// Removes what `rank` no longer needs: see [`Directory::retain`]. The newest generation that no message crosses stays.
    pub(super) fn retain(&self, rank: u32, keep: u32) -> Result<u64, StoreError> {
        retain(
            self.directory,
            (rank, self.size),
            keep,
            MOST_RANKS,
            &|one| self.is_crossed(one).map(|crossed| !crossed),
        )
    }
}

/// The same with another limit, and whoever knows what is usable.
fn retain(
    directory: &Directory,
    (rank, size): (u32, u32),
    keep: u32,
    most: u32,
    usable: &dyn Fn(u64) -> Option<bool>,
) -> Result<u64, StoreError> {
    match size <= most || rank == 0 {
        true => directory.retain_usable(rank, size, keep, usable),
        false => directory.retain_after(0, rank, size, keep),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::retain;
    use crate::format::FormatError;
    use crate::store::Directory;
    use crate::store::twin::Twin;

    const RANKS: u32 = 3;

    fn save(directory: &Directory, generation: u64, rank: u32) {
        let written = directory.publish(generation, rank, &mut |_| {}, |out| {
            let written = out.write_all(b"state");
            written.map(|()| 5).map_err(|error| FormatError::Storage {
                offset: 0,
                reason: error.to_string(),
            })
        });
        written.unwrap();
    }

    /// Three ranks, of which rank 0 alone looks, write and leave generations, one after the other in any order. Rank 0 does
    /// not always come to know what it looks at.
    #[test]
    fn s19_in_a_large_job_the_newest_generation_that_no_message_crosses_stays_on_all_ranks() {
        for seed in 0..200u64 {
            let mut random = seed;
            let mut next = |below: u64| {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                (random >> 33) % below
            };
            let directory = Directory::new(Arc::new(Twin::default()), "/d");
            let whole = |one: &u64| directory.is_complete(*one, RANKS).unwrap();
            let mut uncrossed: Vec<u64> = Vec::new();
            for generation in 1..30u64 {
                if next(4) == 0 {
                    uncrossed.push(generation);
                }
                let first = next(u64::from(RANKS)) as u32;
                for rank in (0..RANKS).map(|one| (one + first) % RANKS) {
                    let newest = uncrossed.iter().copied().filter(whole).max();
                    save(&directory, generation, rank);
                    let is_slow = next(5) == 0;
                    let known = |one: u64| {
                        assert_eq!(rank, 0, "only rank 0 looks");
                        (!is_slow && whole(&one)).then(|| uncrossed.contains(&one))
                    };
                    retain(&directory, (rank, RANKS), 2, 2, &known).unwrap();
                    let still = uncrossed.iter().copied().filter(whole).max();
                    assert!(still >= newest, "seed {seed}: {newest:?} became {still:?}");
                }
            }
            // One more turn, in which rank 0 knows all: each of the others leaves what it has left.
            for rank in 0..RANKS {
                let known = |one: u64| Some(uncrossed.contains(&one));
                retain(&directory, (rank, RANKS), 2, 2, &known).unwrap();
            }
            let left = directory.generations().unwrap();
            assert!(left.len() <= 3, "seed {seed}: {left:?}");
        }
    }
}
