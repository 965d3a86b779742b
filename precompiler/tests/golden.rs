//! Golden tests: `tests/golden/<stage>/<case>.c` beside its expected `<case>.txt`.
//!
//! Each case is first compiled by the C compiler (with its pragmas ignored), so that no test holds C that is none;
//! cases of the stage `errors` may be wrong. A stage that is none of those below is what `--emit` calls so. `CCCP_BLESS=1` writes what comes out as the new expectation.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use cccp_precompiler::analysis::lowered;
use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::cli::options::Options;
use cccp_precompiler::cli::run::compile;
use cccp_precompiler::dataflow::check_program;
use cccp_precompiler::dataflow::steps;
use cccp_precompiler::diagnostic::has_errors;
use cccp_precompiler::diagnostic::render::render;
use cccp_precompiler::program::dump::{directives_text, program_text};
use cccp_precompiler::program::{Program, load_unit};
use cccp_precompiler::source::{Preprocessor, SourceFile};
use cccp_precompiler::syntax::with_stack;

/// Relative to the package, where tests run: no expectation contains the path of a machine.
fn golden() -> PathBuf {
    PathBuf::from("tests/golden")
}

fn run(stage: &str, path: &Path) -> String {
    let name = path.to_string_lossy().into_owned();
    let text = std::fs::read(path).expect("the case is readable");
    let file = SourceFile::from_bytes(&name, text, &Preprocessor::default())
        .expect("the case can be preprocessed");
    let mut diagnostics = Vec::new();
    let mut program = Program::default();
    program.units.push(load_unit(file, &mut diagnostics));
    if !has_errors(&diagnostics) {
        diagnostics.extend(check_program(&program, &Catalogue::builtin()));
    }
    let unit = &program.units[0];
    let mut out = String::new();
    for diagnostic in &diagnostics {
        out.push_str(&render(
            diagnostic,
            &(name.as_str(), unit.file.original.as_str()),
            false,
        ));
    }
    match stage {
        "program" => out.push_str(&program_text(unit)),
        "steps" => {
            let catalogue = Catalogue::builtin();
            let steps = lowered(&program, &catalogue);
            out.push_str(&steps::dump(&program, &steps, 0));
            for fault in steps::faults(&program, &steps, &catalogue) {
                out.push_str(&format!("FAULT {fault}\n"));
            }
        }
        "directives" => out.push_str(&directives_text(unit)),
        "normalised" => out.push_str(&squeezed(unit.file.normalised_text())),
        "preprocessed" => out.push_str(&squeezed(&unit.file.preprocessed)),
        "errors" => {}
        stage => return emitted(stage, &name),
    }
    out
}

/// What `--emit` prints of a stage.
fn emitted(stage: &str, path: &str) -> String {
    let words = ["cccp-pp", "--emit", stage, path].map(OsString::from);
    let options = Options::read(words.into_iter()).expect("a stage of the precompiler");
    let compiled = with_stack(|| compile(&options, &Catalogue::builtin()));
    let bytes = compiled.results.first().map(|(_, bytes)| bytes.clone());
    let bytes = bytes.unwrap_or_else(|| panic!("{path}: {:?}", compiled.diagnostics));
    String::from_utf8(bytes).expect("UTF-8")
}

/// Without the lines that the preprocessor's own lines left blank.
fn squeezed(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
        .collect();
    lines.join("\n") + "\n"
}

fn check(stage: &str) {
    let mut failures = Vec::new();
    let mut count = 0;
    let directory = golden().join(stage);
    let mut cases: Vec<PathBuf> = std::fs::read_dir(&directory)
        .expect("the stage has a directory")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    cases.sort();
    for case in cases {
        count += 1;
        if stage != "errors" {
            let status = Command::new("cc")
                .args(["-w", "-fsyntax-only"])
                .arg(&case)
                .status();
            assert!(
                status.is_ok_and(|status| status.success()),
                "{} is no C",
                case.display()
            );
        }
        let found = run(stage, &case);
        let expected = case.with_extension("txt");
        if std::env::var_os("CCCP_BLESS").is_some() {
            std::fs::write(&expected, &found).expect("the expectation can be written");
        } else if std::fs::read_to_string(&expected).ok().as_deref() != Some(found.as_str()) {
            failures.push(format!("{}:\n{found}", case.display()));
        }
    }
    assert!(count > 0, "no cases in {}", directory.display());
    assert!(
        failures.is_empty(),
        "changed (CCCP_BLESS=1 accepts):\n{}",
        failures.join("\n")
    );
}

#[test]
fn s01_s02_wrong_directives_are_shown_with_their_line_and_what_to_write() {
    check("errors");
}

#[test]
fn s15_names_types_and_places_of_programs_are_known() {
    check("program");
}

#[test]
fn s15_directives_are_resolved_with_their_items() {
    check("directives");
}

#[test]
fn s03_preprocessed_text_holds_c_and_pragmas_only() {
    check("preprocessed");
}

#[test]
fn s03_normalising_changes_tokens_in_place() {
    check("normalised");
}

#[test]
fn s15_statements_are_lowered_to_steps() {
    check("steps");
}

#[test]
fn entries_for_unknown_functions_are_the_worst_that_their_declarations_allow() {
    check("unknown");
}
