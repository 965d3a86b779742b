//! Who holds which lock of OpenMP, in programs that tell when they take locks and give them back; and which locks of any kind there
//! are, in those that tell when they initialise them.
//!
//! In: locks by their addresses, and numbers of threads. Out: the holders at a checkpoint; and on restart which locks a thread has to
//! take before the program goes on. OpenMP alone knows who waits for one: nobody here asks.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A thread that holds a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Its number in the team.
    pub thread: u64,
    /// How often it has taken it, if it is a nestable one.
    pub count: u64,
}

/// A lock that a thread takes before the program goes on after a restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToTake {
    /// Where it is.
    pub address: usize,
    /// It is a nestable one.
    pub is_nested: bool,
    /// Who takes it, and how often.
    pub holder: Holder,
}

static HOLDERS: Mutex<BTreeMap<usize, Holder>> = Mutex::new(BTreeMap::new());
static TO_TAKE: Mutex<BTreeMap<usize, ToTake>> = Mutex::new(BTreeMap::new());
/// The types of locks that the program has initialised, in programs that tell it.
static MADE: Mutex<BTreeMap<usize, &'static str>> = Mutex::new(BTreeMap::new());
static ARE_MADE: AtomicBool = AtomicBool::new(false);
static ARE_NOTED: AtomicBool = AtomicBool::new(false);

fn lock<T>(all: &Mutex<T>) -> MutexGuard<'_, T> {
    all.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the program tells when it takes locks.
pub fn are_noted() -> bool {
    ARE_NOTED.load(Ordering::SeqCst)
}

/// Whether locks of this type are told.
pub fn is_noted_type(name: &str) -> bool {
    name == "omp_lock_t" || is_nested_type(name)
}

/// Whether a thread may take a lock of this type again that it holds.
pub fn is_nested_type(name: &str) -> bool {
    name == "omp_nest_lock_t"
}

/// A thread has taken a lock.
pub fn taken(address: usize, thread: u64) {
    ARE_NOTED.store(true, Ordering::SeqCst);
    let mut all = lock(&HOLDERS);
    let holder = all.entry(address).or_insert(Holder { thread, count: 0 });
    holder.count += 1;
}

/// A thread gives a lock back, once.
pub fn given_back(address: usize) {
    let mut all = lock(&HOLDERS);
    if let Some(holder) = all.get_mut(&address) {
        holder.count -= 1;
        if holder.count == 0 {
            all.remove(&address);
        }
    }
}

/// A lock is none any more.
pub fn ended(address: usize) {
    lock(&HOLDERS).remove(&address);
    lock(&MADE).remove(&address);
}

/// There is a lock of this type now.
pub fn made(address: usize, kind: &'static str) {
    ARE_MADE.store(true, Ordering::SeqCst);
    lock(&MADE).insert(address, kind);
}

/// The locks there, which the program has initialised: where they lie, and their types.
pub fn made_in(memory: Range<usize>) -> Vec<(usize, &'static str)> {
    let all = lock(&MADE);
    all.range(memory).map(|(&at, &kind)| (at, kind)).collect()
}

/// Whether a nestable lock lies there.
pub fn is_nested_at(address: usize) -> bool {
    let all = lock(&MADE);
    all.get(&address).is_some_and(|kind| is_nested_type(kind))
}

/// Whether the program tells when it initialises locks, and has done so.
pub fn are_made() -> bool {
    ARE_MADE.load(Ordering::Relaxed)
}

/// There is no lock any more in this memory.
pub fn forget(memory: Range<usize>) {
    lock(&MADE).retain(|at, _| !memory.contains(at));
    lock(&HOLDERS).retain(|at, _| !memory.contains(at));
}

/// All that hold one.
pub fn all() -> BTreeMap<usize, Holder> {
    lock(&HOLDERS).clone()
}

/// A lock is to be taken when the restart ends.
pub fn take_later(one: ToTake) {
    lock(&TO_TAKE).insert(one.address, one);
}

/// How many are to be taken.
pub fn how_many_to_take() -> usize {
    lock(&TO_TAKE).len()
}

/// Whether some are to be taken.
pub fn are_to_take() -> bool {
    !lock(&TO_TAKE).is_empty()
}

/// Those that a thread has to take.
pub fn to_take(thread: u64) -> Vec<ToTake> {
    let all = lock(&TO_TAKE);
    let own = all.values().filter(|one| one.holder.thread == thread);
    own.copied().collect()
}

/// All have taken theirs.
pub fn all_taken() {
    lock(&TO_TAKE).clear();
}
