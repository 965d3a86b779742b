//! What came out, as data.

use serde::Serialize;

use super::places::Place;

/// All of it.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// What it comes to.
    pub verdict: Verdict,
    /// In words, when it is not proved.
    pub reason: Option<String>,
    /// What two undisturbed runs did not have in common.
    pub unrepeatable: Vec<Difference>,
    /// Checkpoints of an undisturbed run.
    pub checkpoints: u64,
    /// One is taken at every n-th call; none when a setting says how often.
    pub every: Option<u64>,
    /// So many of each place until its calls double; none when all are taken.
    pub spread: Option<u64>,
    /// So many a setting would take; none when no more than are taken.
    pub of_setting: Option<u64>,
    /// All stand at one place; otherwise they come at other moments after a restart, and what registers hold there is not compared.
    pub at_one_place: bool,
    /// Where checkpoints stand, and which were tried there.
    pub places: Vec<Place>,
    /// What was compared: files, beside the standard output and the exit status.
    pub files: Vec<String>,
    /// Registers whose final values were compared.
    pub registers: u64,
    /// Files and registers that two undisturbed runs do not have in common: they are not compared.
    pub not_compared: Vec<String>,
    /// Restart by restart.
    pub trials: Vec<Tried>,
    /// Why it may be different.
    pub likely: Vec<String>,
}

/// What it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every restart ended like the undisturbed run.
    Proved,
    /// Some did not.
    Different,
    /// None ended differently, and some stopped at their start: there is no restart from those checkpoints.
    Refused,
    /// It could not be tried.
    Untried,
}

/// A restart.
#[derive(Debug, Serialize)]
pub struct Tried {
    /// After which checkpoint of the run it was killed.
    pub checkpoint: u64,
    /// What was special.
    pub with: &'static str,
    /// Whether it ended like the undisturbed run; none when it could not be tried, or was refused.
    pub same: Option<bool>,
    /// It stopped at its start, with the same number of threads.
    pub refused: bool,
    /// Why it could not, or did not even end.
    pub reason: Option<String>,
    /// The first ones.
    pub differences: Vec<Difference>,
    /// Those that show at the next checkpoint after the restart already.
    pub at_next_checkpoint: Vec<Difference>,
}

/// Something that is not the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The standard output, a file, the exit status, or a register with its index.
    pub what: String,
    /// The register alone; empty for anything else.
    #[serde(skip)]
    pub register: String,
    /// Where: a line of a text, the place of the register.
    pub place: Option<String>,
    /// In the undisturbed run.
    pub expected: String,
    /// In the other one.
    pub found: String,
    /// How much of it is different, when that is known.
    pub extent: Option<String>,
}
