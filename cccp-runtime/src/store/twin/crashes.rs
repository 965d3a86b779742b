//! All disks that a power failure may leave, for every place in a journal.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::contents::contents;
use super::journal::{DirectoryState, Event, Names, Number, State, apply};
use super::tree::{Content, Tree};

/// More changes of names in one directory are not tried in all combinations.
const MOST: usize = 14;

/// Goes through a journal, step by step.
pub(crate) struct Crashes {
    state: State,
    journal: Vec<Event>,
    /// Steps that have been done.
    done: usize,
    /// The outcomes, until something happens that changes them.
    outcomes: Option<Rc<Vec<Tree>>>,
}

impl Crashes {
    pub(super) fn new(base: State, journal: Vec<Event>) -> Crashes {
        Crashes {
            state: base,
            journal,
            done: 0,
            outcomes: None,
        }
    }

    /// How many steps have been done.
    pub(crate) fn done(&self) -> usize {
        self.done
    }

    /// Does the next step; none is left when false.
    pub(crate) fn step(&mut self) -> bool {
        let Some(event) = self.journal.get(self.done) else {
            return false;
        };
        self.state.apply(event);
        self.done += 1;
        let unnoticed = event.file().is_some_and(|file| self.is_unfinished(file));
        if !unnoticed {
            self.outcomes = None;
        }
        true
    }

    /// Whether a file never had a name under which it is read.
    fn is_unfinished(&self, file: Number) -> bool {
        let mut directories = self.state.directories.values();
        !directories.any(|directory| {
            let durable = directory.durable.iter();
            let pending = directory.pending.iter().flatten();
            let mut names = durable
                .map(|(name, number)| (name, Some(*number)))
                .chain(pending.map(|(name, number)| (name, *number)));
            names.any(|(name, number)| number == Some(file) && !name.ends_with(".tmp"))
        })
    }

    /// Every disk that a power failure here may leave, each once.
    pub(crate) fn outcomes(&mut self) -> Rc<Vec<Tree>> {
        let state = &self.state;
        let outcomes = self.outcomes.get_or_insert_with(|| {
            let all = below(state, 0, &mut HashMap::new());
            let spelt = all.iter().map(|part| {
                let mut tree = Tree::default();
                part.spell(&mut tree, "");
                tree
            });
            Rc::new(spelt.collect())
        });
        outcomes.clone()
    }
}

/// A file or directory in one of its outcomes.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Part {
    File(Content),
    Directory(Vec<(String, Rc<Part>)>),
}

impl Part {
    fn spell(&self, tree: &mut Tree, path: &str) {
        match self {
            Part::File(content) => drop(tree.0.insert(path.to_string(), Some(content.clone()))),
            Part::Directory(names) => {
                if !path.is_empty() {
                    tree.0.insert(path.to_string(), None);
                }
                for (name, part) in names {
                    let slash = if path.is_empty() { "" } else { "/" };
                    part.spell(tree, &format!("{path}{slash}{name}"));
                }
            }
        }
    }
}

/// All outcomes of what has this number.
fn below(
    state: &State,
    number: Number,
    known: &mut HashMap<Number, Rc<Vec<Rc<Part>>>>,
) -> Rc<Vec<Rc<Part>>> {
    if let Some(found) = known.get(&number) {
        return found.clone();
    }
    let found: Vec<Rc<Part>> = match state.directories.get(&number) {
        None => {
            let file = state.files.get(&number).expect("a file");
            let contents = contents(file).into_iter();
            contents
                .map(|content| Rc::new(Part::File(content)))
                .collect()
        }
        Some(directory) => {
            let mut all = HashSet::new();
            for names in versions(directory) {
                let mut some: Vec<Vec<(String, Rc<Part>)>> = vec![Vec::new()];
                for (name, number) in names {
                    let parts = match name.ends_with(".tmp") {
                        // Its contents do not matter: nobody reads them.
                        true => Rc::new(vec![Rc::new(Part::File(Content::new(Vec::new())))]),
                        false => below(state, number, known),
                    };
                    let more = some.iter().flat_map(|start| {
                        parts.iter().map(|part| {
                            let mut more = start.clone();
                            more.push((name.clone(), part.clone()));
                            more
                        })
                    });
                    some = more.collect();
                }
                all.extend(some);
            }
            all.into_iter()
                .map(|names| Rc::new(Part::Directory(names)))
                .collect()
        }
    };
    let found = Rc::new(found);
    known.insert(number, found.clone());
    found
}

/// The names that a directory may have: every choice among the changes that are not durable.
fn versions(directory: &DirectoryState) -> HashSet<Names> {
    let pending = &directory.pending;
    assert!(pending.len() <= MOST, "too many changes to try all choices");
    (0..1u32 << pending.len())
        .map(|choice| {
            let mut names = directory.durable.clone();
            let chosen = (0..).zip(pending).filter(|(bit, _)| choice >> bit & 1 == 1);
            chosen.for_each(|(_, changes)| apply(&mut names, changes));
            names
        })
        .collect()
}
