//! Files of MPI come back: a run that is killed and run again leaves the files of an undisturbed run, byte for byte, with the
//! marks of auto mode, with marks by hand and without the precompiler. What cannot come back is told at the checkpoint; what is missing at
//! the restart stops it on all ranks, and nothing has been touched then.

mod harness;

use std::path::Path;
use std::process::Command;

use harness::{Build, Compiler, Program, Workplace, left, mpi_or_word, precompiler, root};

fn build(name: &str) -> Build {
    Build::files(&[format!("tests/mpi_files/{name}.c")]).mpi(true)
}

fn assert_same(found: &Path, expected: &Path, context: &str) {
    let (found, expected) = (left(found, "dat"), left(expected, "dat"));
    let names = |all: &[(String, Vec<u8>)]| all.iter().map(|one| one.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(&found), names(&expected), "{context}");
    for (one, other) in found.iter().zip(&expected) {
        assert!(one.1 == other.1, "{} is another one: {context}", one.0);
    }
}

/// The exit status of a restart that is impossible.
const STOPPED: i32 = 75;

/// A program as it is, and one that survives.
struct Trial {
    place: Workplace,
    plain: Program,
    program: Program,
}

impl Trial {
    fn new(name: &str, source: &str, flags: &[&str]) -> Trial {
        let place = Workplace::new(name);
        Trial {
            plain: build(source).plain().to(place.path(), "plain"),
            program: build(source).tool_flags(flags).to(place.path(), "program"),
            place,
        }
    }

    /// Killed at these points, one after the other, it ends like an undisturbed run.
    fn survives(&self, ranks: usize, points: &[&str]) {
        let undisturbed = self.place.directory(&format!("undisturbed-{ranks}"));
        let expected = self.plain.run(&undisturbed).ranks(ranks).well().output;
        let directory = self.place.directory(&format!("killed-{ranks}"));
        for point in points {
            self.program.run(&directory).ranks(ranks).kill_at(point);
        }
        let resumed = self.program.run(&directory).ranks(ranks).well();
        resumed.assert_resumed();
        assert!(!resumed.errors.contains("warning"), "{}", resumed.errors);
        assert_eq!(resumed.output, expected, "{ranks} ranks");
        assert_same(&directory, &undisturbed, &format!("{ranks} ranks"));
    }
}

#[test]
fn s08_s16_s32_files_of_mpi_of_every_kind_survive_in_auto_mode() {
    if !mpi_or_word() {
        return;
    }
    let trial = Trial::new("mpi-files-kinds", "kinds", &["--auto"]);
    for ranks in [3, 4] {
        trial.survives(
            ranks,
            &["checkpoint:9@0", "checkpoint:5@1", "checkpoint:7@2"],
        );
    }
    trial.survives(1, &["checkpoint:30"]);
}

#[test]
fn s08_s16_one_large_file_and_numbered_ones_survive_in_auto_mode() {
    if !mpi_or_word() {
        return;
    }
    let trial = Trial::new("mpi-files-heat", "heat", &["--auto"]);
    trial.survives(4, &["checkpoint:14@3", "checkpoint:9@0", "shutdown:1@1"]);
    trial.survives(2, &["checkpoint:21@1"]);
}

#[test]
fn s08_s16_files_of_mpi_with_marks_by_hand_survive() {
    if !mpi_or_word() {
        return;
    }
    let trial = Trial::new("mpi-files-marked", "marked", &[]);
    for ranks in [2, 3] {
        trial.survives(
            ranks,
            &["checkpoint:8@1", "published:4@0", "checkpoint:9@1"],
        );
    }
}

#[test]
fn s08_s16_a_file_of_mpi_survives_without_the_precompiler() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("mpi-files-library");
    let plain = build("library").with(Compiler::Gcc, &["-DCCCP_PLAIN"]);
    let trial = Trial {
        plain: plain.plain().to(place.path(), "plain"),
        program: build("library").by_hand().to(place.path(), "program"),
        place,
    };
    trial.survives(3, &["checkpoint:8@1", "checkpoint:9@0"]);
}

#[test]
fn s16_a_file_of_mpi_that_cannot_come_back_is_told_at_the_checkpoint() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("mpi-files-refused");
    let program = build("refused").careless().to(place.path(), "refused");
    for (way, words) in [
        ("sequential", "it was opened with MPI_MODE_SEQUENTIAL"),
        (
            "alone",
            "MPI_File_write_shared is called by each rank alone",
        ),
        ("relative", "use MPI_SEEK_SET"),
        ("begun", "MPI_File_write_at_all_begin is in flight"),
        ("removed", "its file was removed"),
        ("unseen", "opened where the library does not see it"),
    ] {
        let directory = place.directory(way);
        let run = || program.run(&directory).ranks(2).arguments(&[way]);
        let outcome = run().kill_at("published:3@0");
        outcome.assert_said(&[
            "register `other` of main",
            "the file of MPI cannot be restored",
            words,
        ]);
        if way != "begun" {
            run().well().assert_resumed();
        }
    }
}

#[test]
fn s16_s17_s32_a_file_of_mpi_that_a_rank_misses_stops_all_before_anything_is_changed() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("mpi-files-missing");
    let program = build("refused").careless().to(place.path(), "refused");
    let killed = |way: &str| {
        let directory = place.directory(way);
        let run = program.run(&directory).ranks(2).arguments(&[way]);
        run.kill_at("published:4@0");
        directory
    };
    let stops = |directory: &Path, way: &str, words: &[&str]| {
        let before = left(directory, "dat");
        let run = program.run(directory).ranks(2).arguments(&[way]);
        run.go().assert_stopped(STOPPED, words);
        assert!(
            left(directory, "dat") == before,
            "{way}: a file was changed"
        );
    };
    let directory = killed("used");
    let out = directory.join("out.dat");
    let whole = std::fs::read(&out).unwrap();
    std::fs::write(&out, &whole[..20]).unwrap();
    stops(&directory, "used", &["out.dat had", "data are lost"]);
    std::fs::remove_file(&out).unwrap();
    stops(&directory, "used", &["out.dat was open at the checkpoint"]);
    // Put back, with more behind it, it goes on.
    std::fs::write(&out, [whole.as_slice(), b"more"].concat()).unwrap();
    let run = program.run(&directory).ranks(2).arguments(&["used"]);
    run.well().assert_resumed();
    assert_eq!(std::fs::read(&out).unwrap().len(), 6 * 48);
    let directory = killed("some");
    let words = ["out.dat was open on some of its ranks only"];
    stops(&directory, "some", &words);
}

#[test]
fn s17_calls_of_all_ranks_on_a_file_are_counted_and_so_are_its_requests() {
    if !mpi_or_word() {
        return;
    }
    let trial = Trial::new("mpi-files-counted", "counted", &[]);
    trial.survives(3, &["checkpoint:4@1", "checkpoint:3@0"]);
    for (way, words) in [
        ("request", "requests in flight"),
        ("split", "requests in flight"),
        ("collective", "messages between ranks were in flight"),
    ] {
        let directory = trial.place.directory(way);
        let run = || trial.program.run(&directory).ranks(2).arguments(&[way]);
        run().kill_at("checkpoint:6@1");
        run()
            .go()
            .assert_stopped(STOPPED, &["is passed over: ", words, "no older generation"]);
    }
}

#[test]
fn s08_s16_what_one_rank_appends_while_others_have_not_come_to_their_checkpoint_is_cut_off() {
    if !mpi_or_word() {
        return;
    }
    let trial = Trial::new("mpi-files-appended", "appended", &[]);
    trial.survives(2, &["published:6@1", "published:5@1"]);
}

#[test]
fn s02_a_file_of_mpi_that_is_read_and_overwritten_in_place_is_warned_of() {
    if !mpi_or_word() {
        return;
    }
    let mut tool = Command::new(precompiler());
    tool.args(["--cc", "mpicc", "--auto"]);
    tool.arg(root().join("tests/mpi_files/in_place.c"));
    let output = tool.output().expect("the precompiler runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(said.matches("warning[").count(), 1, "{said}");
    for words in [
        "warning[CCCP403]",
        "is not undone",
        "reads something (line 12)",
        "MPI_MODE_WRONLY",
    ] {
        assert!(said.contains(words), "{words} in\n{said}");
    }
}
