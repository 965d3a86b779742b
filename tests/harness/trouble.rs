//! A program that meets trouble on its way (`programs/trouble.c`), and what a user then reads.
//!
//! The trouble comes at a step of the program, so nothing depends on time. What is expected is the same whatever the
//! trouble: the results of an undisturbed run, one line that warns, perhaps one that says it is over.

use super::build::{Build, Program};
use super::run::{Outcome, Run};
use super::workplace::Workplace;

/// What the program says when checkpoints work again.
const AGAIN: &str = "checkpoints are written again";

/// The program. It keeps a file that a restart does not open again, on purpose, of which the precompiler warns.
pub fn trouble() -> Build {
    Build::files(&["tests/programs/trouble.c"])
        .careless()
        .unpoisoned()
}

/// A program, and what it prints when nothing disturbs it.
pub struct Case {
    /// Where everything is; the checkpoints are in `disk/ckpt`.
    pub place: Workplace,
    /// The program.
    pub program: Program,
    /// What an undisturbed run prints.
    pub expected: String,
}

impl Case {
    /// In a directory of its own.
    pub fn new(name: &str) -> Case {
        Case::built(Workplace::on_disk(name), &trouble(), 1)
    }

    /// Built in another way, or elsewhere, or for more ranks.
    pub fn built(place: Workplace, build: &Build, ranks: usize) -> Case {
        let program = build.to(place.path(), "trouble");
        let undisturbed = program.run(&place.directory("undisturbed")).ranks(ranks);
        let outcome = undisturbed.well();
        assert!(!outcome.errors.contains("cccp:"), "{}", outcome.errors);
        Case {
            place,
            program,
            expected: outcome.output,
        }
    }

    /// A run with its checkpoints in `disk/ckpt`, written at once, so that what is there at a step is certain.
    pub fn run(&self) -> Run {
        let disk = self.place.directory("disk");
        self.program
            .run(self.place.path())
            .set("CCCP_DIR", disk.join("ckpt").to_str().expect("UTF-8"))
            .set("CCCP_WRITE", "synchronous")
    }

    /// It ended, with the right results.
    pub fn assert_right(&self, outcome: &Outcome) {
        assert!(
            outcome.status.success(),
            "{}\n{}",
            outcome.status,
            outcome.errors
        );
        assert_eq!(outcome.output, self.expected, "{}", outcome.errors);
    }
}

/// The lines of the library that hold these words.
pub fn lines<'a>(outcome: &'a Outcome, words: &str) -> Vec<&'a str> {
    let all = outcome.errors.lines();
    all.filter(|line| line.starts_with("cccp: ") && line.contains(words))
        .collect()
}

/// One line warns, with these words; one says so when it is over, if it is; apart from a restart there is no other. What
/// was in flight when a disk became full may have had room, and warns that the next one will not.
pub fn assert_one_warning(outcome: &Outcome, words: &[&str], over: bool) {
    let mut warnings = lines(outcome, "warning: ");
    let all = warnings.len();
    warnings.retain(|line| !line.contains("the disk is almost full"));
    assert!(warnings.len() + 1 >= all, "{}", outcome.errors);
    assert_eq!(warnings.len(), 1, "{}", outcome.errors);
    for word in words {
        assert!(
            warnings[0].contains(word),
            "{word:?} is not in {}",
            warnings[0]
        );
    }
    let again = lines(outcome, AGAIN).len();
    assert_eq!(again, usize::from(over), "{}", outcome.errors);
    let restarts = lines(outcome, "cccp: restart of").len();
    assert_eq!(
        outcome.told().count(),
        all + again + restarts,
        "{}",
        outcome.errors
    );
}
