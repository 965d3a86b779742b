//! What a history comes to: time that was used, time that was lost to deaths, time that checkpoints saved.
//!
//! In: the runs of a directory, from the one that started from the beginning. Out: sums in seconds. A death of which only
//! the last line of the run is known counts from there, so that what is lost is never said to be more than it was.

use cccp::store::{End, Past};

/// The sums.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Account {
    /// How many runs there were.
    pub runs: u64,
    /// How many of them died.
    pub deaths: u64,
    /// How many went on from a checkpoint.
    pub restarts: u64,
    /// Checkpoints that were published.
    pub checkpoints: u64,
    /// Their bytes, of rank 0.
    pub bytes: u64,
    /// Seconds in which a run was there.
    pub ran: f64,
    /// Of these, seconds in which the program stood still for a checkpoint.
    pub stood: f64,
    /// Work that had to be done again after a death.
    pub lost: f64,
    /// Work that was not done again because of a checkpoint.
    pub saved: f64,
    /// The longest time between two checkpoints: what a death would have lost at most.
    pub longest: f64,
}

/// The runs of the computation that is there now: from the last one that began at the beginning.
pub fn latest(runs: &[Past]) -> &[Past] {
    let begin = runs.iter().rposition(|run| run.started.from.is_none());
    &runs[begin.unwrap_or(0)..]
}

impl Account {
    /// Of the runs of one computation; `now` is the time, for one that still runs.
    pub fn of(runs: &[Past], now: Option<f64>) -> Account {
        let mut sums = Account::default();
        // Work that the checkpoints hold.
        let mut held = 0.0;
        for (at, run) in runs.iter().enumerate() {
            let end = match run.end() {
                End::Died(earliest, _) => earliest,
                End::Open => now.unwrap_or(run.latest()),
                _ => run.latest(),
            };
            sums.runs += 1;
            sums.deaths += u64::from(matches!(run.end(), End::Died(..)));
            sums.ran += (end - run.begun).max(0.0);
            if run.started.from.is_some() {
                sums.restarts += 1;
                sums.saved += held;
            }
            let mut before = run.begun;
            for (time, taken) in run.taken() {
                sums.checkpoints += 1;
                sums.bytes += taken.bytes;
                sums.stood += taken.stood;
                sums.longest = sums.longest.max(time - before);
                before = time;
            }
            sums.longest = sums.longest.max(end - before);
            let from = runs.get(at + 1).map(|next| next.started.from);
            let is_kept = |generation: u64| from.is_none_or(|from| from >= Some(generation));
            let kept = run.taken().rfind(|(_, taken)| is_kept(taken.generation));
            let kept = kept.map_or(run.begun, |(time, _)| time);
            held += kept - run.begun;
            if from.is_some() && run.end() != End::Complete {
                sums.lost += (end - kept).max(0.0);
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cccp::store::{Event, Started, Taken};

    fn run(
        begun: f64,
        from: Option<u64>,
        taken: &[(f64, u64)],
        last: Option<(f64, Event)>,
    ) -> Past {
        let one = |&(time, generation): &(f64, u64)| {
            let taken = Taken {
                generation,
                stood: 0.5,
                bytes: 10,
                ..Taken::default()
            };
            (time, Event::Taken(taken))
        };
        Past {
            begun,
            started: Started {
                from,
                ..Started::default()
            },
            events: taken.iter().map(one).chain(last).collect(),
            next: None,
        }
    }

    fn died(time: f64) -> Option<(f64, Event)> {
        Some((time, Event::Died("SIGKILL".to_string())))
    }

    #[test]
    fn a_death_loses_what_came_after_the_checkpoint_and_a_restart_saves_what_came_before() {
        let runs = [
            run(0.0, None, &[(10.0, 1), (20.0, 2)], died(26.0)),
            run(30.0, Some(2), &[(45.0, 3)], died(47.0)),
            run(50.0, Some(3), &[], Some((60.0, Event::Ended(None)))),
        ];
        let sums = Account::of(&runs, None);
        assert_eq!((sums.runs, sums.deaths, sums.restarts), (3, 2, 2));
        assert_eq!((sums.checkpoints, sums.bytes), (3, 30));
        assert_eq!((sums.ran, sums.stood), (53.0, 1.5));
        assert_eq!((sums.lost, sums.saved), (6.0 + 2.0, 20.0 + 35.0));
        assert_eq!(sums.longest, 15.0);
    }

    #[test]
    fn a_restart_from_an_older_checkpoint_loses_what_the_newer_one_held() {
        let runs = [
            run(0.0, None, &[(10.0, 1), (20.0, 2)], died(20.0)),
            run(30.0, Some(1), &[], Some((60.0, Event::Ended(None)))),
        ];
        let sums = Account::of(&runs, None);
        assert_eq!((sums.lost, sums.saved), (10.0, 10.0));
    }

    #[test]
    fn a_computation_begins_with_the_last_run_from_the_beginning() {
        let mut runs = [
            run(0.0, None, &[], Some((1.0, Event::Ended(None)))),
            run(2.0, None, &[(3.0, 1)], None),
            run(4.0, Some(1), &[], None),
        ];
        runs[1].next = Some(4.0);
        assert_eq!(latest(&runs).len(), 2);
        assert_eq!(latest(&runs[2..]).len(), 1);
        assert_eq!(latest(&[]).len(), 0);
        assert_eq!(Account::of(latest(&runs), Some(9.0)).ran, 6.0);
    }
}
