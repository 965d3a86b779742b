//! What checkpoints cost, told when it is more than they are worth.
//!
//! In: how long the program stood still at each checkpoint. Out: one warning on rank 0 when checkpoints take much of
//! the time, with the number for `every` that makes it little. A program that takes one at each pass of a quick loop
//! is otherwise slow without a word.

use std::time::{Duration, Instant};

use super::Session;

/// Nothing is said before the run has taken this long.
const PATIENCE: Duration = Duration::from_secs(20);
/// One checkpoint that is slow says nothing about the others.
const FEWEST: u32 = 10;
/// The share of the time that is too much, and the one that is recommended.
const TOO_MUCH: f64 = 0.25;
const RIGHT: f64 = 0.01;

/// The checkpoints of a run so far.
#[derive(Debug, Default)]
pub struct Cost {
    begun: Option<Instant>,
    stood: Duration,
    count: u32,
    told: bool,
    /// A checkpoint was taken at every n-th call of its place.
    pub every: u64,
}

impl Cost {
    /// A checkpoint began then, and has just ended. The warning, if it is time for it.
    fn add(&mut self, begun: Instant, ended: Instant) -> Option<String> {
        let first = *self.begun.get_or_insert(begun);
        self.stood += ended - begun;
        self.count += 1;
        let all = ended - first;
        if self.told || all < PATIENCE || self.count < FEWEST {
            return None;
        }
        self.told = true;
        advice(all, self.stood, self.count, self.every.max(1))
    }
}

/// What to say about so many checkpoints, one at every n-th call.
fn advice(all: Duration, stood: Duration, count: u32, every: u64) -> Option<String> {
    let share = stood.as_secs_f64() / all.as_secs_f64();
    if share < TOO_MUCH {
        return None;
    }
    let work = all.saturating_sub(stood).as_secs_f64().max(1e-3) / f64::from(count);
    let cost = stood.as_secs_f64() / f64::from(count);
    let better = (every as f64 * cost / (RIGHT * work)).ceil();
    // Two digits are enough.
    let scale = 10f64.powf((better.log10().floor() - 1.0).max(0.0));
    let better = (better / scale).ceil() * scale;
    Some(format!(
        "warning: {:.0} % of the time so far went into {count} checkpoints; --cccp-every={better:.0} on the command line takes \
         one at every {better:.0}th call, so that they take about 1 %",
        100.0 * share
    ))
}

impl Session {
    /// The program stood still for a checkpoint since `begun`.
    pub(super) fn tell_cost(&mut self, begun: Instant) {
        let warning = self.cost.add(begun, Instant::now());
        if let Some(warning) = warning.filter(|_| self.group.rank() == 0) {
            self.say(warning);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(number: f64) -> Duration {
        Duration::from_secs_f64(number)
    }

    #[test]
    fn a_run_that_mostly_takes_checkpoints_is_told_how_often_is_right() {
        let told = advice(seconds(20.0), seconds(19.0), 500, 1).expect("this is too much");
        assert!(told.starts_with("warning: 95 % of the time so far went into 500 checkpoints"));
        assert!(told.contains("--cccp-every=1900 "), "{told}");
        let told = advice(seconds(30.0), seconds(10.0), 10, 100).expect("this is too much");
        assert!(told.contains("--cccp-every=5000 "), "{told}");
    }

    #[test]
    fn checkpoints_that_take_little_are_not_spoken_of() {
        assert_eq!(advice(seconds(100.0), seconds(20.0), 50, 1), None);
    }

    #[test]
    fn nothing_is_said_before_there_is_something_to_say() {
        let start = Instant::now();
        let mut cost = Cost::default();
        for pass in 0..8 {
            let begun = start + seconds(f64::from(pass));
            assert_eq!(cost.add(begun, begun + seconds(0.9)), None);
        }
        let mut told = 0;
        for pass in 8..100 {
            let begun = start + seconds(f64::from(pass));
            told += u32::from(cost.add(begun, begun + seconds(0.9)).is_some());
        }
        assert_eq!(told, 1);
    }
}
