//! Files that a command makes for the user.

use std::io::{BufWriter, Write};
use std::path::Path;

use cccp::format::FormatError;
use cccp::store::{FileSystem, publish_file};

use crate::outcome::Failure;

/// Makes a file: it has its name when it is complete, or there is none. One that exists is left alone unless `force`
/// is given. Gives its length.
pub fn create(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    refuse_existing(path, force)?;
    let mut failure = None;
    let length = publish_file(&FileSystem, path, |out| {
        let mut counted = Counted {
            out: BufWriter::with_capacity(1 << 16, out),
            written: 0,
        };
        let stop = |reason: String| FormatError::Storage { offset: 0, reason };
        if let Err(reason) = write(&mut counted) {
            let words = reason.to_string();
            failure = Some(reason);
            return Err(stop(words));
        }
        counted.flush().map_err(|error| stop(error.to_string()))?;
        Ok(counted.written)
    });
    match failure {
        Some(failure) => Err(failure),
        None => Ok(length?),
    }
}

/// A failure when there is something under this name and `force` is not given.
pub fn refuse_existing(path: &Path, force: bool) -> Result<(), Failure> {
    if !force && path.symlink_metadata().is_ok() {
        return Err(Failure::said(format!(
            "{}: exists already; choose another name, or say --force to replace it",
            path.display()
        )));
    }
    Ok(())
}

struct Counted<W: Write> {
    out: W,
    written: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let length = self.out.write(bytes)?;
        self.written += length as u64;
        Ok(length)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}
