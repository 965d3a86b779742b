//! The two builds of a program in this directory: the first one killed, the second one with a macro.

use std::path::PathBuf;

use crate::harness::{self, Build, Checkpoints, Compiler, Outcome, Program, Workplace};

/// The exit status of a restart that is impossible.
pub const STOPPED: i32 = 75;

/// A run of the first build, killed.
pub struct Base {
    place: Workplace,
    source: &'static str,
    ranks: usize,
}

/// The second build.
pub struct Changed<'a> {
    base: &'a Base,
    program: Program,
    name: String,
}

fn build(source: &str, macros: &[&str], ranks: usize) -> Build {
    let build = Build::files(&[format!("tests/changed/{source}.c")])
        .tool_flags(macros)
        .with(Compiler::Gcc, &[&["-O1"], macros].concat())
        .mpi(ranks > 1);
    match source {
        "by_hand" => build.by_hand(),
        _ => build,
    }
}

impl Base {
    pub fn of(source: &'static str) -> Base {
        Base::on(source, 1)
    }

    pub fn on(source: &'static str, ranks: usize) -> Base {
        let place = Workplace::new(source);
        let program = build(source, &[], ranks).to(&place.directory("then"), "run");
        let outcome = program
            .run(&place.directory("work"))
            .ranks(ranks)
            .set("CCCP_WRITE", "synchronous")
            .kill_at("checkpoint:6");
        assert!(!outcome.resumed());
        Base {
            place,
            source,
            ranks,
        }
    }

    /// The same program with this macro.
    pub fn with(&self, macros: &[&str]) -> Changed<'_> {
        let name = macros.join(" ").replace(['/', ' '], "");
        // What is left out on purpose is missed by the check, rightly.
        let program = build(self.source, macros, self.ranks)
            .careless()
            .unpoisoned()
            .to(&self.place.directory(&format!("now{name}")), "run");
        Changed {
            base: self,
            program,
            name,
        }
    }

    pub fn checkpoints(&self) -> Checkpoints {
        Checkpoints::of(&self.place.join("work"), "run")
    }
}

impl Changed<'_> {
    /// Runs it in a copy of the directory.
    pub fn run(&self, changes: &str) -> (Outcome, PathBuf) {
        let directory = self
            .base
            .place
            .directory(&format!("{changes}{}", self.name));
        let copy = Checkpoints::of(&directory, "run");
        self.base.checkpoints().copy_to(&copy);
        let before = copy.generations();
        let outcome = self
            .program
            .run(&directory)
            .ranks(self.base.ranks)
            .set("CCCP_CHANGES", changes)
            .go();
        if outcome.code() == Some(STOPPED) {
            assert_eq!(copy.generations(), before, "{}", outcome.errors);
        }
        (outcome, directory)
    }

    /// Each setting stops it, with these rows.
    pub fn stops(&self, rows: &[&str]) -> &Self {
        for changes in ["refuse", "accept"] {
            let (outcome, _) = self.run(changes);
            outcome.assert_stopped(STOPPED, &["the program has changed since generation 5"]);
            rows_are(&outcome, rows);
        }
        self
    }

    /// It is not different.
    pub fn goes_on(&self, output: &str) {
        let (outcome, _) = self.run("refuse");
        assert_eq!(outcome.code(), Some(0), "{}", outcome.errors);
        outcome.assert_resumed();
        rows_are(&outcome, &[]);
        assert_eq!(outcome.output, output);
    }

    /// It stops with these rows, or goes on with all of them and prints this.
    pub fn is_accepted(&self, rows: &[&str], output: &str) {
        let (outcome, _) = self.run("refuse");
        outcome.assert_stopped(STOPPED, &["--cccp-changes=accept"]);
        rows_are(&outcome, rows);
        let (outcome, directory) = self.run("accept");
        assert_eq!(outcome.code(), Some(0), "{}", outcome.errors);
        outcome.assert_resumed();
        rows_are(&outcome, rows);
        assert_eq!(outcome.output, output, "{}", outcome.errors);
        // What it wrote since is its own.
        let again = self.program.run(&directory).well();
        assert!(
            !again.errors.contains("has changed since"),
            "{}",
            again.errors
        );
    }
}

/// The rows of the table, without the spaces that align it and without line numbers.
pub fn rows_are(outcome: &Outcome, expected: &[&str]) {
    let rows: Vec<String> = exact_rows(outcome)
        .iter()
        .map(|row| {
            let mut parts = row.split(".c:");
            let mut text = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                text += ".c";
                text += part.trim_start_matches(|c: char| c.is_ascii_digit());
            }
            text
        })
        .collect();
    assert_eq!(rows, expected, "{}", outcome.errors);
}

/// The same with line numbers; files as seen from the top of the repository.
pub fn exact_rows(outcome: &Outcome) -> Vec<String> {
    let top = format!("{}/", harness::root().display());
    outcome
        .errors
        .lines()
        .filter_map(|line| line.strip_prefix("cccp: "))
        .filter(|line| line.contains(" | ") && !line.contains("| in the checkpoint"))
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .map(|line| line.replace(&top, ""))
        .collect()
}
