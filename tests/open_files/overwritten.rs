//! Files that are changed where they lie, or written anew after they were read.

use crate::harness::{Workplace, mpi_or_word};
use crate::{assert_same, build};

#[test]
fn s16_s35_files_that_are_read_and_overwritten_are_those_of_the_checkpoint() {
    let place = Workplace::new("overwritten");
    let build = build("overwritten").careless();
    let plain = build.clone().plain().to(place.path(), "plain");
    let undisturbed = place.directory("undisturbed");
    let expected = plain.run(&undisturbed).well().output;
    let words = ["--auto", "--every", "1"];
    let program = build.tool_flags(&words).to(place.path(), "overwritten");
    for points in [
        &["checkpoint:2"][..],
        &["checkpoint:14"],
        &["checkpoint:9", "restore:1", "checkpoint:5", "checkpoint:4"],
        // Nothing is written between the two deaths, and nothing was published.
        &["checkpoint:13", "resumed:1", "checkpoint:1"],
    ] {
        let directory = place.directory(&points.concat().replace(':', "-"));
        let run = || program.run(&directory).set("CCCP_WRITE", "synchronous");
        for point in points {
            run().kill_at(point);
        }
        let resumed = run().well();
        resumed.assert_resumed();
        assert!(!resumed.errors.contains("warning"), "{}", resumed.errors);
        assert_eq!(resumed.output, expected, "{points:?}");
        assert_same(&directory, &undisturbed, &format!("{points:?}"));
    }
    // What is too long to be copied is said, once for each.
    let directory = place.directory("short");
    let told = program.run(&directory).set("CCCP_REMOVED_FILES", "8");
    let told = told.well().errors;
    let words = "ring.txt may be changed where it lies, and its contents cannot be kept";
    assert_eq!(told.matches(words).count(), 1, "{told}");
}

#[test]
fn s16_s35_what_ranks_overwrite_is_put_back_where_all_found_the_same() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("overwritten-ranks");
    let build = build("overwritten_ranks").mpi(true);
    let plain = build.clone().plain().to(place.path(), "plain");
    let words = ["--auto", "--every", "1"];
    let program = build.tool_flags(&words).to(place.path(), "ranks");
    for in_turn in [&[][..], &["in turn"]] {
        let undisturbed = place.directory(&format!("undisturbed{}", in_turn.len()));
        let expected = plain.run(&undisturbed).ranks(3).arguments(in_turn).well();
        let directory = place.directory(&format!("killed{}", in_turn.len()));
        let run = || {
            let run = program.run(&directory).ranks(3).arguments(in_turn);
            run.set("CCCP_WRITE", "synchronous")
        };
        run().kill_at("checkpoint:7@1");
        run().kill_at("checkpoint:4@2");
        let resumed = run().well();
        resumed.assert_resumed();
        assert_eq!(
            sorted(&resumed.output),
            sorted(&expected.output),
            "{in_turn:?}"
        );
        assert_same(&directory, &undisturbed, &format!("{in_turn:?}"));
        let disputed = resumed
            .errors
            .contains("is changed by several ranks where it lies");
        assert_eq!(disputed, !in_turn.is_empty(), "{}", resumed.errors);
    }
}

#[test]
fn s35_what_was_too_long_to_be_copied_before_it_was_emptied_is_told_where_it_is_read() {
    let place = Workplace::new("read-back");
    let program = build("read_back").careless().to(place.path(), "read_back");
    let directory = place.directory("run");
    let run = || {
        let run = program.run(&directory).set("CCCP_WRITE", "synchronous");
        run.set("CCCP_REMOVED_FILES", "1")
    };
    // What comes behind the sixth one is done by then.
    let killed = run().kill_at("checkpoint:7");
    let words = "best.txt was there at a checkpoint, and goes, and its contents cannot be kept";
    assert!(killed.errors.contains(words), "{}", killed.errors);
    let resumed = run().well();
    resumed.assert_said(&["best.txt is opened, which the run before has emptied"]);
}

fn sorted(output: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = output.lines().collect();
    lines.sort_unstable();
    lines
}
