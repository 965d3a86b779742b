//! Names that are no files: directories, symbolic links and pipes that the program makes, removes and renames after a checkpoint.
//!
//! In: changes, in the order of time. Out: the name that a path had at the checkpoint, the one that it has now, and the names as they
//! were. Files, which have contents, are `undo`'s; directories that were renamed take them along.

use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::journal::{Change, Which};

/// What was done to a name.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// A directory was made.
    Directory(PathBuf, Option<Which>),
    /// A link or a pipe was made.
    Node(PathBuf, Which),
    /// It is gone: what it was, and where it led.
    Gone(PathBuf, u32, PathBuf),
    /// It has the second name now.
    Moved(PathBuf, PathBuf, Which),
}

impl Step {
    /// The name that it is about.
    fn path(&self) -> &Path {
        match self {
            Step::Directory(path, _) | Step::Node(path, _) | Step::Gone(path, ..) => path,
            Step::Moved(_, path, _) => path,
        }
    }

    /// The same below a name that has changed since.
    fn below(self, from: &Path, to: &Path) -> Step {
        let new = |path: PathBuf| carried(&path, from, to).unwrap_or(path);
        match self {
            Step::Directory(path, which) => Step::Directory(new(path), which),
            Step::Node(path, which) => Step::Node(new(path), which),
            Step::Gone(path, mode, target) => Step::Gone(new(path), mode, target),
            Step::Moved(..) => self,
        }
    }
}

/// What would have to be undone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tree {
    steps: Vec<Step>,
}

/// What a name that is no file stands for now: kind and permissions, which one, and where a link leads. None for a file, and for nothing.
pub fn known_node(path: &Path) -> Option<(u32, Which, PathBuf)> {
    let known = std::fs::symlink_metadata(path).ok()?;
    let target = match known.is_symlink() {
        true => std::fs::read_link(path).ok()?,
        false => PathBuf::new(),
    };
    (!known.is_file()).then(|| (known.mode(), (known.dev(), known.ino()), target))
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
    /// One more change, if it is one of a name that is no file.
    pub fn apply(&mut self, change: &Change) {
        match change {
            Change::Directory(path, which) => self.add(Step::Directory(path.clone(), *which)),
            Change::Node(path, which) => self.add(Step::Node(path.clone(), *which)),
            Change::Gone(path, mode, target) => self.gone(path, *mode, target),
            Change::Moved(from, to, which) => {
                (self.steps).push(Step::Moved(from.clone(), to.clone(), *which))
            }
            _ => {}
        }
    }

    fn add(&mut self, step: Step) {
        // A directory that was gone and is there again is as it was.
        let again = |one: &Step| match (one, &step) {
            (Step::Gone(own, mode, _), Step::Directory(path, _)) => {
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
            let Step::Moved(from, to, _) = step else {
                continue;
            };
            if *to == name {
                let (from, to) = (from.clone(), to.clone());
                let later = self.steps.split_off(at).into_iter().skip(1);
                let (own, others): (Vec<Step>, Vec<Step>) =
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
        let gone = Step::Gone(path.to_path_buf(), mode, target.to_path_buf());
        self.steps.push(gone);
    }

    fn latest(&self, fits: impl Fn(&Step) -> bool) -> Option<usize> {
        let steps = self.steps.iter().enumerate().rev();
        let mut steps = steps.take_while(|(_, step)| !matches!(step, Step::Moved(..)));
        steps.find(|(_, step)| fits(step)).map(|(at, _)| at)
    }

    /// What was renamed: from, to.
    pub fn moves(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.steps.iter().filter_map(|step| match step {
            Step::Moved(from, to, _) => Some((from.as_path(), to.as_path())),
            _ => None,
        })
    }

    /// The name that a path of now had at the checkpoint.
    pub fn then(&self, path: &Path) -> PathBuf {
        let steps = self.steps.iter().rev();
        steps.fold(path.to_path_buf(), |path, step| match step {
            Step::Moved(from, to, _) => carried(&path, to, from).unwrap_or(path),
            _ => path,
        })
    }

    /// The name that a path of the checkpoint has now.
    pub fn now(&self, path: &Path) -> PathBuf {
        let steps = self.steps.iter();
        steps.fold(path.to_path_buf(), |path, step| match step {
            Step::Moved(from, to, _) => carried(&path, from, to).unwrap_or(path),
            _ => path,
        })
    }

    /// The same as changes.
    pub fn changes(&self) -> Vec<Change> {
        let steps = self.steps.iter().cloned();
        let changes = steps.map(|step| match step {
            Step::Directory(path, which) => Change::Directory(path, which),
            Step::Node(path, which) => Change::Node(path, which),
            Step::Gone(path, mode, target) => Change::Gone(path, mode, target),
            Step::Moved(from, to, which) => Change::Moved(from, to, which),
        });
        changes.collect()
    }

    /// Undoes it, and may be called again when that was interrupted. `is_copy`: the directory of the run is one, and names stand for
    /// copies. Gives the directories that were not there and have something in them still, which may belong elsewhere.
    pub fn restore(&self, is_copy: bool) -> io::Result<Vec<PathBuf>> {
        let is_own = |path: &Path, which: &Which| {
            known_node(path).is_some_and(|(_, now, _)| is_copy || now == *which)
        };
        let mut left: Vec<PathBuf> = Vec::new();
        for step in self.steps.iter().rev() {
            match step {
                Step::Directory(path, which) => {
                    let is_other = which.is_some_and(|which| !is_own(path, &which));
                    if !is_other && std::fs::remove_dir(path).is_err() && path.is_dir() {
                        left.push(path.clone());
                    }
                }
                Step::Node(path, which) if is_own(path, which) => std::fs::remove_file(path)?,
                Step::Gone(path, mode, target) => match again(path, *mode, target) {
                    // It is there from the last time, or somebody has put it back.
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                    other => other?,
                },
                Step::Moved(from, to, which) if is_own(to, which) => {
                    // A directory takes the place of an empty one, a link that of any file.
                    if std::fs::symlink_metadata(from).is_ok_and(|one| !one.is_dir()) {
                        continue;
                    }
                    std::fs::rename(to, from)?;
                    for path in &mut left {
                        *path = carried(path, to, from).unwrap_or_else(|| path.clone());
                    }
                }
                Step::Node(..) | Step::Moved(..) => {}
            }
        }
        Ok(left)
    }
}

fn is_kind(mode: u32, kind: u32) -> bool {
    mode & libc::S_IFMT == kind
}

fn is_made(step: &Step, path: &Path) -> bool {
    matches!(step, Step::Directory(own, _) | Step::Node(own, _) if own == path)
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
            let which = known_node(&self.at(name)).unwrap().1;
            tree.apply(&Change::Directory(self.at(name), Some(which)));
        }

        fn link(&self, tree: &mut Tree, target: &str, name: &str) {
            std::os::unix::fs::symlink(target, self.at(name)).unwrap();
            let which = known_node(&self.at(name)).unwrap().1;
            tree.apply(&Change::Node(self.at(name), which));
        }

        fn remove(&self, tree: &mut Tree, name: &str) {
            let (mode, _, target) = known_node(&self.at(name)).unwrap();
            match is_kind(mode, libc::S_IFDIR) {
                true => std::fs::remove_dir(self.at(name)).unwrap(),
                false => std::fs::remove_file(self.at(name)).unwrap(),
            }
            tree.apply(&Change::Gone(self.at(name), mode, target));
        }

        fn rename(&self, tree: &mut Tree, from: &str, to: &str) {
            let which = known_node(&self.at(from)).unwrap().1;
            std::fs::rename(self.at(from), self.at(to)).unwrap();
            tree.apply(&Change::Moved(self.at(from), self.at(to), which));
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
