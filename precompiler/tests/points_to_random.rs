//! Pointers of random programs are never where the analysis says they cannot be.
//!
//! Each program runs, compiled by `cc -DRUN`, and tells after every assignment to a pointer which leaf of which object it
//! points to. Without `RUN` the same places store the pointer in a variable of their own, `probe_7`, whose targets must
//! contain what was seen. `CCCP_RANDOM=1000` tries that many programs instead of a few.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use cccp_precompiler::analysis::memory::CellId;
use cccp_precompiler::analysis::points_to::PointsTo;
use cccp_precompiler::analysis::points_to::text::dump;
use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::dataflow::steps::Steps;
use cccp_precompiler::program::load;
use cccp_precompiler::source::Preprocessor;

#[path = "points_to_random/generate.rs"]
mod generate;

/// What was seen: number of the probe, name of the leaf.
fn run(path: &Path) -> Vec<(usize, String)> {
    let program = path.with_extension("out");
    let compiled = Command::new("cc")
        .args(["-DRUN", "-w", "-O0", "-fno-strict-aliasing", "-o"])
        .arg(&program)
        .arg(path)
        .output()
        .expect("a C compiler");
    let errors = String::from_utf8_lossy(&compiled.stderr).into_owned();
    assert!(compiled.status.success(), "{}: {errors}", path.display());
    let output = Command::new(&program).output().expect("it runs");
    std::fs::remove_file(&program).expect("it was there");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let line = |line: &str| {
        let (number, name) = line.split_once(' ')?;
        Some((number.parse().ok()?, name.to_string()))
    };
    text.lines().filter_map(line).collect()
}

/// How many pointers were seen, and whether one of them may be anywhere. `room`: in words of sets.
fn check(seed: u64, room: Option<usize>) -> (usize, bool) {
    let path: PathBuf = std::env::temp_dir().join(format!(
        "cccp-random-{}-{seed}-{}.c",
        std::process::id(),
        room.unwrap_or(usize::MAX)
    ));
    std::fs::write(&path, generate::program(seed)).expect("a temporary file");
    let paths = [path.to_str().expect("UTF-8").to_string()];
    let preprocessor = Preprocessor {
        compiler: "cc".to_string(),
        arguments: Vec::new(),
    };
    let (program, diagnostics) = load(&paths, &preprocessor, |_| {});
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let catalogue = Catalogue::builtin();
    let steps = Steps::of(&program, &catalogue);
    let seen: BTreeSet<(usize, String)> = run(&path).into_iter().collect();
    let points_to = match room {
        None => PointsTo::of(&program, &steps, &catalogue),
        Some(words) => {
            let solved = || PointsTo::within(words, &program, &steps, &catalogue);
            let text = |one: &PointsTo| dump(&program, &steps, one);
            let (first, second) = (solved(), solved());
            assert_eq!(text(&first), text(&second), "{}", path.display());
            first
        }
    };
    let file = path.file_name().expect("a name").to_string_lossy();
    let cells = || (0..points_to.memory.cells.len() as u32).map(CellId);
    let mut gave_up = false;
    for (probe, name) in &seen {
        let name = name.replace("heap@", &format!("heap@{file}:"));
        let cell = cells()
            .find(|cell| points_to.cell_name(*cell) == format!("probe_{probe}"))
            .expect("every probe is a variable");
        // An object that got another type, or is one cell, has other leaves.
        let is_known = cells().any(|cell| points_to.cell_name(cell) == name);
        let is_meant = |target: CellId| {
            let object = points_to.memory.cells[target.0 as usize].object;
            points_to.cell_name(target) == name
                || !is_known && name.starts_with(&format!("{}[", points_to.object_name(object)))
                || points_to.memory.objects[object.0 as usize]
                    .collapsed
                    .is_some()
                    && name.starts_with(points_to.object_name(object))
        };
        // Together with all that escaped.
        gave_up |= points_to.pointees(cell).any(|target| target == CellId(0));
        let holds = points_to.pointees(cell).any(is_meant);
        let found: Vec<String> = points_to
            .pointees(cell)
            .map(|target| points_to.cell_name(target))
            .collect();
        assert!(
            holds,
            "{}: probe {probe} was at {name}, said to be at {found:?}",
            path.display()
        );
    }
    std::fs::remove_file(&path).expect("it was there");
    (seen.len(), gave_up)
}

fn programs() -> u64 {
    let count = std::env::var("CCCP_RANDOM").ok();
    count.and_then(|count| count.parse().ok()).unwrap_or(12)
}

#[test]
fn pointers_are_where_they_are_said_to_be() {
    let count = programs();
    let seen: usize = (0..count).map(|seed| check(seed, None).0).sum();
    assert!(seen as u64 > count * 10, "the programs do nothing: {seen}");
}

#[test]
fn without_room_for_the_sets_the_answer_is_the_worst_case_and_always_the_same() {
    let mut gave_up = 0;
    for seed in 0..programs().div_ceil(3) {
        for room in [0, 60, 400] {
            gave_up += usize::from(check(seed, Some(room)).1);
        }
    }
    assert!(gave_up > 0, "there was room enough every time");
}
