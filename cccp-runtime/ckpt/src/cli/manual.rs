//! `cccp-ckpt man`: the man pages, made of the same description as the command line itself. One page for the tool and one
//! for each command.

use std::path::PathBuf;

use cccp::store::{FileSystem, Store};
use clap::{Args, CommandFactory};
use clap_mangen::Man;
use serde::Serialize;

use super::options::Options;
use crate::outcome::{Failure, Status};
use crate::output::{Output, create};

/// Where to.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The directory, such as ~/.local/share/man/man1; made when it is missing
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

#[derive(Serialize)]
struct Answer {
    pages: Vec<PathBuf>,
}

/// Writes the pages; those of an earlier version are replaced.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Failure> {
    let mut whole = Options::command();
    whole.build();
    let commands = whole.get_subcommands().cloned();
    let all: Vec<clap::Command> = std::iter::once(whole.clone()).chain(commands).collect();
    let directory = &arguments.directory;
    FileSystem
        .create_directory(directory)
        .map_err(|error| Failure::said(format!("{}: {error}", directory.display())))?;
    let mut pages = Vec::new();
    for command in all {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let path = directory.join(format!("{name}.1"));
        create(&path, true, |out| Man::new(command.clone()).render(out))?;
        pages.push(path);
    }
    if output.is_json() {
        output.json("man", &Answer { pages })?;
    } else {
        for page in pages {
            output.line(page.display())?;
        }
    }
    Ok(Status::Good)
}
