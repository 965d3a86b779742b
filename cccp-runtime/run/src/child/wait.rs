//! Starting a command, and waiting for its end while signals come.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use cccp_ckpt::outcome::Failure;
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::WithOrigin;

use super::ending::Ending;
use crate::place::holders;

/// The time, in seconds since 1970.
pub fn now() -> f64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0.0, |since| since.as_secs_f64())
}

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
        if [SIGINT, SIGTERM, SIGHUP].contains(&signal) {
            self.asked = Some(Asked(signal));
        }
    }

    /// Waits for the end of a command. `place` knows where its checkpoints are, when it has any.
    pub fn wait(
        &mut self,
        child: &mut Child,
        place: &dyn Fn(f64) -> Option<PathBuf>,
    ) -> Result<Ending, Failure> {
        loop {
            let ended = child.process.try_wait();
            let ended = ended.map_err(|error| Failure::said(format!("the command: {error}")))?;
            if let Some(status) = ended {
                return Ok(Ending::of(status));
            }
            let come: Vec<_> = self.come.wait().collect();
            for one in come {
                let is_second = self.asked.is_some();
                self.note(one.signal);
                // The terminal has sent it to all of them.
                let is_ours_alone = one.process.is_some();
                if one.signal != SIGCHLD && is_ours_alone {
                    let place = place(child.begun).filter(|_| !is_second);
                    child.pass(one.signal, place);
                }
            }
        }
    }
}

impl Child {
    /// Starts a command with these variables beside the environment.
    pub fn start(command: &[OsString], variables: &[(&str, String)]) -> Result<Child, Failure> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(Failure::said("there is no command to run"));
        };
        let begun = now();
        let mut start = Command::new(program);
        start.args(arguments).envs(variables.iter().cloned());
        let process = start
            .spawn()
            .map_err(|error| Failure::said(format!("{}: {error}", program.to_string_lossy())))?;
        Ok(Child { process, begun })
    }

    /// Hands on a signal.
    fn pass(&self, signal: i32, place: Option<PathBuf>) {
        let names = rustix::system::uname();
        let host = names.nodename().to_string_lossy();
        let have = place.map_or(Vec::new(), |path| holders(&path));
        let here = have
            .iter()
            .filter(|one| one.host.as_deref() == Some(&*host))
            .filter_map(|one| Pid::from_raw(one.process?.cast_signed()));
        let mut to: Vec<Pid> = here.collect();
        if to.is_empty() {
            to.extend(Pid::from_raw(self.process.id().cast_signed()));
        }
        let Some(signal) = Signal::from_named_raw(signal) else {
            return;
        };
        for process in to {
            // One that has just ended needs no signal.
            let _ = kill_process(process, signal);
        }
    }
}
