//! Where the checkpoints of a command are.
//!
//! In: the words of the command and the settings of the environment. Out: the directories. Each run adds its own to a file that
//! a variable names. Where it cannot, and no setting names the directory, it is named after the program, and which word of a
//! command is the program only its launcher knows: then it is the one below the working directory in which a run began after
//! the command was started.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use cccp::settings::{Settings, read};
use cccp::store::{Directory, FileSystem, Holder, Past, Store, history, holder, told};
use cccp_ckpt::outcome::Failure;

/// Where to look for the checkpoints of a command.
#[derive(Clone, Debug)]
pub struct Place {
    named: Option<PathBuf>,
    /// The file in which runs tell their directories.
    told: PathBuf,
}

/// The variable that names this file.
pub const DIRECTORIES: &str = "CCCP_DIRECTORIES";

/// How the name of a directory ends when no setting names it.
const ENDING: &str = ".cccp";

/// The settings that a command will have.
pub fn settings(command: &[OsString]) -> Result<Settings, Failure> {
    // The first word is a name, not a setting; so it is here.
    let words: Vec<Vec<u8>> = command.iter().cloned().map(OsString::into_vec).collect();
    let found = read(&words, std::env::vars_os(), &FileSystem);
    found
        .map(|found| found.settings)
        .map_err(|error| Failure::said(error.to_string()))
}

impl Place {
    /// Of a command, with what `--dir` says, and the file in which its runs tell their directories.
    pub fn of(command: &[OsString], named: Option<&Path>, told: &Path) -> Result<Place, Failure> {
        let named = match named {
            Some(named) => Some(named.to_path_buf()),
            None => settings(command)?.dir,
        };
        let told = told.to_path_buf();
        Ok(Place { named, told })
    }

    /// The directories in which runs began at this time or later, each with its last run; the one that began first comes first.
    pub fn all_since(&self, time: f64) -> Vec<(PathBuf, Past)> {
        let mut candidates = told(&self.told);
        match &self.named {
            Some(named) => candidates.push(named.clone()),
            // A program on another machine may not see the file.
            None if candidates.is_empty() => {
                let names = FileSystem.list(Path::new(".")).unwrap_or_default();
                let names = names.into_iter().filter(|name| name.ends_with(ENDING));
                candidates.extend(names.map(PathBuf::from));
            }
            None => {}
        }
        let last = |path: PathBuf| {
            let last = history(&path).pop()?;
            // The history has thousandths of seconds.
            (last.begun >= time - 0.001).then_some((path, last))
        };
        let mut found: Vec<(PathBuf, Past)> = candidates.into_iter().filter_map(last).collect();
        found.sort_by(|(_, one), (_, other)| one.begun.total_cmp(&other.begun));
        found
    }

    /// The directory in which a run began at this time or later, and its last run.
    pub fn since(&self, time: f64) -> Option<(PathBuf, Past)> {
        self.all_since(time).pop()
    }

    /// The file in which runs tell their directories.
    pub fn told(&self) -> &Path {
        &self.told
    }
}

/// The processes that have a directory now.
pub fn holders(path: &Path) -> Vec<Holder> {
    let directory = Directory::new(std::sync::Arc::new(FileSystem), path);
    let locks = directory.locks().unwrap_or_default();
    locks.iter().filter_map(|lock| holder(lock)).collect()
}
