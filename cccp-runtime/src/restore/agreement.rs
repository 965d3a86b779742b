//! Which generation all ranks restart from: the newest one that is valid on every rank (S17).
//!
//! In: what this rank has on its shelf, and what the program expects of a header. Out: the same decision on all ranks,
//! and what each of them has to say about its own files.
//!
//! The one idea: everybody names its newest valid generation below a bound, the least of these is tried by all, and
//! when one of them does not have it, the bound goes below it. Each round lowers the bound, so it ends: with one
//! reduction at the beginning, two or three per round, and one more when nothing is left. A file is read only when its
//! generation is about to be named. What makes a restart impossible travels with the same reductions, so no rank stops
//! alone. When unsure nobody restarts and nothing is touched.
//!
//! Where the program counts its messages, a generation that some are under way over is passed over like one that is
//! damaged, and rank 0 says so: the numbers of all ranks are summed up, once per round. A program that does not count does
//! not restart from such a generation either.
//!
//! A file that is missing, damaged or of another generation than its place says makes all ranks take an older one, and
//! is named. One of another program, another number of ranks or other arguments stops all. A fresh start is for those
//! who have never had a complete generation: where a mark in the directory says that there was one, all ranks stop.
//!
//! Not here: reading files (`format`), the decision about a retry, the restart itself (`replay`).

use super::replay::Stop;
use crate::comm::{CommError, Group};
use crate::format::{FormatError, Header, Messages};

/// What one rank has in its directory.
pub trait Shelf {
    /// What is there, or why that cannot be known.
    fn look(&mut self) -> Result<Stock, String>;

    /// Reads and verifies the file of a generation.
    fn examine(&mut self, generation: u64) -> Result<Examined, FormatError>;
}

/// What a verified file says that all ranks have to agree on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examined {
    /// Who wrote it.
    pub header: Header,
    /// What that rank had counted of its messages, where the program counts them.
    pub messages: Option<Messages>,
    /// How often its program had met loops and conditions around checkpoints, where it counts that.
    pub turns: Option<u64>,
}

/// What is there, without a look into the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stock {
    /// The generations with a file of this rank under its final name, newest first.
    pub generations: Vec<u64>,
    /// The last generation of a run that was completed on this rank; 0 when there is none.
    pub completed: u64,
    /// The newest generation that this rank can see files of, whosever they are; 0 when there is none.
    pub used: u64,
    /// A generation that all ranks are known to have had; 0 when there is none.
    pub whole: u64,
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
    /// The program counts its messages, on any rank. The same on all ranks.
    pub counts: bool,
    /// Ranks that passed their checkpoints on different ways are not restarted.
    pub compares: bool,
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
    let (stock, unknown) = match shelf.look() {
        Ok(stock) => (stock, None),
        Err(reason) => (Stock::default(), Some(reason)),
    };
    let newest = stock.generations.first().copied().unwrap_or(0);
    let (rank, size) = (group.rank(), group.size());
    let mut known = [
        speaker(rank, &unknown),
        number(stock.completed),
        -number(newest),
        -number(newest.max(stock.completed).max(stock.used).max(stock.whole)),
        -number(stock.whole),
    ];
    group.min(&mut known)?;
    let [stops, completed, newest_of_all, used, whole] = known;
    let mut search = Search {
        rank,
        size,
        shelf,
        expected,
        generations: stock.generations,
        completed: completed.unsigned_abs(),
        newest_of_all: newest_of_all.unsigned_abs(),
        whole: whole.unsigned_abs(),
        notes: Vec::new(),
        damaged: None,
        crossed: None,
    };
    let decision = match spoken(rank, stops, unknown) {
        Some(reason) => Decision::Stop(reason),
        None if expected.mode == Mode::Fresh => Decision::Fresh,
        None => search.decide(group)?,
    };
    search.note_missing(&decision);
    Ok(Agreement {
        decision,
        next: used.unsigned_abs() + 1,
        notes: search.notes,
    })
}

/// The search of one rank.
struct Search<'a> {
    rank: u32,
    size: u32,
    shelf: &'a mut dyn Shelf,
    expected: &'a Expected<'a>,
    generations: Vec<u64>,
    completed: u64,
    newest_of_all: u64,
    whole: u64,
    notes: Vec<String>,
    /// The newest generation that cannot be used, and why.
    damaged: Option<String>,
    /// The newest generation that messages cross, and how that is known. The same on all ranks.
    crossed: Option<String>,
}

impl Search<'_> {
    fn decide(&mut self, group: &mut dyn Group) -> Result<Decision, CommError> {
        let mut bound = u64::MAX;
        loop {
            let found = self.newest_valid(bound);
            let refusal = found.as_ref().and_then(|file| self.refusal(&file.header));
            let candidate = found.as_ref().map_or(0, |file| file.header.generation);
            let mut values = [speaker(self.rank, &refusal), number(candidate)];
            group.min(&mut values)?;
            // All ranks stop when one has to.
            if let Some(reason) = spoken(self.rank, values[0], refusal) {
                return Ok(Decision::Stop(reason));
            }
            let newest = values[1].unsigned_abs();
            if newest == 0 {
                return self.nothing_in_common(group);
            }
            let file = match candidate == newest {
                true => found,
                false => self.valid(newest),
            };
            let refusal = file.as_ref().and_then(|file| self.refusal(&file.header));
            let messages = file.as_ref().and_then(|file| file.messages);
            let waiting = messages.filter(|one| one.in_flight > 0);
            let waiting = waiting.map(|_| String::new());
            let turns = file.as_ref().and_then(|file| file.turns);
            let turns = turns.filter(|_| self.expected.compares);
            let turns = turns.map(|turns| i64::try_from(turns).unwrap_or(i64::MAX));
            let mut values = [
                speaker(self.rank, &refusal),
                i64::from(file.is_some()),
                -i64::from(self.expected.counts || messages.is_some()),
                i64::from(messages.is_some()),
                speaker(self.rank, &waiting),
                turns.unwrap_or(i64::MAX),
                turns.map_or(i64::MAX, |turns| -turns),
            ];
            group.min(&mut values)?;
            let [stops, valid, counts, counted, waits, least, opposite] = values;
            let are_apart = opposite != i64::MAX && least != -opposite;
            if let Some(reason) = spoken(self.rank, stops, refusal) {
                return Ok(Decision::Stop(reason));
            }
            if valid == 1 {
                let why = match counts {
                    0 => are_apart.then(|| APART.to_string()),
                    _ if counted == 0 => Some(UNCOUNTED.to_string()),
                    _ if waits != NOBODY => Some(format!("rank {waits} had requests in flight")),
                    _ => {
                        let mut sum = [messages.map_or(0, |one| one.number)];
                        group.sum(&mut sum)?;
                        (sum[0] != 0).then(|| CROSSED.to_string())
                    }
                };
                match why {
                    None => return Ok(Decision::Restart(newest)),
                    Some(why) => self.pass(newest, &why),
                }
            }
            bound = newest - 1;
        }
    }

    /// The newest valid generation up to `bound`, if there is one after the last completed run.
    fn newest_valid(&mut self, bound: u64) -> Option<Examined> {
        let completed = self.completed;
        let all = self.generations.clone().into_iter();
        let mut some = all.filter(|&one| one <= bound && one > completed);
        some.find_map(|generation| self.valid(generation))
    }

    /// A generation that is valid on all ranks and cannot be used all the same.
    fn pass(&mut self, generation: u64, why: &str) {
        let words = format!("generation {generation} is passed over: {why}");
        if self.rank == 0 {
            self.notes.push(words.clone());
        }
        self.crossed.get_or_insert(words);
    }

    /// The file of a generation, if it is there and what it should be.
    fn valid(&mut self, generation: u64) -> Option<Examined> {
        if !self.generations.contains(&generation) {
            return None;
        }
        let problem = match self.shelf.examine(generation) {
            Ok(file) if file.header.generation == generation => return Some(file),
            Ok(file) => format!(
                "cannot be used: the file holds generation {}",
                file.header.generation
            ),
            Err(error @ FormatError::Damaged { .. }) => format!("is {error}"),
            Err(error) => format!("cannot be used: {error}"),
        };
        let note = format!("generation {generation} of rank {} {problem}", self.rank);
        if !self.notes.contains(&note) {
            self.damaged.get_or_insert_with(|| note.clone());
            self.notes.push(note);
        }
        None
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
                 --cccp-restart=force restarts all the same, with the values of the checkpoint; {FRESH}",
                shown(&header.arguments),
                shown(self.expected.arguments)
            ));
        }
        None
    }

    /// No generation is there on all ranks. That is a fresh start, unless there must have been one.
    fn nothing_in_common(&mut self, group: &mut dyn Group) -> Result<Decision, CommError> {
        // All ranks know, so rank 0 speaks.
        if let Some(crossed) = &self.crossed {
            let words = format!("{crossed}; there is no older generation to restart from; {FRESH}");
            return Ok(Decision::Stop((self.rank == 0).then_some(words)));
        }
        let damage = self.damaged.clone().map(|newest| {
            format!("{newest}; there is no older generation that is valid on all ranks; {FRESH}")
        });
        let was_whole = self.whole > self.completed;
        let is_missed = was_whole && (self.lacks_newest() || self.newest_of_all == 0);
        let missing = is_missed.then(|| {
            format!(
                "rank {} has no file of generation {}, and there is none that all ranks have, although all ranks had \
                 generation {}; restore its files; {FRESH}",
                self.rank,
                self.newest_of_all.max(self.whole),
                self.whole
            )
        });
        let mut values = [speaker(self.rank, &damage), speaker(self.rank, &missing)];
        group.min(&mut values)?;
        let stop = match spoken(self.rank, values[0], damage) {
            None => spoken(self.rank, values[1], missing),
            stop => stop,
        };
        Ok(stop.map_or(Decision::Fresh, Decision::Stop))
    }

    fn lacks_newest(&self) -> bool {
        !self.generations.contains(&self.newest_of_all)
    }

    /// Says that the newest generation was passed over because this rank does not have it.
    fn note_missing(&mut self, decision: &Decision) {
        let taken = match decision {
            Decision::Restart(generation) => *generation,
            Decision::Fresh if self.expected.mode != Mode::Fresh => self.completed,
            Decision::Fresh | Decision::Stop(_) => return,
        };
        if self.newest_of_all > taken && self.lacks_newest() {
            self.notes.push(format!(
                "rank {} has no file of generation {}",
                self.rank, self.newest_of_all
            ));
        }
    }
}

/// The way on when no generation can be used.
const FRESH: &str = "--cccp-restart=fresh starts from the beginning, beside the old generations";

/// Why a generation is passed over whose numbers do not come to 0.
const CROSSED: &str = "messages between ranks were in flight when it was taken";
/// Why one is passed over when nobody knows.
const UNCOUNTED: &str = "messages between ranks may have been in flight when it was taken; the program that took it did \
                         not count them, on some rank";

/// Why one is passed over that ranks came to on different ways.
const APART: &str = "the ranks were at different moments when it was taken: they pass checkpoints unequally often. Put the \
                     checkpoint where all pass it equally often, write `checkpoint messages(counted)`, or set moments = trust \
                     where the ranks exchange nothing between checkpoints";

/// Nobody has anything to say.
const NOBODY: i64 = u32::MAX as i64;

/// What a rank brings to the question who speaks.
fn speaker(rank: u32, words: &Option<String>) -> i64 {
    words.as_ref().map_or(NOBODY, |_| i64::from(rank))
}

/// None when nobody speaks; otherwise the words, on the rank that does.
fn spoken(rank: u32, speaker: i64, words: Option<String>) -> Option<Option<String>> {
    let mine = speaker == i64::from(rank);
    (speaker != NOBODY).then(|| words.filter(|_| mine))
}

/// The first of the ranks that have something to say says it. None when nobody has; otherwise the words, on that rank
/// only.
pub fn first_to_speak(
    group: &mut dyn Group,
    words: Option<String>,
) -> Result<Option<Option<String>>, CommError> {
    let rank = group.rank();
    let mut values = [speaker(rank, &words)];
    group.min(&mut values)?;
    Ok(spoken(rank, values[0], words))
}

/// An error on all ranks where any of them has one: its words on the first of those, none on the others.
pub fn no_rank_stops(group: &mut dyn Group, done: Result<(), Stop>) -> Result<(), Stop> {
    let spoken = first_to_speak(group, done.err()).map_err(|error| error.to_string())?;
    spoken.map_or(Ok(()), |words| Err(words.unwrap_or_default()))
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
