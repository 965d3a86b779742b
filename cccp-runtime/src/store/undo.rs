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
use super::tree::{NameChange, Tree, carried};

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Undo {
    pub(super) now: BTreeMap<PathBuf, State>,
    /// What was there and cannot come back.
    pub lost: BTreeSet<PathBuf>,
    /// Files that were made, and whose names belong to others by now.
    strays: Vec<(PathBuf, Which)>,
    tree: Tree,
    /// What other ranks have renamed, which takes along what this one has made: from, to.
    carried: Vec<(PathBuf, PathBuf)>,
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

/// What is undone on its own. Where several ranks do it, none begins a part before all have ended the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Files that were made are removed.
    Made,
    /// Directories, links and pipes are as they were, but for directories that have something in them yet.
    Names,
    /// Files are as they were.
    Files,
    /// The directories that were left.
    Directories,
}

/// All parts, in their order.
pub const PARTS: [Part; 4] = [Part::Made, Part::Names, Part::Files, Part::Directories];

fn cut(path: &Path, length: u64) -> io::Result<()> {
    match OpenOptions::new().write(true).open(path) {
        Ok(file) if file.metadata()?.len() > length => file.set_len(length),
        Ok(_) => Ok(()),
        // Another rank had made it, and has removed it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// A regular file with this name: which one, and its bytes.
pub fn known_file(path: &Path) -> Option<(Which, u64)> {
    let known = std::fs::metadata(path).ok().filter(|one| one.is_file())?;
    Some(((known.dev(), known.ino()), known.len()))
}

/// A regular file with a name of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// Which one.
    pub which: Which,
    /// Its bytes.
    pub length: u64,
    /// How many names it has.
    pub names: u64,
    /// When it or its names were last changed: seconds and nanoseconds of the clock of files.
    pub changed: (i64, i64),
}

/// The file that has this name itself; none where a link has it.
pub fn named_file(path: &Path) -> Option<Named> {
    let known = std::fs::symlink_metadata(path).ok()?;
    known.is_file().then(|| Named {
        which: (known.dev(), known.ino()),
        length: known.len(),
        names: known.nlink(),
        changed: (known.ctime(), known.ctime_nsec()),
    })
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
                match self.now.insert(path.clone(), made) {
                    Some(State::Was { origin, .. }) => drop(self.lost.insert(origin)),
                    // Another process has renamed or removed it.
                    Some(State::Made(other)) => self.strays.push((path.clone(), other)),
                    _ => {}
                }
            }
            Change::Long(path, which, length) => {
                let (which, origin, length) = (*which, self.tree.then(path), *length);
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
            Change::Was(path, origin, which, length) => {
                let was = State::Was {
                    which: *which,
                    origin: origin.clone(),
                    length: *length,
                };
                self.now.insert(path.clone(), was);
            }
            Change::Seen(path, which, length, own) => {
                let seen = (*which, *length, *own);
                self.seen.entry(path.clone()).or_insert(seen);
            }
            Change::Emptied(path) => {
                let Some(lost) = self.origin(path) else {
                    return false;
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
                    origin: self.tree.then(from),
                    length,
                });
                match self.now.insert(to.clone(), own) {
                    Some(State::Was { origin, .. }) => drop(self.lost.insert(origin)),
                    None if *replaced => drop(self.lost.insert(self.tree.then(to))),
                    _ => {}
                }
            }
            Change::Removed(path) => match self.now.remove(path) {
                Some(State::Was { origin, .. }) => drop(self.lost.insert(origin)),
                None => drop(self.lost.insert(self.tree.then(path))),
                _ => {}
            },
            Change::Aside(path, copy) => {
                let Some(origin) = self.without_copy(path) else {
                    return false;
                };
                self.asides.insert(origin, copy.clone());
            }
            Change::Name(change) => {
                if let NameChange::Moved(from, to, _) = change {
                    self.carry_along(from, to);
                }
                self.tree.apply(change);
            }
        }
        true
    }

    /// A directory has another name: what is in it, too.
    fn carry_along(&mut self, from: &Path, to: &Path) {
        let below = self.now.keys().filter(|path| path.starts_with(from));
        for path in below.cloned().collect::<Vec<_>>() {
            let new = carried(&path, from, to).zip(self.now.remove(&path));
            self.now.extend(new);
        }
    }

    /// The name at the checkpoint of what has this one; none where the program has made or emptied it since.
    fn origin(&self, path: &Path) -> Option<PathBuf> {
        match self.now.get(path) {
            Some(State::Made(_) | State::Rewritten) => None,
            Some(State::Was { origin, .. }) => Some(origin.clone()),
            None => Some(self.tree.then(path)),
        }
    }

    /// The name at the checkpoint of what has this one, when it was there, is whole, and is in no copy.
    pub(super) fn without_copy(&self, path: &Path) -> Option<PathBuf> {
        let origin = self.origin(path)?;
        let is_lost = !self.now.contains_key(path) && self.lost.contains(&origin);
        (!is_lost && !self.asides.contains_key(&origin)).then_some(origin)
    }

    /// The copy of what has this name, by its own name.
    pub(super) fn copy_of(&self, path: &Path) -> Option<&Path> {
        let origin = self.origin(path)?;
        self.asides.get(&origin).map(PathBuf::as_path)
    }

    /// How long a file was that is known to have been there.
    pub(super) fn length(&self, path: &Path) -> Option<u64> {
        match self.now.get(path)? {
            State::Was { length, .. } => Some(*length),
            _ => None,
        }
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
        all.extend(self.kept());
        all.extend(self.tree.changes());
        let strays = self.strays.iter();
        all.extend(strays.map(|(path, which)| Change::Made(path.clone(), *which)));
        for (path, state) in &self.now {
            let path = path.clone();
            all.push(match state {
                State::Made(which) => Change::Made(path, *which),
                State::Rewritten => Change::Emptied(path),
                State::Was {
                    which,
                    origin,
                    length,
                } => Change::Was(path, origin.clone(), *which, *length),
            });
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
            let place = match state {
                State::Was { which, .. } => self.found(path, *which),
                _ => None,
            };
            let now = known_file(place.as_ref().unwrap_or(path)).map(|one| one.1);
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

    /// Where a file is now that had this name at the checkpoint, if it is there.
    pub fn place(&self, origin: &Path) -> PathBuf {
        let mut all = self.now.iter();
        let renamed =
            all.find(|one| matches!(one.1, State::Was { origin: own, .. } if own == origin));
        renamed.map_or_else(|| self.tree.now(origin), |one| one.0.clone())
    }

    /// Directories, links and pipes that this rank has renamed.
    pub fn moves(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.tree.moves()
    }

    /// What other ranks have renamed, each in its order.
    pub fn carry(&mut self, moves: Vec<(PathBuf, PathBuf)>) {
        self.carried = moves;
    }

    /// The names that something may have by now, as other ranks have renamed directories around it; its own is the first.
    fn names(&self, path: &Path) -> Vec<PathBuf> {
        let mut names = vec![path.to_path_buf()];
        for (from, to) in &self.carried {
            let new = names.iter().filter_map(|name| carried(name, from, to));
            let new: Vec<PathBuf> = new.filter(|name| !names.contains(name)).collect();
            names.extend(new);
        }
        names
    }

    /// The name that a file of this rank has by now, if it is there.
    fn found(&self, path: &Path, which: Which) -> Option<PathBuf> {
        let mut names = self.names(path).into_iter();
        names.find(|name| self.is_same(name, which))
    }

    /// What was there at the checkpoint and may be another file now than it was then.
    pub fn restored(&self) -> impl Iterator<Item = &Path> {
        let renamed = self.now.values().filter_map(|state| match state {
            State::Was { origin, .. } => Some(origin.as_path()),
            _ => None,
        });
        renamed.chain(self.asides.keys().map(PathBuf::as_path))
    }

    /// Undoes all of it, for one process alone.
    #[cfg(test)]
    pub fn perform(&self, length: &dyn Fn(&Path) -> Option<u64>) -> io::Result<()> {
        let mut left = Vec::new();
        PARTS
            .into_iter()
            .try_for_each(|part| self.perform_part(part, length, &mut left))
    }

    /// Undoes a part of it. `length` says where a file ends that several ranks write, `left` are directories that have to wait.
    pub fn perform_part(
        &self,
        part: Part,
        length: &dyn Fn(&Path) -> Option<u64>,
        left: &mut Vec<PathBuf>,
    ) -> io::Result<()> {
        match part {
            Part::Made => self.remove_made(length),
            Part::Names => self.tree.restore(self.moved).map(|found| *left = found),
            Part::Files => self.restore_files(length),
            Part::Directories => {
                // One with something in it stays.
                left.iter().for_each(|path| drop(std::fs::remove_dir(path)));
                Ok(())
            }
        }
    }

    fn remove_made(&self, length: &dyn Fn(&Path) -> Option<u64>) -> io::Result<()> {
        let made = self.now.iter().filter_map(|(path, state)| match state {
            State::Made(which) => Some((path, which)),
            _ => None,
        });
        let strays = self.strays.iter().map(|(path, which)| (path, which));
        for (path, which) in made.chain(strays) {
            let Some(now) = self.found(path, *which) else {
                continue;
            };
            match length(path) {
                Some(length) if length > 0 => cut(&now, length)?,
                _ => std::fs::remove_file(&now)?,
            }
        }
        Ok(())
    }

    /// Directories have the names of then.
    fn restore_files(&self, length: &dyn Fn(&Path) -> Option<u64>) -> io::Result<()> {
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
            let path = &self.tree.then(path);
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
