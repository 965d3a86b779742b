//! What is saved although something does not need it, with the reason: `saved_sets/surplus.txt`.
//!
//! ```text
//! heat-mpi
//!     check   plate.rows: the block that makes the communicator sets it again
//! ```
//!
//! `check`: the check of completeness does not miss it. `restart`: the restart that is tried does not. `hand`: a person does
//! not register it.

use super::harness::root;

/// What does not need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    Check,
    Restart,
    Hand,
}

/// The lines of a program for one of them.
pub struct Kept {
    program: String,
    /// Names, and whether they were found.
    lines: Vec<(String, bool)>,
}

impl Kept {
    /// Reads the file.
    pub fn of(program: &str, why: Why) -> Kept {
        let path = root().join("tests/saved_sets/surplus.txt");
        let text = std::fs::read_to_string(path).expect("what is kept");
        let word = match why {
            Why::Check => "check",
            Why::Restart => "restart",
            Why::Hand => "hand",
        };
        let mut lines = Vec::new();
        let mut is_own = false;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let Some(own) = line.strip_prefix("    ") else {
                is_own = line == program;
                continue;
            };
            let (kind, rest) = own.split_once(' ').expect("check, restart or hand");
            assert!(["check", "restart", "hand"].contains(&kind), "{line}");
            let (name, reason) = rest.split_once(": ").expect("NAME: REASON");
            assert!(!reason.is_empty(), "{line}: without a reason");
            if is_own && kind == word {
                lines.push((name.trim().to_owned(), false));
            }
        }
        Kept {
            program: program.to_owned(),
            lines,
        }
    }

    /// Whether it is there; nothing is noted.
    pub fn knows(&self, name: &str) -> bool {
        self.lines.iter().any(|line| line.0 == name)
    }

    /// Whether it is there.
    pub fn has(&mut self, name: &str) -> bool {
        let mut all = self.lines.iter_mut();
        match all.find(|line| line.0 == name) {
            Some(line) => {
                line.1 = true;
                true
            }
            None => false,
        }
    }

    /// What was not asked for: lines that are no longer true.
    pub fn unused(&self) -> Vec<String> {
        let unused = self.lines.iter().filter(|line| !line.1);
        unused
            .map(|line| format!("{}: {} is not saved any more", self.program, line.0))
            .collect()
    }
}
