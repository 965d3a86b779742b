//! `cccp-ckpt completions`: made of the same description as the command line itself.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::options::Options;
use crate::outcome::{Failure, Status};
use crate::output::Output;

/// For which shell.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The shell
    pub shell: Shell,
}

/// Prints the completions.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut Options::command(),
        "cccp-ckpt",
        &mut text,
    );
    output.raw(&text)?;
    Ok(Status::Good)
}
