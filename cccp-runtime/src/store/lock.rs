//! Who has the directory: two runs in the same place would take each other's generations away.
//!
//! In: the directory, a rank. Out: the lock of that rank, or who has it. Each rank has a lock of its own, so the ranks
//! of a job never meet, and two jobs meet as soon as they share one rank in one place.
//!
//! The one idea: the lock says who may write, not who may live. Where it cannot be had for other reasons than another
//! run (no such operation on this storage, nothing can be written), the caller is told and the run goes on. A lock
//! whose file was removed, or whose process forked, is taken again before the next file is written.
//!
//! Not here: how the kernel is asked (`record_lock`), what all ranks do about a refusal (`session`).

#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::error::StoreError;
use super::operations::{Hold, Locking, Store};
use super::record_lock;
use crate::format::date;

/// The lock of a rank in a directory. Given back when it is dropped.
pub struct Lock {
    store: Arc<dyn Store>,
    path: PathBuf,
    state: Mutex<State>,
}

enum State {
    /// Nobody has asked, or it was not to be had.
    Free,
    Held(Box<dyn Hold>),
    /// The storage knows no locks; that has been said.
    Unknown,
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
}

/// Who has a lock, in its own words. What it did not say is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holder {
    /// The file of the lock.
    pub path: PathBuf,
    /// The name of the machine.
    pub host: Option<String>,
    /// The number of the process there.
    pub process: Option<u32>,
    /// Since when, in seconds since 1970.
    pub since: Option<u64>,
    /// Its command line.
    pub command: Option<String>,
}

/// How long between two attempts while another process may be dying.
const PAUSE: Duration = Duration::from_millis(50);
/// How long people wait without wondering.
const WONDER: Duration = Duration::from_secs(1);
/// How often a directory that vanishes between two steps is made again.
const ATTEMPTS: u32 = 3;
/// The longest command line that is told to others, in characters.
const LONGEST: usize = 300;

impl Lock {
    pub(super) fn new(store: Arc<dyn Store>, path: PathBuf) -> Lock {
        Lock {
            store,
            path,
            state: Mutex::new(State::Free),
        }
    }

    /// Takes the lock unless it is ours already; waits so long for another run that has it, because that may be about
    /// to end. Does not wait at all when it is free.
    pub fn take(&self, patience: Duration) -> Result<(), Refusal> {
        self.wait(patience, &mut |_| {})
    }

    /// The same; when it takes long enough for people to wonder, `told` hears once why.
    pub fn wait(&self, patience: Duration, told: &mut dyn FnMut(&Refusal)) -> Result<(), Refusal> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &*state {
            State::Unknown => return Ok(()),
            State::Held(hold) if hold.is_ours() => return Ok(()),
            _ => {}
        }
        // Given back before it is taken again: closing an old file of the same name would lose the new lock.
        *state = State::Free;
        let begun = Instant::now();
        let mut silent = true;
        loop {
            let attempt = self
                .attempt()
                .map_err(|error| Refusal::Unwritable(StoreError::system(&self.path, error)))?;
            match attempt {
                Locking::Held(hold) => {
                    *state = State::Held(hold);
                    return Ok(());
                }
                Locking::Unknown(error) => {
                    *state = State::Unknown;
                    return Err(Refusal::Unknown(StoreError::system(&self.path, error)));
                }
                Locking::Taken(words) => {
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
            }
        }
    }

    /// Makes sure, without waiting, that nobody else writes here now. Storage without locks is no obstacle.
    pub fn keep(&self) -> Result<(), Refusal> {
        match self.take(Duration::ZERO) {
            Err(Refusal::Unknown(_)) => Ok(()),
            other => other,
        }
    }

    fn attempt(&self) -> io::Result<Locking> {
        let words = Holder::this_process(&self.path).words();
        let directory = self.path.parent().unwrap_or(Path::new("."));
        for _ in 0..ATTEMPTS {
            match self.store.lock(&self.path, &words) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    self.store.create_directory(directory)?;
                }
                other => return other,
            }
        }
        self.store.lock(&self.path, &words)
    }
}

/// Who has the lock that a file of the real disk stands for, without taking it. None when nobody has, or nobody can
/// know.
pub fn holder(path: &Path) -> Option<Holder> {
    let words = record_lock::held(path).ok().flatten()?;
    Some(Holder::read(path, &words))
}

impl Holder {
    fn this_process(path: &Path) -> Holder {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let words: Vec<String> = std::env::args_os()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        Holder {
            path: path.to_path_buf(),
            host: Some(
                rustix::system::uname()
                    .nodename()
                    .to_string_lossy()
                    .into_owned(),
            ),
            process: Some(process::id()),
            since: now.ok().map(|since| since.as_secs()),
            command: Some(words.join(" ")).filter(|command| !command.is_empty()),
        }
    }

    /// The text in the file of a lock.
    fn words(&self) -> String {
        let mut text = "cccp lock 1\n".to_string();
        let mut line = |name: &str, value: Option<String>| {
            let value = value.unwrap_or_default();
            let plain = value.chars().take(LONGEST);
            let plain: String = plain
                .map(|one| if one.is_control() { ' ' } else { one })
                .collect();
            text.push_str(&format!("{name} {plain}\n"));
        };
        line("host", self.host.clone());
        line("process", self.process.map(|number| number.to_string()));
        line("since", self.since.map(|moment| moment.to_string()));
        line("command", self.command.clone());
        text
    }

    /// What such a text says, as far as it is one.
    fn read(path: &Path, words: &str) -> Holder {
        let value = |name: &str| {
            let mut lines = words.lines();
            let line = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            line.filter(|value| !value.is_empty())
        };
        Holder {
            path: path.to_path_buf(),
            host: value("host").map(str::to_string),
            process: value("process").and_then(|number| number.parse().ok()),
            since: value("since").and_then(|moment| moment.parse().ok()),
            command: value("command").map(str::to_string),
        }
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.process {
            Some(process) => write!(out, "process {process}")?,
            None => write!(out, "a process that does not say which one")?,
        }
        if let Some(host) = &self.host {
            write!(out, " on {host}")?;
        }
        if let Some(since) = self.since {
            write!(out, " since {}", date(since))?;
        }
        match &self.command {
            Some(command) => write!(out, " (`{command}`)"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Taken(holder) => {
                let directory = holder.path.parent().unwrap_or(&holder.path);
                write!(out, "{} is in use by {holder}", directory.display())
            }
            Refusal::Unknown(error) => write!(out, "{error}"),
            Refusal::Unwritable(error) => write!(out, "{error}"),
        }
    }
}

impl std::error::Error for Refusal {}
