//! Threads of a team that meet at one checkpoint.
//!
//! In: threads as they come to checkpoints, each with the number of those that it has passed in the region. Out: to the initial
//! thread, that all are there, and where; to the others, that it is done. The one idea: all threads meet at a passage whose number
//! is known before any of them comes to it, so nobody is stopped at any other time, and who waits, waits for threads that are on
//! their way.
//!
//! A meeting by calls is known to each thread by itself; one by time is announced by the initial thread, some passages ahead.
//! A thread that was further than that has missed it, which its counter tells even where it comes to no checkpoint again. Nobody
//! waits for ever: when a thread has missed the meeting, has left the region, meets elsewhere, or does not come in reasonable
//! time, the meeting is given up and all go on (S52).

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a thread of a team counts, where others see it.
pub trait Counter: Send {
    /// How many checkpoints it has passed in the region.
    fn passed(&self) -> u64;
    /// From so many on it has to ask.
    fn stop_at(&self, passed: u64);
}

impl Counter for Box<dyn Counter> {
    fn passed(&self) -> u64 {
        (**self).passed()
    }

    fn stop_at(&self, passed: u64) {
        (**self).stop_at(passed);
    }
}

/// Why a meeting did not take place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missed {
    /// This thread had passed it before it could know.
    Passed(usize),
    /// This thread left the region, or was about to meet at another passage.
    Elsewhere(usize),
    /// This thread did not come.
    Late(usize),
}

/// What a thread that has come is told.
#[derive(Debug, PartialEq, Eq)]
pub enum Meeting<T> {
    /// The initial thread: all are there, by their numbers. It says when it is done.
    All(Vec<T>),
    /// The others, when all are there: they stand still until this round is done.
    Still(u64),
    /// A meeting that took place is over.
    Done,
    /// The meeting is given up. The initial thread learns why ([`Gathering::missed`]).
    Off,
}

/// Never a number of passages.
const NEVER: u64 = u64::MAX;
/// A thread whose counter says that it is here comes in within this time, or it has looked too early.
const COMING_IN: Duration = Duration::from_millis(50);
const POLL: Duration = Duration::from_millis(2);

/// Where the threads of one team meet, again and again, and those of teams inside of it where a restart ends.
pub struct Gathering<T, C = Box<dyn Counter>>(Mutex<State<T, C>>, Condvar);

struct Member<T, C> {
    /// None before it has entered the region.
    counter: Option<C>,
    arrived: Option<T>,
}

impl<T, C: Counter> Member<T, C> {
    const AWAITED: Member<T, C> = Member {
        counter: None,
        arrived: None,
    };

    fn passed(&self) -> u64 {
        self.counter.as_ref().map_or(0, |one| one.passed())
    }
}

struct State<T, C> {
    /// As many as the region before had until the first one has entered it.
    members: BTreeMap<usize, Member<T, C>>,
    /// None has entered it.
    is_new: bool,
    /// A thread has left the region.
    is_left: bool,
    /// The passage at which they meet; 0 where a restart ends.
    at: u64,
    /// It was announced, and not all have come yet.
    announced: bool,
    /// All are there, and the initial thread is at work.
    works: bool,
    /// The meeting that comes next, and the last one that took place.
    round: u64,
    done: u64,
    /// Up to this passage no meeting takes place any more.
    over: u64,
    missed: Option<Missed>,
}

impl<T, C: Counter> Default for Gathering<T, C> {
    fn default() -> Gathering<T, C> {
        Gathering::new()
    }
}

impl<T, C: Counter> Gathering<T, C> {
    /// Without a team.
    pub const fn new() -> Gathering<T, C> {
        Gathering(Mutex::new(State::begin(1)), Condvar::new())
    }

    fn lock(&self) -> MutexGuard<'_, State<T, C>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A region is entered.
    pub fn begin(&self) {
        let mut state = self.lock();
        let begun = State {
            members: std::mem::take(&mut state.members),
            ..State::begin(state.round + 1)
        };
        *state = begun;
        for member in state.members.values_mut() {
            *member = Member::AWAITED;
        }
    }

    /// A thread of so many has entered it. False when its number is taken or none of the team's.
    pub fn join(&self, number: usize, threads: usize, counter: C) -> bool {
        let mut state = self.lock();
        let is_new = std::mem::take(&mut state.is_new);
        let last = state.members.last_key_value().map(|(last, _)| *last);
        // Regions of a program mostly have the same number of threads.
        if is_new && (state.members.len() != threads || last.map(|last| last + 1) != Some(threads))
        {
            state.members = (0..threads).map(|one| (one, Member::AWAITED)).collect();
        }
        // What was announced before it came.
        counter.stop_at(match state.announced {
            true => state.at,
            false => NEVER,
        });
        match state.members.get_mut(&number).map(|one| &mut one.counter) {
            Some(free @ None) => {
                *free = Some(counter);
                true
            }
            _ => false,
        }
    }

    /// These threads of a team inside of another one come, too. One of them has entered it.
    pub fn enter(&self, all: impl Iterator<Item = usize>, number: usize, counter: C) {
        let mut state = self.lock();
        for one in all {
            state.members.entry(one).or_insert(Member::AWAITED);
        }
        if let Some(member) = state.members.get_mut(&number) {
            member.counter.get_or_insert(counter);
        }
    }

    /// One of them comes no more.
    pub fn part(&self, number: usize) {
        self.lock().members.remove(&number);
    }

    /// How many threads have lower numbers.
    pub fn ordinal(&self, number: usize) -> usize {
        self.lock().members.range(..number).count()
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        let state = self.lock();
        if state.is_new { 0 } else { state.members.len() }
    }

    /// How many checkpoints a thread has passed in the region.
    pub fn passed(&self, number: usize) -> u64 {
        let state = self.lock();
        state.members.get(&number).map_or(0, Member::passed)
    }

    /// How many the thread has passed that is furthest.
    pub fn furthest(&self) -> u64 {
        let state = self.lock();
        let passed = state.members.values().map(Member::passed);
        passed.max().unwrap_or(0)
    }

    /// Whether a meeting is to come.
    pub fn is_announced(&self) -> bool {
        self.lock().announced
    }

    /// The initial thread wants to meet at this passage.
    pub fn announce(&self, at: u64) {
        self.lock().announce(at);
    }

    /// A thread has been asked to stop and is behind that passage: it may have missed a meeting.
    pub fn passed_by(&self, number: usize, passed: u64) {
        let mut state = self.lock();
        if state.announced && passed > state.at {
            state.give_up(Missed::Passed(number));
            self.1.notify_all();
        } else if !state.announced
            && let Some(Some(counter)) = state.members.get(&number).map(|one| &one.counter)
        {
            counter.stop_at(NEVER);
        }
    }

    /// A thread has left the region: nobody meets any more.
    pub fn leave(&self, number: usize) {
        let mut state = self.lock();
        state.is_left = true;
        let is_waited_for = !state.is_empty();
        if is_waited_for || state.announced {
            // Where nobody waits yet, the region may end for all before that.
            state.give_up(match is_waited_for {
                true => Missed::Elsewhere(number),
                false => Missed::Passed(number),
            });
            self.1.notify_all();
        }
    }

    /// Why the last meeting was given up, once.
    pub fn missed(&self) -> Option<Missed> {
        self.lock().missed.take()
    }

    /// A thread comes to the meeting at a passage, and waits for the others, so long at most.
    pub fn arrive(&self, number: usize, at: u64, place: T, patience: Duration) -> Meeting<T> {
        match self.come(number, at, place) {
            Some(round) => self.wait(number, round, patience),
            None => Meeting::Off,
        }
    }

    /// A thread comes to the meeting at a passage: the round in which it takes place. None where it does not.
    pub fn come(&self, number: usize, at: u64, place: T) -> Option<u64> {
        let mut state = self.lock();
        if at != 0 && at <= state.over {
            return None;
        }
        if state.is_empty() && (!state.announced || at < state.at) {
            // One by calls that comes before the one announced takes place instead of it.
            if std::mem::take(&mut state.announced) {
                state.missed = Some(Missed::Passed(number));
            }
            state.at = at;
        }
        if state.at != at || (state.is_left && at != 0) {
            state.over = state.over.max(at);
            state.give_up(Missed::Elsewhere(number));
            self.1.notify_all();
            return None;
        }
        if let Some(member) = state.members.get_mut(&number) {
            member.arrived = Some(place);
        }
        self.1.notify_all();
        Some(state.round)
    }

    /// A thread that has come waits for the others, so long at most from now on.
    pub fn wait(&self, number: usize, round: u64, patience: Duration) -> Meeting<T> {
        let mut state = self.lock();
        let begun = Instant::now();
        let mut coming_in: Option<Instant> = None;
        loop {
            if state.round != round {
                return match state.done == round {
                    true => Meeting::Done,
                    false => Meeting::Off,
                };
            }
            if state.works {
                return Meeting::Still(round);
            }
            let are_there = state.members.values().all(|one| one.arrived.is_some());
            if are_there && number == 0 {
                state.works = true;
                state.announced = false;
                let all = state.members.values_mut();
                let all = all.filter_map(|one| one.arrived.take());
                let all = all.collect();
                self.1.notify_all();
                return Meeting::All(all);
            }
            if !are_there
                && let Some(missed) = state.late(begun.elapsed() > patience, &mut coming_in)
            {
                state.give_up(missed);
                self.1.notify_all();
                return Meeting::Off;
            }
            let waited = self.1.wait_timeout(state, POLL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The initial thread is done with a round: all go on. They meet again at this passage, if any.
    pub fn done(&self, next: Option<u64>) -> u64 {
        let mut state = self.lock();
        let round = state.round;
        state.done = round;
        state.end();
        if let Some(next) = next {
            state.announce(next);
        }
        self.1.notify_all();
        round
    }
}

impl<T, C: Counter> State<T, C> {
    const fn begin(round: u64) -> State<T, C> {
        State {
            members: BTreeMap::new(),
            is_new: true,
            is_left: false,
            at: NEVER,
            announced: false,
            works: false,
            round,
            done: 0,
            over: 0,
            missed: None,
        }
    }

    /// Nobody has come.
    fn is_empty(&self) -> bool {
        self.members.values().all(|one| one.arrived.is_none())
    }

    fn announce(&mut self, at: u64) {
        self.at = at;
        self.announced = true;
        self.stop_at(at);
    }

    fn stop_at(&self, passed: u64) {
        for counter in self.members.values().filter_map(|one| one.counter.as_ref()) {
            counter.stop_at(passed);
        }
    }

    fn end(&mut self) {
        self.round += 1;
        self.at = NEVER;
        self.announced = false;
        self.works = false;
        self.members.values_mut().for_each(|one| one.arrived = None);
        self.stop_at(NEVER);
    }

    fn give_up(&mut self, missed: Missed) {
        if self.at != NEVER {
            self.over = self.over.max(self.at);
        }
        self.end();
        self.missed = Some(missed);
        // The initial thread comes in to learn it.
        if let Some(Some(initial)) = self.members.get(&0).map(|one| &one.counter) {
            initial.stop_at(0);
        }
    }

    /// A thread that will not come.
    fn late(&self, is_over: bool, coming_in: &mut Option<Instant>) -> Option<Missed> {
        let missing = self.members.iter().filter(|(_, one)| one.arrived.is_none());
        let missing: Vec<usize> = missing.map(|(number, _)| *number).collect();
        let passed = |number: usize| self.members.get(&number).map_or(0, Member::passed);
        if self.at != 0 {
            if let Some(&number) = missing.iter().find(|number| passed(**number) > self.at) {
                return Some(Missed::Passed(number));
            }
            // It is coming in, or it has looked before it could see the announcement.
            let here = missing.iter().find(|number| passed(**number) == self.at);
            match (here, *coming_in) {
                (Some(&number), Some(since)) if since.elapsed() > COMING_IN => {
                    return Some(Missed::Passed(number));
                }
                (Some(_), None) => *coming_in = Some(Instant::now()),
                (None, _) => *coming_in = None,
                _ => {}
            }
        }
        let late = missing.first().filter(|_| is_over);
        late.map(|&number| Missed::Late(number))
    }
}
