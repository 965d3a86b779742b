//! Four ranks, three generations, and every file good, missing, corrupt or older than its place says: 64^4 patterns.
//!
//! What a rank does depends on its own files, its number and the results of the reductions, and on nothing else. So
//! each step of each rank is computed once, by running [`agree`] up to there, and remembered in a tree whose branches
//! are the results; a pattern is then a walk through four trees at once. Ranks are interchangeable but for the question
//! who speaks, so the 766 480 ways to choose four of 64 shelves stand for all 16 777 216 patterns, each in another order
//! of ranks than the one before; `CCCP_TEST_EVERYTHING=1` walks through all of them.
//!
//! The oracle looks at the pattern as a whole: the newest generation that is good everywhere, or a stop when there must
//! have been one, or a fresh start when nothing is lost. An older file is one of another generation under this name (to
//! be passed over like damage), or one of a run with other arguments (to be refused), or one of a moment when messages were
//! under way (to be passed over).

use crate::comm::in_turn::{Brought, attempt};
use crate::format::{Encoding, FormatError, Header, Machine, Messages, Site};
use crate::restore::{Decision, Examined, Expected, Mode, Shelf, Stock, agree};

const SIZE: u32 = 4;
/// Files that a shelf can have: four kinds in three generations.
const SHELVES: usize = 64;
/// One at the beginning, three in each of three rounds, two when nothing is left: more would be a hang.
const REDUCTIONS: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Good,
    Missing,
    Corrupt,
    Older,
}

/// What the kind `Older` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Older {
    Generation,
    Arguments,
    /// Not older, but with messages under way, as far as this rank knows.
    Crossed,
}

/// A shelf by its number: the kinds of the files, the oldest first.
fn kinds(shelf: usize) -> [Kind; 3] {
    let all = [Kind::Good, Kind::Missing, Kind::Corrupt, Kind::Older];
    [0, 1, 2].map(|place| all[shelf >> (2 * place) & 3])
}

/// The files of one rank in the three generations after `base`.
struct Files {
    rank: u32,
    base: u64,
    kinds: [Kind; 3],
    older: Older,
}

impl Shelf for Files {
    fn look(&mut self) -> Result<Stock, String> {
        let there = (self.base + 1..).zip(self.kinds);
        let there = there.filter(|(_, kind)| *kind != Kind::Missing);
        let mut generations: Vec<u64> = there.map(|(generation, _)| generation).collect();
        generations.reverse();
        Ok(Stock {
            used: generations.first().copied().unwrap_or(0),
            // The mark lies beside the files, and is lost with all of them.
            whole: if generations.is_empty() { 0 } else { self.base },
            generations,
            completed: 0,
        })
    }

    fn examine(&mut self, generation: u64) -> Result<Examined, FormatError> {
        let kind = self.kinds[(generation - self.base - 1) as usize];
        let other = |older| kind == Kind::Older && self.older == older;
        if kind == Kind::Corrupt {
            let reason = "a checksum differs".to_string();
            return Err(FormatError::Damaged { offset: 7, reason });
        }
        let counted = match (other(Older::Crossed), self.rank) {
            (false, _) => Some((0, 0)),
            (true, 3) => None,
            (true, 2) => Some((0, 1)),
            (true, rank) => Some((1 + u64::from(rank), 0)),
        };
        let messages = counted.map(|(number, in_flight)| Messages { number, in_flight });
        let header = Header {
            program: "heat".to_string(),
            fingerprint: 5,
            arguments: vec![if other(Older::Arguments) { b"7" } else { b"9" }.to_vec()],
            rank: self.rank,
            size: SIZE,
            generation: generation - u64::from(other(Older::Generation)),
            time: 0,
            machine: Machine::host(),
            encoding: Encoding::Xdr,
            site: Site::default(),
        };
        Ok(Examined {
            header,
            messages: messages.filter(|_| self.older == Older::Crossed),
            turns: None,
        })
    }
}

/// Numbers of a reduction, as words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    is_sum: bool,
    count: usize,
    words: [i64; 7],
}

impl Numbers {
    fn of(brought: &Brought) -> Numbers {
        let (is_sum, all): (bool, Vec<i64>) = match brought {
            Brought::Min(values) => (false, values.clone()),
            Brought::Sum(values) => (true, values.iter().map(|one| one.cast_signed()).collect()),
        };
        let mut words = [0; 7];
        words[..all.len()].copy_from_slice(&all);
        Numbers {
            is_sum,
            count: all.len(),
            words,
        }
    }

    /// The result with what another rank brings.
    fn with(mut self, other: Numbers) -> Numbers {
        assert_eq!((self.is_sum, self.count), (other.is_sum, other.count));
        for (own, other) in self.words.iter_mut().zip(other.words) {
            *own = match self.is_sum {
                true => own.wrapping_add(other),
                false => other.min(*own),
            };
        }
        self
    }

    fn brought(self) -> Brought {
        let words = self.words[..self.count].iter().copied();
        match self.is_sum {
            true => Brought::Sum(words.map(i64::cast_unsigned).collect()),
            false => Brought::Min(words.collect()),
        }
    }
}

/// A rank at a place on its way.
enum Step {
    /// It brings numbers, and goes on by what comes out.
    Brings(Numbers, Vec<(Numbers, usize)>),
    /// It has a result.
    Ends(End),
}

#[derive(Clone, Copy, Debug)]
struct End {
    /// None is a stop.
    decision: Option<u64>,
    /// It gives the reason for a stop.
    speaks: bool,
    next: u64,
    notes: usize,
}

/// All that ranks do with shelves of one kind.
struct Trees {
    base: u64,
    older: Older,
    steps: Vec<Step>,
    /// Where a rank with a shelf begins.
    roots: Vec<usize>,
}

impl Trees {
    fn new(base: u64, older: Older) -> Trees {
        let mut trees = Trees {
            base,
            older,
            steps: Vec::new(),
            roots: Vec::new(),
        };
        for rank in 0..SIZE {
            for shelf in 0..SHELVES {
                let root = trees.grow(rank, shelf, &[]);
                trees.roots.push(root);
            }
        }
        trees
    }

    /// What a rank does after these results.
    fn grow(&mut self, rank: u32, shelf: usize, known: &[Brought]) -> usize {
        let mut files = Files {
            rank,
            base: self.base,
            kinds: kinds(shelf),
            older: self.older,
        };
        let expected = Expected {
            program: "heat",
            arguments: &[b"9".to_vec()],
            mode: Mode::Auto,
            counts: self.older == Older::Crossed,
            compares: true,
        };
        let tried = attempt(rank, SIZE, known, |group| {
            agree(group, &mut files, &expected)
        });
        self.steps.push(match tried {
            Err(brought) => Step::Brings(Numbers::of(&brought), Vec::new()),
            Ok(agreement) => Step::Ends(End {
                decision: match agreement.decision {
                    Decision::Fresh => Some(0),
                    Decision::Restart(generation) => Some(generation),
                    Decision::Stop(_) => None,
                },
                speaks: matches!(&agreement.decision, Decision::Stop(Some(words)) if words.contains("generation")),
                next: agreement.next,
                notes: agreement.notes.len(),
            }),
        });
        self.steps.len() - 1
    }

    /// The results of four ranks with these shelves.
    fn walk(&mut self, shelves: [usize; 4]) -> [End; 4] {
        let mut at = [0, 1, 2, 3].map(|rank| self.roots[rank * SHELVES + shelves[rank]]);
        let mut known: Vec<Brought> = Vec::new();
        loop {
            let (mut result, mut ends) = (None, 0);
            for place in at {
                match &self.steps[place] {
                    Step::Ends(_) => ends += 1,
                    Step::Brings(numbers, _) => {
                        result = Some(result.map_or(*numbers, |one: Numbers| one.with(*numbers)));
                    }
                }
            }
            let Some(result) = result else {
                return at.map(|place| match self.steps[place] {
                    Step::Ends(end) => end,
                    Step::Brings(..) => unreachable!("all have ended"),
                });
            };
            assert_eq!(ends, 0, "{shelves:?}: some ranks wait for ever");
            assert!(known.len() < REDUCTIONS, "{shelves:?}: no end");
            known.push(result.brought());
            for rank in 0..4 {
                at[rank] = self.follow(at[rank], result, (rank as u32, shelves[rank]), &known);
            }
        }
    }

    fn follow(
        &mut self,
        at: usize,
        result: Numbers,
        (rank, shelf): (u32, usize),
        known: &[Brought],
    ) -> usize {
        let Step::Brings(_, branches) = &self.steps[at] else {
            unreachable!("nobody has ended");
        };
        if let Some((_, next)) = branches.iter().find(|(values, _)| *values == result) {
            return *next;
        }
        let next = self.grow(rank, shelf, known);
        if let Step::Brings(_, branches) = &mut self.steps[at] {
            branches.push((result, next));
        }
        next
    }
}

/// For each shelf, a bit per generation: where there is a file, where it is good, where it is damaged or older.
struct Oracle {
    base: u64,
    older: Older,
    there: [u8; SHELVES],
    good: [u8; SHELVES],
    other: [u8; SHELVES],
}

impl Oracle {
    fn new(base: u64, older: Older) -> Oracle {
        let bits = |wanted: fn(Kind) -> bool| {
            std::array::from_fn(|shelf| {
                let kinds = kinds(shelf).into_iter().enumerate();
                kinds.fold(0, |bits, (place, kind)| {
                    bits | u8::from(wanted(kind)) << place
                })
            })
        };
        Oracle {
            base,
            older,
            there: bits(|kind| kind != Kind::Missing),
            good: bits(|kind| kind == Kind::Good),
            other: bits(|kind| kind == Kind::Older),
        }
    }

    /// Whether the results of these four are what they should be.
    fn agrees(&self, shelves: [usize; 4], ends: [End; 4]) -> bool {
        let first = ends[0];
        let same = |end: End| (end.decision, end.next) == (first.decision, first.next);
        let over = |bits: &[u8; SHELVES], join: fn(u8, u8) -> u8| {
            let [one, two, three, four] = shelves.map(|shelf| bits[shelf]);
            join(join(one, two), join(three, four))
        };
        let newest = |bits: u8| match bits {
            0 => 0,
            bits => self.base + 8 - u64::from(bits.leading_zeros()),
        };
        let any = newest(over(&self.there, |one, two| one | two));
        let common = newest(over(&self.good, |one, two| one & two));
        // A generation that all ranks have, though not all of them a good one, is not lost by a fresh start.
        let spoilt = over(&self.there, |one, two| one & two) != 0;
        let notes: usize = ends.iter().map(|end| end.notes).sum();
        let speakers = ends.iter().filter(|end| end.speaks).count();
        let refused =
            self.older == Older::Arguments && shelves.iter().any(|&shelf| self.other[shelf] != 0);
        let damaged = shelves
            .iter()
            .any(|&shelf| self.there[shelf] != self.good[shelf]);
        let lost = self.base > 0 && any > 0;
        let decided = match first.decision {
            None => speakers == 1 && (refused || common == 0 && (lost || damaged)),
            Some(0) => speakers == 0 && common == 0 && !spoilt && !lost,
            Some(generation) => generation == common,
        };
        let told = first.decision.is_none_or(|taken| taken == any || notes > 0);
        ends.iter().all(|end| same(*end)) && first.next == any + 1 && decided && told
    }
}

/// Walks through all patterns.
fn examine(base: u64, older: Older) -> (u64, [u64; 3]) {
    let (mut trees, oracle) = (Trees::new(base, older), Oracle::new(base, older));
    let (mut count, mut outcomes) = (0, [0; 3]);
    let mut one = |shelves: [usize; 4]| {
        let ends = trees.walk(shelves);
        assert!(
            oracle.agrees(shelves, ends),
            "{base}, {older:?}, {:?}: {ends:#?}",
            shelves.map(kinds)
        );
        count += 1;
        outcomes[match ends[0].decision {
            None => 2,
            Some(0) => 1,
            Some(_) => 0,
        }] += 1;
        count
    };
    let everything = std::env::var_os("CCCP_TEST_EVERYTHING").is_some();
    let from = |shelf: usize| if everything { 0 } else { shelf };
    for first in 0..SHELVES {
        for second in from(first)..SHELVES {
            for third in from(second)..SHELVES {
                for fourth in from(third)..SHELVES {
                    let turn = first + second + third + fourth;
                    let mut shelves = [first, second, third, fourth];
                    if !everything {
                        shelves.rotate_left(turn % 4);
                        shelves.swap(turn / 4 % 4, turn / 16 % 4);
                    }
                    one(shelves);
                }
            }
        }
    }
    (count, outcomes)
}

fn report(name: &str, base: u64, older: Older) {
    let (count, [restarts, fresh, stops]) = examine(base, older);
    println!(
        "{name}: {count} patterns of damage examined, {restarts} restarts, {fresh} fresh starts, {stops} stops"
    );
    assert!(count >= 766_480 && restarts > 0 && fresh > 0 && stops > 0);
}

#[test]
fn s17_every_pattern_of_damage_ends_in_the_newest_common_generation_or_a_stop() {
    report("generations 41 to 43", 40, Older::Generation);
}

#[test]
fn s05_every_pattern_of_damage_in_the_first_generations_ends_the_same_on_all_ranks() {
    report("generations 1 to 3", 0, Older::Generation);
}

#[test]
fn s05_every_pattern_with_files_of_other_arguments_restarts_or_stops() {
    report("other arguments", 40, Older::Arguments);
}

#[test]
fn s17_every_pattern_of_messages_under_way_ends_in_the_newest_generation_without_any_or_a_stop() {
    report("messages under way", 40, Older::Crossed);
}

#[test]
fn s17_every_pattern_of_messages_under_way_in_the_first_generations_ends_the_same_on_all_ranks() {
    report(
        "messages under way in the first generations",
        0,
        Older::Crossed,
    );
}
