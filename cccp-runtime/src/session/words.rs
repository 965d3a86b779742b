//! What the program has changed of its command line.
//!
//! In: the vector and the words that `main` was given. Out: a register of the library where they are not as they were at `init`, and
//! the same again when a restart ends. Not here: pointers of the program into them (`generation::pointers`).

use crate::restore::{Replay, Stop};

use super::Session;
use super::library::Kept;

const WORDS: &str = "command line";

impl Session {
    /// What a checkpoint keeps.
    pub(super) fn changed_words(&self) -> Option<Kept> {
        let changes = self.arguments.changes(&self.program)?;
        Some(Kept::numbers(WORDS, &changes))
    }

    /// At the end of a restart. One that is made with other words has these as they are.
    pub(super) fn words_again(&self, replay: &mut Replay) -> Result<(), Stop> {
        let words = self.arguments.words().into_iter().skip(1);
        if !words.eq(replay.file.checkpoint.header.arguments.iter().cloned()) {
            return Ok(());
        }
        let Some(changes) = self.library_numbers(replay, WORDS)? else {
            return Ok(());
        };
        let again = self.arguments.change_again(&self.program, &changes);
        again.ok_or_else(|| format!("{WORDS}: it is not that of this run"))
    }
}
