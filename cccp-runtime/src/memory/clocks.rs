//! Clocks that begin anew with a process, a machine's start or MPI, and that programs subtract: a restart lets them continue.
//!
//! In: what a clock says, and what it said at the checkpoint of a restart. Out: what the program is told. So the time between two
//! moments is that in which it ran, whatever lies between its processes, and none is negative. The time of day is left alone.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use super::linked_in::function;

/// A clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// `CLOCK_MONOTONIC` and its coarse one, and what `times` gives.
    Monotonic,
    /// `CLOCK_MONOTONIC_RAW`.
    Raw,
    /// `CLOCK_BOOTTIME`.
    Boot,
    /// The time of processors that the process has taken: `CLOCK_PROCESS_CPUTIME_ID`, `clock`.
    Process,
    /// That of its first thread: `CLOCK_THREAD_CPUTIME_ID`.
    FirstThread,
    /// What the program itself has taken of that: `times`, `getrusage`.
    User,
    /// What the system has taken for it.
    System,
    /// `omp_get_wtime`.
    OpenMp,
    /// `MPI_Wtime`.
    Mpi,
}

/// All clocks, in the order in which checkpoints keep them.
pub const CLOCKS: [Clock; 9] = [
    Clock::Monotonic,
    Clock::Raw,
    Clock::Boot,
    Clock::Process,
    Clock::FirstThread,
    Clock::User,
    Clock::System,
    Clock::OpenMp,
    Clock::Mpi,
];

/// How far each is ahead of what the system says, in nanoseconds.
static AHEAD: [AtomicI64; CLOCKS.len()] = [const { AtomicI64::new(0) }; CLOCKS.len()];

/// The program asks for the time.
static ASKED: AtomicBool = AtomicBool::new(false);

/// In nanoseconds.
pub const SECOND: i64 = 1_000_000_000;

/// How far a clock is ahead, in nanoseconds. The program is about to be told.
pub fn ahead(clock: Clock) -> i64 {
    ASKED.store(true, Ordering::Relaxed);
    AHEAD[clock as usize].load(Ordering::Relaxed)
}

/// Whether the program has asked for the time in any of its processes.
pub fn were_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// What a clock says without that, in nanoseconds; none where there is no such clock. `mpi` is what the one of MPI says.
fn said(clock: Clock, mpi: Option<i64>) -> Option<i64> {
    Some(match clock {
        Clock::Monotonic => of(libc::CLOCK_MONOTONIC)?,
        Clock::Raw => of(libc::CLOCK_MONOTONIC_RAW)?,
        Clock::Boot => of(libc::CLOCK_BOOTTIME)?,
        Clock::Process => of(libc::CLOCK_PROCESS_CPUTIME_ID)?,
        Clock::FirstThread => of(libc::CLOCK_THREAD_CPUTIME_ID)?,
        Clock::User => used()?.0,
        Clock::System => used()?.1,
        Clock::OpenMp => (time_of_openmp()? * SECOND as f64) as i64,
        Clock::Mpi => mpi?,
    })
}

/// A clock of the system, in nanoseconds; none where it has no such clock.
fn of(clock: libc::clockid_t) -> Option<i64> {
    // SAFETY: the time is plain memory that the call fills.
    let now = unsafe {
        let mut now: libc::timespec = std::mem::zeroed();
        (libc::clock_gettime(clock, &mut now) == 0).then_some(now)?
    };
    Some(nanoseconds(&now))
}

/// A time of the C library in nanoseconds.
#[allow(
    clippy::useless_conversion,
    reason = "a time has 32 bits on some machines"
)]
pub fn nanoseconds(time: &libc::timespec) -> i64 {
    i64::from(time.tv_sec) * SECOND + i64::from(time.tv_nsec)
}

/// The same of a time in microseconds.
#[allow(
    clippy::useless_conversion,
    reason = "a time has 32 bits on some machines"
)]
pub fn nanoseconds_of(time: &libc::timeval) -> i64 {
    i64::from(time.tv_sec) * SECOND + i64::from(time.tv_usec) * 1000
}

/// `omp_get_wtime`, in seconds.
pub fn time_of_openmp() -> Option<f64> {
    // SAFETY: the standard says that it takes nothing and gives a double.
    let function: Option<extern "C" fn() -> f64> = unsafe { function(c"omp_get_wtime") };
    function.map(|function| function())
}

/// The time of processors that program and system have taken, in nanoseconds.
pub fn used() -> Option<(i64, i64)> {
    // SAFETY: plain memory that the call fills.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        (libc::getrusage(libc::RUSAGE_SELF, &mut usage) == 0).then_some(usage)?
    };
    Some((
        nanoseconds_of(&usage.ru_utime),
        nanoseconds_of(&usage.ru_stime),
    ))
}

/// What the program would be told now by each clock, in nanoseconds; the least number where there is none. `mpi`: see `said`.
pub fn told(mpi: Option<i64>) -> [i64; CLOCKS.len()] {
    CLOCKS.map(|clock| {
        let now = said(clock, mpi);
        now.map_or(i64::MIN, |now| {
            now.saturating_add(AHEAD[clock as usize].load(Ordering::Relaxed))
        })
    })
}

/// Lets each clock continue from what it told.
pub fn proceed(told: [i64; CLOCKS.len()], mpi: Option<i64>) {
    ASKED.store(true, Ordering::Relaxed);
    for (clock, told) in CLOCKS.into_iter().zip(told) {
        let now = said(clock, mpi);
        let ahead = now
            .filter(|_| told != i64::MIN)
            .map_or(0, |now| told.saturating_sub(now));
        AHEAD[clock as usize].store(ahead, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s08_clocks_continue_from_what_they_have_told_wherever_they_begin() {
        let hour = 3600 * SECOND;
        let mut before = told(Some(5));
        assert!(before[..5].iter().all(|one| *one > 0), "{before:?}");
        // The machine was up for less then, or for longer; the process had worked for long.
        before[Clock::Monotonic as usize] += 1000 * hour;
        before[Clock::Boot as usize] -= before[Clock::Boot as usize] / 2;
        before[Clock::Process as usize] += 24 * hour;
        before[Clock::Mpi as usize] = 7 * hour;
        proceed(before, Some(3));
        let after = told(Some(4));
        for (before, after) in before
            .iter()
            .zip(after)
            .filter(|(one, _)| **one != i64::MIN)
        {
            assert!((0..hour).contains(&(after - before)), "{before} {after}");
        }
        assert_eq!(after[Clock::Mpi as usize], 7 * hour + 1);
        assert_eq!(ahead(Clock::Mpi), 7 * hour - 3);
        // A machine whose checkpoint had no such clock.
        before[Clock::Mpi as usize] = i64::MIN;
        proceed(before, Some(3));
        assert_eq!(ahead(Clock::Mpi), 0);
    }
}
