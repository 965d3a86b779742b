//! Golden tests of liveness: `tests/golden/liveness/<case>.c`, or a folder of units that are one program.
//!
//! Expectations stand in comments and hold for the next `#pragma cccp checkpoint` in the text (or the one on the same
//! line):
//!
//! ```text
//! /* must: x live, s.kind live */      soundness: a restarted program may read it
//! /* should: y dead, u[] dead */       precision: it is overwritten first, never read again, or not there
//! ```
//!
//! A name is that of a cell as the dump shows it, or of a variable: then `live` means any of its cells, `dead` all of
//! them. A block of the heap is `heap@LINE`, with its path behind it; the line
//! is that of the outermost call that is told apart. `FUNCTION:x` is a local of a frame below the
//! checkpoint's. Beside each case stands what the dump says of it, `<case>.txt`; `CCCP_BLESS=1` writes it anew.

use std::path::{Path, PathBuf};
use std::process::Command;

use cccp_precompiler::analysis::coverage::Coverage;
use cccp_precompiler::analysis::effects::{self, Effects};
use cccp_precompiler::analysis::liveness::{self, Liveness};
use cccp_precompiler::analysis::lowered;
use cccp_precompiler::analysis::memory::{CellId, ObjectKind};
use cccp_precompiler::analysis::points_to::PointsTo;
use cccp_precompiler::analysis::reach::control;
use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::program::{Program, load_unit};
use cccp_precompiler::source::{Preprocessor, SourceFile};
use cccp_precompiler::syntax::with_stack;

/// What is expected at a checkpoint.
#[derive(Debug)]
struct Expectation {
    /// Line of the comment.
    line: usize,
    /// Line of the checkpoint.
    checkpoint: usize,
    /// Soundness, not precision.
    must: bool,
    /// The function of the frame that is meant, and the location.
    frame: Option<String>,
    name: String,
    live: bool,
}

fn expectations(text: &str, path: &Path) -> Vec<Expectation> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut offset = 0;
    while let Some(start) = rest.find("/*") {
        let Some(length) = rest[start..].find("*/") else {
            break;
        };
        let comment = &rest[start + 2..start + length];
        let line = text[..offset + start].matches('\n').count() + 1;
        let checkpoint = next_checkpoint(text, line);
        for part in comment.split(';') {
            let part = part.trim();
            let Some((kind, list)) = part.split_once(':') else {
                continue;
            };
            if kind != "must" && kind != "should" {
                continue;
            }
            for one in list.split(',') {
                let words: Vec<&str> = one.split_whitespace().collect();
                let [name, state] = words.as_slice() else {
                    panic!("{}:{line}: `{one}` is no expectation", path.display());
                };
                let (frame, name) = match name.split_once(':') {
                    Some((frame, name)) => (Some(frame.to_string()), name),
                    None => (None, *name),
                };
                found.push(Expectation {
                    line,
                    checkpoint,
                    must: kind == "must",
                    frame,
                    name: name.to_string(),
                    live: match *state {
                        "live" => true,
                        "dead" => false,
                        _ => panic!("{}:{line}: `{one}` is no expectation", path.display()),
                    },
                });
            }
        }
        offset += start + length + 2;
        rest = &text[offset..];
    }
    found
}

fn next_checkpoint(text: &str, line: usize) -> usize {
    text.lines()
        .enumerate()
        .skip(line - 1)
        .find(|(_, text)| text.contains("#pragma cccp checkpoint"))
        .map_or(0, |(index, _)| index + 1)
}

fn load(paths: &[PathBuf]) -> Program {
    let mut program = Program::default();
    let mut diagnostics = Vec::new();
    for path in paths {
        let mpi = std::fs::read_to_string(path).is_ok_and(|text| text.contains("<mpi.h>"));
        let preprocessor = Preprocessor {
            compiler: if mpi { "mpicc" } else { "cc" }.to_string(),
            arguments: vec!["-fopenmp".to_string()],
            ..Preprocessor::default()
        };
        let status = Command::new(&preprocessor.compiler)
            .args(["-w", "-fsyntax-only", "-fopenmp"])
            .arg(path)
            .status();
        assert!(
            status.is_ok_and(|status| status.success()),
            "{} is no C",
            path.display()
        );
        let text = std::fs::read(path).expect("the case is readable");
        let name = path.to_string_lossy().into_owned();
        let file = SourceFile::from_bytes(&name, text, &preprocessor).expect("preprocessed");
        program.units.push(load_unit(file, &mut diagnostics));
    }
    assert!(diagnostics.is_empty(), "{paths:?}: {diagnostics:?}");
    program
}

/// The cells that a name means.
fn named(liveness: &Liveness<'_>, unit: usize, frame: Option<&str>, name: &str) -> Vec<usize> {
    let memory = &liveness.points_to.memory;
    let end = name.find(['.', '[']).unwrap_or(name.len());
    let (base, path) = name.split_at(end);
    let fits = |kind: &ObjectKind| match kind {
        ObjectKind::Variable(variable) => {
            let variable = liveness.steps.variable(*variable);
            let owner = variable
                .owner
                .map(|owner| &liveness.steps.routine(owner).name);
            variable.name == base && frame.is_none_or(|frame| owner.is_some_and(|one| one == frame))
        }
        ObjectKind::Heap { call, through, .. } => {
            let outermost = through.first().unwrap_or(call);
            let file = &liveness.program.units[outermost.unit].file;
            let line = file.origin_text(outermost.span.start).1;
            outermost.unit == unit && base == format!("heap@{line}")
        }
        _ => false,
    };
    let mut cells = Vec::new();
    for object in &memory.objects {
        if fits(&object.kind) {
            for cell in object.first.0..object.first.0 + object.count {
                let whole = path.is_empty() || object.collapsed.is_some();
                let found = memory.cells[cell as usize].path.as_str();
                let plain = path.strip_prefix("[]").unwrap_or(path);
                let rest = found.strip_prefix(path).or(found.strip_prefix(plain));
                if whole || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
                {
                    cells.push(cell as usize);
                }
            }
        }
    }
    cells
}

fn check_case(paths: &[PathBuf], failures: &mut Vec<String>) -> String {
    let program = load(paths);
    let catalogue = Catalogue::builtin();
    let steps = lowered(&program, &catalogue);
    let points_to = PointsTo::of(&program, &steps, &catalogue);
    let mut effects = Effects::of(&program, &steps, &points_to, &catalogue);
    let coverage = Coverage::of(
        &program,
        &steps,
        &points_to,
        &catalogue,
        &effects,
        &control(&steps, &effects),
    );
    effects.cover(&coverage, &steps, &points_to);
    let liveness = Liveness::of(&program, &catalogue, &steps, &points_to, &effects);
    for (unit, path) in paths.iter().enumerate() {
        let text = std::fs::read_to_string(path).expect("the case is text");
        for one in expectations(&text, path) {
            let kind = if one.must { "must" } else { "should" };
            let told = format!("{}:{}: {kind}: {}", path.display(), one.line, one.name);
            let Some((index, at)) = liveness.checkpoints().iter().enumerate().find(|(_, at)| {
                at.unit == unit
                    && program.units[unit].directives[at.directive.0].line == one.checkpoint
            }) else {
                failures.push(format!(
                    "{told}: there is no checkpoint in line {}",
                    one.checkpoint
                ));
                continue;
            };
            let cells = named(&liveness, unit, one.frame.as_deref(), &one.name);
            if cells.is_empty() {
                failures.push(format!("{told}: there is no such location"));
                continue;
            }
            let live: Vec<usize> = cells
                .iter()
                .copied()
                .filter(|&cell| {
                    let frames = &mut at.frames.iter();
                    at.cells.contains(cell) && one.frame.is_none()
                        || one.frame.is_some() && frames.any(|frame| frame.cells.contains(cell))
                })
                .collect();
            if live.is_empty() == one.live {
                let is = if one.live { "dead" } else { "live" };
                failures.push(format!("{told} is {is} at line {}", one.checkpoint));
            }
            for cell in cells {
                let cell = CellId(cell as u32);
                let is_live = at.cells.contains(cell.0 as usize);
                let witness = liveness.why_live(index, cell);
                if is_live && witness.is_none() && effects.from_outside.is_empty() {
                    failures.push(format!("{told}: live, but nobody reads it"));
                }
                if !is_live && one.frame.is_none() && liveness.why_dead(index, cell).is_none() {
                    let in_frame = at
                        .frames
                        .iter()
                        .any(|one| one.cells.contains(cell.0 as usize));
                    if !in_frame {
                        failures.push(format!("{told}: dead, but nobody knows why"));
                    }
                }
            }
        }
    }
    let mut out = liveness::dump(&liveness);
    if paths[0].to_string_lossy().contains("/effects/") {
        out = effects::dump(&program, &effects, &steps, &points_to);
    }
    out
}

fn check(stage: &str) {
    let mut failures = Vec::new();
    let mut cases: Vec<PathBuf> = std::fs::read_dir(Path::new("tests/golden").join(stage))
        .expect("the stage has a directory")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_dir() || path.extension().is_some_and(|one| one == "c"))
        .collect();
    cases.sort();
    assert!(!cases.is_empty(), "no cases of {stage}");
    for case in cases {
        let paths = if case.is_dir() {
            let mut paths: Vec<PathBuf> = std::fs::read_dir(&case)
                .expect("the case is a folder")
                .filter_map(|entry| entry.ok().map(|entry| entry.path()))
                .filter(|path| path.extension().is_some_and(|one| one == "c"))
                .collect();
            paths.sort();
            paths
        } else {
            vec![case.clone()]
        };
        let found = with_stack(|| check_case(&paths, &mut failures));
        let expected = case.with_extension("txt");
        if std::env::var_os("CCCP_BLESS").is_some() {
            std::fs::write(&expected, &found).expect("the expectation can be written");
        } else if std::fs::read_to_string(&expected).ok().as_deref() != Some(found.as_str()) {
            failures.push(format!(
                "{} (CCCP_BLESS=1 accepts):\n{found}",
                case.display()
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn what_is_live_is_called_live_and_little_else() {
    check("liveness");
}

#[test]
fn functions_do_what_their_summaries_say() {
    check("effects");
}
