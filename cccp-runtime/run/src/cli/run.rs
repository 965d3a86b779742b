//! From the command line to the exit status.

use std::path::Path;
use std::process::ExitCode;

use cccp::store::{FileSystem, Store};
use cccp_ckpt::outcome::Failure;
use cccp_ckpt::output::create;
use clap::{CommandFactory, Parser};
use clap_complete::Shell;
use clap_mangen::Man;

use super::options::Options;
use crate::output::{print, say};
use crate::{prove, report, retry, slurm, status};

/// The tool.
pub fn main() -> ExitCode {
    let options = match Options::try_parse() {
        Ok(options) => options,
        Err(error) => {
            let status = u8::try_from(error.exit_code()).unwrap_or(2);
            let _ = error.print();
            return ExitCode::from(status);
        }
    };
    match run(&options) {
        Ok(code) => code,
        Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Said(words)) => {
            say(words);
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> Result<ExitCode, Failure> {
    let good = |()| ExitCode::SUCCESS;
    if let Some(shell) = options.completions {
        return completions(shell).map(good);
    }
    if let Some(directory) = &options.man {
        return manual(directory).map(good);
    }
    if let Some(directory) = &options.status {
        return status::run(directory, options.json).map(good);
    }
    if let Some(directory) = &options.report {
        let to = options.output.as_deref();
        return report::run(directory, to, options.force).map(good);
    }
    if let Some(whole) = &options.slurm_job {
        return slurm::job(&slurm::JobOptions {
            whole,
            arguments: &options.command,
            own_signal: options.own_signal,
            margin: options.margin,
            retries: options.retries,
            log: options.log.as_deref(),
        });
    }
    if !options.slurm.is_empty() {
        // What stands behind `--` belongs to it, too.
        let rest = match options.command.is_empty() {
            true => Vec::new(),
            false => [vec!["--".into()], options.command.clone()].concat(),
        };
        return slurm::submit(&slurm::Options {
            words: &[options.slurm.clone(), rest].concat(),
            margin: options.margin,
            retries: options.retries,
            log: options.log.as_deref(),
        });
    }
    if options.prove {
        return prove::run(&prove::Options {
            command: &options.command,
            at: &options.at,
            sample: options.sample,
            compare: &options.compare,
            tolerance: options.tolerance,
            json: options.json,
        });
    }
    retry::run(&retry::Options {
        command: &options.command,
        directory: options.dir.as_deref(),
        retries: options.retries,
        backoff: options.backoff,
        log: options.log.as_deref(),
        output: options.output.as_deref(),
    })
}

fn completions(shell: Shell) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Options::command(), "cccp-run", &mut text);
    print(String::from_utf8_lossy(&text))
}

fn manual(directory: &Path) -> Result<(), Failure> {
    FileSystem
        .create_directory(directory)
        .map_err(|error| Failure::said(format!("{}: {error}", directory.display())))?;
    let path = directory.join("cccp-run.1");
    let mut text = Vec::new();
    let made = Man::new(Options::command()).render(&mut text);
    made.map_err(|error| Failure::said(error.to_string()))?;
    create(&path, true, |out| out.write_all(&text))?;
    print(format!("{}\n", path.display()))
}
