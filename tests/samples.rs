//! Every sample, with gcc and clang at -O0, -O2 and -O3, on 1, 2 and 4 ranks: it computes what the plain C program
//! computes, and whoever kills it gets the same in the end (S5, S6, S8). In one combination `cccp-run --prove` kills it, at its first,
//! middle and last checkpoint and under special conditions; in one it is killed three times in a row; in the others at one of its
//! checkpoints, in one after the other of its ranks.
//!
//! Not every combination: a choice in which each compiler has each optimisation and each number of ranks. The full product
//! runs with CCCP_TEST_EVERYTHING=1, and everything is done in each.

mod harness;

use std::path::Path;

use harness::{
    Checkpoints, Compiler, Outcome, Program, Run, SAMPLES, Sample, Workplace, everything, have,
    mpi_or_word,
};

const COMPILERS: [Compiler; 2] = [Compiler::Gcc, Compiler::Clang];
const LEVELS: [&str; 3] = ["-O0", "-O2", "-O3"];
const RANKS: [usize; 3] = [1, 2, 4];

/// Compiler, optimisation and number of ranks: each compiler has each optimisation and each number of ranks.
const PAIRS: [(Compiler, &str, usize); 6] = [
    (Compiler::Gcc, "-O0", 1),
    (Compiler::Gcc, "-O2", 2),
    (Compiler::Gcc, "-O3", 4),
    (Compiler::Clang, "-O0", 2),
    (Compiler::Clang, "-O2", 4),
    (Compiler::Clang, "-O3", 1),
];

/// The combination of which `cccp-run --prove` is the judge, and the one that is killed three times.
const PROVED: usize = 1;
const THREE_TIMES: usize = 2;

/// One combination of each compiler is linked with the static library, which takes the linker a second; the others with the shared one.
const STATIC: [usize; 2] = [1, 5];

/// The combinations to try with a sample.
fn combinations(sample: &Sample) -> Vec<(Compiler, &'static str, usize)> {
    let ranks: &[usize] = if sample.mpi { &RANKS } else { &RANKS[..1] };
    if sample.mpi && !everything() {
        return PAIRS.to_vec();
    }
    let levels = |compiler| LEVELS.iter().map(move |&level| (compiler, level));
    COMPILERS
        .into_iter()
        .flat_map(levels)
        .flat_map(|(compiler, level)| ranks.iter().map(move |&ranks| (compiler, level, ranks)))
        .collect()
}

/// Everything that is promised for a sample, in one combination of compiler, optimisation and ranks.
struct Trial<'a> {
    sample: &'a Sample,
    place: &'a Workplace,
    program: Program,
    ranks: usize,
    expected: String,
}

impl Trial<'_> {
    /// A run in a directory of this name.
    fn run(&self, directory: &str) -> Run {
        let directory = self.place.directory(directory);
        self.program
            .run(&directory)
            .ranks(self.ranks)
            .arguments(self.sample.arguments)
    }

    fn checkpoints(&self, directory: &str) -> Checkpoints {
        Checkpoints::of(&self.place.join(directory), &self.name())
    }

    fn name(&self) -> String {
        self.program
            .path
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    }

    fn assert_expected(&self, outcome: &Outcome, directory: &str) {
        let found = outcome.output.clone() + &self.sample.written(&self.place.join(directory));
        assert_eq!(found, self.expected, "in {directory}:\n{}", outcome.errors);
    }

    /// An undisturbed run computes what the plain program computes, and says nothing.
    fn undisturbed(&self) {
        let outcome = self.run("undisturbed").well();
        self.assert_expected(&outcome, "undisturbed");
        assert_eq!(outcome.errors, "", "an undisturbed run is silent");
        assert_eq!(
            self.checkpoints("undisturbed").taken(),
            self.sample.checkpoints
        );
    }

    /// Whether a run in this directory will go on from a checkpoint, after `checkpoint` was reached by the rank that was
    /// killed. What it saved at the second last one is complete before the last one begins; other ranks may be behind, as
    /// far as the program lets them.
    fn will_resume(&self, directory: &str, checkpoint: u64) -> bool {
        let found = self.checkpoints(directory).has_common(self.ranks);
        assert!(found || self.ranks > 1 || checkpoint <= 2, "{directory}");
        found
    }

    /// `cccp-run --prove` finds nothing wrong.
    fn proved(&self) {
        self.run("proof").proved(3);
    }

    /// Killed at this checkpoint, the next run ends the same.
    fn killed_at(&self, checkpoint: u64, rank: usize) {
        let directory = format!("killed-at-{checkpoint}");
        self.run(&directory)
            .kill_at(&format!("checkpoint:{checkpoint}@{rank}"));
        let resumes = self.will_resume(&directory, checkpoint);
        let outcome = self.run(&directory).well();
        assert_eq!(outcome.resumed(), resumes, "{}", outcome.errors);
        self.assert_expected(&outcome, &directory);
    }

    /// Killed in this combination: at the first checkpoint, in the middle or at the last.
    fn killed(&self, number: usize) {
        let all = self.sample.checkpoints;
        let checkpoints = [1, all / 2, all].into_iter().enumerate();
        let is_tried = |count: usize| everything() || count == number % 3;
        for (count, checkpoint) in checkpoints.filter(|(count, _)| is_tried(*count)) {
            self.killed_at(checkpoint, (count + number / 3) % self.ranks);
        }
    }

    /// Killed three times, each time after some progress.
    fn three_times_in_a_row(&self) {
        let directory = "three-times";
        let mut resumes = false;
        for attempt in 0..3 {
            let rank = attempt % self.ranks;
            let outcome = self.run(directory).kill_at(&format!("checkpoint:3@{rank}"));
            assert_eq!(outcome.resumed(), resumes, "{}", outcome.errors);
            resumes = self.will_resume(directory, 3);
        }
        let outcome = self.run(directory).well();
        assert_eq!(outcome.resumed(), resumes, "{}", outcome.errors);
        self.assert_expected(&outcome, directory);
    }
}

/// Tries a sample in all its combinations.
fn try_sample(name: &str) {
    let sample = Sample::named(name);
    if sample.mpi && !mpi_or_word() {
        return;
    }
    let place = Workplace::new(name);
    for (number, (compiler, level, ranks)) in combinations(&sample).into_iter().enumerate() {
        let label = format!("{}{level}-{ranks}", compiler.command());
        eprintln!("{name} {label}");
        let mut build = sample.build().with(compiler, &[level]);
        if STATIC.contains(&number) || everything() {
            build = build.statically();
        }
        let program = build.to(place.path(), &format!("{name}-{label}"));
        let expected = expectation(&sample, &place, &program, ranks, &build.clone().plain());
        let trial = Trial {
            sample: &sample,
            place: &place,
            program,
            ranks,
            expected,
        };
        trial.undisturbed();
        if number == PROVED || everything() {
            trial.proved();
        }
        if number == THREE_TIMES || everything() {
            trial.three_times_in_a_row();
        }
        if ![PROVED, THREE_TIMES].contains(&number) || everything() {
            trial.killed(number);
        }
        clear(&place);
    }
}

/// What the plain C program prints and writes; for the sample that calls the library, an undisturbed run's.
fn expectation(
    sample: &Sample,
    place: &Workplace,
    program: &Program,
    ranks: usize,
    plain: &harness::Build,
) -> String {
    let directory = place.directory("plain");
    let plain = if sample.precompiled {
        plain.to(&directory, "plain")
    } else {
        program.clone()
    };
    let outcome = plain
        .run(&directory)
        .ranks(ranks)
        .arguments(sample.arguments)
        .well();
    outcome.output + &sample.written(&directory)
}

/// Between two combinations: nothing is left of the first.
fn clear(place: &Workplace) {
    for entry in std::fs::read_dir(place.path())
        .expect("the test's directory")
        .flatten()
    {
        if entry.path().is_dir() {
            std::fs::remove_dir_all(entry.path()).expect("a directory of the test can be removed");
        }
    }
}

#[test]
fn s08_heat_serial_killed_anywhere_ends_like_the_plain_program() {
    try_sample("heat-serial");
}

#[test]
fn s08_s14_s15_n_body_with_structs_and_several_checkpoints_comes_back_to_the_right_one() {
    try_sample("n-body");
}

#[test]
fn s12_s13_s14_adaptive_comes_back_with_the_sizes_of_the_checkpoint() {
    try_sample("adaptive");
}

#[test]
fn s09_s14_recursion_comes_back_to_the_same_depth() {
    try_sample("recursion");
}

#[test]
fn s08_s12_by_hand_the_c_interface_does_without_the_precompiler() {
    try_sample("by-hand");
}

#[test]
fn s08_s16_s18_heat_mpi_killed_anywhere_ends_like_the_plain_program() {
    try_sample("heat-mpi");
}

#[test]
fn s09_s10_s11_conjugate_gradient_comes_back_three_calls_deep() {
    try_sample("conjugate-gradient-mpi");
}

#[test]
fn s11_s16_s27_communicators_and_files_are_made_anew_and_logs_go_on_in_the_right_place() {
    try_sample("communicators-and-files");
}

#[test]
fn s06_a_run_after_a_complete_one_starts_fresh() {
    let sample = Sample::named("heat-serial");
    let place = Workplace::new("complete");
    let program = sample.build().to(place.path(), "heat");
    let run = || program.run(place.path()).arguments(sample.arguments).well();
    let first = run();
    let second = run();
    assert_eq!(
        (first.output, second.output.as_str(), second.errors.as_str()),
        (second.output.clone(), second.output.as_str(), "")
    );
    let kept = Checkpoints::of(place.path(), "heat").generations();
    assert!(kept.len() <= 2, "two generations are kept, not {kept:?}");
}

#[test]
fn s07_two_checkpoints_in_a_row_hold_the_values_of_each() {
    // Killed after the restart as well: the second restart starts from a generation written by a resumed run.
    let sample = Sample::named("heat-serial");
    let place = Workplace::new("resumed-twice");
    let program = sample.build().to(place.path(), "heat");
    let run = || program.run(place.path()).arguments(sample.arguments);
    run().kill_at("checkpoint:5");
    run().kill_at("checkpoint:1");
    let outcome = run().well();
    outcome.assert_resumed();
    let plain = sample
        .build()
        .plain()
        .to(&place.directory("plain"), "plain");
    assert_eq!(
        outcome.output,
        plain
            .run(place.path())
            .arguments(sample.arguments)
            .well()
            .output
    );
}

#[test]
fn memcheck_finds_no_errors_and_no_leaks_in_a_run_and_in_a_restart() {
    if !have("valgrind") {
        assert!(
            std::env::var_os("CCCP_REQUIRE_VALGRIND").is_none(),
            "valgrind is required"
        );
        eprintln!("no valgrind here: skipped");
        return;
    }
    let serial = SAMPLES.iter().filter(|sample| !sample.mpi);
    for (number, sample) in serial.enumerate() {
        let place = Workplace::new("valgrind");
        let build = sample.build().with(Compiler::Gcc, &["-O1", "-g"]);
        let program = build.to(place.path(), sample.name);
        let memcheck = [
            "valgrind",
            "--quiet",
            "--error-exitcode=99",
            "--leak-check=full",
            "--show-leak-kinds=definite",
            "--errors-for-leak-kinds=definite",
        ];
        let run = |directory: &Path| program.run(directory).arguments(sample.arguments);
        // A start takes memcheck seconds, and a restart takes checkpoints as well: of one sample it sees both runs.
        let undisturbed = match number == 0 || everything() {
            true => run(place.path()).under(&memcheck).well(),
            false => run(place.path()).well(),
        };
        let directory = place.directory("restart");
        run(&directory).kill_at("checkpoint:6");
        // A value that nothing brought back would be an uninitialised one here.
        let resumed = run(&directory).under(&memcheck).well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, undisturbed.output);
    }
}
