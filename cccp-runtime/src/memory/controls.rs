//! What each thread of a region has of its own beside variables: what it has set for the regions and loops that it comes to, which
//! OpenMP keeps for each thread apart, and how it computes with floating-point numbers.
//!
//! A thread says what it has when it stands still for a checkpoint, because nobody else can ask. On restart it is told to every thread
//! before it continues. What threads set for regions in a region ends with it: behind the region is in force what was so before it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::floating::Floating;
use super::openmp::{Team, TeamControls, of_thread_in_region};
use super::signals::{set_blocked_signals, this_thread};

/// What one thread has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Controls {
    /// How loops are shared out, and how regions nest.
    pub regions: TeamControls,
    /// How many threads its regions have; none leaves that as it is.
    pub team: Option<Team>,
}

impl Controls {
    /// Puts it into force for the thread that calls.
    fn put(self) {
        self.regions.put();
        if let Some(team) = self.team {
            team.put();
        }
    }
}

/// What a thread that stands still has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfThread {
    /// Of OpenMP; none where that cannot be asked.
    pub controls: Option<Controls>,
    /// How it computes; none on a machine that is not known.
    pub floating: Option<Floating>,
    /// Its `errno`.
    pub error: i32,
}

impl OfThread {
    fn now(error: i32) -> OfThread {
        OfThread {
            controls: of_thread_in_region().map(|(regions, team)| Controls {
                regions,
                team: Some(team),
            }),
            floating: Floating::now(),
            error,
        }
    }
}

/// `errno` of the thread that calls.
pub fn error() -> i32 {
    // SAFETY: the place is the thread's own.
    unsafe { *libc::__errno_location() }
}

/// The same, from here on.
pub fn set_error(error: i32) {
    // SAFETY: as above.
    unsafe { *libc::__errno_location() = error };
}

/// What the machine and the kernel keep for one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Machine {
    /// None leaves it as it is.
    pub floating: Option<Floating>,
    /// None leaves them as they are.
    pub blocked: Option<u64>,
}

impl Machine {
    /// Puts it into force for the thread that calls. Inexact results are never kept, and stay as they are.
    fn put(self) {
        if let (Some(floating), Some(now)) = (self.floating, Floating::now()) {
            let floating = floating.with_inexact_of(now);
            if floating != now {
                floating.put();
            }
        }
        if let Some(blocked) = self.blocked {
            set_blocked_signals(blocked);
        }
    }
}

/// A thread that is in a region.
struct Slot {
    /// What the kernel calls it.
    kernel: u32,
    said: Mutex<Option<OfThread>>,
}

thread_local! {
    /// This thread's own, and what it said last.
    static OWN: RefCell<Option<(Arc<Slot>, Option<OfThread>)>> = const { RefCell::new(None) };
}

type Later<T> = BTreeMap<u64, T>;

/// Those of this region have its number, and so has the table; what earlier ones have left stays for the next.
type Numbered = (u64, Later<(u64, Arc<Slot>)>);

static THREADS: Mutex<Numbered> = Mutex::new((0, Later::new()));
static TO_PUT: Mutex<Later<Controls>> = Mutex::new(Later::new());
/// The second is for threads that are not among the first.
static MACHINES: Mutex<(Later<Machine>, Machine)> = Mutex::new((
    Later::new(),
    Machine {
        floating: None,
        blocked: None,
    },
));
static OUTSIDE: Mutex<Option<Controls>> = Mutex::new(None);
/// The same of threads that have entered a region inside of the outermost one, by [`key`].
static AROUND: Mutex<Later<Controls>> = Mutex::new(Later::new());
/// None where the checkpoint does not tell.
static ERRORS: Mutex<Option<Later<i32>>> = Mutex::new(None);
static IS_TO_PUT: AtomicBool = AtomicBool::new(false);

fn lock<T>(table: &Mutex<T>) -> MutexGuard<'_, T> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The thread that calls has entered the region, and is called so there.
pub fn join(thread: u64) {
    let slot = OWN.with_borrow_mut(|own| {
        let new = || {
            let (kernel, said) = (this_thread(), Mutex::new(None));
            (Arc::new(Slot { kernel, said }), None)
        };
        let (slot, last) = own.get_or_insert_with(new);
        if last.take().is_some() {
            *lock(&slot.said) = None;
        }
        Arc::clone(slot)
    });
    let (region, threads) = &mut *lock(&THREADS);
    match threads.get_mut(&thread) {
        Some((number, known)) if Arc::ptr_eq(known, &slot) => *number = *region,
        _ => drop(threads.insert(thread, (*region, slot))),
    }
}

/// The thread that calls stands still, or waits, and `errno` was this where it came. Nothing is locked where it has said the same
/// before.
pub fn note(error: i32) {
    OWN.with_borrow_mut(|own| {
        let Some((slot, last)) = own else {
            return;
        };
        let now = OfThread::now(error);
        if last.as_ref() != Some(&now) {
            *lock(&slot.said) = Some(now.clone());
            *last = Some(now);
        }
    });
}

/// The thread that calls has left its team, and is called so no more.
pub fn part(thread: u64) {
    lock(&THREADS).1.remove(&thread);
}

/// What a thread had where it entered a region, in so many others inside of the outermost one; none where that cannot be told apart.
fn key(thread: u64, depth: usize) -> Option<u64> {
    const DEPTHS: u32 = 8;
    let depth = u64::try_from(depth + 1).ok()?;
    let fits = depth < 1 << DEPTHS && thread < 1 << (u64::BITS - DEPTHS);
    fits.then_some(thread | depth << (u64::BITS - DEPTHS))
}

/// The thread that calls enters a region inside of the outermost one, and of so many others: what it has now is in force again behind it.
pub fn enclose(thread: u64, depth: usize) {
    let now = of_thread_in_region();
    if let (Some(key), Some((regions, team))) = (key(thread, depth), now) {
        let team = Some(team);
        lock(&AROUND).insert(key, Controls { regions, team });
    }
}

/// It has left it.
pub fn open_up(thread: u64, depth: usize) {
    let Some(key) = key(thread, depth) else {
        return;
    };
    lock(&AROUND).remove(&key);
    let found = lock(&TO_PUT).remove(&key);
    if let Some(controls) = found {
        controls.put();
    }
}

/// What threads have had that are in regions inside of the outermost one.
pub fn around() -> BTreeMap<u64, Controls> {
    lock(&AROUND).clone()
}

/// What the threads of this region have said, each with what the kernel calls it.
pub fn noted() -> BTreeMap<u64, (u32, OfThread)> {
    let (region, threads) = &*lock(&THREADS);
    let here = threads.iter().filter(|(_, (number, _))| number == region);
    let said = here.filter_map(|(thread, (_, slot))| {
        let said = lock(&slot.said).clone()?;
        Some((*thread, (slot.kernel, said)))
    });
    said.collect()
}

/// The thread that calls enters a region: what it has now is in force again behind it.
pub fn enter() {
    lock(&THREADS).0 += 1;
    *lock(&OUTSIDE) = of_thread_in_region().map(|(regions, team)| Controls {
        regions,
        team: Some(team),
    });
}

/// What was in force where the region was entered in which threads are; none outside of regions.
pub fn outside() -> Option<Controls> {
    lock(&OUTSIDE).clone()
}

/// A restart ends in a region: outside of it this was in force, where it is known, and is again behind it.
pub fn put_behind(regions: Option<TeamControls>, team: Option<Team>) {
    if let Some(outside) = lock(&OUTSIDE).as_mut() {
        outside.regions = regions.unwrap_or(outside.regions);
        outside.team = team.or(outside.team.take());
        IS_TO_PUT.store(true, Ordering::Relaxed);
    }
}

/// The thread that calls has left the region.
pub fn leave() {
    lock(&THREADS).0 += 1;
    lock(&AROUND).clear();
    let outside = lock(&OUTSIDE).take();
    if IS_TO_PUT.swap(false, Ordering::Relaxed)
        && let Some(outside) = outside
    {
        outside.put();
    }
}

/// Each of these threads puts into force what it had, when it continues.
pub fn put_later(all: BTreeMap<u64, Controls>) {
    for (key, one) in lock(&AROUND).iter_mut() {
        if let Some(found) = all.get(key) {
            one.clone_from(found);
        }
    }
    *lock(&TO_PUT) = all;
}

/// The same of what the machine and the kernel keep; all other threads get `others`.
pub fn put_machines_later(all: BTreeMap<u64, Machine>, others: Machine) {
    *lock(&MACHINES) = (all, others);
}

/// Each of these threads has this `errno` when it continues, and all others 0.
pub fn put_errors_later(all: BTreeMap<u64, i32>) {
    *lock(&ERRORS) = Some(all);
}

/// The thread that calls continues.
pub fn error_again(thread: u64) {
    if let Some(all) = lock(&ERRORS).as_ref() {
        set_error(all.get(&thread).copied().unwrap_or(0));
    }
}

/// The thread that calls puts it into force. The initial one has what the machine keeps from the session.
pub fn put_again(thread: u64) {
    let found = lock(&TO_PUT).remove(&thread);
    if let Some(controls) = found {
        controls.put();
    }
    if thread != 0 {
        let (all, others) = &*lock(&MACHINES);
        all.get(&thread).unwrap_or(others).put();
    }
}
