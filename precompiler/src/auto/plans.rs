//! What FFTW's planner goes by. Plans themselves are made again by the library, with what the planner goes by then.

use cccp_grammar::of_fftw;

/// What changes the plans that are made afterwards, behind `fftw_`, `fftwf_` or `fftwl_`.
const PLANNER: [&str; 10] = [
    "init_threads",
    "mpi_init",
    "plan_with_nthreads",
    "make_planner_thread_safe",
    "threads_set_callback",
    "set_timelimit",
    "import_wisdom_from_filename",
    "import_wisdom_from_string",
    "import_system_wisdom",
    "forget_wisdom",
];

/// Whether a function sets what the planner goes by.
pub(super) fn sets_planner(name: &str) -> bool {
    of_fftw(name).is_some_and(|(_, rest)| PLANNER.contains(&rest))
}
