//! Another machine carries the run on: checkpoints of x86-64, big-endian s390x and 32-bit i686 (and armv7, where its
//! tools are installed) are restarted on each other, with the results of an undisturbed run (S23).
//!
//! Programs for the other machines run under qemu. `tests/foreign/run` installs what that takes, and requires it.

#[path = "foreign/machines.rs"]
mod machines;

mod harness;

use std::collections::HashMap;
use std::process::Command;

use harness::{Checkpoints, Outcome, Program, Run, Sample, Workplace, everything, root};
use machines::{MACHINES, Machine, machine, machines, pairs};

/// A program, built for every machine.
struct Everywhere {
    place: Workplace,
    name: &'static str,
    arguments: &'static [&'static str],
    programs: HashMap<&'static str, Program>,
}

impl Everywhere {
    fn new(source: &str, name: &'static str, arguments: &'static [&'static str]) -> Everywhere {
        let place = Workplace::new(name);
        let programs = machines()
            .iter()
            .map(|machine| (machine.name, machine.build(source, place.path(), name)))
            .collect();
        Everywhere {
            place,
            name,
            arguments,
            programs,
        }
    }

    /// A run on a machine, in a directory that the machines share.
    fn run(&self, machine: &Machine, directory: &str) -> Run {
        self.programs[machine.name]
            .run(&self.place.directory(directory))
            .under(machine.runner())
            .arguments(self.arguments)
            .set("CCCP_WRITE", "synchronous")
    }

    /// What an undisturbed run prints.
    fn undisturbed(&self, machine: &Machine) -> String {
        let directory = format!("undisturbed-{}", machine.name);
        self.run(machine, &directory).well().output
    }

    fn checkpoints(&self, directory: &str) -> Checkpoints {
        Checkpoints::of(&self.place.join(directory), self.name)
    }

    /// Dies on each machine but the last, a few checkpoints after it came. Returns all that was printed.
    fn carried_on(&self, way: &[&Machine], checkpoints: u64, settings: &[(&str, &str)]) -> String {
        let names: Vec<&str> = way.iter().map(|machine| machine.name).collect();
        let directory = names.join("-to-");
        let with = |run: Run| {
            settings
                .iter()
                .fold(run, |run, (name, value)| run.set(name, value))
        };
        let mut printed = String::new();
        for (index, machine) in way.iter().enumerate() {
            let run = with(self.run(machine, &directory));
            let outcome = if index + 1 < way.len() {
                run.kill_at(&format!("published:{checkpoints}"))
            } else {
                run.well()
            };
            if index > 0 {
                outcome.assert_resumed();
                assert!(!outcome.errors.contains("warning"), "{}", outcome.errors);
            }
            printed += &outcome.output;
        }
        std::fs::remove_dir_all(self.place.join(&directory)).expect("the directory goes");
        printed
    }
}

/// Whether there is another machine to try.
fn any_or_word() -> bool {
    let found = machines().len() > 1 && machines()[0].name == MACHINES[0].name;
    if !found {
        eprintln!("no other machine here: this test is skipped");
    }
    found
}

/// Whether there and back again begins here. It holds both ways of a pair, so one of the two machines begins; which one, changes from pair to
/// pair and from program to program. With CCCP_TEST_EVERYTHING=1 both do.
fn begins(from: &Machine, to: &Machine, program: &Everywhere, settings: &[(&str, &str)]) -> bool {
    let number = |machine: &Machine| machines().iter().position(|one| one.name == machine.name);
    let (from, to) = (number(from), number(to));
    let sum = from.unwrap_or(0) + to.unwrap_or(0) + program.name.len() + settings.len();
    everything() || (from < to) == sum.is_multiple_of(2)
}

/// Every pair, there and back again.
fn every_way(program: &Everywhere, checkpoints: u64, settings: &[(&str, &str)]) {
    let expected: HashMap<&str, String> = machines()
        .iter()
        .map(|machine| (machine.name, program.undisturbed(machine)))
        .collect();
    let begin = |&(from, to): &(&Machine, &Machine)| begins(from, to, program, settings);
    for (from, to) in pairs().into_iter().filter(begin) {
        // One way alone is for who wants to know exactly.
        let ways: &[&[&Machine]] = &[&[from, to, from], &[from, to]];
        for way in &ways[..if everything() { 2 } else { 1 }] {
            let found = program.carried_on(way, checkpoints, settings);
            assert_eq!(
                found, expected[from.name],
                "{} from {} to {}, {settings:?}",
                program.name, from.name, to.name
            );
        }
    }
    let names: Vec<&str> = machines().iter().map(|machine| machine.name).collect();
    eprintln!(
        "{} {settings:?}: every way between {}",
        program.name,
        names.join(", ")
    );
}

fn sample(name: &'static str) {
    if !any_or_word() {
        return;
    }
    let sample = Sample::named(name);
    let source = format!("samples/{name}/main.c");
    let program = Everywhere::new(&source, name, sample.arguments);
    every_way(&program, 3, &[]);
}

#[test]
fn s23_heat_is_carried_on_by_another_machine() {
    sample("heat-serial");
}

#[test]
fn s23_n_body_is_carried_on_by_another_machine() {
    sample("n-body");
}

#[test]
fn s23_adaptive_is_carried_on_by_another_machine() {
    sample("adaptive");
}

#[test]
fn s29_allocated_blocks_and_pointers_into_them_come_back_on_another_machine() {
    if !any_or_word() {
        return;
    }
    let program = Everywhere::new("tests/restart/linked.c", "linked", &[]);
    every_way(&program, 3, &[]);
}

#[test]
fn s23_s28_statics_of_functions_come_back_on_another_machine() {
    if !any_or_word() {
        return;
    }
    let program = Everywhere::new("tests/restart/static_blocks.c", "static_blocks", &[]);
    every_way(&program, 2, &[]);
}

#[test]
fn s15_s23_every_type_comes_back_on_another_machine_in_every_encoding() {
    if !any_or_word() {
        return;
    }
    let program = Everywhere::new("tests/foreign/every_type.c", "every_type", &["hello"]);
    for settings in [
        &[][..],
        &[("CCCP_ENCODING", "native")],
        &[("CCCP_COMPRESS", "6")],
    ] {
        every_way(&program, 1, settings);
    }
    let here = program.undisturbed(machines()[0]);
    for machine in machines() {
        assert_eq!(program.undisturbed(machine), here, "{}", machine.name);
    }
}

/// A restart on `to` of what `from` saved is refused with these words, and `from` can go on.
fn refused(
    program: &Everywhere,
    from: &Machine,
    to: &Machine,
    arguments: &[&str],
    words: &[&str],
) -> Outcome {
    let directory = format!("{}-{}-{}", from.name, to.name, arguments.join("-"));
    let run = |machine| program.run(machine, &directory).arguments(arguments);
    let undisturbed = program
        .run(from, &format!("undisturbed-{directory}"))
        .arguments(arguments)
        .well();
    run(from).kill_at("published:2");
    let files = || {
        let checkpoints = program.checkpoints(&directory);
        checkpoints
            .generations()
            .into_iter()
            .map(|generation| std::fs::read(checkpoints.file(generation, 0)).expect("the file"))
            .collect::<Vec<_>>()
    };
    let before = files();
    let stopped = run(to).go();
    stopped.assert_stopped(75, words);
    assert_eq!(stopped.output, "", "nothing ran");
    assert_eq!(files(), before, "nothing was changed");
    let resumed = run(from).well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, undisturbed.output);
    stopped
}

#[test]
fn s23_a_value_that_does_not_fit_is_named_and_nothing_is_lost() {
    if !any_or_word() {
        return;
    }
    let program = Everywhere::new("tests/foreign/too_large.c", "too_large", &[]);
    let large = |from: &Machine, to: &Machine, case: &str, words: &[&str]| {
        refused(&program, from, to, &[case], words);
    };
    let narrow = ["i686", "armv7"].into_iter().filter_map(machine);
    let wide: Vec<&Machine> = ["x86-64", "s390x"]
        .into_iter()
        .filter_map(machine)
        .collect();
    for to in narrow {
        for from in &wide {
            large(
                from,
                to,
                "member",
                &[
                    "register `rows` of main",
                    "too_large.c:",
                    "[1].count: 1099511627776 does not fit into `long`, which has 4 bytes here",
                    "The checkpoint is unharmed",
                ],
            );
            large(
                from,
                to,
                "negative",
                &["register `counter` of main", "-1099511627776", "`long`"],
            );
            large(
                from,
                to,
                "size",
                &["register `length` of main", "5000000000", "4 bytes here"],
            );
        }
    }
    for (from, to) in [
        ("s390x", "x86-64"),
        ("s390x", "i686"),
        ("x86-64", "armv7"),
        ("i686", "armv7"),
    ] {
        if let (Some(from), Some(to)) = (machine(from), machine(to)) {
            large(
                from,
                to,
                "third",
                &["register `third` of main", "3.33333333", "`long double`"],
            );
        }
    }
}

#[test]
fn s15_s23_a_union_is_not_guessed_on_another_machine() {
    if !any_or_word() {
        return;
    }
    let program = Everywhere::new("tests/foreign/union.c", "union", &[]);
    for (from, to) in pairs() {
        let words = [
            "register `either` of main",
            "union either",
            "another kind of machine",
        ];
        // Among 32-bit machines the long counts, too.
        refused(&program, from, to, &[], &words[..1]).assert_said(&words[1..2]);
    }
}

#[test]
fn s03_a_result_for_another_machine_does_not_compile_and_says_why() {
    if !any_or_word() {
        return;
    }
    let place = Workplace::new("one-machine");
    let source = root().join("samples/heat-serial/main.c");
    for (from, to) in pairs() {
        let text = place.join(&format!("{}.c", from.name));
        from.precompile(&source, &text);
        let compile = |machine: &Machine| {
            let mut cc = Command::new(machine.compiler);
            cc.args(machine.flags()).arg("-fsyntax-only").arg("-I");
            cc.arg(root().join("cccp-runtime/include")).arg(&text);
            cc.output().expect("the compiler can be run")
        };
        assert!(compile(from).status.success(), "{}", from.name);
        let output = compile(to);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{} on {}", from.name, to.name);
        assert!(
            errors.contains("precompiled for another machine"),
            "{errors}"
        );
    }
}
