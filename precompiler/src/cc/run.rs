//! From the command line to the step.

use std::process::ExitCode;

use super::command::{Command, Step};
use super::compile::compile;
use super::link::{library, link};
use super::own::split;
use super::scratch::become_compiler;
use crate::cli::manual::{CC, completions_of_cc};

/// The tool.
pub fn main() -> ExitCode {
    match step() {
        Ok(status) => ExitCode::from(status),
        Err(reason) => {
            eprintln!("cccp-cc: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn step() -> Result<u8, String> {
    let words: Result<Vec<String>, _> = std::env::args_os()
        .skip(1)
        .map(|word| word.into_string())
        .collect();
    let words = words.map_err(|word| format!("{} is not UTF-8", word.display()))?;
    let (own, words) = split(words)?;
    if let Some(shell) = own.completions {
        print!("{}", String::from_utf8_lossy(&completions_of_cc(shell)));
        return Ok(0);
    }
    if own.help || words.is_empty() {
        print!("{CC}");
        return Ok(0);
    }
    let command = Command::read(words);
    let step = match own.off {
        true => Step::Other,
        false => command.step(),
    };
    match step {
        Step::Other => Err(become_compiler(&command.compiler, &command.given)),
        Step::Compile => compile(&command, own.verbose),
        Step::Link => link(&command, &own),
        Step::Library => library(&command, &own),
    }
}
