//! Where the checkpoints of a run stand in the program.
//!
//! In: the history of a run. Out: after which of its checkpoints a run is killed, so that each place has its share: a place that is
//! passed thousands of times before the work begins would take all of them otherwise.

use std::collections::{BTreeMap, BTreeSet};

use cccp::store::Past;
use serde::Serialize;

use super::plan::evenly;

/// So many of each place, before the rest goes by number.
const OF_EACH: u64 = 3;

/// A place, and what was tried there.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Its file and its line.
    pub place: String,
    /// Checkpoints of an undisturbed run there.
    pub checkpoints: u64,
    /// After which checkpoints of the run it was killed there.
    pub tried: Vec<u64>,
}

/// The places of a program, and the checkpoints that a run has taken there.
#[derive(Debug, Default)]
pub struct Places {
    /// By the place, the numbers of its checkpoints, from 1.
    numbers: BTreeMap<(String, u32), Vec<u64>>,
    /// When each was taken, without the time for which the program stood still, and when the run began.
    times: Vec<f64>,
    begun: f64,
}

impl Places {
    /// Of the runs of a directory, with places that others have told.
    pub fn of(runs: &[Past], told: &BTreeSet<(String, u32)>) -> Places {
        let mut places = Places {
            begun: runs.first().map_or(0.0, |run| run.begun),
            ..Places::default()
        };
        for place in told {
            places.numbers.entry(place.clone()).or_default();
        }
        let mut stood = 0.0;
        for (time, taken) in runs.iter().flat_map(Past::taken) {
            stood += taken.stood;
            places.times.push(time - stood);
            let place = (taken.file.clone(), taken.line);
            let numbers = places.numbers.entry(place).or_default();
            numbers.push(places.times.len() as u64);
        }
        places
    }

    /// The places that runs have told.
    pub fn told(runs: &[Past]) -> BTreeSet<(String, u32)> {
        let all = runs.iter().flat_map(Past::places);
        all.map(|(file, line)| (file.to_string(), line)).collect()
    }

    /// How many checkpoints there are.
    pub fn all(&self) -> u64 {
        self.times.len() as u64
    }

    fn reached(&self) -> impl Iterator<Item = &Vec<u64>> {
        self.numbers.values().filter(|numbers| !numbers.is_empty())
    }

    /// All of them stand at one place, or there is none.
    pub fn is_one(&self) -> bool {
        self.reached().count() <= 1
    }

    /// After which a run is killed: of each place the first, one in the middle and the last, or fewer where fewer are wanted, and
    /// then evenly apart until there are as many as are wanted.
    pub fn sample(&self, sample: u64) -> Vec<u64> {
        if self.is_one() {
            return evenly(self.all(), sample).collect();
        }
        let of_each = sample.min(OF_EACH);
        let of_place = |numbers: &Vec<u64>| {
            let numbers = numbers.clone();
            evenly(numbers.len() as u64, of_each).map(move |at| numbers[at as usize - 1])
        };
        let mut chosen: BTreeSet<u64> = self.reached().flat_map(of_place).collect();
        for more in evenly(self.all(), sample) {
            if chosen.len() as u64 >= sample {
                break;
            }
            chosen.insert(more);
        }
        chosen.into_iter().collect()
    }

    /// Those of these that are tried with what is not restored made to show: one of each place, or the one in the middle.
    pub fn shown(&self, chosen: &[u64]) -> Vec<u64> {
        if self.is_one() {
            return vec![self.middle(chosen)];
        }
        let of_place = |numbers: &Vec<u64>| {
            let own = chosen.iter().filter(|one| numbers.contains(one));
            let own: Vec<u64> = own.copied().collect();
            own.get(own.len() / 2).copied()
        };
        self.reached().filter_map(of_place).collect()
    }

    /// The one of these that is tried under special conditions: in the middle, or, where there are several places, half-way through
    /// the run, so that it lies in what takes the time.
    pub fn middle(&self, chosen: &[u64]) -> u64 {
        let middle = chosen[chosen.len() / 2];
        let Some(last) = self.times.last().filter(|_| !self.is_one()) else {
            return middle;
        };
        let half = (self.begun + last) / 2.0;
        let apart = |number: &u64| {
            let time = self.times.get(*number as usize - 1);
            time.map_or(f64::MAX, |time| (time - half).abs())
        };
        let nearest = chosen.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)));
        nearest.copied().unwrap_or(middle)
    }

    /// Place by place, when these were tried.
    pub fn tried(&self, chosen: &[u64]) -> Vec<Place> {
        let places = self.numbers.iter();
        let place = |((file, line), numbers): (&(String, u32), &Vec<u64>)| Place {
            place: format!("{file}:{line}"),
            checkpoints: numbers.len() as u64,
            tried: { chosen.iter().copied() }
                .filter(|one| numbers.contains(one))
                .collect(),
        };
        places.map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checkpoints at lines, a second apart.
    fn at(lines: &[u32]) -> Places {
        let mut text = "{\"event\":\"start\",\"time\":0}\n".to_string();
        for (at, line) in lines.iter().enumerate() {
            text += &format!(
                "{{\"event\":\"checkpoint\",\"time\":{},\"generation\":{},\"file\":\"a.c\",\"line\":{line}}}\n",
                at + 1,
                at + 1
            );
        }
        let told = BTreeSet::from([("a.c".to_string(), 99)]);
        Places::of(&cccp::store::read_history(&text), &told)
    }

    #[test]
    fn each_place_has_its_share() {
        let lines = [vec![1; 100], vec![2; 5], vec![3]].concat();
        let places = at(&lines);
        assert_eq!(places.sample(3), [1, 50, 100, 101, 103, 105, 106]);
        assert_eq!(places.sample(1), [50, 103, 106]);
        assert_eq!(places.sample(9).len(), 9);
        assert_eq!(places.sample(u64::MAX).len(), 106);
        assert_eq!(places.middle(&places.sample(3)), 50);
        assert_eq!(places.shown(&places.sample(3)), [50, 103, 106]);
        assert_eq!(places.shown(&[1, 2]), [2]);
        let tried = places.tried(&[1, 103]);
        let counts = tried.iter().map(|one| (one.checkpoints, one.tried.len()));
        assert_eq!(
            counts.collect::<Vec<_>>(),
            [(100, 1), (5, 1), (1, 0), (0, 0)]
        );
    }

    #[test]
    fn checkpoints_of_one_place_are_tried_evenly_apart() {
        let places = at(&[1; 100]);
        assert_eq!(places.sample(4), [1, 34, 67, 100]);
        assert_eq!(places.middle(&[1, 34, 67]), 34);
        assert!(places.is_one());
    }
}
