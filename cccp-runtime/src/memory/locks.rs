//! Locks of the program: what one looks like that nobody holds, and how it is initialised again.
//!
//! OpenMP's locks, mutexes, read-write locks, spin locks and condition variables of POSIX, mutexes and condition variables of C11.
//! What a library keeps in one is its own: a lock of ours is taken and given back, and all that it looked like meanwhile is free.
//! Libraries are asked by the names of their functions, so that a program without them needs none.

use std::ffi::{CStr, c_int, c_void};
use std::sync::OnceLock;

use super::Program;
use super::linked_in::function;

/// A type of locks.
struct Locking {
    name: &'static str,
    begin: Begin,
    /// The functions that take one, and those that give it back.
    turns: &'static [[&'static CStr; 2]],
    /// The function that ends it.
    end: &'static CStr,
    attributes: Option<&'static Attributes>,
    /// What one without attributes may look like that nobody holds, where the bytes tell.
    free: OnceLock<Option<Vec<Bytes>>>,
    /// What one with any attributes may look like that nobody holds.
    free_with_attributes: OnceLock<Option<Vec<Bytes>>>,
    /// The words of a condition variable in which its attributes lie.
    words_of_attributes: OnceLock<Option<Vec<Word>>>,
}

/// A function that does something with a lock; what it gives is left alone.
type Act = unsafe extern "C" fn(*mut c_void);

/// Where a word of a lock is, counted in words, and what it is without attributes: as long as there is a lock, and when it has ended.
type Word = (usize, [[u8; 4]; 2]);

/// How a lock is initialised with attributes.
struct Attributes {
    init: &'static CStr,
    destroy: &'static CStr,
    /// The function that initialises the lock.
    begin: &'static CStr,
    /// The functions that set one, and to what.
    settings: &'static [(&'static CStr, &'static [c_int])],
}

static OF_MUTEXES: Attributes = Attributes {
    init: c"pthread_mutexattr_init",
    destroy: c"pthread_mutexattr_destroy",
    begin: c"pthread_mutex_init",
    settings: &[
        (
            c"pthread_mutexattr_settype",
            &[
                libc::PTHREAD_MUTEX_DEFAULT,
                libc::PTHREAD_MUTEX_NORMAL,
                libc::PTHREAD_MUTEX_RECURSIVE,
                libc::PTHREAD_MUTEX_ERRORCHECK,
                // Adaptive ones of glibc; others do not know the number.
                3,
            ],
        ),
        (
            c"pthread_mutexattr_setrobust",
            &[libc::PTHREAD_MUTEX_ROBUST],
        ),
        (
            c"pthread_mutexattr_setprotocol",
            &[libc::PTHREAD_PRIO_INHERIT],
        ),
        (
            c"pthread_mutexattr_setpshared",
            &[libc::PTHREAD_PROCESS_SHARED],
        ),
    ],
};

static OF_READ_WRITE_LOCKS: Attributes = Attributes {
    init: c"pthread_rwlockattr_init",
    destroy: c"pthread_rwlockattr_destroy",
    begin: c"pthread_rwlock_init",
    settings: &[
        // Who is preferred, with glibc.
        (c"pthread_rwlockattr_setkind_np", &[0, 1, 2]),
        (
            c"pthread_rwlockattr_setpshared",
            &[libc::PTHREAD_PROCESS_SHARED],
        ),
    ],
};

static OF_CONDITIONS: Attributes = Attributes {
    init: c"pthread_condattr_init",
    destroy: c"pthread_condattr_destroy",
    begin: c"pthread_cond_init",
    settings: &[
        (c"pthread_condattr_setclock", &[libc::CLOCK_MONOTONIC]),
        (
            c"pthread_condattr_setpshared",
            &[libc::PTHREAD_PROCESS_SHARED],
        ),
    ],
};

impl Attributes {
    /// How many combinations there are. In the first nothing is set, in the second what is the default one is set.
    fn combinations(&self) -> usize {
        let values = self.settings.iter().map(|(_, values)| values.len() + 1);
        values.product()
    }

    /// Initialises a lock with one of the combinations.
    ///
    /// # Safety
    ///
    /// As for [`Locking::begin`].
    unsafe fn begin(&self, place: *mut c_void, mut combination: usize) -> Option<()> {
        let mut attributes: Words = [0; LONGEST / size_of::<u64>()];
        let attributes: *mut c_void = attributes.as_mut_ptr().cast();
        // SAFETY: POSIX says what these functions take; attributes are shorter than any lock, and the rest is the caller's promise.
        // Values that a library does not know change nothing.
        unsafe {
            call(self.init, attributes)?;
            for (name, values) in self.settings {
                let value = combination % (values.len() + 1);
                combination /= values.len() + 1;
                if let Some(value) = value.checked_sub(1) {
                    let set: Option<unsafe extern "C" fn(*mut c_void, c_int) -> c_int> =
                        function(name);
                    set.map(|set| set(attributes, values[value]));
                }
            }
            let begin: unsafe extern "C" fn(*mut c_void, *const c_void) -> c_int =
                function(self.begin)?;
            begin(place, attributes);
            call(self.destroy, attributes)
        }
    }
}

/// How one is initialised as if the program had said nothing about its attributes.
enum Begin {
    /// `omp_init_lock(&lock)`.
    Alone(&'static CStr),
    /// `pthread_mutex_init(&lock, NULL)`.
    Attributes(&'static CStr),
    /// `pthread_spin_init(&lock, 0)`.
    Number(&'static CStr, c_int),
}

/// No lock is longer, in bytes.
const LONGEST: usize = 64;

type Bytes = [u8; LONGEST];
type Words = [u64; LONGEST / size_of::<u64>()];

/// Locks of a library look like no more things than these; else their bytes count turns, and tell nothing.
const MOST: usize = 16;

const fn lock(
    name: &'static str,
    begin: Begin,
    turns: &'static [[&'static CStr; 2]],
    end: &'static CStr,
    attributes: Option<&'static Attributes>,
) -> Locking {
    Locking {
        name,
        begin,
        turns,
        end,
        attributes,
        free: OnceLock::new(),
        free_with_attributes: OnceLock::new(),
        words_of_attributes: OnceLock::new(),
    }
}

static LOCKS: [Locking; 8] = [
    lock(
        "omp_lock_t",
        Begin::Alone(c"omp_init_lock"),
        &[[c"omp_set_lock", c"omp_unset_lock"]],
        c"omp_destroy_lock",
        None,
    ),
    lock(
        "omp_nest_lock_t",
        Begin::Alone(c"omp_init_nest_lock"),
        &[[c"omp_set_nest_lock", c"omp_unset_nest_lock"]],
        c"omp_destroy_nest_lock",
        None,
    ),
    lock(
        "pthread_mutex_t",
        Begin::Attributes(c"pthread_mutex_init"),
        &[[c"pthread_mutex_lock", c"pthread_mutex_unlock"]],
        c"pthread_mutex_destroy",
        Some(&OF_MUTEXES),
    ),
    lock(
        "pthread_rwlock_t",
        Begin::Attributes(c"pthread_rwlock_init"),
        &[
            [c"pthread_rwlock_rdlock", c"pthread_rwlock_unlock"],
            [c"pthread_rwlock_wrlock", c"pthread_rwlock_unlock"],
        ],
        c"pthread_rwlock_destroy",
        Some(&OF_READ_WRITE_LOCKS),
    ),
    lock(
        "pthread_spinlock_t",
        Begin::Number(c"pthread_spin_init", 0),
        &[[c"pthread_spin_lock", c"pthread_spin_unlock"]],
        c"pthread_spin_destroy",
        None,
    ),
    lock(
        "pthread_cond_t",
        Begin::Attributes(c"pthread_cond_init"),
        &[],
        c"pthread_cond_destroy",
        Some(&OF_CONDITIONS),
    ),
    lock(
        "mtx_t",
        Begin::Number(c"mtx_init", 0),
        &[[c"mtx_lock", c"mtx_unlock"]],
        c"mtx_destroy",
        Some(&OF_MUTEXES),
    ),
    lock(
        "cnd_t",
        Begin::Alone(c"cnd_init"),
        &[],
        c"cnd_destroy",
        Some(&OF_CONDITIONS),
    ),
];

impl Locking {
    fn of(kind: &str) -> Option<&'static Locking> {
        LOCKS.iter().find(|one| one.name == kind)
    }

    /// Initialises one at `place`, where there is memory for it.
    unsafe fn begin(&self, place: *mut c_void) -> Option<()> {
        // SAFETY: POSIX, C11 and OpenMP say what these functions take, and that null or zero means no attributes; the rest is the
        // caller's promise. A library that is not loaded has no threads that could take the lock.
        unsafe {
            match self.begin {
                Begin::Alone(name) => {
                    function::<Act>(name)?(place);
                }
                Begin::Attributes(name) => {
                    let begin: unsafe extern "C" fn(*mut c_void, *const c_void) -> c_int =
                        function(name)?;
                    begin(place, std::ptr::null());
                }
                Begin::Number(name, number) => {
                    let begin: unsafe extern "C" fn(*mut c_void, c_int) -> c_int = function(name)?;
                    begin(place, number);
                }
            }
        }
        Some(())
    }

    /// Whether a program that has no function to initialise one can have one all the same.
    fn can_be_zero(&self) -> bool {
        let is_there = |name: &&CStr| {
            // SAFETY: it is only looked for.
            unsafe { function::<usize>(name) }.is_some()
        };
        matches!(self.begin, Begin::Attributes(_)) && self.turns.as_flattened().iter().any(is_there)
    }

    /// Tries it with locks of our own: some libraries keep the state in the lock, libomp mostly elsewhere.
    fn free(&self) -> Option<&[Bytes]> {
        let tried = self.free.get_or_init(|| self.tried_with(2));
        tried.as_deref()
    }

    /// The same for locks with any attributes.
    fn free_with_attributes(&self) -> Option<&[Bytes]> {
        let all = self.attributes.map_or(0, Attributes::combinations);
        let tried = { &self.free_with_attributes }.get_or_init(|| self.tried_with(all));
        tried.as_deref()
    }

    /// What locks look like without attributes, and with the first so many combinations of them.
    fn tried_with(&self, combinations: usize) -> Option<Vec<Bytes>> {
        let mut free: Vec<Bytes> = Vec::new();
        let mut lock: Words = [0; LONGEST / size_of::<u64>()];
        let place: *mut c_void = lock.as_mut_ptr().cast();
        let mut is_told = true;
        let mut try_for = |attributes: Option<(&Attributes, usize)>| {
            lock.fill(0);
            let mut own = Vec::new();
            // SAFETY: it is as long as any lock, and goes through the states of one.
            is_told &= unsafe {
                match attributes {
                    Some((attributes, combination)) => attributes.begin(place, combination)?,
                    None => match self.begin(place) {
                        // What is zero is what `PTHREAD_MUTEX_INITIALIZER` and its like say.
                        None if !self.can_be_zero() => return None,
                        _ => {}
                    },
                }
                own.push(bytes_of(&lock));
                let is_told = self.tried(place, &lock, &mut own);
                if call(self.end, place).is_some() {
                    // Whoever ended it holds it no more, and initialises it before it is used again.
                    own.push(bytes_of(&lock));
                }
                is_told
            };
            own.retain(|one| !free.contains(one));
            free.append(&mut own);
            Some(())
        };
        try_for(None)?;
        for combination in 0..combinations {
            if let Some(attributes) = self.attributes {
                // A program that is linked statically may have none.
                let _ = try_for(Some((attributes, combination)));
            }
        }
        is_told.then_some(free)
    }

    /// What mutexes look like that this thread holds, and that do not ask who gives them back: those of the usual type.
    fn held_without_holder(&self) -> Vec<Bytes> {
        let held = |combination| {
            let mut lock: Words = [0; LONGEST / size_of::<u64>()];
            let place: *mut c_void = lock.as_mut_ptr().cast();
            let [take, give] = self.turns.first()?;
            // SAFETY: it is as long as any lock, and goes through the states of one.
            unsafe {
                OF_MUTEXES.begin(place, combination)?;
                call(take, place)?;
                let bytes = bytes_of(&lock);
                call(give, place)?;
                let _ = call(self.end, place);
                Some(bytes)
            }
        };
        let is_mutex = { self.attributes }.is_some_and(|one| one.begin == OF_MUTEXES.begin);
        // The type is not set, the default one, or the normal one.
        let combinations = if is_mutex { 0..3 } else { 0..0 };
        combinations.filter_map(held).collect()
    }

    /// The words of a condition variable in which its attributes lie. The others change with every wait. glibc counts those that wait in
    /// the same words.
    fn words_of_attributes(&self) -> Option<&[Word]> {
        let tried = { &self.words_of_attributes }.get_or_init(|| self.tried_for_attributes());
        tried.as_deref()
    }

    fn tried_for_attributes(&self) -> Option<Vec<Word>> {
        let attributes = self.attributes?;
        let looks = |combination| {
            let mut lock: Words = [0; LONGEST / size_of::<u64>()];
            let place: *mut c_void = lock.as_mut_ptr().cast();
            // SAFETY: it is as long as any lock, and is ended before it is gone.
            unsafe {
                attributes.begin(place, combination)?;
                let begun = bytes_of(&lock);
                let _ = call(self.end, place);
                Some([begun, bytes_of(&lock)])
            }
        };
        let all: Option<Vec<[Bytes; 2]>> = (0..attributes.combinations()).map(looks).collect();
        let all = all?;
        let word = |bytes: &Bytes, at: usize| bytes.as_chunks::<4>().0[at];
        let [begun, ended] = &all[0];
        let words = (0..LONGEST / 4).map(|at| (at, [word(begun, at), word(ended, at)]));
        let differs = |(at, [begun, _]): &Word| all.iter().any(|[one, _]| word(one, *at) != *begun);
        Some(words.filter(differs).collect())
    }

    /// Takes the lock in all ways one after the other until it looks like nothing new; whether the bytes tell who holds it.
    unsafe fn tried(&self, place: *mut c_void, lock: &Words, free: &mut Vec<Bytes>) -> bool {
        let mut held = Vec::new();
        let mut known = 0;
        while known < free.len() && free.len() <= MOST {
            known = free.len();
            // Twice, so that each way comes behind each other one.
            for [take, give] in self.turns.iter().chain(self.turns.iter().rev()) {
                // SAFETY: the caller's promise.
                unsafe {
                    // A program that is linked statically may have neither, and takes it in no such way.
                    let give: Option<Act> = function(give);
                    let Some(give) = give.filter(|_| call(take, place).is_some()) else {
                        continue;
                    };
                    held.push(bytes_of(lock));
                    give(place);
                }
                let seen = bytes_of(lock);
                if !free.contains(&seen) {
                    free.push(seen);
                }
            }
        }
        free.len() <= MOST && held.iter().all(|one| !free.contains(one))
    }
}

/// Calls a function with the lock at `place`, which was initialised.
unsafe fn call(name: &CStr, place: *mut c_void) -> Option<()> {
    // SAFETY: these functions take a pointer to their lock.
    unsafe { function::<Act>(name)?(place) };
    Some(())
}

fn bytes_of(lock: &Words) -> Bytes {
    let mut bytes = [0; LONGEST];
    for (to, word) in bytes.chunks_exact_mut(size_of::<u64>()).zip(lock) {
        // SAFETY: the word is there; a library may have changed it behind the compiler's back.
        let word = unsafe { std::ptr::read_volatile(word) };
        to.copy_from_slice(&word.to_ne_bytes());
    }
    bytes
}

/// Whether a restart initialises what has this type.
pub fn is_lock(kind: &str) -> bool {
    Locking::of(kind).is_some()
}

/// Whether the lock with these bytes is another than one that nobody holds or waits for and that has no attributes, as far as they tell. One that
/// was never initialised is all zero.
pub fn is_in_use(kind: &str, bytes: &[u8]) -> bool {
    let Some(lock) = Locking::of(kind).filter(|_| bytes.iter().any(|byte| *byte != 0)) else {
        return false;
    };
    if lock.turns.is_empty() {
        let words = bytes.as_chunks::<4>().0;
        let mut all = lock.words_of_attributes().into_iter().flatten();
        return all.any(|(at, free)| words.get(*at).is_some_and(|one| !free.contains(one)));
    }
    let free = lock.free();
    free.is_some_and(|free| !free.iter().any(|one| one.starts_with(bytes)))
}

/// Whether the lock with these bytes is held, as far as they tell, whatever attributes it has, and knows by whom.
pub fn has_holder(kind: &str, bytes: &[u8]) -> bool {
    let Some(lock) = Locking::of(kind).filter(|_| bytes.iter().any(|byte| *byte != 0)) else {
        return false;
    };
    let is_one = |all: &[Bytes]| all.iter().any(|one| one.starts_with(bytes));
    let free = lock.free_with_attributes();
    free.is_some_and(|free| !is_one(free)) && !is_one(&lock.held_without_holder())
}

/// The type of locks with that number in files.
pub fn lock_of_number(number: u64) -> Option<&'static str> {
    let lock = LOCKS.get(usize::try_from(number).ok()?)?;
    Some(lock.name)
}

/// The number of a type of locks in files.
pub fn number_of_lock(kind: &str) -> u64 {
    let at = LOCKS.iter().position(|one| one.name == kind);
    at.map_or(u64::MAX, |at| at as u64)
}

/// How long a lock of the C library is that is noted where it lies, in bytes. None for locks of OpenMP.
pub fn length_of_lock(kind: &str) -> Option<usize> {
    match kind {
        // That of C11 is one of POSIX by another name.
        "pthread_mutex_t" | "mtx_t" => Some(size_of::<libc::pthread_mutex_t>()),
        "pthread_rwlock_t" => Some(size_of::<libc::pthread_rwlock_t>()),
        _ => None,
    }
}

/// The name of a type of locks of OpenMP.
pub fn lock_of_openmp(is_nested: bool) -> &'static str {
    LOCKS[usize::from(is_nested)].name
}

/// Whether the second word of a nestable lock of OpenMP that is held tells by whom, as in libgomp, where that is an address.
pub fn nested_lock_has_owner() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| {
        let mut lock: Words = [0; LONGEST / size_of::<u64>()];
        let place: *mut c_void = lock.as_mut_ptr().cast();
        let names = [c"omp_init_nest_lock", c"omp_set_nest_lock"];
        // SAFETY: it is as long as any lock, and goes through the states of one.
        let is_held = names
            .into_iter()
            .all(|name| unsafe { call(name, place) }.is_some());
        let word = usize::from_ne_bytes;
        let bytes = bytes_of(&lock);
        let (words, _) = bytes.as_chunks();
        let has = is_held && words.get(1).is_some_and(|owner| word(*owner) != 0);
        // SAFETY: as above.
        unsafe {
            call(c"omp_unset_nest_lock", place);
            call(c"omp_destroy_nest_lock", place);
        }
        has
    })
}

impl Program {
    /// Whether the lock of OpenMP there is held. Nobody takes one meanwhile.
    pub fn is_held(&self, place: usize, is_nested: bool) -> bool {
        let (test, unset) = match is_nested {
            false => (c"omp_test_lock", c"omp_unset_lock"),
            true => (c"omp_test_nest_lock", c"omp_unset_nest_lock"),
        };
        let place = place as *mut c_void;
        // SAFETY: the program has a lock there (the promise of this room).
        let taken = unsafe {
            let test: Option<unsafe extern "C" fn(*mut c_void) -> c_int> = function(test);
            let taken = test.map_or(0, |test| test(place));
            if taken != 0 {
                call(unset, place);
            }
            taken
        };
        // More than once: this thread had it before.
        taken != 1
    }

    /// Lets what lies at these places be locks that nobody holds. Another type than a lock stays as it is.
    pub fn begin_locks(&self, kind: &str, places: impl Iterator<Item = usize>) {
        if let Some(lock) = Locking::of(kind) {
            for place in places {
                // SAFETY: a place in the program's memory (the promise of this room), and the program has a lock there.
                unsafe { lock.begin(place as *mut c_void) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lock of a program, and what `act` does with it.
    fn bytes(length: usize, act: impl FnOnce(*mut c_void)) -> Vec<u8> {
        let mut lock: Words = [0; LONGEST / size_of::<u64>()];
        act(lock.as_mut_ptr().cast());
        bytes_of(&lock)[..length].to_vec()
    }

    fn is_mutex_in_use(act: impl FnOnce(*mut libc::pthread_mutex_t)) -> bool {
        let length = size_of::<libc::pthread_mutex_t>();
        is_in_use("pthread_mutex_t", &bytes(length, |place| act(place.cast())))
    }

    #[test]
    fn a_mutex_is_free_after_it_was_given_back() {
        // SAFETY: the functions get a lock that they initialise first.
        unsafe {
            let begin = |place| libc::pthread_mutex_init(place, std::ptr::null());
            assert!(!is_mutex_in_use(|_| ()));
            assert!(!is_mutex_in_use(|place| {
                begin(place);
            }));
            assert!(is_mutex_in_use(|place| {
                begin(place);
                libc::pthread_mutex_lock(place);
            }));
            assert!(!is_mutex_in_use(|place| {
                begin(place);
                libc::pthread_mutex_lock(place);
                libc::pthread_mutex_unlock(place);
            }));
        }
    }

    #[test]
    fn a_mutex_with_attributes_is_none_that_a_restart_makes() {
        assert!(is_mutex_in_use(|place| {
            let mut attributes = std::mem::MaybeUninit::uninit();
            // SAFETY: the attributes are initialised before they are used.
            unsafe {
                libc::pthread_mutexattr_init(attributes.as_mut_ptr());
                libc::pthread_mutexattr_settype(
                    attributes.as_mut_ptr(),
                    libc::PTHREAD_MUTEX_RECURSIVE,
                );
                libc::pthread_mutex_init(place, attributes.as_ptr());
            }
        }));
    }

    #[test]
    fn a_mutex_that_is_said_to_be_normal_is_free_like_one_of_which_nothing_is_said() {
        for held in [false, true] {
            let is_in_use = is_mutex_in_use(|place| {
                // SAFETY: the mutex is initialised before it is taken.
                unsafe {
                    OF_MUTEXES
                        .begin(place.cast(), 1)
                        .expect("the functions of POSIX");
                    libc::pthread_mutex_lock(place);
                    if !held {
                        libc::pthread_mutex_unlock(place);
                    }
                }
            });
            assert_eq!(is_in_use, held);
        }
    }

    #[test]
    fn a_read_write_lock_is_free_whoever_had_it_before() {
        let is_in_use = |ways: &[bool], last: bool| {
            let length = size_of::<libc::pthread_rwlock_t>();
            let bytes = bytes(length, |place| {
                let place: *mut libc::pthread_rwlock_t = place.cast();
                // SAFETY: the lock is initialised before it is used.
                unsafe {
                    libc::pthread_rwlock_init(place, std::ptr::null());
                    for (number, reads) in ways.iter().enumerate() {
                        match reads {
                            true => libc::pthread_rwlock_rdlock(place),
                            false => libc::pthread_rwlock_wrlock(place),
                        };
                        if number + 1 < ways.len() || !last {
                            libc::pthread_rwlock_unlock(place);
                        }
                    }
                }
            });
            is_in_use("pthread_rwlock_t", &bytes)
        };
        for ways in [
            &[true][..],
            &[false],
            &[true, false],
            &[false, true],
            &[false, false, true, true, false],
        ] {
            assert!(!is_in_use(ways, false), "{ways:?}");
            assert!(is_in_use(ways, true), "{ways:?}");
        }
    }

    #[test]
    fn all_types_of_the_grammar_are_known_here() {
        for name in cccp_grammar::LOCK_TYPES {
            assert!(is_lock(name), "{name}");
        }
        assert_eq!(cccp_grammar::LOCK_TYPES.len(), LOCKS.len());
    }
}
