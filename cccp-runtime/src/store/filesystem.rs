//! The real disk.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use super::operations::{Locking, Output, Store};
use super::record_lock;
use crate::format::{Source, ZEROS, first_run};

/// The file system of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileSystem;

/// Descriptors of checkpoints that are read are above this number where that is allowed.
const FAR: i32 = 500;

/// Opens what is a file. Nobody waits at a pipe that has a file's name.
fn regular(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK)
        .open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file")),
    }
}

impl Store for FileSystem {
    fn make_directory(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        Ok(Box::new(Writing {
            file: File::create(path)?,
            ends_in_hole: false,
        }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        let synced = File::open(path).and_then(|directory| directory.sync_all());
        match synced {
            // Where we may make names but not read them, nobody can do more.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
            // Some network file systems have no such operation, and do not need it.
            Err(error)
                if matches!(
                    error.raw_os_error(),
                    Some(libc::EINVAL | libc::ENOTSUP | libc::ENOSYS)
                ) =>
            {
                Ok(())
            }
            other => other,
        }
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        let entries = fs::read_dir(path)?;
        // A name that is not UTF-8 is none of ours.
        entries
            .filter_map(|entry| {
                entry
                    .map(|entry| entry.file_name().into_string().ok())
                    .transpose()
            })
            .collect()
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        let file = regular(path)?;
        // Out of the way: a restart gives files of the program the numbers that they had.
        let far = rustix::io::fcntl_dupfd_cloexec(&file, FAR);
        Ok(Box::new(Reading(far.map_or(file, File::from))))
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        io::read_to_string(regular(path)?)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }

    fn lock(&self, path: &Path, words: &str) -> io::Result<Locking> {
        record_lock::lock(path, words)
    }

    fn free(&self, path: &Path) -> io::Result<u64> {
        let known = rustix::fs::statvfs(path)?;
        Ok(known.f_bavail.saturating_mul(known.f_frsize))
    }
}

/// Long runs of zeros become holes: they are read as zeros, and take no room on the disk.
struct Writing {
    file: File,
    ends_in_hole: bool,
}

impl Write for Writing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match first_run(bytes, ZEROS) {
            (length, true) if length >= ZEROS => {
                self.file.seek_relative(length as i64)?;
                self.ends_in_hole = true;
                Ok(length)
            }
            (length, _) => {
                let written = self.file.write(&bytes[..length])?;
                self.ends_in_hole &= written == 0;
                Ok(written)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Output for Writing {
    fn sync(&mut self) -> io::Result<()> {
        if self.ends_in_hole {
            let length = self.file.stream_position()?;
            self.file.set_len(length)?;
            self.ends_in_hole = false;
        }
        self.file.sync_all()
    }
}

struct Reading(File);

impl Source for Reading {
    fn length(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.0.read_exact_at(buffer, offset)
    }
}
