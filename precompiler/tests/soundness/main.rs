//! Random programs: nothing that is called dead may matter.
//!
//! Programs are generated and analysed. Then they run twice: undisturbed, and with garbage in everything that is called
//! dead, at every checkpoint, each time control comes there: globals, statics, blocks of the heap, locals of the
//! checkpoint's function and of all frames below it. Any difference in what they print is a wrong "dead".
//!
//! `CCCP_PROGRAMS=5000` runs more of them, `CCCP_SEED=7` others; `CCCP_KEEP=DIR` keeps the texts of those that fail.

mod constructs;
mod corners;
mod generate;
mod practice;
mod random;
mod run;
mod statements;
mod values;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use cccp_precompiler::analysis::coverage::Coverage;
use cccp_precompiler::analysis::effects::Effects;
use cccp_precompiler::analysis::liveness::Liveness;
use cccp_precompiler::analysis::lowered;
use cccp_precompiler::analysis::memory::ObjectKind;
use cccp_precompiler::analysis::points_to::PointsTo;
use cccp_precompiler::analysis::reach::control;
use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::program::{Program, load_unit};
use cccp_precompiler::source::{Preprocessor, SourceFile};
use cccp_precompiler::syntax::with_stack;

use generate::{Generated, generate};
use random::Random;
use run::{Dead, Places};

/// Programs in one file.
const TOGETHER: usize = 40;

fn setting(name: &str, otherwise: usize) -> usize {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

#[test]
fn what_is_called_dead_does_not_matter() {
    let count = setting("CCCP_PROGRAMS", 80);
    let seed = setting("CCCP_SEED", 1);
    let directory = std::env::temp_dir().join(format!("cccp-soundness-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory for the programs");
    let mut failures = Vec::new();
    let mut total = Total::default();
    for batch in 0..count.div_ceil(TOGETHER) {
        let first = seed * 1_000_000 + batch * TOGETHER;
        let programs: Vec<Generated> = (0..TOGETHER)
            .map(|index| generate(index + 1, &mut Random::new((first + index) as u64)))
            .collect();
        let results = with_stack(|| check(&programs, &directory, &mut total));
        for (index, result) in results.into_iter().enumerate() {
            if let Err(difference) = result {
                failures.push(format!("program {}: {difference}", first + index));
                keep(&directory, first + index);
            }
        }
    }
    let _ = std::fs::remove_dir_all(&directory);
    assert!(
        total.checkpoints > 0 && total.dead > 0,
        "nothing was checked"
    );
    // Dead and all cells that could be told: how much of the test means anything.
    eprintln!("{total:?}");
    assert!(
        failures.is_empty(),
        "wrongly dead:\n{}",
        failures.join("\n")
    );
}

/// How much was looked at.
#[derive(Debug, Default)]
struct Total {
    programs: usize,
    checkpoints: usize,
    cells: usize,
    dead: usize,
}

fn keep(directory: &Path, number: usize) {
    if let Some(kept) = std::env::var_os("CCCP_KEEP") {
        let kept = Path::new(&kept);
        let _ = std::fs::create_dir_all(kept);
        for name in ["analysed.c", "run.c"] {
            let _ = std::fs::copy(directory.join(name), kept.join(format!("{number}-{name}")));
        }
    }
}

/// For every program: whether garbage in what is dead makes a difference.
fn check(programs: &[Generated], directory: &Path, total: &mut Total) -> Vec<Result<(), String>> {
    let mut text = run::HEAD.to_string();
    let mut all_places = Vec::new();
    for program in programs {
        let line = text.matches('\n').count() + 1;
        let (one, places) = run::analysed(program, line);
        text.push_str(&one);
        all_places.push(places);
    }
    text.push_str(&run::main_text(programs, false));
    let path = directory.join("analysed.c");
    std::fs::write(&path, &text).expect("the text can be written");
    let dead = analyse(&path, text.into_bytes(), programs, &all_places, total);
    total.programs += programs.len();
    spoilt(programs, &all_places, &dead, directory)
}

/// Runs programs undisturbed, and with garbage in what is dead.
fn spoilt(
    programs: &[Generated],
    all_places: &[Places],
    dead: &[Dead],
    directory: &Path,
) -> Vec<Result<(), String>> {
    let mut text = format!("{}{}", run::HEAD, run::RUN_HEAD);
    for ((program, places), dead) in programs.iter().zip(all_places).zip(dead) {
        text.push_str(&run::run(program, places, dead));
    }
    text.push_str(&run::main_text(programs, true));
    let path = directory.join("run.c");
    std::fs::write(&path, text).expect("the text can be written");
    let binary = directory.join("run");
    let status = Command::new("cc")
        .args(["-O0", "-w", "-fwrapv", "-fstack-reuse=none", "-o"])
        .arg(&binary)
        .arg(&path)
        .arg("-lm")
        .status();
    let is_c = status.is_ok_and(|status| status.success());
    assert!(is_c, "a generated program is no C");
    let undisturbed = outputs(&binary, &[]);
    let disturbed = outputs(&binary, &["spoil"]);
    (0..programs.len())
        .map(|index| difference(undisturbed.get(index), disturbed.get(index)))
        .collect()
}

fn outputs(binary: &Path, arguments: &[&str]) -> Vec<String> {
    // Files are written there.
    let here = binary.with_extension("files");
    let _ = std::fs::remove_dir_all(&here);
    std::fs::create_dir_all(&here).expect("a directory for the files");
    let output = Command::new(binary)
        .args(arguments)
        .current_dir(&here)
        .output()
        .expect("the programs run");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.split("=== ").skip(1).map(str::to_string).collect()
}

fn difference(undisturbed: Option<&String>, disturbed: Option<&String>) -> Result<(), String> {
    let (Some(one), Some(other)) = (undisturbed, disturbed) else {
        return Err("a run is missing".to_string());
    };
    if one == other {
        return Ok(());
    }
    let line = one.lines().zip(other.lines()).position(|(a, b)| a != b);
    Err(match line {
        Some(line) => format!(
            "line {line} of the output is {:?} instead of {:?}",
            other.lines().nth(line).unwrap_or_default(),
            one.lines().nth(line).unwrap_or_default()
        ),
        None => "the output ends early".to_string(),
    })
}

/// What is dead at the checkpoints of every program.
fn analyse(
    path: &Path,
    text: Vec<u8>,
    programs: &[Generated],
    places: &[Places],
    total: &mut Total,
) -> Vec<Dead> {
    let name = path.to_string_lossy().into_owned();
    let file = SourceFile::from_bytes(&name, text, &Preprocessor::default())
        .expect("the text can be preprocessed");
    let mut diagnostics = Vec::new();
    let mut program = Program::default();
    program.units.push(load_unit(file, &mut diagnostics));
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
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
    let view = View::of(&liveness);
    programs
        .iter()
        .zip(places)
        .map(|(program, places)| view.dead(program, places, total))
        .collect()
}

/// The cells of objects, by what the test knows of them.
struct View<'a> {
    liveness: &'a Liveness<'a>,
    /// By function (none for globals) and name.
    variables: BTreeMap<(Option<String>, String), Vec<usize>>,
    /// By line of the allocating call.
    blocks: BTreeMap<usize, Vec<usize>>,
}

impl<'a> View<'a> {
    fn of(liveness: &'a Liveness<'a>) -> View<'a> {
        let mut view = View {
            liveness,
            variables: BTreeMap::new(),
            blocks: BTreeMap::new(),
        };
        let unit = &liveness.program.units[0];
        for object in &liveness.points_to.memory.objects {
            let cells = object.first.0 as usize..(object.first.0 + object.count) as usize;
            match &object.kind {
                ObjectKind::Variable(variable) => {
                    let variable = liveness.steps.variable(*variable);
                    let owner = variable
                        .owner
                        .map(|owner| liveness.steps.routine(owner).name.clone());
                    let key = (owner, variable.name.clone());
                    view.variables.entry(key).or_default().extend(cells);
                }
                // Told apart by the outermost call that leads there.
                ObjectKind::Heap { call, through, .. } => {
                    let call = through.first().unwrap_or(call);
                    let line = unit.file.origin_text(call.span.start).1;
                    view.blocks.entry(line).or_default().extend(cells);
                }
                _ => {}
            }
        }
        view
    }

    /// Whether none of these cells is live, as far as they may be what `path` names.
    fn is_dead(&self, cells: &[usize], path: &str, live: &dyn Fn(usize) -> bool) -> bool {
        let memory = &self.liveness.points_to.memory;
        cells.iter().all(|&cell| {
            let found = memory.cells[cell].path.as_str();
            let short = found.strip_prefix("[]").unwrap_or(found);
            let collapsed = memory.objects[memory.cells[cell].object.0 as usize]
                .collapsed
                .is_some();
            let other = !collapsed
                && found != path
                && short != path
                && found.contains('.')
                && path.contains('.');
            other || !live(cell)
        })
    }

    fn dead(&self, program: &Generated, places: &Places, total: &mut Total) -> Dead {
        let mut dead = Dead::default();
        let unit = &self.liveness.program.units[0];
        for (&checkpoint, &line) in &places.checkpoints {
            total.checkpoints += 1;
            let at = self
                .liveness
                .checkpoints()
                .iter()
                .find(|at| unit.directives[at.directive.0].line == line);
            // Control never comes there, says the analysis: then everything may be spoilt there.
            let own = at.map(|at| self.liveness.steps.routine(at.routine).name.clone());
            for (index, slot) in places.slots.iter().chain(&program.globals).enumerate() {
                let reached = slot.is_static || slot.function == own;
                let key = (slot.function.clone(), slot.name.clone());
                let Some(cells) = self.variables.get(&key).filter(|_| reached) else {
                    continue;
                };
                for path in run::paths(slot.shape) {
                    total.cells += 1;
                    let live = |cell| at.is_some_and(|at| at.cells.contains(cell));
                    if self.is_dead(cells, path, &live) {
                        total.dead += 1;
                        dead.slots.insert((checkpoint, index, path.to_string()));
                    }
                }
            }
            for (&block, &(line, shape)) in &places.blocks {
                let Some(cells) = self.blocks.get(&line) else {
                    continue;
                };
                for path in run::paths(shape) {
                    total.cells += 1;
                    let live = |cell| at.is_some_and(|at| at.cells.contains(cell));
                    if self.is_dead(cells, path, &live) {
                        total.dead += 1;
                        dead.blocks.insert((checkpoint, block, path.to_string()));
                    }
                }
            }
            for (&call, &line) in &places.calls {
                let frames: Vec<_> = at
                    .iter()
                    .flat_map(|at| &at.frames)
                    .filter(|frame| unit.file.origin_text(frame.call.span.start).1 == line)
                    .collect();
                let Some(holder) = holder(program, call) else {
                    continue;
                };
                for (index, slot) in places.slots.iter().enumerate() {
                    if slot.is_static || slot.function.as_ref() != Some(&holder) {
                        continue;
                    }
                    let key = (slot.function.clone(), slot.name.clone());
                    let Some(cells) = self.variables.get(&key) else {
                        continue;
                    };
                    for path in run::paths(slot.shape) {
                        total.cells += 1;
                        let live = |cell| frames.iter().any(|frame| frame.cells.contains(cell));
                        if self.is_dead(cells, path, &live) {
                            total.dead += 1;
                            let key = (checkpoint, call, index, path.to_string());
                            dead.frames.insert(key);
                        }
                    }
                }
            }
        }
        dead
    }
}

/// The function in which a call stands.
fn holder(program: &Generated, call: usize) -> Option<String> {
    let mut function = None;
    for line in &program.lines {
        match line {
            generate::Line::Registered(slot) => function.clone_from(&slot.function),
            generate::Line::Call(number, _) if *number == call => return function,
            _ => {}
        }
    }
    None
}

/// A test that finds nothing when everything is spoilt would find nothing at all.
#[test]
fn what_is_live_does_matter() {
    let directory = std::env::temp_dir().join(format!("cccp-soundness-{}-b", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory for the programs");
    let programs: Vec<Generated> = (0..10)
        .map(|index| generate(index + 1, &mut Random::new(index as u64)))
        .collect();
    let all_places: Vec<Places> = programs
        .iter()
        .map(|program| run::analysed(program, 1).1)
        .collect();
    let dead: Vec<Dead> = programs
        .iter()
        .zip(&all_places)
        .map(|(program, places)| everything(program, places))
        .collect();
    let results = spoilt(&programs, &all_places, &dead, &directory);
    let _ = std::fs::remove_dir_all(&directory);
    let found = results.iter().filter(|one| one.is_err()).count();
    assert!(found >= 5, "only {found} of 10 programs mind");
}

/// All globals, statics and locals of the checkpoint's own function.
fn everything(program: &Generated, places: &Places) -> Dead {
    let mut dead = Dead::default();
    for &checkpoint in places.checkpoints.keys() {
        for (index, slot) in places.slots.iter().chain(&program.globals).enumerate() {
            if slot.is_static {
                for path in run::paths(slot.shape) {
                    dead.slots.insert((checkpoint, index, path.to_string()));
                }
            }
        }
    }
    dead
}
