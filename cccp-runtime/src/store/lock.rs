//! Who has the directory: two runs in the same place would take each other's generations away.
//!
//! In: the directory, a rank. Out: the lock of that rank, or who has it. Each rank has a lock of its own, so the ranks
//! of a job never meet, and two jobs meet as soon as they share one rank in one place.
//!
//! The one idea: the lock says who may write, not who may live. Where it cannot be had for other reasons than another
//! run (no such operation on this storage, nothing can be written), the caller is told and the run goes on. A lock
//! whose file was removed, or whose process forked, is taken again before the next file is written; if another run has had
//! it since, it is lost for good, because generations of two runs must not be mixed.
//!
//! Not here: how the kernel is asked (`record_lock`), who it is (`holder`), what all ranks do about a refusal (`session`).

#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::error::StoreError;
use super::holder::Holder;
use super::operations::{Hold, Locking, Store};

/// The lock of a rank in a directory. Given back when it is dropped.
pub struct Lock {
    store: Arc<dyn Store>,
    path: PathBuf,
    inner: Mutex<Inner>,
}

struct Inner {
    state: State,
    /// What may stand in the file when the lock is taken again: nobody else has had it then.
    known: Vec<String>,
}

enum State {
    /// Nobody has asked, or it was not to be had.
    Free,
    Held(Box<dyn Hold>),
    /// The storage knows no locks; that has been said.
    Unknown,
    /// Somebody else had it in the meantime.
    Lost(Holder),
}

/// Why a lock was not to be had.
#[derive(Debug)]
pub enum Refusal {
    /// Another run has it.
    Taken(Holder),
    /// The storage knows no locks.
    Unknown(StoreError),
    /// Nothing can be written where its file should be.
    Unwritable(StoreError),
    /// It was lost (the directory was removed, say), and another run has had it since: what lies there is no longer ours,
    /// and files of both must not be mixed.
    Lost(Holder),
}

/// How long between two attempts while another process may be dying.
const PAUSE: Duration = Duration::from_millis(50);
/// How long people wait without wondering.
const WONDER: Duration = Duration::from_secs(1);
/// How often a directory that vanishes between two steps is made again.
const ATTEMPTS: u32 = 3;

impl Lock {
    pub(super) fn new(store: Arc<dyn Store>, path: PathBuf) -> Lock {
        Lock {
            store,
            path,
            inner: Mutex::new(Inner {
                state: State::Free,
                known: Vec::new(),
            }),
        }
    }

    /// Takes the lock unless it is ours already; waits so long for another run that has it, because that may be about
    /// to end. Does not wait at all when it is free.
    pub fn take(&self, patience: Duration) -> Result<(), Refusal> {
        self.wait(patience, &mut |_| {})
    }

    /// The same; when it takes long enough for people to wonder, `told` hears once why.
    pub fn wait(&self, patience: Duration, told: &mut dyn FnMut(&Refusal)) -> Result<(), Refusal> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = inner.settled() {
            return known;
        }
        let begun = Instant::now();
        let mut silent = true;
        loop {
            let words = Holder::this_process(&self.path).words();
            match self.attempt(&words) {
                Ok(Locking::Held(hold, _)) => {
                    inner.state = State::Held(hold);
                    inner.known.push(words);
                    return Ok(());
                }
                Ok(Locking::Taken(words)) => {
                    let refusal = Refusal::Taken(Holder::read(&self.path, &words));
                    if begun.elapsed() >= patience {
                        return Err(refusal);
                    }
                    if silent && begun.elapsed() >= WONDER {
                        silent = false;
                        told(&refusal);
                    }
                    sleep(PAUSE);
                }
                Ok(Locking::Unknown(error)) => return Err(self.unknown(&mut inner, error)),
                Err(error) => {
                    // Whoever had it before this run may still stand there when it can be taken.
                    inner
                        .known
                        .push(self.store.read(&self.path).unwrap_or_default());
                    return Err(self.unwritable(error));
                }
            }
        }
    }

    /// Makes sure, without waiting, that nobody else writes here now nor has since this run began. Storage without locks
    /// is no obstacle.
    pub fn keep(&self) -> Result<(), Refusal> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = inner.settled() {
            return known;
        }
        let words = Holder::this_process(&self.path).words();
        match self.attempt(&words) {
            Ok(Locking::Held(hold, before)) => {
                if before.is_empty() || inner.known.contains(&before) {
                    inner.state = State::Held(hold);
                    inner.known.push(words);
                    return Ok(());
                }
                let other = Holder::read(&self.path, &before);
                inner.state = State::Lost(other.clone());
                Err(Refusal::Lost(other))
            }
            Ok(Locking::Taken(words)) => Err(Refusal::Taken(Holder::read(&self.path, &words))),
            Ok(Locking::Unknown(error)) => {
                self.unknown(&mut inner, error);
                Ok(())
            }
            Err(error) => Err(self.unwritable(error)),
        }
    }

    fn unknown(&self, inner: &mut Inner, error: io::Error) -> Refusal {
        inner.state = State::Unknown;
        Refusal::Unknown(StoreError::system(&self.path, error))
    }

    fn unwritable(&self, error: io::Error) -> Refusal {
        Refusal::Unwritable(StoreError::system(&self.path, error))
    }

    fn attempt(&self, words: &str) -> io::Result<Locking> {
        let directory = self.path.parent().unwrap_or(Path::new("."));
        for _ in 0..ATTEMPTS {
            match self.store.lock(&self.path, words) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    self.store.create_directory(directory)?;
                }
                other => return other,
            }
        }
        self.store.lock(&self.path, words)
    }
}

impl Inner {
    /// What need not be asked again. A lock that is not ours any more is given back before it is taken again: closing an
    /// old file of the same name would lose the new lock.
    fn settled(&mut self) -> Option<Result<(), Refusal>> {
        match &self.state {
            State::Unknown => return Some(Ok(())),
            State::Held(hold) if hold.is_ours() => return Some(Ok(())),
            State::Lost(other) => return Some(Err(Refusal::Lost(other.clone()))),
            _ => {}
        }
        self.state = State::Free;
        None
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Taken(holder) => {
                let directory = holder.path.parent().unwrap_or(&holder.path);
                write!(out, "{} is in use by {holder}", directory.display())
            }
            Refusal::Lost(holder) => {
                let directory = holder.path.parent().unwrap_or(&holder.path);
                write!(
                    out,
                    "{} was lost to {holder}, so this run writes no more checkpoints there",
                    directory.display()
                )
            }
            Refusal::Unknown(error) => write!(out, "{error}"),
            Refusal::Unwritable(error) => write!(out, "{error}"),
        }
    }
}

impl std::error::Error for Refusal {}
