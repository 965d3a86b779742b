//! Files that lose their names, or their contents, while a checkpoint needs them.

use std::path::Path;

use super::harness::{Workplace, left, mpi_or_word};
use super::{STOPPED, assert_same, build};

#[test]
fn s36_a_removed_file_that_is_too_large_stops_the_run_at_its_first_checkpoint() {
    let place = Workplace::new("unnamed");
    let program = build("unnamed").to(place.path(), "unnamed");
    let run = |directory: &Path, most: &str| {
        let run = program.run(directory).arguments(&["100"]);
        run.set("CCCP_REMOVED_FILES", most)
    };
    let directory = place.directory("large");
    run(&directory, "99").go().assert_stopped(
        STOPPED,
        &[
            "no checkpoint can be taken",
            "it has 100 bytes",
            "removed_files sets that limit",
        ],
    );
    // One that grows beyond it: the run goes on, and the older checkpoint is kept.
    let directory = place.directory("grows");
    let killed = run(&directory, "120").kill_at("checkpoint:7");
    killed.assert_said(&[
        "a checkpoint could not be written",
        "it has 125 bytes",
        "the older one is kept",
    ]);
    let resumed = run(&directory, "1K").well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, "150 50\n");
}

#[test]
fn s16_what_blocks_write_to_a_removed_file_on_the_way_is_undone() {
    let place = Workplace::new("unnamed-block");
    let program = build("unnamed").to(place.path(), "unnamed");
    for (way, encoding, compress) in [("synchronous", "native", "off"), ("background", "xdr", "6")]
    {
        let directory = place.directory(way);
        let run = || {
            let run = program.run(&directory).arguments(&["7000", "scribble"]);
            let run = run.set("CCCP_WRITE", way).set("CCCP_ENCODING", encoding);
            run.set("CCCP_COMPRESS", compress)
        };
        run().kill_at("published:4");
        let resumed = run().well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, "7050 50\n");
        assert!(left(&directory, "tmp").is_empty());
    }
}

#[test]
fn s16_s17_ranks_have_files_without_names_of_their_own() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("unnamed-ranks");
    let build = build("unnamed_ranks").mpi(true);
    let plain = build.clone().plain().to(place.path(), "plain");
    let program = build.to(place.path(), "unnamed_ranks");
    let undisturbed = place.directory("undisturbed");
    plain.run(&undisturbed).ranks(2).well();
    for point in ["published:2@0", "published:5@1"] {
        let directory = place.directory(&point.replace([':', '@'], "-"));
        program.run(&directory).ranks(2).kill_at(point);
        program.run(&directory).ranks(2).well().assert_resumed();
        assert_same(&directory, &undisturbed, point);
    }
}

#[test]
fn s36_what_was_open_at_a_checkpoint_and_is_removed_emptied_or_replaced_after_it_comes_back() {
    let place = Workplace::new("gone-later");
    let plain = build("gone_later").plain().to(place.path(), "plain");
    let program = build("gone_later").to(place.path(), "gone_later");
    let undisturbed = place.directory("undisturbed");
    let expected = plain.run(&undisturbed).well().output;
    for checkpoint in 2..=12 {
        let directory = place.directory(&format!("at-{checkpoint}"));
        let point = format!("checkpoint:{checkpoint}");
        let run = || program.run(&directory).set("CCCP_WRITE", "synchronous");
        let killed = run().kill_at(&point);
        assert_eq!(killed.errors, "", "{point}");
        let resumed = run().well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, expected, "{point}");
        assert_same(&directory, &undisturbed, &point);
        // Once more, with what the restart has found in its place.
        run().kill_at("checkpoint:1");
    }
}

#[test]
fn s36_a_file_that_is_too_long_to_be_kept_is_told_before_it_goes() {
    let place = Workplace::new("gone-later-long");
    let program = build("gone_later").to(place.path(), "gone_later");
    let directory = place.directory("run");
    let run = || {
        let run = program.run(&directory).set("CCCP_WRITE", "synchronous");
        run.set("CCCP_REMOVED_FILES", "10")
    };
    let killed = run().kill_at("checkpoint:5");
    killed.assert_said(&[
        "phase.txt was there at a checkpoint, and goes",
        "removed_files",
    ]);
    run().go().assert_stopped(STOPPED, &["phase.txt"]);
}
