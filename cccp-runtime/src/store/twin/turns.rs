//! Ranks that work on a disk at the same time, in an order that is known.
//!
//! Each rank is a thread, one of them runs at a time, and the plan says after how many operations it is the next one's
//! turn. A rank keeps its turn until it comes to the operation that is no longer its own, so what it does between two
//! operations is in order as well. Every interleaving can be had, and the same one again.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};

/// Whose turn it is.
#[derive(Debug)]
pub(crate) struct Turns {
    now: Mutex<Now>,
    changed: Condvar,
}

#[derive(Debug)]
struct Now {
    rank: usize,
    left: u64,
    plan: VecDeque<u64>,
    working: Vec<bool>,
}

impl Now {
    fn pass(&mut self) {
        let size = self.working.len();
        let others = (1..=size).map(|step| (self.rank + step) % size);
        let next = others.into_iter().find(|&rank| self.working[rank]);
        self.rank = next.unwrap_or(self.rank);
        self.left = self.plan.pop_front().unwrap_or(u64::MAX);
    }
}

impl Turns {
    /// The first rank begins, with the first number of operations; after the last number there is no change any more,
    /// until a rank has finished.
    pub(crate) fn new(size: usize, plan: &[u64]) -> Arc<Turns> {
        let mut plan: VecDeque<u64> = plan.iter().copied().collect();
        let left = plan.pop_front().unwrap_or(u64::MAX);
        let working = vec![true; size];
        let now = Now {
            rank: 0,
            left,
            plan,
            working,
        };
        Arc::new(Turns {
            now: Mutex::new(now),
            changed: Condvar::new(),
        })
    }

    /// Takes part as a rank, until the result is dropped.
    pub(crate) fn of(&self, rank: usize) -> Turn<'_> {
        Turn { turns: self, rank }
    }

    /// Waits for the turn of this rank and uses up one operation of it.
    pub(super) fn wait(&self, rank: usize) {
        let mut now = self.now.lock().unwrap();
        while now.rank != rank || now.left == 0 {
            if now.rank == rank {
                now.pass();
                self.changed.notify_all();
            } else {
                now = self.changed.wait(now).unwrap();
            }
        }
        now.left -= 1;
    }
}

/// A rank that takes part.
pub(crate) struct Turn<'a> {
    turns: &'a Turns,
    rank: usize,
}

impl Turn<'_> {
    /// Waits until it is this rank's turn; counts as an operation.
    pub(crate) fn wait(&self) {
        self.turns.wait(self.rank);
    }
}

impl Drop for Turn<'_> {
    /// This rank does nothing any more.
    fn drop(&mut self) {
        let mut now = self.turns.now.lock().unwrap();
        now.working[self.rank] = false;
        if now.rank == self.rank {
            now.pass();
        }
        self.turns.changed.notify_all();
    }
}
