//! What each thread of a region has set for the regions and loops that it comes to: OpenMP keeps that for each of them apart.
//!
//! A thread says what it has when it stands still for a checkpoint, because nobody else can ask. On restart it is told to every thread
//! before it continues. What threads set in a region ends with it: behind the region is in force what was so before it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::openmp::{Team, TeamControls, of_thread_in_region};

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

type Noted = BTreeMap<u64, Controls>;

static NOTED: Mutex<Noted> = Mutex::new(Noted::new());
static TO_PUT: Mutex<Noted> = Mutex::new(Noted::new());
static OUTSIDE: Mutex<Option<Controls>> = Mutex::new(None);
static IS_TO_PUT: AtomicBool = AtomicBool::new(false);

fn lock<T>(table: &'static Mutex<T>) -> MutexGuard<'static, T> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The thread that calls stands still, or waits.
pub fn note(thread: u64) {
    if let Some((regions, team)) = of_thread_in_region() {
        let team = Some(team);
        lock(&NOTED).insert(thread, Controls { regions, team });
    }
}

/// What the threads of this region have said.
pub fn noted() -> BTreeMap<u64, Controls> {
    lock(&NOTED).clone()
}

/// The thread that calls enters a region: what it has now is in force again behind it.
pub fn enter() {
    lock(&NOTED).clear();
    let regions = TeamControls::now();
    *lock(&OUTSIDE) = regions.map(|regions| Controls {
        regions,
        team: Team::of_this_thread(),
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
    lock(&NOTED).clear();
    let outside = lock(&OUTSIDE).take();
    if IS_TO_PUT.swap(false, Ordering::Relaxed)
        && let Some(outside) = outside
    {
        outside.put();
    }
}

/// Each of these threads puts into force what it had, when it continues.
pub fn put_later(all: BTreeMap<u64, Controls>) {
    *lock(&TO_PUT) = all;
}

/// The thread that calls puts it into force.
pub fn put_again(thread: u64) {
    let found = lock(&TO_PUT).remove(&thread);
    if let Some(controls) = found {
        controls.put();
    }
}
