//! `cccp-run --prove`: a right program is proved to restart correctly, in another directory, at other addresses, with other threads and
//! ranks; a forgotten register is named; what does not repeat itself is reported with the likely reason.

mod harness;

use std::path::Path;
use std::process::Command;

use harness::{Build, Workplace, cccp_run, mpi_or_word};

/// A proof of a program in a directory of its own, with its source beside it.
fn prove(place: &Workplace, source: &str, build: &Build, options: &[&str]) -> std::process::Output {
    let directory = place.directory(source);
    build.to(&directory, source);
    let mut prove = cccp_run();
    prove.arg("--prove").args(options).arg("--");
    prove.arg(format!("./{source}")).current_dir(&directory);
    prove.output().expect("the tool")
}

/// The same of ranks that `mpirun` starts in a directory.
fn prove_ranks(directory: &Path, options: &[&str], command: &[&str]) -> std::process::Output {
    let mut prove = cccp_run();
    prove.arg("--prove").args(options).args(["--", "mpirun"]);
    prove.args(command);
    prove.env("OMPI_ALLOW_RUN_AS_ROOT", "1");
    prove.env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    prove.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
    prove.env("OMPI_MCA_odls_base_sigkill_timeout", "0");
    prove.current_dir(directory).output().expect("the tool")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn s08_a_right_program_is_proved_to_restart_correctly() {
    let place = Workplace::new("proved");
    let build = Build::files(&["tests/cccp_run/halves.c"]);
    let output = prove(&place, "halves", &build, &["--sample", "2"]);
    let said = text(&output.stdout);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{said}{}",
        text(&output.stderr)
    );
    assert!(
        said.contains("restarts end like the undisturbed run"),
        "{said}"
    );
    assert!(said.contains("trace.txt"), "{said}");
    assert!(
        said.contains("9 checkpoints in an undisturbed run"),
        "{said}"
    );
    let done = text(&output.stderr);
    for special in ["made to show", "in another directory"] {
        assert!(done.contains(&format!("{special}: the same")), "{done}");
    }
    assert!(!done.contains("OpenMP threads"), "it has none: {done}");
    let nothing = !place.join("halves/trace.txt").exists();
    assert!(nothing, "the working directory is left as it was");
}

#[test]
fn s08_what_the_program_has_given_back_and_what_does_not_repeat_itself_is_no_difference() {
    let place = Workplace::new("given-back");
    let directory = place.directory("run");
    let build = Build::files(&["tests/cccp_run/given_back.c"]);
    build.to(&directory, "given_back");
    let numbers: String = (0..250).map(|number| format!("{number}.5\n")).collect();
    let input = place.write("numbers.txt", &numbers);
    let prove = |options: &[&str]| {
        let mut prove = cccp_run();
        prove
            .arg("--prove")
            .args(options)
            .args(["--", "./given_back"]);
        prove.stdin(std::fs::File::open(&input).expect("the input"));
        let output = prove.current_dir(&directory).output().expect("the tool");
        let said = text(&output.stdout) + &text(&output.stderr);
        (output.status.code(), said)
    };
    let (code, said) = prove(&[]);
    assert_eq!(code, Some(0), "{said}");
    for words in [
        "compared: standard output, exit status, sums.txt, the last values of ",
        "not compared, because two undisturbed runs differ there: log.txt",
        "83 checkpoints in an undisturbed run, one after every 3 calls",
    ] {
        assert!(said.contains(words), "{words:?} is not in:\n{said}");
    }
    // It has no region of OpenMP.
    assert!(!said.contains("threads"), "{said}");
    let (code, said) = prove(&["--at", "83", "--compare", "./sums.txt"]);
    assert!(
        code == Some(0) && said.contains("exit status, sums.txt, "),
        "{said}"
    );
    for (file, words) in [
        (
            "sum.txt",
            "--compare sum.txt: the undisturbed run leaves no such file",
        ),
        (
            "log.txt",
            "two undisturbed runs are not alike\n  log.txt (line 1): ",
        ),
        ("../x.txt", "so only files in it can be compared"),
    ] {
        let (code, said) = prove(&["--compare", file]);
        assert!(code == Some(2) && said.contains(words), "{said}");
    }
}

#[test]
fn s08_a_program_that_lies_outside_of_its_working_directory_is_proved() {
    let place = Workplace::new("proved-outside");
    let directory = place.directory("build");
    Build::files(&["tests/cccp_run/halves.c"]).to(&directory, "halves");
    let mut prove = cccp_run();
    prove.args(["--prove", "--sample", "1", "--", "../build/halves"]);
    prove.current_dir(place.directory("run"));
    let output = prove.output().expect("the tool");
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("restarts end like the undisturbed run"),
        "{said}"
    );
}

#[test]
fn s08_all_checkpoints_are_tried_where_that_is_wanted_and_numbers_may_be_near() {
    let place = Workplace::new("proved-all");
    let build = Build::files(&["tests/cccp_run/halves.c"]);
    let output = prove(&place, "halves", &build, &["--sample", "all", "--json"]);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["verdict"], "proved", "{answer}");
    let trials = answer["trials"].as_array().expect("a list").iter();
    let plain = trials.filter(|one| one["with"] == "");
    let tried: Vec<u64> = plain.filter_map(|one| one["checkpoint"].as_u64()).collect();
    assert_eq!(tried, (1..=9).collect::<Vec<u64>>());
    // The same that forgets a number: its values are wrong, but not by more than a hundred.
    let forgets = place.join("forgets");
    std::fs::create_dir(&forgets).expect("a directory");
    let build = build.careless().unpoisoned().tool_flags(&["-DFORGET"]);
    build.to(&forgets, "halves");
    for (tolerance, expected) in [("0.001", 1), ("1,100", 0)] {
        let mut near = cccp_run();
        near.args([
            "--prove",
            "--at",
            "4",
            "--tolerance",
            tolerance,
            "--",
            "./halves",
        ]);
        let output = near.current_dir(&forgets).output().expect("the tool");
        assert_eq!(
            output.status.code(),
            Some(expected),
            "{}",
            text(&output.stdout)
        );
    }
}

#[test]
fn s08_of_very_many_checkpoints_those_are_taken_that_a_proof_needs() {
    let place = Workplace::new("many-checkpoints");
    let directory = place.directory("run");
    Build::files(&["tests/cccp_run/rod.c"]).to(&directory, "rod");
    let mut prove = cccp_run();
    prove.args(["--prove", "--sample", "1", "--", "./rod", "1200"]);
    prove.env("CCCP_EVERY", "2").current_dir(&directory);
    let output = prove.output().expect("the tool");
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let wanted = "300 checkpoints in an undisturbed run, one after every 4 calls; the setting `every` would take 600";
    assert!(said.contains(wanted), "{said}");
}

/// The numbers of processes that a proof has started and that have told them, and the proof, which was asked to end then.
fn ended_proof(
    place: &Workplace,
    command: &[&str],
    processes: usize,
) -> (Vec<String>, Option<i32>) {
    let pipe = place.join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let script = format!(
        "trap '' TERM HUP; echo $$ > {}; while :; do sleep 60; done",
        pipe.display()
    );
    let mut prove = cccp_run();
    prove.args(["--prove", "--"]).args(command);
    prove.args(["sh", "-c", &script]);
    prove.env("OMPI_ALLOW_RUN_AS_ROOT", "1");
    prove.env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    prove.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
    prove.current_dir(place.directory("run"));
    prove.stderr(std::process::Stdio::piped());
    let proof = prove.spawn().expect("the tool");
    let mut told = Vec::new();
    while told.len() < processes {
        let words = std::fs::read_to_string(&pipe).expect("the pipe");
        told.extend(words.lines().map(str::to_string));
    }
    let number = proof.id().to_string();
    let asked = Command::new("kill").args(["-TERM", &number]).status();
    assert!(asked.expect("kill").success());
    let output = proof.wait_with_output().expect("the tool");
    let said = text(&output.stderr);
    assert!(said.contains("ended by SIGTERM"), "{said}");
    (told, output.status.code())
}

fn is_running(process: &str) -> bool {
    Path::new("/proc").join(process).join("exe").exists()
}

#[test]
fn s38_a_proof_that_is_asked_to_end_leaves_no_run_behind() {
    let place = Workplace::new("ended-proof");
    let (told, status) = ended_proof(&place, &[], 1);
    assert_eq!(status, Some(2));
    assert!(!told.iter().any(|one| is_running(one)), "{told:?}");
}

#[test]
fn s38_a_proof_that_is_asked_to_end_leaves_no_rank_behind() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("ended-ranks");
    let (told, status) = ended_proof(&place, &["mpirun", "-n", "2"], 2);
    assert_eq!(status, Some(2));
    assert!(!told.iter().any(|one| is_running(one)), "{told:?}");
}

#[test]
fn s08_ranks_are_proved_behind_their_launcher() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("proved-ranks");
    let directory = place.directory("ranks");
    let build = Build::files(&["tests/cccp_run/ranks.c"]).mpi(true);
    build.to(&directory, "ranks");
    let command = ["-n", "3", "./ranks"];
    let output = prove_ranks(&directory, &["--at", "7", "--json"], &command);
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["verdict"], "proved", "{said}");
    assert_eq!(answer["checkpoints"], 12, "{said}");
    // Of three ranks each: rank, size, step, steps and value.
    assert!(answer["registers"].as_u64() >= Some(6), "{said}");
    assert!(
        answer["trials"].as_array().map_or(0, Vec::len) >= 3,
        "{said}"
    );
}

#[test]
fn s08_a_program_with_threads_is_also_proved_with_another_number_of_them() {
    let place = Workplace::new("proved-threads");
    let directory = place.directory("threads");
    let build = Build::files(&["tests/cccp_run/threads.c"]);
    let build = build.with(harness::Compiler::Gcc, &["-O2", "-fopenmp"]);
    build.to(&directory, "threads");
    let mut prove = cccp_run();
    prove.args(["--prove", "--sample", "2", "--", "./threads"]);
    prove.env("OMP_NUM_THREADS", "2").current_dir(&directory);
    let output = prove.output().expect("the tool");
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}");
    for special in [
        "made to show",
        "in another directory",
        "with another number of OpenMP threads",
    ] {
        assert!(said.contains(&format!("{special}: the same")), "{said}");
    }
    let setarch = Command::new("setarch").args(["-R", "true"]).status();
    if setarch.is_ok_and(|status| status.success()) {
        assert!(
            said.contains("without randomised addresses: the same"),
            "{said}"
        );
    }
}

#[test]
fn s08_a_forgotten_register_is_found_and_named() {
    let place = Workplace::new("forgotten");
    // The precompiler of the proof sees the source as it is built here.
    let source = std::fs::read_to_string(harness::root().join("tests/cccp_run/halves.c"));
    let changed = source.expect("a source").replace("#ifndef FORGET", "#if 0");
    let path = place.write("forgetful.c", &changed);
    let build = Build::files(&[path])
        .careless()
        .with(harness::Compiler::Gcc, &["-O1"]);
    let output = prove(&place, "forgetful", &build, &["--at", "4"]);
    let said = text(&output.stdout);
    assert_eq!(
        output.status.code(),
        Some(1),
        "{said}{}",
        text(&output.stderr)
    );
    for word in [
        "DIFFERENT: ",
        "standard output (line 1): ",
        "trace.txt (line 4): ",
        "main:a.value[0] (",
        "of 20 values differ",
        "at the next checkpoint after the restart already:",
        "likely reason: `rate` is live at this checkpoint but neither registered",
    ] {
        assert!(said.contains(word), "{word:?} is not in:\n{said}");
    }
    // The same for a machine.
    let output = prove(&place, "forgetful", &build, &["--at", "4", "--json"]);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["verdict"], "different");
    assert_eq!(answer["trials"][0]["checkpoint"], 4);
    assert_eq!(answer["trials"][0]["same"], false);
}

#[test]
fn a_program_that_does_not_repeat_itself_is_reported_with_the_likely_reason() {
    let place = Workplace::new("unrepeatable");
    let build = Build::files(&["tests/cccp_run/addresses.c"]);
    let output = prove(&place, "addresses", &build, &[]);
    let said = text(&output.stdout);
    assert_eq!(
        output.status.code(),
        Some(2),
        "{said}{}",
        text(&output.stderr)
    );
    assert!(
        said.contains("two undisturbed runs are not alike"),
        "{said}"
    );
    assert!(said.contains("standard output (line 1): 0x"), "{said}");
    let setarch = Command::new("setarch").args(["-R", "true"]).status();
    if setarch.is_ok_and(|status| status.success()) {
        assert!(said.contains("this comes from its addresses"), "{said}");
    }
}

#[test]
fn s08_a_program_that_prints_something_else_each_time_is_proved_by_the_files_that_are_named() {
    let place = Workplace::new("prints");
    let build = Build::files(&["tests/cccp_run/prints_its_number.c"]);
    let output = prove(&place, "prints", &build, &["--compare", "sum.txt"]);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for words in [
        "compared: exit status, sum.txt, ",
        "not compared, because two undisturbed runs differ there: standard output",
    ] {
        assert!(said.contains(words), "{words:?} is not in:\n{said}");
    }
}

#[test]
fn s08_a_program_that_prints_nothing_but_times_is_proved_by_what_it_computes() {
    let place = Workplace::new("only-times");
    let build = Build::files(&["tests/cccp_run/prints_its_number.c"]);
    let output = prove(&place, "only-times", &build, &["--sample", "2"]);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for words in [
        "compared: standard output, exit status, sum.txt, the last values of 2 registers",
        "not compared, because two undisturbed runs differ there: `",
        "` (line 1) of the standard output\n",
    ] {
        assert!(said.contains(words), "{words:?} is not in:\n{said}");
    }
    // What it computes is not repeated either: nothing is left to prove it by.
    let build = build.with(harness::Compiler::Gcc, &["-O1", "-DSEED"]);
    let build = build.tool_flags(&["-DSEED"]);
    let output = prove(&place, "seeded", &build, &[]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("two undisturbed runs are not alike"),
        "{said}"
    );
    assert!(said.contains("--compare"), "{said}");
}

#[test]
fn s08_times_that_a_program_prints_are_not_compared_and_what_it_computes_is() {
    let place = Workplace::new("times");
    let build = Build::files(&["tests/cccp_run/prints_times.c"]);
    let output = prove(&place, "times", &build, &["--sample", "2"]);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for words in [
        "compared: standard output, exit status, ",
        "not compared, because two undisturbed runs differ there: `",
        "` (line 1) of the standard output\n",
    ] {
        assert!(said.contains(words), "{words:?} is not in:\n{said}");
    }
    let wrong = build.with(harness::Compiler::Gcc, &["-O1", "-DFORGET"]);
    let wrong = wrong.tool_flags(&["-DFORGET"]).careless();
    let output = prove(&place, "wrong-times", &wrong, &["--at", "9"]);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("standard output (line "), "{said}");
}

#[test]
fn s08_what_a_program_saves_without_having_set_it_is_no_difference() {
    let place = Workplace::new("unset");
    let build = Build::files(&["tests/cccp_run/unset.c"]);
    let output = prove(&place, "unset", &build, &["--sample", "3"]);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let left_out = said.lines().find(|line| line.starts_with("not compared"));
    let left_out = left_out.unwrap_or_default();
    assert!(!left_out.contains("main:numbers"), "{said}");
    assert!(!left_out.contains("main:sum"), "{said}");
}

#[test]
fn s08_what_differs_between_runs_that_are_killed_is_no_difference() {
    let place = Workplace::new("killed_only");
    let build = Build::files(&["tests/cccp_run/killed_only.c"]);
    let output = prove(&place, "killed_only", &build, &["--sample", "3"]);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let left_out = said.lines().find(|line| line.starts_with("not compared"));
    assert!(
        left_out.is_some_and(|line| line.ends_with(": main:numbers, main:unset")),
        "{said}"
    );
}

#[test]
fn s08_what_later_runs_show_not_to_be_repeated_is_no_difference_of_restarts_tried_before() {
    let place = Workplace::new("seen_late");
    let build = Build::files(&["tests/cccp_run/seen_late.c"]);
    let output = prove(&place, "seen_late", &build, &["--sample", "3"]);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let not_repeated = "the same but for what undisturbed runs do not repeat either";
    assert!(said.contains(not_repeated), "{said}");
    assert!(said.contains("main:time"), "{said}");
}

#[test]
fn s17_restarts_that_are_refused_are_not_called_different() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("proof-refused");
    let build = Build::files(&["tests/messages/crossed.c"])
        .mpi(true)
        .careless()
        .unpoisoned()
        .with(harness::Compiler::Gcc, &["-O2", "-DCCCP_MESSAGES"]);
    let directory = place.directory("crossed");
    build.to(&directory, "crossed");
    let command = ["-n", "2", "./crossed", "message"];
    let output = prove_ranks(&directory, &["--sample", "2"], &command);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let words = [
        "REFUSED: ",
        " stopped at the start, and lost nothing; no restart ended differently",
        "the restart was refused: ",
    ];
    for word in words {
        assert!(said.contains(word), "{word}: {said}");
    }
}

#[test]
fn s08_a_program_with_checkpoints_at_several_places_is_proved_by_its_end() {
    let place = Workplace::new("two-places");
    let build = Build::files(&["tests/cccp_run/two_places.c"]);
    let output = prove(&place, "two_places", &build, &["--at", "1,7"]);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for words in [
        "the more seldom at a place the more calls it has",
        "not compared: registers at checkpoints; these stand at several places",
    ] {
        assert!(said.contains(words), "{words:?} is not in:\n{said}");
    }
}

#[test]
fn s08_each_place_of_a_program_has_its_share_of_a_proof() {
    let place = Workplace::new("set-up-and-work");
    let build = Build::files(&["tests/cccp_run/set_up_and_work.c"]);
    let output = prove(&place, "set_up_and_work", &build, &[]);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for words in [
        "set_up_and_work.c:12: ",
        "set_up_and_work.c:17: 20 checkpoints, killed after 3 of them",
        "no checkpoint was taken, and nothing is proved, at ",
        "set_up_and_work.c:23\n",
    ] {
        assert!(said.contains(words), "{words:?} is not in:\n{said}");
    }
}

#[test]
fn what_has_no_checkpoint_or_does_not_end_well_cannot_be_proved() {
    let place = Workplace::new("untried");
    let directory = place.directory("run");
    for (script, reason) in [
        ("echo 1", "has published no checkpoint"),
        (
            "echo no such file >&2; exit 3",
            "exit status 3 before its first checkpoint",
        ),
        ("kill -SEGV $$", "the undisturbed run ends with SIGSEGV"),
    ] {
        let mut prove = cccp_run();
        prove.args(["--prove", "--", "sh", "-c", script]);
        let output = prove.current_dir(&directory).output().expect("the tool");
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(reason), "{said}");
    }
}
