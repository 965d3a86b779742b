//! What the program opens, makes, renames and removes, as the library sees it.
//!
//! In: the calls of the program, from any thread, before `init` too, where there is no session. Out: how each is to be
//! done. Before `init` nothing is changed where a restart may follow (`store::Early`); what a restart makes of that is
//! decided with all ranks. From the first checkpoint on every change is noted (`store::Journal`), and a restart undoes
//! what came after its checkpoint.

use std::collections::{BTreeMap, BTreeSet};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::format::OpenFile;
use crate::memory::{Program, become_file, duplicate, standard_streams, without_signals};
use crate::restore::Stop;
use crate::settings::{Restart, Settings};
use crate::store::{
    Change, Directory, Early, EarlyFile, FileSystem, FileTime, Journal, Undo, Which, full_path,
    known_file, may_be_updated, moment, named_file, path_of, which_file,
};

/// How far the run is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Before `init`.
    Before,
    /// `init` has come to a decision.
    Begun,
    /// After `shutdown`.
    Ended,
}

/// What is known of the program's files.
pub struct Opened {
    /// How far the run is.
    pub phase: Phase,
    /// Those from before `init`.
    pub early: Early,
    /// Where checkpoints were looked for before `init`, and whether a restart may follow.
    looked: Option<(PathBuf, bool)>,
    journal: Option<Journal>,
    /// Descriptors of files that the program writes: name and identity.
    writing: BTreeMap<i32, (PathBuf, (u64, u64))>,
    /// What was there at the checkpoint of the restart, and has been emptied, replaced or removed since.
    lost: BTreeSet<PathBuf>,
    /// Ranks of the job.
    ranks: u32,
    /// What was written by this rank before a checkpoint, and perhaps by others.
    shared: BTreeSet<PathBuf>,
    /// Which file a name meant when this rank had closed it last, and how long it was then; where others may write to it.
    closed: BTreeMap<PathBuf, ((u64, u64), u64)>,
    /// Files that were open at a checkpoint.
    held: BTreeSet<Which>,
    /// One with more bytes is not copied before it is removed or changed.
    longest: u64,
    /// Files that were not new when the program opened them, up to [`MOST_READ`]: what was in them may matter.
    read: BTreeSet<Which>,
    /// Files that could not be copied, which is said once.
    unkept: BTreeSet<PathBuf>,
    /// A restart is on its way to its checkpoint: only blocks run.
    resumes: bool,
    /// When the last checkpoint was taken, by the clock that gives files their times: seconds and nanoseconds.
    since: FileTime,
    /// Files that the program has written shortly before that.
    fresh: BTreeSet<Which>,
    /// Streams that every process has and to which the program has given another file since `init`, by their addresses.
    given: BTreeSet<usize>,
}

/// Of so many files the length at a checkpoint is kept where several ranks may write to them.
const MOST: usize = 1000;

/// A program that has read so many files may have read any.
const MOST_READ: usize = 10_000;

static OPENED: Mutex<Option<Opened>> = Mutex::new(None);

/// Lets `work` use it. No handler of a signal of the program comes in between, which may open files, too.
pub fn with<T>(work: impl FnOnce(&mut Opened) -> T) -> T {
    without_signals(|| {
        let mut guard = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
        work(guard.get_or_insert_with(|| Opened {
            phase: Phase::Before,
            early: Early::default(),
            looked: None,
            journal: None,
            writing: BTreeMap::new(),
            lost: BTreeSet::new(),
            ranks: 1,
            shared: BTreeSet::new(),
            closed: BTreeMap::new(),
            held: BTreeSet::new(),
            longest: 0,
            read: BTreeSet::new(),
            unkept: BTreeSet::new(),
            resumes: false,
            since: (0, 0),
            fresh: BTreeSet::new(),
            given: BTreeSet::new(),
        }))
    })
}

impl Opened {
    /// Whether files are left alone until `init`: where checkpoints are that no completed run has left.
    pub fn is_held(&mut self, settings: impl FnOnce() -> Option<(Settings, String)>) -> bool {
        if self.phase != Phase::Before {
            return false;
        }
        let looked = self.looked.get_or_insert_with(|| {
            let Some((settings, name)) = settings() else {
                return (PathBuf::new(), false);
            };
            let place = settings.directory(&name);
            let directory = Directory::new(Arc::new(FileSystem), place);
            let may = settings.restart != Restart::Fresh && !directory.is_finished();
            (directory.path().to_path_buf(), may)
        });
        looked.1
    }

    /// Where checkpoints were looked for before `init`.
    pub fn place(&self) -> Option<PathBuf> {
        self.looked.as_ref().map(|looked| looked.0.clone())
    }

    /// Notes that a file was opened, which was like that before. Gives what the user has to know.
    pub fn opened(
        &mut self,
        number: i32,
        path: &Path,
        writes: bool,
        before: Option<((u64, u64), u64)>,
        empties: bool,
    ) -> Option<String> {
        let path = file_path(path);
        let is_new = before.is_none() || empties;
        let is_lost = self.lost.contains(&path);
        let told = match (is_lost && !is_new, before) {
            (_, Some((_, length @ 1..))) if self.resumes && empties => Some(format!(
                "warning: {} had {length} bytes, and a block that every restart executes has emptied it: what the run had written \
                 there is gone. Open it outside of the block and register it, or open it to append",
                path.display()
            )),
            (true, _) => Some(format!(
                "warning: {} is opened, which the run before has emptied, replaced or removed after the checkpoint of this restart: \
                 its contents are not those of then",
                path.display()
            )),
            (false, _) => None,
        };
        if is_lost {
            self.lost.remove(&path);
        }
        if let Some((which, _)) = before.filter(|_| !is_new && self.read.len() < MOST_READ) {
            self.read.insert(which);
        }
        if !writes {
            return told;
        }
        let Some((which, _)) = known_file(&path) else {
            return told;
        };
        self.writing.insert(number, (path.clone(), which));
        let change = match before {
            None => Change::Made(path, which),
            Some((_, length)) if empties && length > 0 => Change::Emptied(path),
            Some((which, length)) => Change::Long(path, which, length),
        };
        self.note(&change).or(told)
    }

    /// Whether what was in a file may have been read since a checkpoint.
    fn may_have_read(&self, which: Which) -> bool {
        self.read.len() >= MOST_READ || self.read.contains(&which)
    }

    /// A descriptor is about to be closed. Gives the file that the program writes there, where others may write to it, too.
    pub fn closing(&mut self, number: i32) -> Option<(PathBuf, (u64, u64))> {
        let file = self.writing.remove(&number);
        file.filter(|_| self.ranks > 1)
    }

    /// A stream gets another file: see [`given`].
    pub fn gives(&mut self, stream: usize) {
        if self.phase == Phase::Begun && standard_streams().contains(&stream) {
            self.given.insert(stream);
        }
    }

    /// The name of the file of a stream, where it matters which one that is: the program's own, or one to which the program has given a file.
    pub fn name_of(&self, stream: usize, number: i32) -> Option<PathBuf> {
        let is_own = self.given.contains(&stream) || !standard_streams().contains(&stream);
        let is_wanted = self.phase == Phase::Begun && is_own;
        path_of(number).ok().filter(|_| is_wanted)
    }

    /// Notes how long a file is, now that it was closed.
    pub fn closed(&mut self, path: PathBuf, which: (u64, u64)) {
        if let Some(known) = known_file(&path).filter(|known| known.0 == which) {
            self.closed.insert(path, known);
        }
    }

    /// How long a file is, and where what this rank has written ends at most.
    fn seen(&self, path: &Path) -> Option<Change> {
        let (which, length) = known_file(path)?;
        let is_open = self.writing.values().any(|one| one.0 == path);
        let closed = self
            .closed
            .get(path)
            .filter(|one| one.0 == which && !is_open);
        let own = closed.map_or(length, |closed| closed.1.min(length));
        Some(Change::Seen(path.to_path_buf(), which, length, own))
    }

    /// Notes a change. Gives what the user has to know.
    pub fn note(&mut self, change: &Change) -> Option<String> {
        self.journal.as_mut()?.note(change).err()
    }

    /// A name is about to belong to no file, to another one, or to an empty one (`stays`: the file itself stays). Where the file was
    /// open at a checkpoint, or the program has read it, a restart needs its contents; and where it was there at the last one it has to
    /// be there again, as the program will remove it again. Gives what the user has to know.
    pub fn set_aside(&mut self, path: &Path, stays: bool) -> Option<String> {
        let path = match stays {
            true => file_path(path),
            false => whole_path(path),
        };
        let known = named_file(&path).filter(|_| self.phase == Phase::Begun)?;
        let which = known.which;
        // What another rank has made was perhaps not there at the checkpoint.
        let is_own = self.ranks == 1 || self.shared.contains(&path);
        let is_needed = self.held.contains(&which) || is_own && self.may_have_read(which);
        if !is_needed {
            let journal = self.journal.as_mut()?;
            if stays {
                // What fails leaves no copy: then it is lost, and known to be.
                let _ = journal.unshare(&path);
                return None;
            }
            let was_there = known.changed < self.since
                || self.fresh.contains(&which)
                || journal.was_there(&path);
            if !was_there {
                return None;
            }
            // Where it has other names, is open, or may be so in another rank, it may still change.
            let is_open = self.writing.values().any(|one| one.1 == which);
            if self.ranks == 1 && known.names == 1 && !is_open {
                match journal.rename_aside(&path) {
                    Ok(false) => {}
                    other => return other.err(),
                }
            }
        }
        let done = self.copy(&path, known.length, false);
        done.err().map(|error| {
            format!(
                "warning: {} was there at a checkpoint, and goes, and its contents cannot be kept ({error}): until the next checkpoint \
                 is published a restart will miss it",
                path.display()
            )
        })
    }

    /// Copies a file, where changes are noted: see [`Journal::set_aside`].
    fn copy(&mut self, path: &Path, length: u64, again: bool) -> std::io::Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.unshare(path)?;
        }
        match &mut self.journal {
            _ if length > self.longest => Err(std::io::Error::other(
                "it has more bytes than the setting removed_files says",
            )),
            Some(journal) => journal.set_aside(path, again),
            None => Ok(()),
        }
    }

    /// A file that is not new is about to be changed where it lies: its contents are copied. `again`: it is open at a checkpoint, and may
    /// have been so at the one before. Gives what the user has to know.
    pub fn keep_contents(&mut self, path: &Path, again: bool) -> Option<String> {
        let (which, length) = known_file(path).filter(|known| known.1 > 0)?;
        self.journal.as_ref()?;
        let path = file_path(path);
        let done = self.copy(&path, length, again);
        let noted = self.note(&Change::Long(path.clone(), which, length));
        let Err(error) = done else {
            return noted;
        };
        self.unkept.insert(path.clone()).then(|| {
            format!(
                "warning: {} may be changed where it lies, and its contents cannot be kept ({error}): what is overwritten after a \
                 checkpoint stays so in a restart, which is right when it is written again before it is read",
                path.display()
            )
        })
    }

    /// A file is about to be cut off, or made longer: see [`Opened::keep_contents`].
    pub fn keep_contents_of(&mut self, number: i32) -> Option<String> {
        let path = self.writing.get(&number)?.0.clone();
        self.keep_contents(&path, false)
    }

    /// Files that are open, and may be read and overwritten. Gives what the user has to know.
    fn keep_updated(&mut self) -> Vec<String> {
        let updated = self.writing.iter().filter(|one| {
            let copy = duplicate(*one.0);
            copy.is_ok_and(|copy| may_be_updated(&copy))
        });
        let paths: BTreeSet<PathBuf> = updated.map(|one| one.1.0.clone()).collect();
        let paths = paths.iter();
        paths
            .filter_map(|path| self.keep_contents(path, true))
            .collect()
    }

    /// What was changed before has a lesser time, and was there. Where that is unknown of what has the time of now it counts as changed before,
    /// unless other ranks may have made it.
    fn moment(&self) -> FileTime {
        match moment() {
            ((seconds, nanoseconds), false) if self.ranks == 1 => (seconds, nanoseconds + 1),
            (moment, _) => moment,
        }
    }

    /// Whether it matters that a file is only read.
    pub fn reads_matter(&self) -> bool {
        self.journal.is_some()
    }

    /// A name belongs to something new.
    pub fn replaced(&mut self, path: &Path) {
        self.lost.remove(path);
    }

    /// What is open for writing, and how long it is.
    fn note_open(&mut self) -> Vec<Change> {
        let mut all = Vec::new();
        self.writing.retain(|&number, (path, which)| {
            let copy = duplicate(number).ok();
            let same = copy.is_some_and(|copy| which_file(&copy) == Some(*which));
            let known = known_file(path).filter(|(now, _)| same && now == which);
            if let Some((which, length)) = known {
                all.push(Change::Long(path.clone(), which, length));
            }
            same
        });
        all
    }
}

/// A path from the root, as the program names it.
pub fn whole_path(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The file that a path stands for, by its own name: a link is followed.
pub fn file_path(path: &Path) -> PathBuf {
    let whole = whole_path(path);
    match whole.is_symlink() {
        true => full_path(&whole),
        false => whole,
    }
}

/// A run begins whose changes are noted.
pub(super) fn keep_journal(journal: Journal, ranks: u32, longest: u64) {
    with(|opened| {
        (opened.journal, opened.ranks, opened.longest) = (Some(journal), ranks, longest);
    });
}

/// These files are open at a checkpoint, or since one: a restart from there needs them.
pub(super) fn hold(files: impl IntoIterator<Item = Which>) {
    with(|opened| opened.held.extend(files));
}

/// A checkpoint is taken. Gives what was written since the last one, and what the user has to know.
pub(super) fn checkpoint(generation: u64) -> (Vec<PathBuf>, Vec<String>) {
    with(|opened| {
        let Some(journal) = &mut opened.journal else {
            return (Vec::new(), Vec::new());
        };
        let written = journal.begin(generation);
        opened.since = opened.moment();
        let known = written.iter().filter_map(|path| known_file(path));
        opened.fresh = known.map(|one| one.0).collect();
        if opened.ranks > 1 {
            opened.shared.extend(written.iter().cloned());
            while opened.shared.len() > MOST {
                let first = opened.shared.pop_first();
                first.and_then(|path| opened.closed.remove(&path));
            }
        }
        let shared = opened.shared.iter();
        let mut told: Vec<Change> = shared.filter_map(|path| opened.seen(path)).collect();
        told.extend(opened.note_open());
        let told = told.iter().filter_map(|change| opened.note(change));
        let mut told: Vec<String> = told.collect();
        told.extend(opened.keep_updated());
        (written, told)
    })
}

/// What has to be undone for a restart.
pub(super) fn to_undo(generation: u64) -> Result<Undo, Stop> {
    with(|opened| match &opened.journal {
        Some(journal) => journal
            .undo(generation)
            .map_err(|error| format!("what was written to files cannot be read ({error})")),
        None => Ok(Undo::default()),
    })
}

/// It was undone: what comes now is noted behind this generation.
pub(super) fn undone(generation: u64, undo: Undo) -> std::io::Result<()> {
    with(|opened| {
        if let Some(journal) = &mut opened.journal {
            journal.undone(generation)?;
            journal.begin(generation);
            opened.since = opened.moment();
            let known = undo.restored().filter_map(known_file);
            opened.fresh = known.map(|one| one.0).collect();
        }
        for change in undo.kept() {
            if let Change::Seen(path, which, _, own) = &change {
                opened.shared.insert(path.clone());
                opened.closed.insert(path.clone(), (*which, *own));
            }
            opened.note(&change);
        }
        opened.lost = undo.lost;
        Ok(())
    })
}

/// A file of the checkpoint is open again, under this number.
pub(super) fn reopened(number: i32, path: &Path) {
    with(|opened| {
        if let Some((which, length)) = known_file(path) {
            opened.writing.insert(number, (path.to_path_buf(), which));
            opened.note(&Change::Long(path.to_path_buf(), which, length));
        }
    });
}

/// All files of the checkpoint are open again, and as they were. Gives what the user has to know.
pub(super) fn keep_updated() -> Vec<String> {
    with(Opened::keep_updated)
}

/// The run is over.
pub fn ended() {
    with(|opened| (opened.phase, opened.journal) = (Phase::Ended, None));
}

/// All ranks have decided. Without a restart the program's files become what it has asked for.
pub(super) fn decided(directory: &Path, is_restart: bool) -> Result<(), Stop> {
    with(|opened| {
        let elsewhere = opened.looked.as_ref();
        let elsewhere = elsewhere.filter(|(place, _)| place != directory);
        if let (Some((place, _)), Some(file)) = (elsewhere, opened.early.first_change()) {
            return Err(format!(
                "{} is written before init, where checkpoints would lie in {}; but at init they lie in {}. Every restart would write \
                 the file anew: let chdir come before, or give an absolute path with the setting dir",
                file.display(),
                place.display(),
                directory.display()
            ));
        }
        opened.resumes = is_restart;
        if is_restart {
            return match opened.early.first_change() {
                Some(file) => Err(format!(
                    "{} was changed before init, when no checkpoint was there yet",
                    file.display()
                )),
                None => Ok(()),
            };
        }
        for (number, file) in opened.early.afresh(&|number| duplicate(number).ok())? {
            become_file(number, &file).map_err(|error| error.to_string())?;
        }
        Ok(())
    })
}

/// A restart has come to its checkpoint: the program runs on.
pub(super) fn resumed() {
    with(|opened| opened.resumes = false);
}

/// `init` is over.
pub(super) fn begun() {
    with(|opened| {
        opened.phase = Phase::Begun;
        opened.early.forget();
        for (number, path, which) in opened.early.written() {
            opened.writing.entry(number).or_insert((path, which));
        }
    });
}

/// The files from before `init` that are still open.
pub(super) fn early_files(program: &Program) -> Vec<(u32, EarlyFile)> {
    with(|opened| {
        opened.early.still_open(&|one| {
            let is_open =
                one.stream == 0 || program.stream_descriptor(one.stream) == Some(one.number);
            duplicate(one.number).ok().filter(|_| is_open)
        })
    })
}

/// The streams that every process has and to which the program has given another file since `init`.
pub(super) fn given() -> BTreeSet<usize> {
    with(|opened| opened.given.clone())
}

/// A restart has given a stream that every process has the file of the checkpoint.
pub(super) fn gave(stream: usize) {
    with(|opened| opened.given.insert(stream));
}

/// Whether a stream was opened before `init`, whatever file it has now.
pub(super) fn is_early(stream: usize) -> bool {
    with(|opened| opened.early.has_stream(stream))
}

/// The descriptors of files that the program has opened to write.
pub(super) fn written() -> Vec<i32> {
    with(|opened| opened.writing.keys().copied().collect())
}

/// The file from before `init` that a checkpoint speaks of; no stream of the program's own becomes one that every process has.
pub(super) fn take(kept: &OpenFile, path: &Path) -> Option<EarlyFile> {
    let number = i32::try_from(kept.number).ok();
    with(|opened| {
        opened.early.take(kept.early, path, &|one| {
            let is_own = !standard_streams().contains(&one.stream);
            is_own
                && (one.stream != 0) == kept.stream
                && (kept.stream || Some(one.number) == number)
        })
    })
}

/// It has become the file of the checkpoint.
pub(super) fn became(number: i32, file: &OwnedFd) {
    with(|opened| opened.early.became(number, file));
}
