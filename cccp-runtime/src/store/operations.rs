//! What we ask of a disk.

use std::io;
use std::path::Path;

use crate::format::Source;

/// The operations on a disk. Each either happens or gives the system's error.
pub trait Store: Send + Sync {
    /// Creates a directory. The one above it exists.
    fn make_directory(&self, path: &Path) -> io::Result<()>;
    /// Creates a file, or empties it.
    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>>;
    /// Gives a file its name; a file that has it already is replaced in the same instant.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Makes the names in a directory durable.
    fn sync_directory(&self, path: &Path) -> io::Result<()>;
    /// The names in a directory, in no order.
    fn list(&self, path: &Path) -> io::Result<Vec<String>>;
    /// Opens a file for reading.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>>;
    /// Reads a small text file.
    fn read(&self, path: &Path) -> io::Result<String>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Removes an empty directory.
    fn remove_directory(&self, path: &Path) -> io::Result<()>;
    /// Takes the lock that a file stands for, without waiting. The file is made if it is missing, and holds `words` then,
    /// for others to read. An error means that the file cannot be made or written; its directory is not made here.
    fn lock(&self, path: &Path, words: &str) -> io::Result<Locking>;
    /// Bytes that this process could still write below a directory.
    fn free(&self, path: &Path) -> io::Result<u64>;

    /// Creates a directory and those above it, durably; it may exist.
    fn create_directory(&self, path: &Path) -> io::Result<()> {
        let above = match path.parent() {
            Some(above) if above.as_os_str().is_empty() => Path::new("."),
            Some(above) => above,
            None => return Ok(()),
        };
        let mut made = self.make_directory(path);
        if matches!(&made, Err(error) if error.kind() == io::ErrorKind::NotFound) {
            self.create_directory(above)?;
            made = self.make_directory(path);
        }
        match made {
            Ok(()) => self.sync_directory(above),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// How the attempt to take a lock went.
pub enum Locking {
    /// It is ours until this value is dropped or the process ends, however it ends. With the words that stood in the file
    /// before.
    Held(Box<dyn Hold>, String),
    /// Another process has it, or another part of this one; these are its words.
    Taken(String),
    /// The storage knows no locks.
    Unknown(io::Error),
}

/// A lock that was taken.
pub trait Hold: Send + Sync {
    /// Whether it still keeps others out: its file has its name, and this is the process that took it. A child made by
    /// `fork` is another process.
    fn is_ours(&self) -> bool;
}

/// A file being written.
pub trait Output: io::Write {
    /// Makes everything written so far durable.
    fn sync(&mut self) -> io::Result<()>;
}
