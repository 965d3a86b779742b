//! Plans and results: `tests/golden/rewrite/<case>.c` beside its plan (`.plan`) and its result (`.out`).
//!
//! Every result, with both ways of dispatch, is compiled by gcc and clang as C99, C11 and GNU C17 with all usual
//! warnings as errors, as the case itself is. `CCCP_BLESS=1` writes what comes out as the new expectation.

use cccp_precompiler::analysis::Finding;
use cccp_precompiler::analysis::Proven;
use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::dataflow::check_program;
use cccp_precompiler::diagnostic::code::PAGES;
use cccp_precompiler::diagnostic::{Code, has_errors};
use cccp_precompiler::plan::{Dispatch, FilePlan, plan_program, text};
use cccp_precompiler::program::{Program, load_unit};
use cccp_precompiler::rewrite::rewrite_file;
use cccp_precompiler::source::{Preprocessor, SourceFile};
use std::path::{Path, PathBuf};
use std::process::Command;

struct Result {
    plan: FilePlan,
    codes: Vec<Code>,
    findings: Vec<Finding>,
    output: String,
    original: String,
}

fn precompile(name: &str, bytes: Vec<u8>, dispatch: Dispatch) -> Result {
    let file = SourceFile::from_bytes(name, bytes, &Preprocessor::default())
        .expect("the case can be preprocessed");
    let mut diagnostics = Vec::new();
    let mut program = Program::default();
    program.units.push(load_unit(file, &mut diagnostics));
    if !has_errors(&diagnostics) {
        diagnostics.extend(check_program(&program, &Catalogue::builtin()));
    }
    let mut codes: Vec<Code> = diagnostics.iter().map(|one| one.code).collect();
    let original = program.units[0].file.original.clone();
    let planned = plan_program(
        &program,
        &Catalogue::builtin(),
        &Proven::default(),
        dispatch,
    )
    .remove(0);
    codes.extend(planned.findings.iter().map(|one| one.code));
    let output = rewrite_file(&planned.plan, &program.units[0].file).expect("edits do not overlap");
    Result {
        plan: planned.plan,
        codes,
        findings: planned.findings,
        output,
        original,
    }
}

fn cases() -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> = std::fs::read_dir("tests/golden/rewrite")
        .expect("the stage has a directory")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    cases.sort();
    cases
}

/// What a compiler says about a text.
fn compiler_says(compiler: &str, options: &[&str], text: &str, name: &str) -> String {
    let directory =
        std::env::temp_dir().join(format!("cccp-rewritten-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a temporary directory");
    let file = directory.join("out.c");
    std::fs::write(&file, text).expect("a temporary file");
    let output = Command::new(compiler)
        .args(options)
        .args([
            "-Wall",
            "-Wextra",
            "-Wno-unknown-pragmas",
            "-I../cccp-runtime/include",
            "-c",
            "-o",
            "/dev/null",
        ])
        .arg(&file)
        .output()
        .expect("the compiler can be started");
    let _ = std::fs::remove_dir_all(&directory);
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The number of a text depends on what macros of this system's headers stand for.
fn without_number(output: &str) -> String {
    let Some((before, rest)) = output.split_once("cccp_text(") else {
        return output.to_string();
    };
    let after = rest.split_once(')').map_or("", |(_, after)| after);
    format!("{before}cccp_text(NUMBER){after}")
}

#[test]
fn s03_plans_and_results_are_as_expected_and_no_line_moves() {
    let mut failures = Vec::new();
    for case in cases() {
        let name = case.to_string_lossy().into_owned();
        let found = precompile(
            &name,
            std::fs::read(&case).expect("the case is readable"),
            Dispatch::Label,
        );
        assert!(
            found.codes.is_empty(),
            "{name}: {:?} {:?}",
            found.codes,
            found.findings
        );
        let before = if found.plan.functions.is_empty() {
            2
        } else {
            3
        };
        assert_eq!(
            found.output.lines().count(),
            found.original.lines().count()
                + before
                + found.plan.heap.len()
                + found.plan.opens.len()
                + usize::from(!found.plan.names.is_empty()),
            "{name}: lines moved"
        );
        for (extension, text) in [
            ("plan", text::print(&found.plan)),
            ("out", without_number(&found.output)),
        ] {
            let expected = case.with_extension(extension);
            if std::env::var_os("CCCP_BLESS").is_some() {
                std::fs::write(&expected, &text).expect("the expectation can be written");
            } else if std::fs::read_to_string(&expected).ok().as_deref() != Some(text.as_str()) {
                failures.push(format!("{}:\n{text}", expected.display()));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "changed (CCCP_BLESS=1 accepts):\n{}",
        failures.join("\n")
    );
}

#[test]
fn s03_results_compile_without_a_warning() {
    let mut failures = Vec::new();
    for case in cases() {
        let name = case.to_string_lossy().into_owned();
        let short = case
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or("case");
        let bytes = std::fs::read(&case).expect("the case is readable");
        for dispatch in [Dispatch::Label, Dispatch::Switch] {
            let found = precompile(&name, bytes.clone(), dispatch);
            for compiler in ["gcc", "clang"] {
                for options in [
                    ["-std=c99", "-O3"],
                    ["-std=c11", "-O1"],
                    ["-std=gnu17", "-O2"],
                    ["-std=gnu17", "-O0"],
                ] {
                    let before = compiler_says(compiler, &options, &found.original, short);
                    let after = compiler_says(compiler, &options, &found.output, short);
                    if before.is_empty() && !after.is_empty() {
                        failures.push(format!(
                            "{name} {dispatch:?} {compiler} {options:?}:\n{after}"
                        ));
                    }
                    assert!(before.is_empty(), "{name} itself: {before}");
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn s04_a_program_without_directives_comes_out_unchanged() {
    let text = "/* nothing\r\n here */\r\nint main(void) { return 0; }\n\t#pragma omp once\n// end";
    let found = precompile("plain.c", text.as_bytes().to_vec(), Dispatch::Label);
    assert_eq!(found.output, text);
}

#[test]
fn s21_the_fingerprint_does_not_depend_on_layout() {
    let text =
        std::fs::read_to_string("tests/golden/rewrite/loops.c").expect("the case is readable");
    let moved = format!("\n\n/* moved */\n{}", text.replace("    ", "\t"));
    let changed = text.replace("u[n])\n    for", "u[n], total)\n    for");
    let prints = |text: &str| -> Vec<u64> {
        let found = precompile("a.c", text.as_bytes().to_vec(), Dispatch::Label);
        found
            .plan
            .functions
            .iter()
            .map(|function| function.fingerprint)
            .collect()
    };
    assert_eq!(prints(&text), prints(&moved));
    assert_ne!(prints(&text), prints(&changed));
}

/// The text of the code block under a heading.
fn example<'a>(page: &'a str, heading: &str) -> Option<&'a str> {
    let after = page.split_once(&format!("## {heading}\n"))?.1;
    let code = after.split_once("```c\n")?.1;
    Some(code.split_once("```")?.0)
}

#[test]
fn s02_pages_of_the_planner_show_their_error_and_how_to_correct_it() {
    let mut failures = Vec::new();
    let later = |code: Code| code == Code::OVERLAPPING_LOOPS || (200..300).contains(&code.0);
    for (code, page) in PAGES.iter().filter(|(code, _)| later(*code)) {
        for (heading, wrong) in [("Wrong", true), ("Right", false)] {
            let text = example(page, heading).expect("both examples");
            let found = precompile("example.c", text.as_bytes().to_vec(), Dispatch::Label);
            let fits = if wrong {
                found.codes.contains(code)
            } else {
                found.codes.is_empty()
            };
            if !fits {
                failures.push(format!(
                    "{code}, {heading}: {:?} {:?}",
                    found.codes, found.findings
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn s02_the_messages_of_the_planner_lead_somewhere() {
    for (code, page) in PAGES {
        assert!(
            page.starts_with(&format!("# {code}: ")),
            "{code} has another heading"
        );
    }
    assert!(Path::new("../cccp-runtime/include/cccp.h").is_file());
}

/// Names of functions and variables that part 2 of the header declares.
fn declared(header: &str) -> Vec<String> {
    let (_, part) = header
        .split_once("Part 2: what cccp-pp emits")
        .expect("the header has its parts");
    // Results give these names of the C library another meaning, they do not call them.
    let (part, _) = part
        .split_once("Part 3: allocated memory")
        .expect("the header has its parts");
    let mut names = Vec::new();
    for line in part.lines() {
        let declares = ["void ", "void *", "int ", "extern ", "cccp_code *"]
            .iter()
            .any(|start| line.starts_with(start));
        if !declares {
            continue;
        }
        let end = line.find(['(', ';']).unwrap_or(line.len());
        let name: String = line[..end]
            .rsplit(|character: char| !(character.is_alphanumeric() || character == '_'))
            .next()
            .unwrap_or_default()
            .to_string();
        // A name that is a message of the linker belongs to the macro behind it.
        let is_message = line.starts_with("extern const char ");
        // Each file of the program defines it.
        let is_message = is_message || name == "cccp_thread";
        if name.starts_with("cccp_") && !is_message {
            names.push(name);
        }
    }
    names.sort();
    names
}

#[test]
fn s03_the_header_declares_exactly_what_results_may_call() {
    let header = std::fs::read_to_string("../cccp-runtime/include/cccp.h").expect("the header");
    let mut emitted: Vec<String> = cccp_precompiler::rewrite::calls::EMITTED
        .iter()
        .map(|name| (*name).to_string())
        .collect();
    emitted.sort();
    assert_eq!(emitted, declared(&header));
}
