//! What was done to a disk, in the order of time, and what of it is durable.
//!
//! Files and directories are numbered when they are made, and a name is an entry in a directory: a rename moves a
//! number, contents stay with it.

use std::collections::BTreeMap;

use super::tree::{Content, Tree};

/// The number of a file or directory; 0 is the root.
pub(super) type Number = usize;
/// The names in a directory.
pub(super) type Names = BTreeMap<String, Number>;
/// What a name stands for from now on.
pub(super) type Change = (String, Option<Number>);

/// One step that changes a disk, or makes earlier changes durable.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// Changes of names in one directory that are seen together.
    Named(Number, Vec<Change>),
    /// fsync of a directory.
    SyncedNames(Number),
    /// A file is emptied.
    Emptied(Number),
    /// Bytes at the end of a file.
    Appended(Number, Vec<u8>),
    /// fsync of a file.
    SyncedContents(Number),
    /// fsync of a file that failed.
    Spoilt(Number),
}

impl Event {
    /// The file whose contents it is about.
    pub(super) fn file(&self) -> Option<Number> {
        match self {
            Event::Named(..) | Event::SyncedNames(_) => None,
            Event::Emptied(file)
            | Event::Appended(file, _)
            | Event::SyncedContents(file)
            | Event::Spoilt(file) => Some(*file),
        }
    }
}

/// What has been done to a file since it was durable.
#[derive(Clone, Debug)]
pub(super) enum Writing {
    Emptied,
    Appended(Vec<u8>),
}

/// A file: what is durable, and what came on top.
#[derive(Clone, Debug, Default)]
pub(super) struct FileState {
    pub(super) durable: Option<Content>,
    pub(super) pending: Vec<Writing>,
    spoilt: bool,
}

/// A directory: what is durable, and what came on top.
#[derive(Clone, Debug, Default)]
pub(super) struct DirectoryState {
    pub(super) durable: Names,
    pub(super) pending: Vec<Vec<Change>>,
    /// As a program sees it.
    pub(super) now: Names,
}

/// A disk in the middle of its work.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) files: BTreeMap<Number, FileState>,
    pub(super) directories: BTreeMap<Number, DirectoryState>,
}

impl State {
    /// A disk on which all is durable.
    pub(super) fn of(tree: &Tree) -> State {
        let mut state = State::default();
        state.directories.insert(0, DirectoryState::default());
        // A directory stands before what is in it.
        for (path, content) in &tree.0 {
            let number = state.next();
            let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
            let above = state.find(above).expect("the directory above");
            let names = state.directories.get_mut(&above).expect("a directory");
            names.durable.insert(name.to_string(), number);
            names.now.insert(name.to_string(), number);
            match content {
                None => drop(state.directories.insert(number, DirectoryState::default())),
                Some(content) => {
                    let durable = Some(content.clone());
                    let file = FileState {
                        durable,
                        ..FileState::default()
                    };
                    state.files.insert(number, file);
                }
            }
        }
        state
    }

    /// A number that nobody has.
    pub(super) fn next(&self) -> Number {
        let last = |number: Option<&Number>| number.copied().unwrap_or(0);
        last(self.files.keys().last()).max(last(self.directories.keys().last())) + 1
    }

    /// The names in a directory as a program sees them.
    pub(super) fn names(&self, directory: Number) -> Option<&Names> {
        Some(&self.directories.get(&directory)?.now)
    }

    /// What a path stands for, as a program sees it; without a slash at either end.
    pub(super) fn find(&self, path: &str) -> Option<Number> {
        let mut steps = path.split('/').filter(|step| !step.is_empty());
        steps.try_fold(0, |at, step| self.names(at)?.get(step).copied())
    }

    /// The bytes of a file as a program sees them.
    pub(super) fn bytes(&self, file: Number) -> Option<Vec<u8>> {
        let file = self.files.get(&file)?;
        let mut bytes = file
            .durable
            .as_ref()
            .map_or(Vec::new(), |content| content.bytes().to_vec());
        for writing in &file.pending {
            match writing {
                Writing::Emptied => bytes.clear(),
                Writing::Appended(more) => bytes.extend_from_slice(more),
            }
        }
        Some(bytes)
    }

    /// Does what the event says.
    pub(super) fn apply(&mut self, event: &Event) {
        match event {
            Event::Named(directory, changes) => {
                let directory = self.directories.entry(*directory).or_default();
                apply(&mut directory.now, changes);
                directory.pending.push(changes.clone());
            }
            Event::SyncedNames(directory) => {
                let directory = self.directories.entry(*directory).or_default();
                directory.durable = directory.now.clone();
                directory.pending.clear();
            }
            Event::Emptied(file) => self.write(*file, Writing::Emptied),
            Event::Appended(file, bytes) => self.write(*file, Writing::Appended(bytes.clone())),
            Event::SyncedContents(file) => {
                let bytes = self.bytes(*file).unwrap_or_default();
                let file = self.files.entry(*file).or_default();
                if !file.spoilt {
                    file.durable = Some(Content::new(bytes));
                    file.pending.clear();
                }
            }
            Event::Spoilt(file) => self.files.entry(*file).or_default().spoilt = true,
        }
    }

    fn write(&mut self, file: Number, writing: Writing) {
        self.files.entry(file).or_default().pending.push(writing);
    }
}

/// Changes names.
pub(super) fn apply(names: &mut Names, changes: &[Change]) {
    for (name, number) in changes {
        match number {
            Some(number) => drop(names.insert(name.clone(), *number)),
            None => drop(names.remove(name)),
        }
    }
}
