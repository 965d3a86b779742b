//! A program that was changed since its checkpoint: every difference is named with both sides and stops the restart;
//! those that a restart can live with are accepted when the user says so, and every value is what it has to be.
//!
//! The programs in `changed/` are built twice, with and without a macro. The first build is killed at its sixth
//! checkpoint, the second one finds its fifth generation.

mod harness;

use std::path::PathBuf;

use harness::{Build, Checkpoints, Compiler, Outcome, Program, Workplace, mpi_or_word};

/// The exit status of a restart that is impossible.
const STOPPED: i32 = 75;

/// A run of the first build, killed.
struct Base {
    place: Workplace,
    source: &'static str,
    ranks: usize,
}

/// The second build.
struct Changed<'a> {
    base: &'a Base,
    program: Program,
    name: String,
}

fn build(source: &str, macros: &[&str], ranks: usize) -> Build {
    Build::files(&[format!("tests/changed/{source}.c")])
        .tool_flags(macros)
        .with(Compiler::Gcc, &[&["-O1"], macros].concat())
        .mpi(ranks > 1)
}

impl Base {
    fn of(source: &'static str) -> Base {
        Base::on(source, 1)
    }

    fn on(source: &'static str, ranks: usize) -> Base {
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
    fn with(&self, macros: &[&str]) -> Changed<'_> {
        let name = macros.join(" ").replace(['/', ' '], "");
        let program = build(self.source, macros, self.ranks)
            .to(&self.place.directory(&format!("now{name}")), "run");
        Changed {
            base: self,
            program,
            name,
        }
    }

    fn checkpoints(&self) -> Checkpoints {
        Checkpoints::of(&self.place.join("work"), "run")
    }
}

impl Changed<'_> {
    /// Runs it in a copy of the directory.
    fn run(&self, changes: &str) -> (Outcome, PathBuf) {
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
    fn stops(&self, rows: &[&str]) -> &Self {
        for changes in ["refuse", "accept"] {
            let (outcome, _) = self.run(changes);
            outcome.assert_stopped(STOPPED, &["the program has changed since generation 5"]);
            rows_are(&outcome, rows);
        }
        self
    }

    /// It stops with these rows, or goes on with all of them and prints this.
    fn is_accepted(&self, rows: &[&str], output: &str) {
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
        assert!(!again.errors.contains("changed"), "{}", again.errors);
    }
}

/// The rows of the table, without the spaces that align it.
fn rows_are(outcome: &Outcome, expected: &[&str]) {
    let rows: Vec<String> = outcome
        .errors
        .lines()
        .filter_map(|line| line.strip_prefix("cccp: "))
        .filter(|line| line.contains(" | ") && !line.contains("| in the checkpoint"))
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(rows, expected, "{}", outcome.errors);
}

/// What an unchanged program prints.
const STATE: &str = "step 10 count 10 total 27.50\n\
                     cell 57.6650 0 0 10 10\ncell 57.6650 10 0 10 10\ncell 57.6650 20 0 10 10\n\
                     grid 0 100 10 110 20 120\nline 10 20 30 40\ncounters 20 10\n";

#[test]
fn s21_probe() {
    let base = Base::of("state");
    for macros in std::env::var("PROBE").unwrap_or_default().split(',') {
        let macros: Vec<&str> = macros.split(' ').filter(|one| !one.is_empty()).collect();
        let changed = base.with(&macros);
        for changes in ["refuse", "accept"] {
            let (outcome, _) = changed.run(changes);
            println!(
                "=== {macros:?} {changes} {}\n{}{}",
                outcome.status, outcome.errors, outcome.output
            );
        }
    }
}
