//! A job whose ranks run one after the other: the twin for agreements that are tried very often.
//!
//! A rank runs until it needs a reduction that not all ranks have brought their numbers to. Then it is left, the next
//! one runs, and all of them begin again with one more result known. What the ranks do must depend on nothing else, and
//! may be done several times.

use super::{CommError, Group};

/// What a rank brings to a reduction: numbers, and what becomes of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Brought {
    /// The least at each place counts.
    Min(Vec<i64>),
    /// The sum at each place counts.
    Sum(Vec<u64>),
}

impl Brought {
    /// The result with what another rank brings.
    fn with(self, other: Brought) -> Brought {
        match (self, other) {
            (Brought::Min(own), Brought::Min(other)) if own.len() == other.len() => {
                let both = own.into_iter().zip(other);
                Brought::Min(both.map(|(own, other)| own.min(other)).collect())
            }
            (Brought::Sum(own), Brought::Sum(other)) if own.len() == other.len() => {
                let both = own.into_iter().zip(other);
                Brought::Sum(both.map(|(own, other)| own.wrapping_add(other)).collect())
            }
            (own, other) => panic!("all ranks reduce the same: {own:?} {other:?}"),
        }
    }
}

/// One rank, and the results that are known.
struct Replayed<'a> {
    rank: u32,
    size: u32,
    known: &'a [Brought],
    /// Reductions asked for.
    asked: usize,
    /// What this rank brings to the first one that is not known.
    brought: Option<Brought>,
}

impl Group for Replayed<'_> {
    fn rank(&self) -> u32 {
        self.rank
    }

    fn size(&self) -> u32 {
        self.size
    }

    fn min(&mut self, values: &mut [i64]) -> Result<(), CommError> {
        match self.reduce(|| Brought::Min(values.to_vec()))? {
            Brought::Min(result) => values.copy_from_slice(result),
            Brought::Sum(_) => panic!("all ranks reduce the same"),
        }
        Ok(())
    }

    fn sum(&mut self, values: &mut [u64]) -> Result<(), CommError> {
        match self.reduce(|| Brought::Sum(values.to_vec()))? {
            Brought::Sum(result) => values.copy_from_slice(result),
            Brought::Min(_) => panic!("all ranks reduce the same"),
        }
        Ok(())
    }

    fn abort(&self, status: i32) -> ! {
        panic!("rank {} ends the job with exit status {status}", self.rank)
    }
}

impl<'a> Replayed<'a> {
    /// The result of the next reduction, if it is known.
    fn reduce(&mut self, brings: impl FnOnce() -> Brought) -> Result<&'a Brought, CommError> {
        let result = self.known.get(self.asked);
        self.asked += 1;
        if result.is_none() {
            self.brought.get_or_insert_with(brings);
        }
        result.ok_or_else(|| CommError::new("not known yet"))
    }
}

/// What a rank does with the results that are known: it ends, or brings numbers to the next reduction.
pub(crate) fn attempt<T>(
    rank: u32,
    size: u32,
    known: &[Brought],
    run: impl FnOnce(&mut dyn Group) -> Result<T, CommError>,
) -> Result<T, Brought> {
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
    let mut known: Vec<Brought> = Vec::new();
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
        let all = brought.into_iter().reduce(Brought::with);
        known.extend(all);
    }
}
