//! A job whose ranks run one after the other: the twin for agreements that are tried very often.
//!
//! A rank runs until it needs a reduction that not all ranks have brought their numbers to. Then it is left, the next
//! one runs, and all of them begin again with one more result known. What the ranks do must depend on nothing else, and
//! may be done several times.

use super::{CommError, Group};

/// One rank, and the results that are known.
struct Replayed<'a> {
    rank: u32,
    size: u32,
    known: &'a [Vec<i64>],
    /// Reductions asked for.
    asked: usize,
    /// What this rank brings to the first one that is not known.
    brought: Option<Vec<i64>>,
}

impl Group for Replayed<'_> {
    fn rank(&self) -> u32 {
        self.rank
    }

    fn size(&self) -> u32 {
        self.size
    }

    fn min(&mut self, values: &mut [i64]) -> Result<(), CommError> {
        let result = self.known.get(self.asked);
        self.asked += 1;
        match result {
            Some(result) => {
                assert_eq!(result.len(), values.len(), "all ranks reduce the same");
                values.copy_from_slice(result);
                Ok(())
            }
            None => {
                self.brought.get_or_insert(values.to_vec());
                Err(CommError::new("not known yet"))
            }
        }
    }

    fn abort(&self, status: i32) -> ! {
        panic!("rank {} ends the job with exit status {status}", self.rank)
    }
}

/// What a rank does with the results that are known: it ends, or brings numbers to the next reduction.
pub(crate) fn attempt<T>(
    rank: u32,
    size: u32,
    known: &[Vec<i64>],
    run: impl FnOnce(&mut dyn Group) -> Result<T, CommError>,
) -> Result<T, Vec<i64>> {
    let mut group = Replayed {
        rank,
        size,
        known,
        asked: 0,
        brought: None,
    };
    let result = run(&mut group);
    match group.brought {
        Some(brought) => Err(brought),
        None => {
            assert_eq!(group.asked, known.len(), "a rank ends before the others");
            Ok(result.expect("no reduction failed"))
        }
    }
}

/// The results of all ranks. Panics when they do not meet: some have ended and others wait, they reduce different
/// things, or there are more than `most` reductions.
pub(crate) fn in_turn<T>(
    size: u32,
    most: usize,
    mut run: impl FnMut(&mut dyn Group) -> Result<T, CommError>,
) -> Vec<T> {
    let mut known: Vec<Vec<i64>> = Vec::new();
    loop {
        let (mut ended, mut brought) = (Vec::new(), Vec::new());
        for rank in 0..size {
            match attempt(rank, size, &known, &mut run) {
                Ok(result) => ended.push(result),
                Err(values) => brought.push(values),
            }
        }
        if brought.is_empty() {
            return ended;
        }
        assert!(ended.is_empty(), "some ranks wait for ever");
        assert!(known.len() < most, "more than {most} reductions");
        let all = brought.into_iter().reduce(|mut least, values| {
            assert_eq!(least.len(), values.len(), "all ranks reduce the same");
            least
                .iter_mut()
                .zip(values)
                .for_each(|(least, value)| *least = value.min(*least));
            least
        });
        known.extend(all);
    }
}
