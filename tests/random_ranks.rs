//! Random MPI programs (S8, S9, S16, S17, S18, S31, S35): a rank is killed at a random checkpoint, the others wherever they are then;
//! started again, all end like the plain ones, and leave the same files. Some are refused, with a reason.
//!
//! A third of them have their checkpoint by hand, anywhere; auto mode does the rest.
//!
//! `CCCP_PROGRAMS=300` tries more of them, `CCCP_SEED=7` others, `CCCP_PROGRAM=12` only the twelfth. What a failed test left can be
//! looked at.

#[path = "random_ranks/generate.rs"]
mod generate;
mod harness;
#[path = "../precompiler/tests/soundness/random.rs"]
mod random;

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

use harness::{
    Build, Compiler, Outcome, Program, Workplace, left, mpi_or_word, precompiler, setting,
};
use random::Random;

/// The exit status of a program that cannot be restarted.
const STOPPED: i32 = 75;
/// Why: a checkpoint by hand lies where it should not.
const CROSSED: [&str; 2] = [
    "messages between ranks were in flight",
    "had requests in flight",
];
/// What the run has said of it.
const TOLD: [&str; 2] = ["no restart can be made", "is not complete at a checkpoint"];
/// What a restart says of a file to which ranks have appended on both sides of their checkpoints: lines of it are there twice.
const WRITTEN_TWICE: &str = "is there twice";

#[derive(Default)]
struct Tally {
    served: usize,
    resumed: usize,
    crossed: usize,
    refused: Vec<String>,
    wrong: Vec<String>,
}

/// Why a program is refused.
fn refusal(source: &Path) -> Option<String> {
    let mut tool = Command::new(precompiler());
    harness::without_settings(&mut tool);
    tool.args(["--auto", "--poison", "--cc", "mpicc"])
        .arg(source);
    let output = tool.output().expect("the precompiler runs");
    if output.status.success() {
        return None;
    }
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(!said.contains("[CCCP1"), "{source:?} is no C: {said}");
    let line = |start: &str| {
        let mut lines = said.lines().map(str::trim);
        lines.find(|line| line.starts_with(start)).unwrap_or("")
    };
    Some(format!("{}; {}", line("error"), line("= reason")))
}

/// What a run has printed and left, or how it ended badly.
fn end(outcome: &Outcome, directory: &Path) -> String {
    let mut text = match outcome.status.success() {
        true => outcome.output.clone(),
        false => format!("{}\n{}{}", outcome.status, outcome.output, outcome.errors),
    };
    let is_told = outcome.errors.contains(WRITTEN_TWICE);
    for (name, bytes) in left(directory, "txt") {
        let mut known = HashSet::new();
        let lines = bytes.split_inclusive(|&byte| byte == b'\n');
        let lines = lines.filter(|line| known.insert(*line) || !is_told);
        let lines: String = lines.map(String::from_utf8_lossy).collect();
        text += &format!("{name}:\n{lines}");
    }
    text
}

fn attempt(seed: usize, number: usize, place: &Workplace, tally: &mut Tally) {
    let mut random = Random::new((seed * 1_000_000 + number) as u64);
    let text = generate::generate(&mut random, number % 3 == 2);
    let source = place.write(&format!("ranks{number}.c"), &text);
    if let Some(why) = refusal(&source) {
        tally.refused.push(format!("program {number}: {why}"));
        return;
    }
    tally.served += 1;
    let build = Build::files(&[&source]).careless().mpi(true);
    let build = build.with(Compiler::Gcc, &["-O1", "-w"]);
    let plain = build.clone().plain();
    let plain = plain.to(place.path(), &format!("plain{number}"));
    let served = build.tool_flags(&["--auto"]);
    let served = served.to(place.path(), &format!("served{number}"));
    let ranks = 2 + random.below(2);
    let run = |program: &Program, directory: &Path| {
        let run = program.run(directory).ranks(ranks);
        run.set("CCCP_WRITE", "synchronous")
    };
    let directory = |name: &str| place.directory(&format!("{number}-{name}"));
    let undisturbed = directory("plain");
    let expected = end(&run(&plain, &undisturbed).go(), &undisturbed);
    let mut wrong = |when: &str, found: &str| {
        let name = format!("program {number} of seed {seed}, {when}");
        (tally.wrong).push(format!("{name}: {found} instead of {expected}"));
    };
    let whole = directory("whole");
    let outcome = run(&served, &whole).set("CCCP_KEEP", "1000").go();
    let found = end(&outcome, &whole);
    if found != expected {
        wrong("undisturbed", &found);
        return;
    }
    let last = harness::Checkpoints::of(&whole, &format!("served{number}"));
    let last = last.generations().len();
    for kind in ["checkpoint", "published"] {
        if last == 0 {
            break;
        }
        let point = format!("{kind}:{}@{}", 1 + random.below(last), random.below(ranks));
        let directory = directory(&point.replace([':', '@'], "-"));
        run(&served, &directory).kill_at(&point);
        let again = run(&served, &directory).go();
        let says = |errors: &str, words: [&str; 2]| words.iter().any(|one| errors.contains(one));
        if again.code() == Some(STOPPED) && says(&again.errors, CROSSED) {
            assert!(says(&outcome.errors, TOLD), "{}", outcome.errors);
            tally.crossed += 1;
            continue;
        }
        tally.resumed += usize::from(again.resumed());
        let found = end(&again, &directory);
        // Without a generation to resume from it begins again: what it adds to files of the run before is not its own.
        if found != expected && (again.resumed() || !again.status.success()) {
            wrong(
                &format!("killed at {point}"),
                &format!("{found}\n{}", again.errors),
            );
        }
    }
}

#[test]
fn s18_s31_s35_random_ranks_killed_at_random_checkpoints_end_like_the_plain_ones() {
    if !mpi_or_word() {
        return;
    }
    let (count, seed) = (setting("CCCP_PROGRAMS", 8), setting("CCCP_SEED", 1));
    let only = setting("CCCP_PROGRAM", usize::MAX);
    let place = Workplace::new("random-ranks");
    let mut tally = Tally::default();
    let all = match only {
        usize::MAX => 0..count,
        only => only..only + 1,
    };
    for number in all {
        attempt(seed, number, &place, &mut tally);
    }
    for reason in &tally.refused {
        eprintln!("refused: {reason}");
    }
    let (served, resumed) = (tally.served, tally.resumed);
    let crossed = tally.crossed;
    eprintln!(
        "{count} programs, {served} served, {resumed} resumed from a checkpoint, {crossed} crossed by messages as their runs said"
    );
    assert!(tally.wrong.is_empty(), "wrong:\n{}", tally.wrong.join("\n"));
    if only != usize::MAX {
        eprintln!("what was made of it is in {}", place.path().display());
        std::mem::forget(place);
        return;
    }
    assert!(
        served * 2 > count && resumed > served / 2,
        "too little was tried"
    );
}
