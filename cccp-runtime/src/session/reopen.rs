//! Open files come back when a restart begins.
//!
//! In: what the checkpoint says about streams and descriptors. Out: the same files open again, cut off and at their places.
//! Steps: look at all files of this rank, without changing anything · agree that no rank has found fault · agree on the
//! length of files that several ranks write · open and cut off · and once more, when the restart ends, whatever blocks
//! did to them on the way.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CStr;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::rc::Rc;

use crate::comm::Group;
use crate::format::types::Stream;
use crate::format::{
    DESCRIPTOR, LockOwner, MPI_FILE, OpenFile, Register, STREAM, removed_name, types,
};
use crate::memory::{
    become_file, duplicate, give_away, keep_given, lock_file, near, renumber, standard_streams,
};
use crate::restore::{Reopened, Replay, Stop};
use crate::store::{
    Found, Undo, cut, examine, fill, find, make_unnamed, open_again, open_unnamed, which_file,
};

use super::files::WORKING_DIRECTORY;
use super::together::all_have_them;
use super::{Session, opened};

/// A file that was found where it should be.
pub(super) struct Prepared {
    /// The register that stands for it.
    pub id: u64,
    pub kept: OpenFile,
    pub found: Option<Found>,
}

impl Session {
    /// Looks at all files that have to be opened again. Changes nothing.
    /// `later` is what the program did to its files after the checkpoint.
    pub(super) fn find_files(
        &mut self,
        replay: &mut Replay,
        later: &Undo,
    ) -> Result<Vec<Prepared>, Stop> {
        let kinds = [STREAM, DESCRIPTOR, MPI_FILE];
        let is_file = |name: &str| kinds.iter().any(|kind| name.starts_with(kind));
        let library = replay.library.clone();
        let mut prepared = Vec::new();
        for saved in library.iter().filter(|one| is_file(&one.name)) {
            let text = self.text_of(replay, saved)?;
            let kept = OpenFile::from_text(&text)
                .ok_or_else(|| format!("the checkpoint says nothing about `{}`", saved.name))?;
            let found = match (kept.standard && !kept.given, kept.removed) {
                (true, _) => None,
                (false, Some(number)) => {
                    bytes_of(replay, number)?;
                    Some(Found::unnamed(&kept))
                }
                // One of the three that every process has.
                (false, None) if kept.shares.is_some_and(|one| one < 3) => {
                    Some(Found::unnamed(&kept))
                }
                (false, None) => Some(find(&kept, self.directory_at_init.as_deref(), later)?),
            };
            if let Some(one) = found.as_ref().filter(|one| one.changed) {
                self.say(format!(
                    "warning: {} was open for reading at the checkpoint and has changed since; results may differ",
                    one.path.display()
                ));
            }
            prepared.push(Prepared {
                id: saved.id,
                kept,
                found,
            });
        }
        // Streams take their numbers first; a descriptor of the same number is that of the stream. What shares an open file comes
        // after the one that opens it.
        prepared.sort_by_key(|one| (one.kept.shares.is_some(), !one.kept.stream));
        Ok(prepared)
    }

    /// Opens the files that were found. All ranks call it, those without files too.
    pub(super) fn open_files_again(
        &mut self,
        replay: Option<&mut Replay>,
        prepared: Vec<Prepared>,
    ) -> Result<(), Stop> {
        let named = prepared.iter().filter(|one| has_own_file(&one.kept));
        let written = named.filter(|one| one.kept.access.write);
        let written = written.filter_map(|one| {
            let found = one.found.as_ref().filter(|_| one.kept.offset.is_some())?;
            let idle = one.kept.together.as_ref().is_some_and(|one| !one.written);
            Some((found.identity, one.kept.length, idle))
        });
        let lengths = lengths(&mut *self.group, written)?;
        let (together, own): (Vec<_>, Vec<_>) = prepared
            .into_iter()
            .partition(|one| one.kept.together.is_some());
        all_have_them(&mut *self.group, &together)?;
        let Some(replay) = replay else {
            return Ok(());
        };
        let mut unnamed = BTreeMap::new();
        for one in own {
            let file = match one.kept.removed {
                Some(number) => Some(self.unnamed(replay, number, &one.kept, &mut unnamed)?),
                None => None,
            };
            let Some(found) = one.found else {
                let stream = standard_streams()[one.kept.number as usize];
                // A standard input that cannot be placed is another one than before.
                if self.continue_stream(stream, &one.kept).is_err() && one.kept.offset.is_some() {
                    self.say("warning: standard input was a file at the checkpoint; now it is read from where it is");
                }
                replay.places.streams.insert(one.id, stream);
                continue;
            };
            let known = lengths
                .get(&found.identity)
                .filter(|_| one.kept.access.write && has_own_file(&one.kept));
            let (length, shared) = known.copied().unwrap_or((one.kept.length, false));
            if shared
                && self
                    .warned
                    .insert(format!("shared {}", found.path.display()))
            {
                self.say(format!(
                    "warning: {} is written by several ranks: what one of them wrote after its checkpoint and before \
                     another's is there twice",
                    found.path.display()
                ));
            }
            let source = match (shared_file(self, replay, &one.kept), &file) {
                (Some(copy), _) => copy,
                (None, Some(file)) => open_unnamed(&one.kept, file)?,
                (None, None) => open_again(&one.kept, &found, length)?,
            };
            opened::hold(which_file(&source));
            let (stream, descriptor) = self.open_one(replay, &one.kept, &found, source)?;
            if let Some(stream) = stream {
                replay.places.streams.insert(one.id, stream);
            }
            replay.reopened.push(Reopened {
                kept: one.kept,
                path: found.path,
                stream,
                descriptor,
                shared,
                unnamed: file,
            });
        }
        self.open_together(replay, &together, &lengths)
    }

    /// The file that stands for one without a name, made anew for the first that opens it.
    fn unnamed(
        &self,
        replay: &Replay,
        number: u64,
        kept: &OpenFile,
        made: &mut BTreeMap<u64, Rc<OwnedFd>>,
    ) -> Result<Rc<OwnedFd>, Stop> {
        if let Some(file) = made.get(&number) {
            return Ok(file.clone());
        }
        let saved = bytes_of(replay, number)?;
        let refused = |reason: String| {
            format!(
                "{} was open at the checkpoint, without a name, and cannot be made again ({reason})",
                String::from_utf8_lossy(&kept.path)
            )
        };
        let bytes = replay.file.characters(saved);
        let bytes = bytes.map_err(|error| refused(error.to_string()))?;
        let usual = [
            std::env::temp_dir(),
            PathBuf::from("/tmp"),
            self.directory.path().to_path_buf(),
        ];
        let file = make_unnamed(kept, &bytes, &usual);
        let file = file.map_err(|error| refused(error.to_string()))?;
        // Low numbers belong to the program.
        let file = Rc::new(duplicate(file.as_raw_fd()).unwrap_or(file));
        made.insert(number, file.clone());
        Ok(file)
    }

    /// Gives the program a file that is open; gives the stream, when it is one, and the descriptor.
    fn open_one(
        &self,
        replay: &Replay,
        kept: &OpenFile,
        found: &Found,
        file: OwnedFd,
    ) -> Result<(Option<usize>, i32), Stop> {
        let number = i32::try_from(kept.number).unwrap_or(i32::MAX);
        let writes = kept.access.write && kept.removed.is_none();
        let name = found.path.display();
        if kept.standard {
            let descriptor = self.give_again(kept, found, &file)?;
            return Ok((Some(standard_streams()[kept.number as usize]), descriptor));
        }
        if let Some(early) = opened::take(kept, &found.path) {
            let refused = |error| format!("{name} cannot be opened again ({error})");
            if early.stream != 0 {
                self.program.purge_stream(early.stream);
            }
            become_file(early.number, &file).map_err(refused)?;
            opened::became(early.number, &file);
            if early.stream != 0 {
                self.continue_stream(early.stream, kept).map_err(refused)?;
            }
            lock_again(kept, early.number, found)?;
            if writes {
                opened::reopened(early.number, &found.path);
            }
            let stream = (early.stream != 0).then_some(early.stream);
            return Ok((stream, early.number));
        }
        if kept.early.is_some() {
            return Err(format!(
                "{name} was open at the checkpoint, since before init, and has not been opened before init this time: open it \
                 there in every start, or behind init"
            ));
        }
        if !kept.stream {
            let is_stream = |one: &&Reopened| {
                let descriptor = one
                    .stream
                    .and_then(|one| self.program.stream_descriptor(one));
                one.stream.is_some() && one.path == found.path && descriptor == Some(number)
            };
            if replay.reopened.iter().any(|one| is_stream(&one)) {
                return Ok((None, number));
            }
            return match renumber(file, number, kept.close_on_exec) {
                Ok(descriptor) => self.descriptor_again(kept, found, descriptor),
                // What cares about the number is not there any more.
                Err(file) if kept.unnamed => {
                    self.descriptor_again(kept, found, near(file, kept.close_on_exec))
                }
                Err(_) => Err(format!(
                    "{name} had the descriptor {number} at the checkpoint, which is taken now: what stands before init, or \
                     MPI, has opened more files than then. Open it in an execute on restart block instead of registering it"
                )),
            };
        }
        let descriptor = renumber(file, number, kept.close_on_exec)
            .unwrap_or_else(|opened| near(opened, kept.close_on_exec));
        if writes {
            opened::reopened(descriptor.as_raw_fd(), &found.path);
        }
        let descriptor_now = descriptor.as_raw_fd();
        lock_again(kept, descriptor_now, found)?;
        let refused =
            |error: std::io::Error| format!("{name} cannot be made a stream again ({error})");
        let stream = self
            .program
            .stream_of(descriptor, mode(kept))
            .map_err(refused)?;
        self.program.set_buffering(stream, kept.buffering);
        self.continue_stream(stream, kept).map_err(refused)?;
        Ok((Some(stream), descriptor_now))
    }

    /// One of the three streams that every process has gets the file again that the program had given it.
    fn give_again(&self, kept: &OpenFile, found: &Found, file: &OwnedFd) -> Result<i32, Stop> {
        let stream = standard_streams()[kept.number as usize];
        if opened::is_early(stream) {
            // What was written before `init` is in its file.
            self.program.purge_stream(stream);
        }
        keep_given(kept.number as i32);
        let given = self
            .program
            .give_stream(stream, (mode(kept), kept.close_on_exec), file);
        let refused = |error: std::io::Error| {
            format!("{} cannot be opened again ({error})", found.path.display())
        };
        let number = given.map_err(refused)?;
        if number != kept.number as i32 {
            return Err(format!(
                "{} was standard input, output or error of the program at the checkpoint, which is closed where it is started now: \
                 start it with all three",
                found.path.display()
            ));
        }
        opened::gave(stream);
        lock_again(kept, number, found)?;
        if kept.access.write && kept.removed.is_none() {
            opened::reopened(number, &found.path);
        }
        self.program.set_buffering(stream, kept.buffering);
        self.continue_stream(stream, kept).map_err(refused)?;
        Ok(number)
    }

    /// The program has a descriptor again.
    fn descriptor_again(
        &self,
        kept: &OpenFile,
        found: &Found,
        descriptor: OwnedFd,
    ) -> Result<(Option<usize>, i32), Stop> {
        let number = descriptor.as_raw_fd();
        lock_again(kept, number, found)?;
        if kept.access.write && kept.removed.is_none() {
            opened::reopened(number, &found.path);
        }
        give_away(descriptor);
        Ok((None, number))
    }

    /// Lets a stream go on at its place, if it had one, and first with what was pushed back there; it has ended or failed if it
    /// had, for loops that ask `feof` before they read.
    fn continue_stream(&self, stream: usize, kept: &OpenFile) -> Result<(), std::io::Error> {
        if let Some(offset) = kept.offset {
            // The place of a stream lies before what was pushed back to it.
            self.program
                .place_stream(stream, offset + kept.pushed.len() as u64)?;
        }
        self.program.push_back(stream, &kept.pushed)?;
        self.program
            .set_indicators(stream, (kept.ended, kept.failed))
    }

    /// The streams that an object holds now, with their places.
    pub(super) fn streams_in(
        &self,
        type_index: u32,
        start: usize,
        count: u64,
    ) -> Vec<(usize, Stream, usize)> {
        let size = self.types.get(type_index).map_or(0, |one| one.size);
        let offsets = types::stream_offsets(self.types.types(), type_index);
        let elements = 0..if offsets.is_empty() { 0 } else { count };
        let places = elements.flat_map(|element| {
            let here = offsets.iter();
            here.map(move |&(offset, whose)| (start + (element * size + offset) as usize, whose))
        });
        places
            .map(|(place, whose)| (place, whose, self.program.pointer(place)))
            .collect()
    }

    /// Where no stream could come back, the one that a block has opened stays.
    pub(super) fn leave_streams(&self, before: &[(usize, Stream, usize)]) {
        for &(place, whose, stream) in before {
            let poison = self.program.poison();
            let is_open = || match whose {
                Stream::C => self.program.stream_descriptor(stream).is_some(),
                // MPI may have opened it where the library does not see.
                Stream::Mpi => stream != 0,
            };
            if self.program.pointer(place) == poison && stream != poison && is_open() {
                self.program.set_pointer(place, stream);
            }
        }
    }

    /// At the end of a restart the program is in the directory in which it was.
    pub(super) fn directory_again(&self, replay: &mut Replay) -> Result<(), Stop> {
        let text = self.library_text(replay, WORKING_DIRECTORY)?;
        let Some((text, begun)) = text.zip(self.directory_at_init.as_ref()) else {
            return Ok(());
        };
        let place = begun.join(std::ffi::OsStr::from_bytes(&text));
        std::env::set_current_dir(&place).map_err(|error| {
            format!(
                "the program was in {} at the checkpoint, where it cannot go now ({error})",
                place.display()
            )
        })
    }

    /// At the end of a restart: what blocks wrote to files on the way is undone, as far as they are the same.
    pub(super) fn files_again(&mut self, replay: &Replay) -> Result<(), Stop> {
        let mut filled = BTreeSet::new();
        let own = replay.reopened.iter();
        for one in own.filter(|one| !one.shared && one.kept.shares.is_none()) {
            let number = match one.stream {
                Some(stream) => self.program.stream_descriptor(stream),
                None => Some(one.descriptor),
            };
            let copy = number.and_then(|number| duplicate(number).ok());
            let Some((copy, offset)) = copy.zip(one.kept.offset) else {
                continue;
            };
            let same = match &one.unnamed {
                Some(file) => which_file(&copy) == which_file(&**file),
                None => {
                    let now = examine(&copy, one.kept.number, None);
                    now.is_ok_and(|now| now.path == one.path.as_os_str().as_bytes())
                }
            };
            if !same {
                continue;
            }
            let refused = |error: std::io::Error| {
                format!(
                    "{} cannot be put back as it was ({error})",
                    one.path.display()
                )
            };
            if let (Some(file), Some(number)) = (&one.unnamed, one.kept.removed)
                && filled.insert(number)
            {
                let bytes = replay.file.characters(bytes_of(replay, number)?);
                let bytes = bytes.map_err(|error| error.to_string())?;
                fill(file, &bytes).map_err(refused)?;
            }
            match one.stream {
                Some(stream) => self.continue_stream(stream, &one.kept).map_err(refused)?,
                None => drop(cut(&copy, None, Some(offset)).map_err(refused)?),
            }
            let writes = one.kept.access.write && one.unnamed.is_none();
            if writes && !cut(&copy, Some(one.kept.length), None).map_err(refused)? {
                let instead = match one.kept.given {
                    true => {
                        "a restart gives the stream its file by itself: take freopen out of the block, or open it to append"
                    }
                    false => "it is registered as well: leave one of them out",
                };
                return Err(format!(
                    "{} was emptied by a block that is executed on restart, but {instead}",
                    one.path.display()
                ));
            }
        }
        Ok(())
    }
}

/// Whether it has a name, and no other descriptor that stands for the same open file.
fn has_own_file(kept: &OpenFile) -> bool {
    kept.removed.is_none() && kept.shares.is_none()
}

/// The register that holds the bytes of a file without a name.
fn bytes_of(replay: &Replay, number: u64) -> Result<&Register, Stop> {
    let name = removed_name(number);
    let found = replay.library.iter().find(|one| one.name == name);
    found.ok_or_else(|| format!("the checkpoint holds no register `{name}`"))
}

/// A descriptor of the open file that another one has, too.
fn shared_file(session: &Session, replay: &Replay, kept: &OpenFile) -> Option<OwnedFd> {
    let number = kept.shares?;
    if number < 3 {
        return duplicate(number as i32).ok();
    }
    let one = replay
        .reopened
        .iter()
        .find(|one| one.kept.number == number)?;
    let number = match one.stream {
        Some(stream) => session.program.stream_descriptor(stream)?,
        None => one.descriptor,
    };
    duplicate(number).ok()
}

/// Takes the locks that the program had on a file.
fn lock_again(kept: &OpenFile, number: i32, found: &Found) -> Result<(), Stop> {
    for lock in &kept.locks {
        let bytes = (lock.owner != LockOwner::OpenFile).then_some((lock.first, lock.last));
        lock_file(number, lock.exclusive, bytes).map_err(|error| {
            format!(
                "{} was locked by the program at the checkpoint and cannot be locked again ({error}): another process has locked it. \
                 Wait until that has ended, and start again",
                found.path.display()
            )
        })?;
    }
    Ok(())
}

/// How `fdopen` is asked for a stream like that.
fn mode(kept: &OpenFile) -> &'static CStr {
    match (kept.access.read, kept.access.write, kept.access.append) {
        (true, false, _) => c"r",
        (false, _, false) => c"w",
        (false, _, true) => c"a",
        (true, true, false) => c"r+",
        (true, true, true) => c"a+",
    }
}

/// See [`lengths`]; by the identity of the file.
pub(super) type Lengths = BTreeMap<u64, (u64, bool)>;

/// Lengths of the files that are written: the largest that any rank had at its checkpoint, and whether several write. The ranks
/// go through all files in the same order. A rank that only had a file open may have seen what others wrote behind their
/// checkpoints: it is asked only when no other one is known to have written.
pub(super) fn lengths(
    group: &mut dyn Group,
    files: impl Iterator<Item = (u64, u64, bool)>,
) -> Result<Lengths, Stop> {
    let mut own: BTreeMap<i64, (u64, Option<u64>)> = BTreeMap::new();
    for (identity, length, idle) in files {
        let (seen, written) = own.entry(identity as i64).or_default();
        *seen = (*seen).max(length);
        *written = (*written).max((!idle).then_some(length));
    }
    // The largest is the least of the negative ones.
    let negative = |length: u64| -signed(length);
    let own = own.into_iter().map(|(identity, (seen, written))| {
        (
            identity,
            [negative(seen), written.map_or(UNKNOWN, negative)],
        )
    });
    let agreed = least(group, own.collect())?;
    let lengths = agreed.into_iter().map(|(identity, (values, is_shared))| {
        let length = match values {
            [seen, UNKNOWN] => seen,
            [_, written] => written,
        };
        (identity, ((-length) as u64, is_shared))
    });
    Ok(lengths.collect())
}

/// What no length is, and no negative one.
pub(super) const UNKNOWN: i64 = 1;

/// A length as ranks compare it.
pub(super) fn signed(length: u64) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// The least of the numbers that any rank has for each file of this one, and whether several ranks have some.
pub(super) fn least<const NUMBERS: usize>(
    group: &mut dyn Group,
    mut own: BTreeMap<i64, [i64; NUMBERS]>,
) -> Result<BTreeMap<u64, ([i64; NUMBERS], bool)>, Stop> {
    let rank = i64::from(group.rank());
    let mut all = BTreeMap::new();
    loop {
        let mut next = [own.keys().next().copied().unwrap_or(i64::MAX)];
        group.min(&mut next).map_err(|error| error.to_string())?;
        if next[0] == i64::MAX {
            return Ok(all);
        }
        let mine = own.remove(&next[0]);
        let mut numbers = mine.unwrap_or([i64::MAX; NUMBERS]);
        let mut ranks = mine.map_or([i64::MAX; 2], |_| [rank, -rank]);
        let mut values = [&numbers[..], &ranks[..]].concat();
        group.min(&mut values).map_err(|error| error.to_string())?;
        numbers.copy_from_slice(&values[..NUMBERS]);
        ranks.copy_from_slice(&values[NUMBERS..]);
        if mine.is_some() {
            all.insert(next[0] as u64, (numbers, ranks[0] != -ranks[1]));
        }
    }
}
