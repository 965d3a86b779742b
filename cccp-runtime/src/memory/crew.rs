//! Threads that stand still and copy meanwhile.
//!
//! In: work in parts, of the thread that takes a checkpoint or ends a restart. Out: all parts done, by it and by the threads of
//! its team that lend themselves. Each thread has parts of its own, the same in every round, so that memory which one of them
//! touches first is near to it; who is done takes what others have left, unless each part is for its thread.
//!
//! A thread that lends itself does nothing else until the round is over; none has to.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The work of one call: which part it is.
type Work<'a> = dyn Fn(usize) + Sync + 'a;

/// The threads of one team.
#[derive(Debug, Default)]
pub struct Crew {
    state: Mutex<State>,
    changed: Condvar,
    /// Of each thread: the next part that is left of its own, and the end of these.
    left: Mutex<Vec<(usize, usize)>>,
    /// Parts that are not finished.
    open: AtomicUsize,
}

#[derive(Default)]
struct State {
    /// Up to this round all is over.
    over: u64,
    work: Option<&'static Work<'static>>,
    /// Nobody takes parts of others.
    is_strict: bool,
    /// Each piece of work has another number.
    batch: u64,
    /// Threads that lend themselves and use `work`.
    active: usize,
    /// A part was not done.
    failed: bool,
}

impl std::fmt::Debug for State {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "round {}, batch {}", self.over, self.batch)
    }
}

/// The parts `first..end` of thread `number` when `threads` threads share `parts`.
fn own(number: usize, threads: usize, parts: usize) -> (usize, usize) {
    let from = |number: usize| parts * number / threads.max(1);
    (from(number), from(number + 1))
}

impl Crew {
    /// Of nobody.
    pub const fn new() -> Crew {
        Crew {
            state: Mutex::new(State {
                over: 0,
                work: None,
                is_strict: false,
                batch: 0,
                active: 0,
                failed: false,
            }),
            changed: Condvar::new(),
            left: Mutex::new(Vec::new()),
            open: AtomicUsize::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread lends itself until round `round` is over.
    pub fn lend(&self, number: usize, round: u64) {
        let mut state = self.lock();
        let mut done = 0;
        while state.over < round {
            let Some(work) = state.work.filter(|_| state.batch != done) else {
                state = (self.changed.wait(state)).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            done = state.batch;
            state.active += 1;
            let is_strict = state.is_strict;
            drop(state);
            let finished = catch_unwind(AssertUnwindSafe(|| self.take(number, is_strict, work)));
            state = self.lock();
            state.active -= 1;
            state.failed |= finished.is_err();
            self.changed.notify_all();
        }
    }

    /// Does `work` for `parts` parts. `number` is the thread that calls, of `threads`; strictly: each part by its own thread, which
    /// must lend itself.
    ///
    /// # Panics
    ///
    /// When a part panicked.
    pub fn share(
        &self,
        (number, threads): (usize, usize),
        parts: usize,
        strict: bool,
        work: &Work<'_>,
    ) {
        {
            let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
            left.clear();
            left.extend((0..threads.max(1)).map(|one| own(one, threads, parts)));
            self.open.store(parts, Ordering::SeqCst);
        }
        {
            let mut state = self.lock();
            // SAFETY: only the lifetime is another. `work` is called by this thread, below, and by those counted in `active`, which
            // is 0 when this function ends; nobody finds it later.
            state.work =
                Some(unsafe { std::mem::transmute::<&Work<'_>, &'static Work<'static>>(work) });
            state.is_strict = strict;
            state.batch += 1;
            state.failed = false;
        }
        self.changed.notify_all();
        let finished = catch_unwind(AssertUnwindSafe(|| self.take(number, strict, work)));
        let mut state = self.lock();
        while state.active > 0
            || strict && !state.failed && finished.is_ok() && self.open.load(Ordering::SeqCst) > 0
        {
            state = (self.changed.wait(state)).unwrap_or_else(PoisonError::into_inner);
        }
        state.work = None;
        let failed = state.failed || finished.is_err();
        drop(state);
        assert!(!failed, "a part of a copy was not made");
    }

    /// The threads that lend themselves for this round go on.
    pub fn over(&self, round: u64) {
        let mut state = self.lock();
        state.over = state.over.max(round);
        drop(state);
        self.changed.notify_all();
    }

    /// One part after the other, as long as there are some for this thread.
    fn take(&self, number: usize, is_strict: bool, work: &Work<'_>) {
        while let Some(part) = self.next(number, is_strict) {
            work(part);
            self.open.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// The next part for a thread: of its own, else the last one of whoever has most.
    fn next(&self, number: usize, is_strict: bool) -> Option<usize> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((first, end)) = left.get_mut(number)
            && first < end
        {
            *first += 1;
            return Some(*first - 1);
        }
        let most = left.iter_mut().max_by_key(|(first, end)| end - first);
        let (first, end) = most.filter(|_| !is_strict)?;
        if first >= end {
            return None;
        }
        *end -= 1;
        Some(*end)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::thread::{self, ThreadId};

    use super::*;

    /// Who did which part, of three threads of which the first shares.
    fn who(parts: usize, strict: bool, lending: &[usize]) -> HashMap<usize, ThreadId> {
        let crew = Crew::new();
        let done = Mutex::new(HashMap::new());
        thread::scope(|scope| {
            for &number in lending {
                let crew = &crew;
                scope.spawn(move || crew.lend(number, 1));
            }
            let work = |part| {
                let before = done.lock().unwrap().insert(part, thread::current().id());
                assert_eq!(before, None, "part {part} was done twice");
            };
            crew.share((0, 3), parts, strict, &work);
            crew.over(1);
        });
        done.into_inner().unwrap()
    }

    #[test]
    fn every_part_is_done_once_whoever_lends_itself() {
        for lending in [&[][..], &[1], &[2, 1]] {
            for parts in [0, 1, 2, 3, 50] {
                assert_eq!(who(parts, false, lending).len(), parts, "{lending:?}");
            }
        }
    }

    #[test]
    fn strictly_each_thread_does_its_own_parts() {
        let done = who(30, true, &[1, 2]);
        assert_eq!(done.len(), 30);
        for third in [0..10, 10..20, 20..30] {
            let threads: Vec<ThreadId> = third.map(|part| done[&part]).collect();
            assert!(threads.windows(2).all(|pair| pair[0] == pair[1]));
        }
        assert!(done[&0] != done[&10] && done[&10] != done[&20] && done[&0] != done[&20]);
    }

    #[test]
    fn who_comes_when_a_round_is_over_goes_on_at_once() {
        let crew = Crew::new();
        crew.over(4);
        crew.lend(1, 4);
    }

    #[test]
    fn a_part_that_fails_is_told_to_the_one_who_shares() {
        let crew = Crew::new();
        let failing = |part: usize| assert!(part != 7, "this part fails on purpose");
        let shared = catch_unwind(AssertUnwindSafe(|| {
            thread::scope(|scope| {
                scope.spawn(|| crew.lend(1, 1));
                let told = catch_unwind(AssertUnwindSafe(|| crew.share((0, 2), 8, true, &failing)));
                crew.over(1);
                assert!(told.is_err());
            });
        }));
        assert!(shared.is_ok());
        crew.share((0, 1), 3, false, &|_| {});
    }
}
