//! Names that are no files: directories, symbolic links and pipes that the program makes, removes and renames after a checkpoint.
//!
//! In: changes, in the order of time. Out: the name that a path had at the checkpoint, the one that it has now, and the names as they
//! were. Files, which have contents, are `undo`'s; directories that were renamed take them along.

use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::journal::{Change, Which};

/// What was done to a name that is no file's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameChange {
    /// A directory that was not there; which one it is, in texts of today.
    Directory(PathBuf, Option<Which>),
    /// A symbolic link or a pipe that was not there.
    Node(PathBuf, Which),
    /// A directory, a link or a pipe is gone: kind and permissions (`st_mode`), and where a link led.
    Gone(PathBuf, u32, PathBuf),
    /// A directory, a link or a pipe has another name: from, to.
    Moved(PathBuf, PathBuf, Which),
}

use NameChange::{Directory, Gone, Moved, Node};

impl NameChange {
    /// The name that it is about.
    fn path(&self) -> &Path {
        match self {
            Directory(path, _) | Node(path, _) | Gone(path, ..) => path,
            Moved(_, path, _) => path,
        }
    }

    /// The same below a name that has changed since.
    fn below(self, from: &Path, to: &Path) -> NameChange {
        let new = |path: PathBuf| carried(&path, from, to).unwrap_or(path);
        match self {
            Directory(path, which) => Directory(new(path), which),
            Node(path, which) => Node(new(path), which),
            Gone(path, mode, target) => Gone(new(path), mode, target),
            Moved(..) => self,
        }
    }
}

/// What would have to be undone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tree {
    steps: Vec<NameChange>,
}

/// What a name that is no file's stands for.
pub struct KnownNode {
    /// Kind and permissions: `st_mode`.
    pub mode: u32,
    /// Which one it is.
    pub which: Which,
    /// Where a link leads.
    pub target: PathBuf,
}

impl KnownNode {
    /// It is a directory.
    pub fn is_directory(&self) -> bool {
        is_kind(self.mode, libc::S_IFDIR)
    }
}

/// What a name stands for; none for a file, and for nothing.
pub fn known_node(path: &Path) -> Option<KnownNode> {
    let known = std::fs::symlink_metadata(path).ok()?;
    let target = match known.is_symlink() {
        true => std::fs::read_link(path).ok()?,
        false => PathBuf::new(),
    };
    (!known.is_file()).then(|| KnownNode {
        mode: known.mode(),
        which: (known.dev(), known.ino()),
        target,
    })
}

/// A path below `from`, with `to` in place of that.
pub(super) fn carried(path: &Path, from: &Path, to: &Path) -> Option<PathBuf> {
    let rest = path.strip_prefix(from).ok()?;
    Some(match rest.as_os_str().is_empty() {
        true => to.to_path_buf(),
        false => to.join(rest),
    })
}

impl Tree {
    /// One more change.
    pub fn apply(&mut self, change: &NameChange) {
        match change {
            Directory(..) | Node(..) => self.add(change.clone()),
            Gone(path, mode, target) => self.gone(path, *mode, target),
            Moved(..) => self.steps.push(change.clone()),
        }
    }

    fn add(&mut self, step: NameChange) {
        // A directory that was gone and is there again is as it was.
        let again = |one: &NameChange| match (one, &step) {
            (Gone(own, mode, _), Directory(path, _)) => {
                own == path && is_kind(*mode, libc::S_IFDIR)
            }
            _ => false,
        };
        match self.latest(again) {
            Some(at) => drop(self.steps.remove(at)),
            None => self.steps.push(step),
        }
    }

    /// What was made since the checkpoint was never there then; what was renamed and is gone might have gone with the name before.
    fn gone(&mut self, path: &Path, mode: u32, target: &Path) {
        let mut name = path.to_path_buf();
        for at in (0..self.steps.len()).rev() {
            let step = &self.steps[at];
            if is_made(step, &name) {
                self.steps.remove(at);
                return;
            }
            let Moved(from, to, _) = step else {
                continue;
            };
            if *to == name {
                let (from, to) = (from.clone(), to.clone());
                let later = self.steps.split_off(at).into_iter().skip(1);
                let (own, others): (Vec<NameChange>, Vec<NameChange>) =
                    later.partition(|step| step.path().starts_with(&to));
                let own = own.into_iter().map(|step| step.below(&to, &from));
                self.steps.extend(own);
                self.gone(&from, mode, target);
                others.into_iter().for_each(|step| self.add(step));
                return;
            }
            match carried(&name, to, from) {
                Some(before) => name = before,
                // Another one had this name then.
                None if name.starts_with(from) => break,
                None => {}
            }
        }
        let gone = Gone(path.to_path_buf(), mode, target.to_path_buf());
        self.steps.push(gone);
    }

    fn latest(&self, fits: impl Fn(&NameChange) -> bool) -> Option<usize> {
        let steps = self.steps.iter().enumerate().rev();
        let mut steps = steps.take_while(|(_, step)| !matches!(step, Moved(..)));
        steps.find(|(_, step)| fits(step)).map(|(at, _)| at)
    }

    /// What was renamed: from, to.
    pub fn moves(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.steps.iter().filter_map(|step| match step {
            Moved(from, to, _) => Some((from.as_path(), to.as_path())),
            _ => None,
        })
    }

    /// The name that a path of now had at the checkpoint.
    pub fn then(&self, path: &Path) -> PathBuf {
        let steps = self.steps.iter().rev();
        steps.fold(path.to_path_buf(), |path, step| match step {
            Moved(from, to, _) => carried(&path, to, from).unwrap_or(path),
            _ => path,
        })
    }

    /// The name that a path of the checkpoint has now.
    pub fn now(&self, path: &Path) -> PathBuf {
        let steps = self.steps.iter();
        steps.fold(path.to_path_buf(), |path, step| match step {
            Moved(from, to, _) => carried(&path, from, to).unwrap_or(path),
            _ => path,
        })
    }

    /// The same in as few changes as possible.
    pub fn changes(&self) -> impl Iterator<Item = Change> {
        self.steps.iter().cloned().map(Change::Name)
    }

    /// Undoes it, and may be called again when that was interrupted. `is_copy`: the directory of the run is one, and names stand for
    /// copies. Gives the directories that were not there and have something in them still, which may belong elsewhere.
    pub fn restore(&self, is_copy: bool) -> io::Result<Vec<PathBuf>> {
        let is_own = |path: &Path, which: &Which| {
            known_node(path).is_some_and(|now| is_copy || now.which == *which)
        };
        let mut left: Vec<PathBuf> = Vec::new();
        for step in self.steps.iter().rev() {
            match step {
                Directory(path, which) => {
                    let is_other = which.is_some_and(|which| !is_own(path, &which));
                    if !is_other && std::fs::remove_dir(path).is_err() && path.is_dir() {
                        left.push(path.clone());
                    }
                }
                Node(path, which) if is_own(path, which) => std::fs::remove_file(path)?,
                Gone(path, mode, target) => match again(path, *mode, target) {
                    // It is there from the last time, or somebody has put it back.
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                    other => other?,
                },
                Moved(from, to, which) if is_own(to, which) => {
                    // A directory takes the place of an empty one, a link that of any file.
                    if std::fs::symlink_metadata(from).is_ok_and(|one| !one.is_dir()) {
                        continue;
                    }
                    std::fs::rename(to, from)?;
                    for path in &mut left {
                        *path = carried(path, to, from).unwrap_or_else(|| path.clone());
                    }
                }
                Node(..) | Moved(..) => {}
            }
        }
        Ok(left)
    }
}

fn is_kind(mode: u32, kind: u32) -> bool {
    mode & libc::S_IFMT == kind
}

fn is_made(step: &NameChange, path: &Path) -> bool {
    matches!(step, Directory(own, _) | Node(own, _) if own == path)
}

/// Makes a directory, a link or a pipe again.
fn again(path: &Path, mode: u32, target: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let permissions = mode & 0o7777;
    match mode & libc::S_IFMT {
        libc::S_IFDIR => std::fs::DirBuilder::new().mode(permissions).create(path),
        libc::S_IFLNK => std::os::unix::fs::symlink(target, path),
        libc::S_IFIFO => {
            let permissions = Mode::from_raw_mode(permissions);
            Ok(mknodat(CWD, path, FileType::Fifo, permissions, 0)?)
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Place {
            let path =
                std::env::temp_dir().join(format!("cccp-tree-{}-{name}", std::process::id()));
            let _ = std::fs::remove_dir_all(&path);
            std::fs::create_dir_all(&path).unwrap();
            Place(path)
        }

        fn at(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }

        fn make(&self, tree: &mut Tree, name: &str) {
            std::fs::create_dir(self.at(name)).unwrap();
            let which = known_node(&self.at(name)).unwrap().which;
            tree.apply(&Directory(self.at(name), Some(which)));
        }

        fn link(&self, tree: &mut Tree, target: &str, name: &str) {
            std::os::unix::fs::symlink(target, self.at(name)).unwrap();
            let which = known_node(&self.at(name)).unwrap().which;
            tree.apply(&Node(self.at(name), which));
        }

        fn remove(&self, tree: &mut Tree, name: &str) {
            let known = known_node(&self.at(name)).unwrap();
            match known.is_directory() {
                true => std::fs::remove_dir(self.at(name)).unwrap(),
                false => std::fs::remove_file(self.at(name)).unwrap(),
            }
            tree.apply(&Gone(self.at(name), known.mode, known.target));
        }

        fn rename(&self, tree: &mut Tree, from: &str, to: &str) {
            let which = known_node(&self.at(from)).unwrap().which;
            std::fs::rename(self.at(from), self.at(to)).unwrap();
            tree.apply(&Moved(self.at(from), self.at(to), which));
        }

        fn names(&self) -> Vec<String> {
            let entries = std::fs::read_dir(&self.0).unwrap();
            let mut names: Vec<String> = entries
                .map(|one| one.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn s35_directories_that_rotate_come_back_and_take_few_steps() {
        let place = Place::new("rotate");
        let mut before = Tree::default();
        for name in ["old", "new", "kept"] {
            place.make(&mut before, name);
        }
        std::fs::write(place.at("new/file"), "first").unwrap();
        place.link(&mut before, "new", "latest");
        let names = place.names();
        let mut tree = Tree::default();
        for step in 0..20 {
            let _ = std::fs::remove_file(place.at("old/file"));
            place.remove(&mut tree, "old");
            place.rename(&mut tree, "new", "old");
            place.make(&mut tree, "tmp");
            place.rename(&mut tree, "tmp", "new");
            place.remove(&mut tree, "latest");
            place.link(&mut tree, "new", "latest");
            if step == 0 {
                assert_eq!(tree.then(&place.at("old/file")), place.at("new/file"));
                assert_eq!(tree.now(&place.at("new/file")), place.at("old/file"));
                // What moves with a directory is not removed here.
                std::fs::rename(place.at("old/file"), place.at("kept/file")).unwrap();
            }
        }
        assert!(tree.steps.len() < 12, "{:?}", tree.steps);
        for _ in 0..2 {
            assert_eq!(tree.restore(false).unwrap(), Vec::<PathBuf>::new());
            assert_eq!(place.names(), names);
        }
    }

    #[test]
    fn s35_only_what_the_run_has_made_is_removed() {
        let place = Place::new("foreign");
        let mut tree = Tree::default();
        place.make(&mut tree, "made");
        place.make(&mut tree, "full");
        std::fs::write(place.at("full/foreign"), "").unwrap();
        place.link(&mut tree, "made", "link");
        std::fs::remove_file(place.at("link")).unwrap();
        std::fs::write(place.at("link"), "another one's").unwrap();
        assert_eq!(tree.restore(false).unwrap(), [place.at("full")]);
        assert_eq!(place.names(), ["full", "link"]);
    }
}
