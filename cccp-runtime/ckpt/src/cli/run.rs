//! From the command line to the exit status.

use std::process::ExitCode;

use clap::Parser;

use super::options::{Command, Options};
use super::{completions, manual};
use crate::commands::{convert, diff, export, list, prune, show, verify};
use crate::outcome::{Failure, Status};
use crate::output::Output;

/// The tool.
pub fn main() -> ExitCode {
    let Options { command, manner } = match Options::try_parse() {
        Ok(options) => options,
        Err(error) => {
            let status = u8::try_from(error.exit_code()).unwrap_or(2);
            let _ = error.print();
            return ExitCode::from(status);
        }
    };
    let mut output = Output::standard(manner);
    let outcome = run(&command, &mut output);
    let outcome = outcome.and_then(|status| output.finish().map(|()| status));
    match outcome {
        Ok(Status::Good) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Ok(Status::Bad) => ExitCode::from(1),
        Ok(Status::Unread) => ExitCode::from(2),
        Err(Failure::Said(words)) => {
            output.remark(words);
            ExitCode::from(2)
        }
    }
}

fn run(command: &Command, output: &mut Output) -> Result<Status, Failure> {
    match command {
        Command::List(arguments) => list::run(arguments, output),
        Command::Prune(arguments) => prune::run(arguments, output),
        Command::Show(arguments) => show::run(arguments, output),
        Command::Verify(arguments) => verify::run(arguments, output),
        Command::Diff(arguments) => diff::run(arguments, output),
        Command::Export(arguments) => export::run(arguments, output),
        Command::Convert(arguments) => convert::run(arguments, output),
        Command::Completions(arguments) => completions::run(arguments, output),
        Command::Man(arguments) => manual::run(arguments, output),
    }
}
