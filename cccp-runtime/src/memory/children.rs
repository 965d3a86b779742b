//! Which processes of the program are there: those that it has started and not waited for.
//!
//! In: that it is about to start one, and that this process is one. Out: whether one is there. Those that are there before the run
//! begins are what the program starts in each run.

use std::sync::atomic::{AtomicBool, Ordering};

/// The program has started a process since its run began, and none before.
static STARTED: AtomicBool = AtomicBool::new(false);

/// It has started one before.
static BEFORE: AtomicBool = AtomicBool::new(false);

/// This is such a process.
static IS_ONE: AtomicBool = AtomicBool::new(false);

/// Before it has started any there was one of somebody else: of a launcher of MPI that a process without one starts for itself.
static OF_OTHERS: AtomicBool = AtomicBool::new(false);

/// One is about to be started, in a run that has begun or not. Changes `errno`.
pub fn note(has_begun: bool) {
    if has_begun && !STARTED.load(Ordering::Relaxed) {
        OF_OTHERS.store(has_any(false), Ordering::Relaxed);
    }
    let noted = match has_begun {
        true => &STARTED,
        false => &BEFORE,
    };
    noted.store(true, Ordering::Relaxed);
}

/// This process is one.
pub fn note_being_one() {
    IS_ONE.store(true, Ordering::Relaxed);
}

/// Whether this process is one: in it there are no checkpoints.
pub fn is_one() -> bool {
    IS_ONE.load(Ordering::Relaxed)
}

/// Whether one is there that the program has started since its run began, or has not been waited for.
pub fn are_there() -> bool {
    let may_be = STARTED.load(Ordering::Relaxed) && !BEFORE.load(Ordering::Relaxed);
    may_be && has_any(OF_OTHERS.load(Ordering::Relaxed))
}

/// Whether this process has any, also those that have ended and were not waited for; or any in its process group, in which a launcher's
/// are not. Changes `errno`.
fn has_any(in_group: bool) -> bool {
    let which = match in_group {
        // SAFETY: nothing is asked of it.
        true => (libc::P_PGID, unsafe { libc::getpgrp() }),
        false => (libc::P_ALL, 0),
    };
    // SAFETY: all zeros are one of its values.
    let mut one: libc::siginfo_t = unsafe { std::mem::zeroed() };
    let how = libc::WEXITED | libc::WSTOPPED | libc::WCONTINUED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: the place is there; nothing is taken away from the program's own waiting.
    unsafe { libc::waitid(which.0, which.1 as libc::id_t, &raw mut one, how) == 0 }
}
