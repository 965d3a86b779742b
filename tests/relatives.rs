//! Relatives of programs that once failed: the same thing written through a typedef, a struct, a helper, another file or a macro.
//!
//! A case is a C file in relatives/, `NAME_part.c` its other file. Without a mark it is built in auto mode. It is killed at its first
//! checkpoint, in the middle and at the last one, or at every one, and ends each time like the plain C program, with the same files (S8, S39).

mod harness;

use std::path::{Path, PathBuf};

use harness::{Build, Checkpoints, Compiler, Workplace, left, root};

/// Tries the cases whose number is `part` when divided by `parts`.
fn try_some(part: usize, parts: usize) {
    let entries = std::fs::read_dir(root().join("tests/relatives")).expect("the cases");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a case").path())
        .filter(|path| !path.to_string_lossy().ends_with("_part.c"))
        .collect();
    files.sort();
    for file in files.iter().skip(part).step_by(parts) {
        try_one(file);
    }
}

fn try_one(file: &Path) {
    let text = std::fs::read_to_string(file).expect("the case");
    let comment = text.lines().next().expect("a comment");
    if comment.contains("x86-64") && !cfg!(target_arch = "x86_64") {
        return;
    }
    let name = file.file_stem().expect("a name").to_string_lossy();
    let part = file.with_file_name(format!("{name}_part.c"));
    let files: Vec<&Path> = [file, &part]
        .into_iter()
        .filter(|one| one.exists())
        .collect();
    let linked = comment
        .split_once("link: ")
        .map(|(_, flag)| flag.trim_end_matches("*/").trim());
    let flags: Vec<&str> = ["-O1"].into_iter().chain(linked).collect();
    let build = Build::files(&files).with(Compiler::Gcc, &flags).careless();
    let words: &[&str] = match text.contains("#pragma cccp") {
        true => &["--deny", "incomplete"],
        false => &["--auto", "--every", "1"],
    };
    let place = Workplace::new(&name);
    let plain = build.clone().plain().to(place.path(), "plain");
    let program = build.tool_flags(words).to(place.path(), "served");
    let expected = plain.run(&place.directory("plain-run")).well().output;
    let written = left(&place.join("plain-run"), "txt");
    let run = |directory: &str| {
        let run = program.run(&place.directory(directory));
        run.set("CCCP_WRITE", "synchronous")
    };
    let undisturbed = run("undisturbed").well();
    assert_eq!(undisturbed.output, expected, "{name}, undisturbed");
    let last = Checkpoints::of(&place.join("undisturbed"), "served").newest();
    assert!(
        last > 3,
        "{name} takes no checkpoints: {}",
        undisturbed.errors
    );
    let points = match comment.contains("every checkpoint") {
        true => (1..=last).collect(),
        false => vec![1, last / 2, last],
    };
    for checkpoint in points {
        let directory = format!("at-{checkpoint}");
        let killed = run(&directory).kill_at(&format!("published:{checkpoint}"));
        let resumed = run(&directory).well();
        let context = format!("{name} at {checkpoint}: {}", resumed.errors);
        assert!(resumed.resumed(), "{context}");
        let is_same = killed.output + &resumed.output == expected || resumed.output == expected;
        assert!(is_same, "{context}\n{}", resumed.output);
        assert_eq!(left(&place.join(&directory), "txt"), written, "{context}");
    }
}

#[test]
fn s08_s39_relatives_of_what_once_failed_are_served() {
    try_some(0, 2);
}

#[test]
fn s08_s39_relatives_of_what_once_failed_are_served_second_half() {
    try_some(1, 2);
}
