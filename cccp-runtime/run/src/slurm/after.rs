//! What to do when a batch script has ended: a pure function of how it ended, and what its runs did.

use cccp::store::{End, Past};

use crate::account::latest;
use crate::child::{CANNOT_RESTART, CHECKPOINTED, Ending};

/// What is known then.
#[derive(Clone, Copy, Debug)]
pub struct After<'a> {
    /// How the script ended.
    pub ending: Ending,
    /// The runs of each directory in which one began in this start of the job.
    pub runs: &'a [Vec<Past>],
    /// When this start of the job began.
    pub begun: f64,
    /// The time of the job was up, or nearly.
    pub is_out_of_time: bool,
    /// Somebody still has one of the directories.
    pub is_held: bool,
    /// How often the job has been queued again.
    pub restarts: u64,
    /// How often it may be.
    pub retries: u64,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The script is done.
    Done,
    /// The job is queued again.
    Again(Why),
    /// It is not, and ends as its script did.
    Not(WhyNot),
}

/// Why a job is queued again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A program left behind a checkpoint.
    Left,
    /// The script says so with its exit status.
    Asked,
    /// A program died, or the script did.
    Died,
    /// The run of before is not over yet.
    Held,
}

/// Why it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// A program cannot begin or resume.
    Refused,
    /// It failed as it did before, with nothing new in between.
    SamePlace,
    /// The time is too short for anything new.
    TooShort,
    /// It has been queued again as often as it may be.
    TooOften,
    /// The script failed, and no program with checkpoints ran.
    Failed,
}

/// How it goes on.
pub fn after(after: &After) -> Next {
    let again = |why| match after.restarts < after.retries {
        true => Next::Again(why),
        false => Next::Not(WhyNot::TooOften),
    };
    let ends = || {
        after
            .runs
            .iter()
            .filter_map(|runs| Some(runs.last()?.end()))
    };
    let has_left = ends().any(|end| matches!(end, End::Left(_)));
    let has_stopped = ends().any(|end| matches!(end, End::Stopped(_)));
    let has_died = ends().any(|end| matches!(end, End::Died(..) | End::Open));
    let is_new = |run: &Past| run.begun >= after.begun - 0.001 && run.taken().next().is_some();
    let has_progress = after.runs.iter().flatten().any(is_new);
    match after.ending {
        _ if has_left => again(Why::Left),
        Ending::Status(CHECKPOINTED) => again(Why::Asked),
        Ending::Status(CANNOT_RESTART) if after.is_held && after.restarts > 0 => again(Why::Held),
        Ending::Status(CANNOT_RESTART) => Next::Not(WhyNot::Refused),
        Ending::Status(0) if !has_died => Next::Done,
        ending if has_stopped && ending != Ending::Status(0) => Next::Not(WhyNot::Refused),
        _ if has_progress => again(Why::Died),
        ending if after.is_out_of_time && ending.is_from_outside() => Next::Not(WhyNot::TooShort),
        ending if !has_died && !ending.is_from_outside() => Next::Not(WhyNot::Failed),
        ending if !ending.is_from_outside() && after.runs.iter().any(|runs| died_alike(runs)) => {
            Next::Not(WhyNot::SamePlace)
        }
        _ => again(Why::Died),
    }
}

/// The last two runs of a computation died in the same way, and the last one took no checkpoint.
fn died_alike(runs: &[Past]) -> bool {
    let own = latest(runs);
    let [.., before, last] = own else {
        // Both began at the beginning.
        return matches!(runs, [.., before, last] if how(before).is_some() && how(before) == how(last));
    };
    how(before).is_some() && how(before) == how(last) && last.taken().next().is_none()
}

fn how(run: &Past) -> Option<&str> {
    use cccp::store::Event;
    match run.events.last() {
        Some((_, Event::Died(how))) => Some(how),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cccp::store::{Event, Started, Taken};

    fn run(begun: f64, from: Option<u64>, taken: &[u64], end: Option<Event>) -> Past {
        let one = |&generation: &u64| {
            let taken = Taken {
                generation,
                ..Taken::default()
            };
            (begun + 1.0, Event::Taken(taken))
        };
        let end = end.map(|event| (begun + 2.0, event));
        Past {
            begun,
            started: Started {
                from,
                ..Started::default()
            },
            events: taken.iter().map(one).chain(end).collect(),
            next: None,
        }
    }

    fn died(how: &str) -> Option<Event> {
        Some(Event::Died(how.to_string()))
    }

    fn left() -> Option<Event> {
        Some(Event::Leaving("walltime".to_string()))
    }

    fn next(ending: Ending, runs: &[Vec<Past>], is_out_of_time: bool) -> Next {
        after(&After {
            ending,
            runs,
            begun: 100.0,
            is_out_of_time,
            is_held: false,
            restarts: 1,
            retries: 9,
        })
    }

    const GOOD: Ending = Ending::Status(0);

    #[test]
    fn a_program_that_left_goes_on_whatever_the_script_did_then() {
        let runs = [vec![run(101.0, None, &[4], left())]];
        for ending in [
            GOOD,
            Ending::Status(85),
            Ending::Status(3),
            Ending::Signal(15),
        ] {
            assert_eq!(next(ending, &runs, true), Next::Again(Why::Left));
        }
        let gone_on = [vec![
            run(101.0, None, &[4], left()),
            run(105.0, Some(4), &[], Some(Event::Ended(None))),
        ]];
        assert_eq!(next(GOOD, &gone_on, false), Next::Done);
    }

    #[test]
    fn a_script_may_say_itself_that_it_is_not_done() {
        assert_eq!(
            next(Ending::Status(85), &[], false),
            Next::Again(Why::Asked)
        );
        assert_eq!(next(GOOD, &[], false), Next::Done);
        assert_eq!(
            next(Ending::Status(1), &[], false),
            Next::Not(WhyNot::Failed)
        );
        assert_eq!(
            next(Ending::Status(75), &[], false),
            Next::Not(WhyNot::Refused)
        );
    }

    #[test]
    fn who_died_goes_on_unless_it_would_die_there_for_ever() {
        let new = [vec![run(101.0, None, &[4], died("SIGSEGV"))]];
        let segv = Ending::Signal(11);
        assert_eq!(next(segv, &new, false), Next::Again(Why::Died));
        let again = [vec![
            run(50.0, None, &[4], died("SIGSEGV")),
            run(101.0, Some(4), &[], died("SIGSEGV")),
        ]];
        assert_eq!(next(segv, &again, false), Next::Not(WhyNot::SamePlace));
        let from_the_beginning = [vec![
            run(50.0, None, &[], died("SIGSEGV")),
            run(101.0, None, &[], died("SIGSEGV")),
        ]];
        assert_eq!(
            next(segv, &from_the_beginning, false),
            Next::Not(WhyNot::SamePlace)
        );
        let killed = [vec![run(101.0, Some(4), &[], died("SIGKILL"))]];
        assert_eq!(
            next(Ending::Signal(9), &killed, false),
            Next::Again(Why::Died)
        );
        // The script went on and said that all was well.
        assert_eq!(next(GOOD, &new, false), Next::Again(Why::Died));
    }

    #[test]
    fn a_time_limit_that_brings_nothing_new_is_not_tried_again() {
        let killed = [vec![run(101.0, Some(4), &[], died("SIGTERM"))]];
        let term = Ending::Signal(15);
        assert_eq!(next(term, &killed, true), Next::Not(WhyNot::TooShort));
        let new = [vec![run(101.0, Some(4), &[9], died("SIGTERM"))]];
        assert_eq!(next(term, &new, true), Next::Again(Why::Died));
        // It failed by itself, near the end of its time.
        assert_eq!(
            next(Ending::Status(1), &[], true),
            Next::Not(WhyNot::Failed)
        );
        let often = After {
            ending: GOOD,
            runs: &[vec![run(101.0, None, &[4], left())]],
            begun: 100.0,
            is_out_of_time: true,
            is_held: false,
            restarts: 9,
            retries: 9,
        };
        assert_eq!(after(&often), Next::Not(WhyNot::TooOften));
    }

    #[test]
    fn a_run_that_is_still_there_is_waited_for_in_the_queue() {
        let held = After {
            ending: Ending::Status(75),
            runs: &[],
            begun: 100.0,
            is_out_of_time: false,
            is_held: true,
            restarts: 1,
            retries: 9,
        };
        assert_eq!(after(&held), Next::Again(Why::Held));
        let first = After {
            restarts: 0,
            ..held
        };
        assert_eq!(after(&first), Next::Not(WhyNot::Refused));
    }
}
