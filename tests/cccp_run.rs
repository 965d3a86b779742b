//! `cccp-run`: a command is started again until it is done, and ends as an undisturbed one; what fails at the same place
//! again is not; and what a run says about itself is true.
//!
//! Deaths are real: a shell around the program sets another `CCCP_KILL_AT` for each try.

mod harness;

use std::path::Path;
use std::process::Command;

use harness::{Build, Outcome, Program, Workplace, cccp_run, mpi_or_word, tools_directory};

fn tool() -> String {
    let path = tools_directory().join("cccp-run");
    path.to_str().expect("a path in UTF-8").to_owned()
}

fn rod(place: &Workplace) -> Program {
    Build::files(&["tests/cccp_run/rod.c"]).to(place.path(), "rod")
}

/// A shell that lets the n-th try die at the n-th of these points, and then becomes the rest of its words.
fn dying(points: &[&str]) -> Vec<String> {
    let cases = points.iter().enumerate();
    let cases: String = cases
        .map(|(at, point)| format!("{}) export CCCP_KILL_AT={point};; ", at + 1))
        .collect();
    let script = format!("case $CCCP_ATTEMPT in {cases}esac; exec \"$@\"");
    ["sh", "-c", &script, "sh"].map(str::to_owned).to_vec()
}

/// A run under `cccp-run` with these options.
fn under(program: &Program, directory: &Path, options: &[&str], shell: &[String]) -> harness::Run {
    let mut words = vec![tool()];
    words.extend(options.iter().map(|&word| word.to_owned()));
    words.push("--".to_owned());
    words.extend(shell.iter().cloned());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    program.run(directory).under(&words)
}

/// What the tool says of a directory.
fn ask(directory: &Path, words: &[&str]) -> String {
    let mut ask = cccp_run();
    let output = harness::finish(ask.args(words).current_dir(directory));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn said(outcome: &Outcome, word: &str) -> usize {
    outcome.errors.matches(word).count()
}

#[test]
fn a_command_is_started_again_until_it_is_done_and_ends_as_an_undisturbed_one() {
    let place = Workplace::new("again");
    let program = rod(&place);
    let expected = program.run(&place.directory("undisturbed")).well().output;
    let directory = place.directory("again");
    let log = place.join("log");
    let options = ["--backoff", "0", "--log", log.to_str().expect("UTF-8")];
    let shell = dying(&["published:3", "checkpoint:1", "resumed", "published:5"]);
    let done = under(&program, &directory, &options, &shell).well();
    assert_eq!(done.output, expected);
    assert_eq!(said(&done, "started again"), 4, "{}", done.errors);
    done.assert_said(&[
        "ended with SIGKILL after its last checkpoint, generation 3 at ",
        "5 starts, 4 deaths;",
    ]);
    let log = std::fs::read_to_string(log).expect("a log");
    assert_eq!(log.matches("\"event\":\"start\"").count(), 5, "{log}");
    assert_eq!(log.matches("\"how\":\"SIGKILL\"").count(), 4, "{log}");
    // What the run says about itself afterwards.
    let status = ask(&directory, &["--status", "rod.cccp"]);
    assert!(status.contains("rod: complete"), "{status}");
    assert!(status.contains("5: 4 restarts, 4 deaths"), "{status}");
    let page = ask(&directory, &["--report", "rod.cccp"]);
    assert_eq!(page, "rod.html\n");
    let page = std::fs::read_to_string(directory.join("rod.html")).expect("a page");
    for word in [
        ">run 5<",
        "main:u",
        "double",
        "died: SIGKILL",
        "lost to 4 failures",
    ] {
        assert!(page.contains(word), "{word} is not in:\n{page}");
    }
    assert!(
        !page.contains("http") && !page.contains("<script"),
        "{page}"
    );
    for mark in ["svg", "section", "table", "title", "div"] {
        let [opened, closed] = [format!("<{mark}"), format!("</{mark}>")];
        let count = |word: &str| page.matches(word).count();
        assert_eq!(count(&opened), count(&closed), "{mark}");
    }
    let history = std::fs::read_to_string(directory.join("rod.cccp/history.jsonl")).expect("lines");
    assert_eq!(history.matches("\"attempt\":4").count(), 1, "{history}");
}

/// Three ranks under `cccp-run` with these options, of which one dies at each of these points.
fn ranks_again(
    program: &Program,
    directory: &Path,
    options: &[&str],
    points: &[&str],
) -> std::process::Output {
    let mut words = dying(points);
    words.extend(["mpirun", "-n", "3"].map(str::to_owned));
    let mut again = cccp_run();
    again
        .args(["--backoff", "0"])
        .args(options)
        .arg("--")
        .args(&words);
    again.arg(&program.path).current_dir(directory);
    again.env("CCCP_EVERY", "1");
    again.env("CCCP_WRITE", "synchronous");
    again.env("OMPI_ALLOW_RUN_AS_ROOT", "1");
    again.env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    again.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
    again.env("OMPI_MCA_odls_base_sigkill_timeout", "0");
    harness::finish(&mut again)
}

#[test]
fn the_ranks_of_a_job_are_started_again_by_their_launcher() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("ranks");
    let program = Build::files(&["tests/cccp_run/ranks.c"]).mpi(true);
    let program = program.to(place.path(), "ranks");
    let expected = program.run(&place.directory("undisturbed")).ranks(3).well();
    let directory = place.directory("again");
    let output = ranks_again(
        &program,
        &directory,
        &[],
        &["published:4@1", "checkpoint:2@0"],
    );
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected.output);
    assert!(errors.contains("3 starts, 2 deaths"), "{errors}");
    let status = ask(&directory, &["--status", "ranks.cccp"]);
    assert!(status.contains("ranks on 3 ranks: complete"), "{status}");
}

#[test]
fn a_program_that_fails_twice_at_the_same_place_is_not_started_again() {
    let place = Workplace::new("same-place");
    let program = rod(&place);
    let directory = place.directory("run");
    let outcome = under(&program, &directory, &["--backoff", "0"], &[])
        .set("FAIL_AT", "7")
        .set("CCCP_WRITE", "synchronous")
        .go();
    outcome.assert_stopped(
        134,
        &[
            "failed twice with SIGABRT after its last checkpoint, generation 8 at ",
            "rod.c:16; it would fail there again",
        ],
    );
    assert_eq!(said(&outcome, "cccp: restart"), 1, "{}", outcome.errors);
    // Killed twice there is another matter: it may be the machine.
    let directory = place.directory("killed");
    let shell = dying(&["checkpoint:1", "checkpoint:1", "checkpoint:1"]);
    let done = under(&program, &directory, &["--backoff", "0"], &shell).well();
    assert_eq!(said(&done, "started again"), 3, "{}", done.errors);
    // But not for ever.
    let directory = place.directory("killed-too-often");
    let options = ["--backoff", "0", "--retries", "1"];
    let outcome = under(&program, &directory, &options, &shell).go();
    outcome.assert_stopped(137, &["started again 1 time already (--retries)"]);
}

#[test]
fn what_cannot_resume_is_not_started_again_and_the_reason_is_given() {
    let place = Workplace::new("refused");
    let program = rod(&place);
    let directory = place.directory("run");
    program.run(&directory).kill_at("published:3");
    let outcome = under(&program, &directory, &[], &[]).arguments(&["9"]).go();
    outcome.assert_stopped(75, &["exit status 75", "not started again"]);
    assert_eq!(said(&outcome, "started again"), 1, "{}", outcome.errors);
}

#[test]
fn the_directory_may_be_named_by_a_setting_or_by_an_option() {
    let place = Workplace::new("named");
    let program = rod(&place);
    let shell = dying(&["published:3"]);
    for (name, setting, options) in [
        ("setting", Some("elsewhere/one"), vec!["--backoff", "0"]),
        (
            "option",
            None,
            vec!["--backoff", "0", "--dir", "sub/rod.cccp"],
        ),
    ] {
        let directory = place.directory(name);
        std::fs::create_dir_all(directory.join("sub")).expect("a directory");
        let mut words = shell.clone();
        if setting.is_none() {
            // The tool cannot know where the program goes.
            words = ["sh", "-c", "cd sub && exec \"$@\"", "sh"]
                .map(str::to_owned)
                .to_vec();
            words.extend(shell.iter().cloned());
        }
        let mut run = under(&program, &directory, &options, &words);
        if let Some(setting) = setting {
            run = run.set("CCCP_DIR", setting);
        }
        run.well()
            .assert_said(&["after its last checkpoint, generation 3 at "]);
    }
}

#[test]
fn a_command_without_checkpoints_is_started_again_too_and_its_status_is_passed_on() {
    let place = Workplace::new("without");
    let run = |script: &str| {
        let mut run = cccp_run();
        run.args(["--backoff", "0", "--", "sh", "-c", script]);
        run.current_dir(place.path()).output().expect("the tool")
    };
    assert_eq!(run("exit 0").status.code(), Some(0));
    assert_eq!(run("exit 0").stderr, b"");
    assert_eq!(
        run("test $CCCP_ATTEMPT = 3 || exit 4$CCCP_ATTEMPT")
            .status
            .code(),
        Some(0)
    );
    let twice = run("exit 42");
    assert_eq!(twice.status.code(), Some(42));
    let errors = String::from_utf8_lossy(&twice.stderr);
    assert!(
        errors.contains("failed twice with exit status 42"),
        "{errors}"
    );
}

#[test]
fn at_the_end_of_a_restarted_run_it_says_what_its_checkpoints_came_to() {
    let place = Workplace::new("summary");
    let program = rod(&place);
    let directory = place.directory("run");
    let quiet = program.run(&directory).well();
    assert_eq!(quiet.errors, "");
    let asked = program.run(&directory).set("CCCP_SUMMARY", "on").well();
    asked.assert_said(&[
        "cccp: summary: 12 checkpoints, ",
        "cccp: summary: the program stood still for ",
        "cccp: summary: a crash would have cost ",
    ]);
    program.run(&directory).kill_at("published:5");
    let resumed = program.run(&directory).well();
    resumed.assert_resumed();
    assert_eq!(said(&resumed, "cccp: summary: "), 3, "{}", resumed.errors);
}

#[test]
fn the_values_at_the_end_can_be_compared_with_those_of_another_run() {
    let place = Workplace::new("final");
    let program = rod(&place);
    let directory = place.directory("run");
    let run = |last: &str| program.run(&directory).set("CCCP_FINAL", last);
    run("one").well();
    run("none").kill_at("published:5");
    run("other").well().assert_resumed();
    let mut diff = Command::new(tools_directory().join("cccp-ckpt"));
    diff.args(["diff", "one", "other"]).current_dir(&directory);
    let output = text(&harness::finish(&mut diff).stdout);
    assert!(output.contains("main:u"), "{output}");
    assert!(
        !directory.join("none").exists(),
        "it has not come to its end"
    );
}

#[test]
fn s07_the_values_at_the_end_are_those_of_the_end_and_not_of_the_last_checkpoint() {
    let place = Workplace::new("final-values");
    for source in ["rod", "finish"] {
        let program = Build::files(&[format!("tests/cccp_run/{source}.c")]);
        let program = program.to(place.path(), source);
        let directory = place.directory(&format!("run-{source}"));
        for every in ["0", "1", "5"] {
            let run = program.run(&directory).set("CCCP_FINAL", every);
            run.set("CCCP_EVERY", every).well();
        }
        for every in ["1", "5"] {
            let mut diff = Command::new(tools_directory().join("cccp-ckpt"));
            diff.args(["diff", "0", every]).current_dir(&directory);
            harness::finish(&mut diff);
        }
    }
}

#[test]
fn s06_the_values_at_the_end_hold_nothing_of_memory_that_was_given_back_before_it() {
    let place = Workplace::new("given-back");
    let program = Build::files(&["tests/cccp_run/given_back_by_hand.c"]).by_hand();
    let program = program.to(place.path(), "given_back");
    let directory = place.directory("run");
    let run = program.run(&directory).set("CCCP_EVERY", "1");
    run.set("CCCP_FINAL", "last").well();
    let mut show = Command::new(tools_directory().join("cccp-ckpt"));
    show.args(["show", "last"]).current_dir(&directory);
    let output = text(&harness::finish(&mut show).stdout);
    for (name, is_there) in [
        ("total", true),
        ("step", true),
        ("large", false),
        ("small", false),
    ] {
        assert_eq!(output.contains(name), is_there, "{name}: {output}");
    }
}

#[test]
fn s06_the_end_of_main_and_exit_0_are_a_shutdown_and_nothing_else_is() {
    let place = Workplace::new("no-shutdown");
    let program = Build::files(&["tests/cccp_run/no_shutdown.c"])
        .careless()
        .to(place.path(), "ends");
    for (end, code, is_complete) in [
        (None, 0, true),
        (Some("exit"), 0, true),
        (Some("_exit"), 0, false),
        (Some("fail"), 3, false),
    ] {
        let directory = place.directory(end.unwrap_or("return"));
        let other = place.directory(&format!("killed-{}", end.unwrap_or("return")));
        let run_in = |directory: &Path| {
            let run = program.run(directory).set("CCCP_EVERY", "1");
            end.map_or(run.clone(), |end| run.set("END", end))
        };
        let run = || run_in(&directory);
        let first = run().go();
        assert_eq!(first.code(), Some(code), "{}", first.errors);
        let next = run().go();
        assert_eq!(next.resumed(), !is_complete, "{end:?}: {}", next.errors);
        assert_eq!(next.output, first.output);
        // A death is one, whatever the end would have been.
        run_in(&other).kill_at("published:3");
        assert!(run_in(&other).go().resumed(), "{end:?}");
    }
}

#[test]
fn s06_ranks_that_end_without_a_shutdown_are_complete() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("no-shutdown-ranks");
    let source = std::fs::read_to_string(harness::root().join("tests/cccp_run/ranks.c"));
    let changed = source
        .expect("a source")
        .replace("#pragma cccp shutdown\n", "");
    let path = place.write("silent.c", &changed);
    let program = Build::files(&[path]).mpi(true).to(place.path(), "silent");
    let directory = place.directory("run");
    let run = || program.run(&directory).ranks(2).set("CCCP_EVERY", "1");
    let first = run().well();
    let next = run().well();
    assert!(!next.resumed(), "{}", next.errors);
    assert_eq!(next.output, first.output);
    run().kill_at("published:3");
    run().well().assert_resumed();
}

#[test]
fn s38_a_signal_reaches_the_program_behind_its_launcher_and_the_run_leaves_after_a_checkpoint() {
    let place = Workplace::new("asked");
    let program = Build::files(&["tests/cccp_run/asked.c"]).to(place.path(), "asked");
    let expected = program.run(&place.directory("undisturbed")).well().output;
    let directory = place.directory("run");
    // The program asks cccp-run for the end; the shell around it would not pass that on.
    let shell = ["sh", "-c", "\"$@\"; status=$?; exit $status", "sh"].map(str::to_owned);
    let asked = under(&program, &directory, &["--backoff", "0"], &shell);
    let left = asked.set("ASK", "15").go();
    left.assert_stopped(85, &["as it was asked to; the same command resumes there"]);
    let resumed = program.run(&directory).well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, expected);
}

/// `cccp-run --slurm` in a directory, with commands in the place of Slurm's, and this script.
fn batch(directory: &Path, script: &str, words: &[&str], set: &[(&str, &str)]) -> Outcome {
    std::fs::write(directory.join("job.sh"), script).expect("a script");
    let fake = harness::root().join("tests/slurm/fake");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut batch = cccp_run();
    batch.args(["--log", "log", "--slurm"]).args(words);
    batch.current_dir(directory);
    batch.env("PATH", format!("{}:{path}", fake.display()));
    batch.env("CCCP_EVERY", "1").envs(set.iter().copied());
    let output = batch.output().expect("the tool");
    Outcome {
        status: output.status,
        output: text(&output.stdout),
        errors: text(&output.stderr),
    }
}

fn words_of(directory: &Path, name: &str) -> String {
    std::fs::read_to_string(directory.join(name)).unwrap_or_default()
}

#[test]
fn s38_a_batch_job_goes_on_until_it_is_done_whatever_its_script_says() {
    let place = Workplace::new("batch");
    let program = Build::files(&["tests/cccp_run/asked.c"]).to(place.path(), "asked");
    let expected = program.run(&place.directory("undisturbed")).well().output;
    let directory = place.directory("run");
    // It is preempted, killed, fails, leaves although the script goes on, and is done.
    let script = format!(
        "#!/bin/bash\n#SBATCH --time=5\n# words\n\n#SBATCH --nodes=1\necho \"$# $1 $2\"\n\
         case $CCCP_ATTEMPT in 1) export CCCP_KILL_AT=published:2;; 2) export ASK=10;; 3) exit 85;; esac\n\
         {}\necho \"exit status $?\"\n",
        program.path.display()
    );
    let words = ["-p", "low", "--nice", "job.sh", "a b", "--c"];
    let preempted = [("PREEMPTED", "2026-01-01T00:00:00")];
    let done = batch(&directory, &script, &words, &preempted);
    assert_eq!(done.status.code(), Some(0), "{}", done.errors);
    let starts = "2 a b --c\n";
    let expected = format!(
        "{starts}exit status 137\n{starts}exit status 85\n{starts}{starts}{expected}exit status 0\n"
    );
    assert_eq!(done.output, expected, "{}", done.errors);
    for words in [
        "job 7: ended with exit status 0, behind generation 2 of asked; queued again",
        "job 7: left behind generation 5 of asked; queued again",
        "job 7: the script ended with exit status 85, ",
        "job 7: done; 4 starts",
    ] {
        assert!(done.errors.contains(words), "{words}: {}", done.errors);
    }
    // Slurm sees the options of the script, the name of its file, and what was asked for it.
    let spooled = words_of(&directory, "spooled");
    let begin = "#!/bin/sh\n#SBATCH --time=5\n# words\n\n#SBATCH --nodes=1\nexec '";
    assert!(
        spooled.starts_with(begin) && spooled.ends_with(&script),
        "{spooled}"
    );
    let words = words_of(&directory, "sbatch.words");
    let begin = "--requeue --open-mode=append --signal=B:USR1@60 -p low --nice /";
    assert!(
        words.starts_with(begin) && words.ends_with("/job.sh a b --c\n"),
        "{words}"
    );
    assert_eq!(
        words_of(&directory, "scontrol.words"),
        "requeue 7\n".repeat(3)
    );
    let log = words_of(&directory, "log");
    assert_eq!(log.matches("\"event\":\"start\"").count(), 4, "{log}");
    assert_eq!(log.matches("\"event\":\"requeue\"").count(), 3, "{log}");
    // Nothing of its own stays behind.
    let left = std::fs::read_dir(&directory).expect("a directory");
    let left = left
        .flatten()
        .any(|one| one.file_name().to_string_lossy().starts_with(".cccp"));
    assert!(!left);
}

#[test]
fn a_batch_job_that_would_fail_for_ever_is_not_queued_again() {
    let place = Workplace::new("batch-fails");
    let program = rod(&place);
    let run = |name: &str, script: &str, words: &[&str], set: &[(&str, &str)]| {
        let directory = place.directory(name);
        let script =
            format!("#!/bin/sh\n{script}\n").replace("ROD", program.path.to_str().expect("UTF-8"));
        let done = batch(&directory, &script, words, set);
        let queued = words_of(&directory, "scontrol.words");
        (done.status.code(), queued, done.errors)
    };
    // No program with checkpoints is to blame.
    let (code, queued, errors) = run("script", "exit 3", &["job.sh"], &[]);
    assert_eq!((code, queued.as_str()), (Some(3), ""), "{errors}");
    assert!(
        errors.contains("the script ended with exit status 3"),
        "{errors}"
    );
    // The program fails at its seventh pass, each time.
    let fails = [("FAIL_AT", "7"), ("CCCP_WRITE", "synchronous")];
    let (code, queued, errors) = run("place", "ROD", &["job.sh"], &fails);
    assert_eq!(
        (code, queued.as_str()),
        (Some(134), "requeue 7\n"),
        "{errors}"
    );
    assert!(errors.contains("failed twice with SIGABRT"), "{errors}");
    // It cannot begin.
    let (code, queued, errors) = run(
        "refused",
        "ROD --cccp-nonsense=1 || exit 75",
        &["job.sh"],
        &[],
    );
    assert_eq!((code, queued.as_str()), (Some(75), ""), "{errors}");
    // Slurm refuses; a task of an array is named as one.
    let array = [
        ("REFUSED", "1"),
        ("SLURM_ARRAY_JOB_ID", "7"),
        ("SLURM_ARRAY_TASK_ID", "3"),
        ("CCCP_KILL_AT", "published:2"),
    ];
    let (code, queued, errors) = run("array", "ROD", &["--array", "1-4", "job.sh"], &array);
    assert_eq!(
        (code, queued.as_str()),
        (Some(85), "requeue 7_3\n"),
        "{errors}"
    );
    assert!(
        errors.contains("Slurm does not queue it again: Requested operation"),
        "{errors}"
    );
    assert!(place.join("array/rod.3.cccp").exists());
    // What cannot be submitted.
    for (words, reason) in [
        (&["--time", "5"][..], "a batch script is needed"),
        (&["--no-requeue", "job.sh"], "leave it out"),
        (&["--wrap", "x"], "--wrap has no script"),
        (&["--time=5", "no-such.sh"], "no-such.sh"),
    ] {
        let (code, _, errors) = run("words", "ROD", words, &[]);
        assert!(
            code == Some(2) && errors.contains(reason),
            "{code:?} {errors}"
        );
    }
}

fn prints(name: &str) -> (Workplace, Program, String) {
    let place = Workplace::new(name);
    let program = Build::files(&["tests/cccp_run/prints.c"]).to(place.path(), "prints");
    let whole = program.run(&place.directory("whole")).well().output;
    (place, program, whole)
}

#[test]
fn s08_output_that_is_added_to_a_file_is_that_of_all_starts() {
    let (place, program, whole) = prints("added");
    let shell = dying(&["checkpoint:7", "checkpoint:6"]);
    let options = ["--backoff", "0", "-o", "out.txt"];
    let outcome = under(&program, place.path(), &options, &shell);
    let outcome = outcome.set("CCCP_WRITE", "synchronous").well();
    assert_eq!(said(&outcome, "started again"), 2, "{}", outcome.errors);
    assert_eq!(outcome.output, "");
    let printed = std::fs::read_to_string(place.join("out.txt")).unwrap();
    // S27: what was printed after the checkpoint is printed again.
    let mut lines: Vec<&str> = printed.lines().collect();
    lines.dedup();
    assert_eq!(lines, whole.lines().collect::<Vec<_>>());
}

#[test]
fn s08_output_of_ranks_that_is_added_to_a_file_is_that_of_all_starts() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("added-ranks");
    let text = std::fs::read_to_string(harness::root().join("tests/cccp_run/ranks.c"));
    let text = text.expect("the program").replace(
        "        value = 3 * from + rank;\n",
        "        value = 3 * from + rank;\n        if (rank == 0)\n            printf(\"step %d: %ld\\n\", step, value);\n",
    );
    let path = place.write("ranks.c", &text);
    let program = Build::files(&[path]).mpi(true).to(place.path(), "ranks");
    let whole = program
        .run(&place.directory("whole"))
        .ranks(3)
        .well()
        .output;
    let whole: Vec<&str> = whole.lines().collect();
    assert_eq!(whole.len(), 13, "{whole:?}");
    let directory = place.directory("again");
    let output = ranks_again(
        &program,
        &directory,
        &["-o", "out.txt"],
        &["published:4@1", "checkpoint:3@0", "checkpoint:2@2"],
    );
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("4 starts, 3 deaths"), "{errors}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    let printed = std::fs::read_to_string(directory.join("out.txt")).expect("the file");
    // S27: what was printed after the checkpoint is printed again, and nothing is missing.
    let mut next = 0;
    for line in printed.lines() {
        let at = whole.iter().position(|one| *one == line);
        let at = at.unwrap_or_else(|| panic!("{line} is in no undisturbed run:\n{printed}"));
        assert!(at <= next, "a line is missing before {line}:\n{printed}");
        next = at + 1;
    }
    assert_eq!(next, whole.len(), "{printed}");
}

/// The functions of the library, called by hand: `errno` is what it was where the checkpoint stands.
#[test]
fn s08_errno_comes_back_with_checkpoints_of_the_c_interface() {
    let place = Workplace::new("errno-by-hand");
    let program = Build::files(&["tests/cccp_run/errno_by_hand.c"]).by_hand();
    let program = program.to(place.path(), "errno_by_hand");
    let run = |directory: &str| {
        let run = program.run(&place.directory(directory));
        run.set("CCCP_EVERY", "1").set("CCCP_WRITE", "synchronous")
    };
    // ((…(100)·3 + 101)·3 + 0)·3 + …
    let undisturbed = run("whole").well().output;
    let expected = (0..9).fold(0, |sum, step| {
        sum * 3 + if step % 3 == 2 { 0 } else { 100 + step }
    });
    assert_eq!(undisturbed, format!("{expected}\n"));
    for number in [2, 4, 6] {
        let directory = format!("killed-{number}");
        run(&directory).kill_at(&format!("checkpoint:{number}"));
        let resumed = run(&directory).well();
        assert!(resumed.resumed(), "{}", resumed.errors);
        assert_eq!(resumed.output, undisturbed, "{}", resumed.errors);
    }
}
