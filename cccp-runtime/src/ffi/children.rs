//! Processes that the program starts and waits for itself: a command whose output it reads, a helper.
//!
//! A restart has none of them, so no checkpoint is taken while one is there, or has not been waited for. The precompiler has the
//! program call these functions where it has no directives of its own.

use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicBool, Ordering};

use super::state::{KeepsErrno, Outcome, attempt};
use crate::memory::children;
use crate::session::Session;
use crate::tool::say;

/// It has been said that checkpoints wait for them.
static TOLD: AtomicBool = AtomicBool::new(false);

/// Whether no checkpoint can be taken now because a process that the program has started is there, or has not been waited for; says so
/// the first time. Ranks take their checkpoints together: none of them waits for a process of its own (see
/// [`Session::checkpoint`](crate::session::Session::checkpoint)).
pub fn are_awaited() -> bool {
    let _errno = KeepsErrno::new();
    if children::is_one() {
        return true;
    }
    if !children::are_there() {
        return false;
    }
    let is_alone = |session: &mut Session| Ok(session.group.size() == 1);
    let waits = !matches!(attempt(is_alone), Outcome::Done(false));
    if waits && !TOLD.swap(true, Ordering::Relaxed) {
        say(
            None,
            "a checkpoint waits for a process that the program has started (`popen`, `fork`, `vfork`) to end and to be waited for: a restart \
             would not have it",
        );
    }
    waits
}

/// One is about to be started.
fn note() {
    let _errno = KeepsErrno::new();
    children::note(!matches!(attempt(|_| Ok(())), Outcome::Nobody));
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
        children::note_being_one();
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
