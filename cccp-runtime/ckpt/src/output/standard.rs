//! The standard output and error of a command.

use std::fmt::Display;
use std::io::{self, BufRead, BufWriter, IsTerminal, Write};
use std::sync::Arc;

use anstyle::{AnsiColor, Style};
use clap::ColorChoice;
use serde::Serialize;

use super::manner::Manner;
use super::progress::Progress;
use crate::outcome::Failure;

/// The number in every JSON object. It changes when a field goes or means something else, not when one is added.
const SHAPE: u32 = 1;

/// The answer of a command as one JSON object: its own fields after `command` and `shape`.
#[derive(Serialize)]
pub struct Answer<'a, T> {
    command: &'a str,
    shape: u32,
    #[serde(flatten)]
    answer: &'a T,
}

impl<'a, T> Answer<'a, T> {
    /// That of this command.
    pub fn of(command: &'a str, answer: &'a T) -> Answer<'a, T> {
        Answer {
            command,
            shape: SHAPE,
            answer,
        }
    }
}

/// What a piece of text is, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// As it is.
    Plain,
    /// The title of a table or part.
    Title,
    /// What the eye looks for: a name, a number.
    Name,
    /// Less important.
    Faint,
    /// As it should be.
    Good,
    /// Worth a second look.
    Doubtful,
    /// Damaged, different.
    Bad,
}

impl Look {
    fn style(self) -> Style {
        let colour = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
        match self {
            Look::Plain => Style::new(),
            Look::Title => Style::new().bold().underline(),
            Look::Name => Style::new().bold(),
            Look::Faint => Style::new().dimmed(),
            Look::Good => colour(AnsiColor::Green),
            Look::Doubtful => colour(AnsiColor::Yellow),
            Look::Bad => colour(AnsiColor::Red).bold(),
        }
    }
}

/// Where a command says what it has to say.
pub struct Output {
    out: Box<dyn Write>,
    manner: Manner,
    colour: bool,
    progress: bool,
}

impl Output {
    /// The standard output of this process.
    pub fn standard(manner: Manner) -> Output {
        let colour = match manner.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
            }
        };
        Output {
            out: Box::new(BufWriter::new(io::stdout())),
            colour: colour && !manner.json,
            progress: io::stderr().is_terminal() && !manner.quiet,
            manner,
        }
    }

    /// Whether the user wants JSON: then a command prints one object and nothing else.
    pub fn is_json(&self) -> bool {
        self.manner.json
    }

    /// Whether sizes are exact numbers of bytes.
    pub fn exact_bytes(&self) -> bool {
        self.manner.bytes
    }

    /// A piece of text in its colour, if colours are wanted.
    pub fn paint(&self, look: Look, text: impl Display) -> String {
        if self.colour && look != Look::Plain {
            let style = look.style();
            format!("{style}{text}{style:#}")
        } else {
            text.to_string()
        }
    }

    /// A line.
    pub fn line(&mut self, text: impl Display) -> Result<(), Failure> {
        writeln!(self.out, "{text}").map_err(|error| Failure::writing(&error))
    }

    /// Bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.out
            .write_all(bytes)
            .map_err(|error| Failure::writing(&error))
    }

    /// The standard output as something to write to.
    pub fn stream(&mut self) -> &mut dyn Write {
        &mut *self.out
    }

    /// The answer of a command as one JSON object: the fields of `answer` after `command` and `shape`.
    pub fn json(&mut self, command: &str, answer: &impl Serialize) -> Result<(), Failure> {
        let whole = Answer::of(command, answer);
        serde_json::to_writer_pretty(&mut self.out, &whole).map_err(|error| {
            match error.io_error_kind() {
                Some(kind) => Failure::writing(&kind.into()),
                None => Failure::said(format!("no JSON: {error}")),
            }
        })?;
        self.line("")
    }

    /// A remark on the standard error.
    pub fn remark(&mut self, text: impl Display) {
        // Where nobody hears, nothing can be said.
        let _ = self.out.flush();
        let _ = writeln!(io::stderr(), "cccp-ckpt: {text}");
    }

    /// Shows on a terminal's standard error how far long work is. `total` counts whatever the work counts, bytes say.
    pub fn progress(&self, what: impl Into<String>, total: u64) -> Arc<Progress> {
        Progress::new(what.into(), total, self.progress)
    }

    /// Asks on the terminal; nothing but `y` or `yes` is a yes.
    pub fn ask(&mut self, question: &str) -> Result<bool, Failure> {
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return Err(Failure::said(
                "there is no terminal to ask on; say --yes if you are sure",
            ));
        }
        self.finish()?;
        let _ = write!(io::stderr(), "{question} [y/N] ");
        let mut answer = String::new();
        io::stdin()
            .lock()
            .read_line(&mut answer)
            .map_err(|error| Failure::said(format!("standard input: {error}")))?;
        let answer = answer.trim();
        Ok(["y", "yes"]
            .iter()
            .any(|yes| answer.eq_ignore_ascii_case(yes)))
    }

    /// Writes what is still waiting.
    pub fn finish(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(|error| Failure::writing(&error))
    }
}
