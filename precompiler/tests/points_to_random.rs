//! Pointers of random programs are never where the analysis says they cannot be.
//!
//! Each program runs, compiled by `cc -DRUN`, and tells after every assignment to a pointer which leaf of which object it
//! points to. Without `RUN` the same places store the pointer in a variable of their own, `probe_7`, whose targets must
//! contain what was seen. `CCCP_RANDOM=1000` tries that many programs instead of a few.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use cccp_precompiler::analysis::lowered;
use cccp_precompiler::analysis::memory::CellId;
use cccp_precompiler::analysis::points_to::text::dump;
use cccp_precompiler::analysis::points_to::{PointsTo, Room};
use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::program::{Program, load};
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

/// A random program and its file.
fn written(seed: u64, name: &str) -> (PathBuf, Program) {
    let path: PathBuf = std::env::temp_dir().join(format!(
        "cccp-random-{}-{seed}-{name}.c",
        std::process::id()
    ));
    std::fs::write(&path, generate::program(seed)).expect("a temporary file");
    let paths = [path.to_str().expect("UTF-8").to_string()];
    let preprocessor = Preprocessor::default();
    let (program, diagnostics) = load(&paths, &preprocessor, |_| {});
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    (path, program)
}

/// How many pointers were seen, and whether one of them may be anywhere.
fn check(seed: u64, room: Room) -> (usize, bool) {
    let (path, program) = written(seed, &format!("{}-{}", room.words, room.few));
    let catalogue = Catalogue::builtin();
    let steps = lowered(&program, &catalogue);
    let seen: BTreeSet<(usize, String)> = run(&path).into_iter().collect();
    let solved = || PointsTo::within(room, &program, &steps, &catalogue);
    let points_to = solved();
    if room.words < Room::default().words {
        let text = |one: &PointsTo| dump(&program, &steps, one);
        assert_eq!(text(&points_to), text(&solved()), "{}", path.display());
    }
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
    let room = Room::default();
    let seen: usize = (0..count).map(|seed| check(seed, room).0).sum();
    assert!(seen as u64 > count * 10, "the programs do nothing: {seen}");
}

#[test]
fn who_has_targets_from_others_is_where_he_is_said_to_be() {
    let room = Room {
        few: 1,
        ..Room::default()
    };
    for seed in 0..programs() {
        check(seed, room);
    }
}

/// Only these: blocks that are used under several types may get another one of them, when they are looked at in another order.
#[test]
fn who_has_targets_from_others_reads_and_stores_the_same_as_by_himself() {
    for seed in 0..20 {
        let (path, program) = written(seed, "few");
        let catalogue = Catalogue::builtin();
        let steps = lowered(&program, &catalogue);
        let solved = |few: usize| {
            let room = Room {
                few,
                ..Room::default()
            };
            let points_to = PointsTo::within(room, &program, &steps, &catalogue);
            dump(&program, &steps, &points_to)
        };
        let (by_others, by_itself) = (solved(1), solved(usize::MAX));
        // Which of several lines is to blame depends on which one is looked at first.
        let place = " are computed at ";
        let known = |line: &'_ str| line.split(place).next().map(str::to_owned);
        let (ours, theirs) = (by_others.lines().map(known), by_itself.lines().map(known));
        if let Some((one, other)) = ours.zip(theirs).find(|(one, other)| one != other) {
            panic!("{}: {one:?} and {other:?}", path.display());
        }
        let lines = |text: &str| text.lines().count();
        assert_eq!(lines(&by_others), lines(&by_itself), "{}", path.display());
        std::fs::remove_file(&path).expect("it was there");
    }
}

#[test]
fn without_room_for_the_sets_the_answer_is_the_worst_case_and_always_the_same() {
    let mut gave_up = 0;
    for seed in 0..programs().div_ceil(3) {
        for words in [0, 60, 400] {
            let room = Room {
                words,
                ..Room::default()
            };
            gave_up += usize::from(check(seed, room).1);
        }
    }
    assert!(gave_up > 0, "there was room enough every time");
}
