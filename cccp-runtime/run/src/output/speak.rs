//! Lines, answers and the log.

use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use cccp_ckpt::outcome::Failure;
use cccp_ckpt::output::Answer;
use serde::Serialize;

/// A line about the run.
pub fn say(text: impl Display) {
    // Where nobody hears, nothing can be said.
    let _ = writeln!(io::stderr(), "cccp-run: {text}");
}

/// Text that was asked for.
pub fn print(text: impl Display) -> Result<(), Failure> {
    write!(io::stdout(), "{text}")
        .and_then(|()| io::stdout().flush())
        .map_err(|error| Failure::writing(&error))
}

/// An answer as one JSON object: its fields after `command` and `shape`.
pub fn json(command: &str, answer: &impl Serialize) -> Result<(), Failure> {
    let whole = Answer::of(command, answer);
    let text = serde_json::to_string_pretty(&whole);
    let text = text.map_err(|error| Failure::said(format!("no JSON: {error}")))?;
    print(text + "\n")
}

/// A file to write to behind what it holds.
pub fn appended(path: &Path) -> Result<File, Failure> {
    let file = OpenOptions::new().append(true).create(true).open(path);
    file.map_err(|error| Failure::said(format!("{}: {error}", path.display())))
}

/// Lines of JSON behind what a file holds already.
#[derive(Debug)]
pub struct Log(Option<File>);

impl Log {
    /// In this file, or nowhere.
    pub fn open(path: Option<&Path>) -> Result<Log, Failure> {
        path.map(appended).transpose().map(Log)
    }

    /// One line. That it cannot be written is no reason to end a run.
    pub fn line(&mut self, line: &impl Serialize) {
        if let (Some(file), Ok(text)) = (&mut self.0, serde_json::to_string(line)) {
            let _ = file.write_all((text + "\n").as_bytes());
        }
    }
}
