//! A restart of a program that was changed: nothing runs before all ranks know whether it can be.
//!
//! In: a verified checkpoint. Out: a restart in progress, on all ranks or on none. Every difference is shown, once: as the
//! reason of a stop, or as what was accepted.

use crate::format::{self, File, TEXT};
use crate::memory::blocks;
use crate::restore::changes::{Changes, Known, find, table, translate};
use crate::restore::{Replay, Standing, Stop, first_to_speak, no_rank_stops, resize};
use crate::settings::{Changed, TeamSize};

use super::later::Later;
use super::library::Kept;
use super::{Session, opened};

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
        let text = self.text_changed(&file);
        let printed = format::printed(&file).ok().flatten();
        let begun = if text.is_some()
            && changes.rows.is_empty()
            && self.settings.changes == Changed::Strict
        {
            Err(strictly(generation))
        } else if changes.rows.is_empty() || accept {
            let adopted = match changes.rows.is_empty() {
                true => None,
                false => Some(translate(&mut file.checkpoint, &changes)),
            };
            if let (TeamSize::Given, Some(team), None) =
                (self.settings.threads, &self.team, &adopted)
            {
                resize(&mut file, self.functions.values(), team.threads);
            }
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
        let undo = opened::to_undo(generation);
        let moves = self.renamed_by_others(undo.as_ref().ok())?;
        let begun = begun.and_then(|mut replay| {
            let mut undo = undo?;
            undo.carry(moves);
            self.fits_fixed_heap(&mut replay)?;
            self.find_constants(&mut replay)?;
            let views = self.find_views(&mut replay, &undo)?;
            replay.views = views;
            self.same_threads(&mut replay)?;
            let files = self.find_files(&mut replay, &undo)?;
            let later = Later::look(undo, &files)?;
            Ok((replay, files, later))
        });
        let (mut replay, files, later, found) = match begun {
            Ok((replay, files, later)) => (Some(replay), files, later, Ok(())),
            Err(reason) => (None, Vec::new(), Later::default(), Err(reason)),
        };
        no_rank_stops(&mut *self.group, found)?;
        let report = match changes.rows.is_empty() {
            false => Some(accepted(&changes, generation)),
            true => text,
        };
        let spoken = first_to_speak(&mut *self.group, report).map_err(|error| error.to_string())?;
        if let Some(Some(words)) = spoken {
            self.say(words);
        }
        // Nobody has found fault: from here on files are changed.
        self.undo_later(generation, later)?;
        if let Some(printed) = printed {
            self.print_again(generation, printed);
        }
        let made = self
            .fixed_heap_again(replay.as_mut())
            .and_then(|()| self.handles_again(replay.as_mut()))
            .and_then(|()| self.locks_again_in_fixed_heap(replay.as_mut(), false))
            .and_then(|()| self.locks_again(replay.as_mut()));
        no_rank_stops(&mut *self.group, made)?;
        let opened = self.open_files_again(replay.as_mut(), files);
        let opened = opened.and_then(|()| self.views_again(replay.as_mut()));
        let opened = opened.and_then(|()| match &mut replay {
            Some(replay) => (self.streams_again_in_fixed_heap(replay))
                .and_then(|()| self.constants_again_in_fixed_heap(replay)),
            None => Ok(()),
        });
        for message in opened::keep_updated() {
            self.say(message);
        }
        no_rank_stops(&mut *self.group, opened)?;
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

impl Session {
    /// What the program's text says, for a checkpoint.
    pub(super) fn told_text(&self) -> Option<Kept> {
        (self.text != 0).then(|| Kept::number(TEXT, self.text))
    }

    /// One line when the text says something else than that of the program which wrote the checkpoint. On another kind of machine
    /// its headers may be the reason.
    fn text_changed(&self, file: &File) -> Option<String> {
        let header = &file.checkpoint.header;
        let then = format::text(file).ok().flatten()?;
        let is_known = self.text != 0 && header.machine == *self.types.machine();
        (is_known && then != self.text).then(|| {
            format!(
                "the program's text has changed since generation {} was written; nothing that a checkpoint relies on has, so the \
                 run resumes (--cccp-changes=strict stops instead)",
                header.generation
            )
        })
    }
}

/// The reason of a stop because of the text alone.
fn strictly(generation: u64) -> String {
    format!(
        "the program's text has changed since generation {generation} was written, and the setting changes is strict. Undo the \
         changes and compile again; or resume: --cccp-changes=refuse stops at what a checkpoint relies on only; or start from the \
         beginning, beside the old generations: --cccp-restart=fresh"
    )
}

/// All differences, and the ways on.
pub(super) fn refusal(changes: &Changes, generation: u64, setting: Changed) -> String {
    let ways = if changes.acceptable() {
        "Undo the changes and compile again; or resume with them: --cccp-changes=accept; or start from the beginning, \
         beside the old generations: --cccp-restart=fresh"
    } else if setting == Changed::Accept {
        "The rows with ! cannot be accepted. Undo those and compile again; or start from the beginning, beside the old \
         generations: --cccp-restart=fresh"
    } else {
        "The rows with ! cannot be accepted. Undo those and compile again, then --cccp-changes=accept resumes with the \
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
