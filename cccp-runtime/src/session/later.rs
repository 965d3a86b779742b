//! What was done to files after the checkpoint of a restart is undone.
//!
//! In: what this rank has noted (`store::Journal`). Out: the files as they were. Steps: look at all of them, without changing
//! anything · agree that no rank has found fault (`changed`) · agree on the length of files that several ranks write · undo.
//! No rank goes on before all have.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::reopen::{Prepared, lengths};
use super::{Session, opened};
use crate::restore::Stop;
use crate::store::{Undo, identity};

/// What came after the checkpoint.
#[derive(Default)]
pub(super) struct Later {
    undo: Undo,
    /// By the path: what all ranks call the file, its length on this one, and whether that is the one at the checkpoint.
    grown: BTreeMap<PathBuf, (u64, u64, bool)>,
}

/// What no length is. What a rank found when it opened a file is handed over as what is missing to it: the least counts.
const CERTAIN: u64 = 1 << 62;

impl Later {
    /// Looks, and changes nothing. `files` are those that were open at the checkpoint.
    pub(super) fn look(generation: u64, files: &[Prepared]) -> Result<Later, Stop> {
        let undo = opened::to_undo(generation)?;
        let gone = |one: &&Prepared| {
            let found = one.found.as_ref();
            found.is_some_and(|found| undo.lost.contains(&found.path))
        };
        if let Some(found) = files.iter().find(gone).and_then(|one| one.found.as_ref()) {
            return Err(format!(
                "{} was open at the checkpoint, and after it the program has emptied, replaced or removed it: data are lost. \
                 Put the file back as it was, or start from the beginning: --cccp-restart=fresh",
                found.path.display()
            ));
        }
        let mut grown = BTreeMap::new();
        for one in undo.look()? {
            if let Some(number) = identity(&one.path) {
                grown.insert(one.path, (number, one.length, one.is_certain));
            }
        }
        Ok(Later { undo, grown })
    }
}

impl Session {
    /// Undoes it. All ranks call it.
    pub(super) fn undo_later(&mut self, generation: u64, later: Later) -> Result<(), Stop> {
        let own = later.grown.values();
        let own = own.map(|&(number, length, is_certain)| (number, length, !is_certain));
        let agreed = lengths(&mut *self.group, own)?;
        // Where no rank knows how long a file was at its checkpoint, it was as long as the first one found it behind that.
        let found = later.grown.values();
        let found = found.map(|&(number, length, is_certain)| match is_certain {
            true => (number, CERTAIN, false),
            false => (number, (CERTAIN - 1).saturating_sub(length), false),
        });
        let first = lengths(&mut *self.group, found)?;
        let known = |path: &Path| {
            let number = later.grown.get(path)?.0;
            let (length, is_shared) = *agreed.get(&number)?;
            Some(match first.get(&number)?.0 {
                CERTAIN => (length, is_shared),
                found => (CERTAIN - 1 - found, is_shared),
            })
        };
        for path in later.grown.keys() {
            let is_shared = known(path).is_some_and(|(_, shared)| shared);
            if is_shared && self.warned.insert(format!("shared {}", path.display())) {
                self.say(format!(
                    "warning: {} is written by several ranks: what one of them wrote after its checkpoint and before \
                     another's is there twice",
                    path.display()
                ));
            }
        }
        let length = |path: &Path| known(path).map(|(length, _)| length);
        let done = later.undo.perform(&length);
        done.and_then(|()| opened::undone(generation, later.undo))
            .map_err(|error| {
                format!("what was done to files after the checkpoint cannot be undone ({error})")
            })
    }
}
