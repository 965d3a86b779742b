//! Choosing among several places for checkpoints by a profile (S37): those that bring the fewest bytes while no two checkpoints are
//! further apart than the interval.
//!
//! The clock of these runs is one that each call of a checkpoint moves (`CCCP_CLOCK`); the programs are those of `tests/when`.

mod harness;
#[path = "when/trial.rs"]
mod trial;

use harness::{Build, Checkpoints, Outcome, Workplace, mpi_or_word};
use trial::{CHECKPOINTED, Trial};

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
    let place = Workplace::new("when-phases");
    let source = harness::root().join("tests/when/phases.c");
    let build = Build::files(&["tests/when/phases.c"]).tool_flags(&["--auto"]);
    let trial = Trial::of(build.to(place.path(), "phases"), place);
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
    let build = build.tool_flags(&flags);
    let chosen = Trial::of(build.to(trial.place.path(), "chosen"), trial.place);
    let settings = [("CCCP_CLOCK", "1"), ("CCCP_INTERVAL", "20s")];
    chosen
        .run("chosen-run", &["100"], &settings)
        .kill_at("published:2");
    let again = chosen.run("chosen-run", &["100"], &settings).well();
    again.assert_resumed();
    assert_eq!(again.output, first.output);
}

#[test]
fn s37_s38_a_run_that_leaves_writes_the_profile_of_what_it_has_seen_and_the_next_one_uses_it() {
    let trial = Trial::new("places");
    let file = trial.place.join("profile");
    let run = |end: &str| {
        let settings = [
            ("CCCP_CLOCK", "1"),
            ("CCCP_INTERVAL", "20s"),
            ("CCCP_PROFILE", "../profile"),
            ("CCCP_WALLTIME", end),
        ];
        trial.run("chain", &["100"], &settings)
    };
    let whole = trial.run("whole", &["100"], &[]).well();
    // Too short to choose: the next one looks again.
    run("48s")
        .go()
        .assert_stopped(CHECKPOINTED, &["exit status 85"]);
    assert!(!file.exists());
    let second = run("120s").go();
    second.assert_stopped(
        CHECKPOINTED,
        &["profile: 2 places, of which ", "places.c:25 bring"],
    );
    let third = run("1000s").well();
    third.assert_resumed();
    assert_eq!(third.output, whole.output);
    assert!(!third.errors.contains("profile: "), "{}", third.errors);
}

#[test]
fn s37_what_was_seen_up_to_a_checkpoint_survives_a_kill_and_the_restart_goes_on_looking() {
    let trial = Trial::new("places");
    let whole = profiled(&trial, "whole", &["100"]).0;
    let file = trial.place.join("profile");
    let kept = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let settings = [
        ("CCCP_CLOCK", "1"),
        ("CCCP_INTERVAL", "20s"),
        ("CCCP_PROFILE", "../profile"),
    ];
    let run = || trial.run("killed", &["100"], &settings);
    // Behind a checkpoint, before one is published, and twice in a row.
    run().kill_at("published:3");
    for point in ["checkpoint:3", "published:1"] {
        run().kill_at(point).assert_resumed();
    }
    let last = run().well();
    last.assert_resumed();
    assert_eq!(last.output, whole.output);
    // Each passage is there once, as in a run that nobody has killed.
    let again = std::fs::read_to_string(&file).unwrap();
    assert_eq!(again.matches("\"passages\":100,").count(), 2, "{again}");
    let places = |text: &str| -> Vec<String> {
        let lines = text.lines().skip(1);
        lines
            .map(|line| {
                line.split("\"taken\"")
                    .next()
                    .unwrap()
                    .split("\"file\"")
                    .nth(1)
                    .unwrap()
                    .to_owned()
            })
            .collect()
    };
    assert_eq!(places(&again), places(&kept));
    last.assert_said(&["places.c:25 bring the fewest bytes"]);
    let left = std::fs::read_dir(trial.place.join("killed/places.cccp")).unwrap();
    let left: Vec<String> = left
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("places."))
        .collect();
    assert_eq!(left, [""; 0], "nothing stays beside the checkpoints");
}

/// The program of `places.c` on ranks, and its text.
fn places_on_ranks() -> (Trial, std::path::PathBuf) {
    let place = Workplace::new("when-places-of-ranks");
    let text = std::fs::read_to_string(harness::root().join("tests/when/places.c")).unwrap();
    let text = text
        .replace("double sum = 1;", "double sum = 1; MPI_Init(&argc, &argv);")
        .replace("return 0;", "MPI_Finalize(); return 0;")
        // One that is ahead waits for the other.
        .replace(
            "worked(pass, sum) * 0.5;",
            "worked(pass, sum) * 0.5; MPI_Barrier(MPI_COMM_WORLD);",
        )
        .replacen(
            "#include <stdlib.h>",
            "#include <stdlib.h>\n#include <mpi.h>",
            1,
        );
    let source = place.write("places.c", &text);
    let build = Build::files(&[&source]).mpi(true);
    (Trial::of(build.to(place.path(), "places"), place), source)
}

const RANKS: [(&str, &str); 3] = [
    ("CCCP_CLOCK", "1"),
    ("CCCP_INTERVAL", "20s"),
    ("CCCP_PROFILE", "../profile"),
];

/// The lines of the checkpoints that a run has taken, as its history says.
fn lines_of_checkpoints(trial: &Trial, directory: &str) -> Vec<String> {
    let history = trial
        .place
        .join(directory)
        .join("places.cccp/history.jsonl");
    let history = std::fs::read_to_string(history).unwrap();
    let line = |one: &str| {
        one.split("\"line\":")
            .nth(1)
            .map(|rest| rest.split(',').next().unwrap().to_owned())
    };
    history.lines().filter_map(line).collect()
}

#[test]
fn s17_s18_s37_all_ranks_use_the_profile_that_the_first_one_reads() {
    if !mpi_or_word() {
        return;
    }
    let (trial, source) = places_on_ranks();
    let run = |directory| trial.run(directory, &["100"], &RANKS).ranks(2);
    let first = run("first").well();
    first.assert_said(&[
        "profile: 2 places, of which ",
        "places.c:26 bring the fewest bytes",
    ]);
    let file = trial.place.join("profile");
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(kept.contains("\"ranks\":2,"), "{kept}");
    assert!(lines_of_checkpoints(&trial, "first").contains(&"13".to_string()));
    // Only the first rank is told where the file is.
    let (name, value) = RANKS[2];
    let second = trial
        .run("second", &["100"], &RANKS[..2])
        .ranks(2)
        .under(&["sh", "-c", &format!("if [ \"$OMPI_COMM_WORLD_RANK\" = 0 ]; then export {name}={value}; fi; exec \"$0\" \"$@\"")])
        .well();
    assert_eq!(
        (second.output.as_str(), second.errors.as_str()),
        (first.output.as_str(), "")
    );
    let lines = lines_of_checkpoints(&trial, "second");
    assert!(
        lines.len() >= 5 && lines.iter().all(|line| line == "26"),
        "{lines:?}"
    );
    let place = Checkpoints::of(&trial.place.join("second"), "places");
    // A rank that has passed the call on which the others agree takes none there: on a busy machine not all are complete.
    let (mine, others) = (place.published(0), place.published(1));
    let complete = mine.iter().filter(|one| others.contains(one)).count();
    assert!(complete >= 5, "{mine:?} {others:?}");
    // The interval is kept.
    let mut calls = trial.taken("second");
    calls.insert(0, 0);
    calls.push(200);
    let are_near = calls.windows(2).all(|pair| pair[1] - pair[0] <= 40);
    assert!(are_near, "{calls:?}");
    // One rank is killed, and the run resumes.
    run("killed").kill_at("published:3@1");
    let again = run("killed").well();
    again.assert_resumed();
    assert_eq!(again.output, first.output);
    assert!(
        lines_of_checkpoints(&trial, "killed")
            .iter()
            .all(|line| line == "26")
    );
    // When it is built again the other place is left out.
    let source = source.to_str().unwrap();
    let (well, text, said) = with_profile(&trial, &["--cc", "mpicc"], source);
    assert!(well && text.matches("cccp_tick(").count() == 1, "{said}");
}

#[test]
fn s37_the_bytes_of_all_ranks_count_and_what_they_have_seen_survives_a_kill() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("when-weights");
    let build = Build::files(&["tests/when/weights.c"]).mpi(true);
    let trial = Trial::of(build.to(place.path(), "places"), place);
    let run = || trial.run("run", &["100"], &RANKS).ranks(2);
    run().kill_at("published:3@1");
    run().kill_at("published:2@0").assert_resumed();
    let first = run().well();
    first.assert_resumed();
    // The first rank alone would take the other one.
    first.assert_said(&[
        "profile: 2 places, of which ",
        "weights.c:28 bring the fewest bytes",
    ]);
    let kept = std::fs::read_to_string(trial.place.join("profile")).unwrap();
    assert_eq!(kept.matches("\"passages\":100,").count(), 2, "{kept}");
    let heavy = "\"line\":13,\"passages\":100,\"bytes\":2400";
    assert!(kept.contains(heavy), "{kept}");
    let second = trial.run("second", &["100"], &RANKS).ranks(2).well();
    assert_eq!(second.output, first.output);
    let lines = lines_of_checkpoints(&trial, "second");
    assert!(
        lines.len() >= 5 && lines.iter().all(|line| line == "28"),
        "{lines:?}"
    );
}
