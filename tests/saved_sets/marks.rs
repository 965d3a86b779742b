//! What a sample saves with the directives that a person wrote, and with those that are inferred: names and bytes.
//!
//! Both are run until a checkpoint has been taken wherever one is taken, and the files tell. A register is compared by its
//! name, at its largest; a checkpoint with that of the same function, or with the only one that there is by hand.

use std::collections::BTreeMap;

use cccp::format::LIBRARY;
use cccp::store::{FileSystem, open};

use super::cases::Case;
use super::harness::{Build, Checkpoints, Compiler, Program, Sample, Workplace, mpi_or_word};
use super::recipe::Recipe;
use super::surplus::{Kept, Why};

/// The registers of checkpoints, by the function of the checkpoint: names with their bytes.
type Saved = BTreeMap<String, BTreeMap<String, u64>>;

/// Fails when more is saved than by hand, unless it is known.
pub fn compare(name: &str) {
    let sample = Sample::named(name);
    if sample.mpi && !mpi_or_word() {
        return;
    }
    let place = Workplace::new(&format!("sets-{name}"));
    let ranks = if sample.mpi { 2 } else { 1 };
    let saved = |program: &Program| saved(program, ranks, sample.arguments, &place);
    let by_hand = saved(&sample.build().to(place.path(), "hand"));
    let case = Case::named(name);
    let files = case.write_to(&place.directory("plain"));
    let every = case.every.to_string();
    let automatic = Build::files(&files)
        .with(Compiler::Gcc, &["-O2"])
        .mpi(sample.mpi)
        .tool_flags(&["--auto", "--every", &every]);
    let automatic = saved(&automatic.to(place.path(), "automatic"));
    let mut kept = Kept::of(name, Why::Hand);
    let mut wrong = Vec::new();
    for (function, own) in &automatic {
        let others = match by_hand.get(function) {
            Some(others) => others,
            None if by_hand.len() == 1 => &by_hand[by_hand.keys().next().expect("one")],
            None => panic!("{name}: no checkpoint by hand is in {function}"),
        };
        let mut more = 0;
        for (register, bytes) in own {
            match others.get(register) {
                Some(other) if bytes > other => wrong.push(format!(
                    "{name}: {register}: {bytes} bytes, by hand {other}"
                )),
                Some(_) => {}
                None => {
                    more += bytes;
                    eprintln!("{name}: {function}: {register}, {bytes} bytes, not by hand");
                    if !kept.has(register) {
                        wrong.push(format!("{name}: {register} is not registered by hand"));
                    }
                }
            }
        }
        eprintln!(
            "{name}: {function}: {} bytes, {more} of them surplus; by hand {}",
            sum(own),
            sum(others)
        );
        assert!(sum(own) <= sum(others) + more, "{name}: {function}");
    }
    wrong.extend(kept.unused());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn sum(all: &BTreeMap<String, u64>) -> u64 {
    all.values().sum()
}

/// Prints both sums of a program of others.
pub fn measure(recipe: &Recipe) {
    let place = Workplace::new(&format!("sets-{}", recipe.name));
    let arguments: Vec<&str> = recipe.arguments.iter().map(String::as_str).collect();
    let ranks = recipe.ranks.unwrap_or(1);
    let all = ["hand", "automatic"].map(|name| {
        let directory = place.directory(&format!("{name}-source"));
        let build = match name {
            "hand" => recipe.build(&directory, &recipe.make(&directory)),
            _ => recipe.automatic(&directory, &recipe.make_plain(&directory)),
        };
        saved(&build.to(place.path(), name), ranks, &arguments, &place)
    });
    for (what, all) in ["by hand", "in auto mode"].into_iter().zip(all) {
        for (function, own) in all {
            let names: Vec<&str> = own.keys().map(String::as_str).collect();
            eprintln!(
                "{}: {what}, checkpoint in {function}: {} bytes: {}",
                recipe.name,
                sum(&own),
                names.join(", ")
            );
        }
    }
}

/// What the checkpoints of a run hold, on the first rank.
fn saved(program: &Program, ranks: usize, arguments: &[&str], place: &Workplace) -> Saved {
    let name = program.path.file_name().and_then(|name| name.to_str());
    let name = name.expect("UTF-8");
    let directory = place.directory(&format!("{name}-in"));
    program
        .run(&directory)
        .ranks(ranks)
        .arguments(arguments)
        .set("CCCP_WRITE", "synchronous")
        .set("CCCP_ENCODING", "native")
        .set("CCCP_KEEP", "1000")
        .well();
    let checkpoints = Checkpoints::of(&directory, name);
    let mut saved = Saved::new();
    for generation in checkpoints.generations() {
        let file = open(&FileSystem, &checkpoints.file(generation, 0));
        let file = file.unwrap_or_else(|error| panic!("{error}"));
        let checkpoint = &file.checkpoint;
        let own = saved
            .entry(checkpoint.header.site.function.clone())
            .or_default();
        let registers = checkpoint.sections.iter().flat_map(|one| &one.registers);
        for register in registers.filter(|one| one.flags & LIBRARY == 0) {
            let function = &checkpoint.functions[register.function as usize].name;
            let bytes = register.element_size * register.elements;
            // `p[]` and `p[n]` are the same memory.
            let item = register.name.trim_end_matches("[]");
            let largest = own.entry(format!("{function}:{item}"));
            let largest = largest.or_default();
            *largest = bytes.max(*largest);
        }
    }
    assert!(!saved.is_empty(), "{name}: no checkpoint");
    saved
}
