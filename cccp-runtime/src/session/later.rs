//! What was done to files after the checkpoint of a restart is undone.
//!
//! In: what this rank has noted (`store::Journal`). Out: the files as they were. Steps: look at all of them, without changing
//! anything · agree that no rank has found fault (`changed`) · agree on the length of files that several ranks write · undo.
//! No rank goes on before all have.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::reopen::{Prepared, UNKNOWN, least, signed};
use super::{Session, opened};
use crate::comm::{CommError, Group, brought};
use crate::restore::{Stop, no_rank_stops};
use crate::store::{Grown, PARTS, Undo, contents, identity};

/// What came after the checkpoint.
#[derive(Default)]
pub(super) struct Later {
    undo: Undo,
    /// What all ranks call a file, and what this one knows of it.
    grown: Vec<(u64, Grown)>,
    /// What all ranks call a file that was changed where it lies, its name, and the number of what was in it, as this rank had found it.
    overwritten: Vec<(u64, PathBuf, u64)>,
}

impl Later {
    /// Looks, and changes nothing. `files` are those that were open at the checkpoint.
    pub(super) fn look(undo: Undo, files: &[Prepared]) -> Result<Later, Stop> {
        let gone = |one: &&Prepared| {
            let found = one.found.as_ref().filter(|_| one.kept.removed.is_none());
            found.is_some_and(|found| undo.lost.contains(&found.path))
        };
        if let Some(found) = files.iter().find(gone).and_then(|one| one.found.as_ref()) {
            return Err(format!(
                "{} was open at the checkpoint, and after it the program has emptied, replaced or removed it: data are lost. \
                 Put the file back as it was, or start from the beginning: --cccp-restart=fresh",
                found.path.display()
            ));
        }
        let grown = undo.look()?.into_iter();
        let grown = grown.filter_map(|one| Some((identity(&one.path)?, one)));
        let grown = grown.collect();
        let mut overwritten = Vec::new();
        for one in undo.overwritten() {
            let number = identity(one.origin);
            let held = contents(one.copy);
            let held = held.map_err(|error| {
                format!(
                    "{}, a copy of {}, cannot be read ({error})",
                    one.copy.display(),
                    one.origin.display()
                )
            })?;
            overwritten.extend(number.map(|number| (number, one.origin.to_path_buf(), held)));
        }
        Ok(Later {
            undo,
            grown,
            overwritten,
        })
    }
}

/// The bytes that ranks have for all others, in the order of ranks. All ranks call it.
fn told_to_all(group: &mut dyn Group, own: &[u8]) -> Result<Vec<Vec<u8>>, CommError> {
    let rank = i64::from(group.rank());
    let mut all = Vec::new();
    let mut last = -1;
    loop {
        let mut next = [if own.is_empty() || rank <= last {
            i64::MAX
        } else {
            rank
        }];
        group.min(&mut next)?;
        if next[0] == i64::MAX {
            return Ok(all);
        }
        last = next[0];
        let brought = brought(group, if last == rank { own } else { &[] })?;
        if last != rank {
            all.push(brought);
        }
    }
}

impl Session {
    /// Directories, links and pipes that other ranks have renamed after the checkpoint: from, to. `undo` is what this one has done, as far
    /// as it can be read. All ranks call it.
    pub(super) fn renamed_by_others(
        &mut self,
        undo: Option<&Undo>,
    ) -> Result<Vec<(PathBuf, PathBuf)>, Stop> {
        if self.group.size() == 1 {
            return Ok(Vec::new());
        }
        let mut own: Vec<u8> = Vec::new();
        let moves = undo.into_iter().flat_map(Undo::moves);
        for path in moves.flat_map(|(from, to)| [from, to]) {
            own.extend(path.as_os_str().as_bytes());
            own.push(0);
        }
        let told = told_to_all(&mut *self.group, &own).map_err(|error| error.to_string())?;
        let paths = told.iter().flat_map(|bytes| bytes.split(|&byte| byte == 0));
        let paths = paths.filter(|path| !path.is_empty());
        let paths: Vec<PathBuf> = paths
            .map(|path| PathBuf::from(OsStr::from_bytes(path)))
            .collect();
        let pairs = paths.chunks_exact(2);
        Ok(pairs
            .map(|both| (both[0].clone(), both[1].clone()))
            .collect())
    }

    /// Undoes it. All ranks call it.
    pub(super) fn undo_later(&mut self, generation: u64, mut later: Later) -> Result<(), Stop> {
        // Of what a rank does not know it is not asked. The longest is the least of the negative ones.
        let negative = |length: Option<u64>| length.map_or(UNKNOWN, |length| -signed(length));
        let mut own: BTreeMap<i64, [i64; 3]> = BTreeMap::new();
        for (number, one) in &later.grown {
            let at_checkpoint = negative(one.before.map(|before| before.0));
            let written = negative(one.before.map(|before| before.1));
            let found = one.after.map_or(i64::MAX, signed);
            let numbers = [at_checkpoint, written, found];
            // A file may have several names.
            let known = own.entry(*number as i64).or_insert([i64::MAX; 3]);
            *known = std::array::from_fn(|at| known[at].min(numbers[at]));
        }
        let agreed = least(&mut *self.group, own)?;
        let known = |number: u64| {
            let &([at_checkpoint, written, found], is_shared) = agreed.get(&number)?;
            if !is_shared {
                return None;
            }
            let longest = |negative: i64| (negative != UNKNOWN).then_some(-negative);
            // What the first rank found that opened it behind the checkpoint, nobody had written after his. Where a rank has
            // written more than that before its own checkpoint, both stay.
            let first = found.min(longest(at_checkpoint).unwrap_or(i64::MAX));
            let written = longest(written).unwrap_or(0);
            Some((first.max(written) as u64, written > found))
        };
        let mut cuts = BTreeMap::new();
        for (number, one) in &later.grown {
            let path = &one.path;
            let Some((length, is_twice)) = known(*number).filter(|_| one.after.is_some()) else {
                continue;
            };
            if is_twice && self.warned.insert(format!("shared {}", path.display())) {
                self.say(format!(
                    "warning: {} is written by several ranks: what one of them wrote after its checkpoint and before \
                     another's is there twice",
                    path.display()
                ));
            }
            cuts.insert(path.clone(), length);
        }
        // Of what another rank had made nothing was there at the checkpoint.
        later
            .overwritten
            .retain(|(_, origin, _)| cuts.get(origin) != Some(&0));
        self.leave_disputed(&mut later)?;
        let length = |path: &Path| cuts.get(path).copied();
        let refused = |error: std::io::Error| {
            format!("what was done to files after the checkpoint cannot be undone ({error})")
        };
        let mut left = Vec::new();
        for part in PARTS {
            let done = later.undo.perform_part(part, &length, &mut left);
            no_rank_stops(&mut *self.group, done.map_err(refused))?;
        }
        let done = opened::undone(generation, later.undo).map_err(refused);
        no_rank_stops(&mut *self.group, done)
    }

    /// Where several ranks have changed a file, and one had done so when another one first looked, or has not looked, nobody knows
    /// what was in it at the checkpoint: it stays as it is.
    fn leave_disputed(&mut self, later: &mut Later) -> Result<(), Stop> {
        // A rank that has written to a file and has no copy of it, has written what no copy holds.
        let without = later.grown.iter().map(|one| (one.0 as i64, [-1, 1]));
        let mut own: BTreeMap<i64, [i64; 2]> = without.collect();
        let of = |one: &(u64, PathBuf, u64)| (one.0 as i64, [signed(one.2), -signed(one.2)]);
        own.extend(later.overwritten.iter().map(of));
        let agreed = least(&mut *self.group, own)?;
        for (number, origin, _) in std::mem::take(&mut later.overwritten) {
            let is_disputed = |&([least, most], _): &([i64; 2], bool)| least != -most;
            if !agreed.get(&number).is_some_and(is_disputed) {
                continue;
            }
            later.undo.leave(&origin);
            if self.warned.insert(format!("disputed {}", origin.display())) {
                self.say(format!(
                    "warning: {} is changed by several ranks where it lies: what they have overwritten since the checkpoint stays so, \
                     which is right when it is written again before it is read",
                    origin.display()
                ));
            }
        }
        Ok(())
    }
}
