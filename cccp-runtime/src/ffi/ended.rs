//! The end of a program that does not say `shutdown`: a return from `main`, `exit(0)`, or the end of its last thread.
//!
//! In: the exit status, from the C library. Out: the run is complete when that is 0. Any other status, a signal, `abort` and
//! `_exit` are no end: the next run resumes. By then the variables of `main` are gone and MPI may be over, so nothing of either
//! is touched.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicU32, Ordering};

use super::state::{attempt, calls, close, is_free};
use super::statics::cccp_replaying;
use super::timer;
use crate::memory::is_first_thread;

unsafe extern "C" {
    /// glibc's `atexit` with the status; the libc crate does not have it.
    fn on_exit(function: unsafe extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
}

/// The process that has begun a run; a child made by `fork` is another one.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// From now on the end of this process is the end of its run.
pub fn watch() {
    if PROCESS.swap(std::process::id(), Ordering::Relaxed) == 0 {
        // SAFETY: the function stays where it is, and needs no argument.
        unsafe { on_exit(ended, std::ptr::null_mut()) };
        watch_thread();
    }
}

/// `main` may end with `pthread_exit`: then the process ends with its last thread, and no thread of the library may be that one.
fn watch_thread() {
    let mut key = 0;
    // SAFETY: the function stays where it is, and touches nothing of the value.
    if is_first_thread()
        && unsafe { libc::pthread_key_create(&mut key, Some(first_thread_ends)) } == 0
    {
        // SAFETY: the key is there. The function is called for threads whose value is not null: this one.
        unsafe { libc::pthread_setspecific(key, (&raw const PROCESS).cast()) };
    }
}

/// Not called at a return from `main` and at `exit`.
unsafe extern "C" fn first_thread_ends(_: *mut c_void) {
    timer::end();
    if is_free() {
        let _ = attempt(|session| {
            session.settle();
            Ok(())
        });
    }
}

unsafe extern "C" fn ended(status: c_int, _: *mut c_void) {
    let is_run = PROCESS.load(Ordering::Relaxed) == std::process::id();
    // Whoever ends the process from within the library has its session.
    if status != 0 || !is_run || cccp_replaying.load(Ordering::Relaxed) != 0 || !is_free() {
        return;
    }
    let _ = attempt(|session| {
        session.shutdown(calls());
        Ok(())
    });
    std::mem::forget(close());
}
