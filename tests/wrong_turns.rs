//! What goes wrong in practice: the right words, the right exit status, nothing lost, nobody hangs.
//!
//! "Nothing lost" is checked each time: once the wrong turn is taken back, the run goes on from its checkpoints and
//! ends like an undisturbed one.

mod harness;

use harness::{
    Build, Checkpoints, Compiler, Outcome, Program, Run, Sample, Workplace, mpi_or_word,
    precompiler,
};

/// The exit status of a restart that is impossible.
const STOPPED: i32 = 75;

/// The small loop, with macros.
fn small_loop(macros: &[&str]) -> Build {
    Build::files(&["tests/programs/loop.c"])
        .tool_flags(macros)
        .with(harness::Compiler::Gcc, &[&["-O1"], macros].concat())
}

/// A serial program that was killed at its sixth checkpoint.
struct Killed {
    place: Workplace,
    program: Program,
    expected: String,
}

impl Killed {
    fn new(name: &str) -> Killed {
        let place = Workplace::new(name);
        let program = small_loop(&[]).to(place.path(), "loop");
        let expected = program.run(&place.directory("undisturbed")).well().output;
        let killed = Killed {
            place,
            program,
            expected,
        };
        // Synchronous writing: the fifth generation is there for certain.
        killed
            .run()
            .set("CCCP_WRITE", "synchronous")
            .kill_at("checkpoint:6");
        killed
    }

    fn run(&self) -> Run {
        self.program.run(self.place.path())
    }

    fn checkpoints(&self) -> Checkpoints {
        Checkpoints::of(self.place.path(), "loop")
    }

    /// The same program again: it goes on.
    fn goes_on(&self) -> Outcome {
        let outcome = self.run().well();
        outcome.assert_resumed();
        assert_eq!(outcome.output, self.expected);
        outcome
    }

    /// Puts a program built in another way in its place, and back again.
    fn with_program(&self, build: &Build, test: impl Fn()) {
        let kept = self.place.join("kept");
        std::fs::rename(&self.program.path, &kept).expect("the program can be moved");
        build.to(self.place.path(), "loop");
        test();
        std::fs::rename(&kept, &self.program.path).expect("the program can be moved back");
    }
}

/// heat-mpi on two ranks, killed at its sixth checkpoint.
struct KilledRanks {
    sample: Sample,
    place: Workplace,
    program: Program,
    expected: String,
}

impl KilledRanks {
    fn new(name: &str) -> Option<KilledRanks> {
        if !mpi_or_word() {
            return None;
        }
        let sample = Sample::named("heat-mpi");
        let place = Workplace::new(name);
        let program = sample.build().to(place.path(), "heat");
        let undisturbed = program
            .run(&place.directory("undisturbed"))
            .ranks(2)
            .arguments(sample.arguments)
            .well();
        let killed = KilledRanks {
            sample,
            place,
            program,
            expected: undisturbed.output,
        };
        killed
            .run(2)
            .set("CCCP_WRITE", "synchronous")
            .kill_at("checkpoint:6@1");
        Some(killed)
    }

    fn run(&self, ranks: usize) -> Run {
        self.program
            .run(self.place.path())
            .ranks(ranks)
            .arguments(self.sample.arguments)
    }

    fn checkpoints(&self) -> Checkpoints {
        Checkpoints::of(self.place.path(), "heat")
    }

    fn goes_on(&self) -> Outcome {
        let outcome = self.run(2).well();
        outcome.assert_resumed();
        assert_eq!(outcome.output, self.expected);
        outcome
    }
}

/// A program with threads of OpenMP, and a run of it with two of them that was killed.
fn killed_with_two_threads(name: &str, macros: &[&str]) -> (Workplace, Program, String) {
    let place = Workplace::new(name);
    let flags: Vec<&str> = ["-O1", "-fopenmp"].iter().chain(macros).copied().collect();
    let tool: Vec<&str> = ["--cpp-flag", "-fopenmp"]
        .iter()
        .chain(macros)
        .copied()
        .collect();
    let build = Build::files(&["tests/programs/threads.c"]).with(Compiler::Gcc, &flags);
    let program = build.tool_flags(&tool).to(place.path(), "threads");
    let run = |directory: &str| {
        let run = program
            .run(&place.directory(directory))
            .set("CCCP_WRITE", "synchronous");
        run.set("OMP_NUM_THREADS", "2")
    };
    let expected = run("undisturbed").well().output;
    run("killed").kill_at("checkpoint:4");
    (place, program, expected)
}

#[test]
fn s36_a_restart_has_as_many_threads_as_the_run_before() {
    for (name, macros) in [("threads", &[][..]), ("threads-set", &["-DSETS"])] {
        let (place, program, expected) = killed_with_two_threads(name, macros);
        for other in ["1", "9"] {
            let directory = place.directory(&format!("killed-{other}"));
            Checkpoints::of(&place.join("killed"), "threads")
                .copy_to(&Checkpoints::of(&directory, "threads"));
            let outcome = program.run(&directory).set("OMP_NUM_THREADS", other).well();
            outcome.assert_resumed();
            outcome.assert_said(&["OpenMP has 2 threads", &format!("instead of {other}")]);
            assert_eq!(outcome.output, expected);
        }
        let killed = || program.run(&place.join("killed"));
        let limited = killed()
            .set("OMP_NUM_THREADS", "4")
            .set("OMP_THREAD_LIMIT", "1")
            .go();
        limited.assert_stopped(75, &["OMP_NUM_THREADS=2", "OpenMP gives 1 at the most"]);
        let nested = killed().set("OMP_NUM_THREADS", "2,4").go();
        nested.assert_stopped(75, &["OMP_NUM_THREADS=2", "this one has 2,4"]);
        let same = killed().set("OMP_NUM_THREADS", "2").well();
        same.assert_resumed();
        assert_eq!(same.output, expected);
        assert!(!same.errors.contains("OpenMP"), "{}", same.errors);
    }
}

#[test]
fn s35_s36_another_number_of_threads_before_init_stops_the_restart_with_both_numbers() {
    let (place, program, expected) = killed_with_two_threads("threads-before", &["-DBEFORE"]);
    let killed = |threads: &str| {
        program
            .run(&place.join("killed"))
            .set("OMP_NUM_THREADS", threads)
    };
    for other in ["1", "64"] {
        let outcome = killed(other).go();
        let words = format!("OMP_NUM_THREADS=2, and this one has {other}");
        outcome.assert_stopped(
            75,
            &[&words, "before init", "start it with OMP_NUM_THREADS=2"],
        );
    }
    let cured = killed("2").well();
    cured.assert_resumed();
    assert_eq!(cured.output, expected);
}

#[test]
fn s20_another_number_of_ranks_is_an_error_with_both_numbers() {
    let Some(killed) = KilledRanks::new("rank-count") else {
        return;
    };
    for ranks in [1, 4] {
        killed
            .run(ranks)
            .go()
            .assert_stopped(STOPPED, &["2 ranks", &format!("{ranks} rank")]);
    }
    killed.goes_on();
}

#[test]
fn s17_a_missing_file_of_one_rank_makes_all_ranks_fall_back() {
    let Some(killed) = KilledRanks::new("missing-file") else {
        return;
    };
    let newest = *killed
        .checkpoints()
        .published(1)
        .last()
        .expect("a generation of rank 1");
    killed.checkpoints().remove(newest, 1);
    let outcome = killed.goes_on();
    outcome.assert_said(&[&format!("generation {}", newest - 100)]);
}

#[test]
fn s17_a_damaged_file_of_one_rank_makes_all_ranks_fall_back() {
    let Some(killed) = KilledRanks::new("damaged-rank") else {
        return;
    };
    let newest = *killed
        .checkpoints()
        .published(0)
        .last()
        .expect("a generation of rank 0");
    killed.checkpoints().damage(newest, 0);
    let outcome = killed.goes_on();
    outcome.assert_said(&[&format!("generation {}", newest - 100)]);
}

#[test]
fn s25_a_damaged_file_is_noticed_and_the_older_generation_taken() {
    let killed = Killed::new("damaged");
    let newest = killed.checkpoints().newest();
    killed.checkpoints().damage(newest, 0);
    let outcome = killed.goes_on();
    outcome.assert_said(&["damaged", &format!("generation {}", newest - 1)]);
}

#[test]
fn s25_a_short_file_is_noticed_and_the_older_generation_taken() {
    let killed = Killed::new("short");
    let newest = killed.checkpoints().newest();
    killed.checkpoints().truncate(newest, 0);
    let outcome = killed.goes_on();
    outcome.assert_said(&[&format!("generation {}", newest - 1)]);
}

#[test]
fn s25_when_every_file_is_damaged_the_run_stops_and_says_so() {
    let killed = Killed::new("all-damaged");
    let checkpoints = killed.checkpoints();
    let kept = Checkpoints::at(killed.place.join("kept-checkpoints"));
    checkpoints.copy_to(&kept);
    for generation in checkpoints.generations() {
        checkpoints.damage(generation, 0);
    }
    killed.run().go().assert_stopped(STOPPED, &["damaged"]);
    kept.copy_to(&checkpoints);
    killed.goes_on();
}

#[test]
fn s21_the_file_of_another_program_is_refused_by_name() {
    let killed = Killed::new("another-program");
    let sample = Sample::named("heat-serial");
    let other = sample.build().to(killed.place.path(), "heat");
    killed
        .checkpoints()
        .copy_to(&Checkpoints::of(killed.place.path(), "heat"));
    let outcome = other
        .run(killed.place.path())
        .arguments(&["500", "2000"])
        .go();
    outcome.assert_stopped(STOPPED, &["loop", "heat"]);
    killed.goes_on();
}

#[test]
fn s21_a_file_of_another_rank_is_refused_under_this_one_s_name() {
    let Some(killed) = KilledRanks::new("another-rank") else {
        return;
    };
    let checkpoints = killed.checkpoints();
    let common = |generation: &u64| checkpoints.published(1).contains(generation);
    let mut all = checkpoints.published(0).into_iter();
    let newest = all.rfind(common).expect("a generation of both ranks");
    let later = |rank| {
        checkpoints
            .published(rank)
            .into_iter()
            .filter(|one| *one > newest)
    };
    for rank in 0..2 {
        later(rank).for_each(|generation| checkpoints.remove(generation, rank));
    }
    let (one, other) = (checkpoints.file(newest, 0), checkpoints.file(newest, 1));
    let kept = std::fs::read(&one).expect("the file of rank 0");
    std::fs::copy(&other, &one).expect("a file can be copied");
    killed.run(2).go().assert_stopped(
        STOPPED,
        &[&format!(
            "the file of rank 0 in generation {newest} was written by rank 1"
        )],
    );
    std::fs::write(&one, kept).expect("a file can be written");
    killed.goes_on();
}

#[test]
fn s23_a_file_of_a_newer_format_is_refused_with_a_sentence_and_the_older_generation_taken() {
    let killed = Killed::new("newer-format");
    let checkpoints = killed.checkpoints();
    let kept = Checkpoints::at(killed.place.join("kept-checkpoints"));
    checkpoints.copy_to(&kept);
    let make_newer = |generation: u64| {
        let path = checkpoints.file(generation, 0);
        let mut bytes = std::fs::read(&path).expect("a checkpoint");
        // The major version.
        bytes[8..12].copy_from_slice(&2u32.to_be_bytes());
        std::fs::write(&path, bytes).expect("a file can be written");
    };
    for generation in checkpoints.generations() {
        make_newer(generation);
    }
    killed
        .run()
        .go()
        .assert_stopped(STOPPED, &["written in format version 2."]);
    kept.copy_to(&checkpoints);
    let newest = checkpoints.newest();
    make_newer(newest);
    let outcome = killed.goes_on();
    outcome.assert_said(&[
        "written in format version 2.",
        &format!("generation {}", newest - 1),
    ]);
}

#[test]
fn s21_a_changed_struct_is_refused_with_both_types() {
    let killed = Killed::new("changed-struct");
    killed.with_program(&small_loop(&["-DEXTRA=long"]), || {
        killed
            .run()
            .go()
            .assert_stopped(STOPPED, &["struct state", "extra", "int", "long"]);
    });
    killed.goes_on();
}

#[test]
fn s21_a_changed_program_is_refused() {
    let killed = Killed::new("changed-program");
    killed.with_program(&small_loop(&["-DMORE"]), || {
        killed.run().go().assert_stopped(STOPPED, &["main"]);
    });
    killed.goes_on();
}

#[test]
fn s08_the_same_program_compiled_in_another_way_goes_on() {
    let killed = Killed::new("recompiled");
    killed.with_program(
        &small_loop(&[]).with(harness::Compiler::Clang, &["-O0", "-g"]),
        || {
            killed.goes_on();
        },
    );
}

#[test]
fn s05_changed_arguments_are_refused_with_both_and_the_two_ways_on() {
    let killed = Killed::new("arguments");
    let outcome = killed.run().arguments(&["777"]).go();
    outcome.assert_stopped(STOPPED, &["777", "force", "fresh"]);
    killed.goes_on();
}

#[test]
fn s05_a_fresh_start_stands_beside_the_old_generations() {
    let killed = Killed::new("fresh");
    let before = killed.checkpoints().generations();
    let outcome = killed
        .run()
        .arguments(&["--cccp-restart=fresh", "777"])
        .set("CCCP_KEEP", "99")
        .well();
    assert!(!outcome.resumed(), "{}", outcome.errors);
    let after = killed.checkpoints().generations();
    assert!(
        before.iter().all(|generation| after.contains(generation)),
        "{before:?} are not all in {after:?}"
    );
}

#[test]
fn s05_a_restart_with_other_arguments_can_be_forced() {
    let killed = Killed::new("forced");
    let outcome = killed
        .run()
        .arguments(&["777", "--cccp-restart=force"])
        .well();
    outcome.assert_resumed();
    assert_eq!(
        outcome.output, killed.expected,
        "the values of the checkpoint count, not the new arguments"
    );
}

#[test]
fn s05_a_misspelt_setting_is_an_error_with_the_nearest_word() {
    let killed = Killed::new("settings");
    let before = killed.checkpoints().generations();
    for (outcome, nearest) in [
        (killed.run().set("CCCP_EVRY", "3").go(), "every"),
        (
            killed.run().arguments(&["--cccp-compres=1"]).go(),
            "compress",
        ),
        (
            killed.run().set("CCCP_WRITE", "backgruond").go(),
            "background",
        ),
    ] {
        assert!(!outcome.status.success(), "{}", outcome.errors);
        assert!(!outcome.killed(), "{}", outcome.errors);
        outcome.assert_said(&[nearest]);
    }
    killed.place.write("cccp.toml", "kepp = 3\n");
    let outcome = killed.run().go();
    assert!(!outcome.status.success(), "{}", outcome.errors);
    outcome.assert_said(&["keep", "cccp.toml"]);
    std::fs::remove_file(killed.place.join("cccp.toml")).expect("the configuration can be removed");
    assert_eq!(killed.checkpoints().generations(), before);
    killed.goes_on();
}

#[test]
fn s05_settings_come_from_the_command_line_then_the_environment_then_the_file() {
    let place = Workplace::new("precedence");
    let program = small_loop(&[]).to(place.path(), "loop");
    place.write("cccp.toml", "dir = \"from-file\"\n");
    program.run(place.path()).well();
    assert!(place.join("from-file").is_dir());
    program
        .run(place.path())
        .set("CCCP_DIR", "from-environment")
        .well();
    assert!(place.join("from-environment").is_dir());
    let run = program
        .run(place.path())
        .set("CCCP_DIR", "from-environment");
    let outcome = run.arguments(&["--cccp-dir=from-line", "321"]).well();
    assert!(place.join("from-line").is_dir());
    let plain = program
        .run(&place.directory("plain"))
        .arguments(&["321"])
        .well();
    assert_eq!(
        outcome.output, plain.output,
        "the setting is removed from the arguments"
    );
}

#[test]
fn s09_a_block_that_is_left_elsewhere_than_in_the_run_stops_the_restart() {
    let place = Workplace::new("left");
    let program = Build::files(&["tests/programs/left.c"]).to(place.path(), "left");
    let probe = |at: &str, is_there: bool| {
        let path = place.join(at).join("probe.txt");
        match is_there {
            true => std::fs::write(path, "").expect("the file is written"),
            false => std::fs::remove_file(path).unwrap_or(()),
        }
    };
    for was_there in [false, true] {
        let (plain, killed) = (format!("plain-{was_there}"), format!("killed-{was_there}"));
        let run = |at: &str| {
            program
                .run(&place.directory(at))
                .set("CCCP_WRITE", "synchronous")
        };
        for at in [&plain, &killed] {
            place.directory(at);
            probe(at, was_there);
        }
        let expected = run(&plain).well().output;
        run(&killed).kill_at("checkpoint:5");
        probe(&killed, !was_there);
        let stopped = run(&killed).go();
        assert_eq!(stopped.code(), Some(STOPPED), "{}", stopped.errors);
        stopped.assert_said(&["probe", "left.c:9", "left it at another place"]);
        probe(&killed, was_there);
        let resumed = run(&killed).well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, expected);
    }
}

#[test]
fn s02_s09_a_directive_inside_of_a_block_is_shown_with_its_line() {
    let place = Workplace::new("inside-of-a-block");
    let text = "int main(void)\n{\n    int step, sum = 0;\n#pragma cccp init\n#pragma cccp register(step, sum)\n\
                #pragma cccp execute on restart\n    for (step = 0; step < 9; step++) {\n#pragma cccp checkpoint\n        \
                sum += step;\n    }\n#pragma cccp end execute\n#pragma cccp shutdown\n    return sum != 36;\n}\n";
    place.write("block.c", text);
    let mut tool = std::process::Command::new(precompiler());
    let output = tool.arg("block.c").current_dir(place.path()).output();
    let output = output.expect("the precompiler runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains(
            "error[CCCP204]: a directive stands inside an execute block\n --> block.c:8:1"
        ),
        "{said}"
    );
}
