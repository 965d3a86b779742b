//! What was seen of places, on one rank and on all of them together.
//!
//! In: the places that a rank passes, with time and bytes. Out: the passages of the first rank with the bytes of all. A checkpoint is one
//! of all ranks, and they write to one file system, so bytes are added up.

use crate::store::{Passage, Seen};

/// A file and a line.
pub type Site = (String, u32);

/// So many passages are remembered; of more, each second one of a place, and so on.
const MOST: usize = 100_000;

/// What a rank has seen.
#[derive(Debug, Default)]
pub struct Looked {
    /// That.
    pub seen: Seen,
    /// How often each place was passed.
    counts: Vec<u64>,
    /// How long runs before this one went on.
    pub earlier: f64,
}

impl Looked {
    /// A run goes on with what others before it have seen.
    pub fn after(seen: Seen) -> Looked {
        let mut counts = vec![0; seen.sites.len()];
        for passage in &seen.passages {
            counts[passage.place] += seen.stride;
        }
        Looked {
            earlier: seen.passages.last().map_or(0.0, |one| one.time),
            counts,
            seen,
        }
    }

    /// A place is passed, `time` seconds after the begin of this run. Whether passages were left out because of that.
    pub fn pass(&mut self, site: Site, generation: u64, time: f64, bytes: u64) -> bool {
        let seen = &mut self.seen;
        let place = seen.sites.iter().position(|known| *known == site);
        let place = place.unwrap_or_else(|| {
            seen.sites.push(site);
            self.counts.push(0);
            seen.sites.len() - 1
        });
        let number = self.counts[place];
        self.counts[place] = number + 1;
        if !number.is_multiple_of(seen.stride) {
            return false;
        }
        seen.passages.push(Passage {
            place,
            generation,
            time: self.earlier + time,
            bytes,
        });
        let are_many = seen.passages.len() > MOST;
        if are_many {
            seen.stride *= 2;
            let mut count = vec![0u64; seen.sites.len()];
            seen.passages.retain(|one| {
                count[one.place] += 1;
                count[one.place] % 2 == 1
            });
        }
        are_many
    }
}

/// What all ranks have seen.
#[derive(Debug, PartialEq)]
pub struct Joined {
    /// The places of all ranks.
    pub sites: Vec<Site>,
    /// How often a rank has passed each of them, and the bytes of one checkpoint there.
    pub counts: Vec<(u64, u64)>,
    /// The passages of the first rank, with the bytes of all.
    pub passages: Vec<Passage>,
    /// For each rank: its passages, and its places among all.
    ranks: Vec<(Vec<Passage>, Vec<usize>)>,
}

impl Joined {
    /// Of these ranks, the first one first.
    pub fn of(ranks: Vec<Seen>) -> Joined {
        let mut joined = Joined {
            sites: Vec::new(),
            counts: Vec::new(),
            passages: Vec::new(),
            ranks: Vec::new(),
        };
        for seen in ranks {
            let mut among = Vec::new();
            for site in &seen.sites {
                let known = joined.sites.iter().position(|known| known == site);
                among.push(known.unwrap_or(joined.sites.len()));
                if known.is_none() {
                    joined.sites.push(site.clone());
                    joined.counts.push((0, 0));
                }
            }
            let mut sums = vec![(0u64, 0u128); seen.sites.len()];
            for passage in &seen.passages {
                let (count, bytes) = &mut sums[passage.place];
                (*count, *bytes) = (*count + 1, *bytes + u128::from(passage.bytes));
            }
            for (&at, (count, bytes)) in among.iter().zip(sums) {
                let (most, sum) = &mut joined.counts[at];
                *most = (*most).max(count * seen.stride);
                *sum += (bytes / u128::from(count.max(1))) as u64;
            }
            joined.ranks.push((seen.passages, among));
        }
        let mut ranks = joined.ranks.iter();
        if let Some((first, _)) = ranks.next() {
            joined.passages.clone_from(first);
        }
        for (passages, _) in ranks {
            for passage in &mut joined.passages {
                let there = nearest(passages, passage.generation);
                passage.bytes += there.map_or(0, |one| one.bytes);
            }
        }
        joined
    }

    /// The places at which ranks are when the first one is at this passage.
    pub fn places_at(&self, passage: &Passage) -> Vec<usize> {
        let there = self.ranks.iter().filter_map(|(passages, among)| {
            nearest(passages, passage.generation).map(|one| among[one.place])
        });
        let mut places: Vec<usize> = there.collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}

/// What a rank passes at the same call as others; where that one is not remembered, the one before.
fn nearest(passages: &[Passage], generation: u64) -> Option<&Passage> {
    let until = passages.partition_point(|one| one.generation <= generation);
    passages.get(until.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(places: &[&str], bytes: impl Fn(u64) -> u64) -> Seen {
        let mut looked = Looked::default();
        for call in 1..=6 {
            let name = places[call as usize % places.len()];
            looked.pass((name.to_string(), 1), call, call as f64, bytes(call));
        }
        looked.seen
    }

    #[test]
    fn the_bytes_of_all_ranks_count_at_the_call_that_they_make_together() {
        let first = rank(&["a", "b"], |_| 10);
        let second = rank(&["a", "b"], |call| if call % 2 == 0 { 100 } else { 1 });
        let joined = Joined::of(vec![first, second]);
        let bytes: Vec<u64> = joined.passages.iter().map(|one| one.bytes).collect();
        assert_eq!(bytes, [11, 110, 11, 110, 11, 110]);
        let counts: Vec<(&str, (u64, u64))> = joined
            .sites
            .iter()
            .map(|site| site.0.as_str())
            .zip(joined.counts.iter().copied())
            .collect();
        assert_eq!(counts, [("b", (3, 11)), ("a", (3, 110))]);
    }

    #[test]
    fn ranks_may_pass_places_of_their_own() {
        let joined = Joined::of(vec![rank(&["a", "b"], |_| 10), rank(&["c", "d"], |_| 5)]);
        let names = |passage: &Passage| -> Vec<&str> {
            let places = joined.places_at(passage);
            places
                .iter()
                .map(|&at| joined.sites[at].0.as_str())
                .collect()
        };
        assert_eq!(names(&joined.passages[0]), ["b", "d"]);
        assert_eq!(names(&joined.passages[1]), ["a", "c"]);
        assert_eq!(Joined::of(Vec::new()).passages, []);
    }

    #[test]
    fn of_many_passages_some_are_remembered_and_the_count_is_kept() {
        let mut looked = Looked::default();
        let mut thinned = 0;
        for call in 1..=250_000u64 {
            let site = ("a".to_string(), (call % 2) as u32);
            thinned += u64::from(looked.pass(site, call, call as f64, 8));
        }
        assert_eq!((thinned, looked.seen.stride), (2, 4));
        let again = Looked::after(looked.seen.clone());
        assert_eq!(again.counts, looked.counts);
        assert_eq!(Joined::of(vec![looked.seen]).counts, [(125_000, 8); 2]);
    }
}
