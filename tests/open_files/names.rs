//! Directories, links and pipes that the program makes, renames and removes, with files in them.

use std::collections::BTreeMap;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use crate::build;
use crate::harness::{Workplace, mpi_or_word};

/// What is in a directory and below, but for checkpoints: kind, contents, where a link leads, and how many names a file has.
fn tree(directory: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut left = vec![directory.to_path_buf()];
    while let Some(next) = left.pop() {
        for entry in std::fs::read_dir(&next).expect("a directory") {
            let entry = entry.expect("an entry");
            let path = entry.path();
            if path.extension().is_some_and(|ending| ending == "cccp") {
                continue;
            }
            let known = entry.metadata().expect("what is there");
            let kind = known.file_type();
            let text = match () {
                () if kind.is_dir() => "directory".to_string(),
                () if kind.is_symlink() => {
                    format!("link to {}", std::fs::read_link(&path).unwrap().display())
                }
                () if kind.is_fifo() => "pipe".to_string(),
                () => format!(
                    "{} {:?}",
                    known.nlink(),
                    std::fs::read_to_string(&path).unwrap()
                ),
            };
            if kind.is_dir() {
                left.push(path.clone());
            }
            let name = path.strip_prefix(directory).unwrap();
            all.insert(
                name.display().to_string(),
                format!("{:o} {text}", known.mode()),
            );
        }
    }
    all
}

#[test]
fn s35_directories_links_and_pipes_are_those_of_the_checkpoint() {
    let place = Workplace::new("names");
    let build = build("names");
    let plain = build.clone().plain().to(place.path(), "plain");
    let undisturbed = place.directory("undisturbed");
    let expected = plain.run(&undisturbed).well().output;
    let words = ["--auto", "--every", "1"];
    let program = build.tool_flags(&words).to(place.path(), "names");
    for points in [
        &["checkpoint:2"][..],
        &["checkpoint:4"],
        &["checkpoint:7", "checkpoint:3"],
        &["checkpoint:13", "resumed:1", "checkpoint:2"],
        &["published:3", "checkpoint:9"],
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
        assert_eq!(tree(&directory), tree(&undisturbed), "{points:?}");
    }
    // What is undone was done in five steps.
    for points in [&["checkpoint:2"][..], &["checkpoint:3", "checkpoint:1"]] {
        let directory = place.directory(&format!("fifth-{}", points.concat().replace(':', "-")));
        let run = || {
            let run = program.run(&directory).set("CCCP_EVERY", "5");
            run.set("CCCP_WRITE", "synchronous")
        };
        for point in points {
            run().kill_at(point);
        }
        let resumed = run().well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, expected, "{points:?}");
        assert_eq!(tree(&directory), tree(&undisturbed), "{points:?}");
    }
}

#[test]
fn s35_directories_that_one_rank_makes_for_all_are_those_of_the_checkpoint() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("names-ranks");
    let build = build("names_ranks").mpi(true);
    let plain = build.clone().plain().to(place.path(), "plain");
    let undisturbed = place.directory("undisturbed");
    let expected = plain.run(&undisturbed).ranks(3).well().output;
    let words = ["--auto", "--every", "1"];
    let program = build.tool_flags(&words).to(place.path(), "ranks");
    let directory = place.directory("killed");
    let run = || {
        let run = program.run(&directory).ranks(3);
        run.set("CCCP_WRITE", "synchronous")
    };
    for point in ["checkpoint:3@1", "checkpoint:6@0", "checkpoint:2@2"] {
        run().kill_at(point);
    }
    let resumed = run().well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, expected);
    assert_eq!(tree(&directory), tree(&undisturbed));
}
