//! What one rank has on its shelf: its files in a directory.
//!
//! In: a directory. Out: the answers that the agreement asks for, and the file that it came to, already verified. Not
//! here: what is decided (`agreement`).

use std::sync::Arc;

use super::agreement::Shelf;
use crate::format::{File, FormatError, Header};
use crate::store::{Directory, StoreError};

/// The files of a rank.
pub struct Files {
    directory: Arc<Directory>,
    rank: u32,
    /// The file that was verified last.
    opened: Option<(u64, File)>,
}

impl Files {
    /// The files of this rank in a directory.
    pub fn new(directory: Arc<Directory>, rank: u32) -> Files {
        Files {
            directory,
            rank,
            opened: None,
        }
    }

    /// The verified file of a generation.
    pub fn take(&mut self, generation: u64) -> Result<File, StoreError> {
        match self.opened.take() {
            Some((number, file)) if number == generation => Ok(file),
            _ => self.directory.open(generation, self.rank),
        }
    }
}

impl Shelf for Files {
    fn generations(&self) -> Vec<u64> {
        let mut all = self.directory.generations().unwrap_or_default();
        all.retain(|&generation| {
            self.directory
                .ranks(generation)
                .is_ok_and(|ranks| ranks.contains(&self.rank))
        });
        all
    }

    fn examine(&mut self, generation: u64) -> Result<Header, FormatError> {
        let file = self
            .directory
            .open(generation, self.rank)
            .map_err(|error| FormatError::Storage {
                offset: 0,
                reason: error.to_string(),
            })?;
        let header = file.checkpoint.header.clone();
        self.opened = Some((generation, file));
        Ok(header)
    }

    fn completed(&self) -> u64 {
        self.directory
            .completed(self.rank)
            .ok()
            .flatten()
            .unwrap_or(0)
    }
}
