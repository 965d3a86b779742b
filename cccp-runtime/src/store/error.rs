//! What went wrong, and with which file.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::format::FormatError;

/// An error with the path it is about.
#[derive(Debug)]
pub struct StoreError {
    /// The file or directory.
    pub path: PathBuf,
    /// What went wrong.
    pub problem: Problem,
}

/// What can go wrong with a file.
#[derive(Debug)]
pub enum Problem {
    /// The system refused.
    System(io::Error),
    /// The contents are not what they should be, or could not be written.
    Contents(FormatError),
}

impl StoreError {
    pub(super) fn system(path: &Path, error: io::Error) -> StoreError {
        StoreError {
            path: path.to_path_buf(),
            problem: Problem::System(error),
        }
    }

    pub(super) fn contents(path: &Path, error: FormatError) -> StoreError {
        StoreError {
            path: path.to_path_buf(),
            problem: Problem::Contents(error),
        }
    }

    /// Whether there simply is no such file.
    pub fn is_missing(&self) -> bool {
        matches!(&self.problem, Problem::System(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

/// Whether nothing can be there: no such name, or a file where a directory would be.
pub(super) fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::System(error) => write!(out, "{error}"),
            Problem::Contents(error) => write!(out, "{error}"),
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.path.display(), self.problem)
    }
}

impl std::error::Error for StoreError {}
