//! How a command ended.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// The exit status of a run that cannot begin or resume, as cccp.h says.
pub const CANNOT_RESTART: i32 = 75;
/// The exit status of a run that was asked to end, and took a checkpoint before.
pub const CHECKPOINTED: i32 = 85;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this status.
    Status(i32),
    /// By this signal.
    Signal(i32),
}

/// Signals that come from outside; a program that fails by itself raises others.
const FROM_OUTSIDE: [(i32, &str); 7] = [
    (9, "SIGKILL"),
    (15, "SIGTERM"),
    (1, "SIGHUP"),
    (2, "SIGINT"),
    (3, "SIGQUIT"),
    (24, "SIGXCPU"),
    (30, "SIGPWR"),
];
const OF_ITS_OWN: [(i32, &str); 9] = [
    (4, "SIGILL"),
    (5, "SIGTRAP"),
    (6, "SIGABRT"),
    (7, "SIGBUS"),
    (8, "SIGFPE"),
    (11, "SIGSEGV"),
    (13, "SIGPIPE"),
    (25, "SIGXFSZ"),
    (31, "SIGSYS"),
];

impl Ending {
    /// What the system says. Shells and launchers say 128 + n of a process that signal n ended.
    pub fn of(status: ExitStatus) -> Ending {
        let code = status.code().unwrap_or(0);
        match status.signal() {
            Some(signal) => Ending::Signal(signal),
            None if (129..=128 + 64).contains(&code) => Ending::Signal(code - 128),
            None => Ending::Status(code),
        }
    }

    /// Whether something outside of the program ended it: a machine, a scheduler, a user.
    pub fn is_from_outside(self) -> bool {
        matches!(self, Ending::Signal(signal) if FROM_OUTSIDE.iter().any(|one| one.0 == signal))
    }

    /// The exit status of somebody who passes it on.
    pub fn code(self) -> u8 {
        let code = match self {
            Ending::Status(code) => code,
            Ending::Signal(signal) => 128 + signal,
        };
        u8::try_from(code).unwrap_or(1)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signal = match self {
            Ending::Status(code) => return write!(out, "exit status {code}"),
            Ending::Signal(signal) => signal,
        };
        let mut known = FROM_OUTSIDE.iter().chain(&OF_ITS_OWN);
        match known.find(|(number, _)| number == signal) {
            Some((_, name)) => write!(out, "{name}"),
            None => write!(out, "signal {signal}"),
        }
    }
}
