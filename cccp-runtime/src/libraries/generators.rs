//! Generators of random numbers of GSL: which there are, their states, and how they are made again (GSL 2.7, 18.2 to 18.7).
//!
//! In: the program's calls that make and free them, which `ffi` notes here. Out: a word for a generator, a line with its name and the
//! bytes of its state, and a generator with that state. GSL copies states as bytes itself (`gsl_rng_memcpy`): no addresses are in them.
//!
//! ```text
//! generator 2 mt19937 little8 00a4f1…      number, name, bytes of what machine, state
//! ```

use std::collections::BTreeSet;
use std::ffi::c_long;
use std::fmt::Write;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::Made;
use super::known::Known;

/// The type of a generator.
const TYPE: &str = "gsl_rng *";
/// Begins the line of a generator.
const GENERATOR: &str = "generator ";

/// GSL's functions, as the program is linked with them.
pub trait Generators: Sync {
    /// The name and the state of a generator; none where GSL would not find its kind by the name.
    fn state(&self, generator: usize) -> Option<(String, Vec<u8>)>;

    /// Makes one of this name, with this state; none where GSL knows no such kind, or its states have another size.
    fn make(&self, name: &str, state: &[u8]) -> Option<usize>;
}

static GSL: OnceLock<&'static dyn Generators> = OnceLock::new();

static TABLE: Mutex<Known<()>> = Mutex::new(Known::new());

fn table() -> MutexGuard<'static, Known<()>> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// GSL is there.
pub fn set_generators(gsl: &'static dyn Generators) {
    // The first one serves as well: there is one GSL.
    let _ = GSL.set(gsl);
}

/// Whether a type is that of a generator.
pub fn is_generator(kind: &str) -> bool {
    kind == TYPE
}

/// A generator was made: its address, 0 where it could not. Those that blocks make are made by them again.
pub fn note_generator(generator: usize) {
    table().note(generator, |_| ());
}

/// A generator is gone.
pub fn forget_generator(generator: usize) {
    table().forget(generator);
}

/// Whether there is nothing to say of an address: it is none, of a generator that is gone, or of one that a block makes.
pub fn is_other_generator(bytes: &[u8]) -> bool {
    table().is_other(bytes)
}

/// The word for a generator; none for one that no call has made which came here.
pub fn generator_word(bytes: &[u8]) -> Option<String> {
    table().number(bytes).map(word)
}

fn word(number: u64) -> String {
    format!("g{number}")
}

/// What the bytes of a state depend on.
fn machine() -> String {
    let order = if cfg!(target_endian = "big") {
        "big"
    } else {
        "little"
    };
    format!("{order}{}", size_of::<c_long>())
}

/// The lines of generators, in the order in which they were made.
///
/// # Errors
///
/// Where GSL would not find the kind of one by its name.
pub fn generator_lines(words: &BTreeSet<String>) -> Result<String, String> {
    let table = table();
    let mut lines = String::new();
    for (number, generator, ()) in table.meant(|number| words.contains(&word(number))) {
        let Some((name, state)) = GSL.get().and_then(|gsl| gsl.state(generator)) else {
            return Err(
                "a generator of GSL cannot be restored: its kind is the program's own, which GSL would not find by its name"
                    .to_string(),
            );
        };
        let _ = write!(lines, "{GENERATOR}{number} {name} {} ", machine());
        for byte in state {
            let _ = write!(lines, "{byte:02x}");
        }
        lines.push('\n');
    }
    Ok(lines)
}

/// Whether a line is that of a generator.
pub fn is_generator_line(line: &str) -> bool {
    line.starts_with(GENERATOR)
}

/// Makes a generator again from its line.
///
/// # Errors
///
/// What stands in the way, for people.
pub fn make_generator(line: &str) -> Result<Made, String> {
    let failed = |reason: &str| format!("a generator of GSL cannot be made again: {reason}");
    let mut words = line.split(' ').skip(1);
    let mut word = || words.next().unwrap_or_default();
    let (number, name, of, state) = (word(), word(), word(), word());
    if of != machine() {
        return Err(failed(
            "its state has the bytes of another kind of machine; restart on one like the one that wrote the checkpoint",
        ));
    }
    let digits: Vec<u8> = state.bytes().collect();
    let (pairs, _) = digits.as_chunks::<2>();
    let byte = |pair: &[u8; 2]| {
        let pair = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    };
    let state: Option<Vec<u8>> = pairs.iter().map(byte).collect();
    let state = state.ok_or_else(|| failed("its line is not understood"))?;
    let gsl = GSL
        .get()
        .ok_or_else(|| failed("the program uses no GSL now"))?;
    let made = gsl.make(name, &state).ok_or_else(|| {
        failed(&format!(
            "GSL has no `{name}` with a state of {} bytes",
            state.len()
        ))
    })?;
    Ok(Made {
        word: format!("g{number}"),
        bytes: made.to_ne_bytes().to_vec(),
        is_other: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Twin;

    impl Generators for Twin {
        fn state(&self, generator: usize) -> Option<(String, Vec<u8>)> {
            Some(("taus".to_string(), vec![generator as u8, 0xff]))
        }

        fn make(&self, name: &str, state: &[u8]) -> Option<usize> {
            (name == "taus").then(|| 1000 + usize::from(state[0]) + state.len())
        }
    }

    #[test]
    fn a_generator_is_made_again_with_its_state() {
        set_generators(&Twin);
        note_generator(17);
        let word = generator_word(&17usize.to_ne_bytes()).expect("it is there");
        let lines = generator_lines(&BTreeSet::from([word.clone()])).expect("it has a name");
        assert!(
            lines.ends_with("11ff\n") && is_generator_line(&lines),
            "{lines}"
        );
        let made = make_generator(lines.trim_end()).expect("it is made");
        assert_eq!(
            (made.word, made.bytes),
            (word, 1019usize.to_ne_bytes().to_vec())
        );
        let foreign = lines.replace("little", "other").replace("big", "other");
        assert!(make_generator(foreign.trim_end()).is_err());
        let other = lines.replace("taus", "own");
        assert!(make_generator(other.trim_end()).is_err());
        forget_generator(17);
        let bytes = 17usize.to_ne_bytes();
        assert_eq!(
            (generator_word(&bytes), is_other_generator(&bytes)),
            (None, true)
        );
        assert!(!is_other_generator(&18usize.to_ne_bytes()));
    }
}
