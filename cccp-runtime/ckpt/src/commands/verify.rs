//! `cccp-ckpt verify`: every checksum of every file.

use std::path::PathBuf;

use cccp::store::{self, FileSystem};
use clap::Args;

use crate::outcome::{Failure, Status};
use crate::output::{Look, Output};
use crate::select::{Place, place};

/// What to verify.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Checkpoint files, or directories of generations
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

/// Verifies; bad files are named with what is wrong and where.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Failure> {
    let mut status = Status::Good;
    for path in &arguments.paths {
        let files = match place(path)? {
            Place::File(path) => vec![path],
            Place::Directory(directory) => {
                let mut files = Vec::new();
                for generation in directory.generations()? {
                    for rank in directory.ranks(generation)? {
                        files.push(directory.file(generation, rank));
                    }
                }
                files
            }
        };
        for file in files {
            let word = match store::open(&FileSystem, &file) {
                Ok(_) => output.paint(Look::Good, "good"),
                Err(error) => {
                    status = Status::Bad;
                    output.paint(Look::Bad, error)
                }
            };
            output.line(format!("{} {word}", file.display()))?;
        }
    }
    Ok(status)
}
