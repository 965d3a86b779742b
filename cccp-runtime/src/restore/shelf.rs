//! What one rank has on its shelf: its files in a directory.
//!
//! In: a directory. Out: the answers that the agreement asks for, and the file that it came to, already verified. Not
//! here: what is decided (`agreement`).

use std::sync::Arc;

use super::agreement::{Examined, Shelf, Stock};
use crate::format::{File, FormatError, Messages, turns};
use crate::store::{Directory, Problem, StoreError};

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
    fn look(&mut self) -> Result<Stock, String> {
        let unknown = |error: StoreError| {
            format!(
                "{error}; so it is unknown whether there is a checkpoint: make it readable, or name another place with \
                 the setting dir"
            )
        };
        let all = self.directory.generations().map_err(unknown)?;
        let (mut generations, mut used) = (Vec::new(), 0);
        for generation in all {
            let ranks = self.directory.ranks(generation);
            let is_used = ranks.as_ref().map_or(true, |ranks| !ranks.is_empty());
            if is_used {
                used = generation.max(used);
            }
            // One that cannot be listed is found out when its file is examined.
            if ranks.map_or(true, |ranks| ranks.contains(&self.rank)) {
                generations.push(generation);
            }
        }
        let completed = self.directory.completed(self.rank);
        Ok(Stock {
            generations,
            completed: completed.map_err(|error| error.to_string())?.unwrap_or(0),
            used,
            whole: self
                .directory
                .whole()
                .map_err(|error| error.to_string())?
                .unwrap_or(0),
        })
    }

    fn examine(&mut self, generation: u64) -> Result<Examined, FormatError> {
        let opened = self.directory.open(generation, self.rank);
        let file = opened.map_err(|error| FormatError::Storage {
            offset: 0,
            reason: match error.problem {
                Problem::Contents(_) => format!(
                    "{error} (cccp-ckpt verify {} says more)",
                    self.directory.path().display()
                ),
                Problem::System(_) => error.to_string(),
            },
        })?;
        let examined = Examined {
            header: file.checkpoint.header.clone(),
            messages: Messages::of(&file)?,
            turns: turns(&file)?,
        };
        self.opened = Some((generation, file));
        Ok(examined)
    }
}
