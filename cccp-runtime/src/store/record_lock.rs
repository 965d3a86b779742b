//! The lock of the real disk: a POSIX record lock over a whole file.
//!
//! In: a file, and words for those who come later. Out: the lock, who has it, or the news that this storage knows none.
//! The kernel gives it back when the process ends, however it ends; a child made by `fork` does not have it; it works
//! across the machines that share an NFS or Lustre directory.
//!
//! The one trap: a process loses such a lock when it closes *any* file it opened under that name, and never meets
//! its own. So this is the only place that opens these files, and what the process holds is remembered in [`OURS`].
//!
//! Not here: what a refused lock means, and how long one waits (`lock`).

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::fd::IntoRawFd;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::fs::{FlockOperation, fcntl_lock};
use rustix::io::Errno;

use super::error::is_absent;
use super::operations::{Hold, Locking};

/// A file, whatever its name: device and number.
type Identity = (u64, u64);

/// What this process holds, and which process this was: a child made by `fork` inherits the list, but no lock.
static OURS: Mutex<Vec<(u32, Identity, String)>> = Mutex::new(Vec::new());

fn ours() -> MutexGuard<'static, Vec<(u32, Identity, String)>> {
    OURS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn identity(metadata: &Metadata) -> Identity {
    (metadata.dev(), metadata.ino())
}

/// How often a file that loses its name between two steps is opened again.
const ATTEMPTS: u32 = 3;
/// The longest words that are read.
const LONGEST: usize = 4096;

/// Takes the lock of a file without waiting.
pub(super) fn lock(path: &Path, words: &str) -> io::Result<Locking> {
    let mut ours = ours();
    for _ in 0..ATTEMPTS {
        // Opening the file only to find out that it is ours would give the lock away.
        if let Ok(metadata) = fs::metadata(path) {
            let mine = ours
                .iter()
                .find(|(process, one, _)| *process == process::id() && *one == identity(&metadata));
            if let Some((_, _, words)) = mine {
                return Ok(Locking::Taken(words.clone()));
            }
        }
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        match fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::AGAIN | Errno::ACCESS) => return Ok(Locking::Taken(read(&file))),
            Err(error) => return Ok(Locking::Unknown(error.into())),
        }
        let identity = identity(&file.metadata()?);
        if !has_name(path, identity) {
            continue;
        }
        let before = read(&file);
        // The lock counts, not the words: a full disk may have no room for them.
        let _ = file.write_all_at(words.as_bytes(), 0);
        let _ = file.set_len(words.len() as u64);
        ours.push((process::id(), identity, words.to_string()));
        let hold = RecordLock {
            file: Some(file),
            path: path.to_path_buf(),
            identity,
            process: process::id(),
        };
        return Ok(Locking::Held(Box::new(hold), before));
    }
    Err(io::Error::new(
        io::ErrorKind::NotFound,
        "the file vanishes again and again",
    ))
}

/// The words of whoever has the lock of a file, without taking it; none when nobody has.
pub(super) fn held(path: &Path) -> io::Result<Option<String>> {
    let ours = ours();
    let metadata = fs::metadata(path)?;
    let mine = ours
        .iter()
        .find(|(process, one, _)| *process == process::id() && *one == identity(&metadata));
    if let Some((_, _, words)) = mine {
        return Ok(Some(words.clone()));
    }
    // A shared lock, given back at once, needs no permission to write.
    let file = File::open(path)?;
    match fcntl_lock(&file, FlockOperation::NonBlockingLockShared) {
        Err(Errno::AGAIN | Errno::ACCESS) => Ok(Some(read(&file))),
        _ => Ok(None),
    }
}

/// The words in a file; what cannot be read is left out.
fn read(file: &File) -> String {
    let mut bytes = vec![0; LONGEST];
    let length = file.read_at(&mut bytes, 0).unwrap_or(0);
    String::from_utf8_lossy(&bytes[..length]).into_owned()
}

/// Whether the next one who opens a path finds this file. When that cannot be known, it is believed.
fn has_name(path: &Path, file: Identity) -> bool {
    match fs::metadata(path) {
        Ok(metadata) => identity(&metadata) == file,
        Err(error) => !is_absent(&error),
    }
}

struct RecordLock {
    file: Option<File>,
    path: PathBuf,
    identity: Identity,
    process: u32,
}

impl RecordLock {
    /// Whether the descriptor is still that of the file: programs close descriptors they do not know, and get new files
    /// under the same numbers.
    fn is_open(&self) -> bool {
        let metadata = self.file.as_ref().map(File::metadata);
        matches!(metadata, Some(Ok(metadata)) if identity(&metadata) == self.identity)
    }
}

impl Hold for RecordLock {
    fn is_ours(&self) -> bool {
        self.process == process::id() && self.is_open() && has_name(&self.path, self.identity)
    }
}

impl Drop for RecordLock {
    fn drop(&mut self) {
        let mut ours = ours();
        // Closed under the guard: whoever opens the file next must not lose it by that. A descriptor that is the program's
        // by now is not ours to close.
        let is_open = self.is_open();
        if let Some(file) = self.file.take()
            && !is_open
        {
            let _ = file.into_raw_fd();
        }
        ours.retain(|(process, identity, _)| {
            (*process, *identity) != (self.process, self.identity)
        });
    }
}
