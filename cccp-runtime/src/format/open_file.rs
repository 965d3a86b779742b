//! An open file of the program, as a checkpoint keeps it: a text of lines, each a word, a space and a value.
//!
//! In: what is known of a stream or a descriptor. Out: the text, and the same back. Lines of words that are not known are
//! passed over; in paths a backslash and a line feed have a backslash before them, so every path has one line.
//!
//! ```text
//! stream 5
//! access write append
//! offset 4096
//! locked open exclusive
//! length 4096
//! modified 1700000000.000000000
//! below results/run.log
//! path /home/me/results/run.log
//! ```
//!
//! Not here: files (`store`), streams (`memory`), what MPI knows of its files (`together`).

use super::{FileLock, Together};

/// How the program may use a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// It reads.
    pub read: bool,
    /// It writes.
    pub write: bool,
    /// What is written goes to the end.
    pub append: bool,
}

/// When what is written to a stream leaves it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Buffering {
    /// As the C library does it where nobody says how.
    #[default]
    Usual,
    /// At the end of each line.
    Line,
    /// At once.
    None,
}

impl Buffering {
    /// The one with this number; another number is the usual one.
    pub fn of_number(number: u64) -> Buffering {
        let all = [Buffering::Line, Buffering::None];
        let found = all.into_iter().find(|one| *one as u64 == number);
        found.unwrap_or_default()
    }
}

/// An open file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenFile {
    /// A stream of the C library; otherwise a descriptor.
    pub stream: bool,
    /// The number of the descriptor.
    pub number: u32,
    /// One of the three that every process has: it becomes itself.
    pub standard: bool,
    /// One of the three to which the program has given this file (`freopen`): a restart gives it that again.
    pub given: bool,
    /// It is closed when another program is executed.
    pub close_on_exec: bool,
    /// How it may be used.
    pub access: Access,
    /// Where the next byte is read or written; none where there are no places, as in a device.
    pub offset: Option<u64>,
    /// Bytes of the file.
    pub length: u64,
    /// Seconds since 1970 and nanoseconds of the last change.
    pub modified: (i64, u32),
    /// From the working directory, when it lies there.
    pub below: Option<Vec<u8>>,
    /// From the root.
    pub path: Vec<u8>,
    /// Several processes have opened it together, with MPI; then it is neither stream nor descriptor.
    pub together: Option<Together>,
    /// It has been open since before `init`, where every start opens it: its place in the order of opening there. Nothing
    /// registers it.
    pub early: Option<u32>,
    /// What `ungetc` has pushed back, the next to be read first.
    pub pushed: Vec<u8>,
    /// A stream that has met the end of its file: `feof` says so.
    pub ended: bool,
    /// Reading or writing the stream has failed: `ferror` says so.
    pub failed: bool,
    /// Locks that the program holds on it.
    pub locks: Vec<FileLock>,
    /// Kept for its locks, or for zlib, which reads it: nothing that comes back knows its number.
    pub unnamed: bool,
    /// It has no name any more; the number of the register that holds its bytes, see [`removed_name`].
    pub removed: Option<u64>,
    /// When what is written to the stream leaves it.
    pub buffering: Buffering,
    /// Another descriptor of the same open file, which has the same place in it (`dup`).
    pub shares: Option<u32>,
}

/// What the names of such registers begin with.
pub const STREAM: &str = "stream ";
/// The same for descriptors.
pub const DESCRIPTOR: &str = "descriptor ";
/// The same for files of MPI.
pub const MPI_FILE: &str = "file of MPI ";

/// The name of the register that holds the bytes of a removed file.
pub fn removed_name(number: u64) -> String {
    format!("removed file {number}")
}

impl OpenFile {
    /// The name of the register that holds it.
    pub fn name(&self) -> String {
        let path = String::from_utf8_lossy(self.below.as_ref().unwrap_or(&self.path)).into_owned();
        match (self.stream, self.standard) {
            _ if self.together.is_some() => format!("{MPI_FILE}{path}"),
            (true, true) => format!("{STREAM}{}", standard_name(self.number)),
            (true, false) => format!("{STREAM}{path}"),
            (false, _) => format!("{DESCRIPTOR}{} {path}", self.number),
        }
    }

    /// As a text.
    pub fn to_text(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut line = |word: &str, value: &[u8]| {
            out.extend_from_slice(word.as_bytes());
            out.push(b' ');
            out.extend_from_slice(value);
            out.push(b'\n');
        };
        let what = if self.stream { STREAM } else { DESCRIPTOR };
        match &self.together {
            Some(together) => together.lines(&mut line),
            None => line(what.trim_end(), self.number.to_string().as_bytes()),
        }
        if self.standard {
            line("standard", standard_name(self.number).as_bytes());
        }
        if self.given {
            line("given", b"by the program");
        }
        if self.close_on_exec {
            line("close", b"on exec");
        }
        if let Some(early) = self.early {
            line("early", early.to_string().as_bytes());
        }
        let words = [
            (self.access.read, "read"),
            (self.access.write, "write"),
            (self.access.append, "append"),
        ];
        let words: Vec<&str> = words.iter().filter(|one| one.0).map(|one| one.1).collect();
        line("access", words.join(" ").as_bytes());
        if let Some(offset) = self.offset {
            line("offset", offset.to_string().as_bytes());
        }
        if !self.pushed.is_empty() {
            let numbers: Vec<String> = self.pushed.iter().map(u8::to_string).collect();
            line("pushed", numbers.join(" ").as_bytes());
        }
        if self.ended {
            line("indicates", b"end");
        }
        if self.failed {
            line("indicates", b"error");
        }
        for lock in &self.locks {
            line("locked", lock.to_text().as_bytes());
        }
        if self.unnamed {
            line("unnamed", b"for its locks");
        }
        match self.buffering {
            Buffering::Usual => {}
            Buffering::Line => line("buffered", b"line"),
            Buffering::None => line("buffered", b"none"),
        }
        if let Some(removed) = self.removed {
            line("removed", removed.to_string().as_bytes());
        }
        if let Some(shares) = self.shares {
            line("shares", shares.to_string().as_bytes());
        }
        line("length", self.length.to_string().as_bytes());
        let (seconds, nanoseconds) = self.modified;
        line("modified", format!("{seconds}.{nanoseconds:09}").as_bytes());
        if let Some(below) = &self.below {
            line("below", &escaped(below));
        }
        line("path", &escaped(&self.path));
        out
    }

    /// From a text; none when it is not such a text.
    pub fn from_text(text: &[u8]) -> Option<OpenFile> {
        let mut found = OpenFile {
            number: u32::MAX,
            ..OpenFile::default()
        };
        for (word, value) in lines(text) {
            let text = String::from_utf8_lossy(&value);
            match word.as_slice() {
                b"stream" => (found.stream, found.number) = (true, text.parse().ok()?),
                b"descriptor" => found.number = text.parse().ok()?,
                b"standard" => found.standard = true,
                b"given" => found.given = true,
                b"close" => found.close_on_exec = true,
                b"access" => {
                    let has = |word: &str| text.split(' ').any(|one| one == word);
                    (found.access.read, found.access.write) = (has("read"), has("write"));
                    found.access.append = has("append");
                }
                b"offset" => found.offset = Some(text.parse().ok()?),
                b"pushed" => {
                    let numbers = text.split(' ').map(|one| one.parse().ok());
                    found.pushed = numbers.collect::<Option<Vec<u8>>>()?;
                }
                b"indicates" => {
                    found.ended |= value == b"end";
                    found.failed |= value == b"error";
                }
                b"locked" => found.locks.extend(FileLock::from_text(&text)),
                b"unnamed" => found.unnamed = true,
                b"buffered" if value == b"line" => found.buffering = Buffering::Line,
                b"buffered" if value == b"none" => found.buffering = Buffering::None,
                b"removed" => found.removed = Some(text.parse().ok()?),
                b"shares" => found.shares = Some(text.parse().ok()?),
                b"length" => found.length = text.parse().ok()?,
                b"modified" => {
                    let (seconds, nanoseconds) = text.split_once('.')?;
                    found.modified = (seconds.parse().ok()?, nanoseconds.parse().ok()?);
                }
                b"early" => found.early = Some(text.parse().ok()?),
                b"below" => found.below = Some(value),
                b"path" => found.path = value,
                b"together" => {
                    found.number = 0;
                    found.together = Some(Together::numbered(text.parse().ok()?));
                }
                _ => {
                    if let Some(together) = &mut found.together {
                        together.line(&word, &value)?;
                    }
                }
            }
        }
        let whole = i32::try_from(found.number).is_ok() && !found.path.is_empty();
        (whole && (!found.standard || found.number < 3)).then_some(found)
    }
}

/// What C calls the three streams that every process has.
pub fn standard_name(number: u32) -> &'static str {
    ["stdin", "stdout", "stderr"]
        .get(number as usize)
        .copied()
        .unwrap_or("none")
}

pub(super) fn escaped(path: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(path.len());
    for &byte in path {
        if matches!(byte, b'\\' | b'\n') {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out
}

/// Words and values, without the backslashes.
fn lines(text: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut all = Vec::new();
    let (mut line, mut bytes) = (Vec::new(), text.iter());
    while let Some(&byte) = bytes.next() {
        match byte {
            b'\\' => line.extend(bytes.next()),
            b'\n' => {
                let at = line.iter().position(|&byte| byte == b' ');
                let at = at.unwrap_or(line.len());
                let value = line.get(at + 1..).unwrap_or_default().to_vec();
                line.truncate(at);
                all.push((std::mem::take(&mut line), value));
            }
            _ => line.push(byte),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log() -> OpenFile {
        OpenFile {
            stream: true,
            number: 5,
            standard: false,
            given: true,
            close_on_exec: true,
            access: Access {
                read: false,
                write: true,
                append: true,
            },
            offset: Some(4096),
            length: 5000,
            modified: (-1, 7),
            below: Some(b"a b\\\nc".to_vec()),
            path: b"/x/\xff\\n/a b\\\nc".to_vec(),
            together: None,
            early: Some(3),
            pushed: b"\n7".to_vec(),
            ended: true,
            failed: true,
            locks: ["open shared", "bytes exclusive 5 9"]
                .iter()
                .filter_map(|text| FileLock::from_text(text))
                .collect(),
            unnamed: true,
            buffering: Buffering::None,
            removed: Some(2),
            shares: Some(4),
        }
    }

    #[test]
    fn s21_a_file_of_mpi_says_by_itself_what_it_is() {
        let file = OpenFile {
            stream: false,
            number: 0,
            early: None,
            together: Some(Together {
                members: vec![2, 0, 1],
                create: true,
                at_once: true,
                view: b"8 vector 3 0 1 2 1 4 bytes 8".to_vec(),
                place: Some(-3),
                shared: Some((7, 40)),
                hints: vec![(b"cb_nodes".to_vec(), b"a = b\n".to_vec())],
                ..Together::numbered(1 << 33)
            }),
            ..log()
        };
        let text = file.to_text();
        assert_eq!(OpenFile::from_text(&text), Some(file.clone()));
        assert!(file.name().starts_with("file of MPI a b"));
        for length in 0..text.len() - 1 {
            assert_eq!(OpenFile::from_text(&text[..length]), None, "{length}");
        }
        for wrong in ["members x", "shared 1", "hint alone", "position 1.5"] {
            let wrong = format!("together 1\n{wrong}\npath /x\n");
            assert_eq!(OpenFile::from_text(wrong.as_bytes()), None, "{wrong}");
        }
    }

    #[test]
    fn s21_an_open_file_says_by_itself_what_it_is() {
        let text = log().to_text();
        assert_eq!(OpenFile::from_text(&text), Some(log()));
        assert!(
            text.starts_with(
                b"stream 5\ngiven by the program\nclose on exec\nearly 3\naccess write append\noffset 4096\n"
            )
        );
        let mut newer = b"colour blue\nalone\n".to_vec();
        newer.extend_from_slice(&text);
        assert_eq!(OpenFile::from_text(&newer), Some(log()));
        let standard = OpenFile {
            number: 1,
            standard: true,
            offset: None,
            ..log()
        };
        assert_eq!(OpenFile::from_text(&standard.to_text()), Some(standard));
    }

    #[test]
    fn s25_a_text_that_says_something_else_is_no_file() {
        let text = log().to_text();
        for length in 0..text.len() - 1 {
            // Never a panic; a text that was cut off has no path.
            assert_eq!(OpenFile::from_text(&text[..length]), None, "{length}");
        }
        for wrong in ["", "\n", "\\", "stream x\npath /x\n", "stream 5\n"] {
            assert_eq!(OpenFile::from_text(wrong.as_bytes()), None, "{wrong:?}");
        }
        let far = b"stream 9\nstandard stdin\npath /x\n";
        assert_eq!(OpenFile::from_text(far), None);
    }
}
