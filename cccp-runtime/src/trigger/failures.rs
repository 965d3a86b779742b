//! How often runs in a directory die.

use crate::store::{End, Past};

/// What is assumed before anything is known: one failure in so many seconds.
const ASSUMED: f64 = 24.0 * 3600.0;

/// Seconds between failures, from the runs of a directory: a day with one failure before them all is assumed, so that one
/// early death is not taken for the rule.
pub fn time_between_failures(runs: &[Past]) -> f64 {
    let died = |run: &&Past| matches!(run.end(), End::Died(..));
    let deaths = runs.iter().filter(died).count();
    let lived: f64 = runs
        .iter()
        .map(|run| (run.latest() - run.begun).max(0.0))
        .sum();
    (ASSUMED + lived) / (1.0 + deaths as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Event, Started};

    fn run(begun: f64, last: f64, event: Event) -> Past {
        Past {
            begun,
            started: Started::default(),
            events: vec![(last, event)],
            next: Some(last),
        }
    }

    #[test]
    fn s37_deaths_of_earlier_runs_bring_failures_closer() {
        assert_eq!(time_between_failures(&[]), ASSUMED);
        let calm = run(0.0, 86400.0, Event::Ended(None));
        assert_eq!(time_between_failures(&[calm]), 2.0 * ASSUMED);
        let deaths = [0.0, 1.0, 2.0].map(|at| run(at, at + 1.0, Event::Skipped(String::new())));
        assert!((time_between_failures(&deaths) - ASSUMED / 4.0).abs() < 1.0);
    }
}
