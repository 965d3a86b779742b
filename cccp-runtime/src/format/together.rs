//! What MPI knows of a file that several processes have open together, as a checkpoint keeps it: lines of an open file.
//!
//! ```text
//! together 4294967297
//! members 0 1 2 3
//! mode create append
//! view 0 bytes 8 / subarray 8 0 1 2 64 64 16 64 0 0 0 bytes 8
//! position 4096
//! shared 0 512
//! hint cb_nodes=4
//! ```
//!
//! Not here: where it lies and how it may be used (`open_file`), the words of a view (`cccp-mpi`).

use super::open_file::escaped;

/// What is known of a file of MPI beside what is known of every open file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Together {
    /// The same number for all that opened it together, and for no other file.
    pub number: u64,
    /// Ranks of those that have it, in the order of their ranks in its communicator; none for `MPI_FILE_NULL`.
    pub members: Vec<u32>,
    /// It was to be made when it was not there.
    pub create: bool,
    /// It is removed when it is closed.
    pub delete: bool,
    /// Nobody else has it open.
    pub unique: bool,
    /// What one rank writes all others see at once: the atomic mode.
    pub at_once: bool,
    /// An error ends the program.
    pub fatal: bool,
    /// This rank has written to it; what it sees of others may be more than belongs to their checkpoints.
    pub written: bool,
    /// Displacement, elementary type and filetype, in words of `cccp-mpi`.
    pub view: Vec<u8>,
    /// Where this rank reads or writes next, in elementary types.
    pub place: Option<i64>,
    /// Where the pointer of all ranks was at first, and how far this rank has moved it.
    pub shared: Option<(i64, i64)>,
    /// What the program told MPI about its use.
    pub hints: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Together {
    /// One of which no more is known than its number.
    pub fn numbered(number: u64) -> Together {
        Together {
            number,
            ..Together::default()
        }
    }

    /// Its lines, for the text of the open file; the number comes first.
    pub(super) fn lines(&self, line: &mut dyn FnMut(&str, &[u8])) {
        line("together", self.number.to_string().as_bytes());
        let members: Vec<String> = self.members.iter().map(u32::to_string).collect();
        line("members", members.join(" ").as_bytes());
        let mode = [
            (self.create, "create"),
            (self.delete, "delete"),
            (self.unique, "unique"),
            (self.at_once, "atomic"),
            (self.fatal, "fatal"),
            (self.written, "written"),
        ];
        let mode: Vec<&str> = mode.iter().filter(|one| one.0).map(|one| one.1).collect();
        line("mode", mode.join(" ").as_bytes());
        line("view", &escaped(&self.view));
        if let Some(place) = self.place {
            line("position", place.to_string().as_bytes());
        }
        if let Some((first, moved)) = self.shared {
            line("shared", format!("{first} {moved}").as_bytes());
        }
        for (key, value) in &self.hints {
            line("hint", &escaped(&[key, b"=".as_slice(), value].concat()));
        }
    }

    /// Takes a line of the text; none when it makes no sense. Words that are not known are passed over.
    pub(super) fn line(&mut self, word: &[u8], value: &[u8]) -> Option<()> {
        let text = String::from_utf8_lossy(value);
        match word {
            b"members" => {
                let members = text.split_whitespace().map(|one| one.parse().ok());
                self.members = members.collect::<Option<_>>()?;
            }
            b"mode" => {
                let has = |word: &str| text.split(' ').any(|one| one == word);
                (self.create, self.delete) = (has("create"), has("delete"));
                (self.unique, self.at_once) = (has("unique"), has("atomic"));
                (self.fatal, self.written) = (has("fatal"), has("written"));
            }
            b"view" => self.view = value.to_vec(),
            b"position" => self.place = Some(text.parse().ok()?),
            b"shared" => {
                let (first, moved) = text.split_once(' ')?;
                self.shared = Some((first.parse().ok()?, moved.parse().ok()?));
            }
            b"hint" => {
                let at = value.iter().position(|&byte| byte == b'=')?;
                self.hints
                    .push((value[..at].to_vec(), value[at + 1..].to_vec()));
            }
            _ => {}
        }
        Some(())
    }
}
