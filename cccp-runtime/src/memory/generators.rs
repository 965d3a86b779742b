//! The generators of random numbers that the C library keeps to itself.
//!
//! In: nothing, or what a checkpoint holds. Out: the state of `rand`, `random` and their relatives as numbers that mean
//! the same on every machine, and the same put back. Only documented functions get at it. `drand48` and its relatives are
//! an arithmetic rule of the standard: 48 bits, a factor and a summand. The array of `random`, which the GNU library
//! shares with `rand`, is handed over by `initstate` and `setstate`: an int with the kind of generator and how far it
//! has come, and ints that were drawn. Whether it is so is tried before anything relies on it; where it is not, there
//! is no state to be had, and nothing is guessed.

use std::ffi::{c_char, c_int, c_long, c_uint, c_ushort};
use std::sync::OnceLock;

/// The program uses `rand`, `random` or what belongs to them.
pub const RANDOM: u32 = 1;
/// The program uses `drand48` or what belongs to it.
pub const DRAND48: u32 = 2;

/// Ints in the arrays of the kinds of generators, the first one included.
const LENGTHS: [usize; 5] = [2, 8, 16, 32, 64];

unsafe extern "C" {
    fn rand() -> c_int;
    fn random() -> c_long;
    fn initstate(seed: c_uint, state: *mut c_char, size: usize) -> *mut c_char;
    fn setstate(state: *mut c_char) -> *mut c_char;
    fn seed48(state: *mut c_ushort) -> *mut c_ushort;
    fn lcong48(parameters: *mut c_ushort);
    fn jrand48(state: *mut c_ushort) -> c_long;
}

/// The state of `random`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    /// Where its array is.
    pub address: usize,
    /// What is in it.
    pub words: Vec<u32>,
}

/// The array that is in force, with everything written into it; none where it is not laid out as expected.
fn array() -> Option<Random> {
    let mut aside = [0u32; 2];
    // SAFETY: the array has the size that is said, and is out of use again before it ends.
    let (address, kind) = unsafe {
        let array = initstate(1, aside.as_mut_ptr().cast(), size_of_val(&aside));
        if array.is_null() {
            return None;
        }
        let first = array.cast::<c_int>().read_unaligned();
        setstate(array);
        (array as usize, first.rem_euclid(5) as usize)
    };
    Some(Random {
        address,
        words: read(address, LENGTHS[kind]),
    })
}

/// `count` ints of an array.
fn read(address: usize, count: usize) -> Vec<u32> {
    let word = |index: usize| {
        // SAFETY: the library writes this many ints there itself.
        unsafe { (address as *const u32).add(index).read_unaligned() }
    };
    (0..count).map(word).collect()
}

/// Whether a copy of an array goes on as the array itself does, and `rand` draws from the same one as `random`.
fn is_as_expected() -> bool {
    static TRIED: OnceLock<bool> = OnceLock::new();
    if cfg!(not(all(target_os = "linux", target_env = "gnu"))) {
        return false;
    }
    *TRIED.get_or_init(|| {
        let (mut one, mut other) = ([0u32; 8], [0u32; 8]);
        // SAFETY: both arrays live until the program's own is in force again.
        unsafe {
            let own = initstate(20_260, one.as_mut_ptr().cast(), size_of_val(&one));
            if own.is_null() {
                return false;
            }
            for _ in 0..5 {
                random();
            }
            setstate(own);
            other.copy_from_slice(&read(one.as_ptr() as usize, 8));
            setstate(one.as_mut_ptr().cast());
            let drawn: Vec<c_long> = (0..20).map(|_| random()).collect();
            setstate(other.as_mut_ptr().cast());
            let again: Vec<c_long> = (0..20).map(|_| c_long::from(rand())).collect();
            setstate(own);
            drawn == again && other[0] % 5 == 1
        }
    })
}

/// The state of `rand` and `random`; none where the C library does not give it away.
pub fn random_state() -> Option<Random> {
    if !is_as_expected() {
        return None;
    }
    let state = array()?;
    // How far it has come lies inside the array.
    (state.words[0] as usize / 5 < state.words.len()).then_some(state)
}

/// Lets `rand` and `random` go on with these numbers: in the array at `place` when there is one, else in the one that is
/// in force, when it is as long, else in one of ours. False when they are no such state.
pub fn set_random_state(words: &[u32], place: Option<usize>) -> bool {
    let sound = words
        .first()
        .is_some_and(|&first| LENGTHS[first as usize % 5] == words.len());
    if !sound || words[0] as usize / 5 >= words.len() || !is_as_expected() {
        return false;
    }
    let own = array().filter(|own| own.words.len() == words.len());
    let target = match place.or(own.map(|own| own.address)) {
        Some(address) => address as *mut u32,
        None => vec![0u32; words.len()].leak().as_mut_ptr(),
    };
    let mut aside = [0u32; 2];
    // SAFETY: the target has room for the words; while it is written, another array is in force.
    unsafe {
        let before = initstate(1, aside.as_mut_ptr().cast(), size_of_val(&aside));
        for (index, word) in words.iter().enumerate() {
            target.add(index).write_unaligned(*word);
        }
        if setstate(target.cast()).is_null() {
            setstate(before);
            return false;
        }
    }
    true
}

/// The state of `drand48`, as `lcong48` takes it: three words of the last number, three of the factor, the summand.
pub fn drand48_state() -> Option<[u16; 7]> {
    let draw = |start: u64| {
        let mut words = split(start);
        // SAFETY: three words; the state of drand48 is not touched.
        unsafe { jrand48(words.as_mut_ptr()) };
        join(&words)
    };
    let summand = draw(0);
    let factor = draw(1).wrapping_sub(summand) & MASK;
    let last: [u16; 3] = {
        let mut aside = [0u16; 3];
        // SAFETY: three words in, and three out, which stay until the next call.
        unsafe {
            let last = seed48(aside.as_mut_ptr());
            [*last, *last.add(1), *last.add(2)]
        }
    };
    let factor = split(factor);
    let summand = u16::try_from(summand).ok()?;
    let state = [
        last[0], last[1], last[2], factor[0], factor[1], factor[2], summand,
    ];
    set_drand48_state(state);
    Some(state)
}

/// Lets `drand48` go on with these numbers.
pub fn set_drand48_state(mut state: [u16; 7]) {
    // SAFETY: seven words, which are copied.
    unsafe { lcong48(state.as_mut_ptr()) }
}

const MASK: u64 = (1 << 48) - 1;

fn split(value: u64) -> [u16; 3] {
    [value as u16, (value >> 16) as u16, (value >> 32) as u16]
}

fn join(words: &[u16; 3]) -> u64 {
    words
        .iter()
        .rev()
        .fold(0, |all, word| all << 16 | u64::from(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" {
        fn srand(seed: c_uint);
        fn srand48(seed: c_long);
        fn mrand48() -> c_long;
    }

    // One test: the state belongs to the whole process.
    #[test]
    fn generators_go_on_where_they_were() {
        // SAFETY: no memory but the array, which stays.
        let draw = || -> Vec<c_int> { (0..100).map(|_| unsafe { rand() }).collect() };
        // SAFETY: see above.
        unsafe { srand(7) };
        let _ = draw();
        let state = random_state().expect("the GNU library");
        assert_eq!(
            random_state(),
            Some(state.clone()),
            "looking changes nothing"
        );
        let expected = draw();
        assert!(set_random_state(&state.words, None));
        assert_eq!(draw(), expected);
        // An array of another length is in force.
        let array = vec![0u32; 64].leak();
        // SAFETY: see above.
        unsafe { initstate(3, array.as_mut_ptr().cast(), 256) };
        assert_ne!(draw(), expected);
        assert!(set_random_state(&state.words, None));
        assert_eq!(draw(), expected);
        let place = vec![0u32; 32].leak().as_mut_ptr() as usize;
        assert!(set_random_state(&state.words, Some(place)));
        assert_eq!(draw(), expected);
        assert_eq!(random_state().map(|now| now.address), Some(place));
        assert!(!set_random_state(&state.words[1..], None));
        assert!(!set_random_state(&[], None));

        // SAFETY: no memory.
        let draw = || -> Vec<c_long> { (0..100).map(|_| unsafe { mrand48() }).collect() };
        for parameters in [None, Some([1u16, 2, 3, 4, 5, 6, 7])] {
            // SAFETY: seven words.
            unsafe { srand48(11) };
            if let Some(parameters) = parameters {
                set_drand48_state(parameters);
            }
            let _ = draw();
            let state = drand48_state().expect("a summand of 16 bits");
            assert_eq!(drand48_state(), Some(state), "looking changes nothing");
            let expected = draw();
            // SAFETY: seven words.
            unsafe { srand48(5) };
            set_drand48_state(state);
            assert_eq!(draw(), expected);
            if let Some(parameters) = parameters {
                assert_eq!(state[3..], parameters[3..]);
            }
        }
    }
}
