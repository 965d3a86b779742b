//! One run per directory: a second one is told who holds it, on all ranks, and the first one notices nothing.
//!
//! Whoever died, however, holds nothing; children of a run neither hold its directory nor write in it.

mod harness;

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;

use harness::{
    Case, Checkpoints, Compiler, Outcome, Run, Workplace, assert_one_warning, finish, lines,
    mpi_or_word, trouble,
};

/// The exit status of a run that must not start.
const STOPPED: i32 = 75;

/// A place in the middle of a run: the program comes to it, and stays there until it may go on.
struct Gate {
    here: PathBuf,
    on: PathBuf,
    /// Open at both ends, so that nobody waits for somebody who will never come.
    ends: [File; 2],
}

impl Gate {
    fn new(place: &Workplace) -> Gate {
        let [here, on] = ["here", "on"].map(|name| place.join(name));
        finish(std::process::Command::new("mkfifo").arg(&here).arg(&on));
        let open = |path: &PathBuf| OpenOptions::new().read(true).write(true).open(path);
        let ends = [open(&here).expect("a pipe"), open(&on).expect("a pipe")];
        Gate { here, on, ends }
    }

    /// What the program does at the gate.
    fn command(&self) -> String {
        format!(
            "echo here > {}; read on < {}",
            self.here.display(),
            self.on.display()
        )
    }

    /// While `run` stands at the gate, `test` is done; gives how the run ended.
    fn during(&self, run: Run, test: impl FnOnce()) -> Outcome {
        std::thread::scope(|scope| {
            let first = scope.spawn(|| {
                let outcome = run.go();
                // A run that never came to the gate.
                (&self.ends[0]).write_all(b"over\n").expect("a pipe");
                outcome
            });
            let mut line = String::new();
            BufReader::new(&self.ends[0])
                .read_line(&mut line)
                .expect("a pipe");
            if line == "here\n" {
                test();
                (&self.ends[1]).write_all(b"\n").expect("a pipe");
            }
            let outcome = first.join().expect("the first run");
            assert_eq!(line, "here\n", "{}{}", outcome.output, outcome.errors);
            outcome
        })
    }
}

#[test]
fn s25_a_second_run_in_the_same_directory_is_told_who_holds_it() {
    let case = Case::new("second-run");
    let gate = Gate::new(&case.place);
    // Closing a file loses its lock: it is taken again, and what the program opened instead stays open.
    let first = case
        .run()
        .set("AT_2", "@close")
        .set("AT_4", &gate.command())
        .arguments(&["first"]);
    let outcome = gate.during(first, || {
        let before = Checkpoints::at(case.place.join("disk/ckpt")).generations();
        let second = case.run().go();
        assert_eq!(second.output, "");
        let words = [
            "cccp: waiting for up to 10 s: /",
            "cccp: cannot start: ",
            "disk/ckpt is in use by process ",
            " on ",
            " since 20",
            "/trouble first`)",
            "--cccp-dir=",
        ];
        second.assert_stopped(STOPPED, &words);
        assert_eq!(second.errors.lines().count(), 2, "{}", second.errors);
        assert_eq!(
            Checkpoints::at(case.place.join("disk/ckpt")).generations(),
            before
        );
        // Beside it there is room.
        let other = case.place.join("other");
        let beside = case
            .run()
            .set("CCCP_DIR", other.to_str().expect("UTF-8"))
            .go();
        case.assert_right(&beside);
    });
    case.assert_right(&outcome);
    assert_eq!(outcome.errors, "");
    let kept = std::fs::read_to_string(case.place.join("kept"));
    assert_eq!(kept.expect("the program's own file"), "kept");
    // The run is complete, the directory free.
    case.assert_right(&case.run().go());
}

#[test]
fn s25_a_second_job_is_refused_on_all_ranks_and_the_first_ends_undisturbed() {
    if !mpi_or_word() {
        return;
    }
    let build = trouble()
        .mpi(true)
        .with(Compiler::Gcc, &["-O1", "-DWITH_MPI"])
        .tool_flags(&["-DWITH_MPI"]);
    let case = Case::built(Workplace::new("second-job"), &build, 2);
    let gate = Gate::new(&case.place);
    let first = case
        .run()
        .ranks(2)
        .set("AT_4", &gate.command())
        .arguments(&["first"]);
    let outcome = gate.during(first, || {
        // Of three ranks one meets nobody.
        let second = case.run().ranks(3).go();
        second.assert_stopped(
            STOPPED,
            &["cccp: rank 0: cannot start: ", "/trouble first`)"],
        );
        assert_eq!(lines(&second, "").len(), 2, "{}", second.errors);
    });
    case.assert_right(&outcome);
    assert_eq!(lines(&outcome, ""), Vec::<&str>::new());
    case.run().ranks(2).kill_at("checkpoint:6@1");
    let outcome = case.run().ranks(2).go();
    case.assert_right(&outcome);
    outcome.assert_resumed();
}

#[test]
fn s25_a_child_of_a_killed_run_does_not_hold_its_directory() {
    let case = Case::new("child");
    let gate = Gate::new(&case.place);
    let fork = format!("@fork {}", gate.on.display());
    case.run().set("AT_2", &fork).kill_at("checkpoint:5");
    // The child lives: nobody has let it go.
    let outcome = case.run().go();
    case.assert_right(&outcome);
    outcome.assert_resumed();
    (&gate.ends[1]).write_all(b"\n").expect("a pipe");
}

#[test]
fn s25_a_child_that_goes_on_writes_no_checkpoints_beside_its_parent() {
    let case = Case::new("both");
    for write in ["synchronous", "background"] {
        let run = case.run().set("CCCP_WRITE", write).set("AT_4", "@both");
        let outcome = run.clone().well();
        assert_eq!(outcome.output, case.expected.repeat(2));
        assert_one_warning(&outcome, &["disk/ckpt is in use by process"], false);
        run.kill_at("checkpoint:8");
        let outcome = case.run().go();
        case.assert_right(&outcome);
        outcome.assert_resumed();
    }
}

#[test]
fn s25_checkpoints_of_two_runs_are_never_mixed() {
    let case = Case::new("mixed");
    let gate = Gate::new(&case.place);
    let first = case
        .run()
        .set("AT_4", &gate.command())
        .arguments(&["first"]);
    let outcome = gate.during(first, || {
        // Somebody believes that the run is dead, clears away and starts again; that one dies indeed.
        std::fs::remove_dir_all(case.place.join("disk/ckpt"))
            .expect("the directory can be removed");
        case.run().kill_at("checkpoint:9");
    });
    case.assert_right(&outcome);
    let words = [
        "disk/ckpt was lost to process ",
        "writes no more checkpoints there",
    ];
    assert_one_warning(&outcome, &words, false);
    assert_eq!(Checkpoints::at(case.place.join("disk/ckpt")).newest(), 8);
    let outcome = case.run().go();
    case.assert_right(&outcome);
    outcome.assert_said(&["restart of trouble from generation 8,"]);
}
