//! A program with what auto mode wrote into it, and the same without one entry.
//!
//! An entry is an item of a function: where the same item stands in several directives of it, all of them are meant.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use super::cases::Case;
use super::harness::{Build, Checkpoints, Compiler, Outcome, Program, Workplace, finish};
use super::said::{Look, MISSING, Message, OTHER_THREADS, TOO_EARLY, precompiler, put};
use super::variants::{Item, left_out, listed};

/// An entry of a program's saved set.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The first item that means it.
    pub item: Item,
    /// Number of the file.
    file: usize,
    /// Number of the function in it.
    function: usize,
}

impl std::fmt::Display for Entry {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "line {}: `{}`", self.item.line, self.item.text)
    }
}

/// The program.
pub struct Annotated<'a> {
    case: &'a Case,
    place: &'a Workplace,
    /// Names of its files, and their texts.
    files: Vec<(String, String)>,
}

/// What becomes of a restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It ends with the right results.
    Right,
    /// It ends with other results.
    Wrong,
    /// The library stopped it with a message, or no checkpoint could be taken.
    Stopped,
    /// It crashed.
    Crashed,
    /// It did not end.
    Hung,
}

/// Number of the function in which each line is: functions end with a brace in the first column.
fn functions(text: &str) -> Vec<usize> {
    let mut number = 0;
    let count = |line: &str| {
        number += usize::from(line.starts_with('}'));
        number
    };
    text.lines().map(count).collect()
}

impl<'a> Annotated<'a> {
    /// As `--annotate` prints it.
    pub fn new(case: &'a Case, place: &'a Workplace) -> Annotated<'a> {
        let plain = case.write_to(&place.directory("plain"));
        let out = place.directory("annotated");
        let mut tool = Command::new(precompiler());
        tool.args(["--annotate", "--every", &case.every.to_string()])
            .args(case.options())
            .args(["--cc", if case.mpi { "mpicc" } else { "gcc" }]);
        tool.arg("-d").arg(&out).args(&plain);
        finish(&mut tool);
        case.write_to(&place.directory("without"));
        let files = plain.iter().map(|path| {
            let name = path.file_name().and_then(|name| name.to_str());
            let name = name.expect("UTF-8").to_owned();
            let text = std::fs::read_to_string(out.join(&name)).expect("an annotated file");
            (name, text)
        });
        Annotated {
            case,
            place,
            files: files.collect(),
        }
    }

    /// Its entries.
    pub fn entries(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        for (file, (_, text)) in self.files.iter().enumerate() {
            for ((index, line), function) in text.lines().enumerate().zip(functions(text)) {
                for text in listed(line).into_iter().flatten() {
                    let is_same = |one: &Entry| {
                        one.file == file && one.function == function && one.item.text == text
                    };
                    if !entries.iter().any(is_same) {
                        let line = index + 1;
                        let item = Item { text, line };
                        entries.push(Entry {
                            item,
                            file,
                            function,
                        });
                    }
                }
            }
        }
        assert!(!entries.is_empty(), "{}: nothing is saved", self.case.name);
        entries
    }

    /// Writes its files, perhaps without an entry.
    fn write(&self, without: Option<&Entry>) -> Vec<PathBuf> {
        let directory = self.place.directory("without");
        let files = self.files.iter().enumerate().map(|(index, (name, text))| {
            let functions = functions(text);
            let text = match without {
                Some(entry) if entry.file == index => left_out(text, |line, _, item| {
                    functions[line] == entry.function && item == entry.item.text
                }),
                _ => text.clone(),
            };
            put(&directory, name, &text)
        });
        files.collect()
    }

    /// What the check misses when an entry is missing.
    pub fn said_without(&self, entry: &Entry) -> Vec<Message> {
        let look = Look {
            options: self.case.options(),
            mpi: self.case.mpi,
            out: self.place.join("out"),
        };
        let mut said = look.at(&self.write(Some(entry)));
        said.retain(|one| [MISSING, OTHER_THREADS, TOO_EARLY].contains(&one.code.as_str()));
        said
    }

    /// To be killed and restarted.
    pub fn trial(&self) -> Trial<'_> {
        let mut trial = Trial {
            annotated: self,
            expected: String::new(),
        };
        let program = trial.build(None);
        let directory = self.place.directory("undisturbed");
        let run = program.run(&directory).arguments(self.case.arguments);
        trial.expected = run.well().output;
        trial
    }
}

/// The program, killed at its third checkpoint.
pub struct Trial<'a> {
    annotated: &'a Annotated<'a>,
    expected: String,
}

/// Beyond this a restart hangs: an undisturbed run takes a small part of a second.
const LIMIT: Duration = Duration::from_secs(5);

impl Trial<'_> {
    fn build(&self, without: Option<&Entry>) -> Program {
        let files = self.annotated.write(without);
        let include = self.annotated.place.join("without");
        let include = format!("-I{}", include.display());
        let mut flags = self.annotated.case.flags.to_vec();
        flags.push(&include);
        let build = Build::files(&files).with(Compiler::Gcc, &flags).careless();
        let options = self.annotated.case.options();
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let build = build.tool_flags(&options);
        build.to(self.annotated.place.path(), "tried")
    }

    /// What becomes of a restart without an entry.
    pub fn fate(&self, without: Option<&Entry>) -> Fate {
        let program = self.build(without);
        let directory = self.annotated.place.directory("tried-in");
        let _ = std::fs::remove_dir_all(Checkpoints::of(&directory, "tried").path());
        let run = || {
            let run = program.run(&directory);
            run.arguments(self.annotated.case.arguments)
                .set("CCCP_WRITE", "synchronous")
        };
        let killed = run().set("CCCP_KILL_AT", "checkpoint:3").go();
        if !killed.killed() || !Checkpoints::of(&directory, "tried").has_common(1) {
            return Fate::Stopped;
        }
        match run().set("CCCP_EVERY", "0").within(LIMIT) {
            None => Fate::Hung,
            Some(outcome) => self.judged(&outcome),
        }
    }

    fn judged(&self, outcome: &Outcome) -> Fate {
        match outcome.code() {
            Some(75) => Fate::Stopped,
            Some(0) if outcome.resumed() && outcome.output == self.expected => Fate::Right,
            Some(_) => Fate::Wrong,
            None => Fate::Crashed,
        }
    }
}
