//! A run in a copy of the working directory.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Component, Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use cccp_ckpt::outcome::Failure;

use crate::child::{Ending, Signals, end_with_all, here};
use crate::output::{
    contents, copy, create_file, input_file, is_program, left_behind, move_to, remove, text_of,
};

/// Where all trials are.
pub struct Bench {
    command: Vec<OsString>,
    origin: PathBuf,
    root: PathBuf,
    /// A checkpoint at every n-th call, 0: none; unless somebody has said how often.
    pub every: Option<u64>,
    /// So many of each place until its calls double; none: all.
    pub spread: Option<u64>,
    /// How long a run may take.
    pub limit: Duration,
    count: u32,
    signals: Signals,
}

/// A copy of the working directory, and what belongs to it.
pub struct Trial {
    place: PathBuf,
    origin: PathBuf,
}

/// What is different in a run.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// Where it dies.
    pub kill: Option<String>,
    /// Variables.
    pub variables: Vec<(&'static str, String)>,
    /// The addresses are the same in every run.
    pub fixed: bool,
}

/// What a run left.
pub struct Seen {
    /// How it ended; none when it did not end in time.
    pub ending: Option<Ending>,
    /// Its standard output.
    pub output: Vec<u8>,
    /// Its standard error.
    pub errors: String,
    /// How long it took.
    pub took: Duration,
}

const POLL: Duration = Duration::from_millis(5);

/// A word of the command: a program that lies outside of the directory that is copied (`../build/heat`) is named from the root.
fn from_outside(word: &OsString, origin: &Path) -> OsString {
    let mut depth = 0;
    let mut is_outside = false;
    for part in Path::new(word).components() {
        depth += match part {
            Component::Normal(_) => 1,
            Component::ParentDir => -1,
            _ => 0,
        };
        is_outside |= depth < 0;
    }
    let named = origin.join(word);
    match is_outside && is_program(&named) {
        true => named.into(),
        false => word.clone(),
    }
}

/// The settings of glibc's allocator.
const TUNABLES: &str = "GLIBC_TUNABLES";

/// Memory from `malloc` holds zeros, as it mostly does when it is new: what a program saves without having set it is then the same in
/// every run.
const SAME_MEMORY: &str = "glibc.malloc.perturb=255:glibc.malloc.tcache_count=0";

impl Bench {
    /// For a command in the working directory.
    pub fn new(command: &[OsString], every: Option<u64>) -> Result<Bench, Failure> {
        let origin = std::env::current_dir();
        let origin =
            origin.map_err(|error| Failure::said(format!("working directory: {error}")))?;
        let root = std::env::temp_dir().join(format!("cccp-prove-{}", std::process::id()));
        let command = command.iter().map(|word| from_outside(word, &origin));
        Ok(Bench {
            command: command.collect(),
            origin,
            root,
            every,
            spread: None,
            limit: Duration::from_secs(24 * 3600),
            count: 0,
            signals: Signals::take()?,
        })
    }

    /// A directory that nobody else uses.
    pub fn scratch(&self) -> PathBuf {
        self.root.join("scratch")
    }

    /// What a user calls a file, as it is called in a copy; none when it is not below the working directory.
    pub fn name(&self, file: &Path) -> Option<PathBuf> {
        let below = match file.is_absolute() {
            true => file.strip_prefix(&self.origin).ok()?,
            false => file,
        };
        let parts = || below.components();
        let plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        let normal = parts().filter(|part| matches!(part, Component::Normal(_)));
        parts().all(plain).then(|| normal.collect())
    }

    /// A fresh copy.
    pub fn fresh(&mut self) -> Result<Trial, Failure> {
        self.count += 1;
        let place = self.root.join(self.count.to_string());
        let trial = Trial {
            place,
            origin: self.origin.clone(),
        };
        copy(&self.origin, &trial.directory(), &self.root)?;
        Ok(trial)
    }

    /// Runs the command in a copy. When somebody asks for the end meanwhile, nothing of it is left running.
    pub fn run(&mut self, trial: &Trial, conditions: &Conditions) -> Result<Seen, Failure> {
        let mut words: Vec<OsString> = Vec::new();
        if conditions.fixed {
            words.extend(["setarch", "-R"].map(OsString::from));
        }
        words.extend(self.command.iter().cloned());
        let [output, errors] = ["output", "errors"].map(|name| trial.place.join(name));
        let mut command = Command::new(&words[0]);
        command
            .args(&words[1..])
            .current_dir(trial.directory())
            .process_group(0)
            .stdin(input())
            .stdout(create_file(&output)?)
            .stderr(create_file(&errors)?)
            .env_remove("CCCP_KILL_AT")
            .env("CCCP_DIR", trial.checkpoints())
            .env("CCCP_FINAL", trial.last());
        if std::env::var_os(TUNABLES).is_none() {
            command.env(TUNABLES, SAME_MEMORY);
        }
        if let Some(every) = self.every {
            command.env("CCCP_EVERY", every.to_string());
        }
        if let Some(spread) = self.spread {
            command.env("CCCP_SPREAD", spread.to_string());
        }
        if let Some(kill) = &conditions.kill {
            command.env("CCCP_KILL_AT", kill);
        }
        command.envs(conditions.variables.iter().cloned());
        let begun = Instant::now();
        let started = command.spawn();
        let mut child = started
            .map_err(|error| Failure::said(format!("{}: {error}", words[0].to_string_lossy())))?;
        let ending = loop {
            if let Some(status) = ended(&mut child)? {
                break Some(Ending::of(status));
            }
            let asked = self.signals.asked();
            if asked.is_some() || begun.elapsed() > self.limit {
                end_with_all(&mut child, &here([&*trial.checkpoints()]));
            }
            if let Some(asked) = asked {
                return Err(Failure::said(format!(
                    "the proof was ended by {}, and the run that it tried with it",
                    Ending::Signal(asked.0)
                )));
            }
            if begun.elapsed() > self.limit {
                break None;
            }
            std::thread::sleep(POLL);
        };
        Ok(Seen {
            ending,
            output: contents(&output).unwrap_or_default(),
            errors: text_of(&errors),
            took: begun.elapsed(),
        })
    }
}

fn ended(child: &mut Child) -> Result<Option<ExitStatus>, Failure> {
    let ended = child.try_wait();
    ended.map_err(|error| Failure::said(format!("the command: {error}")))
}

/// The standard input of a run: that of this tool when it is a file, because each run needs all of it.
fn input() -> Stdio {
    input_file().map_or_else(Stdio::null, Stdio::from)
}

impl Drop for Bench {
    fn drop(&mut self) {
        remove(&self.root);
    }
}

impl Trial {
    fn directory(&self) -> PathBuf {
        self.place.join("directory")
    }

    /// Its checkpoints.
    pub fn checkpoints(&self) -> PathBuf {
        self.place.join("checkpoints")
    }

    /// Its values at the end.
    pub fn last(&self) -> PathBuf {
        self.place.join("final")
    }

    /// Whether several ranks have written them.
    pub fn has_ranks(&self) -> bool {
        self.checkpoints().join("lock.000001").exists()
    }

    /// The files that the runs in it have made or changed.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        left_behind(&self.directory(), &self.origin)
    }

    /// It goes elsewhere, with its checkpoints.
    pub fn moved(self) -> Result<Trial, Failure> {
        let place = self.place.with_extension("moved");
        move_to(&self.place, &place)?;
        Ok(Trial { place, ..self })
    }

    /// Nobody needs it any more.
    pub fn done(self) {
        remove(&self.place);
    }

    /// A path as the user knows it.
    pub fn shorter(&self, text: &str) -> String {
        let directory = format!("{}/", self.directory().display());
        text.replace(&directory, "")
    }
}
