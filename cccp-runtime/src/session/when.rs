//! When this process takes checkpoints: counts, the clock and what was asked, brought to `trigger`.
//!
//! In: the number of the call, from the code of the program. Out: whether to take a checkpoint at it, and whether the run
//! ends behind it.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::registry::Register;
use crate::settings::{AtWalltime, CallClock, Settings};
use crate::store::{Directory, Event, Why, history};
use crate::trigger::{ASKED, LEAVE, TAKE, Trigger, end_of_job, time_between_failures};

use super::Session;

/// What a process knows of the time.
#[derive(Debug)]
pub struct When {
    trigger: Trigger,
    clock: Clock,
    /// The number of the first call of this run, as the program counts.
    first: u64,
    /// The call that the program is at.
    pub call: u64,
    /// Why the checkpoint is taken that comes now.
    pub why: Why,
    /// It was asked for.
    asked: u32,
    /// What happens at the end of the job.
    at_walltime: AtWalltime,
    /// Why the run ends behind the latest checkpoint.
    leaving: Option<&'static str>,
}

/// Seconds since `init`.
#[derive(Debug)]
enum Clock {
    Real(Instant),
    Calls(CallClock, u32),
}

impl When {
    /// At `init`.
    pub fn new(settings: &Settings, rank: u32, directory: &Directory) -> When {
        let clock = match &settings.clock {
            Some(clock) => Clock::Calls(clock.clone(), rank),
            None => Clock::Real(Instant::now()),
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0.0, |since| since.as_secs_f64());
        let variable = |name: &str| std::env::var(name).ok();
        let end = settings.walltime;
        let end = end.or_else(|| end_of_job(variable, now).map(|end| end - now));
        let mtbf = time_between_failures(&history(directory.path()));
        When {
            trigger: Trigger::new(settings, mtbf, end, 0.0),
            clock,
            first: 0,
            call: 0,
            why: Why::Calls,
            asked: 0,
            at_walltime: settings.at_walltime,
            leaving: None,
        }
    }

    fn now(&self) -> f64 {
        match &self.clock {
            Clock::Real(begun) => begun.elapsed().as_secs_f64(),
            Clock::Calls(clock, rank) => clock.after(self.call, *rank),
        }
    }

    /// A length of time that was measured: none where only calls move the clock.
    fn measured(&self, seconds: f64) -> f64 {
        match self.clock {
            Clock::Real(_) => seconds,
            Clock::Calls(..) => 0.0,
        }
    }

    /// Calls are counted from here on: as many as the program says it has made.
    pub fn begin(&mut self, calls: u64) {
        self.first = calls;
    }

    /// Only calls move the clock: every one has to be looked at.
    pub fn is_made_up(&self) -> bool {
        matches!(self.clock, Clock::Calls(..))
    }
}

impl Session {
    /// The program is at a checkpoint, and has made so many calls of all. One of so many calls of this one is taken, 0 when
    /// nothing is said about that, and it is the turn of this one. Whether to take it.
    pub fn is_due(&mut self, calls: u64, every: u64, by_calls: bool) -> bool {
        if self.replay.is_some() {
            return false;
        }
        self.when.call = calls - self.when.first;
        self.when.trigger.by_time |= every == 0;
        self.cost.every = every;
        if self.when.is_made_up() || self.writer.is_done() {
            self.settle();
        }
        if self.group.size() > 1 {
            // Only what all ranks count in the same way is the same on all of them.
            self.when.why = Why::Calls;
            return by_calls || every == 0;
        }
        self.when.asked = ASKED.now();
        let bytes = || self.registers.iter().map(|one| self.bytes(one)).sum();
        let due = self
            .when
            .trigger
            .due(self.when.now(), self.when.asked, bytes);
        if due.is_none() && !by_calls {
            return false;
        }
        self.when.why = due.unwrap_or(Why::Calls);
        true
    }

    fn bytes(&self, register: &Register) -> u64 {
        let size = self
            .types
            .get(register.type_index)
            .map_or(0, |one| one.size);
        register.elements().saturating_mul(size)
    }

    /// The program has stood still for a checkpoint since `begun`.
    pub(super) fn stood_since(&mut self, begun: Instant) {
        let seconds = self.when.measured(begun.elapsed().as_secs_f64());
        let now = self.when.now();
        self.when.trigger.stood(now, seconds);
        ASKED.done(self.when.asked & TAKE);
        if self.when.asked & LEAVE != 0 {
            self.when.leaving = Some("SIGTERM");
        } else if self.when.why == Why::Walltime && self.when.at_walltime == AtWalltime::Exit {
            self.when.leaving = Some("walltime");
        }
    }

    /// What is known of a checkpoint when it has been written.
    pub(super) fn wrote(&mut self, computed: f64, flight: f64) {
        let (computed, flight) = (self.when.measured(computed), self.when.measured(flight));
        self.when.trigger.published(computed, flight);
        if self.when.why == Why::Walltime {
            self.when.trigger.end_is_dealt_with();
        }
    }

    /// The checkpoint that was due is not there.
    pub(super) fn not_taken(&mut self) {
        let now = self.when.now();
        self.when.trigger.not_taken(now);
        ASKED.ask(self.when.asked & TAKE);
        self.when.leaving = None;
    }

    /// Whether the run ends here: it was asked to, and its checkpoint is complete. Waits for that.
    pub fn leaves(&mut self) -> Option<String> {
        self.when.leaving?;
        self.settle();
        let why = self.when.leaving.take()?;
        self.note(Event::Leaving(why.to_string()));
        Some(format!(
            "{}: generation {} is complete, and the run ends here with exit status 85; the same command resumes it",
            match why {
                "walltime" => "the time of the job is nearly over",
                signal => signal,
            },
            self.latest_generation
        ))
    }
}
