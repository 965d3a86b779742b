//! What the oracle says, as text: a line per checkpoint, below it a line per register.
//!
//! ```text
//! main
//!     needed      main:step
//!     not seen    main:next
//! ```
//!
//! A checkpoint is its function, and its name where it has one: lines move too easily.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::corruption::Part;

/// The answer for one sample: whether a checkpoint needs a part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// By checkpoint and part.
    pub needed: BTreeMap<(String, Part), bool>,
}

const NEEDED: &str = "needed";
const NOT_SEEN: &str = "not seen";

impl Table {
    /// Adds what one checkpoint file has shown: needed once is needed.
    pub fn add(&mut self, checkpoint: &str, part: &Part, needed: bool) {
        let entry = self
            .needed
            .entry((checkpoint.to_owned(), part.clone()))
            .or_default();
        *entry |= needed;
    }

    /// Whether there is an answer that it is needed.
    pub fn is_needed(&self, checkpoint: &str, part: &Part) -> bool {
        let key = (checkpoint.to_owned(), part.clone());
        self.needed.get(&key).copied().unwrap_or(false)
    }

    /// As text.
    pub fn print(&self) -> String {
        let mut text = String::new();
        let mut last = "";
        for ((checkpoint, part), needed) in &self.needed {
            if checkpoint != last {
                let _ = writeln!(text, "{checkpoint}");
                last = checkpoint;
            }
            let word = if *needed { NEEDED } else { NOT_SEEN };
            let _ = writeln!(text, "    {word:<12}{part}");
        }
        text
    }

    /// From text.
    pub fn parse(text: &str) -> Table {
        let mut table = Table::default();
        let mut checkpoint = "";
        for line in text.lines() {
            let Some(line) = line.strip_prefix("    ") else {
                checkpoint = line;
                continue;
            };
            let needed = line.starts_with(NEEDED);
            let rest = line.trim_start_matches([NEEDED, NOT_SEEN][usize::from(!needed)]);
            let (function, rest) = rest.trim().split_once(':').expect("function:register");
            let (register, member) = rest.split_once(" .").unwrap_or((rest, ""));
            let part = Part {
                function: function.to_owned(),
                register: register.to_owned(),
                member: member.to_owned(),
            };
            table.add(checkpoint, &part, needed);
        }
        table
    }
}
