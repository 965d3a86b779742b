//! Golden tests of the check for forgotten registers: `tests/golden/completeness/<case>.c`.
//!
//! Expectations stand in comments and hold for the next `#pragma cccp checkpoint` in the text:
//!
//! ```text
//! /* must: x missing */       soundness: nothing brings it back
//! /* should: y held */        precision: it is restored, and nobody is warned
//! /* should: z absent */      precision: nobody reads it
//! ```
//!
//! A name is that of a location as `--emit completeness` shows it. Beside each case stand that text and the
//! messages, `<case>.txt`; `CCCP_BLESS=1` writes it anew.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cccp_precompiler::analysis::completeness::{Completeness, diagnostics};
use cccp_precompiler::analysis::lowered;
use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::cli::options::Options;
use cccp_precompiler::cli::run::compile;
use cccp_precompiler::diagnostic::Severity;
use cccp_precompiler::diagnostic::render::render;
use cccp_precompiler::syntax::with_stack;

fn cases() -> Vec<PathBuf> {
    let directory = Path::new("tests/golden/completeness");
    let mut cases: Vec<PathBuf> = std::fs::read_dir(directory)
        .expect("there are cases")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    cases.sort();
    cases
}

fn options(path: &Path, more: &[&str]) -> Options {
    let words = ["cccp-pp"].into_iter().chain(more.iter().copied());
    let words = words.map(OsString::from).chain([path.into()]);
    Options::read(words).expect("the options are right")
}

/// What `--emit completeness` says.
fn emitted(path: &Path) -> String {
    let compiled = compile(
        &options(path, &["--emit", "completeness"]),
        &Catalogue::builtin(),
    );
    let (_, bytes) = compiled.results.first().expect("a text");
    String::from_utf8_lossy(bytes).into_owned()
}

/// The messages.
fn told(path: &Path, more: &[&str]) -> String {
    let compiled = compile(&options(path, more), &Catalogue::builtin());
    let name = path.to_string_lossy().into_owned();
    let text = std::fs::read_to_string(path).expect("the case is readable");
    let texts = (name.as_str(), text.as_str());
    let all = compiled.diagnostics.iter();
    all.map(|one| render(one, &texts, false)).collect()
}

/// Line, name, what it is, and whether it must be so.
fn expectations(text: &str) -> Vec<(usize, String, &str, bool)> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let Some((_, comment)) = line.split_once("/* ") else {
            continue;
        };
        for part in comment.split("*/").next().unwrap_or("").split(';') {
            let Some((kind, list)) = part.trim().split_once(": ") else {
                continue;
            };
            if kind != "must" && kind != "should" {
                continue;
            }
            for one in list.split(", ") {
                let (name, state) = one.trim().rsplit_once(' ').expect("a name and a state");
                let states = ["missing", "held", "absent"];
                assert!(states.contains(&state), "line {number}: {one}");
                found.push((number, name.to_string(), state, kind == "must"));
            }
        }
    }
    found
}

#[test]
fn s26_what_is_missing_and_what_is_held_at_checkpoints() {
    with_stack(|| {
        let mut failures = Vec::new();
        for case in cases() {
            let text = std::fs::read_to_string(&case).expect("the case is readable");
            let emitted = emitted(&case);
            let found = format!("{emitted}\n{}", told(&case, &[]));
            for (line, name, state, must) in expectations(&text) {
                let lines: Vec<&str> = text.lines().collect();
                let checkpoint = (line..lines.len())
                    .find(|&at| lines[at].contains("#pragma cccp checkpoint"))
                    .expect("a checkpoint follows");
                let head = format!("checkpoint {}:{} ", case.display(), checkpoint + 1);
                let part = emitted.split(&head).nth(1).unwrap_or("");
                let part = part.split("\ncheckpoint ").next().unwrap_or("");
                let here: Vec<&str> = part
                    .lines()
                    .filter(|one| {
                        let rest = one
                            .strip_prefix("  ")
                            .and_then(|one| one.strip_prefix(&name));
                        rest.is_some_and(|rest| rest.starts_with(':') || rest.starts_with(" ("))
                    })
                    .collect();
                let is_missing = here.iter().any(|one| one.contains(": missing"));
                let is_right = match state {
                    "absent" => here.is_empty(),
                    _ => is_missing == (state == "missing") && !here.is_empty(),
                };
                if !is_right {
                    let kind = if must { "must" } else { "should" };
                    let at = format!("{}:{}", case.display(), line + 1);
                    failures.push(format!("{at}: {kind}: {name}: {here:?}"));
                }
            }
            let expected = case.with_extension("txt");
            if std::env::var_os("CCCP_BLESS").is_some() {
                std::fs::write(&expected, &found).expect("the expectation can be written");
            } else if std::fs::read_to_string(&expected).ok().as_deref() != Some(&*found) {
                failures.push(format!("{}:\n{found}", case.display()));
            }
        }
        assert!(
            failures.is_empty(),
            "changed (CCCP_BLESS=1 accepts):\n{}",
            failures.join("\n")
        );
    });
}

#[test]
fn s26_deny_incomplete_makes_errors() {
    with_stack(|| {
        let case = Path::new("tests/golden/completeness/ways.c");
        assert!(told(case, &[]).contains("warning[CCCP302]"));
        let denied = told(case, &["--deny", "incomplete"]);
        assert!(denied.contains("error[CCCP302]"));
        assert!(!denied.contains("warning[CCCP302]"));
    });
}

/// The programs that the end-to-end tests restart are right, so nothing is said about them.
#[test]
fn s26_right_programs_are_met_with_silence() {
    with_stack(|| {
        let directory = Path::new("../tests/restart");
        let mut failures = Vec::new();
        for entry in std::fs::read_dir(directory).expect("there are programs") {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            // Two halves of one program.
            if !name.ends_with(".c") || name.starts_with("two_files") {
                continue;
            }
            let told = told(&path, &[]);
            if !told.is_empty() {
                failures.push(told);
            }
        }
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    });
}

/// A program that is too large for the check must not look like one in which nothing is missing.
#[test]
fn s26_what_could_not_be_checked_is_a_warning_and_an_error_when_nothing_may_be_missing() {
    let path = cases().remove(0);
    let catalogue = Catalogue::builtin();
    let program = compile(&options(&path, &[]), &catalogue).program;
    let steps = lowered(&program, &catalogue);
    let unfinished = Completeness {
        unfinished: Some("the program is too large for the check".to_string()),
        ..Completeness::default()
    };
    for (denied, severity) in [(false, Severity::Warning), (true, Severity::Error)] {
        let told = diagnostics(&program, &steps, &unfinished, denied);
        let found: Vec<_> = told
            .iter()
            .map(|one| (one.severity, &one.message[..]))
            .collect();
        let message = "what a restart needs could not be found out";
        assert_eq!(found, [(severity, message)]);
    }
}
