//! Which generation all ranks restart from: the newest one that is valid on every rank (S17).
//!
//! In: what this rank has on its shelf, and what the program expects of a header. Out: the same decision on all ranks,
//! and what each of them has to say about its own files.
//!
//! The one idea: everybody names its newest valid generation below a bound, the least of these is tried by all, and
//! when one of them does not have it, the bound goes below it. Each round lowers the bound, so it ends. A file is
//! read only when its generation is about to be named. What makes a restart impossible travels with the same
//! reductions, so no rank stops alone. When unsure nobody restarts and nothing is touched.
//!
//! Not here: reading files (`format`), the decision about a retry, the restart itself (`replay`).

use crate::comm::{CommError, Group};
use crate::format::{FormatError, Header};

/// What one rank has in its directory.
pub trait Shelf {
    /// The generations with a file of this rank under its final name, newest first.
    fn generations(&self) -> Vec<u64>;

    /// Reads and verifies the file of a generation; its header.
    fn examine(&mut self, generation: u64) -> Result<Header, FormatError>;

    /// The last generation of a run that was completed on this rank; 0 when there is none.
    fn completed(&self) -> u64;
}

/// What the setting `restart` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Restart when there is something to restart from.
    Auto,
    /// The same, although the program's arguments differ.
    Force,
    /// Start from the beginning, beside the old generations.
    Fresh,
}

/// What the program expects a header to say.
#[derive(Clone, Debug)]
pub struct Expected<'a> {
    /// The program's name.
    pub program: &'a str,
    /// Its arguments after the library took its own.
    pub arguments: &'a [Vec<u8>],
    /// What the user asked for.
    pub mode: Mode,
}

/// What all ranks do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// From the beginning.
    Fresh,
    /// From this generation.
    Restart(u64),
    /// A restart is impossible. The explanation is there on the one rank that has to give it.
    Stop(Option<String>),
}

/// The result on one rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// The same on all ranks.
    pub decision: Decision,
    /// The number of the next generation, the same on all ranks: never one that was used before.
    pub next: u64,
    /// What this rank has to say about its own files.
    pub notes: Vec<String>,
}

/// Comes to a decision with all ranks. All ranks call it at the same time.
pub fn agree(
    group: &mut dyn Group,
    shelf: &mut dyn Shelf,
    expected: &Expected<'_>,
) -> Result<Agreement, CommError> {
    let newest = shelf.generations().first().copied().unwrap_or(0);
    let mut known = [
        number(shelf.completed()),
        -number(newest.max(shelf.completed())),
    ];
    group.min(&mut known)?;
    let completed = known[0].unsigned_abs();
    let newest_of_all = known[1].unsigned_abs();
    let next = newest_of_all + 1;
    let mut search = Search {
        rank: group.rank(),
        size: group.size(),
        shelf,
        expected,
        completed,
        notes: Vec::new(),
        damaged: None,
    };
    let decision = if expected.mode == Mode::Fresh {
        Decision::Fresh
    } else {
        search.decide(group)?
    };
    if let Decision::Restart(generation) = decision
        && newest_of_all > generation
        && newest < newest_of_all
    {
        let note = format!(
            "rank {} has no file of generation {newest_of_all}",
            search.rank
        );
        search.notes.push(note);
    }
    Ok(Agreement {
        decision,
        next,
        notes: search.notes,
    })
}

/// The search of one rank.
struct Search<'a> {
    rank: u32,
    size: u32,
    shelf: &'a mut dyn Shelf,
    expected: &'a Expected<'a>,
    completed: u64,
    notes: Vec<String>,
    /// The newest generation that cannot be used, and why.
    damaged: Option<String>,
}

impl Search<'_> {
    fn decide(&mut self, group: &mut dyn Group) -> Result<Decision, CommError> {
        let mut bound = u64::MAX;
        loop {
            let found = self.newest_valid(bound);
            let refusal = found.as_ref().and_then(|(_, header)| self.refusal(header));
            let candidate = found.map_or(0, |(generation, _)| generation);
            // All ranks stop when one has to.
            if let Some(reason) = first_to_speak(group, refusal)? {
                return Ok(Decision::Stop(reason));
            }
            let mut least = [number(candidate)];
            group.min(&mut least)?;
            let least = least[0].unsigned_abs();
            if least == 0 {
                return self.nothing_in_common(group);
            }
            let mine = if candidate == least {
                true
            } else {
                self.valid(least)
                    .is_some_and(|header| self.refusal(&header).is_none())
            };
            let mut all = [i64::from(mine)];
            group.min(&mut all)?;
            if all[0] == 1 {
                return Ok(Decision::Restart(least));
            }
            bound = least - 1;
        }
    }

    /// The newest valid generation up to `bound`, if there is one after the last completed run.
    fn newest_valid(&mut self, bound: u64) -> Option<(u64, Header)> {
        let all = self.shelf.generations();
        let completed = self.completed;
        let mut some = all
            .into_iter()
            .filter(|&one| one <= bound && one > completed);
        some.find_map(|generation| self.valid(generation).map(|header| (generation, header)))
    }

    /// The header of a generation, if its file is there and intact.
    fn valid(&mut self, generation: u64) -> Option<Header> {
        if !self.shelf.generations().contains(&generation) {
            return None;
        }
        match self.shelf.examine(generation) {
            Ok(header) => Some(header),
            Err(error) => {
                let rank = self.rank;
                let word = match error {
                    FormatError::Damaged { .. } => "is",
                    _ => "cannot be used:",
                };
                let note = format!("generation {generation} of rank {rank} {word} {error}");
                if !self.notes.contains(&note) {
                    self.damaged.get_or_insert_with(|| note.clone());
                    self.notes.push(note);
                }
                None
            }
        }
    }

    /// Why the program must not restart from a file with this header.
    fn refusal(&self, header: &Header) -> Option<String> {
        let generation = header.generation;
        if header.program != self.expected.program {
            return Some(format!(
                "generation {generation} was written by the program {}, this is {}; \
                 give each its own directory with the setting dir",
                header.program, self.expected.program
            ));
        }
        if header.size != self.size {
            return Some(format!(
                "generation {generation} was written by {}, this run has {}; \
                 start it with {}",
                ranks(header.size),
                ranks(self.size),
                ranks(header.size)
            ));
        }
        if header.rank != self.rank {
            return Some(format!(
                "the file of rank {} in generation {generation} was written by rank {}",
                self.rank, header.rank
            ));
        }
        if header.arguments != self.expected.arguments && self.expected.mode != Mode::Force {
            return Some(format!(
                "generation {generation} was written with the arguments [{}], this run has [{}]; \
                 --cccp-restart=force restarts all the same, with the values of the checkpoint; \
                 --cccp-restart=fresh starts from the beginning, beside the old generations",
                shown(&header.arguments),
                shown(self.expected.arguments)
            ));
        }
        None
    }

    /// No generation is there on all ranks. That is a fresh start, unless the reason is damage.
    fn nothing_in_common(&mut self, group: &mut dyn Group) -> Result<Decision, CommError> {
        let reason = self.damaged.clone().map(|newest| {
            format!(
                "{newest}; there is no older generation that is valid on all ranks; \
                 --cccp-restart=fresh starts from the beginning, beside the old generations"
            )
        });
        Ok(first_to_speak(group, reason)?.map_or(Decision::Fresh, Decision::Stop))
    }
}

/// The first of the ranks that have something to say says it. None when nobody has; otherwise the words, on that rank
/// only.
pub fn first_to_speak(
    group: &mut dyn Group,
    words: Option<String>,
) -> Result<Option<Option<String>>, CommError> {
    let nobody = i64::from(u32::MAX);
    let rank = i64::from(group.rank());
    let mut speaker = [words.as_ref().map_or(nobody, |_| rank)];
    group.min(&mut speaker)?;
    let mine = speaker[0] == rank;
    Ok((speaker[0] != nobody).then(|| words.filter(|_| mine)))
}

/// "1 rank", "2 ranks".
fn ranks(count: u32) -> String {
    format!("{count} rank{}", if count == 1 { "" } else { "s" })
}

/// Arguments for people.
fn shown(arguments: &[Vec<u8>]) -> String {
    let words: Vec<_> = arguments
        .iter()
        .map(|word| String::from_utf8_lossy(word))
        .collect();
    words.join(" ")
}

/// A generation as a number that can be reduced.
fn number(generation: u64) -> i64 {
    i64::try_from(generation).unwrap_or(i64::MAX)
}
