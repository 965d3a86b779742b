//! The page of every diagnostic is right: its erroneous example gives exactly that code, the corrected one gives none.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::cli::options::Options;
use cccp_precompiler::cli::run::compile;
use cccp_precompiler::diagnostic::code::PAGES;
use cccp_precompiler::diagnostic::{Code, explain};

/// A directory for one test, removed afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("cccp-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a directory for temporary files");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left behind harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The codes that the whole precompiler gives for a text; those from 401 on are auto mode's.
fn codes(directory: &Path, code: Code, text: &str) -> Vec<Code> {
    let path = directory.join("example.c");
    std::fs::write(&path, text).expect("the example can be written");
    let mut words = vec![OsString::from("cccp-pp"), path.into_os_string()];
    if code.0 >= 401 {
        words.push(OsString::from("--auto"));
    }
    let options = Options::read(words.into_iter()).expect("the options are right");
    compile(&options, &Catalogue::builtin())
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code)
        .collect()
}

/// The text of the code block under a heading.
fn example<'a>(page: &'a str, heading: &str) -> Option<&'a str> {
    let after = page.split_once(&format!("## {heading}\n"))?.1;
    let code = after.split_once("```c\n")?.1;
    Some(code.split_once("```")?.0)
}

#[test]
fn s02_every_page_shows_its_error_and_how_to_correct_it() {
    let scratch = Scratch::new("pages");
    let mut failures = Vec::new();
    for (code, page) in PAGES {
        assert!(
            page.starts_with(&format!("# {code}: ")),
            "{code} has another heading"
        );
        for (heading, expected) in [("Wrong", vec![*code]), ("Right", Vec::new())] {
            let Some(text) = example(page, heading) else {
                continue;
            };
            let mut found = codes(&scratch.0, *code, text);
            found.dedup();
            if found != expected {
                failures.push(format!("{code}, {heading}: {found:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn every_code_has_a_page_with_both_examples_or_none() {
    for (code, page) in PAGES {
        assert_eq!(
            example(page, "Wrong").is_some(),
            example(page, "Right").is_some(),
            "{code}"
        );
    }
}

#[test]
fn pages_are_found_by_code_in_any_spelling() {
    assert_eq!(explain("CCCP107"), explain("cccp107"));
    assert_eq!(explain("107"), explain("CCCP107"));
    assert!(explain("CCCP107").is_some_and(|page| page.contains("unknown name")));
    assert_eq!(explain("CCCP999"), None);
    assert_eq!(explain(""), None);
}
