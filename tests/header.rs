//! cccp.h is the contract between the precompiler, the library and whoever calls it by hand: it compiles alone, and
//! the libraries export what it declares, no more and no less.

mod harness;

use std::collections::BTreeSet;
use std::process::Command;

use harness::{Workplace, have, mpi_or_word, root, tools_directory};

/// Where the header is.
const HEADER: &str = "cccp-runtime/include/cccp.h";

/// The text without comments and preprocessor lines.
fn declarations() -> String {
    let text = std::fs::read_to_string(root().join(HEADER)).expect("the header");
    let mut code = String::new();
    let mut rest = text.as_str();
    while let Some((before, comment)) = rest.split_once("/*") {
        code += before;
        rest = comment.split_once("*/").expect("the end of a comment").1;
    }
    code += rest;
    code.lines()
        .filter(|line| !line.starts_with('#'))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The functions and variables that the header declares.
fn declared() -> BTreeSet<String> {
    let code = declarations();
    let mut names = BTreeSet::new();
    for statement in code.split(';') {
        let statement = statement.rsplit(['{', '}']).next().unwrap_or_default();
        let is_function = statement.contains('(') && !statement.contains("(*");
        let is_variable = statement.trim_start().starts_with("extern ");
        if !is_function && !is_variable {
            continue;
        }
        let head = statement.split('(').next().unwrap_or_default();
        let names_here = if is_variable { statement } else { head };
        for part in names_here.split(',') {
            let name = part
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .rfind(|w| !w.is_empty());
            let name = name.unwrap_or_default();
            if name.to_lowercase().starts_with("cccp_") {
                names.insert(name.to_owned());
            }
        }
    }
    names
}

/// What a shared library exports.
fn exported(library: &str) -> BTreeSet<String> {
    let path = tools_directory().join(library);
    let output = Command::new("nm")
        .args(["-D", "--defined-only"])
        .arg(&path)
        .output()
        .expect("nm");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines()
        .filter_map(|line| line.split_whitespace().nth(2).map(str::to_owned))
        .collect()
}

#[test]
fn the_header_alone_is_c99_c11_c17_and_cpp() {
    let place = Workplace::new("header");
    let file = place.write(
        "alone.c",
        "#include \"cccp.h\"\nint main(void) { return CCCP_OK; }\n",
    );
    for (compiler, language, standard) in [
        ("gcc", "c", "c99"),
        ("gcc", "c", "c11"),
        ("gcc", "c", "gnu17"),
        ("g++", "c++", "c++98"),
        ("g++", "c++", "c++17"),
        ("clang", "c", "c99"),
        ("clang", "c", "c11"),
        ("clang", "c", "gnu17"),
        ("clang", "c++", "c++17"),
    ] {
        if !have(compiler) {
            assert!(
                std::env::var_os("CCCP_REQUIRE_MPI").is_none(),
                "{compiler} is required"
            );
            continue;
        }
        let mut cc = Command::new(compiler);
        cc.args([
            "-fsyntax-only",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-pedantic",
            "-x",
            language,
        ]);
        // C++98 has no long long; that is the only thing it may complain about.
        cc.args([&format!("-std={standard}"), "-Wno-long-long"]);
        cc.arg("-I")
            .arg(root().join("cccp-runtime/include"))
            .arg(&file);
        let output = cc.output().expect("the compiler");
        assert!(
            output.status.success(),
            "{cc:?}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn libcccp_exports_what_the_header_declares() {
    let mut declared = declared();
    assert!(
        declared.contains("CCCP_Init") && declared.contains("cccp_due"),
        "{declared:?}"
    );
    declared.remove("cccp_init_mpi");
    assert_eq!(exported("libcccp.so"), declared);
}

#[test]
fn libcccp_mpi_exports_what_the_header_declares() {
    if mpi_or_word() {
        assert_eq!(exported("libcccp_mpi.so"), declared());
    }
}

#[test]
fn the_static_library_without_mpi_asks_for_no_mpi() {
    let library = tools_directory().join("libcccp.a");
    let output = Command::new("nm")
        .arg("--undefined-only")
        .arg(library)
        .output()
        .expect("nm");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let wanted: Vec<&str> = text.lines().filter(|line| line.contains(" MPI_")).collect();
    assert!(wanted.is_empty(), "{wanted:?}");
}
