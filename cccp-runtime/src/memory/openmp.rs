//! What only OpenMP's library knows: how many threads the next parallel region of the program would have, and what is in a lock
//! that nobody holds.
//!
//! OpenMP's library is asked by the names of its functions, so that a program without it needs none. What a program may compute
//! from the number of threads is in its checkpoints; only with the same number it goes on as it was.

use std::ffi::{CStr, c_int, c_void};
use std::sync::OnceLock;

use super::Program;

unsafe fn function<F>(name: &CStr) -> Option<F> {
    // SAFETY: looks for a name in what is loaded.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    // SAFETY: the caller says of which type the function of that name is.
    (!found.is_null()).then(|| unsafe { std::mem::transmute_copy(&found) })
}

/// A function of OpenMP's library that takes nothing and gives a number.
pub fn number_of(name: &CStr) -> Option<extern "C" fn() -> c_int> {
    // SAFETY: the standard says that the functions which are asked for here take nothing and give an int.
    unsafe { function(name) }
}

fn number(name: &CStr) -> Option<u64> {
    u64::try_from(number_of(name)?()).ok()
}

fn set(name: &CStr, value: u64) {
    // SAFETY: the standard says that the functions which are called here take an int and give nothing.
    let function: Option<extern "C" fn(c_int)> = unsafe { function(name) };
    if let (Some(function), Ok(value)) = (function, c_int::try_from(value)) {
        function(value);
    }
}

/// A type of locks, and the functions that initialise, take, give back and end one.
struct Locking {
    name: &'static str,
    functions: [&'static CStr; 4],
    /// What one looks like that nobody holds, where the bytes tell.
    free: OnceLock<Option<[u8; LONGEST]>>,
}

/// No lock is longer, in bytes.
const LONGEST: usize = 64;

static LOCKS: [Locking; 2] = [
    Locking {
        name: "omp_lock_t",
        functions: [
            c"omp_init_lock",
            c"omp_set_lock",
            c"omp_unset_lock",
            c"omp_destroy_lock",
        ],
        free: OnceLock::new(),
    },
    Locking {
        name: "omp_nest_lock_t",
        functions: [
            c"omp_init_nest_lock",
            c"omp_set_nest_lock",
            c"omp_unset_nest_lock",
            c"omp_destroy_nest_lock",
        ],
        free: OnceLock::new(),
    },
];

impl Locking {
    fn of(kind: &str) -> Option<&'static Locking> {
        LOCKS.iter().find(|one| one.name == kind)
    }

    /// At `place` is memory of a lock, which all but the first function find initialised.
    unsafe fn call(&self, which: usize, place: *mut c_void) -> Option<()> {
        // SAFETY: the standard says that all four take a pointer to their lock and give nothing; the rest is the caller's promise. A
        // library of OpenMP that is not loaded has no threads that could take it.
        unsafe {
            let act = function::<unsafe extern "C" fn(*mut c_void)>(self.functions[which])?;
            act(place);
        }
        Some(())
    }

    /// Tries it with a lock of our own: libgomp keeps the state in the lock, libomp mostly elsewhere.
    fn free(&self) -> Option<&[u8; LONGEST]> {
        let tried = self.free.get_or_init(|| {
            let mut lock = [0u64; LONGEST / size_of::<u64>()];
            let place: *mut c_void = lock.as_mut_ptr().cast();
            // SAFETY: it is as long as any lock, and goes through the states of one.
            let (free, held, again) = unsafe {
                self.call(0, place)?;
                let free = bytes_of(&lock);
                self.call(1, place)?;
                let held = bytes_of(&lock);
                self.call(2, place)?;
                let again = bytes_of(&lock);
                self.call(3, place)?;
                (free, held, again)
            };
            (free != held && free == again).then_some(free)
        });
        tried.as_ref()
    }
}

fn bytes_of(lock: &[u64; LONGEST / size_of::<u64>()]) -> [u8; LONGEST] {
    let mut bytes = [0; LONGEST];
    for (to, word) in bytes.chunks_exact_mut(size_of::<u64>()).zip(lock) {
        // SAFETY: the word is there; the library of OpenMP may have changed it behind the compiler's back.
        let word = unsafe { std::ptr::read_volatile(word) };
        to.copy_from_slice(&word.to_ne_bytes());
    }
    bytes
}

/// Whether a type is a lock of OpenMP.
pub fn is_lock(kind: &str) -> bool {
    Locking::of(kind).is_some()
}

/// Whether somebody holds the lock with these bytes, as far as they tell. One that was never initialised is all zero.
pub fn is_held(kind: &str, bytes: &[u8]) -> bool {
    let free = Locking::of(kind)
        .filter(|_| bytes.iter().any(|byte| *byte != 0))
        .and_then(Locking::free)
        .and_then(|free| free.get(..bytes.len()));
    free.is_some_and(|free| free != bytes)
}

impl Program {
    /// Lets what lies at these places be locks that nobody holds. Another type than a lock stays as it is.
    pub fn begin_locks(&self, kind: &str, places: impl Iterator<Item = usize>) {
        if let Some(lock) = Locking::of(kind) {
            for place in places {
                // SAFETY: a place in the program's memory (the promise of this room), and the program has a lock there.
                unsafe { lock.call(0, place as *mut c_void) };
            }
        }
    }
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
        let threads = number(c"omp_get_max_threads")?;
        let most = number(c"omp_get_thread_limit").unwrap_or(u64::MAX);
        let given = std::env::var("OMP_NUM_THREADS").unwrap_or_default();
        let levels = given.split(',').skip(1);
        Some(Team {
            threads: threads.min(most),
            dynamic: number(c"omp_get_dynamic") == Some(1),
            inner: levels.filter_map(|one| one.trim().parse().ok()).collect(),
        })
    }

    /// Puts it into force, and gives what is in force then.
    pub fn put(&self) -> Option<Team> {
        set(c"omp_set_dynamic", u64::from(self.dynamic));
        set(c"omp_set_num_threads", self.threads);
        Team::now()
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
        assert_eq!(Team::now(), None);
        let team = Team {
            threads: 4,
            dynamic: false,
            inner: vec![2],
        };
        assert_eq!(team.to_string(), "4,2");
    }
}
