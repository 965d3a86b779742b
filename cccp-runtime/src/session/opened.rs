//! What the program opens, makes, renames and removes, as the library sees it.
//!
//! In: the calls of the program, from any thread, before `init` too, where there is no session. Out: how each is to be
//! done. Before `init` nothing is changed where a restart may follow (`store::Early`); what a restart makes of that is
//! decided with all ranks.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::format::OpenFile;
use crate::memory::{Program, become_file, duplicate, without_signals};
use crate::restore::Stop;
use crate::settings::{Restart, Settings};
use crate::store::{Directory, Early, EarlyFile, FileSystem};

/// How far the run is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Before `init`.
    Before,
    /// `init` has come to a decision.
    Begun,
}

/// What is known of the program's files.
pub struct Opened {
    /// How far the run is.
    pub phase: Phase,
    /// Those from before `init`.
    pub early: Early,
    /// Where checkpoints were looked for before `init`, and whether a restart may follow.
    looked: Option<(PathBuf, bool)>,
}

static OPENED: Mutex<Option<Opened>> = Mutex::new(None);

/// Lets `work` use it. No handler of a signal of the program comes in between, which may open files, too.
pub fn with<T>(work: impl FnOnce(&mut Opened) -> T) -> T {
    without_signals(|| {
        let mut guard = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
        work(guard.get_or_insert_with(|| Opened {
            phase: Phase::Before,
            early: Early::default(),
            looked: None,
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

/// `init` is over.
pub(super) fn begun() {
    with(|opened| {
        opened.phase = Phase::Begun;
        opened.early.forget();
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

/// The file from before `init` that a checkpoint speaks of.
pub(super) fn take(kept: &OpenFile, path: &Path) -> Option<EarlyFile> {
    let number = i32::try_from(kept.number).ok();
    with(|opened| {
        opened.early.take(kept.early, path, &|one| {
            (one.stream != 0) == kept.stream && (kept.stream || Some(one.number) == number)
        })
    })
}

/// It has become the file of the checkpoint.
pub(super) fn became(number: i32, file: &OwnedFd) {
    with(|opened| opened.early.became(number, file));
}
