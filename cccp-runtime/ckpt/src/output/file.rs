//! Files that a command makes for the user.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use cccp::format::FormatError;
use cccp::store::{FileSystem, publish_file};

use crate::outcome::Failure;

/// Makes a file: it has its name when it is complete, or there is none. One that exists is left alone unless `force`
/// is given. Gives its length, and what `write` gives.
pub fn create<T>(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<(u64, T), Failure> {
    refuse_existing(path, force)?;
    let mut outcome = Ok(None);
    let length = publish_file(&FileSystem, path, |out| {
        let mut counted = Counted {
            out: BufWriter::with_capacity(1 << 16, out),
            written: 0,
        };
        let written = write(&mut counted).and_then(|given| counted.flush().map(|()| given));
        let length = counted.written;
        outcome = written.map(Some);
        match &outcome {
            Ok(_) => Ok(length),
            Err(error) => Err(FormatError::Storage {
                offset: length,
                reason: error.to_string(),
            }),
        }
    });
    let given = outcome.map_err(|error| Failure::said(format!("{}: {error}", path.display())))?;
    match (length?, given) {
        (length, Some(given)) => Ok((length, given)),
        (_, None) => Err(Failure::said(format!(
            "{}: was not written",
            path.display()
        ))),
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
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.out.write(bytes)?;
        self.written += length as u64;
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
