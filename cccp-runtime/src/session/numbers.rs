//! Checkpoints that are not taken with every number of ranks: `ranks(1, 2, 4)`.
//!
//! In: what the program says about its checkpoints, and how many ranks there are. Out: which of them are taken; at the
//! beginning of a run one warning of those that are not, or, as the setting `ranks` says, a stop. All ranks come to the
//! same answer, because they have the same program and the same number.

use crate::registry::{Block, BlockKind, Function};
use crate::settings::Numbers;

use super::Session;

impl Session {
    /// Whether a checkpoint is taken with the number of ranks of this run.
    pub fn is_for_us(&self, block: &Block) -> bool {
        let size = self.group.size();
        block.ranks.as_ref().is_none_or(|ranks| ranks.has(size))
    }

    /// Warns of checkpoints that are not taken. An error where the user does not want to go on without them.
    pub fn look_at_numbers(&mut self) -> Result<(), String> {
        let mut functions: Vec<&Function> = self.functions.values().map(AsRef::as_ref).collect();
        functions.sort_by_key(|function| (&function.file, function.line));
        let (mut taken, mut others) = (0, Vec::new());
        for function in functions {
            for block in &function.blocks {
                if block.kind != BlockKind::Checkpoint {
                    continue;
                }
                match &block.ranks {
                    Some(ranks) if !self.is_for_us(block) => others.push(format!(
                        "{} ({}:{}) is for ranks({})",
                        function.name,
                        function.file,
                        block.line,
                        ranks.text()
                    )),
                    _ => taken += 1,
                }
            }
        }
        if others.is_empty() {
            return Ok(());
        }
        let size = self.group.size();
        let what = format!(
            "the checkpoint in {}; this run has {}",
            others.join(", the one in "),
            match size {
                1 => "1 rank".to_string(),
                _ => format!("{size} ranks"),
            }
        );
        if self.settings.ranks == Numbers::Stop {
            // One rank speaks for all.
            return Err(match self.group.rank() {
                0 => format!(
                    "{what}, and the setting ranks = stop forbids to continue without; start it with another number of ranks"
                ),
                _ => String::new(),
            });
        }
        self.is_idle = taken == 0;
        if self.group.rank() == 0 {
            let without = match self.is_idle {
                true => {
                    "no checkpoint is taken, and a run that is killed starts again from the beginning"
                }
                false => "no checkpoint is taken there, only elsewhere",
            };
            self.say(format!("warning: {what}: {without}"));
        }
        Ok(())
    }
}
