//! Why a command could not do its work.

use std::fmt;
use std::io;

use cccp::store::StoreError;

/// Why a command could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// In words: which file, what is wrong, what to do. Exit status 2.
    Said(String),
    /// Nobody reads the output any more (`| head`): no reason to say anything, exit status 0.
    Closed,
}

impl Failure {
    /// In words.
    pub fn said(words: impl Into<String>) -> Failure {
        Failure::Said(words.into())
    }

    /// Writing to the standard output failed.
    pub fn writing(error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Said(format!("standard output: {error}")),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Said(words) => out.write_str(words),
            Failure::Closed => out.write_str("the output was closed"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Said(error.to_string())
    }
}
