//! Functions that nobody knows: each is told once, with an entry that the catalogue takes; whoever adds it hears no more.
//!
//! `golden/unknown/CASE.c`; what `--emit unknown` prints of it stands beside it, and golden.rs compares.

use std::ffi::OsString;
use std::path::PathBuf;

use cccp_precompiler::catalog::{Catalogue, EffectKind, Root};
use cccp_precompiler::cli::options::Options;
use cccp_precompiler::cli::run::{Compiled, compile};
use cccp_precompiler::diagnostic::{Code, Severity};

fn run(catalogue: &Catalogue, words: &[&str]) -> Compiled {
    let words = std::iter::once(&"cccp-pp").chain(words).map(OsString::from);
    let options = Options::read(words).expect("the options are right");
    compile(&options, catalogue)
}

fn cases() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("tests/golden/unknown").expect("the cases");
    let mut cases: Vec<PathBuf> = entries.map(|one| one.expect("a case").path()).collect();
    cases.retain(|path| path.extension().is_some_and(|one| one == "c"));
    cases.sort();
    cases
}

/// What `--emit unknown` prints.
fn entries(catalogue: &Catalogue, path: &str) -> String {
    let compiled = run(catalogue, &["--emit", "unknown", path]);
    assert!(
        compiled.diagnostics.is_empty(),
        "{:?}",
        compiled.diagnostics
    );
    String::from_utf8(compiled.results[0].1.clone()).expect("UTF-8")
}

fn unknown(compiled: &Compiled) -> Vec<&str> {
    let diagnostics = compiled.diagnostics.iter();
    diagnostics
        .filter(|one| one.code == Code::UNKNOWN_FUNCTION)
        .map(|one| one.message.as_str())
        .collect()
}

/// A file for one test, removed afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("cccp-{}-{name}.c", std::process::id()));
        std::fs::write(&path, text).expect("a temporary file");
        Scratch(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("UTF-8")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left behind harms nobody.
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn entries_are_taken_by_the_catalogue_and_nothing_is_unknown_then() {
    for case in cases() {
        let path = case.to_str().expect("UTF-8");
        let mut catalogue = Catalogue::builtin();
        assert!(!unknown(&run(&catalogue, &["--deny", "unknown", path])).is_empty());
        let text = entries(&catalogue, path);
        if let Err(faults) = catalogue.add("written.txt", text) {
            let shown: Vec<String> = faults.iter().map(ToString::to_string).collect();
            panic!("{path}: {}", shown.join("\n"));
        }
        assert_eq!(
            unknown(&run(&catalogue, &["--deny", "unknown", path])),
            [""; 0]
        );
        assert!(!entries(&catalogue, path).contains("chapter"));
    }
}

#[test]
fn an_entry_admits_that_everything_reachable_may_happen() {
    let mut catalogue = Catalogue::builtin();
    let text = entries(&catalogue, "tests/golden/unknown/declared.c");
    catalogue.add("written.txt", text).expect("a good file");
    let sort = catalogue.find("list_sort").expect("an entry");
    let does = |kind: &EffectKind, number| {
        sort.effects
            .iter()
            .any(|one| one.kind == *kind && one.place.root == Root::Parameter(number))
    };
    // The list, the one that is const (what it leads to is not), and the struct that is passed by value.
    for number in [0, 2, 4] {
        assert!(does(&EffectKind::Reads, number) && does(&EffectKind::Writes, number));
        assert!(does(&EffectKind::Keeps(Some("escaped".into())), number));
    }
    assert_eq!(sort.calls.len(), 1);
    assert!(sort.returns.len() > 5);
    // Nothing in it promises anything: no fills, no frees, no roles.
    let promises = |kind: &EffectKind| matches!(kind, EffectKind::Fills | EffectKind::Frees);
    assert!(!sort.effects.iter().any(|one| promises(&one.kind)));
}

const ONE: &str = "void relax(double *u, int n);\nint main(void)\n{\n    double u[2] = {0};\n    #pragma cccp init\n    \
    relax(u, 2);\n    relax(u, 1);\n    #pragma cccp checkpoint\n    return 0;\n}\n";

#[test]
fn an_unknown_function_is_told_once_at_its_first_call_with_the_entry() {
    let file = Scratch::new("once", ONE);
    let compiled = run(&Catalogue::builtin(), &[file.path()]);
    let [one] = compiled.diagnostics.as_slice() else {
        panic!("{:?}", compiled.diagnostics);
    };
    assert_eq!(
        (one.code, one.severity),
        (Code::UNKNOWN_FUNCTION, Severity::Warning)
    );
    assert_eq!(compiled.results.len(), 1);
    let at = ONE.find("relax(u, 2)").expect("the call");
    let place = cccp_precompiler::diagnostic::Place::Range {
        path: file.path().to_string(),
        range: at..at + 5,
    };
    assert_eq!(one.place, place);
    let paste = one.paste.clone().expect("an entry");
    assert!(paste.contains("\nrelax(u, n)\n    reads u"), "{paste}");
    let mut catalogue = Catalogue::builtin();
    catalogue.add("own.txt", paste).expect("a good entry");
    assert!(run(&catalogue, &[file.path()]).diagnostics.is_empty());
}

#[test]
fn denied_unknown_functions_are_errors() {
    let file = Scratch::new("denied", ONE);
    let compiled = run(
        &Catalogue::builtin(),
        &["--deny", "incomplete,unknown", file.path()],
    );
    assert_eq!(compiled.diagnostics[0].severity, Severity::Error);
    assert!(compiled.results.is_empty());
}

#[test]
fn many_unknown_functions_are_told_in_one_message() {
    let names: Vec<String> = (0..40).map(|number| format!("function_{number}")).collect();
    let calls: String = names
        .iter()
        .map(|name| format!("    {name}();\n"))
        .collect();
    let text = format!("void start(void)\n{{\n    #pragma cccp init\n{calls}}}\n");
    let file = Scratch::new("many", &text);
    let compiled = run(&Catalogue::builtin(), &[file.path()]);
    let [one] = compiled.diagnostics.as_slice() else {
        panic!("{:?}", compiled.diagnostics);
    };
    assert!(one.message.starts_with("40 functions"), "{}", one.message);
    let reason = one.reason.clone().unwrap_or_default();
    assert!(names.iter().all(|name| reason.contains(name)));
    assert!(
        one.help
            .clone()
            .unwrap_or_default()
            .contains("--emit unknown")
    );
}

#[test]
fn a_program_without_directives_hears_nothing() {
    let file = Scratch::new("plain", "void relax(int n);\nvoid f(void) { relax(3); }\n");
    assert!(
        run(&Catalogue::builtin(), &[file.path()])
            .diagnostics
            .is_empty()
    );
}
