//! Files that zlib reads for the program (`gzFile`): which are open, how far each was read, and how one is opened again (zlib 1.2.13).
//!
//! In: the program's calls that open and close them, which `ffi` notes here. Out: a word for a file, a line with its place, and a file
//! that is open again at that place. Not here: the descriptor, which comes back as all do (`session`). What zlib writes does not come
//! back: only zlib knows what it has not written yet.
//!
//! ```text
//! input 2 5 0 - 123456 rb      number, descriptor, where in the file zlib began, `end` once it has met the end, place in the text, mode
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::Made;
use super::known::Known;

/// The type of a file of zlib.
const TYPE: &str = "gzFile";
/// Begins the line of one.
const INPUT: &str = "input ";
/// What a line says of a file whose end was met, and of another one.
const END: [&str; 2] = ["-", "end"];

/// How zlib began to read or write a file.
#[derive(Clone, Debug)]
pub struct Begun {
    /// The descriptor; none where it is unknown.
    pub descriptor: Option<i32>,
    /// Where in the file; none where that has no places.
    pub start: Option<u64>,
    /// What the program gave as mode.
    pub mode: String,
}

impl Begun {
    /// Whether zlib reads it.
    pub fn reads(&self) -> bool {
        !self.mode.contains(['w', 'a', '+'])
    }
}

/// How far zlib has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The place in what the program is given.
    pub place: u64,
    /// The end was met: `gzeof` says so.
    pub ended: bool,
    /// zlib has reported an error.
    pub failed: bool,
}

/// zlib's functions, as the program is linked with them.
pub trait Zlib: Sync {
    /// How far a file was read; none where the program has no functions that read.
    fn state(&self, file: usize) -> Option<State>;

    /// Opens a file again that this descriptor reads, where zlib once began, and reads up to a place.
    ///
    /// # Errors
    ///
    /// What stands in the way, for people.
    fn open(&self, begun: &Begun, state: State) -> Result<usize, String>;
}

static ZLIB: OnceLock<&'static dyn Zlib> = OnceLock::new();

struct Input {
    begun: Begun,
    /// The last place to which the program has pushed a byte back.
    pushed: Option<u64>,
}

static TABLE: Mutex<Known<Input>> = Mutex::new(Known::new());

fn table() -> MutexGuard<'static, Known<Input>> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// zlib is there.
pub fn set_zlib(zlib: &'static dyn Zlib) {
    // The first one serves as well: there is one zlib.
    let _ = ZLIB.set(zlib);
}

/// Whether a type is that of a file of zlib.
pub(super) fn is_input(kind: &str) -> bool {
    kind == TYPE
}

/// zlib has opened a file: its address, 0 where it could not. Those that blocks open are opened by them again.
pub fn note_input(file: usize, begun: Begun) {
    let pushed = None;
    table().note(file, |_| Input { begun, pushed });
}

/// A file is closed.
pub fn forget_input(file: usize) {
    table().forget(file);
}

/// The program has pushed a byte back: the file would not give it again.
pub fn push_back(file: usize) {
    let place = ZLIB.get().and_then(|zlib| zlib.state(file));
    if let (Some(one), Some(state)) = (table().get(file), place) {
        one.pushed = one.pushed.max(Some(state.place));
    }
}

/// The files that zlib reads by descriptors, with their addresses.
pub fn inputs() -> BTreeMap<usize, i32> {
    let table = table();
    let read = table.all().filter(|(_, one)| one.begun.reads());
    read.filter_map(|(file, one)| Some((file, one.begun.descriptor?)))
        .collect()
}

/// Whether there is nothing to say of an address: it is none, of a file that is closed, or of one that a block opens.
pub(super) fn is_other_input(bytes: &[u8]) -> bool {
    table().is_other(bytes)
}

/// The word for a file; none for one that no call has opened which came here.
pub(super) fn input_word(bytes: &[u8]) -> Option<String> {
    table().number(bytes).map(word)
}

fn word(number: u64) -> String {
    format!("i{number}")
}

/// The lines of files, in the order in which they were opened. `refused` are those whose descriptors cannot come back.
///
/// # Errors
///
/// Where one cannot be opened again as it is.
pub fn input_lines(
    words: &BTreeSet<String>,
    refused: &BTreeMap<usize, String>,
) -> Result<String, String> {
    let table = table();
    let mut lines = String::new();
    for (number, file, one) in table.meant(|number| words.contains(&word(number))) {
        let failed = |reason: &str| {
            Err(format!(
                "a file of zlib (`gzFile`) that is open cannot be restored: {reason}. Close it before the checkpoint, or register \
                 nothing that holds it and open it in an execute on restart block"
            ))
        };
        let begun = &one.begun;
        if !begun.reads() {
            return failed("zlib writes it, and only zlib knows what it has not written yet");
        }
        if let Some(reason) = refused.get(&file) {
            return failed(reason);
        }
        let Some((descriptor, start)) = begun.descriptor.zip(begun.start) else {
            return failed("it is no file on a disk: what went through it is gone");
        };
        let Some(state) = ZLIB.get().and_then(|zlib| zlib.state(file)) else {
            return failed("the program calls no function of zlib that reads");
        };
        if state.failed {
            return failed("zlib has reported an error of it");
        }
        if one.pushed.is_some_and(|place| place >= state.place) {
            return failed("a byte was pushed back to it (`gzungetc`)");
        }
        let end = END[usize::from(state.ended)];
        let (place, mode) = (state.place, &begun.mode);
        lines += &format!("{INPUT}{number} {descriptor} {start} {end} {place} {mode}\n");
    }
    Ok(lines)
}

/// Whether a line is that of a file.
pub fn is_input_line(line: &str) -> bool {
    line.starts_with(INPUT)
}

/// Opens a file again from its line; `now` is the descriptor that the one of the checkpoint has become.
///
/// # Errors
///
/// What stands in the way, for people.
pub fn make_input(line: &str, now: impl Fn(i32) -> Option<i32>) -> Result<Made, String> {
    let failed = |reason: &str| format!("a file of zlib cannot be opened again: {reason}");
    let parts = read(line).ok_or_else(|| failed("its line is not understood"))?;
    let (number, begun, state) = parts;
    let descriptor = begun.descriptor.and_then(now);
    let descriptor = descriptor.ok_or_else(|| failed("the checkpoint has no such file"))?;
    let zlib = ZLIB
        .get()
        .ok_or_else(|| failed("the program uses no zlib now"))?;
    let begun = Begun {
        descriptor: Some(descriptor),
        ..begun
    };
    let made = zlib.open(&begun, state).map_err(|reason| failed(&reason))?;
    table().note(made, |_| Input {
        begun,
        pushed: None,
    });
    Ok(Made {
        word: word(number),
        bytes: made.to_ne_bytes().to_vec(),
        is_other: false,
    })
}

/// What a line says: number, how zlib began, how far it has read.
fn read(line: &str) -> Option<(u64, Begun, State)> {
    let mut words = line.strip_prefix(INPUT)?.splitn(6, ' ');
    let number = words.next()?.parse().ok()?;
    let descriptor = Some(words.next()?.parse().ok()?);
    let start = Some(words.next()?.parse().ok()?);
    let ended = words.next()? == END[1];
    let place = words.next()?.parse().ok()?;
    let begun = Begun {
        descriptor,
        start,
        mode: words.next()?.to_string(),
    };
    let failed = false;
    Some((
        number,
        begun,
        State {
            place,
            ended,
            failed,
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Twin;

    impl Zlib for Twin {
        fn state(&self, file: usize) -> Option<State> {
            Some(State {
                place: 700,
                ended: file == 18,
                failed: file == 19,
            })
        }

        fn open(&self, begun: &Begun, state: State) -> Result<usize, String> {
            let descriptor = begun.descriptor.unwrap_or_default() as usize;
            Ok(1000 * descriptor + state.place as usize + usize::from(state.ended))
        }
    }

    fn open(mode: &str) -> Begun {
        Begun {
            descriptor: Some(4),
            start: Some(0),
            mode: mode.to_string(),
        }
    }

    /// The line of a file.
    fn line_of(file: usize) -> Result<String, String> {
        let word = input_word(&file.to_ne_bytes()).expect("it is open");
        input_lines(&BTreeSet::from([word]), &BTreeMap::new())
    }

    #[test]
    fn a_file_is_opened_again_at_its_place() {
        set_zlib(&Twin);
        note_input(17, open("rb"));
        note_input(18, open("r"));
        let line = line_of(18).expect("it can be opened again");
        assert!(
            line.ends_with(" 4 0 end 700 r\n") && is_input_line(&line),
            "{line}"
        );
        let made = make_input(line.trim_end(), |one| Some(one + 5)).expect("it is there");
        assert_eq!(made.bytes, 9701usize.to_ne_bytes().to_vec());
        assert!(make_input(line.trim_end(), |_| None).is_err());
        push_back(17);
        let reason = line_of(17).expect_err("a byte was pushed back");
        assert!(reason.contains("gzungetc"), "{reason}");
        note_input(19, open("r"));
        assert!(line_of(19).is_err_and(|reason| reason.contains("an error")));
        note_input(20, open("ab9"));
        assert!(line_of(20).is_err_and(|reason| reason.contains("writes it")));
        let pipe = Begun {
            start: None,
            ..open("r")
        };
        note_input(21, pipe);
        assert!(line_of(21).is_err_and(|reason| reason.contains("no file on a disk")));
        assert!(inputs().contains_key(&17) && !inputs().contains_key(&20));
        forget_input(17);
        assert!(is_other_input(&17usize.to_ne_bytes()));
    }
}
