//! Marks in odd places: a run is never surprised by its own restart (S36).
//!
//! A case is a C file in odd_places/ whose first comment says in its second line how it goes:
//!
//! * `restarts`: every checkpoint is taken without a word, and a restart from it ends like an undisturbed run;
//! * `restarts throughout`: the same, and every checkpoint is tried;
//! * `told: words`: the undisturbed run says this, and ends as it should; so do restarts, where there are checkpoints;
//! * `may be told: words`: `restarts`, but where memory lies by chance the undisturbed run says this;
//! * `refused: words`: the precompiler refuses it with these words;
//! * `stops: words`: the run stops at its first checkpoint with this reason, and has written none.

mod harness;

use std::path::PathBuf;
use std::process::Command;

use harness::{Build, Checkpoints, Compiler, Workplace, precompiler, root};

/// Tries the cases whose number is `part` when divided by `parts`.
fn try_some(part: usize, parts: usize) {
    let folder = root().join("tests/odd_places");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the cases")
        .map(|entry| entry.expect("a case").path())
        .collect();
    files.sort();
    for file in files.iter().skip(part).step_by(parts) {
        try_one(file);
    }
}

fn try_one(file: &PathBuf) {
    let name = file.file_stem().expect("a name").to_string_lossy();
    let text = std::fs::read_to_string(file).expect("the case");
    let outcome = text.lines().nth(1).expect("how it goes").trim();
    let outcome = outcome.trim_end_matches("*/").trim();
    let (kind, words) = outcome.split_once(": ").unwrap_or((outcome, ""));
    if kind == "refused" {
        let output = Command::new(precompiler()).arg(file).output();
        let output = output.expect("the precompiler");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{name} is accepted:\n{said}");
        assert!(said.contains(words), "{name}: {words}\n{said}");
        return;
    }
    let place = Workplace::new(&name);
    let build = Build::files(&[file])
        .with(Compiler::Gcc, &["-O1", "-w"])
        .careless();
    let expected = build.clone().plain().to(place.path(), "plain");
    let expected = expected.run(place.path()).well().output;
    let program = build.to(place.path(), "odd");
    let run = |directory: &str| {
        let run = program.run(&place.directory(directory));
        run.set("CCCP_WRITE", "synchronous")
    };
    let undisturbed = run("undisturbed").set("CCCP_KEEP", "1000").go();
    let generations = || Checkpoints::of(&place.join("undisturbed"), "odd").generations();
    match kind {
        "stops" => {
            undisturbed.assert_stopped(75, &["no checkpoint can be taken", words]);
            assert_eq!(generations(), [0; 0], "{name}");
            return;
        }
        "told" => undisturbed.assert_said(&[words]),
        _ => {
            let may_be = |line: &str| kind == "may be told" && line.contains(words);
            let mut warnings = undisturbed.errors.lines();
            let untold = warnings.find(|line| line.contains("warning: ") && !may_be(line));
            assert_eq!(untold, None, "{name}");
        }
    }
    assert_eq!(undisturbed.output, expected, "{name}, undisturbed");
    let last = generations().len();
    assert!(kind == "told" || last > 0, "{name} takes no checkpoint");
    let chosen = match (kind, last) {
        (_, 0) => vec![],
        ("told", _) => vec![1, last],
        ("restarts throughout", _) => (1..=last).collect(),
        _ => vec![1, last.min(3)],
    };
    for checkpoint in chosen {
        let directory = format!("at-{checkpoint}");
        let killed = run(&directory).kill_at(&format!("published:{checkpoint}"));
        let resumed = run(&directory).well();
        assert!(
            resumed.resumed(),
            "{name} at {checkpoint}: {}",
            resumed.errors
        );
        let output = killed.output + &resumed.output;
        // A program that has ended one run and begun another one prints what stands between them again.
        let is_same = output == expected || resumed.output == expected;
        assert!(
            is_same,
            "{name} at {checkpoint}:\n{output}{}",
            resumed.errors
        );
    }
}

#[test]
fn s36_marks_in_odd_places_restart_or_say_why_not() {
    try_some(0, 3);
}

#[test]
fn s36_marks_in_odd_places_restart_or_say_why_not_second_third() {
    try_some(1, 3);
}

#[test]
fn s36_marks_in_odd_places_restart_or_say_why_not_last_third() {
    try_some(2, 3);
}
