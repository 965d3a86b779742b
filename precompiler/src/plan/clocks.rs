//! Which functions that tell how much time has passed a program calls through the library.
//!
//! In: the whole program. Out: the names. Where the program waits for a moment of such a clock, the system has to be told a
//! moment of its own: then the clock stays what it is.

use super::opens::used;
use crate::program::{Program, Unit};

/// What continues in a restart.
const CLOCKS: [&str; 5] = ["clock", "getrusage", "omp_get_wtime", "times", "MPI_Wtime"];

/// What tells one of several clocks.
const OF_SEVERAL: &str = "clock_gettime";

/// What waits for a moment.
const WAITING: [&str; 7] = [
    "clock_nanosleep",
    "pthread_cond_clockwait",
    "pthread_condattr_setclock",
    "pthread_mutex_clocklock",
    "sem_clockwait",
    "timer_settime",
    "timerfd_settime",
];

/// The names that stand for functions of the library where a file of the program uses them (`used`).
pub fn clocks(program: &Program) -> Vec<&'static str> {
    let waits = |unit: &Unit| !used(program, unit, &WAITING).is_empty();
    let mut names = CLOCKS.to_vec();
    if !program.units.iter().any(waits) {
        names.push(OF_SEVERAL);
    }
    names
}
