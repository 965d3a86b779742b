//! Random programs with regions, killed and started again with another number of threads (S58; design of regions): where nothing is
//! said to depend on the number, the restart ends like a run that has had the other number from the beginning; elsewhere it stops.
//!
//! `CCCP_PROGRAMS=300` tries more of them, `CCCP_SEED=7` others, `CCCP_PROGRAM=12` only the twelfth.

#[path = "random_threads/generate.rs"]
mod generate;
mod harness;
#[path = "../precompiler/tests/soundness/random.rs"]
mod random;

use harness::{Build, Compiler, Workplace, setting};
use random::Random;

/// Tries a program: whether it goes on with another number of threads.
fn goes_on(seed: usize, number: usize) -> bool {
    let mut random = Random::new((seed * 1_000_000 + number) as u64);
    let text = generate::generate(&mut random);
    let place = Workplace::new(&format!("random-threads-{number}"));
    let source = place.write("program.c", &text);
    let build = Build::files(&[&source]).careless();
    let build = build.with(Compiler::Gcc, &["-O1", "-w", "-fopenmp"]);
    let plain = build.clone().plain().to(place.path(), "plain");
    let flags = ["--auto", "--cpp-flag", "-fopenmp"];
    let served = build.tool_flags(&flags).to(place.path(), "served");
    let first = 1 + random.below(4);
    let other = 1 + (first + random.below(3)) % 4;
    let run = |program: &harness::Program, threads: usize| {
        let run = program.run(place.path());
        let run = run.set("OMP_NUM_THREADS", &threads.to_string());
        run.set("OMP_WAIT_POLICY", "passive")
    };
    let expected = run(&plain, other).well().output;
    let killed = run(&served, first).set("CCCP_EVERY", "1");
    killed.kill_at(&format!("checkpoint:{}", 3 + random.below(9)));
    let again = run(&served, other).set("CCCP_THREADS", "given").go();
    if again.code() == Some(75) {
        again.assert_stopped(75, &["the setting threads is given"]);
        return false;
    }
    again.assert_resumed();
    assert_eq!(
        again.output, expected,
        "program {number} of seed {seed}, from {first} threads to {other}:\n{text}\n{}",
        again.errors
    );
    true
}

#[test]
fn s58_random_programs_end_like_a_run_with_the_other_number_or_stop() {
    let (count, seed) = (setting("CCCP_PROGRAMS", 16), setting("CCCP_SEED", 1));
    let only = setting("CCCP_PROGRAM", usize::MAX);
    let all = (0..count).filter(|&one| only == usize::MAX || one == only);
    let tried: Vec<bool> = all.map(|number| goes_on(seed, number)).collect();
    let free = tried.iter().filter(|one| **one).count();
    eprintln!(
        "{} programs, {free} went on with another number of threads",
        tried.len()
    );
    if only == usize::MAX {
        assert!(free > 1 && free < tried.len(), "too little was tried");
    }
}
