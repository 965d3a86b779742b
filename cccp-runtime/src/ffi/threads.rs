//! Threads that the program makes and joins itself.
//!
//! A restart has none of them, so no checkpoint is taken while one is there, or waits to be joined. The precompiler has the
//! program call these functions where it joins all that it makes.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::tool::say;

/// How many threads are made and not joined.
static THERE: AtomicUsize = AtomicUsize::new(0);

/// It has been said that checkpoints wait for threads.
static TOLD: AtomicBool = AtomicBool::new(false);

/// Whether a thread of the program is there, or has not been joined; says so the first time.
pub fn are_there() -> bool {
    let there = THERE.load(Ordering::SeqCst);
    if there > 0 && !TOLD.swap(true, Ordering::Relaxed) {
        say(
            None,
            &format!(
                "a checkpoint waits for {there} thread{} of the program to be joined: a restart would not have {}",
                if there == 1 { "" } else { "s" },
                if there == 1 { "it" } else { "them" }
            ),
        );
    }
    there > 0
}

/// `pthread_create`
///
/// # Safety
///
/// As for the function of POSIX.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_pthread_create(
    thread: *mut libc::pthread_t,
    attributes: *const libc::pthread_attr_t,
    start: extern "C" fn(*mut c_void) -> *mut c_void,
    argument: *mut c_void,
) -> c_int {
    THERE.fetch_add(1, Ordering::SeqCst);
    // SAFETY: the promise of the caller.
    let result = unsafe { libc::pthread_create(thread, attributes, start, argument) };
    if result != 0 {
        THERE.fetch_sub(1, Ordering::SeqCst);
    }
    result
}

/// `pthread_join`
///
/// # Safety
///
/// As for the function of POSIX.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_pthread_join(
    thread: libc::pthread_t,
    value: *mut *mut c_void,
) -> c_int {
    // SAFETY: the promise of the caller.
    let result = unsafe { libc::pthread_join(thread, value) };
    if result == 0 {
        // Code that the precompiler has not seen may have made it: then there is none to take away.
        let fewer = |count: usize| count.checked_sub(1);
        let _ = THERE.fetch_update(Ordering::SeqCst, Ordering::SeqCst, fewer);
    }
    result
}
