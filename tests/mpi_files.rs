//! Files of MPI come back: a run that is killed and run again leaves the files of an undisturbed run, byte for byte, with the
//! marks of auto mode, with marks by hand and without the precompiler. What cannot come back is told at the checkpoint; what is missing at
//! the restart stops it on all ranks, and nothing has been touched then.

mod harness;

use std::path::Path;

use harness::{Build, Program, Workplace, mpi_or_word};

fn build(name: &str) -> Build {
    Build::files(&[format!("tests/mpi_files/{name}.c")]).mpi(true)
}

/// The files that a program left.
fn files(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "dat") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            found.push((name, std::fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}

fn assert_same(found: &Path, expected: &Path, context: &str) {
    let (found, expected) = (files(found), files(expected));
    let names = |all: &[(String, Vec<u8>)]| all.iter().map(|one| one.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(&found), names(&expected), "{context}");
    for (one, other) in found.iter().zip(&expected) {
        assert!(one.1 == other.1, "{} is another one: {context}", one.0);
    }
}

/// A program as it is, and one that survives.
struct Trial {
    place: Workplace,
    plain: Program,
    program: Program,
}

impl Trial {
    fn new(name: &str, source: &str, flags: &[&str]) -> Trial {
        let place = Workplace::quick(name);
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
fn s08_s16_files_of_mpi_of_every_kind_survive_in_auto_mode() {
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
