//! From the command line to the step.

use std::process::ExitCode;

use super::called::{compiler_named, is_below};
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
    let words: Result<Vec<String>, _> =
        std::env::args_os().map(|word| word.into_string()).collect();
    let mut words = words.map_err(|word| format!("{} is not UTF-8", word.display()))?;
    let called = words.drain(..words.len().min(1)).collect::<String>();
    let (own, words) = split(words)?;
    if let Some(shell) = own.completions {
        print!("{}", String::from_utf8_lossy(&completions_of_cc(shell)));
        return Ok(0);
    }
    let named = compiler_named(&called)?;
    if own.help || words.is_empty() && named.is_none() {
        print!("{CC}");
        return Ok(0);
    }
    let command = Command::read(named, words)?;
    let step = match own.off || is_below() {
        true => Step::Other,
        false => command.step(),
    };
    match step {
        Step::Other => Err(become_compiler(&command.compiler, &command.given)),
        Step::Compile => compile(&command, &own),
        Step::Link => link(&command, &own),
        Step::Library => library(&command, &own),
    }
}
