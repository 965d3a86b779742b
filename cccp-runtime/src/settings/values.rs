//! The settings of a run.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use super::clock::CallClock;
use super::kill::KillAt;
use super::table::TABLE;
use crate::format::Encoding;

/// The settings of a run. The fields have the names that users write.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the checkpoints live; none for `<program>.cccp` in the working directory.
    pub dir: Option<PathBuf>,
    /// A checkpoint at every n-th call; 0 for never; none when the directive decides.
    pub every: Option<u64>,
    /// Of those, so many of a place until its calls double; 0 for all.
    pub spread: u64,
    /// What is due by time.
    pub interval: Interval,
    /// The share of the time that checkpoints by time may take.
    pub overhead: f64,
    /// Seconds between two failures; none when that is to be found out.
    pub mtbf: Option<f64>,
    /// Seconds that the run may take; none when the batch system says when the job ends, or nothing ends it.
    pub walltime: Option<f64>,
    /// What to do when that is nearly over.
    pub at_walltime: AtWalltime,
    /// Which signals ask for a checkpoint.
    pub signals: Signals,
    /// How many complete generations stay.
    pub keep: u32,
    /// How values are stored.
    pub encoding: Encoding,
    /// 0 for off, or a level from 1 to 9.
    pub compress: u32,
    /// Whether the program waits for the disk.
    pub write: Writing,
    /// What to do at the start.
    pub restart: Restart,
    /// What to do when the program was changed.
    pub changes: Changed,
    /// What to do where no checkpoint is taken with this number of ranks.
    pub ranks: Numbers,
    /// How many threads of OpenMP a restart has.
    pub threads: TeamSize,
    /// When threads of a parallel region wait at a checkpoint.
    pub protocol: Protocol,
    /// One line per checkpoint.
    pub verbose: bool,
    /// Three lines at the end of a run, not only after a restart.
    pub summary: bool,
    /// The setting `final`: where the values at the end go.
    pub last: Option<PathBuf>,
    /// Where what was found out about places is.
    pub profile: Option<PathBuf>,
    /// In a restart, memory that is not restored holds values that show.
    pub poison: bool,
    /// Values that may be pointers to what no checkpoint holds are looked at.
    pub suspects: bool,
    /// The most bytes of a file that was removed while it was open which a checkpoint keeps.
    pub removed_files: u64,
    /// Ranks that pass checkpoints unequally often are found out.
    pub moments: bool,
    /// `CCCP_KILL_AT`.
    pub kill_at: Option<KillAt>,
    /// `CCCP_CLOCK`: a clock that calls of checkpoints move.
    pub clock: Option<CallClock>,
    /// `CCCP_ATTEMPT`: which try this is, for the history.
    pub attempt: Option<u64>,
    /// `CCCP_DIRECTORIES`: a file to which a run adds the path of its directory, for whoever has started it.
    pub told: Option<PathBuf>,
    /// Which task of an array of batch jobs this is.
    pub task: Option<u64>,
    /// `--cccp-help` was asked for: print `help()` and leave.
    pub help: bool,
    pub(super) origins: BTreeMap<&'static str, Origin>,
}

/// What is due by time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Interval {
    /// As the cost of a checkpoint says.
    Auto,
    /// So many seconds after the last one.
    Seconds(f64),
    /// Nothing.
    Off,
}

/// What to do when the time of the job is nearly over and a checkpoint is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtWalltime {
    /// End the run.
    Exit,
    /// Let it go on.
    Continue,
}

/// Which signals ask for a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signals {
    /// None: all do what they do without the library.
    Off,
    /// SIGUSR1 and SIGTERM.
    On,
    /// These and SIGINT.
    Interrupt,
}

/// Whether the program waits for the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writing {
    /// A thread writes a copy.
    Background,
    /// The program waits; no copy is made.
    Synchronous,
}

/// What to do at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// From the newest valid checkpoint if there is one; stop when the program's arguments differ.
    Auto,
    /// The same, whatever the arguments.
    Force,
    /// From the beginning, beside the old checkpoints.
    Fresh,
}

/// What to do when the program was changed since the checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Stop, and say what is different.
    Refuse,
    /// Go on with what a restart can live with; stop at the rest.
    Accept,
    /// Stop also where the text alone says something else.
    Strict,
}

/// What to do where no checkpoint is taken with this number of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Say so, and go on.
    Warn,
    /// Stop.
    Stop,
}

/// When a thread of a parallel region waits for the others at a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// At once.
    Blocking,
    /// Before it changes what the checkpoint saves.
    Nonblocking,
}

/// How many threads of OpenMP a restart has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeamSize {
    /// As many as the run that wrote the checkpoint.
    Saved,
    /// As many as this start gives it.
    Given,
}

/// Where a setting came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody chose it.
    Default,
    /// A line of the configuration file.
    File {
        /// Its path.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// A variable of the environment.
    Environment(String),
    /// A word of the command line.
    CommandLine,
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => write!(out, "default"),
            Origin::File { path, line } => write!(out, "{}:{line}", path.display()),
            Origin::Environment(name) => write!(out, "{name}"),
            Origin::CommandLine => write!(out, "command line"),
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            dir: None,
            every: None,
            spread: 0,
            interval: Interval::Auto,
            overhead: 0.01,
            mtbf: None,
            walltime: None,
            at_walltime: AtWalltime::Exit,
            signals: Signals::On,
            keep: 2,
            encoding: Encoding::Xdr,
            compress: 0,
            write: Writing::Background,
            restart: Restart::Auto,
            changes: Changed::Refuse,
            ranks: Numbers::Warn,
            threads: TeamSize::Saved,
            protocol: Protocol::Blocking,
            verbose: false,
            summary: false,
            last: None,
            profile: None,
            poison: false,
            suspects: true,
            moments: true,
            removed_files: 1 << 30,
            kill_at: None,
            clock: None,
            attempt: None,
            told: None,
            task: None,
            help: false,
            origins: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// Where the checkpoints of a program live.
    pub fn directory(&self, program: &str) -> PathBuf {
        let named = || match self.task {
            Some(task) => PathBuf::from(format!("{program}.{task}.cccp")),
            None => PathBuf::from(format!("{program}.cccp")),
        };
        self.dir.clone().unwrap_or_else(named)
    }

    /// What is due by time: nothing where calls are set and nothing else is said.
    pub fn time_rule(&self) -> Interval {
        match self.every {
            Some(0) => Interval::Off,
            Some(_) if self.interval == Interval::Auto => Interval::Off,
            _ => self.interval,
        }
    }

    /// The defaults, but for these words of a command line without `--cccp-`.
    #[cfg(test)]
    pub fn of(words: &[&str]) -> Settings {
        let mut settings = Settings::default();
        for word in words {
            let (name, value) = word.split_once('=').unwrap();
            let setting = TABLE.iter().find(|setting| setting.name == name).unwrap();
            (setting.set)(&mut settings, value).unwrap();
        }
        settings
    }

    /// Where a setting came from.
    pub fn origin(&self, name: &str) -> Origin {
        self.origins.get(name).cloned().unwrap_or(Origin::Default)
    }

    /// The effective configuration, one line per setting, with where each came from.
    pub fn describe(&self, program: &str) -> String {
        let line =
            |name: &str, value: String| format!("{name} = {value} ({})\n", self.origin(name));
        TABLE
            .iter()
            .map(|setting| match setting.name {
                "dir" => line("dir", self.directory(program).display().to_string()),
                name => line(name, (setting.show)(self)),
            })
            .collect()
    }
}
