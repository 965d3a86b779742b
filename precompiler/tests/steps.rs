//! Steps hold together: on every C file of the golden tests and samples, and on programs from outside.
//!
//! `CCCP_PROGRAM="-DX=1 a.c b.c" cargo test --test steps -- --ignored --nocapture` looks at a program from outside.

use std::path::{Path, PathBuf};
use std::time::Instant;

use cccp_precompiler::analysis::lowered;
use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::dataflow::steps;
use cccp_precompiler::program::{Program, load};
use cccp_precompiler::source::Preprocessor;
use cccp_precompiler::syntax::with_stack;

fn faults(program: &Program) -> Vec<String> {
    let catalogue = Catalogue::builtin();
    let start = Instant::now();
    let steps = lowered(program, &catalogue);
    println!("{} routines in {:?}", steps.routines.len(), start.elapsed());
    steps::faults(program, &steps, &catalogue)
}

fn loaded(paths: &[String], arguments: Vec<String>) -> Program {
    let preprocessor = Preprocessor {
        arguments,
        ..Preprocessor::default()
    };
    load(paths, &preprocessor, |_| {}).0
}

fn collect(directory: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(directory).expect("the directory is readable");
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "c") {
            found.push(path);
        }
    }
}

#[test]
fn s15_every_step_is_well_formed_and_no_name_is_forgotten() {
    let mut files = Vec::new();
    collect(Path::new("tests/golden"), &mut files);
    collect(Path::new("../samples"), &mut files);
    let mut all = Vec::new();
    for file in &files {
        let path = file.to_string_lossy().into_owned();
        let program = loaded(&[path], Vec::new());
        all.extend(with_stack(|| faults(&program)));
    }
    assert!(files.len() > 10);
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
#[ignore = "needs a program from outside"]
fn steps_of_a_program_from_outside() {
    let words = std::env::var("CCCP_PROGRAM").unwrap_or_default();
    let (files, arguments): (Vec<String>, Vec<String>) = words
        .split_whitespace()
        .map(str::to_string)
        .partition(|word| word.ends_with(".c"));
    let program = loaded(&files, arguments);
    let found = with_stack(|| faults(&program));
    assert!(found.is_empty(), "{}", found.join("\n"));
}
