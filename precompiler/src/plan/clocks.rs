//! Which functions that tell how much time has passed a program calls through the library.
//!
//! In: the whole program. Out: for each file the names. Where the program waits for a moment of such a clock, the system has to be told a
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

/// The names that stand for functions of the library in a file.
pub fn clocks(program: &Program, unit: &Unit) -> Vec<&'static str> {
    let mut names = CLOCKS.to_vec();
    let waits = |unit: &Unit| !used(program, unit, &WAITING).is_empty();
    if unit.mentions(&[OF_SEVERAL]) && !program.units.iter().any(waits) {
        names.push(OF_SEVERAL);
    }
    if !unit.mentions(&names) {
        return Vec::new();
    }
    used(program, unit, &names)
}
