//! When this process takes checkpoints: counts, the clock and what was asked, brought to `trigger`.
//!
//! In: the number of the call, from the code of the program. Out: whether to take a checkpoint at it, and whether the run
//! ends behind it.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::memory::{blocks, without_writing_signals};
use crate::registry::{FOLLOW, Register, WHOLE};
use crate::settings::{AtWalltime, CallClock, Settings};
use crate::store::{Directory, Event, Why, history};
use crate::trigger::{
    ASKED, Agreement, INTERRUPT, LEAVE, PROGRESS, Reached, TAKE, Trigger, Verdict, end_of_job,
    time_between_failures,
};

use super::Session;
use super::profile::Passing;

/// What a process knows of the time.
#[derive(Debug)]
pub struct When {
    trigger: Trigger,
    clock: Clock,
    /// The number of the first call of this run, as the program counts.
    first: u64,
    /// The call that the program is at.
    pub call: u64,
    /// How often the program has met loops and conditions around checkpoints, at the first call and at this one.
    turns: (u64, u64),
    /// Why the checkpoint is taken that comes now.
    pub why: Why,
    /// What had been asked then.
    asked: u32,
    /// What happens at the end of the job.
    at_walltime: AtWalltime,
    /// Why the run ends behind the latest checkpoint.
    leaving: Option<Reason>,
    /// All ranks know that it is complete: the run ends at this call, without another one.
    pub leaves_now: bool,
    /// Of several ranks: what they agree on.
    agreement: Agreement,
    /// The ranks are about to agree: every call is looked at.
    follows: bool,
    /// When this run began.
    begun: Instant,
    /// When calls were counted last, how many there were, and how many there are in [`AHEAD`].
    pace: (Instant, u64, u64),
}

/// Why ranks agree on a checkpoint, the more urgent reasons last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
enum Reason {
    Nothing,
    Interval,
    Take,
    Continue,
    Walltime,
    Interrupt,
    Leave,
}

impl Reason {
    const ALL: [Reason; 7] = [
        Reason::Nothing,
        Reason::Interval,
        Reason::Take,
        Reason::Continue,
        Reason::Walltime,
        Reason::Interrupt,
        Reason::Leave,
    ];

    /// Whether the run ends behind the checkpoint.
    fn leaves(self) -> bool {
        matches!(self, Reason::Walltime | Reason::Interrupt | Reason::Leave)
    }

    fn of(number: i64) -> Reason {
        let mut all = Reason::ALL.into_iter();
        all.find(|one| *one as i64 == number)
            .unwrap_or(Reason::Nothing)
    }
}

/// A checkpoint that will be taken at a later call: at which, and why.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Counted from the first one of this run.
    pub call: u64,
    why: Why,
    asked: u32,
    leaving: Option<Reason>,
}

/// Others have heard of something after so long, as a rule.
const AHEAD: Duration = Duration::from_millis(300);
/// Ranks that all take checkpoints have heard so of each other by then.
const LONG_ENOUGH: Duration = Duration::from_secs(5);
/// So long a rank waits for the others to name a call, and to have taken the last checkpoint of the run.
const PATIENCE: Duration = Duration::from_secs(1);
const LAST: Duration = Duration::from_secs(60);

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
            turns: (0, 0),
            why: Why::Calls,
            asked: 0,
            at_walltime: settings.at_walltime,
            leaving: None,
            leaves_now: false,
            agreement: Agreement::default(),
            follows: false,
            begun: Instant::now(),
            pace: (Instant::now(), 0, 1),
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

    /// Calls are counted from here on: as many as the program says it has made, and so many turns.
    pub fn begin(&mut self, calls: u64, turns: u64) {
        self.first = calls;
        self.turns = (turns, turns);
        self.pace = (Instant::now(), 0, 1);
    }

    /// Whether this rank has had time to hear that each of them has taken a checkpoint, and has not.
    pub fn misses_others(&self) -> bool {
        let had_time = self.is_made_up() || self.begun.elapsed() > LONG_ENOUGH;
        had_time && !self.agreement.all_have_one()
    }

    /// Seconds since `init`.
    pub fn since_begin(&self) -> f64 {
        self.now()
    }

    /// How far apart checkpoints are to be.
    pub fn apart(&self, bytes: u64) -> f64 {
        self.trigger.apart(bytes)
    }

    /// One is due so much earlier from here on.
    pub fn take_early(&mut self, seconds: f64) {
        self.trigger.early = seconds;
    }

    /// Whether what is due has waited long for its place.
    pub fn is_late(&self, bytes: u64) -> bool {
        self.trigger.is_late(self.now(), bytes)
    }

    /// Ranks had their latest checkpoints at different calls, as far as they have heard.
    pub fn are_apart(&self) -> bool {
        self.agreement.had_latest_apart()
    }

    /// Ranks have agreed on a call, and take the checkpoint at a later one. Which call that was.
    pub fn wait_for_a_place(&mut self) -> u64 {
        self.agreement.put_off().unwrap_or(self.call)
    }

    /// Its place has come.
    pub fn takes_by_time(&mut self) {
        (self.why, self.asked) = (Why::Interval, 0);
    }

    /// How many turns this run has made.
    pub fn turns(&self) -> u64 {
        self.turns.1 - self.turns.0
    }

    /// Only calls move the clock.
    fn is_made_up(&self) -> bool {
        matches!(self.clock, Clock::Calls(..))
    }

    /// Whether the next call has to be looked at, whatever the time.
    pub fn looks_at_the_next(&self) -> bool {
        self.is_made_up() || self.follows
    }

    /// How many calls this rank makes, as a rule, before the others have heard of something.
    fn ahead(&mut self) -> u64 {
        let (since, calls, ahead) = self.pace;
        let elapsed = since.elapsed();
        if self.is_made_up() || elapsed < AHEAD / 6 {
            return ahead;
        }
        let pace = self.call.saturating_sub(calls) as f64 / elapsed.as_secs_f64();
        let ahead = 1 + (pace * AHEAD.as_secs_f64()) as u64;
        self.pace = (Instant::now(), self.call, ahead);
        ahead
    }
}

impl Session {
    /// The program is at a checkpoint, and has made so many calls of all, and so many turns. One of so many calls of this one is taken,
    /// 0 when nothing is said about that. Whether to take it.
    pub fn is_due(&mut self, passing: Passing, calls: u64, turns: u64, every: u64) -> bool {
        if self.replay.is_some() {
            return false;
        }
        let is_due = self.is_due_anywhere(calls, turns, every, passing.by_calls);
        self.choose_place(passing, is_due)
    }

    fn is_due_anywhere(&mut self, calls: u64, turns: u64, every: u64, by_calls: bool) -> bool {
        self.when.call = calls - self.when.first;
        self.when.turns.1 = turns;
        self.when.trigger.by_time |= every == 0;
        self.cost.every = every;
        if self.when.is_made_up() || self.writer.is_done() {
            self.settle();
        }
        let asked = ASKED.now();
        let bytes = || self.all_bytes();
        let due = self.when.trigger.due(self.when.now(), asked, bytes);
        self.note_progress();
        let wants = match (due, self.when.at_walltime) {
            (None | Some(Why::Calls), _) => Reason::Nothing,
            // It has been agreed on.
            (Some(Why::Interval), _) if self.places.wait_from_a_call() => Reason::Nothing,
            (Some(Why::Interval), _) => Reason::Interval,
            (Some(Why::Signal), _) if asked & LEAVE == 0 => Reason::Take,
            (Some(Why::Signal), _) if asked & INTERRUPT != 0 => Reason::Interrupt,
            (Some(Why::Signal), _) => Reason::Leave,
            (Some(Why::Walltime), AtWalltime::Continue) => Reason::Continue,
            (Some(Why::Walltime), AtWalltime::Exit) => Reason::Walltime,
        };
        let reason = match self.group.size() {
            1 => wants,
            _ => self.agreed(wants),
        };
        if reason == Reason::Nothing && !by_calls && !self.when.leaves_now {
            return false;
        }
        self.when.asked = asked;
        self.when.why = match reason {
            Reason::Nothing => Why::Calls,
            Reason::Interval => Why::Interval,
            Reason::Take | Reason::Interrupt | Reason::Leave => Why::Signal,
            Reason::Continue | Reason::Walltime => Why::Walltime,
        };
        if !self.when.leaves_now {
            self.when.leaving = reason.leaves().then_some(reason);
        }
        true
    }

    /// What was found to be due last, at the call that the ranks have agreed on. The program counts these calls.
    pub fn wanted(&self) -> Wanted {
        let when = &self.when;
        Wanted {
            call: when.agreement.agreed().unwrap_or(when.call),
            why: when.why,
            asked: when.asked,
            leaving: when.leaving,
        }
    }

    /// How many calls later that is, when the program has made so many.
    pub fn calls_until(&self, wanted: Wanted, calls: u64) -> u64 {
        wanted.call.saturating_sub(calls - self.when.first)
    }

    /// Whether ranks may agree only while the other threads of this process stand still.
    pub fn needs_still_threads(&self) -> bool {
        self.group.needs_still_threads()
    }

    /// How many calls later the other ranks have to be asked again at the latest, when the program has made so many.
    pub fn asks_again_after(&self, calls: u64) -> Option<u64> {
        let next = self.when.agreement.next()?;
        Some(next.saturating_sub(calls - self.when.first).max(1))
    }

    /// The call of this checkpoint has come, after so many turns.
    pub fn want(&mut self, wanted: Wanted, turns: u64) {
        let when = &mut self.when;
        (when.call, when.why) = (wanted.call, wanted.why);
        (when.asked, when.leaving) = (wanted.asked, wanted.leaving);
        when.turns.1 = turns;
    }

    /// The checkpoint that was due is not taken, because the threads of a region did not meet.
    pub fn missed(&mut self) {
        self.not_taken(self.generation_here());
    }

    /// Why a checkpoint is taken at this call, as all ranks have agreed.
    fn agreed(&mut self, wants: Reason) -> Reason {
        let ahead = self.when.ahead();
        let mut until = None;
        loop {
            let when = &mut self.when;
            let verdict = (when.agreement).look(&mut *self.group, when.call, wants as i64, ahead);
            when.follows = verdict == Verdict::Follow;
            if let Some(call) = when.agreement.apart() {
                self.tell_apart(call);
            }
            let when = &mut self.when;
            match verdict {
                Verdict::Nothing | Verdict::Follow => return Reason::Nothing,
                Verdict::Take(reason) => return Reason::of(reason),
                Verdict::Wait => {
                    // A clock that calls move does not measure how slow the machine is.
                    let patience = if when.is_made_up() {
                        10 * PATIENCE
                    } else {
                        PATIENCE
                    };
                    let until = *until.get_or_insert_with(|| Instant::now() + patience);
                    match Instant::now() < until {
                        true => std::thread::sleep(Duration::from_micros(100)),
                        false => when.agreement.go_on(),
                    }
                }
                Verdict::Complete(reason) => {
                    let reason = Reason::of(reason);
                    if reason.leaves() {
                        when.leaving = Some(reason);
                        when.leaves_now = true;
                    }
                    return Reason::Nothing;
                }
                Verdict::Incomplete => {
                    self.not_taken(0);
                    return Reason::Nothing;
                }
            }
        }
    }

    /// For whoever asks meanwhile how far it is.
    pub(super) fn note_progress(&self) {
        let bytes = || self.all_bytes();
        PROGRESS.note(&Reached {
            due: self.when.trigger.next_by_time(bytes),
            ..self.tally.reached()
        });
    }

    /// What is registered. Which blocks items lead to is known at a checkpoint; before the first one all blocks count.
    pub(super) fn all_bytes(&self) -> u64 {
        let own: u64 = self.registers.iter().map(|one| self.bytes(one)).sum();
        let leads = |one: &Register| one.flags & (WHOLE | FOLLOW) != 0;
        match self.registers.iter().any(leads) {
            true => own.saturating_add(blocks::bytes()),
            false => own,
        }
    }

    fn bytes(&self, register: &Register) -> u64 {
        let size = self
            .types
            .get(register.type_index)
            .map_or(0, |one| one.size);
        register.elements().saturating_mul(size)
    }

    /// The generation that a checkpoint at this call has.
    pub(super) fn generation_here(&self) -> u64 {
        self.first_generation + self.when.call.saturating_sub(1)
    }

    /// The program has stood still for a checkpoint since `begun`.
    pub(super) fn stood_since(&mut self, begun: Instant) {
        let when = &mut self.when;
        let seconds = when.measured(begun.elapsed().as_secs_f64());
        let now = when.now();
        when.trigger.stood(now, seconds);
        let is_compared = self.settings.moments && !self.counts;
        let turns = if is_compared { when.turns() } else { 0 };
        when.agreement.taken(when.call, turns);
        self.places.wait_no_more();
        ASKED.done(when.asked & TAKE);
    }

    /// What is known of a checkpoint when it has been written.
    pub(super) fn wrote(&mut self, generation: u64, computed: f64, flight: f64) {
        let call = generation + 1 - self.first_generation;
        let when = &mut self.when;
        let (computed, flight) = (when.measured(computed), when.measured(flight));
        when.trigger.published(computed, flight);
        when.agreement.known(call, true);
        if when.why == Why::Walltime {
            when.trigger.end_is_dealt_with();
        }
    }

    /// The checkpoint that was due is not there; 0 when this is so on another rank.
    pub(super) fn not_taken(&mut self, generation: u64) {
        let call = (generation + 1).saturating_sub(self.first_generation);
        let when = &mut self.when;
        let now = when.now();
        when.trigger.not_taken(now);
        when.agreement.known(call, false);
        self.places.wait_no_more();
        when.leaving = None;
        ASKED.ask(when.asked & TAKE);
    }

    /// Whether the run ends here: it was asked to, and its checkpoint is complete on all ranks. Waits for that.
    pub fn leaves(&mut self) -> Option<String> {
        self.when.leaving?;
        self.settle();
        let patience = match self.when.is_made_up() {
            true => PATIENCE,
            false => LAST,
        };
        let until = Instant::now() + patience;
        while self.group.size() > 1 && !self.when.leaves_now {
            self.when.leaving?;
            if self.when.agreement.is_over() || Instant::now() > until {
                // When the others are ready, it ends at another call.
                self.when.leaving = None;
                return None;
            }
            self.agreed(Reason::Nothing);
            std::thread::sleep(Duration::from_micros(100));
        }
        let (why, words) = match self.when.leaving.take()? {
            Reason::Walltime => ("walltime", "the time of the job is nearly over"),
            Reason::Interrupt => ("SIGINT", "SIGINT"),
            _ => ("SIGTERM", "SIGTERM"),
        };
        self.note(Event::Leaving(why.to_string()));
        without_writing_signals(|| self.end_profile(false));
        Some(format!(
            "{words}: generation {} is complete, and the run ends here with exit status 85; the same command resumes it",
            self.latest_generation
        ))
    }

    /// All ranks come here before one of them ends, because launchers kill the others then. Waits no longer than a rank may be
    /// late that has heard the same.
    pub fn meet_before_the_end(&mut self) {
        let until = Instant::now() + 10 * PATIENCE;
        let begun = self.group.size() > 1 && self.when.agreement.meet(&mut *self.group).is_ok();
        while begun && matches!(self.group.reduced(), Ok(None)) && Instant::now() < until {
            std::thread::sleep(Duration::from_micros(100));
        }
    }
}
