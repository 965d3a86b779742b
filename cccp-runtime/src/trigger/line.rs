//! Threads of a team that come to checkpoints unequally often.
//!
//! In: threads as they come to checkpoints and to barriers. Out: to one of them, that all stand still, and where. The one idea is
//! that of recovery lines (C3 for OpenMP, §3): a checkpoint that is due is taken by each thread at its next checkpoint or at the
//! next barrier, whichever comes first. Before a barrier a thread says that it comes there, and by which count; who waits at a
//! checkpoint has come to no barrier meanwhile, so the barrier that comes next for it cannot open, and who is said to be there is
//! there:
//!
//! ```text
//! thread 0   ── barrier 1 ── work ── checkpoint: waits              has come to 1
//! thread 1   ── barrier 1 ── work ───────────────── barrier 2       has come to 2: stands still
//! thread 2   ── barrier 1 ── work ─────────────…                    has come to 1: on its way
//! ```
//!
//! A lock is like a checkpoint: a thread stops before it takes one. One that waits for a lock which another one holds that stands at a
//! checkpoint stands there, too.
//!
//! Constructs that hand out work once, to whoever comes (`single`, `sections`, loops that are not static), must be behind all
//! threads or none: their number is counted too. Nobody waits for ever (S52).

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a thread counts, where others see it.
pub trait Walker<T>: Send {
    /// To how many barriers it has come.
    fn barriers(&self) -> u64;
    /// How many constructs that hand out work it has begun.
    fn constructs(&self) -> u64;
    /// The place of the latest barrier or lock.
    fn latest(&self) -> T;
    /// It waits for a lock there.
    fn waits(&self) -> bool;
    /// It has to ask at its next checkpoint, or only when something is due.
    fn ask(&self, always: bool);
}

/// What a thread that has come to a checkpoint is told.
#[derive(Debug, PartialEq, Eq)]
pub enum Stop<T> {
    /// All stand still, by their numbers; this one says when it is done.
    All(Vec<T>),
    /// Another thread saw all stand still: this one does, until the round is done.
    Still(u64),
    /// A checkpoint was taken, or none.
    Over,
    /// To the one that had asked: this thread did not come in time.
    Late(usize),
    /// To the one that had asked: work that is handed out once is behind some threads only.
    Apart,
}

const POLL: Duration = Duration::from_micros(200);

/// The threads of one team.
pub struct Line<T>(Mutex<State<T>>, Condvar);

struct State<T> {
    members: Vec<Option<Box<dyn Walker<T>>>>,
    standing: Vec<Option<T>>,
    /// The thread that looks whether all stand still.
    leader: Option<usize>,
    /// It has seen that they do, and is at work.
    works: bool,
    round: u64,
}

enum Seen {
    All,
    OnTheWay(usize),
    Apart,
}

impl<T: Clone> Default for Line<T> {
    fn default() -> Line<T> {
        Line::new()
    }
}

impl<T: Clone> Line<T> {
    /// Without a team.
    pub const fn new() -> Line<T> {
        Line(Mutex::new(State::begin(1)), Condvar::new())
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A region is entered.
    pub fn begin(&self) {
        let mut state = self.lock();
        let round = state.round + 1;
        *state = State::begin(round);
    }

    /// A thread of so many has entered it.
    pub fn join(&self, number: usize, threads: usize, walker: Box<dyn Walker<T>>) {
        let mut state = self.lock();
        if state.members.len() != threads {
            state.members.resize_with(threads, || None);
            state.standing.resize_with(threads, || None);
        }
        walker.ask(state.leader.is_some());
        if let Some(free) = state.members.get_mut(number) {
            *free = Some(walker);
        }
    }

    /// Whether threads are asked to stop.
    pub fn is_forming(&self) -> bool {
        self.lock().leader.is_some()
    }

    /// The place of the latest barrier or lock of a thread.
    pub fn latest(&self, number: usize) -> Option<T> {
        let state = self.lock();
        let member = state.members.get(number).and_then(Option::as_ref);
        member.map(|one| one.latest())
    }

    /// A thread stands at a checkpoint. The first one waits for the others, so long at most, and takes it.
    pub fn stop(&self, number: usize, place: T, patience: Duration) -> Stop<T> {
        let mut state = self.lock();
        let round = state.round;
        if let Some(free) = state.standing.get_mut(number) {
            *free = Some(place);
        }
        if state.leader.is_none() {
            state.leader = Some(number);
            state.ask(true);
        }
        self.1.notify_all();
        if state.leader != Some(number) {
            return self.until(state, round);
        }
        let begun = Instant::now();
        loop {
            let told = match state.seen() {
                Seen::All => {
                    let standing = std::mem::take(&mut state.standing);
                    let all = { standing.into_iter().zip(&state.members) }
                        .filter_map(|(at, member)| at.or_else(|| Some(member.as_ref()?.latest())));
                    let all = all.collect();
                    state.works = true;
                    self.1.notify_all();
                    return Stop::All(all);
                }
                Seen::Apart => Some(Stop::Apart),
                Seen::OnTheWay(late) if begun.elapsed() > patience => Some(Stop::Late(late)),
                Seen::OnTheWay(_) => None,
            };
            if let Some(told) = told {
                state.end();
                self.1.notify_all();
                return told;
            }
            let waited = self.1.wait_timeout(state, POLL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// A thread stands at a checkpoint while another one waits for all to stand, but goes on with what changes nothing that is saved:
    /// the round. None where no other one waits.
    pub fn come(&self, number: usize, place: T) -> Option<u64> {
        let mut state = self.lock();
        state.leader.filter(|leader| *leader != number)?;
        if let Some(free) = state.standing.get_mut(number) {
            *free = Some(place);
        }
        self.1.notify_all();
        Some(state.round)
    }

    /// It waits until all stand, or the round is over.
    pub fn wait(&self, round: u64) -> Stop<T> {
        self.until(self.lock(), round)
    }

    fn until(&self, mut state: MutexGuard<'_, State<T>>, round: u64) -> Stop<T> {
        loop {
            if state.round != round {
                return Stop::Over;
            }
            if state.works {
                return Stop::Still(round);
            }
            state = (self.1.wait(state)).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A thread has waited for a lock, and has it: where it was seen to wait, it stands still until the round is done, as if it did
    /// not have it yet, and in all rounds that begin before it wakes. `over` tells others that it waits no more.
    pub fn waited(&self, over: impl FnOnce()) {
        let mut state = self.lock();
        while state.works {
            state = (self.1.wait(state)).unwrap_or_else(PoisonError::into_inner);
        }
        over();
    }

    /// The one that saw all stand still is done with a round: all go on.
    pub fn done(&self) -> u64 {
        let mut state = self.lock();
        let round = state.round;
        state.end();
        self.1.notify_all();
        round
    }
}

impl<T: Clone> State<T> {
    const fn begin(round: u64) -> State<T> {
        State {
            members: Vec::new(),
            standing: Vec::new(),
            leader: None,
            works: false,
            round,
        }
    }

    fn ask(&self, always: bool) {
        (self.members.iter().flatten()).for_each(|one| one.ask(always));
    }

    fn end(&mut self) {
        self.round += 1;
        self.leader = None;
        self.works = false;
        self.standing.clear();
        self.standing.resize_with(self.members.len(), || None);
        self.ask(false);
    }

    /// Where the threads are.
    fn seen(&self) -> Seen {
        let of = |number: usize| self.members.get(number).and_then(Option::as_ref);
        let Some(leader) = self.leader.and_then(of) else {
            return Seen::Apart;
        };
        let (barriers, constructs) = (leader.barriers(), leader.constructs());
        let mut is_apart = false;
        for (number, (member, standing)) in self.members.iter().zip(&self.standing).enumerate() {
            let Some(member) = member else {
                return Seen::OnTheWay(number);
            };
            // The count of barriers is read first: what a thread does before it counts one is seen then.
            // Who waits for a lock has come to no barrier either.
            let stands = standing.is_some() || member.waits();
            let expected = barriers + u64::from(!stands);
            if member.barriers() != expected {
                return Seen::OnTheWay(number);
            }
            is_apart |= member.constructs() != constructs;
        }
        match is_apart {
            true => Seen::Apart,
            false => Seen::All,
        }
    }
}
