//! What auto mode adds to small programs, and why it refuses others: `golden/auto/*.c`, with expectations in comments.
//!
//! ```text
//! for (…) /* before: register(n, u[]) checkpoint */     these words, among others, are in the lines added right before
//!                                                       the line or, for a loop, as its first line
//! for (…) /* before: nothing */                         no line is added there
//! /* refused: TEXT | TEXT */                            it is refused, and these words are said
//! /* told: TEXT | TEXT */                               it is served, and these words are said
//! ```
//!
//! An item of a register is expected wherever its list stands. That such programs survive is tested end to end.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::cli::options::Options;
use cccp_precompiler::cli::run::{Compiled, compile};
use cccp_precompiler::diagnostic::{Place, has_errors};

/// What comes of a program.
fn compiled(path: &Path) -> Compiled {
    let mut words = vec!["cccp-pp", "--annotate", "--heap=typed"];
    let source = std::fs::read_to_string(path).expect("the case");
    if source.contains("#pragma omp") {
        words.extend(["--cpp-flag", "-fopenmp"]);
    }
    let words = words.into_iter().map(OsString::from);
    let words = words.chain([path.as_os_str().to_owned()]);
    let options = Options::read(words).expect("the options are right");
    compile(&options, &Catalogue::builtin())
}

/// The program with its marks, and what is said.
fn annotated(path: &Path) -> (String, String, bool) {
    let compiled = compiled(path);
    let served = !has_errors(&compiled.diagnostics);
    let text = compiled.results.first().map(|(_, bytes)| bytes.clone());
    let text = String::from_utf8(text.unwrap_or_default()).expect("UTF-8");
    (text, format!("{:?}", compiled.diagnostics), served)
}

/// The words after a mark in a line's comment.
fn wanted<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(mark)?;
    Some(
        rest.split_once("*/")
            .map_or(rest, |(words, _)| words)
            .trim(),
    )
}

/// The items and directives in added lines.
fn words(lines: &[&str]) -> Vec<String> {
    let mut all = Vec::new();
    for line in lines {
        let code = line.split("/*").next().unwrap_or_default();
        let code = code.trim().trim_start_matches("#pragma cccp ");
        match code
            .strip_prefix("register(")
            .and_then(|rest| rest.trim_end().strip_suffix(')'))
        {
            Some(items) => all.extend(items.split(", ").map(str::to_string)),
            None => all.extend(code.split_whitespace().map(str::to_string)),
        }
    }
    all
}

fn is_added(line: &str) -> bool {
    line.trim_start().starts_with("#pragma cccp")
}

fn cases() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("tests/golden/auto").expect("the cases");
    let mut cases: Vec<PathBuf> = entries.map(|one| one.expect("a case").path()).collect();
    cases.sort();
    cases
}

#[test]
fn what_is_said_is_about_the_users_own_lines() {
    for path in cases() {
        let compiled = compiled(&path);
        for one in &compiled.diagnostics {
            let Place::Range { path, range } = &one.place else {
                continue;
            };
            let mut units = compiled.program.units.iter();
            let unit = units.find(|unit| unit.file.path == *path);
            let file = &unit.expect("a file of the program").file;
            assert!(!file.is_added(range.start), "{path}: {one:?}");
        }
    }
}

#[test]
fn small_programs_get_the_marks_that_a_person_would_write() {
    let cases = cases();
    let mut faults = Vec::new();
    for path in &cases {
        let name = path.file_name().expect("a name").to_string_lossy();
        let source = std::fs::read_to_string(path).expect("the case");
        let (text, said, served) = annotated(path);
        let refused = source.lines().find_map(|line| wanted(line, "/* refused: "));
        if let Some(reasons) = refused {
            for reason in reasons.split(" | ").filter(|one| !said.contains(one)) {
                faults.push(format!("{name}: does not say {reason:?}: {said}"));
            }
            if served {
                faults.push(format!("{name}: is served"));
            }
            // Marks by hand begin with what could be inferred.
            if text.is_empty() {
                faults.push(format!("{name}: what could be inferred is not shown"));
            }
            continue;
        }
        if !served {
            faults.push(format!("{name}: {said}"));
        }
        let told = source.lines().find_map(|line| wanted(line, "/* told: "));
        let told = told.into_iter().flat_map(|told| told.split(" | "));
        for words in told.filter(|one| !said.contains(one)) {
            faults.push(format!("{name}: does not say {words:?}: {said}"));
        }
        let lines: Vec<&str> = text.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            let Some(expected) = wanted(line, "/* before: ") else {
                continue;
            };
            let above = lines[..index].iter().rev().take_while(|one| is_added(one));
            let below = lines[index + 1..].iter();
            let below = below.take_while(|one| is_added(one) || one.trim() == "{");
            let around: Vec<&str> = above.chain(below).copied().collect();
            let found = words(&around);
            if expected == "nothing" {
                if !found.is_empty() {
                    faults.push(format!("{name}: {line:?} has {found:?}"));
                }
                continue;
            }
            let list = expected.split_once("register(");
            let list = list.map(|(_, rest)| rest.rsplit_once(')').expect("a list"));
            let items = list.map_or("", |(items, _)| items).split(", ");
            let others = list.map_or(expected, |(_, others)| others).split(' ');
            for word in items.chain(others).filter(|word| !word.is_empty()) {
                if !found.iter().any(|one| one == word) {
                    faults.push(format!("{name}:{}: no {word} in {found:?}", index + 1));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
