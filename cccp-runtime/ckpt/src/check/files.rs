//! Reads files to the last byte.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use cccp::format::{FormatError, Messages};
use cccp::store::{Directory, FileSystem, Problem, StoreError, open_watched, salvage};

use super::verdict::{State, Verdict};
use crate::output::Progress;
use crate::select::Generation;

/// Missing files that are named one by one.
const MOST_MISSING: u32 = 1000;

/// Checks a file that lies anywhere.
pub fn check_file(path: &Path, progress: &Arc<Progress>) -> Verdict {
    let watch = progress.clone();
    let opened = open_watched(
        &FileSystem,
        path,
        Arc::new(move |bytes| watch.advance(bytes)),
    );
    let (bytes, state, messages) = match opened {
        Ok(file) => match Messages::of(&file) {
            Ok(messages) => (file.length, State::Good, messages),
            Err(error) => (file.length, State::Strange(error.to_string()), None),
        },
        Err(error) => {
            let (bytes, state) = judge(path, &error);
            (bytes, state, None)
        }
    };
    Verdict {
        path: path.to_path_buf(),
        generation: None,
        rank: None,
        bytes,
        state,
        messages,
    }
}

/// Length of a file that could not be opened, as far as it is known, and what it is.
fn judge(path: &Path, error: &StoreError) -> (u64, State) {
    let reason = error.problem.to_string();
    match &error.problem {
        _ if error.is_missing() => return (0, State::Missing),
        Problem::System(_)
        | Problem::Contents(FormatError::Storage { .. } | FormatError::Newer { .. }) => {
            return (0, State::Unread(reason));
        }
        Problem::Contents(_) => {}
    }
    let Ok(remains) = salvage(&FileSystem, path) else {
        let parts = Vec::new();
        let registers = (0, 0);
        return (
            0,
            State::Damaged {
                reason,
                parts,
                registers,
            },
        );
    };
    let sound = remains
        .file
        .iter()
        .flat_map(|file| &file.checkpoint.sections)
        .map(|section| section.registers.len())
        .sum();
    let state = State::Damaged {
        reason,
        registers: (sound, remains.registers.len()),
        parts: remains.damage,
    };
    (remains.length, state)
}

/// Checks all files of a generation, those that are missing included, in the order of ranks.
pub fn check_generation(
    directory: &Directory,
    generation: &Generation,
    progress: &Arc<Progress>,
) -> Vec<Verdict> {
    let mut verdicts = BTreeMap::new();
    for file in &generation.files {
        let mut verdict = check_file(&directory.file(generation.number, file.rank), progress);
        if let (State::Good, Some(doubt)) = (&verdict.state, generation.doubt(file)) {
            verdict.state = State::Strange(doubt);
        }
        verdicts.insert(file.rank, verdict);
    }
    // A header may claim any number of ranks.
    let there = generation.files.len() as u32;
    let claimed = generation.size().unwrap_or(0);
    for rank in 0..claimed.min(there.saturating_add(MOST_MISSING)) {
        verdicts.entry(rank).or_insert_with(|| Verdict {
            path: directory.file(generation.number, rank),
            generation: None,
            rank: None,
            bytes: 0,
            state: State::Missing,
            messages: None,
        });
    }
    let placed = verdicts.into_iter().map(|(rank, verdict)| Verdict {
        generation: Some(generation.number),
        rank: Some(rank),
        ..verdict
    });
    placed.collect()
}
