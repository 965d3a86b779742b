//! Random programs with a time loop in a parallel region (S50, S51, S53, S55, S57, S60, S62; design of regions): killed at random
//! checkpoints, started again with the same number of threads or another, they end like the plain ones. Some are refused, with a reason.
//!
//! Half of them have their checkpoints by hand, anywhere; auto mode does the rest.
//!
//! `CCCP_PROGRAMS=300` tries more of them, `CCCP_SEED=7` others, `CCCP_PROGRAM=12` only the twelfth. What a failed test left can be
//! looked at.

#[path = "random_regions/generate.rs"]
mod generate;
mod harness;
#[path = "../precompiler/tests/soundness/random.rs"]
mod random;

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};

use harness::{Workplace, finish, has_libomp, precompiler, setting};
use random::Random;

/// The exit status of a program that cannot be restarted.
const STOPPED: i32 = 75;
/// Threads that work.
const WORKERS: usize = 2;

#[derive(Default)]
struct Tally {
    tried: usize,
    served: usize,
    resumed: usize,
    refused: Vec<String>,
    wrong: Vec<String>,
}

/// When threads wait for each other (S59, S60): programs have them in turn.
fn protocol(threads: usize) -> &'static str {
    match threads % 2 {
        0 => "nonblocking",
        _ => "blocking",
    }
}

/// The compiler of a program, with what it takes to know `masked`. The plain program has wrong values, or hangs, where clang's library
/// (14) gives iterations with `lastprivate` from a counter, or cancels loops.
fn compiler(number: usize, text: &str) -> (&'static str, &'static [&'static str]) {
    let is_safe = !text.contains("lastprivate") && !text.contains("omp cancel");
    match number % 5 == 3 && is_safe && has_libomp() {
        true => ("clang", &["-fopenmp", "-fopenmp-version=51"]),
        false => ("gcc", &["-fopenmp"]),
    }
}

/// A run with so many threads, perhaps to a point of death. Where loops may be cancelled they are.
fn run(program: &Path, directory: &Path, threads: usize, kill: Option<usize>) -> Output {
    let mut command = Command::new("timeout");
    command.args(["-s", "ABRT", "60"]).arg(program);
    command.current_dir(directory);
    // They are settings of the tests, and would be misspelt ones of the library.
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CCCP_")) {
        command.env_remove(name);
    }
    command
        .env("OMP_NUM_THREADS", threads.to_string())
        .env("OMP_DYNAMIC", "false")
        .env("OMP_CANCELLATION", "true")
        .env("OMP_WAIT_POLICY", "passive")
        .env("CCCP_WRITE", "synchronous")
        .env("CCCP_PROTOCOL", protocol(threads))
        .env("CCCP_EVERY", "1")
        .env("CCCP_POISON", "on");
    if let Some(kill) = kill {
        command.env("CCCP_KILL_AT", format!("checkpoint:{kill}"));
    }
    command.output().expect("the program runs")
}

/// Builds a program; why not, where it is refused.
fn build(source: &Path, directory: &Path, number: usize, text: &str) -> Result<(), String> {
    let (name, flags) = compiler(number, text);
    let mut tool = Command::new(precompiler());
    tool.args(["--auto", "--poison", "--cc", name]);
    for flag in flags {
        tool.args(["--cpp-flag", flag]);
    }
    tool.arg(source);
    let output = tool.output().expect("the precompiler runs");
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(!said.contains("[CCCP1"), "{source:?} is no C: {said}");
        let error = said.lines().find(|line| line.starts_with("error"));
        let why = said.lines().find(|line| line.contains("= reason"));
        return Err(format!(
            "{}; {}",
            error.unwrap_or_default(),
            why.unwrap_or_default().trim()
        ));
    }
    let served = directory.join("served.c");
    std::fs::write(&served, output.stdout).expect("the result");
    let asked = |flag: &str| {
        let output = finish(Command::new(precompiler()).arg(flag));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let mut cc = Command::new(name);
    cc.args(["-O1", "-w"]).args(flags);
    cc.args(asked("--cflags").split_whitespace()).arg(&served);
    cc.arg("-o").arg(directory.join("served"));
    finish(cc.args(harness::shared_library(false)));
    let mut cc = Command::new(name);
    cc.args(["-O1", "-w"]).args(flags).arg(source);
    finish(cc.arg("-o").arg(directory.join("plain")));
    Ok(())
}

fn program(seed: usize, number: usize) -> String {
    let mut random = Random::new((seed * 1_000_000 + number) as u64);
    generate::generate(&mut random, number % 2 == 1)
}

fn attempt(seed: usize, number: usize, place: &Path, tally: &mut Tally) {
    tally.tried += 1;
    let directory = place.join(number.to_string());
    std::fs::create_dir_all(&directory).expect("a directory");
    let source = directory.join("region.c");
    let text = program(seed, number);
    std::fs::write(&source, &text).expect("the program");
    if let Err(why) = build(&source, &directory, number, &text) {
        tally.refused.push(format!("program {number}: {why}"));
        return;
    }
    tally.served += 1;
    let threads = 2 + number % 3;
    let text = |output: &Output| {
        let (text, said) = (&output.stdout, &output.stderr);
        let text = String::from_utf8_lossy(text).into_owned();
        match output.status.success() {
            true => text,
            false => format!("{text}{}: {}", output.status, String::from_utf8_lossy(said)),
        }
    };
    let expected = text(&run(&directory.join("plain"), &directory, threads, None));
    let served = directory.join("served");
    let fresh = || {
        let _ = std::fs::remove_dir_all(directory.join("served.cccp"));
    };
    let mut wrong = |when: &str, found: &str| {
        let name = format!("program {number} of seed {seed}, {when}");
        (tally.wrong).push(format!("{name}: {found} instead of {expected}"));
    };
    let undisturbed = text(&run(&served, &directory, threads, None));
    if undisturbed != expected {
        wrong("undisturbed", &undisturbed);
        return;
    }
    for kill in [2, 4 + number % 5, 9 + number % 7] {
        fresh();
        let killed = run(&served, &directory, threads, Some(kill));
        if killed.status.signal() != Some(9) && killed.status.code() != Some(137) {
            // It has no checkpoint of this number, or has said that it takes none.
            let is_told =
                String::from_utf8_lossy(&killed.stderr).contains("no checkpoint is taken");
            if !killed.status.success() && !is_told {
                wrong(&format!("to be killed at {kill}"), &text(&killed));
            }
            break;
        }
        let again = run(&served, &directory, threads + number % 2, None);
        let said = String::from_utf8_lossy(&again.stderr).into_owned();
        let is_resumed = said.contains("restart of");
        tally.resumed += usize::from(is_resumed);
        let found = text(&again);
        if found != expected || again.status.code() == Some(STOPPED) {
            wrong(&format!("killed at {kill}"), &found);
        }
    }
    fresh();
}

#[test]
fn s50_s62_random_regions_killed_at_random_checkpoints_end_like_the_plain_ones() {
    let (count, seed) = (setting("CCCP_PROGRAMS", 18), setting("CCCP_SEED", 1));
    let only = setting("CCCP_PROGRAM", usize::MAX);
    let place = Workplace::new("random-regions");
    let path = place.path();
    let work = |worker: usize| {
        let mut tally = Tally::default();
        let wanted = (worker..count).step_by(WORKERS);
        for number in wanted.filter(|&one| only == usize::MAX || one == only) {
            attempt(seed, number, path, &mut tally);
        }
        tally
    };
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|worker| scope.spawn(move || work(worker)))
            .collect();
        let done = workers.into_iter();
        done.map(|worker| worker.join().expect("a worker"))
            .collect()
    });
    let sum = |of: fn(&Tally) -> usize| tallies.iter().map(of).sum::<usize>();
    let (tried, served) = (sum(|one| one.tried), sum(|one| one.served));
    let resumed = sum(|one| one.resumed);
    for reason in tallies.iter().flat_map(|one| &one.refused) {
        eprintln!("refused: {reason}");
    }
    eprintln!("{tried} programs, {served} served, {resumed} resumed from a checkpoint");
    let wrong = tallies.iter().flat_map(|one| &one.wrong);
    let wrong: Vec<&str> = wrong.map(String::as_str).collect();
    assert!(wrong.is_empty(), "wrong:\n{}", wrong.join("\n"));
    if only != usize::MAX {
        eprintln!("what was made of it is in {}", path.display());
        std::mem::forget(place);
        return;
    }
    assert!(
        served * 2 > tried && resumed > served,
        "too little was tried"
    );
}
