//! How a file comes into being: whole, durable, and then under its name.
//!
//! Temporary name, write, fsync, rename, fsync of the directories. Whoever looks under the final name at any instant,
//! also after a power failure, finds a complete file or none.

use std::io::{self, Write};
use std::path::Path;
use std::process;

use super::error::StoreError;
use super::operations::{Output, Store};
use crate::format::FormatError;

/// Steps on the way of a file to its name. The caller is told when each is reached and may end the process there
/// (this is how tests and rehearsals kill a program at a known point); it must not do anything with the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// The temporary file holds a part of its bytes.
    Writing,
    /// The temporary file is complete, but nothing is durable.
    Written,
    /// The file has its name, but the name is not durable.
    Publishing,
    /// The file is complete and durable under its name.
    Published,
}

/// Writes a file. `settle` makes the names durable that lead to it. After an error the temporary file is removed and
/// whatever had the name before still has it.
pub(super) fn publish(
    store: &dyn Store,
    path: &Path,
    settle: impl FnOnce() -> Result<(), StoreError>,
    reach: &mut dyn FnMut(Point),
    write: impl FnOnce(&mut dyn Write) -> Result<u64, FormatError>,
) -> Result<u64, StoreError> {
    // The process number keeps two runs apart that were started in the same directory by mistake.
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", process::id()));
    let temporary = path.with_file_name(name);
    let at = |error| StoreError::system(path, error);
    let attempt = (|| {
        let mut output = create(store, &temporary).map_err(at)?;
        let mut halves = Halves {
            output: &mut *output,
            reach,
            started: false,
        };
        let length = write(&mut halves).map_err(|error| StoreError::contents(path, error))?;
        reach(Point::Written);
        output.sync().map_err(at)?;
        drop(output);
        store.rename(&temporary, path).map_err(at)?;
        Ok(length)
    })();
    let length = attempt.inspect_err(|_| {
        // The reason is already known; that the remains stay as well would not be news.
        let _ = store.remove(&temporary);
    })?;
    reach(Point::Publishing);
    settle()?;
    reach(Point::Published);
    Ok(length)
}

/// Writes a file that is none of a generation the same way. A relative path begins where the process is.
pub fn publish_file(
    store: &dyn Store,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<u64, FormatError>,
) -> Result<u64, StoreError> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let settle = || {
        store
            .sync_directory(directory)
            .map_err(|error| StoreError::system(directory, error))
    };
    publish(store, path, settle, &mut |_| {}, write)
}

/// How often a directory that vanishes between two steps is made again.
const ATTEMPTS: u32 = 3;

/// Creates the temporary file, and its directory where it is missing. Another rank may remove an empty directory just
/// when we have found it.
fn create(store: &dyn Store, temporary: &Path) -> io::Result<Box<dyn Output>> {
    let directory = temporary.parent().unwrap_or(temporary);
    for _ in 0..ATTEMPTS {
        match store.create(temporary) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                store.create_directory(directory)?;
            }
            other => return other,
        }
    }
    store.create(temporary)
}

/// Stops in the middle of the first write.
struct Halves<'a> {
    output: &'a mut dyn Output,
    reach: &'a mut dyn FnMut(Point),
    started: bool,
}

impl Write for Halves<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.started || bytes.len() < 2 {
            return self.output.write(bytes);
        }
        self.started = true;
        let half = self.output.write(&bytes[..bytes.len() / 2])?;
        (self.reach)(Point::Writing);
        Ok(half)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
