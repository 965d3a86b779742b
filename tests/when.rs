//! When a checkpoint is taken: by time and cost, by calls, when a signal asks for it, before the end of the job (S18, S37, S38).
//!
//! The clock of these runs is one that each call of a checkpoint moves (`CCCP_CLOCK`), and the programs send signals to
//! themselves, so that nothing depends on how fast the machine is.

mod harness;

use std::os::unix::process::ExitStatusExt;
use std::time::{SystemTime, UNIX_EPOCH};

use harness::{Build, Checkpoints, Compiler, Outcome, Program, Run, Workplace, mpi_or_word};

/// Nothing is due by time.
const ASKED_ONLY: [(&str, &str); 2] = [("CCCP_CLOCK", "1"), ("CCCP_INTERVAL", "off")];

/// The exit status of a run that was asked to end.
const CHECKPOINTED: i32 = 85;

struct Trial {
    place: Workplace,
    program: Program,
}

impl Trial {
    fn new(name: &str) -> Trial {
        let place = Workplace::quick(&format!("when-{name}"));
        let source = format!("tests/when/{name}.c");
        let program = Build::files(&[source]).to(place.path(), name);
        let program = Program {
            each: false,
            ..program
        };
        Trial { place, program }
    }

    fn run(&self, directory: &str, arguments: &[&str], settings: &[(&str, &str)]) -> Run {
        let directory = self.place.directory(directory);
        let run = self.program.run(&directory).arguments(arguments);
        let run = run
            .set("CCCP_WRITE", "synchronous")
            .set("CCCP_KEEP", "1000");
        settings
            .iter()
            .fold(run, |run, (name, value)| run.set(name, value))
    }

    /// At which calls an undisturbed run takes checkpoints.
    fn calls(&self, directory: &str, arguments: &[&str], settings: &[(&str, &str)]) -> Vec<u64> {
        let outcome = self.run(directory, arguments, settings).well();
        assert_eq!(outcome.errors, "");
        self.taken(directory)
    }

    fn taken(&self, directory: &str) -> Vec<u64> {
        let name = self.program.path.file_name().unwrap().to_str().unwrap();
        let place = Checkpoints::of(&self.place.join(directory), name);
        let mut taken = match place.path().exists() {
            true => place.generations(),
            false => Vec::new(),
        };
        taken.sort_unstable();
        taken
    }

    /// Leaves with the exit status for it, and the next run ends as an undisturbed one.
    fn leaves(&self, arguments: &[&str], settings: &[(&str, &str)], said: &[&str]) -> Outcome {
        let directory = format!("leaves-{}-{}", arguments.join("-"), settings.len());
        let whole = self.run("undisturbed", &[arguments[0]], &[]).well();
        let first = self.run(&directory, arguments, settings).go();
        first.assert_stopped(CHECKPOINTED, said);
        let second = self.run(&directory, arguments, settings).well();
        second.assert_resumed();
        let only = |text: &str| {
            let lines = text.lines().filter(|line| !line.starts_with("heard"));
            lines.map(|line| format!("{line}\n")).collect::<String>()
        };
        let both = only(&first.output) + &only(&second.output);
        assert_eq!(both, whole.output, "{}", second.errors);
        first
    }
}

#[test]
fn s37_without_a_setting_time_and_cost_decide() {
    let trial = Trial::new("asked");
    let calls = |directory, clock| trial.calls(directory, &["400"], &[("CCCP_CLOCK", clock)]);
    // Less than a second, four seconds, a little more than an hour: a checkpoint that costs nothing is taken as if it took
    // a millisecond.
    assert_eq!(calls("short", "0.002").len(), 0);
    assert_eq!(calls("seconds", "0.01").len(), 1);
    let hour = calls("hour", "10");
    assert!((180..220).contains(&hour.len()), "{hour:?}");
    let rough = [("CCCP_CLOCK", "1"), ("CCCP_MTBF", "10m")];
    let calm = [("CCCP_CLOCK", "1"), ("CCCP_MTBF", "30d")];
    let rough = trial.calls("rough", &["400"], &rough);
    let calm = trial.calls("calm", &["400"], &calm);
    assert!(rough.len() > 4 * calm.len(), "{rough:?} {calm:?}");
    let share = [("CCCP_CLOCK", "0.01"), ("CCCP_OVERHEAD", "0.5%")];
    assert_eq!(trial.calls("share", &["150"], &share).len(), 0);
}

#[test]
fn s37_what_the_first_checkpoint_may_cost_counts_the_blocks_that_items_lead_to() {
    for define in ["-DPLAIN", "-DWHOLE", "-DFOLLOW"] {
        let place = Workplace::quick("when-blocks");
        let build = Build::files(&["tests/when/blocks.c"]).with(Compiler::Gcc, &["-O2", define]);
        let program = build.tool_flags(&[define]).to(place.path(), "blocks");
        let program = Program {
            each: false,
            ..program
        };
        let trial = Trial { place, program };
        // 20 MB take a tenth of a second, and what any checkpoint takes a hundredth: 1 % of eleven seconds.
        let calls = trial.calls("run", &["20"], &[("CCCP_CLOCK", "1")]);
        let first = calls[0];
        assert!((11..=12).contains(&first), "{define}: {calls:?}");
    }
}

#[test]
fn s37_intervals_and_calls_that_are_set_are_kept() {
    let trial = Trial::new("asked");
    let clock = ("CCCP_CLOCK", "1");
    let calls = |directory, name, value| trial.calls(directory, &["100"], &[clock, (name, value)]);
    assert_eq!(calls("interval", "CCCP_INTERVAL", "30s"), [30, 60, 90]);
    assert_eq!(calls("minute", "CCCP_INTERVAL", "1m"), [60]);
    assert_eq!(calls("off", "CCCP_INTERVAL", "off"), []);
    assert_eq!(calls("never", "CCCP_EVERY", "0"), []);
    assert_eq!(calls("calls", "CCCP_EVERY", "25"), [25, 50, 75, 100]);
    assert_eq!(calls("each", "CCCP_EVERY", "1").len(), 100);
}

#[test]
fn s37_calls_and_time_are_counted_side_by_side() {
    let trial = Trial::new("mixed");
    let settings = [("CCCP_CLOCK", "1"), ("CCCP_INTERVAL", "off")];
    // Each pass makes two calls; what a clause says may change.
    assert_eq!(trial.calls("off", &["100"], &settings), [80, 160]);
    assert_eq!(trial.calls("few", &["10"], &settings), [8, 16]);
    let settings = [("CCCP_CLOCK", "1"), ("CCCP_INTERVAL", "1m")];
    assert_eq!(trial.calls("both", &["100"], &settings), [60, 80, 140, 160]);
    let whole = trial.run("both", &["100"], &[]).well().output;
    let killed = trial
        .run("killed", &["100"], &settings)
        .kill_at("published:3");
    assert_eq!(killed.output, "");
    let again = trial.run("killed", &["100"], &settings).well();
    again.assert_said(&["from generation 140,"]);
    assert_eq!(again.output, whole);
}

#[test]
fn s38_sigusr1_asks_for_a_checkpoint() {
    let trial = Trial::new("asked");
    for (directory, clock) in [("made-up", Some(("CCCP_CLOCK", "0"))), ("real", None)] {
        let settings: Vec<_> = clock
            .into_iter()
            .chain([("CCCP_INTERVAL", "off")])
            .collect();
        assert_eq!(trial.calls(directory, &["100", "usr1"], &settings), [31]);
    }
}

#[test]
fn s38_sigterm_ends_the_run_behind_a_checkpoint() {
    let trial = Trial::new("asked");
    let said = ["generation 31 is complete", "exit status 85"];
    for what in ["term", "thread"] {
        let first = trial.leaves(&["100", what], &[], &said);
        assert!(!first.output.contains("the end of the program"));
    }
    let background = [("CCCP_WRITE", "background"), ("CCCP_INTERVAL", "off")];
    trial.leaves(&["100", "term"], &background, &said);
    let interrupt = [("CCCP_SIGNALS", "interrupt")];
    let first = trial.leaves(&["100", "int"], &interrupt, &said);
    first.assert_said(&["cccp: SIGINT: generation 31 is complete"]);
    let history = trial
        .place
        .join("leaves-100-term-0/asked.cccp/history.jsonl");
    let history = std::fs::read_to_string(history).expect("the history");
    assert!(history.contains("\"why\":\"signal\""), "{history}");
    assert!(history.contains("{\"event\":\"leaving\""), "{history}");
}

#[test]
fn s38_handlers_of_the_program_are_called_too() {
    let trial = Trial::new("asked");
    let first = trial.leaves(&["100", "handler"], &[], &["exit status 85"]);
    assert!(first.output.contains("heard 15\n"), "{}", first.output);
    // One that is installed later, a moment before the signal, does not take the place of ours, and does not see it.
    for (what, heard) in [
        ("late", "heard 1500\n"),
        ("late signal", "heard 15\n"),
        ("chained", "heard 1000000\n"),
    ] {
        let first = trial.leaves(&["100", what], &[], &["exit status 85"]);
        assert!(first.output.contains(heard), "{}", first.output);
    }
}

#[test]
fn s38_sigusr2_is_answered_with_how_far_the_run_is() {
    let trial = Trial::new("asked");
    let settings = [("CCCP_EVERY", "10")];
    let whole = trial.run("whole", &["100"], &settings).well();
    let asked = trial.run("usr2", &["100", "usr2"], &settings).well();
    assert_eq!(asked.output, whole.output);
    asked.assert_said(&[
        "cccp: asked: running for ",
        "3 checkpoints, the last one generation 30, ",
        "the program stood still for ",
    ]);
    assert_eq!(asked.errors.lines().count(), 1, "{}", asked.errors);
    let none = trial.run("none", &["100", "usr2"], &ASKED_ONLY).well();
    none.assert_said(&["no checkpoint in this run yet", "none is due by time"]);
    let clock = [("CCCP_INTERVAL", "1h")];
    let due = trial.run("due", &["100", "usr2"], &clock).well();
    due.assert_said(&["the next one is due in "]);
    // What the program does with it itself is its own.
    let own = trial.run("own", &["100", "own usr2"], &settings).well();
    assert_eq!(own.errors, "");
    assert!(own.output.contains("heard 12\n"), "{}", own.output);
    let off = trial.run("off", &["100", "usr2"], &[("CCCP_SIGNALS", "off")]);
    assert_eq!(off.go().status.signal(), Some(12));
}

#[test]
fn s38_what_does_not_ask_does_what_it_does_without_the_library() {
    let trial = Trial::new("asked");
    let ended = |what: &str, settings: &[(&str, &str)]| {
        let outcome = trial.run(
            &format!("ended-{what}-{}", settings.len()),
            &["100", what],
            settings,
        );
        outcome.go().status.signal()
    };
    assert_eq!(ended("twice", &[]), Some(15));
    assert_eq!(ended("int", &[]), Some(2));
    assert_eq!(ended("term", &[("CCCP_SIGNALS", "off")]), Some(15));
    assert_eq!(ended("usr1", &[("CCCP_SIGNALS", "off")]), Some(10));
    let child = trial.run("child", &["100", "child"], &[]).well();
    assert!(child.output.contains("the child: 15\n"), "{}", child.output);
    trial.run("ignored", &["100", "ignored"], &[]).well();
}

#[test]
fn s38_the_run_leaves_before_its_time_is_over() {
    let trial = Trial::new("asked");
    let settings = [
        ("CCCP_CLOCK", "1"),
        ("CCCP_WALLTIME", "2m"),
        ("CCCP_INTERVAL", "off"),
    ];
    let said = ["the time of the job is nearly over: generation 90 is complete"];
    trial.leaves(&["150"], &settings, &said);
    let settings = [
        settings[0],
        settings[1],
        settings[2],
        ("CCCP_AT_WALLTIME", "continue"),
    ];
    assert_eq!(trial.calls("on", &["150"], &settings), [90]);
    // The batch system says when.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let end = (now.as_secs() + 36_000).to_string();
    let settings = [
        ("CCCP_CLOCK", "3600"),
        ("SLURM_JOB_END_TIME", &*end),
        ("CCCP_INTERVAL", "off"),
    ];
    let outcome = trial.run("batch", &["150"], &settings).go();
    outcome.assert_stopped(CHECKPOINTED, &["generation 10 is complete"]);
}

#[test]
fn s38_pbs_and_lsf_say_how_long_a_job_may_take() {
    let trial = Trial::new("asked");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let begun = (now.as_secs() - 36_000).to_string();
    // Twenty hours, of which ten are over where the beginning is known.
    for (directory, variables, call) in [
        ("torque", vec![("PBS_WALLTIME", "72000")], 20),
        (
            "pbs-begun",
            vec![("PBS_WALLTIME", "72000"), ("PBS_JOB_START_TIME", &*begun)],
            10,
        ),
        ("lsf", vec![("LSB_RUNLIMIT", "1200")], 20),
        (
            "lsf-begun",
            vec![("LSB_RUNLIMIT", "1200"), ("LSB_JOB_STARTTIME", &*begun)],
            10,
        ),
    ] {
        let mut settings = vec![("CCCP_CLOCK", "3600"), ("CCCP_INTERVAL", "off")];
        settings.extend(variables);
        let outcome = trial.run(directory, &["150"], &settings).go();
        let said = format!("generation {call} is complete");
        outcome.assert_stopped(CHECKPOINTED, &[&said]);
    }
}

/// The generations that all ranks have; others are incomplete.
fn common(trial: &Trial, directory: &str, ranks: usize) -> (Vec<u64>, bool) {
    let name = trial.program.path.file_name().unwrap().to_str().unwrap();
    let place = Checkpoints::of(&trial.place.join(directory), name);
    let mut all: Vec<Vec<u64>> = (0..ranks).map(|rank| place.published(rank)).collect();
    all.iter_mut().for_each(|one| one.sort_unstable());
    let everywhere = |number: &&u64| all.iter().all(|one| one.contains(number));
    let common = all[0].iter().filter(everywhere).copied().collect();
    (common, all.iter().all(|one| *one == all[0]))
}

fn of_ranks() -> Option<Trial> {
    of_ranks_with(&[])
}

/// The same, defined in another way.
fn of_ranks_with(defines: &[&str]) -> Option<Trial> {
    mpi_or_word().then(|| {
        let place = Workplace::quick("when-ranks");
        let program = Build::files(&["tests/when/ranks.c"]).mpi(true);
        let flags = [&["-O2"], defines].concat();
        let program = program.with(Compiler::Gcc, &flags).tool_flags(defines);
        let program = program.to(place.path(), "ranks");
        let program = Program {
            each: false,
            ..program
        };
        Trial { place, program }
    })
}

#[test]
fn s18_s38_a_signal_to_one_rank_ends_all_of_them_behind_the_same_checkpoint() {
    let Some(trial) = of_ranks() else { return };
    let whole = trial.run("whole", &["100"], &[]).ranks(3).well();
    for which in ["0", "2"] {
        let directory = format!("term-{which}");
        let run = || {
            trial
                .run(&directory, &["100", "term", which], &ASKED_ONLY)
                .ranks(3)
        };
        run()
            .go()
            .assert_stopped(CHECKPOINTED, &["is complete", "exit status 85"]);
        let (common, same) = common(&trial, &directory, 3);
        assert!(same && common.len() == 1 && common[0] >= 31, "{common:?}");
        let again = run().well();
        again.assert_resumed();
        assert_eq!(again.output, whole.output);
    }
}

#[test]
fn s18_s38_a_checkpoint_asked_of_one_rank_is_taken_by_all() {
    let Some(trial) = of_ranks() else { return };
    let run = trial.run("usr1", &["100", "usr1", "1"], &ASKED_ONLY);
    let run = run.ranks(3);
    assert_eq!(run.well().errors, "");
    let (common, same) = common(&trial, "usr1", 3);
    assert!(same && common.len() == 1 && common[0] >= 31, "{common:?}");
}

#[test]
fn s18_clocks_may_differ_by_any_amount() {
    let Some(trial) = of_ranks() else { return };
    let settings = [("CCCP_CLOCK", "1+100000@1"), ("CCCP_INTERVAL", "40s")];
    let run = |directory| trial.run(directory, &["200"], &settings).ranks(3);
    let whole = run("clocks").well();
    let (taken, same) = common(&trial, "clocks", 3);
    assert!(same && (3..=8).contains(&taken.len()), "{taken:?}");
    run("killed").kill_at("published:3@2");
    let again = run("killed").well();
    again.assert_resumed();
    assert_eq!(again.output, whole.output);
}

#[test]
fn s18_ranks_may_be_far_apart() {
    let Some(trial) = of_ranks() else { return };
    for which in ["0", "1"] {
        let directory = format!("apart-{which}");
        let run = trial.run(&directory, &["20000", "apart", which], &ASKED_ONLY);
        assert_eq!(run.ranks(2).well().errors, "");
        let (taken, _) = common(&trial, &directory, 2);
        assert!(!taken.is_empty() && taken[0] > 31, "{taken:?}");
    }
}

#[test]
fn s18_only_the_ranks_of_the_communicator_of_init_agree() {
    let Some(trial) = of_ranks_with(&["-DHALF"]) else {
        return;
    };
    let whole = trial.run("whole", &["100"], &[]).ranks(3).well();
    // Rank 2 is not one of them; it works on its own, and ends by itself.
    let run = || {
        trial
            .run("term", &["100", "term", "1"], &ASKED_ONLY)
            .ranks(3)
    };
    let first = run().go();
    first.assert_said(&["is complete", "exit status 85"]);
    let (taken, same) = common(&trial, "term", 2);
    assert!(same && taken.len() == 1 && taken[0] >= 31, "{taken:?}");
    let again = run().well();
    again.assert_resumed();
    assert_eq!(again.output, whole.output);
}

#[test]
fn s18_s31_counted_messages_and_checkpoints_by_time_go_together() {
    let Some(trial) = of_ranks_with(&["-DCOUNTED"]) else {
        return;
    };
    let settings = [("CCCP_CLOCK", "1"), ("CCCP_INTERVAL", "20s")];
    let run = |directory| trial.run(directory, &["200"], &settings).ranks(3);
    let whole = run("whole").well();
    let (taken, same) = common(&trial, "whole", 3);
    assert!(same && (3..=12).contains(&taken.len()), "{taken:?}");
    run("killed").kill_at("published:3@1");
    let again = run("killed").well();
    again.assert_resumed();
    assert_eq!(again.output, whole.output);
    let asked = || {
        trial
            .run("term", &["100", "term", "2"], &ASKED_ONLY)
            .ranks(3)
    };
    asked().go().assert_stopped(CHECKPOINTED, &["is complete"]);
    let again = asked().well();
    again.assert_resumed();
    assert_eq!(
        again.output,
        trial.run("hundred", &["100"], &[]).ranks(3).well().output
    );
}

#[test]
fn s18_a_rank_that_comes_to_no_checkpoint_stops_nobody() {
    let Some(trial) = of_ranks() else { return };
    for what in ["own way", "forgets"] {
        let settings = [("CCCP_CLOCK", "1"), ("CCCP_INTERVAL", "20s")];
        let run = trial.run(what, &["200", what, "1"], &settings);
        assert_eq!(run.ranks(3).well().errors, "");
        let (taken, same) = common(&trial, what, 3);
        assert!(
            same && taken.is_empty() == (what == "own way"),
            "{what}: {taken:?}"
        );
    }
    // The clock of the machine, and a run that is over at once.
    trial.run("quick", &["50"], &[]).ranks(3).well();
    assert!(common(&trial, "quick", 3).0.is_empty());
}

/// Ranks of `tests/when/unequal.c`.
fn unequal() -> Option<Trial> {
    mpi_or_word().then(|| {
        let place = Workplace::quick("when-unequal");
        let program = Build::files(&["tests/when/unequal.c"]).mpi(true);
        let program = program.to(place.path(), "unequal");
        let program = Program {
            each: false,
            ..program
        };
        Trial { place, program }
    })
}

const UNEQUAL: [&str; 10] = [
    "condition",
    "blocks",
    "function",
    "places",
    "ahead",
    "around",
    "next",
    "return",
    "operand",
    "macro",
];

#[test]
fn s18_ranks_that_pass_checkpoints_unequally_often_are_told_while_they_run() {
    let Some(trial) = unequal() else { return };
    let settings = [("CCCP_CLOCK", "1"), ("CCCP_INTERVAL", "20s")];
    for how in UNEQUAL {
        let run = trial.run(how, &["200", how], &settings).ranks(2).well();
        let said = "the ranks were at different moments when it was taken";
        assert_eq!(run.errors.matches(said).count(), 1, "{how}: {}", run.errors);
    }
    for how in ["equal", "apart"] {
        let run = trial.run(how, &["200", how], &settings).ranks(2);
        assert_eq!(run.well().errors, "", "{how}");
    }
}

#[test]
fn s18_the_first_checkpoint_of_ranks_is_no_place_to_restart_from_when_one_is_ahead_of_the_other() {
    let Some(trial) = unequal() else { return };
    let settings = [("CCCP_EVERY", "1"), ("CCCP_WRITE", "synchronous")];
    for how in ["ahead", "around"] {
        let run = || trial.run(how, &["200", how], &settings).ranks(2);
        run().kill_at("checkpoint:2@1");
        let again = run().go();
        again.assert_stopped(75, &["generation 1", "the ranks were at different moments"]);
    }
    let whole = trial.run("whole", &["200", "apart"], &[]).ranks(2).well();
    let run = || trial.run("apart", &["200", "apart"], &settings).ranks(2);
    run().kill_at("checkpoint:30@1");
    let again = run().well();
    again.assert_resumed();
    assert_eq!(again.output, whole.output);
}

#[test]
fn s18_no_restart_joins_different_moments_of_ranks_however_checkpoints_were_due() {
    let Some(trial) = unequal() else { return };
    for (name, settings) in [
        ("time", vec![("CCCP_CLOCK", "1"), ("CCCP_INTERVAL", "20s")]),
        ("calls", vec![("CCCP_EVERY", "20")]),
    ] {
        for how in UNEQUAL {
            let directory = format!("{name}-{how}");
            let run = || trial.run(&directory, &["200", how], &settings).ranks(2);
            run().kill_at("shutdown:1@0");
            assert!(!common(&trial, &directory, 2).0.is_empty(), "{directory}");
            let again = run().go();
            again.assert_stopped(
                75,
                &["the ranks were at different moments", "moments = trust"],
            );
        }
        let whole = trial.run("whole", &["200", "equal"], &[]).ranks(2).well();
        let run = || trial.run(name, &["200", "equal"], &settings).ranks(2);
        run().kill_at("published:2@1");
        let again = run().well();
        again.assert_resumed();
        assert_eq!(again.output, whole.output);
    }
}

#[test]
fn s18_s38_a_run_that_is_asked_to_leave_does_not_believe_in_different_moments() {
    let Some(trial) = unequal() else { return };
    let run = trial.run("term", &["300", "condition", "term"], &ASKED_ONLY);
    let outcome = run.ranks(2).well();
    outcome.assert_said(&["the ranks were at different moments"]);
    let again = trial.run("equal", &["100", "equal", "term"], &ASKED_ONLY);
    again
        .ranks(2)
        .go()
        .assert_stopped(CHECKPOINTED, &["is complete"]);
}

#[test]
fn s18_ranks_that_exchange_nothing_may_say_so() {
    let Some(trial) = unequal() else { return };
    let settings = [("CCCP_EVERY", "20"), ("CCCP_MOMENTS", "trust")];
    let whole = trial.run("whole", &["200", "alone"], &[]).ranks(2).well();
    let run = || trial.run("trust", &["200", "alone"], &settings).ranks(2);
    run().kill_at("published:2@1");
    // The other rank may be behind: they do not wait for each other.
    let taken = Checkpoints::of(&trial.place.join("trust"), "unequal");
    let resumes = taken.has_common(2);
    let again = run().well();
    assert_eq!(again.resumed(), resumes, "{}", again.errors);
    assert_eq!(again.output, whole.output);
}

#[test]
fn s25_a_run_of_which_no_checkpoint_is_complete_says_so_at_its_end() {
    let Some(trial) = of_ranks() else { return };
    let settings = [("CCCP_CLOCK", "1"), ("CCCP_EVERY", "20")];
    let said = "no checkpoint of this run is complete";
    for (what, is_alone) in [("own way", true), ("nothing", false)] {
        let run = trial.run(what, &["200", what, "0"], &settings);
        let outcome = run.ranks(2).well();
        assert_eq!(
            outcome.errors.matches(said).count(),
            usize::from(is_alone),
            "{}",
            outcome.errors
        );
    }
}

#[test]
fn s25_a_run_that_could_write_no_checkpoint_says_so_at_its_end() {
    let trial = Trial::new("asked");
    let settings = [("CCCP_EVERY", "10"), ("CCCP_DIR", "/dev/full/none")];
    let outcome = trial.run("none", &["100"], &settings).well();
    outcome.assert_said(&["summary: this run has written no checkpoint: "]);
    assert_eq!(
        outcome.errors.matches("summary").count(),
        1,
        "{}",
        outcome.errors
    );
    assert!(
        !outcome.errors.contains("the older one is kept"),
        "{}",
        outcome.errors
    );
}

/// What a run with the setting `profile` says, and the bytes of all its checkpoints.
fn profiled(trial: &Trial, directory: &str, arguments: &[&str]) -> (Outcome, u64) {
    let settings = [
        ("CCCP_CLOCK", "1"),
        ("CCCP_INTERVAL", "20s"),
        ("CCCP_PROFILE", "../profile"),
    ];
    let outcome = trial.run(directory, arguments, &settings).well();
    let name = trial.program.path.file_name().unwrap().to_str().unwrap();
    let place = Checkpoints::of(&trial.place.join(directory), name);
    let bytes = |one: &u64| std::fs::metadata(place.file(*one, 0)).unwrap().len();
    let sum = place.generations().iter().map(bytes).sum();
    (outcome, sum)
}

#[test]
fn s37_of_several_places_those_with_the_fewest_bytes_are_chosen_and_used_by_the_next_run() {
    let trial = Trial::new("places");
    let (first, many) = profiled(&trial, "first", &["100"]);
    first.assert_said(&[
        "profile: 2 places, of which ",
        "places.c:25 bring the fewest bytes",
    ]);
    let file = trial.place.join("profile");
    let kept = std::fs::read_to_string(&file).unwrap();
    assert_eq!(kept.matches("\"passages\":100").count(), 2, "{kept}");
    assert_eq!(kept.matches("\"taken\":0}").count(), 1, "{kept}");
    let (second, few) = profiled(&trial, "second", &["100"]);
    assert_eq!(second.errors, "");
    assert!(few * 3 < many, "{few} {many}");
    // The interval is kept: no two checkpoints are further apart, nor from the begin and the end.
    let mut calls = trial.taken("second");
    calls.insert(0, 0);
    calls.push(200);
    assert!(
        calls.windows(2).all(|pair| pair[1] - pair[0] <= 20),
        "{calls:?}"
    );
    // It is killed and resumed like any other.
    let settings = [
        ("CCCP_CLOCK", "1"),
        ("CCCP_INTERVAL", "20s"),
        ("CCCP_PROFILE", "../profile"),
    ];
    trial
        .run("killed", &["100"], &settings)
        .kill_at("published:3");
    let again = trial.run("killed", &["100"], &settings).well();
    again.assert_resumed();
    assert_eq!(again.output, first.output);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), kept);
}

#[test]
fn s37_a_profile_that_does_not_belong_to_the_program_is_told_and_nothing_is_lost() {
    let trial = Trial::new("places");
    let file = trial.place.write("profile", "what somebody wrote\n");
    let (outcome, _) = profiled(&trial, "other", &["100"]);
    outcome.assert_said(&["profile is no profile that can be read", "left as it is"]);
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "what somebody wrote\n"
    );
    std::fs::remove_file(&file).unwrap();
    let mixed = Trial::new("mixed");
    profiled(&trial, "first", &["100"]);
    let kept = std::fs::read_to_string(&file).unwrap();
    std::fs::copy(&file, mixed.place.join("profile")).unwrap();
    let (outcome, _) = profiled(&mixed, "foreign", &["100"]);
    outcome.assert_said(&["is the profile of places, this is mixed", "not used"]);
    assert_eq!(
        std::fs::read_to_string(mixed.place.join("profile")).unwrap(),
        kept
    );
    // Another version of the program: its places may have moved.
    std::fs::write(&file, kept.replace("\"text\":\"", "\"text\":\"0")).unwrap();
    let (outcome, _) = profiled(&trial, "outdated", &["100"]);
    outcome.assert_said(&[
        "is the profile of another version of this program",
        "this run makes it anew",
        "profile: 2 places",
    ]);
    assert!(
        std::fs::read_to_string(&file)
            .unwrap()
            .contains("\"taken\":10")
    );
}

/// What `cccp-pp --profile` makes of the program of `places.c`: status, result, what it says.
fn with_profile(trial: &Trial, words: &[&str], source: &str) -> (bool, String, String) {
    let mut tool = std::process::Command::new(harness::precompiler());
    tool.current_dir(trial.place.path())
        .args(["--profile", "profile"])
        .args(words);
    let output = tool.arg(source).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.success(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn s37_the_precompiler_leaves_out_the_places_that_a_profile_does_not_choose() {
    let trial = Trial::new("places");
    let (first, _) = profiled(&trial, "first", &["100"]);
    let source = harness::root().join("tests/when/places.c");
    let source = source.to_str().unwrap();
    let ticks = |text: &str| text.matches("cccp_tick(").count();
    for words in [&[][..], &["--auto"]] {
        let (well, text, said) = with_profile(&trial, words, source);
        assert!(
            well && ticks(&text) == 1 && text.contains("/* not chosen: checkpoint */"),
            "{said}"
        );
        assert!(
            said.contains("places.c:12: 8024 bytes at each of 100 passages: left out"),
            "{said}"
        );
        assert!(
            said.contains(
                "places.c:25: 12 bytes at each of 100 passages: 10 checkpoints, 20.0 s apart"
            ),
            "{said}"
        );
    }
    let (well, told, said) = with_profile(&trial, &["--explain"], source);
    assert!(
        well && said.contains("left out") && !told.contains("much[]"),
        "{told}{said}"
    );
    // The program that comes of it does the same, and takes checkpoints at that place.
    let (_, text, _) = with_profile(&trial, &[], source);
    let file = trial.place.write("chosen.c", &text);
    let mut compiler = std::process::Command::new("gcc");
    let include = format!(
        "-I{}",
        harness::root().join("cccp-runtime/include").display()
    );
    let flags = std::process::Command::new(harness::precompiler())
        .arg("--libs")
        .output()
        .unwrap();
    let flags = String::from_utf8(flags.stdout).unwrap();
    compiler
        .args(["-O1", &include, "-o"])
        .arg(trial.place.join("chosen"))
        .arg(file);
    assert!(
        compiler
            .args(flags.split_whitespace())
            .status()
            .unwrap()
            .success()
    );
    let mut run = std::process::Command::new(trial.place.join("chosen"));
    harness::without_settings(&mut run);
    run.current_dir(trial.place.path())
        .envs([("CCCP_CLOCK", "1"), ("CCCP_INTERVAL", "20s")]);
    let output = run.arg("100").output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), first.output);
    // Another text: all checkpoints stay. No profile at all: an error.
    let other = std::fs::read_to_string(source)
        .unwrap()
        .replace("0.5", "0.25");
    let other = trial.place.write("other.c", &other);
    let (well, text, said) = with_profile(&trial, &[], other.to_str().unwrap());
    assert!(
        well && ticks(&text) == 2 && said.contains("all checkpoints stay"),
        "{said}"
    );
    trial
        .place
        .write("profile", "{\"event\":\"start\",\"time\":1}\n");
    let (well, _, said) = with_profile(&trial, &[], source);
    assert!(!well && said.contains("profile is no profile"), "{said}");
}

#[test]
fn s37_auto_mode_leaves_out_the_places_that_a_profile_does_not_choose() {
    let place = Workplace::quick("when-phases");
    let source = harness::root().join("tests/when/phases.c");
    let build = Build::files(&["tests/when/phases.c"]).tool_flags(&["--auto"]);
    let program = Program {
        each: false,
        ..build.to(place.path(), "phases")
    };
    let trial = Trial { place, program };
    let (first, _) = profiled(&trial, "first", &["100"]);
    first.assert_said(&["profile: 2 places, of which "]);
    let source = source.to_str().unwrap();
    let (well, text, said) = with_profile(&trial, &["--annotate"], source);
    let marks = |text: &str| text.matches("#pragma cccp checkpoint").count();
    assert!(well && marks(&text) == 1, "{said}{text}");
    assert!(
        said.contains("phases.c:13: 32008 bytes at each of 10 passages: left out")
            && said.contains("phases.c:21: 16016 bytes at each of 100 passages: 5 checkpoints"),
        "{said}"
    );
    // What is registered for the other place only is not saved any more.
    assert!(!text.contains("cccp register(speed"), "{text}");
    // The program that comes of it does the same, and takes checkpoints at that place.
    let flags = [
        "--auto",
        "--profile",
        trial.place.join("profile").to_str().unwrap(),
    ]
    .map(str::to_owned);
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let build = Build::files(&["tests/when/phases.c"]).careless();
    let chosen = Trial {
        program: Program {
            each: false,
            ..build.tool_flags(&flags).to(trial.place.path(), "chosen")
        },
        place: trial.place,
    };
    let settings = [("CCCP_CLOCK", "1"), ("CCCP_INTERVAL", "20s")];
    chosen
        .run("chosen-run", &["100"], &settings)
        .kill_at("published:2");
    let again = chosen.run("chosen-run", &["100"], &settings).well();
    again.assert_resumed();
    assert_eq!(again.output, first.output);
}
