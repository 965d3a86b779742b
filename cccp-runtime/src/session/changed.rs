//! A restart of a program that was changed: nothing runs before all ranks know whether it can be.
//!
//! In: a verified checkpoint. Out: a restart in progress, on all ranks or on none. Every difference is shown, once: as the
//! reason of a stop, or as what was accepted.

use crate::format::File;
use crate::memory::blocks;
use crate::restore::changes::{Changes, Known, find, table, translate};
use crate::restore::{Replay, Standing, Stop, first_to_speak};
use crate::settings::Changed;

use super::Session;
use super::later::Later;

impl Session {
    /// Compares the program with the checkpoint and begins the way back.
    pub(super) fn begin_replay(
        &mut self,
        mut file: File,
        standing: &[Standing],
    ) -> Result<(), Stop> {
        let known = Known {
            functions: &self.functions,
            types: &self.types,
        };
        let generation = file.checkpoint.header.generation;
        let changes = find(&file.checkpoint, known);
        let accept = self.settings.changes == Changed::Accept && changes.acceptable();
        let begun = if changes.rows.is_empty() || accept {
            let adopted = match changes.rows.is_empty() {
                true => None,
                false => Some(translate(&mut file.checkpoint, &changes)),
            };
            Replay::begin(
                &mut self.types,
                self.functions.values(),
                self.build,
                file,
                standing,
                adopted,
            )
        } else {
            Err(refusal(&changes, generation, self.settings.changes))
        };
        let begun = begun.and_then(|mut replay| {
            self.same_threads(&mut replay)?;
            let files = self.find_files(&mut replay)?;
            let later = Later::look(generation, &files)?;
            Ok((replay, files, later))
        });
        let (mut replay, files, later, reason) = match begun {
            Ok((replay, files, later)) => (Some(replay), files, later, None),
            Err(reason) => (None, Vec::new(), Later::default(), Some(reason)),
        };
        let spoken = first_to_speak(&mut *self.group, reason).map_err(|error| error.to_string())?;
        if let Some(words) = spoken {
            return Err(words.unwrap_or_default());
        }
        let report = (!changes.rows.is_empty()).then(|| accepted(&changes, generation));
        let spoken = first_to_speak(&mut *self.group, report).map_err(|error| error.to_string())?;
        if let Some(Some(words)) = spoken {
            self.say(words);
        }
        // Nobody has found fault: from here on files are changed.
        let undone = self.undo_later(generation, later);
        let spoken = first_to_speak(&mut *self.group, undone.err());
        if let Some(words) = spoken.map_err(|error| error.to_string())? {
            return Err(words.unwrap_or_default());
        }
        let opened = self.open_files_again(replay.as_mut(), files);
        let spoken = first_to_speak(&mut *self.group, opened.err());
        if let Some(words) = spoken.map_err(|error| error.to_string())? {
            return Err(words.unwrap_or_default());
        }
        if let Some(replay) = &mut replay {
            self.read_origins(replay)?;
        }
        blocks::watch(true);
        if self.settings.poison {
            self.program.set_poisons(true);
        }
        self.replay = replay;
        Ok(())
    }
}

/// All differences, and the ways on.
pub(super) fn refusal(changes: &Changes, generation: u64, setting: Changed) -> String {
    let ways = if changes.acceptable() {
        "Undo the changes and compile again; or go on with them: --cccp-changes=accept; or start from the beginning, \
         beside the old generations: --cccp-restart=fresh"
    } else if setting == Changed::Accept {
        "The rows with ! cannot be accepted. Undo those and compile again; or start from the beginning, beside the old \
         generations: --cccp-restart=fresh"
    } else {
        "The rows with ! cannot be accepted. Undo those and compile again, then --cccp-changes=accept goes on with the \
         others; or start from the beginning, beside the old generations: --cccp-restart=fresh"
    };
    format!(
        "the program has changed since generation {generation} was written.\n{}\n{ways}",
        table(&changes.rows, "if accepted")
    )
}

pub(super) fn accepted(changes: &Changes, generation: u64) -> String {
    format!(
        "the program has changed since generation {generation} was written; the changes are accepted.\n{}",
        table(&changes.rows, "accepted")
    )
}
