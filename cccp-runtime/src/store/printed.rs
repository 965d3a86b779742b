//! What a program has printed into a file that its shell opened for it (`prog > file`), kept beside its checkpoints.
//!
//! A shell empties that file at each start, also when the same command resumes the run: what had been printed up to the checkpoint
//! would be lost. So each checkpoint copies what was printed since the one before it, and a restart that finds the same file
//! emptied puts it back. A file that is only shorter gets the rest when what is there is the beginning of it, as the lines of a
//! script that writes into the same file.
//!
//! ```text
//! <directory>/printed.000000     device and number of the file, 8 bytes each, then what was printed into it
//! ```
//!
//! Not here: files that the program opens itself (`early`, `reopen`).

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::undo::known_file;

/// Bytes before the copy.
const HEAD: u64 = 16;
/// More is not copied.
const MOST: u64 = 256 << 20;

/// Which file it was, and how much had been printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Device and number.
    pub which: (u64, u64),
    /// Its length.
    pub length: u64,
}

/// The copy, as a run goes on with it.
#[derive(Debug)]
pub struct Printed {
    copy: PathBuf,
    /// What is in it.
    known: Option<Extent>,
}

/// What came of the file of standard output at a restart.
#[derive(Debug, PartialEq, Eq)]
pub enum Again {
    /// It has all that had been printed, or is another file.
    Kept,
    /// So many bytes were put back.
    Back(u64),
    /// So many bytes are lost.
    Lost(u64),
}

impl Printed {
    /// Of a run in this directory.
    pub fn new(directory: &Path, rank: u32) -> Printed {
        Printed {
            copy: directory.join(format!("printed.{rank:06}")),
            known: None,
        }
    }

    /// At a checkpoint: copies what is new. Nothing where standard output is no file, or cannot be copied. `output` is a copy of its
    /// descriptor.
    pub fn keep(&mut self, output: io::Result<OwnedFd>) -> Option<Extent> {
        let output = output.ok()?;
        let (which, length) = known_file(&path_of(&output))?;
        let now = Extent { which, length };
        let begins = |known: &Extent| known.which == which && known.length <= length;
        let copied = self.known.filter(begins).map_or(0, |known| known.length);
        if length > MOST || self.copy_from(&path_of(&output), copied, now).is_err() {
            self.known = None;
            return Some(now);
        }
        self.known = Some(now);
        Some(now)
    }

    fn copy_from(&self, output: &Path, copied: u64, now: Extent) -> io::Result<()> {
        if copied == now.length && copied > 0 {
            return Ok(());
        }
        let mut new = vec![0; (now.length - copied) as usize];
        if new.is_empty() && !self.copy.exists() {
            return Ok(());
        }
        File::open(output)?.read_exact_at(&mut new, copied)?;
        let mut copy = OpenOptions::new();
        let copy = copy.write(true).create(true).truncate(false);
        let copy = copy.open(&self.copy)?;
        copy.set_len(HEAD + copied)?;
        copy.write_all_at(&now.which.0.to_le_bytes(), 0)?;
        copy.write_all_at(&now.which.1.to_le_bytes(), 8)?;
        copy.write_all_at(&new, HEAD + copied)
    }

    /// The copy, which has to be durable before the checkpoint that needs it. None when there is none.
    pub fn copy(&self) -> Option<OwnedFd> {
        self.known?;
        File::open(&self.copy).ok().map(OwnedFd::from)
    }

    /// At a restart from a checkpoint that was taken when standard output was like this. `output` is a copy of its descriptor.
    pub fn bring_back(&mut self, output: io::Result<OwnedFd>, then: Extent) -> Again {
        let Ok(output) = output else {
            return Again::Kept;
        };
        let Some((which, length)) = known_file(&path_of(&output)) else {
            return Again::Kept;
        };
        if which != then.which {
            return Again::Kept;
        }
        self.known = Some(then);
        if length >= then.length {
            return Again::Kept;
        }
        match self.put_back(output, then, length) {
            Ok(()) => Again::Back(then.length - length),
            Err(_) => {
                self.known = None;
                Again::Lost(then.length - length)
            }
        }
    }

    fn put_back(&self, output: OwnedFd, then: Extent, there: u64) -> io::Result<()> {
        let copy = File::open(&self.copy)?;
        let mut head = [0; HEAD as usize];
        copy.read_exact_at(&mut head, 0)?;
        let own = [then.which.0.to_le_bytes(), then.which.1.to_le_bytes()].concat();
        let mut before = vec![0; there as usize];
        copy.read_exact_at(&mut before, HEAD)?;
        let mut found = vec![0; there as usize];
        if there > 0 {
            File::open(path_of(&output))?.read_exact_at(&mut found, 0)?;
        }
        if head[..] != own[..] || before != found {
            return Err(io::Error::other("it is another text"));
        }
        let mut rest = vec![0; (then.length - there) as usize];
        copy.read_exact_at(&mut rest, HEAD + there)?;
        // The program's own descriptor goes on behind it.
        let mut output = File::from(output);
        output.seek(SeekFrom::Start(there))?;
        output.write_all(&rest)
    }
}

/// A name under which an open file can be opened once more.
fn path_of(descriptor: &OwnedFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", descriptor.as_raw_fd()))
}
