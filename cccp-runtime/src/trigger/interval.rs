//! Checkpoints that are due by time.

use super::cost::Cost;
use super::{LEAVE, TAKE};
use crate::settings::{Interval, Settings};
use crate::store::Why;

/// The first checkpoint is taken then, whatever it costs.
const PATIENCE: f64 = 60.0;
/// What was due and could not be taken is tried again after so long.
const AGAIN: f64 = 1.0;
/// Seconds that are left when a checkpoint before the end of the job is complete, beside twice its cost.
const MARGIN: f64 = 30.0;

/// What is known of the time, and of the checkpoints so far.
#[derive(Clone, Debug)]
pub struct Trigger {
    rule: Interval,
    overhead: f64,
    /// Seconds between failures.
    mtbf: f64,
    begun: f64,
    last: f64,
    cost: Option<Cost>,
    /// The latest checkpoint is not published yet; the program stood still so long for it.
    in_flight: Option<f64>,
    /// All checkpoints together.
    spent: f64,
    /// Before that nothing is tried again.
    not_before: f64,
    /// When the job ends.
    end: Option<f64>,
    /// A checkpoint that says nothing of calls was passed: time decides about it.
    pub by_time: bool,
    /// One is due so much earlier, where its place will not be passed again in time.
    pub early: f64,
}

impl Trigger {
    /// A run that begins now. `mtbf` counts where none is set.
    pub fn new(settings: &Settings, mtbf: f64, end: Option<f64>, now: f64) -> Trigger {
        Trigger {
            rule: settings.time_rule(),
            overhead: settings.overhead,
            mtbf: settings.mtbf.unwrap_or(mtbf),
            begun: now,
            last: now,
            cost: None,
            in_flight: None,
            spent: 0.0,
            not_before: now,
            end,
            by_time: false,
            early: 0.0,
        }
    }

    /// Why a checkpoint is due now; none when it is not. `asked` is what came from outside, `bytes` what is registered.
    pub fn due(&self, now: f64, asked: u32, bytes: impl Fn() -> u64) -> Option<Why> {
        if now < self.not_before {
            return None;
        }
        let settled = self.in_flight.is_none();
        let ends = || self.end.is_some_and(|end| now >= end - self.room(&bytes));
        match () {
            () if asked & LEAVE != 0 => Some(Why::Signal),
            () if settled && ends() => Some(Why::Walltime),
            () if asked & TAKE != 0 => Some(Why::Signal),
            () if self.by_time && settled && now + self.early >= self.next(&bytes) => {
                Some(Why::Interval)
            }
            () => None,
        }
    }

    /// When the next one is due by time, in seconds of the clock; none when time decides about none.
    pub fn next_by_time(&self, bytes: impl Fn() -> u64) -> Option<f64> {
        let next = self.by_time.then(|| self.next(&bytes));
        next.filter(|next| next.is_finite())
    }

    /// How far apart checkpoints by time are to be, when one has so many bytes.
    pub fn apart(&self, bytes: u64) -> f64 {
        match self.rule {
            Interval::Seconds(seconds) => seconds,
            Interval::Auto | Interval::Off => {
                let cost = self.cost.unwrap_or_else(|| Cost::estimated(bytes));
                cost.interval(self.mtbf).max(cost.taken / self.overhead)
            }
        }
    }

    /// Whether one that is due has waited as long as the interval for its place.
    pub fn is_late(&self, now: f64, bytes: u64) -> bool {
        now >= self.next(&|| bytes) + self.apart(bytes)
    }

    /// What the checkpoint before the end of the job needs.
    fn room(&self, bytes: &impl Fn() -> u64) -> f64 {
        let cost = self.cost.unwrap_or_else(|| Cost::estimated(bytes()));
        2.0 * cost.flight.max(cost.taken) + MARGIN
    }

    /// When the next one is due by time.
    fn next(&self, bytes: &impl Fn() -> u64) -> f64 {
        match (self.rule, self.cost) {
            (Interval::Off, _) => f64::INFINITY,
            (Interval::Seconds(seconds), _) => self.last + seconds,
            (Interval::Auto, None) => {
                let share = Cost::estimated(bytes()).taken / self.overhead;
                self.begun + share.min(PATIENCE)
            }
            (Interval::Auto, Some(cost)) => {
                let affordable = self.begun + (self.spent + cost.taken) / self.overhead;
                let apart = cost.interval(self.mtbf).max(cost.flight);
                affordable.max(self.last + apart)
            }
        }
    }

    /// The program stood still for a checkpoint until now.
    pub fn stood(&mut self, now: f64, seconds: f64) {
        self.last = now;
        self.spent += seconds;
        self.in_flight = Some(seconds);
    }

    /// It was published `flight` seconds after its begin; the thread that wrote it computed for so long.
    pub fn published(&mut self, computed: f64, flight: f64) {
        if let Some(stood) = self.in_flight.take() {
            let cost = Cost::measured(stood, computed, flight);
            self.spent += cost.taken - stood;
            self.cost = Some(self.cost.map_or(cost, |known| known.then(cost)));
        }
    }

    /// One that was due could not be taken: not again at once.
    pub fn not_taken(&mut self, now: f64) {
        self.in_flight = None;
        self.not_before = now + AGAIN;
    }

    /// The end of the job has been dealt with.
    pub fn end_is_dealt_with(&mut self) {
        self.end = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trigger(words: &[&str]) -> Trigger {
        let mut trigger = Trigger::new(&Settings::of(words), 86400.0, None, 0.0);
        trigger.by_time = true;
        trigger
    }

    /// When checkpoints are taken in `length` seconds by a program that passes one every `step`.
    fn times(mut trigger: Trigger, step: f64, length: f64, bytes: u64, stood: f64) -> Vec<f64> {
        let (mut now, mut times) = (0.0, Vec::new());
        while now < length {
            now += step;
            if trigger.due(now, 0, || bytes).is_some() {
                times.push(now);
                now += stood;
                trigger.stood(now, stood);
                trigger.published(0.0, stood);
            }
        }
        times
    }

    #[test]
    fn s37_a_short_run_takes_few_checkpoints() {
        assert_eq!(times(trigger(&[]), 0.001, 0.9, 1000, 0.001).len(), 0);
        assert_eq!(times(trigger(&[]), 0.001, 4.0, 1000, 0.001).len(), 1);
    }

    #[test]
    fn s37_the_first_one_is_taken_after_a_minute_at_the_latest() {
        let taken = times(trigger(&[]), 1.0, 3600.0, 100_000_000_000, 5.0);
        assert_eq!(taken[0], 60.0);
    }

    #[test]
    fn s37_all_of_them_together_take_one_percent_at_most() {
        for stood in [0.002, 0.1, 1.0, 5.0] {
            let length = 100_000.0;
            let taken = times(trigger(&[]), 0.5, length, 1_000_000, stood);
            assert!(taken.len() as f64 * stood <= 0.0101 * length, "{stood}");
            assert!(taken.len() > 10, "{stood}");
        }
        let dear = times(trigger(&["overhead=10%"]), 0.5, 10_000.0, 1000, 5.0);
        assert!(dear.len() > 5 && dear.len() as f64 * 5.0 <= 1010.0);
    }

    #[test]
    fn s37_failures_bring_checkpoints_closer_together() {
        let calm = times(trigger(&[]), 1.0, 100_000.0, 1000, 0.1).len();
        let rough = times(trigger(&["mtbf=1h"]), 1.0, 100_000.0, 1000, 0.1).len();
        assert!(rough > 3 * calm, "{rough} {calm}");
    }

    #[test]
    fn s37_an_interval_that_is_set_is_kept_and_off_is_none() {
        let taken = times(trigger(&["interval=30s"]), 1.0, 300.0, 1000, 0.0);
        assert_eq!(taken.len(), 10);
        let taken = times(trigger(&["interval=off"]), 1.0, 1e6, 1000, 0.0);
        assert_eq!(taken.len(), 0);
        // Calls were asked for, and nothing else.
        let taken = times(trigger(&["every=10"]), 1.0, 1e6, 1000, 0.0);
        assert_eq!(taken.len(), 0);
    }

    #[test]
    fn s38_what_is_asked_comes_before_time_and_is_tried_again_after_a_while() {
        let mut trigger = trigger(&["interval=off"]);
        assert_eq!(trigger.due(0.5, TAKE, || 0), Some(Why::Signal));
        assert_eq!(trigger.due(0.5, LEAVE, || 0), Some(Why::Signal));
        trigger.not_taken(0.5);
        assert_eq!(trigger.due(1.0, LEAVE, || 0), None);
        assert_eq!(trigger.due(1.5, LEAVE, || 0), Some(Why::Signal));
    }

    #[test]
    fn s38_there_is_room_for_a_checkpoint_before_the_end_of_the_job() {
        let settings = Settings::of(&["interval=off"]);
        let mut trigger = Trigger::new(&settings, 86400.0, Some(1000.0), 0.0);
        trigger.stood(10.0, 1.0);
        trigger.published(4.0, 20.0);
        assert_eq!(trigger.due(929.9, 0, || 0), None);
        assert_eq!(trigger.due(930.0, 0, || 0), Some(Why::Walltime));
        trigger.end_is_dealt_with();
        assert_eq!(trigger.due(999.0, 0, || 0), None);
    }
}
