//! Starting a command, and waiting for its end while signals come.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use cccp::store::Past;
use cccp_ckpt::outcome::Failure;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGKILL, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::WithOrigin;

use super::ending::Ending;
use crate::place::holders;

/// The time, in seconds since 1970.
pub fn now() -> f64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0.0, |since| since.as_secs_f64())
}

/// The signals that ask for the end.
const ENDS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// The signals that come to this process.
pub struct Signals {
    come: SignalsInfo<WithOrigin>,
    /// The one that asked for the end.
    asked: Option<Asked>,
}

/// Somebody asked for the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked(pub i32);

/// A command that runs.
pub struct Child {
    process: std::process::Child,
    /// When it was started.
    pub begun: f64,
}

impl Signals {
    /// From now on they are taken, not obeyed.
    pub fn take() -> Result<Signals, Failure> {
        let come = SignalsInfo::new([SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2]);
        let come = come.map_err(|error| Failure::said(format!("signals: {error}")))?;
        Ok(Signals { come, asked: None })
    }

    /// Whether somebody has asked for the end so far.
    pub fn asked(&mut self) -> Option<Asked> {
        let come: Vec<_> = self.come.pending().collect();
        for one in come {
            self.note(one.signal);
        }
        self.asked
    }

    fn note(&mut self, signal: i32) {
        if ENDS.contains(&signal) {
            self.asked = Some(Asked(signal));
        }
    }

    /// Waits for the end of a command, and passes on what comes. `runs` are those since a time, of which each has its directory.
    pub fn wait(
        &mut self,
        child: &mut Child,
        runs: &dyn Fn(f64) -> Vec<(PathBuf, Past)>,
    ) -> Result<Ending, Failure> {
        let mut was_asked = self.asked.is_some();
        self.wait_for(child, &mut |child, signal| {
            let to = if was_asked {
                Vec::new()
            } else {
                let runs = runs(child.begun);
                here(runs.iter().map(|(path, _)| &**path))
            };
            was_asked |= ENDS.contains(&signal);
            if to.is_empty() {
                child.send(signal);
            } else {
                send(&to, signal);
            }
        })
    }

    /// Waits for the end of a command. What somebody else than the terminal sends, which has sent it to all, is handed over.
    pub fn wait_for(
        &mut self,
        child: &mut Child,
        comes: &mut dyn FnMut(&Child, i32),
    ) -> Result<Ending, Failure> {
        loop {
            let ended = child.process.try_wait();
            let ended = ended.map_err(|error| Failure::said(format!("the command: {error}")))?;
            if let Some(status) = ended {
                return Ok(Ending::of(status));
            }
            let come: Vec<_> = self.come.wait().collect();
            for one in come {
                self.note(one.signal);
                if one.signal != SIGCHLD && one.process.is_some() {
                    comes(child, one.signal);
                }
            }
        }
    }
}

/// The processes on this machine that have these directories of checkpoints.
pub fn here<'a>(directories: impl IntoIterator<Item = &'a Path>) -> Vec<Pid> {
    let names = rustix::system::uname();
    let host = names.nodename().to_string_lossy();
    let have = directories.into_iter().flat_map(holders);
    let here = have.filter(|one| one.host.as_deref() == Some(&*host));
    let mut all: Vec<Pid> = here
        .filter_map(|one| Pid::from_raw(one.process?.cast_signed()))
        .collect();
    all.sort_unstable_by_key(|one| one.as_raw_nonzero());
    all.dedup();
    all
}

/// Sends a signal. A process that has just ended needs none.
pub fn send(to: &[Pid], signal: i32) {
    if let Some(signal) = Signal::from_named_raw(signal) {
        for process in to {
            let _ = kill_process(*process, signal);
        }
    }
}

/// A launcher that is asked to end has so long for its ranks.
const GRACE: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(5);

/// Ends a command that has a process group of its own: at once `members`, which would go on to their next checkpoint when they are
/// asked; a launcher is asked, since its ranks may be in other groups; what is left in the group does not outlive it.
pub fn end_with_all(command: &mut std::process::Child, members: &[Pid]) {
    send(members, SIGKILL);
    let process = Pid::from_raw(command.id().cast_signed());
    send(process.as_slice(), SIGTERM);
    let asked = Instant::now();
    while asked.elapsed() < GRACE && matches!(command.try_wait(), Ok(None)) {
        std::thread::sleep(POLL);
    }
    if let Some(group) = process {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = command.wait();
}

impl Child {
    /// Starts a command with these variables beside the environment, and with this as its standard output.
    pub fn start(
        command: &[OsString],
        variables: &[(&str, OsString)],
        output: Option<Stdio>,
    ) -> Result<Child, Failure> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(Failure::said("there is no command to run"));
        };
        let begun = now();
        let mut start = Command::new(program);
        start.args(arguments).envs(variables.iter().cloned());
        if let Some(output) = output {
            start.stdout(output);
        }
        let process = start
            .spawn()
            .map_err(|error| Failure::said(format!("{}: {error}", program.to_string_lossy())))?;
        Ok(Child { process, begun })
    }

    /// Hands on a signal to the command itself.
    pub fn send(&self, signal: i32) {
        let process = Pid::from_raw(self.process.id().cast_signed());
        send(process.as_slice(), signal);
    }
}
