//! What `--explain` says before a run is what the run does: the bytes it predicts are those that `cccp-ckpt` finds.

mod harness;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use harness::{Build, Checkpoints, Sample, Workplace, finish, precompiler, root, tools_directory};
use serde_json::Value;

/// Bytes in memory and in the file, by full name.
type Sizes = BTreeMap<String, (Option<u64>, Option<u64>)>;

/// What the report predicts for a checkpoint: the registers, and the sum.
fn predicted(
    file: &Path,
    line: Option<u64>,
    sizes: &[&str],
) -> (Sizes, (Option<u64>, Option<u64>)) {
    let mut tool = Command::new(precompiler());
    tool.current_dir(root()).arg("--explain=json").arg(file);
    for size in sizes {
        tool.args(["--size", size]);
    }
    let report: Value = serde_json::from_slice(&finish(&mut tool).stdout).expect("JSON");
    let checkpoint = report["checkpoints"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|one| line.is_none_or(|line| one["place"]["line"] == line))
        .expect("the checkpoint");
    let amount = |bytes: &Value| (bytes["memory"].as_u64(), bytes["stored"].as_u64());
    let mut all = Sizes::new();
    for row in checkpoint["rows"].as_array().expect("rows") {
        for register in row["registers"].as_array().expect("registers") {
            let name = register["full_name"].as_str().expect("a name");
            all.insert(name.to_owned(), amount(&row["bytes"]));
        }
    }
    (all, amount(&checkpoint["total"]))
}

/// What stands in the newest checkpoint of a run.
fn found(checkpoints: &Checkpoints) -> Sizes {
    let file = checkpoints.file(checkpoints.newest(), 0);
    let mut tool = Command::new(tools_directory().join("cccp-ckpt"));
    tool.args(["show", "--heads", "--json"]).arg(file);
    let shown: Value = serde_json::from_slice(&finish(&mut tool).stdout).expect("JSON");
    let registers = shown["registers"].as_array().expect("registers").iter();
    registers
        .map(|one| {
            let name = one["full_name"].as_str().expect("a name").to_owned();
            (name, (one["bytes"].as_u64(), one["stored_bytes"].as_u64()))
        })
        // What the library notes of the run, a few numbers.
        .filter(|(name, _)| {
            let of_the_run = [":standard output", ":text of the program", ":latest errors"];
            !of_the_run.iter().any(|one| name.ends_with(one))
        })
        .collect()
}

fn sum(sizes: &Sizes) -> (Option<u64>, Option<u64>) {
    let (memory, stored): (Vec<Option<u64>>, Vec<Option<u64>>) = sizes.values().copied().unzip();
    (memory.into_iter().sum(), stored.into_iter().sum())
}

/// Runs a program to its end and compares its last checkpoint.
fn compare(build: &Build, file: &Path, arguments: &[&str], line: Option<u64>, sizes: &[&str]) {
    let place = Workplace::new("explain");
    let program = build.to(place.path(), "program");
    program.run(place.path()).arguments(arguments).well();
    let found = found(&Checkpoints::of(place.path(), "program"));
    let (predicted, total) = predicted(file, line, sizes);
    assert_eq!(predicted, found);
    assert_eq!(total, sum(&found));
}

#[test]
fn s15_s21_predicted_bytes_of_every_kind_of_value_are_those_of_the_file() {
    let file = Path::new("tests/programs/types.c");
    // Read in front of main's own checks, it warns of nothing.
    let build = Build::files(&[file]).careless();
    compare(&build, file, &["10", "20"], None, &["n=10", "m=20"]);
}

#[test]
fn s15_s21_predicted_bytes_of_a_sample_are_those_of_the_file() {
    let sample = Sample::named("heat-serial");
    let file = Path::new("samples/heat-serial/main.c");
    compare(&sample.build(), file, sample.arguments, None, &["n=500"]);
}
