//! The agreement, with ranks that are threads.

use std::collections::BTreeMap;
use std::thread;

use super::agreement::{
    Agreement, Decision, Examined, Expected, Mode, Shelf, Stock, agree, no_rank_stops,
};
use crate::comm::in_turn::in_turn;
use crate::comm::{brought, threads};
use crate::format::{Encoding, FormatError, Header, Machine, Messages, Site};

/// The files of one rank: valid with a header, or damaged.
#[derive(Clone, Default)]
struct Files {
    files: BTreeMap<u64, Option<Header>>,
    completed: u64,
    /// The newest number in use by ranks that this job does not have.
    used: u64,
    /// A generation that is known to have been complete.
    whole: u64,
    /// What the files say of messages; nothing in the others.
    messages: BTreeMap<u64, Messages>,
}

impl Shelf for Files {
    fn look(&mut self) -> Result<Stock, String> {
        let generations: Vec<u64> = self.files.keys().rev().copied().collect();
        Ok(Stock {
            used: generations.first().copied().unwrap_or(0).max(self.used),
            generations,
            completed: self.completed,
            whole: self.whole,
        })
    }

    fn examine(&mut self, generation: u64) -> Result<Examined, FormatError> {
        let header = self.files[&generation]
            .clone()
            .ok_or(FormatError::Damaged {
                offset: 7,
                reason: "a checksum differs".to_owned(),
            })?;
        Ok(Examined {
            header,
            messages: self.messages.get(&generation).copied(),
            turns: None,
        })
    }
}

fn header(generation: u64, rank: u32, size: u32) -> Header {
    Header {
        program: "heat".to_owned(),
        fingerprint: 5,
        arguments: vec![b"100".to_vec()],
        rank,
        size,
        generation,
        time: 0,
        machine: Machine::host(),
        encoding: Encoding::Xdr,
        site: Site::default(),
    }
}

/// One rank's files: numbers are valid generations, negative ones damaged.
fn files(rank: u32, size: u32, generations: &[i64]) -> Files {
    let file = |&generation: &i64| {
        let number = generation.unsigned_abs();
        (number, (generation > 0).then(|| header(number, rank, size)))
    };
    Files {
        files: generations.iter().map(file).collect(),
        ..Files::default()
    }
}

/// What all ranks agree on, for these files of each.
fn agreed(shelves: Vec<Files>, arguments: &[&str], mode: Mode) -> Vec<Agreement> {
    let arguments: Vec<Vec<u8>> = arguments
        .iter()
        .map(|word| word.as_bytes().to_vec())
        .collect();
    let ranks: Vec<_> = threads(u32::try_from(shelves.len()).unwrap())
        .into_iter()
        .zip(shelves)
        .map(|(mut group, mut shelf)| {
            let arguments = arguments.clone();
            thread::spawn(move || {
                let expected = Expected {
                    program: "heat",
                    arguments: &arguments,
                    mode,
                    counts: false,
                    compares: true,
                };
                let result = agree(&mut group, &mut shelf, &expected);
                (group, result)
            })
        })
        .collect();
    let ends: Vec<_> = ranks.into_iter().map(|rank| rank.join().unwrap()).collect();
    ends.into_iter()
        .map(|(_, result)| result.unwrap())
        .collect()
}

/// The decision of ranks with these generations, which must be the same everywhere.
fn decision(generations: &[&[i64]]) -> (Decision, Vec<String>) {
    let size = u32::try_from(generations.len()).unwrap();
    let shelves = (0..)
        .zip(generations)
        .map(|(rank, list)| files(rank, size, list))
        .collect();
    let all = agreed(shelves, &["100"], Mode::Auto);
    let notes = all.iter().flat_map(|one| one.notes.clone()).collect();
    let stopped = all
        .iter()
        .any(|one| matches!(one.decision, Decision::Stop(_)));
    if stopped {
        let spoken: Vec<_> = all
            .iter()
            .filter_map(|one| match &one.decision {
                Decision::Stop(words) => words.clone(),
                other => panic!("only some ranks stop: {other:?}"),
            })
            .collect();
        assert_eq!(spoken.len(), 1, "one rank explains");
        return (Decision::Stop(Some(spoken[0].clone())), notes);
    }
    assert!(
        all.iter().all(|one| one.decision == all[0].decision),
        "{all:?}"
    );
    assert!(all.iter().all(|one| one.next == all[0].next), "{all:?}");
    (all[0].decision.clone(), notes)
}

#[test]
fn s17_the_newest_generation_valid_on_all_ranks_is_taken() {
    assert_eq!(decision(&[&[4, 5], &[4, 5]]).0, Decision::Restart(5));
    assert_eq!(decision(&[&[4, 5], &[3, 4]]).0, Decision::Restart(4));
    assert_eq!(
        decision(&[&[3, 5], &[3, 4], &[2, 3]]).0,
        Decision::Restart(3)
    );
    assert_eq!(
        decision(&[&[2, 5, 7], &[2, 6, 7], &[2, 5, 6]]).0,
        Decision::Restart(2)
    );
}

#[test]
fn s17_a_damaged_or_missing_file_makes_all_fall_back_and_is_named() {
    let (taken, notes) = decision(&[&[4, -5], &[4, 5]]);
    assert_eq!(taken, Decision::Restart(4));
    assert_eq!(
        notes,
        ["generation 5 of rank 0 is damaged at byte 7: a checksum differs"]
    );
    let (taken, notes) = decision(&[&[4, 5], &[4]]);
    assert_eq!(taken, Decision::Restart(4));
    assert_eq!(notes, ["rank 1 has no file of generation 5"]);
}

#[test]
fn s05_nothing_on_all_ranks_is_a_fresh_start() {
    assert_eq!(decision(&[&[], &[]]).0, Decision::Fresh);
    assert_eq!(decision(&[&[1], &[]]).0, Decision::Fresh);
}

#[test]
fn s25_only_damaged_files_are_a_stop() {
    let (Decision::Stop(Some(words)), _) = decision(&[&[-4, -5], &[4, 5]]) else {
        panic!("no stop");
    };
    assert!(
        words.contains("damaged") && words.contains("--cccp-restart=fresh"),
        "{words}"
    );
}

#[test]
fn s20_another_number_of_ranks_is_a_stop_with_both_numbers() {
    let two = |rank| files(rank, 2, &[4, 5]);
    for shelves in [
        vec![two(0)],
        vec![two(0), two(1), Files::default(), Files::default()],
    ] {
        let count = shelves.len();
        let all = agreed(shelves, &["100"], Mode::Auto);
        let Decision::Stop(Some(words)) = &all[0].decision else {
            panic!("{all:?}")
        };
        assert!(
            words.contains("2 ranks") && words.contains(&format!("{count} rank")),
            "{words}"
        );
        assert!(
            all[1..]
                .iter()
                .all(|one| one.decision == Decision::Stop(None))
        );
    }
}

#[test]
fn s05_other_arguments_stop_unless_forced_and_a_fresh_start_is_beside() {
    let shelves = || vec![files(0, 2, &[4, 5]), files(1, 2, &[4, 5])];
    let all = agreed(shelves(), &["200"], Mode::Auto);
    let Decision::Stop(Some(words)) = &all[0].decision else {
        panic!("{all:?}")
    };
    for word in ["[100]", "[200]", "force", "fresh"] {
        assert!(words.contains(word), "{words}");
    }
    assert_eq!(
        agreed(shelves(), &["200"], Mode::Force)[1].decision,
        Decision::Restart(5)
    );
    let fresh = &agreed(shelves(), &["200"], Mode::Fresh)[1];
    assert_eq!((&fresh.decision, fresh.next), (&Decision::Fresh, 6));
}

#[test]
fn s06_a_completed_run_is_not_restarted_unless_only_some_ranks_completed_it() {
    let with = |completed: [u64; 2]| {
        let shelves = (0..).zip(completed).map(|(rank, completed)| Files {
            completed,
            ..files(rank, 2, &[9, 10])
        });
        let all = agreed(shelves.collect(), &["100"], Mode::Auto);
        assert_eq!(all[0].next, 11);
        all[0].decision.clone()
    };
    assert_eq!(with([10, 10]), Decision::Fresh);
    assert_eq!(with([10, 0]), Decision::Restart(10));
}

#[test]
fn s21_the_file_of_another_program_is_refused() {
    let change = |change: fn(&mut Header)| {
        let mut files = files(0, 1, &[3]);
        change(files.files.get_mut(&3).unwrap().as_mut().unwrap());
        match &agreed(vec![files], &["100"], Mode::Force)[0].decision {
            Decision::Stop(Some(words)) => words.clone(),
            other => panic!("{other:?}"),
        }
    };
    let words = change(|header| header.program = "waves".to_owned());
    assert!(words.contains("waves") && words.contains("heat"), "{words}");
    assert!(change(|header| header.rank = 3).contains("rank 3"));
}

#[test]
fn s05_where_no_generation_was_complete_a_missing_one_is_named_and_the_run_begins() {
    // Numbers say nothing: they are those of the calls.
    for first in [1, 42, 1000] {
        let (taken, notes) = decision(&[&[first], &[]]);
        assert_eq!(taken, Decision::Fresh);
        assert_eq!(notes, [format!("rank 1 has no file of generation {first}")]);
    }
}

#[test]
fn s05_where_a_generation_was_complete_its_files_are_never_missed_silently() {
    let shelves = |sizes: &[&[i64]], whole: u64, completed: u64| -> Vec<Files> {
        let size = sizes.len() as u32;
        let one = |(rank, generations): (usize, &&[i64])| Files {
            whole: if rank == 0 { whole } else { 0 },
            completed,
            ..files(rank as u32, size, generations)
        };
        sizes.iter().enumerate().map(one).collect()
    };
    let here: [&[&[i64]]; 4] = [&[&[1], &[]], &[&[], &[]], &[&[]], &[&[2], &[1]]];
    for generations in here {
        let all = agreed(shelves(generations, 1, 0), &["100"], Mode::Auto);
        let words = all.iter().find_map(|one| match &one.decision {
            Decision::Stop(words) => words.clone(),
            other => panic!("{generations:?}: {other:?}"),
        });
        let words = words.expect("one rank speaks");
        assert!(words.contains("all ranks had generation 1"), "{words}");
        assert!(words.contains("--cccp-restart=fresh"), "{words}");
        let fresh = agreed(shelves(generations, 1, 0), &["100"], Mode::Fresh);
        assert_eq!(fresh[0].decision, Decision::Fresh);
        // It belongs to a run that was completed.
        let next = agreed(
            shelves(&vec![&[][..]; generations.len()], 5, 5),
            &["100"],
            Mode::Auto,
        );
        assert_eq!(next[0].decision, Decision::Fresh);
    }
}

#[test]
fn s25_a_file_of_another_generation_than_its_place_is_passed_over_and_named() {
    let mut shelf = files(0, 1, &[3, 4]);
    shelf.files.insert(4, Some(header(2, 0, 1)));
    let all = agreed(vec![shelf], &["100"], Mode::Auto);
    assert_eq!(all[0].decision, Decision::Restart(3));
    assert_eq!(
        all[0].notes,
        ["generation 4 of rank 0 cannot be used: the file holds generation 2"]
    );
}

/// A shelf that cannot be looked at.
struct Closed;

impl Shelf for Closed {
    fn look(&mut self) -> Result<Stock, String> {
        Err("heat.cccp: Permission denied".to_owned())
    }

    fn examine(&mut self, _: u64) -> Result<Examined, FormatError> {
        panic!("nobody knows what is there");
    }
}

#[test]
fn s05_what_one_rank_cannot_look_at_stops_all() {
    let expected = Expected {
        program: "heat",
        arguments: &[b"100".to_vec()],
        mode: Mode::Auto,
        counts: false,
        compares: true,
    };
    let all = in_turn(3, 1, |group| match group.rank() {
        1 => agree(group, &mut Closed, &expected),
        rank => agree(group, &mut files(rank, 3, &[5]), &expected),
    });
    let decisions: Vec<_> = all.into_iter().map(|one| one.decision).collect();
    let reason = Some("heat.cccp: Permission denied".to_owned());
    assert_eq!(
        decisions,
        [
            Decision::Stop(None),
            Decision::Stop(reason),
            Decision::Stop(None)
        ]
    );
}

#[test]
fn s05_a_number_that_only_a_rank_of_an_earlier_run_has_used_is_not_used_again() {
    let mut shelf = files(0, 1, &[5]);
    shelf.used = 7;
    assert_eq!(agreed(vec![shelf], &["100"], Mode::Auto)[0].next, 8);
}

#[test]
fn s17_a_generation_that_messages_cross_is_passed_over_and_rank_0_says_so() {
    let all = |numbers: [[u64; 2]; 2], in_flight: u64| {
        let shelves = (0..).zip(numbers).map(|(rank, numbers)| {
            let mut shelf = files(rank, 2, &[4, 5]);
            for (generation, number) in [4, 5].into_iter().zip(numbers) {
                let in_flight = in_flight * u64::from(rank == 1 && generation == 5);
                let messages = Messages { number, in_flight };
                shelf.messages.insert(generation, messages);
            }
            shelf
        });
        let all = agreed(shelves.collect(), &["100"], Mode::Auto);
        assert_eq!(all[1].notes, [""; 0]);
        all
    };
    let sound = [3, 3u64.wrapping_neg()];
    let of = |four: [u64; 2], five: [u64; 2]| [[four[0], five[0]], [four[1], five[1]]];
    let taken = all(of([1, 1], sound), 0);
    assert_eq!(taken[0].decision, Decision::Restart(5));
    let taken = all(of(sound, [1, 1]), 0);
    assert_eq!(taken[1].decision, Decision::Restart(4));
    let why = "messages between ranks were in flight when it was taken";
    assert_eq!(
        taken[0].notes,
        [format!("generation 5 is passed over: {why}")]
    );
    let taken = all(of(sound, sound), 1);
    assert_eq!(taken[1].decision, Decision::Restart(4));
    let why = "rank 1 had requests in flight";
    assert_eq!(
        taken[0].notes,
        [format!("generation 5 is passed over: {why}")]
    );
    let taken = all(of([0, 1], [1, 1]), 0);
    assert_eq!(taken[1].decision, Decision::Stop(None));
    let Decision::Stop(Some(words)) = &taken[0].decision else {
        panic!("{taken:?}")
    };
    assert!(words.contains("no older generation"), "{words}");
}

#[test]
fn where_one_rank_stops_all_do_and_its_words_are_said_once() {
    let all = |stopping: &'static [u32]| -> Vec<Result<(), String>> {
        let ranks = threads(4).into_iter().zip(0..);
        let ranks = ranks.map(|(mut group, rank)| {
            thread::spawn(move || {
                let stops = stopping.contains(&rank);
                no_rank_stops(
                    &mut group,
                    if stops {
                        Err(format!("of {rank}"))
                    } else {
                        Ok(())
                    },
                )
            })
        });
        let ranks: Vec<_> = ranks.collect();
        ranks.into_iter().map(|one| one.join().unwrap()).collect()
    };
    let silent = || Err(String::new());
    assert_eq!(all(&[]), [Ok(()), Ok(()), Ok(()), Ok(())]);
    assert_eq!(
        all(&[1, 3]),
        [silent(), Err("of 1".to_string()), silent(), silent()]
    );
}

#[test]
fn what_one_rank_brings_all_have() {
    let text = b"more than eight bytes";
    let ranks = threads(3).into_iter().zip(0..);
    let ranks = ranks.map(|(mut group, rank)| {
        thread::spawn(move || brought(&mut group, if rank == 2 { text } else { &[] }))
    });
    for one in ranks.collect::<Vec<_>>() {
        assert_eq!(one.join().unwrap().unwrap(), text);
    }
}
