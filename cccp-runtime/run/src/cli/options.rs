//! What the user may say.

use std::ffi::OsString;
use std::path::PathBuf;

use cccp_ckpt::compare::Tolerance;
use clap::{ArgGroup, Parser};
use clap_complete::Shell;

/// Starts a program again until it is done; says how far a run is; proves that a program restarts correctly
#[derive(Parser, Debug)]
#[command(
    name = "cccp-run",
    version,
    after_help = AFTER,
    arg_required_else_help = true,
    override_usage = USAGE,
    group = ArgGroup::new("task").args(["command", "slurm", "slurm_job", "status", "report", "completions", "man"]).required(true).multiple(true),
)]
pub struct Options {
    /// The command and its arguments, with its launcher: mpirun -n 4 ./prog
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,

    /// Where the checkpoints of the command are, when no setting says so and they are not in <program>.cccp here
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,

    /// How often the command is started again at most
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        help_heading = "Starting again"
    )]
    pub retries: u64,
    /// Seconds before it is started again; doubled, up to 64 times as long, while no try brings anything new
    #[arg(long, value_name = "S", default_value_t = 1.0, help_heading = "Starting again", value_parser = seconds)]
    pub backoff: f64,
    /// Starts, deaths, time lost and saved, as lines of JSON behind what the file holds
    #[arg(long, value_name = "FILE", help_heading = "Starting again")]
    pub log: Option<PathBuf>,

    /// Submit a batch script to Slurm, and let the job continue over time limits, preemptions and failures of nodes: what follows is
    /// what sbatch would be given
    #[arg(
        long,
        value_name = "[OPTIONS OF SBATCH] SCRIPT [ARGUMENTS]",
        num_args = 1..,
        allow_hyphen_values = true,
        help_heading = "Batch jobs"
    )]
    pub slurm: Vec<OsString>,
    /// Seconds before the end of its time, or before a preemption, at which Slurm tells the job; it may be 60 s earlier
    #[arg(long, value_name = "S", default_value_t = 60, help_heading = "Batch jobs", value_parser = clap::value_parser!(u64).range(1..=65_535))]
    pub margin: u64,
    /// Within a job: the script as it was submitted
    #[arg(long, value_name = "FILE", hide = true)]
    pub slurm_job: Option<PathBuf>,
    /// Within a job: the script has ordered a signal of its own
    #[arg(long, hide = true)]
    pub own_signal: bool,

    /// Say how far the run is whose checkpoints are in DIR
    #[arg(long, value_name = "DIR", help_heading = "Looking at runs")]
    pub status: Option<PathBuf>,
    /// Write a page about the run whose checkpoints are in DIR
    #[arg(long, value_name = "DIR", help_heading = "Looking at runs")]
    pub report: Option<PathBuf>,
    /// The file that the command's standard output is added to, in this and all later starts; with --report the page [default:
    /// <program>.html here]
    #[arg(short, long, value_name = "FILE", help_heading = "Looking at runs")]
    pub output: Option<PathBuf>,
    /// Replace a page that is there
    #[arg(long, help_heading = "Looking at runs")]
    pub force: bool,
    /// One JSON object instead of text, with --status and --prove
    #[arg(long, help_heading = "Looking at runs")]
    pub json: bool,

    /// Does the command restart correctly? Run it undisturbed, kill it after checkpoints, restart it and compare
    #[arg(long, help_heading = "Proving restarts")]
    pub prove: bool,
    /// After how many checkpoints it is killed, evenly apart, or `all`; where they stand at several places at least after the first, a
    /// middle and the last one of each (N < 3: N of each). Of more than 500 that a setting would take some are left out
    #[arg(long, value_name = "N", default_value = "3", help_heading = "Proving restarts", value_parser = sample)]
    pub sample: u64,
    /// After which checkpoints it is killed: 1,5,9
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        help_heading = "Proving restarts",
        conflicts_with = "sample"
    )]
    pub at: Vec<u64>,
    /// A file to compare; may be given several times [default: what two undisturbed runs leave alike]
    #[arg(long, value_name = "FILE", help_heading = "Proving restarts")]
    pub compare: Vec<PathBuf>,
    /// Floating-point numbers that are this near count as equal: relative to the larger one, or absolute
    #[arg(
        long,
        value_name = "REL[,ABS]",
        default_value = "0",
        help_heading = "Proving restarts"
    )]
    pub tolerance: Tolerance,

    /// Print the completions for a shell
    #[arg(long, value_name = "SHELL", help_heading = "Installing")]
    pub completions: Option<Shell>,
    /// Write the man page into a directory
    #[arg(long, value_name = "DIR", help_heading = "Installing")]
    pub man: Option<PathBuf>,
}

const USAGE: &str = "cccp-run [OPTIONS] [-o FILE] -- COMMAND...
       cccp-run [--margin S] --slurm [OPTIONS OF SBATCH] SCRIPT [ARGUMENTS]
       cccp-run --prove [--sample N|all | --at 1,5,9] [--compare FILE]... [--tolerance T] [--json] -- COMMAND...
       cccp-run --status DIR [--json]
       cccp-run --report DIR [-o FILE]";

const AFTER: &str = "Exit status: that of the command. 75: it cannot begin or resume; 85: it was asked to end, and left after a \
checkpoint; 128 + n: signal n ended it; 2: cccp-run could not do its work. With --prove: 0 proved; 1 different or refused; 2 it could not be tried.";

fn sample(text: &str) -> Result<u64, String> {
    match text.parse::<u64>() {
        _ if text == "all" => Ok(u64::MAX),
        Ok(number) if number > 0 => Ok(number),
        _ => Err("a number from 1, or `all`, is needed".to_string()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds from 0 to 86400 is needed".to_string()),
    }
}
