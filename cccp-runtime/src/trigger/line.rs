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
//! With teams inside of others the same holds in each of them: the thread that entered an inner one stands for all of its threads, and at
//! the count of barriers that it had before. One of each team stands at a checkpoint, so none of its barriers can open.
//!
//! A lock is like a checkpoint: a thread stops before it takes one. One that waits for a lock which another one holds that stands at a
//! checkpoint stands there, too.
//!
//! Constructs that hand out work once, to whoever comes (`single`, `sections`, loops that are not static), must be behind all
//! threads or none: their number is counted too. Nobody waits for ever (S52).

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::member::Inside;

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

/// The threads of one team, and of those inside of it.
pub struct Line<T>(Mutex<State<T>>, Condvar);

struct Member<T> {
    walker: Box<dyn Walker<T>>,
    standing: Option<T>,
}

/// To how many barriers and constructs of the team around a thread had come when it entered a region.
type Before = [u64; 2];

struct State<T> {
    /// Of the outermost team.
    threads: usize,
    members: BTreeMap<usize, Member<T>>,
    /// The teams inside of others, by who entered them and their levels: how many threads, and what that one had come to before; none
    /// until it has entered itself.
    inner: BTreeMap<(usize, usize), (usize, Option<Before>)>,
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
        state.threads = threads;
        state.add(number, walker);
    }

    /// The thread of this number enters a team inside of another one. The one that stays the same has come to nothing there yet: `before`
    /// says what it had come to.
    pub fn enter(
        &self,
        (inside, number): (Inside, usize),
        walker: Box<dyn Walker<T>>,
        before: impl FnOnce() -> Before,
    ) {
        let mut state = self.lock();
        let key = (inside.parent, inside.level);
        let found = state.inner.entry(key).or_insert((inside.threads, None));
        if number == 0 {
            found.1 = Some(before());
        }
        state.add(inside.member(number), walker);
    }

    /// It leaves that team. The one that had entered it has come to what it had come to before.
    pub fn leave(&self, (inside, number): (Inside, usize), back: impl FnOnce(Before)) {
        let mut state = self.lock();
        if number != 0 {
            state.members.remove(&inside.member(number));
        } else if let Some((_, Some(before))) = state.inner.remove(&(inside.parent, inside.level)) {
            back(before);
        }
    }

    /// How many threads have lower numbers.
    pub fn ordinal(&self, number: usize) -> usize {
        self.lock().members.range(..number).count()
    }

    /// Whether threads are asked to stop.
    pub fn is_forming(&self) -> bool {
        self.lock().leader.is_some()
    }

    /// The place of the latest barrier or lock of a thread.
    pub fn latest(&self, number: usize) -> Option<T> {
        let state = self.lock();
        state.members.get(&number).map(|one| one.walker.latest())
    }

    /// A thread stands at a checkpoint. The first one waits for the others, so long at most, and takes it.
    pub fn stop(&self, number: usize, place: T, patience: Duration) -> Stop<T> {
        let mut state = self.lock();
        let round = state.round;
        if let Some(member) = state.members.get_mut(&number) {
            member.standing = Some(place);
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
                    let all = state.members.values_mut();
                    let all = all
                        .map(|one| one.standing.take().unwrap_or_else(|| one.walker.latest()))
                        .collect();
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
        if let Some(member) = state.members.get_mut(&number) {
            member.standing = Some(place);
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
            threads: 0,
            members: BTreeMap::new(),
            inner: BTreeMap::new(),
            leader: None,
            works: false,
            round,
        }
    }

    fn add(&mut self, number: usize, walker: Box<dyn Walker<T>>) {
        walker.ask(self.leader.is_some());
        let standing = None;
        self.members.insert(number, Member { walker, standing });
    }

    fn ask(&self, always: bool) {
        self.members.values().for_each(|one| one.walker.ask(always));
    }

    fn end(&mut self) {
        self.round += 1;
        self.leader = None;
        self.works = false;
        self.members
            .values_mut()
            .for_each(|one| one.standing = None);
        self.ask(false);
    }

    /// Where the threads are.
    fn seen(&self) -> Seen {
        if { self.leader }.is_none_or(|leader| !self.members.contains_key(&leader)) {
            return Seen::Apart;
        }
        let outermost = Inside {
            parent: 0,
            level: 0,
            threads: self.threads,
        };
        let mut is_apart = false;
        match self.team(outermost, &mut is_apart) {
            Err(number) => Seen::OnTheWay(number),
            Ok(()) if is_apart => Seen::Apart,
            Ok(()) => Seen::All,
        }
    }

    /// Whether the threads of a team stand still, with all teams inside; else one that is on its way.
    fn team(&self, team: Inside, is_apart: &mut bool) -> Result<(), usize> {
        let mut all = Vec::with_capacity(team.threads);
        for number in 0..team.threads {
            let number = team.member(number);
            let level = team.level + 1;
            let one = match self.inner.get(&(number, level)) {
                Some(&(threads, Some([barriers, constructs]))) => {
                    let inside = Inside {
                        parent: number,
                        level,
                        threads,
                    };
                    self.team(inside, is_apart)?;
                    (true, barriers, constructs)
                }
                _ => {
                    let Member { walker, standing } = self.members.get(&number).ok_or(number)?;
                    // The count of barriers is read first: what a thread does before it counts one is seen then.
                    // Who waits for a lock has come to no barrier either.
                    let stands = standing.is_some() || walker.waits();
                    (stands, walker.barriers(), walker.constructs())
                }
            };
            all.push((number, one));
        }
        let stands = all.iter().find(|(_, (stands, ..))| *stands);
        // Where nobody does, the barrier opens to which all have come.
        let &(_, (_, barriers, constructs)) = stands.ok_or(team.parent)?;
        for (number, (stands, come_to, begun)) in all {
            if come_to != barriers + u64::from(!stands) {
                return Err(number);
            }
            *is_apart |= begun != constructs;
        }
        Ok(())
    }
}
