//! A program of `tests/when` and where it runs.

use crate::harness::{Build, Checkpoints, Program, Run, Workplace};

/// The exit status of a run that was asked to end.
pub const CHECKPOINTED: i32 = 85;

/// The program and its place.
pub struct Trial {
    /// Where it runs.
    pub place: Workplace,
    /// As it was built.
    pub program: Program,
}

impl Trial {
    /// Of `tests/when/<name>.c`.
    pub fn new(name: &str) -> Trial {
        let place = Workplace::new(&format!("when-{name}"));
        let source = format!("tests/when/{name}.c");
        Trial::of(Build::files(&[source]).to(place.path(), name), place)
    }

    /// Of a program whose marks without a clause are due by time.
    pub fn of(program: Program, place: Workplace) -> Trial {
        let program = Program {
            each: false,
            ..program
        };
        Trial { place, program }
    }

    /// A run in a directory of this name, to be adjusted.
    pub fn run(&self, directory: &str, arguments: &[&str], settings: &[(&str, &str)]) -> Run {
        let directory = self.place.directory(directory);
        let run = self.program.run(&directory).arguments(arguments);
        let run = run
            .set("CCCP_WRITE", "synchronous")
            .set("CCCP_KEEP", "1000");
        settings
            .iter()
            .fold(run, |run, (name, value)| run.set(name, value))
    }

    /// The calls at which checkpoints were taken there.
    pub fn taken(&self, directory: &str) -> Vec<u64> {
        let name = self.program.path.file_name().unwrap().to_str().unwrap();
        let place = Checkpoints::of(&self.place.join(directory), name);
        let mut taken = match place.path().exists() {
            true => place.generations(),
            false => Vec::new(),
        };
        taken.sort_unstable();
        taken
    }
}
