//! Directories of trials: made as copies, looked at, removed.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use cccp_ckpt::outcome::Failure;

/// A directory with more bytes is not copied.
const MOST: u64 = 4 << 30;

fn failed(path: &Path) -> impl Fn(io::Error) -> Failure {
    move |error| Failure::said(format!("{}: {error}", path.display()))
}

/// Copies a directory without checkpoints, and without the directory `except`. Links stay links.
pub fn copy(from: &Path, to: &Path, except: &Path) -> Result<(), Failure> {
    let mut room = MOST;
    copy_within(from, to, except, &mut room)
}

fn copy_within(from: &Path, to: &Path, except: &Path, room: &mut u64) -> Result<(), Failure> {
    fs::create_dir_all(to).map_err(failed(to))?;
    for entry in fs::read_dir(from).map_err(failed(from))? {
        let entry = entry.map_err(failed(from))?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let known = entry.metadata().map_err(failed(&path))?;
        let is_ours = path.extension().is_some_and(|end| end == "cccp");
        if path == except || is_ours {
            continue;
        }
        if known.is_dir() {
            copy_within(&path, &target, except, room)?;
        } else if known.is_symlink() {
            let leads = fs::read_link(&path).map_err(failed(&path))?;
            std::os::unix::fs::symlink(leads, &target).map_err(failed(&target))?;
        } else if known.is_file() {
            *room = room.checked_sub(known.len()).ok_or_else(|| {
                Failure::said(
                    "the working directory holds more than 4 GiB, and every run of a proof gets a copy of it: start it in a \
                     directory with nothing but the program and its input",
                )
            })?;
            fs::copy(&path, &target).map_err(failed(&path))?;
        }
    }
    Ok(())
}

/// The files below a directory by their paths in it, without links.
fn all(directory: &Path) -> Vec<PathBuf> {
    let (mut found, mut due) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(below) = due.pop() {
        let entries = fs::read_dir(directory.join(&below)).into_iter().flatten();
        for entry in entries.flatten() {
            let name = below.join(entry.file_name());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => due.push(name),
                Ok(kind) if kind.is_file() => found.push(name),
                _ => {}
            }
        }
    }
    found
}

/// The files that a run made or changed in a copy of `origin`, with their contents.
pub fn left_behind(directory: &Path, origin: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = all(directory).into_iter().filter_map(|name| {
        let bytes = fs::read(directory.join(&name)).ok()?;
        let is_new = fs::read(origin.join(&name)).ok().as_ref() != Some(&bytes);
        is_new.then_some((name, bytes))
    });
    files.collect()
}

/// The bytes of a file; none when it is not there.
pub fn contents(path: &Path) -> Option<Vec<u8>> {
    fs::read(path).ok()
}

/// Whether a file can be started.
pub fn is_program(path: &Path) -> bool {
    let known = path.metadata();
    known.is_ok_and(|known| known.is_file() && known.permissions().mode() & 0o111 != 0)
}

/// The text of a file, as far as it is one.
pub fn text_of(path: &Path) -> String {
    String::from_utf8_lossy(&contents(path).unwrap_or_default()).into_owned()
}

/// A new file to write to.
pub fn create_file(path: &Path) -> Result<File, Failure> {
    File::create(path).map_err(failed(path))
}

/// The standard input of this process from its beginning, when it is a file.
pub fn input_file() -> Option<File> {
    const INPUT: &str = "/proc/self/fd/0";
    let is_file = fs::metadata(INPUT).is_ok_and(|known| known.is_file());
    is_file.then(|| File::open(INPUT).ok()).flatten()
}

/// Gives a directory another name.
pub fn move_to(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::rename(from, to).map_err(failed(from))
}

/// Removes a directory of our own. What stays does no harm.
pub fn remove(directory: &Path) {
    let _ = fs::remove_dir_all(directory);
}

/// A directory of our own below that for temporary files, which is removed at the end.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// A fresh one, readable for nobody else.
    pub fn new(name: &str) -> Result<Scratch, Failure> {
        let mut count = 0u32;
        loop {
            let process = std::process::id();
            let path = std::env::temp_dir().join(format!("cccp-{name}-{process}-{count}"));
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Scratch(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && count < 1000 => {
                    count += 1;
                }
                Err(error) => return Err(failed(&path)(error)),
            }
        }
    }

    /// A file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// Writes a file, and says where that failed.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes).map_err(failed(path))
}

/// Removes a file of our own, if it is there.
pub fn remove_file(path: &Path) {
    let _ = fs::remove_file(path);
}

/// The bytes of a file that has to be there.
pub fn bytes_of(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(failed(path))
}
