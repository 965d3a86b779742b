//! Locks of POSIX and C11 in programs with a fixed heap: these functions stand for those of the C library, and note which locks there
//! are, so that a checkpoint finds those that are held ([`holders`]). Spin locks are none of them: their bytes say all, whoever holds
//! them.

use std::ffi::{c_int, c_void};

use libc::{pthread_mutex_t, pthread_mutexattr_t, pthread_rwlock_t, pthread_rwlockattr_t};

use super::state::{KeepsErrno, stop_because};
use crate::memory::{function, holders};

/// Notes a lock that was initialised, if it was.
fn made(lock: *mut c_void, kind: &'static str, result: c_int) -> c_int {
    let _errno = KeepsErrno::new();
    if result == 0 {
        holders::made(lock as usize, kind);
    }
    result
}

/// It is none any more.
fn ended(lock: *mut c_void) {
    let _errno = KeepsErrno::new();
    holders::ended(lock as usize);
}

/// `pthread_mutex_init`
///
/// # Safety
///
/// As for the function of POSIX; so for all functions here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_pthread_mutex_init(
    lock: *mut pthread_mutex_t,
    attributes: *const pthread_mutexattr_t,
) -> c_int {
    // SAFETY: the promise of the program that calls the function by its own name; so below.
    let result = unsafe { libc::pthread_mutex_init(lock, attributes) };
    made(lock.cast(), "pthread_mutex_t", result)
}

/// `pthread_mutex_destroy`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_pthread_mutex_destroy(lock: *mut pthread_mutex_t) -> c_int {
    ended(lock.cast());
    // SAFETY: as above.
    unsafe { libc::pthread_mutex_destroy(lock) }
}

/// `pthread_rwlock_init`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_pthread_rwlock_init(
    lock: *mut pthread_rwlock_t,
    attributes: *const pthread_rwlockattr_t,
) -> c_int {
    // SAFETY: as above.
    let result = unsafe { libc::pthread_rwlock_init(lock, attributes) };
    made(lock.cast(), "pthread_rwlock_t", result)
}

/// `pthread_rwlock_destroy`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_pthread_rwlock_destroy(lock: *mut pthread_rwlock_t) -> c_int {
    ended(lock.cast());
    // SAFETY: as above.
    unsafe { libc::pthread_rwlock_destroy(lock) }
}

const NOT_FOUND: &str = "the functions of C11 for mutexes are not found; link the program dynamically, or use those of POSIX";

/// `mtx_init`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_mtx_init(lock: *mut c_void, kind: c_int) -> c_int {
    // SAFETY: C11 says what the function takes and gives.
    let init: Option<unsafe extern "C" fn(*mut c_void, c_int) -> c_int> =
        unsafe { function(c"mtx_init") };
    let Some(init) = init else {
        stop_because(NOT_FOUND);
    };
    // SAFETY: as above. Success is zero in every C library for which this one is built.
    let result = unsafe { init(lock, kind) };
    made(lock, "mtx_t", result)
}

/// `mtx_destroy`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_mtx_destroy(lock: *mut c_void) {
    ended(lock);
    // SAFETY: C11 says what the function takes.
    let destroy: Option<unsafe extern "C" fn(*mut c_void)> = unsafe { function(c"mtx_destroy") };
    let Some(destroy) = destroy else {
        stop_because(NOT_FOUND);
    };
    // SAFETY: as above.
    unsafe { destroy(lock) };
}
