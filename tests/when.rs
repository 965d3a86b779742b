//! When a checkpoint is taken: by time and cost, by calls, when a signal asks for it, before the end of the job (S18, S37, S38).
//!
//! The clock of these runs is one that each call of a checkpoint moves (`CCCP_CLOCK`), and the programs send signals to
//! themselves, so that nothing depends on how fast the machine is.

mod harness;
#[path = "when/trial.rs"]
mod trial;

use std::os::unix::process::ExitStatusExt;
use std::time::{SystemTime, UNIX_EPOCH};

use harness::{Build, Checkpoints, Compiler, Outcome, Workplace, mpi_or_word};
use trial::{CHECKPOINTED, Trial};

/// Nothing is due by time.
const ASKED_ONLY: [(&str, &str); 2] = [("CCCP_CLOCK", "1"), ("CCCP_INTERVAL", "off")];

impl Trial {
    /// At which calls an undisturbed run takes checkpoints.
    fn calls(&self, directory: &str, arguments: &[&str], settings: &[(&str, &str)]) -> Vec<u64> {
        let outcome = self.run(directory, arguments, settings).well();
        assert_eq!(outcome.errors, "");
        self.taken(directory)
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
        let place = Workplace::new("when-blocks");
        let build = Build::files(&["tests/when/blocks.c"]).with(Compiler::Gcc, &["-O2", define]);
        let trial = Trial::of(
            build.tool_flags(&[define]).to(place.path(), "blocks"),
            place,
        );
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
fn s37_a_restart_counts_calls_from_the_checkpoint_from_which_it_resumes() {
    let trial = Trial::new("asked");
    let settings = |every| [("CCCP_CLOCK", "1"), ("CCCP_EVERY", every)];
    let killed = trial.run("counts", &["60"], &settings("20"));
    killed.kill_at("published:2");
    let outcome = trial.run("counts", &["60"], &settings("7")).well();
    outcome.assert_said(&["from generation 40,"]);
    assert_eq!(trial.taken("counts"), [20, 40, 47, 54]);
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
        let place = Workplace::new("when-ranks");
        let program = Build::files(&["tests/when/ranks.c"]).mpi(true);
        let flags = [&["-O2"], defines].concat();
        let program = program.with(Compiler::Gcc, &flags).tool_flags(defines);
        Trial::of(program.to(place.path(), "ranks"), place)
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
        let place = Workplace::new("when-unequal");
        let program = Build::files(&["tests/when/unequal.c"]).mpi(true);
        Trial::of(program.to(place.path(), "unequal"), place)
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
