//! Who has a lock, for people: the text in its file.
//!
//! In: this process, or the text that another one left. Out: the text, or a sentence about that other one. Whatever
//! is missing in it is left out; nobody is kept out by a text.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

use super::record_lock;
use crate::format::date;

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

/// The longest command line that is told to others, in characters.
const LONGEST: usize = 300;

/// Who has the lock that a file of the real disk stands for, without taking it. None when nobody has, or nobody can
/// know.
pub fn holder(path: &Path) -> Option<Holder> {
    let words = record_lock::held(path).ok().flatten()?;
    Some(Holder::read(path, &words))
}

/// The name of this machine.
pub(super) fn host_name() -> String {
    let names = rustix::system::uname();
    names.nodename().to_string_lossy().into_owned()
}

impl Holder {
    /// This process, now.
    pub(super) fn this_process(path: &Path) -> Holder {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let words: Vec<String> = std::env::args_os()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        Holder {
            path: path.to_path_buf(),
            host: Some(host_name()),
            process: Some(process::id()),
            since: now.ok().map(|since| since.as_secs()),
            command: Some(words.join(" ")).filter(|command| !command.is_empty()),
        }
    }

    /// The text in the file of a lock.
    pub(super) fn words(&self) -> String {
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
    pub(super) fn read(path: &Path, words: &str) -> Holder {
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
