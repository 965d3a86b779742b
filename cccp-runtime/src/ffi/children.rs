//! Processes that the program starts and waits for itself: a command whose output it reads, a helper.
//!
//! A restart has none of them, so no checkpoint is taken while one is there, or has not been waited for. The precompiler has the
//! program call these functions where it has no directives of its own. Those that are there before the run begins are what the
//! program starts in each run.

use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicBool, Ordering};

use super::state::{KeepsErrno, Outcome, attempt};
use crate::tool::say;

/// The program has started a process since its run began, and none before.
static STARTED: AtomicBool = AtomicBool::new(false);

/// It has started one before.
static BEFORE: AtomicBool = AtomicBool::new(false);

/// This is such a process.
static IS_ONE: AtomicBool = AtomicBool::new(false);

/// It has been said that checkpoints wait for them.
static TOLD: AtomicBool = AtomicBool::new(false);

/// Whether a process that the program has started is there, or has not been waited for; says so the first time. In such a process
/// itself there are no checkpoints.
pub fn are_there() -> bool {
    if IS_ONE.load(Ordering::Relaxed) {
        return true;
    }
    let are_there =
        STARTED.load(Ordering::Relaxed) && !BEFORE.load(Ordering::Relaxed) && has_children();
    if are_there && !TOLD.swap(true, Ordering::Relaxed) {
        say(
            None,
            "a checkpoint waits for a process that the program has started (`popen`, `fork`, `vfork`) to end and to be waited for: a restart \
             would not have it",
        );
    }
    are_there
}

/// Whether this process has any, also those that have ended and were not waited for.
fn has_children() -> bool {
    let _errno = KeepsErrno::new();
    // SAFETY: all zeros are one of its values.
    let mut one: libc::siginfo_t = unsafe { std::mem::zeroed() };
    let how = libc::WEXITED | libc::WSTOPPED | libc::WCONTINUED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: the place is there; nothing is taken away from the program's own waiting.
    unsafe { libc::waitid(libc::P_ALL, 0, &raw mut one, how) == 0 }
}

/// One is about to be started.
fn note() {
    let _errno = KeepsErrno::new();
    let has_begun = !matches!(attempt(|_| Ok(())), Outcome::Nobody);
    let noted = match has_begun {
        true => &STARTED,
        false => &BEFORE,
    };
    noted.store(true, Ordering::Relaxed);
}

/// `popen`
///
/// # Safety
///
/// As for the function of POSIX.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_popen(
    command: *const c_char,
    mode: *const c_char,
) -> *mut libc::FILE {
    note();
    // SAFETY: the promise of the caller.
    unsafe { libc::popen(command, mode) }
}

/// `fork`
///
/// # Safety
///
/// As for the function of POSIX.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_fork() -> c_int {
    note();
    // SAFETY: the promise of the caller.
    let process = unsafe { libc::fork() };
    if process == 0 {
        IS_ONE.store(true, Ordering::Relaxed);
    }
    process
}

/// `vfork`, as a `fork`: its child may do nothing but end or become another program, so nobody sees that it has memory of its own.
///
/// # Safety
///
/// As for the function of POSIX.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_vfork() -> c_int {
    // SAFETY: the promise of the caller.
    unsafe { cccp_fork() }
}
