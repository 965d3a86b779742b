//! Locks of OpenMP, in programs whose threads may hold one at a checkpoint: these functions stand for those of OpenMP, and note who
//! holds which ([`holders`]).
//!
//! A lock is noted after it was taken, and no longer before it is given back. Who waits for one at a place that was told
//! ([`is_next`]) stands before it for a checkpoint: the lock that it gets meanwhile it has not taken yet.

use std::cell::Cell;
use std::ffi::{CStr, c_int, c_void};
use std::ptr::null_mut;

use super::line;
use super::mirror::Thread;
use super::state::{KeepsErrno, stop_because};
use super::team::here;
use crate::memory::{function, holders, lock_of_openmp};

thread_local! {
    /// The number of this thread in the team that meets at checkpoints.
    static NUMBER: Cell<Option<u64>> = const { Cell::new(None) };
    /// It stands right before the statement that takes a lock.
    static NEXT: Cell<*mut Thread> = const { Cell::new(null_mut()) };
}

/// This thread has this number from now on, or none.
pub fn is_thread(number: Option<u64>) {
    NUMBER.set(number);
    NEXT.set(null_mut());
}

/// The next thing that this thread does is to take a lock.
pub fn is_next(thread: *mut Thread) {
    NEXT.set(thread);
}

/// The number of this thread.
pub fn number() -> u64 {
    NUMBER.get().unwrap_or_else(|| here().0)
}

/// Calls a function of OpenMP with a lock.
fn call<T>(name: &CStr, lock: *mut c_void) -> T {
    // SAFETY: the functions that are asked for here take a pointer to a lock, and give what the caller says.
    let found: Option<unsafe extern "C" fn(*mut c_void) -> T> = unsafe { function(name) };
    match found {
        // SAFETY: the promise of the program that calls the function by its own name.
        Some(function) => unsafe { function(lock) },
        None => stop_because(
            "the functions of OpenMP for locks are not found; link the program with OpenMP",
        ),
    }
}

/// Takes a lock, as soon as it is free.
fn set(lock: *mut c_void, [try_for, take]: [&CStr; 2]) {
    let errno = KeepsErrno::new();
    let thread = NEXT.replace(null_mut());
    match thread.is_null() {
        true => call::<()>(take, lock),
        false if call::<c_int>(try_for, lock) != 0 => {}
        false => line::waits(thread, errno.0, || call::<()>(take, lock)),
    }
    holders::taken(lock as usize, number());
}

/// Takes a lock if it is free.
fn test(lock: *mut c_void, try_for: &CStr) -> c_int {
    let _errno = KeepsErrno::new();
    NEXT.set(null_mut());
    let result: c_int = call(try_for, lock);
    if result != 0 {
        holders::taken(lock as usize, number());
    }
    result
}

/// `omp_set_lock`
///
/// # Safety
///
/// As for the function of OpenMP; so for all functions here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_omp_set_lock(lock: *mut c_void) {
    set(lock, [c"omp_test_lock", c"omp_set_lock"]);
}

/// `omp_set_nest_lock`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_omp_set_nest_lock(lock: *mut c_void) {
    set(lock, [c"omp_test_nest_lock", c"omp_set_nest_lock"]);
}

/// `omp_test_lock`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_omp_test_lock(lock: *mut c_void) -> c_int {
    test(lock, c"omp_test_lock")
}

/// `omp_test_nest_lock`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_omp_test_nest_lock(lock: *mut c_void) -> c_int {
    test(lock, c"omp_test_nest_lock")
}

/// `omp_unset_lock`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_omp_unset_lock(lock: *mut c_void) {
    let _errno = KeepsErrno::new();
    holders::given_back(lock as usize);
    call::<()>(c"omp_unset_lock", lock);
}

/// `omp_unset_nest_lock`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_omp_unset_nest_lock(lock: *mut c_void) {
    let _errno = KeepsErrno::new();
    holders::given_back(lock as usize);
    call::<()>(c"omp_unset_nest_lock", lock);
}

/// `omp_destroy_lock`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_omp_destroy_lock(lock: *mut c_void) {
    let _errno = KeepsErrno::new();
    holders::ended(lock as usize);
    call::<()>(c"omp_destroy_lock", lock);
}

/// `omp_destroy_nest_lock`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_omp_destroy_nest_lock(lock: *mut c_void) {
    let _errno = KeepsErrno::new();
    holders::ended(lock as usize);
    call::<()>(c"omp_destroy_nest_lock", lock);
}

/// Initialises a lock, with a hint where the program gives one that OpenMP understands.
fn init(lock: *mut c_void, [name, with_hint]: [&CStr; 2], hint: Option<c_int>, is_nested: bool) {
    let _errno = KeepsErrno::new();
    // SAFETY: the function of that name takes a pointer to a lock and a number.
    let hinted: Option<unsafe extern "C" fn(*mut c_void, c_int)> = unsafe { function(with_hint) };
    match hint.zip(hinted) {
        // SAFETY: the promise of the program that calls the function by its own name.
        Some((hint, init)) => unsafe { init(lock, hint) },
        None => call::<()>(name, lock),
    }
    holders::made(lock as usize, lock_of_openmp(is_nested));
}

const INIT: [&CStr; 2] = [c"omp_init_lock", c"omp_init_lock_with_hint"];
const INIT_NESTED: [&CStr; 2] = [c"omp_init_nest_lock", c"omp_init_nest_lock_with_hint"];

/// `omp_init_lock`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_omp_init_lock(lock: *mut c_void) {
    init(lock, INIT, None, false);
}

/// `omp_init_nest_lock`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_omp_init_nest_lock(lock: *mut c_void) {
    init(lock, INIT_NESTED, None, true);
}

/// `omp_init_lock_with_hint`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_omp_init_lock_with_hint(lock: *mut c_void, hint: c_int) {
    init(lock, INIT, Some(hint), false);
}

/// `omp_init_nest_lock_with_hint`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_omp_init_nest_lock_with_hint(lock: *mut c_void, hint: c_int) {
    init(lock, INIT_NESTED, Some(hint), true);
}

/// Whether threads have to take locks before the program goes on after a restart.
pub fn are_to_take() -> bool {
    holders::are_to_take()
}

/// A thread takes the locks that it held at the checkpoint.
pub fn take_again(thread: u64) {
    for one in holders::to_take(thread) {
        let take = match one.is_nested {
            true => c"omp_set_nest_lock",
            false => c"omp_set_lock",
        };
        for _ in 0..one.holder.count {
            call::<()>(take, one.address as *mut c_void);
            holders::taken(one.address, thread);
        }
    }
}

/// All threads have theirs.
pub fn all_taken() {
    holders::all_taken();
}
