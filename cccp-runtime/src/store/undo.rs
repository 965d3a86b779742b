//! What has to be undone for a restart: what a program has done to its files since a checkpoint, in as few words as possible.
//!
//! In: changes, in the order of time (`journal`). Out: what each file was at the checkpoint; first a look at all of them, which
//! changes nothing, then the files as they were. Not here: how changes are noted, and lengths that several ranks have to agree
//! on (`session`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::aside::{put_back, put_back_into};
use super::early::own_name;
use super::journal::{Change, Which};

/// What a file is now, against what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    Made(Which),
    Was {
        which: Which,
        origin: PathBuf,
        length: u64,
    },
    Rewritten,
}

/// What would have to be undone.
#[derive(Clone, Debug, Default)]
pub struct Undo {
    pub(super) now: BTreeMap<PathBuf, State>,
    /// What was there and cannot come back.
    pub lost: BTreeSet<PathBuf>,
    directories: Vec<PathBuf>,
    /// Where the contents are of what was there.
    asides: BTreeMap<PathBuf, PathBuf>,
    /// Lengths at the checkpoint of files that nobody may have touched since, and where what this rank had written ended.
    seen: BTreeMap<PathBuf, (Which, u64, u64)>,
    /// The run was in another directory then: the files are copies.
    pub(super) moved: bool,
}

/// A copy of what was in a file.
#[derive(Clone, Copy, Debug)]
pub struct Aside<'a> {
    /// The name of the file then.
    pub origin: &'a Path,
    /// Where its contents of then are.
    pub copy: &'a Path,
    /// The same file has this name now.
    pub is_there: bool,
}

/// The files of this run that are looked at before anything is undone, and those that other ranks may have written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grown {
    /// Where it is.
    pub path: PathBuf,
    /// How long it was at the checkpoint of this rank, and where what this rank had written ended; 0 when it was not there, none
    /// when nobody has looked then.
    pub before: Option<(u64, u64)>,
    /// How long it was when this rank opened it first after the checkpoint; none when it has not.
    pub after: Option<u64>,
}

impl Grown {
    /// How long it was before the rank wrote to it, as far as this rank knows.
    pub fn length(&self) -> u64 {
        let lengths = [self.before.map(|before| before.0), self.after];
        lengths.into_iter().flatten().min().unwrap_or(0)
    }
}

/// A regular file with this name: which one, and its bytes.
pub fn known_file(path: &Path) -> Option<(Which, u64)> {
    let known = std::fs::metadata(path).ok().filter(|one| one.is_file())?;
    Some(((known.dev(), known.ino()), known.len()))
}

impl Undo {
    /// One more change. False when it makes no difference.
    pub(super) fn apply(&mut self, change: &Change) -> bool {
        match change {
            Change::Made(path, which) => {
                let made = State::Made(*which);
                if self.now.get(path) == Some(&made) {
                    return false;
                }
                if let Some(State::Was { origin, .. }) = self.now.insert(path.clone(), made) {
                    self.lost.insert(origin);
                }
            }
            Change::Long(path, which, length) => {
                let (which, origin, length) = (*which, path.clone(), *length);
                match self.now.get(path) {
                    Some(State::Rewritten) => return false,
                    Some(State::Made(other) | State::Was { which: other, .. })
                        if *other == which =>
                    {
                        return false;
                    }
                    _ => {}
                }
                let was = State::Was {
                    which,
                    origin,
                    length,
                };
                self.now.insert(path.clone(), was);
            }
            Change::Seen(path, which, length, own) => {
                let seen = (*which, *length, *own);
                self.seen.entry(path.clone()).or_insert(seen);
            }
            Change::Emptied(path) => {
                let lost = match self.now.get(path) {
                    Some(State::Made(_) | State::Rewritten) => return false,
                    Some(State::Was { origin, .. }) => origin.clone(),
                    None => path.clone(),
                };
                self.lost.insert(lost);
                self.now.insert(path.clone(), State::Rewritten);
            }
            Change::Renamed {
                from,
                to,
                which,
                length,
                replaced,
            } => {
                let (which, length) = (*which, *length);
                let own = self.now.remove(from);
                let own = own.unwrap_or_else(|| State::Was {
                    which,
                    origin: from.clone(),
                    length,
                });
                match self.now.insert(to.clone(), own) {
                    Some(State::Was { origin, .. }) => drop(self.lost.insert(origin)),
                    None if *replaced => drop(self.lost.insert(to.clone())),
                    _ => {}
                }
            }
            Change::Removed(path) => match self.now.remove(path) {
                Some(State::Was { origin, .. }) => drop(self.lost.insert(origin)),
                None => drop(self.lost.insert(path.clone())),
                _ => {}
            },
            Change::Aside(path, copy) => {
                let Some(origin) = self.without_copy(path) else {
                    return false;
                };
                self.asides.insert(origin, copy.clone());
            }
            Change::Directory(path) => self.directories.push(path.clone()),
        }
        true
    }

    /// The name at the checkpoint of what has this one, when it was there, is whole, and is in no copy.
    pub(super) fn without_copy(&self, path: &Path) -> Option<PathBuf> {
        let origin = match self.now.get(path) {
            Some(State::Made(_) | State::Rewritten) => return None,
            Some(State::Was { origin, .. }) => origin,
            None if self.lost.contains(path) => return None,
            None => path,
        };
        (!self.asides.contains_key(origin)).then(|| origin.to_path_buf())
    }

    /// Where the contents are of a file, if the program has removed, emptied or changed it since; and its name.
    pub fn aside(&self, path: &Path) -> Option<Aside<'_>> {
        let name = own_name(path);
        let mut all = self.asides.iter();
        all.find(|one| own_name(one.0) == name)
            .map(|(origin, copy)| self.aside_at(origin, copy))
    }

    fn aside_at<'a>(&'a self, origin: &'a Path, copy: &'a Path) -> Aside<'a> {
        let is_there = match self.now.get(origin) {
            Some(State::Was {
                which, origin: own, ..
            }) => own == origin && self.is_same(origin, *which),
            _ => false,
        };
        Aside {
            origin,
            copy,
            is_there,
        }
    }

    /// The files that are there and may have been changed, and where their contents of then are.
    pub fn overwritten(&self) -> impl Iterator<Item = Aside<'_>> {
        let all = self.asides.iter();
        let all = all.map(|(origin, copy)| self.aside_at(origin, copy));
        all.filter(|one| one.is_there)
    }

    /// A file that several ranks have changed, who do not agree on what was in it, stays as it is.
    pub fn leave(&mut self, origin: &Path) {
        self.asides.remove(origin);
    }

    /// How many copies there are.
    pub(super) fn copies(&self) -> usize {
        self.asides.len()
    }

    /// The copies lie in this directory; what is in one is not lost.
    pub(super) fn find_copies(&mut self, directory: &Path) {
        for copy in self.asides.values_mut() {
            *copy = directory.join(&*copy);
        }
        self.asides.retain(|_, copy| copy.exists());
        let asides = &self.asides;
        self.lost.retain(|path| !asides.contains_key(path));
    }

    /// The same in as few changes as possible.
    pub(super) fn changes(&self) -> Vec<Change> {
        let copies = self.asides.iter();
        let copies = copies.map(|(path, copy)| Change::Aside(path.clone(), copy.clone()));
        let mut all: Vec<Change> = copies.collect();
        all.extend(self.lost.iter().cloned().map(Change::Removed));
        all.extend(self.directories.iter().cloned().map(Change::Directory));
        all.extend(self.kept());
        for (path, state) in &self.now {
            match state {
                State::Made(which) => all.push(Change::Made(path.clone(), *which)),
                State::Rewritten => all.push(Change::Emptied(path.clone())),
                State::Was {
                    which,
                    origin,
                    length,
                } if origin == path => {
                    all.push(Change::Long(path.clone(), *which, *length));
                }
                State::Was {
                    which,
                    origin,
                    length,
                } => all.push(Change::Renamed {
                    from: origin.clone(),
                    to: path.clone(),
                    which: *which,
                    length: *length,
                    replaced: false,
                }),
            }
        }
        all
    }

    fn is_same(&self, path: &Path, which: Which) -> bool {
        known_file(path).is_some_and(|(now, _)| self.moved || now == which)
    }

    /// How long a file was at the checkpoint, and where what this rank had written ended.
    fn seen(&self, path: &Path, which: Which) -> Option<(u64, u64)> {
        let seen = self.seen.get(path).filter(|seen| seen.0 == which)?;
        Some((seen.1, seen.2))
    }

    fn is_in_copy(&self, state: &State) -> bool {
        matches!(state, State::Was { origin, .. } if self.asides.contains_key(origin))
    }

    /// What is known of a file: as at the checkpoint, and as it was found after it.
    fn grown(&self, path: &Path, state: Option<&State>) -> Option<Grown> {
        let (before, after) = match state {
            Some(State::Made(which)) if self.is_same(path, *which) => (Some((0, 0)), Some(0)),
            Some(State::Was {
                which,
                origin,
                length,
            }) => (self.seen(origin, *which), Some(*length)),
            Some(_) => return None,
            None => (self.seen.get(path).map(|seen| (seen.1, seen.2)), None),
        };
        let path = path.to_path_buf();
        Some(Grown {
            path,
            before,
            after,
        })
    }

    /// The files that have to be cut off or removed, when they are there and as long as they were, and those that other ranks may have to
    /// cut off. Changes nothing.
    pub fn look(&self) -> Result<Vec<Grown>, String> {
        let mut all = Vec::new();
        for (path, state) in &self.now {
            let Some(grown) = self.grown(path, Some(state)) else {
                continue;
            };
            let now = known_file(path).map(|one| one.1);
            let length = grown.length();
            let is_short = now.is_none_or(|now| now < length);
            if is_short && !self.is_in_copy(state) {
                let now = now.map_or("is gone".to_string(), |now| format!("has {now} now"));
                return Err(format!(
                    "{} had {length} bytes at the checkpoint and {now}: data are lost. Put the file back (what was written to it \
                     since does not harm), or start from the beginning: --cccp-restart=fresh",
                    path.display()
                ));
            }
            all.push(grown);
        }
        let untouched = self
            .seen
            .keys()
            .filter(|path| !self.now.contains_key(*path));
        all.extend(untouched.filter_map(|path| self.grown(path, None)));
        Ok(all)
    }

    /// Undoes it. `length` says where a file ends that several ranks write.
    pub fn perform(&self, length: &dyn Fn(&Path) -> Option<u64>) -> io::Result<()> {
        let cut = |path: &Path, length: u64| {
            match OpenOptions::new().write(true).open(path) {
                Ok(file) if file.metadata()?.len() > length => file.set_len(length),
                Ok(_) => Ok(()),
                // Another rank had made it, and has removed it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                Err(error) => Err(error),
            }
        };
        for (path, state) in &self.now {
            if let State::Made(which) = state
                && self.is_same(path, *which)
            {
                match length(path) {
                    Some(length) if length > 0 => cut(path, length)?,
                    _ => std::fs::remove_file(path)?,
                }
            }
        }
        for (path, state) in &self.now {
            let State::Was {
                which,
                origin,
                length: own,
            } = state
            else {
                continue;
            };
            let seen = self.seen(origin, *which);
            let own = seen.map_or(*own, |seen| seen.0.min(*own));
            let length = length(path).unwrap_or(own);
            let is_free = std::fs::symlink_metadata(origin).is_err();
            if origin != path && is_free && self.is_same(path, *which) {
                std::fs::rename(path, origin)?;
                cut(origin, length)?;
            } else if self.is_same(path, *which) || origin == path {
                cut(path, length)?;
            }
        }
        for (path, copy) in &self.asides {
            // Another rank had made it, and this one has found it with something in it.
            if length(path) == Some(0) {
                continue;
            }
            let is_emptied = self.now.get(path) == Some(&State::Rewritten);
            if is_emptied || std::fs::symlink_metadata(path).is_err() {
                put_back(copy, path)?;
            } else if let Some(State::Was { length: own, .. }) = self.now.get(path)
                && self.aside_at(path, copy).is_there
            {
                put_back_into(copy, path)?;
                cut(path, length(path).unwrap_or(*own))?;
            }
        }
        for directory in self.directories.iter().rev() {
            // One with something in it stays.
            let _ = std::fs::remove_dir(directory);
        }
        Ok(())
    }

    /// The lengths at the checkpoint that are known, for the text of the run that goes on from there.
    pub fn kept(&self) -> Vec<Change> {
        let seen = self.seen.iter();
        seen.map(|(path, known)| Change::Seen(path.clone(), known.0, known.1, known.2))
            .collect()
    }

    /// The files that were written to.
    pub fn written(&self) -> Vec<PathBuf> {
        self.now.keys().cloned().collect()
    }
}
