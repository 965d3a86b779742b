//! What only OpenMP's library knows: how many threads the next parallel region of the program would have, and how it shares out loops.
//!
//! OpenMP's library is asked by the names of its functions ([`function`]), so that a program without it needs none. What a program may
//! compute from the number of threads is in its checkpoints; only with the same number it goes on as it was.

use std::ffi::{CStr, c_int};
use std::sync::OnceLock;

use super::linked_in::{function, is_linked_in};

/// Regions of OpenMP are linked into the program, and not what says how many threads they have.
pub fn cannot_be_asked() -> bool {
    let has_regions = ["GOMP_parallel", "__kmpc_fork_call"]
        .into_iter()
        .any(is_linked_in);
    has_regions && Asked::find().is_none()
}

/// A function of OpenMP's library that takes nothing and gives a number.
pub fn number_of(name: &CStr) -> Option<extern "C" fn() -> c_int> {
    // SAFETY: the standard says that the functions which are asked for here take nothing and give an int.
    unsafe { function(name) }
}

fn set(name: &CStr, value: u64) {
    // SAFETY: the standard says that the functions which are called here take an int and give nothing.
    let function: Option<extern "C" fn(c_int)> = unsafe { function(name) };
    if let (Some(function), Ok(value)) = (function, c_int::try_from(value)) {
        function(value);
    }
}

/// The functions that tell a thread what it has.
struct Asked {
    threads: extern "C" fn() -> c_int,
    most: extern "C" fn() -> c_int,
    dynamic: extern "C" fn() -> c_int,
    levels: extern "C" fn() -> c_int,
    schedule: extern "C" fn(*mut c_int, *mut c_int),
}

impl Asked {
    fn find() -> Option<Asked> {
        Some(Asked {
            threads: number_of(c"omp_get_max_threads")?,
            most: number_of(c"omp_get_thread_limit")?,
            dynamic: number_of(c"omp_get_dynamic")?,
            levels: number_of(c"omp_get_max_active_levels")?,
            // SAFETY: the standard says so of that function; `omp_sched_t` is an enumeration as wide as int.
            schedule: unsafe { function(c"omp_get_schedule") }?,
        })
    }

    fn team(&self) -> Team {
        let threads = (self.threads)().min((self.most)());
        Team {
            threads: threads.unsigned_abs().into(),
            dynamic: (self.dynamic)() == 1,
            inner: Vec::new(),
        }
    }

    fn regions(&self) -> TeamControls {
        let (mut kind, mut chunk) = (0, 0);
        (self.schedule)(&mut kind, &mut chunk);
        TeamControls {
            kind,
            chunk,
            levels: (self.levels)(),
        }
    }
}

/// What the thread that asks has, in a region: nothing has to be looked for again.
pub fn of_thread_in_region() -> Option<(TeamControls, Team)> {
    static ASKED: OnceLock<Option<Asked>> = OnceLock::new();
    let asked = ASKED.get_or_init(Asked::find).as_ref()?;
    Some((asked.regions(), asked.team()))
}

/// What decides about the number of threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Team {
    /// So many threads would a parallel region have.
    pub threads: u64,
    /// The library may take fewer.
    pub dynamic: bool,
    /// The numbers of regions inside of others, as the environment gives them.
    pub inner: Vec<u64>,
}

impl Team {
    /// What is in force; none without OpenMP.
    pub fn now() -> Option<Team> {
        let given = std::env::var("OMP_NUM_THREADS").unwrap_or_default();
        let levels = given.split(',').skip(1);
        Some(Team {
            inner: levels.filter_map(|one| one.trim().parse().ok()).collect(),
            ..Team::of_this_thread()?
        })
    }

    /// What the thread that asks has; nothing of the environment.
    pub fn of_this_thread() -> Option<Team> {
        Some(Asked::find()?.team())
    }

    /// Puts it into force, and gives what is in force then.
    pub fn put(&self) -> Option<Team> {
        set(c"omp_set_dynamic", u64::from(self.dynamic));
        set(c"omp_set_num_threads", self.threads);
        Team::now()
    }
}

/// A restart enters a region with several threads inside of others: the thread that calls may do so.
pub fn let_regions_nest() {
    let ask = |name: &CStr| number_of(name).map(|ask| ask());
    let both = (
        ask(c"omp_get_active_level"),
        ask(c"omp_get_max_active_levels"),
    );
    if let (Some(active), Some(most)) = both
        && most <= active
    {
        let needed = u64::from(active.unsigned_abs()) + 1;
        set(c"omp_set_max_active_levels", needed);
    }
}

/// What `omp_set_schedule` and `omp_set_max_active_levels` set, and the environment before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamControls {
    /// The kind of `schedule(runtime)`, with its modifier.
    pub kind: c_int,
    /// The length of its chunks; 0 where the library chooses.
    pub chunk: c_int,
    /// So many regions inside of each other have several threads.
    pub levels: c_int,
}

impl TeamControls {
    /// What is in force; none without OpenMP.
    pub fn now() -> Option<TeamControls> {
        Some(Asked::find()?.regions())
    }

    /// Puts it into force.
    pub fn put(&self) {
        set(
            c"omp_set_max_active_levels",
            self.levels.unsigned_abs().into(),
        );
        // SAFETY: as for `now`.
        let schedule: Option<extern "C" fn(c_int, c_int)> =
            unsafe { function(c"omp_set_schedule") };
        if let Some(schedule) = schedule {
            schedule(self.kind, self.chunk);
        }
    }
}

impl std::fmt::Display for Team {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}", self.threads)?;
        self.inner.iter().try_for_each(|one| write!(out, ",{one}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_openmp_has_no_team() {
        assert_eq!((Team::now(), TeamControls::now()), (None, None));
        let team = Team {
            threads: 4,
            dynamic: false,
            inner: vec![2],
        };
        assert_eq!(team.to_string(), "4,2");
    }
}
