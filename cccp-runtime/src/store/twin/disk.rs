//! The twin as a store: a disk in memory that writes a journal, refuses what it is told to, and may have flaws.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};

use super::crashes::Crashes;
use super::journal::{Event, Names, Number, State};
use super::tree::{Content, Tree};
use super::turns::Turns;
use crate::format::Source;
use crate::store::{Hold, Locking, Output, Store};

/// What a store must not do. Tests show that it would be noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// fsync of a file does nothing.
    FileNotSynced,
    /// fsync of a directory does nothing.
    DirectoryNotSynced,
    /// Files are written under their final names.
    FinalName,
    /// Lists the files of both ranks where there is one.
    OthersAssumed,
}

/// A disk in memory. Clones are the same disk.
#[derive(Clone)]
pub(crate) struct Twin {
    disk: Arc<Mutex<Disk>>,
    flaw: Option<Flaw>,
    turns: Option<(Arc<Turns>, usize)>,
}

struct Disk {
    base: State,
    now: State,
    journal: Vec<Event>,
    /// Locks, as long as somebody has them: a crash gives them all back.
    locks: BTreeMap<PathBuf, (Weak<()>, String)>,
    /// The operation with this number, counted from 0, is refused.
    refused: Option<u64>,
    operations: u64,
}

impl Default for Twin {
    fn default() -> Twin {
        Twin::holding(&Tree::default())
    }
}

impl Twin {
    /// A disk on which all of this is durable.
    pub(crate) fn holding(tree: &Tree) -> Twin {
        Twin::going_on(State::of(tree), Vec::new())
    }

    fn going_on(base: State, journal: Vec<Event>) -> Twin {
        let mut now = base.clone();
        journal.iter().for_each(|event| now.apply(event));
        let disk = Disk {
            base,
            now,
            journal,
            locks: BTreeMap::new(),
            refused: None,
            operations: 0,
        };
        Twin {
            disk: Arc::new(Mutex::new(disk)),
            flaw: None,
            turns: None,
        }
    }

    /// The same disk with a flaw.
    pub(crate) fn flawed(&self, flaw: Option<Flaw>) -> Twin {
        Twin {
            flaw,
            ..self.clone()
        }
    }

    /// The same disk for one of several ranks, which waits for its turn.
    pub(crate) fn in_turn(&self, turns: &Arc<Turns>, rank: usize) -> Twin {
        Twin {
            turns: Some((turns.clone(), rank)),
            ..self.clone()
        }
    }

    /// Refuses the operation with this number, counted from now.
    pub(crate) fn refuse(&self, operation: u64) {
        let mut disk = self.disk.lock().unwrap();
        disk.refused = Some(disk.operations + operation);
    }

    /// How many operations there were, those included that change nothing.
    pub(crate) fn operations(&self) -> u64 {
        self.disk.lock().unwrap().operations
    }

    /// How many steps the journal has.
    pub(crate) fn steps(&self) -> usize {
        self.disk.lock().unwrap().journal.len()
    }

    /// The disk as its users see it.
    pub(crate) fn tree(&self) -> Tree {
        let disk = self.disk.lock().unwrap();
        let mut tree = Tree::default();
        let mut open = vec![(String::new(), 0)];
        while let Some((path, number)) = open.pop() {
            match disk.now.names(number) {
                Some(names) => {
                    let slash = if path.is_empty() { "" } else { "/" };
                    let inner = names
                        .iter()
                        .map(|(name, number)| (format!("{path}{slash}{name}"), *number));
                    open.extend(inner);
                    if !path.is_empty() {
                        tree.0.insert(path, None);
                    }
                }
                None => {
                    let bytes = disk.now.bytes(number).unwrap_or_default();
                    tree.0.insert(path, Some(Content::new(bytes)));
                }
            }
        }
        tree
    }

    /// Everything that a power failure may leave behind, step by step.
    pub(crate) fn crashes(&self) -> Crashes {
        let disk = self.disk.lock().unwrap();
        Crashes::new(disk.base.clone(), disk.journal.clone())
    }

    /// A disk whose user was killed after so many steps, while the power stayed on: nothing is lost, nothing more is
    /// durable.
    pub(crate) fn killed_at(&self, steps: usize) -> Twin {
        let disk = self.disk.lock().unwrap();
        Twin::going_on(disk.base.clone(), disk.journal[..steps].to_vec())
    }

    /// Does an operation when it is this rank's turn and the disk does not refuse.
    fn step<T>(&self, operation: impl FnOnce(&mut Disk) -> io::Result<T>) -> io::Result<T> {
        if let Some((turns, rank)) = &self.turns {
            turns.wait(*rank);
        }
        let mut disk = self.disk.lock().unwrap();
        disk.operations += 1;
        if disk.refused == Some(disk.operations - 1) {
            return Err(io::Error::from_raw_os_error(libc::EIO));
        }
        operation(&mut disk)
    }

    /// The path that a flawed store uses instead.
    fn place(&self, path: &Path) -> PathBuf {
        let text = path.to_string_lossy();
        match text.strip_suffix(".tmp") {
            Some(text) if self.flaw == Some(Flaw::FinalName) => {
                // `<name>.<process>.tmp`
                PathBuf::from(text).with_extension("")
            }
            _ => path.to_path_buf(),
        }
    }
}

impl Disk {
    fn event(&mut self, event: Event) {
        self.now.apply(&event);
        self.journal.push(event);
    }

    fn find(&self, path: &Path) -> io::Result<Number> {
        let found = self.now.find(&path.to_string_lossy());
        found.ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn names(&self, path: &Path) -> io::Result<(Number, &Names)> {
        let number = self.find(path)?;
        let names = self.now.names(number);
        Ok((number, names.ok_or(ErrorKind::NotADirectory)?))
    }

    /// The directory that a path lies in, its names, and the name.
    fn entry(&self, path: &Path) -> io::Result<(Number, &Names, String)> {
        let above = path.parent().ok_or(ErrorKind::InvalidInput)?;
        let name = path.file_name().ok_or(ErrorKind::InvalidInput)?;
        let (number, names) = self.names(above)?;
        Ok((number, names, name.to_string_lossy().into_owned()))
    }

    fn bytes(&self, path: &Path) -> io::Result<Vec<u8>> {
        assert!(
            path.extension() != Some("tmp".as_ref()),
            "{} is unfinished, nobody reads it",
            path.display()
        );
        let bytes = self.now.bytes(self.find(path)?);
        bytes.ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "not a file"))
    }
}

impl Store for Twin {
    fn make_directory(&self, path: &Path) -> io::Result<()> {
        self.step(|disk| {
            let (above, names, name) = disk.entry(path)?;
            if names.contains_key(&name) {
                return Err(ErrorKind::AlreadyExists.into());
            }
            let number = disk.now.next();
            disk.event(Event::SyncedNames(number));
            disk.event(Event::Named(above, vec![(name, Some(number))]));
            Ok(())
        })
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        let path = &self.place(path);
        self.step(|disk| {
            let (above, names, name) = disk.entry(path)?;
            let known = names.get(&name).copied();
            let number = known.unwrap_or_else(|| disk.now.next());
            disk.event(Event::Emptied(number));
            if known.is_none() {
                disk.event(Event::Named(above, vec![(name, Some(number))]));
            }
            Ok(Box::new(Writing {
                twin: self.clone(),
                number,
            }) as Box<dyn Output>)
        })
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        if self.flaw == Some(Flaw::FinalName) && self.place(from) == to {
            return Ok(());
        }
        self.step(|disk| {
            let (above, names, name) = disk.entry(from)?;
            let (place, _, new) = disk.entry(to)?;
            assert_eq!(above, place, "a rename stays in its directory");
            let number = *names.get(&name).ok_or(ErrorKind::NotFound)?;
            disk.event(Event::Named(above, vec![(name, None), (new, Some(number))]));
            Ok(())
        })
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.step(|disk| {
            let (number, _) = disk.names(path)?;
            if self.flaw != Some(Flaw::DirectoryNotSynced) {
                disk.event(Event::SyncedNames(number));
            }
            Ok(())
        })
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        self.step(|disk| {
            let mut names: Vec<String> = disk.names(path)?.1.keys().cloned().collect();
            if self.flaw == Some(Flaw::OthersAssumed)
                && names.iter().any(|name| name.ends_with(".cccp"))
            {
                names = vec!["000000.cccp".to_string(), "000001.cccp".to_string()];
            }
            Ok(names)
        })
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        self.step(|disk| Ok(Box::new(disk.bytes(path)?) as Box<dyn Source>))
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        self.step(|disk| {
            let text = String::from_utf8(disk.bytes(path)?);
            text.map_err(|_| ErrorKind::InvalidData.into())
        })
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let path = &self.place(path);
        self.step(|disk| {
            let (above, names, name) = disk.entry(path)?;
            let number = *names.get(&name).ok_or(ErrorKind::NotFound)?;
            if disk.now.names(number).is_some() {
                return Err(ErrorKind::IsADirectory.into());
            }
            disk.event(Event::Named(above, vec![(name, None)]));
            Ok(())
        })
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        self.step(|disk| {
            let (above, _, name) = disk.entry(path)?;
            if !disk.names(path)?.1.is_empty() {
                return Err(ErrorKind::DirectoryNotEmpty.into());
            }
            disk.event(Event::Named(above, vec![(name, None)]));
            Ok(())
        })
    }

    /// The text of a lock's file means nothing after a crash, so there is no file.
    fn lock(&self, path: &Path, words: &str) -> io::Result<Locking> {
        self.step(|disk| {
            let held = disk.locks.get(path);
            if let Some((_, words)) = held.filter(|(hold, _)| hold.strong_count() > 0) {
                return Ok(Locking::Taken(words.clone()));
            }
            let hold = Arc::new(());
            let held = (Arc::downgrade(&hold), words.to_string());
            let before = disk.locks.insert(path.to_path_buf(), held);
            let before = before.map_or(String::new(), |(_, words)| words);
            Ok(Locking::Held(Box::new(Holding(hold)), before))
        })
    }

    fn free(&self, _: &Path) -> io::Result<u64> {
        self.step(|_| Ok(u64::MAX))
    }
}

struct Holding(Arc<()>);

impl Hold for Holding {
    fn is_ours(&self) -> bool {
        Arc::weak_count(&self.0) > 0
    }
}

/// A file being written.
struct Writing {
    twin: Twin,
    number: Number,
}

impl Write for Writing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.twin.step(|disk| {
            disk.event(Event::Appended(self.number, bytes.to_vec()));
            Ok(bytes.len())
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output for Writing {
    fn sync(&mut self) -> io::Result<()> {
        let synced = self.twin.step(|disk| {
            if self.twin.flaw != Some(Flaw::FileNotSynced) {
                disk.event(Event::SyncedContents(self.number));
            }
            Ok(())
        });
        if synced.is_err() {
            let mut disk = self.twin.disk.lock().unwrap();
            disk.event(Event::Spoilt(self.number));
        }
        synced
    }
}
