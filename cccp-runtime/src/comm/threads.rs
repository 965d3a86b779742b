//! A job whose ranks are threads of one process: the twin with which agreements are tested.
//!
//! A reduction waits until all ranks have come. When a rank has gone away (its `Threads` was dropped, also by a
//! panic), the others get an error instead of waiting for ever.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::{CommError, Group, Numbers, Reduced};

/// One rank of a job made of threads.
#[derive(Debug)]
pub struct Threads {
    rank: u32,
    size: u32,
    shared: Arc<Shared>,
    /// Reductions that nobody waits for.
    begun: usize,
}

#[derive(Debug, Default)]
struct Shared {
    meeting: Mutex<Meeting>,
    changed: Condvar,
    rounds: Mutex<Rounds>,
}

/// All of them: how many ranks have begun each, and the largest numbers so far.
#[derive(Debug, Default)]
struct Rounds {
    rounds: Vec<(u32, Numbers)>,
    gone: bool,
}

/// One reduction: ranks come in, the last one opens the door, and the last one out closes it.
#[derive(Debug, Default)]
struct Meeting {
    values: Option<Vec<i64>>,
    came: u32,
    left: u32,
    open: bool,
    gone: bool,
    mixed: bool,
}

/// A job of `size` ranks, in the order of their numbers; each may be sent to a thread of its own.
pub fn threads(size: u32) -> Vec<Threads> {
    let shared = Arc::new(Shared::default());
    (0..size)
        .map(|rank| Threads {
            rank,
            size,
            shared: Arc::clone(&shared),
            begun: 0,
        })
        .collect()
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Meeting> {
        self.meeting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rounds(&self) -> MutexGuard<'_, Rounds> {
        self.rounds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, meeting: MutexGuard<'a, Meeting>) -> MutexGuard<'a, Meeting> {
        self.changed
            .wait(meeting)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Group for Threads {
    fn rank(&self) -> u32 {
        self.rank
    }

    fn size(&self) -> u32 {
        self.size
    }

    fn min(&mut self, values: &mut [i64]) -> Result<(), CommError> {
        self.meet(values, |least, value| *least = (*least).min(value))
    }

    fn sum(&mut self, values: &mut [u64]) -> Result<(), CommError> {
        let mut all: Vec<i64> = values.iter().map(|value| value.cast_signed()).collect();
        self.meet(&mut all, |sum, value| *sum = sum.wrapping_add(value))?;
        for (value, sum) in values.iter_mut().zip(all) {
            *value = sum.cast_unsigned();
        }
        Ok(())
    }

    fn begin_max(&mut self, values: Numbers) -> Result<(), CommError> {
        let mut meeting = self.shared.rounds();
        let round = self.begun;
        self.begun += 1;
        match meeting.rounds.get_mut(round) {
            Some((came, largest)) => {
                *came += 1;
                for (largest, value) in largest.iter_mut().zip(values) {
                    *largest = (*largest).max(value);
                }
            }
            None => meeting.rounds.push((1, values)),
        }
        Ok(())
    }

    fn reduced(&mut self) -> Result<Option<Reduced>, CommError> {
        let rounds = self.shared.rounds();
        let latest = self.begun.checked_sub(1);
        let latest = latest.and_then(|latest| rounds.rounds.get(latest));
        Ok(match latest {
            _ if rounds.gone => Some(Reduced::Gone),
            Some((came, largest)) if *came == self.size => Some(Reduced::Largest(*largest)),
            _ => None,
        })
    }

    fn leave(&mut self) {
        self.shared.rounds().gone = true;
    }

    /// Ends the thread, so that a test can see it as a panic; the other ranks get an error.
    fn abort(&self, status: i32) -> ! {
        panic!("rank {} ends the job with exit status {status}", self.rank)
    }
}

impl Threads {
    /// One reduction: `unite` brings a value of another rank into the result.
    fn meet(&self, values: &mut [i64], unite: fn(&mut i64, i64)) -> Result<(), CommError> {
        let mut meeting = self.shared.lock();
        while meeting.open && !meeting.gone {
            meeting = self.shared.wait(meeting);
        }
        if meeting.gone {
            return Err(CommError::new("another rank is gone"));
        }
        match &mut meeting.values {
            None => meeting.values = Some(values.to_vec()),
            Some(result) if result.len() == values.len() => {
                for (result, value) in result.iter_mut().zip(&*values) {
                    unite(result, *value);
                }
            }
            Some(_) => meeting.mixed = true,
        }
        meeting.came += 1;
        if meeting.came == self.size {
            meeting.open = true;
            self.shared.changed.notify_all();
        }
        while !meeting.open {
            if meeting.gone {
                return Err(CommError::new("another rank is gone"));
            }
            meeting = self.shared.wait(meeting);
        }
        let mixed = meeting.mixed;
        if let Some(result) = &meeting.values
            && !mixed
        {
            values.copy_from_slice(result);
        }
        meeting.left += 1;
        if meeting.left == self.size {
            let gone = meeting.gone;
            *meeting = Meeting {
                gone,
                ..Meeting::default()
            };
            self.shared.changed.notify_all();
        }
        if mixed {
            return Err(CommError::new(
                "the ranks do not compare the same number of values",
            ));
        }
        Ok(())
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.shared.lock().gone = true;
        self.shared.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn every_rank_gets_the_smallest_values_and_the_sums_again_and_again() {
        let ranks: Vec<_> = threads(5)
            .into_iter()
            .map(|mut group| {
                thread::spawn(move || {
                    (0..100i64)
                        .map(|round| {
                            let rank = i64::from(group.rank());
                            let mut values = [round + rank, round - rank];
                            let mut sums = [u64::MAX, round as u64 + rank as u64];
                            group.sum(&mut sums)?;
                            assert_eq!(sums, [u64::MAX - 4, 5 * round as u64 + 10]);
                            group.min(&mut values).map(|()| values)
                        })
                        .collect::<Result<Vec<_>, _>>()
                        .map(|all| (group, all))
                })
            })
            .collect();
        let results: Vec<_> = ranks.into_iter().map(|rank| rank.join().unwrap()).collect();
        for result in results {
            let (_, all) = result.unwrap();
            for (round, values) in all.into_iter().enumerate() {
                assert_eq!(values, [round as i64, round as i64 - 4]);
            }
        }
    }

    #[test]
    fn a_rank_that_is_gone_is_an_error_for_the_others() {
        let mut ranks = threads(3);
        drop(ranks.pop());
        let mut first = ranks.remove(0);
        assert!(first.min(&mut [1]).is_err());
    }

    #[test]
    fn different_numbers_of_values_are_an_error_on_all_ranks() {
        let ranks: Vec<_> = threads(2)
            .into_iter()
            .map(|mut group| {
                thread::spawn(move || {
                    let mut values = vec![7; 1 + group.rank() as usize];
                    let result = group.min(&mut values);
                    (group, result)
                })
            })
            .collect();
        let results: Vec<_> = ranks.into_iter().map(|rank| rank.join().unwrap()).collect();
        assert!(results.iter().all(|(_, result)| result.is_err()));
    }
}
