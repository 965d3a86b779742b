//! Files that ranks have opened together, with MPI.
//!
//! In: handles in registers; at a restart what the checkpoint says of their files. Out: what has to be kept, as of any
//! open file; on restart the same files open again. MPI opens a file on all its members at once, so before anything is
//! changed it is made sure that all of them have it, and all go through the files in the same order. What was written after
//! the checkpoint is cut off before the first one is opened. Not here: MPI itself (`cccp-mpi`, behind `comm`).

use crate::comm::{FileOfRanks, Group};
use crate::format::{OpenFile, Together};
use crate::restore::{Replay, Stop};
use crate::store::{Refused, beside, examine, open_again, which};

use super::Session;
use super::files::OpenFiles;
use super::reopen::{Lengths, Prepared};

impl Session {
    /// What has to be kept of a file of MPI. No other rank is asked.
    pub(super) fn examine_file_of_mpi(
        &self,
        handle: usize,
        found: &mut OpenFiles,
    ) -> Result<OpenFile, Refused> {
        let file = self.group.file(handle).map_err(|error| error.to_string())?;
        let Some(file) = file else {
            return Ok(no_file());
        };
        if which(&file.path).map(|one| one.1) != file.which {
            return Err(format!(
                "its file was removed ({}); keep its name until it is closed",
                file.path.display()
            ));
        }
        let copy = beside(&file.path, file.access).map_err(|error| error.to_string())?;
        let known = examine(&copy, 0, self.directory_at_init.as_deref())?;
        if file.access.write {
            found.written.push(copy);
        }
        Ok(OpenFile {
            access: file.access,
            together: Some(file.together),
            ..known
        })
    }

    /// Opens the files of MPI again.
    pub(super) fn open_together(
        &mut self,
        replay: &mut Replay,
        prepared: &[Prepared],
        lengths: &Lengths,
    ) -> Result<(), Stop> {
        let mut cut_off = Ok(());
        for one in prepared {
            let Some(found) = &one.found else {
                replay.places.streams.insert(one.id, self.group.no_file());
                continue;
            };
            let length = lengths.get(&found.identity).map(|known| known.0);
            let length = length.filter(|_| one.kept.access.write);
            let length = length.unwrap_or(one.kept.length);
            // What fails here is told when the others do not wait for this rank any more.
            cut_off = cut_off.and(open_again(&one.kept, found, length).map(drop));
        }
        let mut in_turn: Vec<&Prepared> =
            prepared.iter().filter(|one| one.found.is_some()).collect();
        in_turn.sort_by_key(|one| number(one));
        for one in in_turn {
            let (Some(found), Some(together)) = (&one.found, &one.kept.together) else {
                continue;
            };
            let file = FileOfRanks {
                path: found.path.clone(),
                which: None,
                access: one.kept.access,
                together: together.clone(),
            };
            match self.group.open_file(&found.path, &file) {
                Ok(handle) => drop(replay.places.streams.insert(one.id, handle)),
                Err(error) => {
                    let error = format!(
                        "{} was open at the checkpoint and cannot be opened again ({error})",
                        found.path.display()
                    );
                    cut_off = cut_off.and(Err(error));
                }
            }
        }
        cut_off
    }
}

/// What is kept where a handle is that of no file.
fn no_file() -> OpenFile {
    OpenFile {
        standard: true,
        path: b"MPI_FILE_NULL".to_vec(),
        together: Some(Together::default()),
        ..OpenFile::default()
    }
}

fn number(one: &Prepared) -> u64 {
    one.kept.together.as_ref().map_or(0, |one| one.number)
}

/// An error on all ranks when a file is not open on one that has to open it. All ranks call it.
pub(super) fn all_have_them(group: &mut dyn Group, prepared: &[Prepared]) -> Result<(), Stop> {
    let mut own: Vec<(u64, &Prepared)> = prepared
        .iter()
        .filter(|one| one.found.is_some())
        .map(|one| (number(one), one))
        .collect();
    own.sort_by_key(|one| one.0);
    let mut own = own.into_iter().peekable();
    let mut missing = None;
    loop {
        let next = own.peek().map_or(i64::MAX, |one| one.0 as i64);
        let mut least = [next];
        group.min(&mut least).map_err(|error| error.to_string())?;
        if least[0] == i64::MAX {
            return missing.map_or(Ok(()), Err);
        }
        let mine = own.next_if(|one| one.0 as i64 == least[0]);
        let members = mine.and_then(|(_, one)| one.kept.together.as_ref());
        let members = members.map_or(0, |one| one.members.len() as u64);
        let mut sums = [u64::from(mine.is_some()), members];
        group.sum(&mut sums).map_err(|error| error.to_string())?;
        // All that have it say how many should.
        if sums[0] * sums[0] != sums[1] {
            let path = mine.map(|(_, one)| String::from_utf8_lossy(&one.kept.path).into_owned());
            let path = path.unwrap_or_else(|| "a file of MPI".to_string());
            missing = Some(format!(
                "{path} was open on some of its ranks only when the checkpoint was taken: register it on all ranks that open it, \
                 and put the checkpoint where all of them have opened or closed it"
            ));
        }
    }
}
