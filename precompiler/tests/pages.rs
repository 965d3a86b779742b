//! The page of every diagnostic is right: its erroneous example gives exactly that code, the corrected one gives none.

use cccp_precompiler::dataflow::check_program;
use cccp_precompiler::diagnostic::code::PAGES;
use cccp_precompiler::diagnostic::{Code, Diagnostic, explain, has_errors};
use cccp_precompiler::program::{Program, load_unit};
use cccp_precompiler::source::{PreprocessFailure, Preprocessor, SourceFile};

/// What is said about a text up to the whole-program checks.
fn diagnose(text: &str) -> Vec<Diagnostic> {
    let path = "example.c";
    let mut diagnostics = Vec::new();
    match SourceFile::from_bytes(path, text.as_bytes().to_vec(), &Preprocessor::default()) {
        Ok(file) => {
            let mut program = Program::default();
            program.units.push(load_unit(file, &mut diagnostics));
            if !has_errors(&diagnostics) {
                diagnostics.extend(check_program(&program));
            }
        }
        Err(PreprocessFailure::Rejected(messages)) => {
            let place = cccp_precompiler::diagnostic::Place::File(path.to_string());
            diagnostics.push(Diagnostic::error(Code::PREPROCESSOR, place, messages));
        }
        Err(PreprocessFailure::NotStarted(why)) => panic!("no C compiler: {why}"),
    }
    diagnostics
}

/// The text of the code block under a heading.
fn example<'a>(page: &'a str, heading: &str) -> Option<&'a str> {
    let after = page.split_once(&format!("## {heading}\n"))?.1;
    let code = after.split_once("```c\n")?.1;
    Some(code.split_once("```")?.0)
}

/// Codes of later stages, whose pages are run through the whole precompiler.
fn is_of_later_stage(code: Code) -> bool {
    code == Code::OVERLAPPING_LOOPS || code.0 >= 200
}

#[test]
fn s02_every_page_shows_its_error_and_how_to_correct_it() {
    let mut failures = Vec::new();
    for (code, page) in PAGES.iter().filter(|(code, _)| !is_of_later_stage(*code)) {
        assert!(
            page.starts_with(&format!("# {code}: ")),
            "{code} has another heading"
        );
        for (heading, expected) in [("Wrong", vec![*code]), ("Right", Vec::new())] {
            let Some(text) = example(page, heading) else {
                continue;
            };
            let found: Vec<Code> = diagnose(text)
                .iter()
                .map(|diagnostic| diagnostic.code)
                .collect();
            if found != expected {
                failures.push(format!("{code}, {heading}: {found:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn pages_are_found_by_code_in_any_spelling() {
    assert_eq!(explain("CCCP107"), explain("cccp107"));
    assert_eq!(explain("107"), explain("CCCP107"));
    assert!(explain("CCCP107").is_some_and(|page| page.contains("unknown name")));
    assert_eq!(explain("CCCP999"), None);
    assert_eq!(explain(""), None);
}
