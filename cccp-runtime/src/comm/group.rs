//! What a job of one or more processes can do. See the header of the room.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::format::{Access, Together};

/// The processes of a job, seen from one of them.
pub trait Group: Send {
    /// Which process this is, from 0.
    fn rank(&self) -> u32;

    /// How many processes the job has.
    fn size(&self) -> u32;

    /// Replaces every value by the smallest one at its place on any rank. All ranks call it with the same number of
    /// values, in the same order of calls.
    fn min(&mut self, values: &mut [i64]) -> Result<(), CommError>;

    /// Replaces every value by the sum of those at its place on all ranks, modulo 2^64. Called as [`min`](Group::min) is.
    fn sum(&mut self, values: &mut [u64]) -> Result<(), CommError>;

    /// What the clock of these ranks says (`MPI_Wtime`), in nanoseconds; none when they have none. Asks this process only.
    fn time(&self) -> Option<i64> {
        None
    }

    /// Begins to find out the largest of the numbers that all ranks begin with, at each place, and does not wait. The next one
    /// is begun when [`reduced`](Group::reduced) has given the result of this one, on every rank sooner or later.
    fn begin_max(&mut self, _values: Numbers) -> Result<(), CommError> {
        Err(CommError::new(
            "these ranks reduce nothing beside their work",
        ))
    }

    /// The result of what was begun; none as long as a rank has not begun it.
    fn reduced(&mut self) -> Result<Option<Reduced>, CommError> {
        Err(CommError::new("nothing was begun"))
    }

    /// This rank begins no more of them: the others hear of it.
    fn leave(&mut self) {}

    /// Any thread of this process may be using what reductions use, and only one at a time may: they are begun and asked about only
    /// while the other threads stand still (`MPI_THREAD_SERIALIZED`).
    fn needs_still_threads(&self) -> bool {
        false
    }

    /// What is known of the file of MPI with this handle; none when the handle is that of no file. Asks this process only.
    fn file(&self, _handle: usize) -> Result<Option<FileOfRanks>, CommError> {
        Err(CommError::new("this program does not use MPI"))
    }

    /// Opens a file of MPI again as it was, and gives its handle. All its members call it, in the same order of files; an
    /// error is one for all of them.
    fn open_file(&mut self, _path: &Path, file: &FileOfRanks) -> Result<usize, CommError> {
        self.file(0)?;
        Err(CommError::new(format!(
            "{} is a file of MPI",
            file.path.display()
        )))
    }

    /// The handle of no file.
    fn no_file(&self) -> usize {
        0
    }

    /// Which of these requests are complete: handle, source and tag of each. They stay as they are. Asks this process only.
    fn complete_requests(&self, _handles: &[usize]) -> Vec<(usize, i32, i32)> {
        Vec::new()
    }

    /// What a handle of MPI of this type stands for, in a word: its name, when it is predefined, or one for which
    /// [`handles`](Group::handles) has a line. None for a value that is no handle the library knows. Asks this process only.
    fn handle(&self, _kind: &str, _bytes: &[u8]) -> Option<String> {
        None
    }

    /// What makes handles again, a line for each: those in `words` and all communicators that are alive. `name` knows the
    /// program's functions. Asks this process only.
    fn handles(
        &self,
        _words: &BTreeSet<String>,
        _name: &dyn Fn(usize) -> Option<String>,
    ) -> Result<String, CommError> {
        Ok(String::new())
    }

    /// Makes handles again from their lines. All ranks call it, those without lines, too.
    fn make_handles(
        &mut self,
        _lines: &str,
        _address: &dyn Fn(&str) -> Option<usize>,
    ) -> Result<(), CommError> {
        Ok(())
    }

    /// Makes a persistent request again from its line, in which the buffer is an address of this process, and stays there as long as
    /// the program uses the request. Asks this process only.
    fn make_request(&mut self, _line: &str) -> Result<(), CommError> {
        Ok(())
    }

    /// The bytes of the handle of this type for which a word stands.
    fn handle_of(&self, _kind: &str, _word: &str) -> Option<Vec<u8>> {
        None
    }

    /// Ends all processes of the job with this exit status. For what one rank found alone: when all ranks know, each
    /// of them just ends.
    fn abort(&self, status: i32) -> !;
}

/// What each rank brings to a reduction that nobody waits for.
pub type Numbers = [i64; 5];

/// What came of a reduction that nobody waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduced {
    /// The largest numbers.
    Largest(Numbers),
    /// A rank takes part no more: there will be no others.
    Gone,
}

/// A file of MPI, as one of those that have it open sees it.
#[derive(Clone, Debug)]
pub struct FileOfRanks {
    /// Where it is.
    pub path: PathBuf,
    /// Which file was opened: device and number. Another one may be there by now.
    pub which: Option<(u64, u64)>,
    /// How this program may use it.
    pub access: Access,
    /// What MPI knows.
    pub together: Together,
}

/// The ranks could not talk to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommError {
    /// What failed, for people.
    pub reason: String,
}

impl CommError {
    /// An error with this explanation.
    pub fn new(reason: impl Into<String>) -> CommError {
        CommError {
            reason: reason.into(),
        }
    }
}

impl fmt::Display for CommError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.reason)
    }
}

impl std::error::Error for CommError {}

/// What one rank has brought, where all others bring nothing. All ranks call it.
pub fn brought(group: &mut dyn Group, own: &[u8]) -> Result<Vec<u8>, CommError> {
    let mut length = [own.len() as u64];
    group.sum(&mut length)?;
    let length = usize::try_from(length[0]).unwrap_or(0);
    let mut words = vec![0u64; length.div_ceil(8)];
    for (word, bytes) in words.iter_mut().zip(own.chunks(8)) {
        let mut eight = [0; 8];
        eight[..bytes.len()].copy_from_slice(bytes);
        *word = u64::from_be_bytes(eight);
    }
    group.sum(&mut words)?;
    let mut bytes: Vec<u8> = words.into_iter().flat_map(u64::to_be_bytes).collect();
    bytes.truncate(length);
    Ok(bytes)
}
