//! What is known of places that several threads come to: `golden/teams/*.c`, with what is expected in comments behind
//! checkpoints.
//!
//! ```text
//! #pragma cccp checkpoint /* uniform */                    all threads pass it equally often
//! #pragma cccp checkpoint /* parted by x: why */           not certain; the variable and the beginning of the reason
//! #pragma cccp checkpoint /* parted: why */                the same without a variable
//! #pragma cccp checkpoint /* in critical(a) < parallel */  the constructs around it, from the inside out
//! ```
//!
//! Every checkpoint has at least one of these, separated by semicolons.

use std::path::{Path, PathBuf};
use std::process::Command;

use cccp_precompiler::analysis::effects::Effects;
use cccp_precompiler::analysis::lowered;
use cccp_precompiler::analysis::nesting::{Holds, Nesting};
use cccp_precompiler::analysis::points_to::PointsTo;
use cccp_precompiler::analysis::uniform::Uniform;
use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::dataflow::FunctionRef;
use cccp_precompiler::program::{Program, load_unit};
use cccp_precompiler::source::{Preprocessor, SourceFile};
use cccp_precompiler::syntax::with_stack;

fn load(path: &Path) -> Program {
    let preprocessor = Preprocessor {
        arguments: vec!["-fopenmp".to_string()],
        ..Preprocessor::default()
    };
    let status = Command::new(&preprocessor.compiler)
        .args(["-w", "-fsyntax-only", "-fopenmp"])
        .arg(path)
        .status();
    let is_c = status.is_ok_and(|status| status.success());
    assert!(is_c, "{} is no C", path.display());
    let text = std::fs::read(path).expect("the case is readable");
    let name = path.to_string_lossy().into_owned();
    let file = SourceFile::from_bytes(&name, text, &preprocessor).expect("preprocessed");
    let mut diagnostics = Vec::new();
    let program = Program {
        units: vec![load_unit(file, &mut diagnostics)],
        is_whole: true,
    };
    assert!(diagnostics.is_empty(), "{path:?}: {diagnostics:?}");
    program
}

fn check(path: &Path, faults: &mut Vec<String>) -> usize {
    let program = load(path);
    let catalogue = Catalogue::builtin();
    let steps = lowered(&program, &catalogue);
    let points_to = PointsTo::of(&program, &steps, &catalogue);
    let effects = Effects::of(&program, &steps, &points_to, &catalogue);
    let uniform = Uniform::of(&program, &steps, &points_to, &effects, &catalogue);
    let nesting = Nesting::of(&program, &steps, &points_to);
    let unit = &program.units[0];
    for one in &unit.directives {
        let function = one.function.expect("a checkpoint in a function");
        let routine = steps.routine_of(FunctionRef { unit: 0, function });
        let text = unit.file.original_text(one.lines);
        let expected = text
            .split_once("/*")
            .and_then(|(_, rest)| rest.split_once("*/"));
        let (expected, _) = expected.unwrap_or_else(|| panic!("{}:{}", path.display(), one.line));
        let around = nesting.around(routine, one.span);
        let around: Vec<&str> = around.iter().map(|one| one.text.as_str()).collect();
        let found = uniform.why_not(routine, one.span, one.span);
        for part in expected.split(';') {
            let part = part.trim();
            let is_right = match (part.split_once(": "), &found) {
                _ if part.starts_with("in ") => part[3..].trim() == around.join(" < "),
                (None, found) => part == "uniform" && found.is_none(),
                (Some((what, why)), Some(cause)) => {
                    let variable = what.strip_prefix("parted by ");
                    cause.why.starts_with(why.trim()) && cause.variable.as_deref() == variable
                }
                _ => false,
            };
            if !is_right {
                let line = one.line;
                faults.push(format!(
                    "{}:{line}: `{part}`: {found:?}, in {around:?}",
                    path.display()
                ));
            }
        }
    }
    unit.directives.len()
}

#[test]
fn s51_s54_what_threads_pass_unequally_is_known_and_what_is_around_a_place() {
    with_stack(|| {
        let entries = std::fs::read_dir("tests/golden/teams").expect("the cases");
        let mut cases: Vec<PathBuf> = entries.map(|one| one.expect("a case").path()).collect();
        cases.sort();
        let mut faults = Vec::new();
        let checked: usize = cases.iter().map(|path| check(path, &mut faults)).sum();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        assert!(checked > 40, "{checked} places");
    });
}

#[test]
fn s54_the_nearest_places_before_and_behind_a_construct_are_known() {
    with_stack(|| {
        let program = load(Path::new("tests/golden/teams/nested.c"));
        let catalogue = Catalogue::builtin();
        let steps = lowered(&program, &catalogue);
        let points_to = PointsTo::of(&program, &steps, &catalogue);
        let nesting = Nesting::of(&program, &steps, &points_to);
        let unit = &program.units[0];
        let at = |line: usize| {
            let one = unit
                .directives
                .iter()
                .find(|one| one.line == line)
                .expect("a directive there");
            let function = one.function.expect("a function");
            (
                steps.routine_of(FunctionRef { unit: 0, function }),
                one.span,
            )
        };
        let line = |offset: usize| unit.file.origin_text(offset).1;
        // In `critical` in a loop with `schedule(dynamic)` in a region.
        let (routine, span) = at(LINE_IN_CRITICAL);
        let inner = nesting.forbidding(routine, span).expect("a construct");
        assert_eq!(inner.holds, Holds::Critical);
        let outer = nesting
            .outermost_forbidding(routine, span)
            .expect("a construct");
        let schedule = Some("dynamic".to_string());
        assert_eq!(outer.holds, Holds::Loop { schedule });
        assert_eq!(line(outer.before.span.start), LINE_IN_CRITICAL - 4);
        assert_eq!(line(outer.after.span.start), LINE_IN_CRITICAL + 2);
        // In a function that is called from there.
        let (routine, span) = at(LINE_IN_FUNCTION);
        let far = nesting.forbidding(routine, span).expect("a construct");
        assert_eq!(far.holds, Holds::Critical);
        let calls: Vec<usize> = far.calls.iter().map(|one| line(one.span.start)).collect();
        assert_eq!(calls, [LINE_IN_CRITICAL + 1]);
    });
}

/// Where the checkpoints stand in `nested.c`.
const LINE_IN_FUNCTION: usize = 6;
const LINE_IN_CRITICAL: usize = 19;
