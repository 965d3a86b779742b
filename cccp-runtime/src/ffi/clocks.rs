//! The functions of the C library and of OpenMP that tell a program how much time has passed, as it calls them where the library has to
//! see that: they continue in a restart ([`clocks`]). That of MPI: libcccp_mpi.
//!
//! Prototypes, results and `errno` are those of the library.

use std::ffi::{c_int, c_long};

use crate::memory::clocks::{
    Clock, SECOND, ahead, nanoseconds, nanoseconds_of, time_of_openmp, used,
};
use crate::memory::is_first_thread;

/// The clock with this number, if it continues.
fn clock_of(id: libc::clockid_t) -> Option<Clock> {
    match id {
        libc::CLOCK_MONOTONIC | libc::CLOCK_MONOTONIC_COARSE => Some(Clock::Monotonic),
        libc::CLOCK_MONOTONIC_RAW => Some(Clock::Raw),
        libc::CLOCK_BOOTTIME => Some(Clock::Boot),
        libc::CLOCK_PROCESS_CPUTIME_ID => Some(Clock::Process),
        // Other threads are new ones in a restart.
        libc::CLOCK_THREAD_CPUTIME_ID if is_first_thread() => Some(Clock::FirstThread),
        _ => None,
    }
}

/// `clock_gettime`
///
/// # Safety
///
/// As for the function of the C library; so for all functions here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_clock_gettime(
    id: libc::clockid_t,
    time: *mut libc::timespec,
) -> c_int {
    // SAFETY: the promise of the caller; so everywhere here.
    let result = unsafe { libc::clock_gettime(id, time) };
    if result == 0
        && let Some(clock) = clock_of(id)
        // SAFETY: the call has filled it.
        && let Some(time) = unsafe { time.as_mut() }
    {
        let now = nanoseconds(time) + ahead(clock);
        time.tv_sec = now.div_euclid(SECOND) as libc::time_t;
        time.tv_nsec = now.rem_euclid(SECOND) as c_long;
    }
    result
}

/// `clock`, in millionths of a second (POSIX).
#[unsafe(no_mangle)]
pub extern "C" fn cccp_clock() -> libc::clock_t {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the time is there.
    match unsafe { cccp_clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) } {
        0 => time.tv_sec as libc::clock_t * 1_000_000 + (time.tv_nsec / 1000) as libc::clock_t,
        _ => -1,
    }
}

/// `times`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_times(times: *mut libc::tms) -> libc::clock_t {
    // SAFETY: see above; a number is asked for.
    let (result, second) = unsafe { (libc::times(times), libc::sysconf(libc::_SC_CLK_TCK)) };
    if result == -1 {
        return -1;
    }
    let tick = SECOND / i64::from(second.max(1) as i32);
    // SAFETY: the call has filled it.
    if let (Some(times), Some((user, system))) = (unsafe { times.as_mut() }, used()) {
        times.tms_utime = ((user + ahead(Clock::User)) / tick) as libc::clock_t;
        times.tms_stime = ((system + ahead(Clock::System)) / tick) as libc::clock_t;
    }
    // What it counts runs beside the clock, in steps: two of them more, so that it does not go back.
    let more = match ahead(Clock::Monotonic) {
        0 => 0,
        ahead => ahead.div_euclid(tick) + 2,
    };
    result.wrapping_add(more as libc::clock_t)
}

/// `getrusage`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_getrusage(who: c_int, usage: *mut libc::rusage) -> c_int {
    // SAFETY: see above.
    let result = unsafe { libc::getrusage(who.cast_unsigned() as _, usage) };
    if result == 0
        && who == libc::RUSAGE_SELF as c_int
        // SAFETY: the call has filled it.
        && let Some(usage) = unsafe { usage.as_mut() }
    {
        for (clock, time) in [
            (Clock::User, &mut usage.ru_utime),
            (Clock::System, &mut usage.ru_stime),
        ] {
            let now = nanoseconds_of(time) + ahead(clock);
            time.tv_sec = now.div_euclid(SECOND) as libc::time_t;
            time.tv_usec = (now.rem_euclid(SECOND) / 1000) as libc::suseconds_t;
        }
    }
    result
}

/// `omp_get_wtime`
#[unsafe(no_mangle)]
pub extern "C" fn cccp_omp_get_wtime() -> f64 {
    time_of_openmp().unwrap_or_default() + ahead(Clock::OpenMp) as f64 / SECOND as f64
}
