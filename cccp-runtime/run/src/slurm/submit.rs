//! Submitting a batch script.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

use cccp_ckpt::outcome::Failure;

use super::command::{Words, has, words};
use super::wrap::{interpreter, quoted, says, wrapped};
use crate::output::{Scratch, bytes_of, say, write_file};

/// What is to be submitted.
#[derive(Debug)]
pub struct Options<'a> {
    /// What `sbatch` would be given: options, script, arguments.
    pub words: &'a [OsString],
    /// Seconds before the end of a time limit at which Slurm signals the job.
    pub margin: u64,
    /// How often the job is queued again at most.
    pub retries: u64,
    /// Where the log goes.
    pub log: Option<&'a Path>,
}

/// Submits it; the exit status is that of `sbatch`.
pub fn run(options: &Options) -> Result<ExitCode, Failure> {
    let all = options.words;
    if has(all, "wrap") {
        return Err(Failure::said(
            "--wrap has no script; write one, or put `cccp-run --` in front of the command and submit that",
        ));
    }
    // sbatch alone knows what to say to these.
    if ["help", "usage", "version"].iter().any(|one| has(all, one)) {
        return call(all.to_vec());
    }
    let Words {
        options: given,
        script,
        arguments,
    } = words(all).ok_or_else(|| {
        Failure::said(
            "a batch script is needed: cccp-run --slurm [OPTIONS OF SBATCH] SCRIPT [ARGUMENTS]",
        )
    })?;
    if has(&given, "no-requeue") {
        return Err(Failure::said(
            "--no-requeue: a job that must not be queued again cannot continue after its time limit; leave it out, or use sbatch",
        ));
    }
    let path = Path::new(&script);
    let text = bytes_of(path)?;
    if interpreter(&text).is_none() {
        return Err(Failure::said(format!(
            "{}: the first line of a batch script names its interpreter, as in #!/bin/bash",
            path.display()
        )));
    }
    // The name of the file becomes the name of the job.
    let scratch = Scratch::new("slurm")?;
    let name = path.file_name().unwrap_or_default();
    let whole = scratch.path(&name.to_string_lossy());
    let has_signal = has(&given, "signal") || says(&text, "signal");
    write_file(&whole, &wrapped(&text, &tool(options, has_signal)?))?;
    let mut words: Vec<OsString> = ["--requeue", "--open-mode=append"]
        .map(OsString::from)
        .to_vec();
    if !has_signal {
        words.push(format!("--signal=B:USR1@{}", options.margin).into());
    }
    words.extend(given);
    words.push(whole.into());
    words.extend(arguments);
    call(words)
}

/// What the batch script runs first: this program, wherever it is installed.
fn tool(options: &Options, has_signal: bool) -> Result<String, Failure> {
    let own = std::env::current_exe();
    let own = own.map_err(|error| Failure::said(format!("the path of cccp-run: {error}")))?;
    let mut words = vec![quoted(&own.to_string_lossy())];
    words.push(format!("--retries {}", options.retries));
    words.push(format!("--margin {}", options.margin));
    if let Some(log) = options.log {
        let log = std::path::absolute(log).unwrap_or_else(|_| log.to_path_buf());
        words.push(format!("--log {}", quoted(&log.to_string_lossy())));
    }
    if has_signal {
        words.push("--own-signal".to_string());
    }
    words.push("--slurm-job".to_string());
    Ok(words.join(" "))
}

fn call(words: Vec<OsString>) -> Result<ExitCode, Failure> {
    let ended = Command::new("sbatch").args(words).status();
    let ended = ended.map_err(|error| {
        Failure::said(format!("sbatch: {error}; is this a machine with Slurm?"))
    })?;
    let code = ended.code().and_then(|code| u8::try_from(code).ok());
    if code.is_none() {
        say("sbatch was ended by a signal");
    }
    Ok(ExitCode::from(code.unwrap_or(1)))
}
