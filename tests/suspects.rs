//! Values of which only the run knows whether a restart gets them right: they are served as long as they are what their types
//! say, and stop the first checkpoint when they are not. What not even the run can tell is refused before it.

mod harness;

use std::process::Command;

use harness::{Build, Checkpoints, Compiler, Program, Workplace, tools_directory};

struct Values {
    place: Workplace,
    program: Program,
}

impl Values {
    fn built(name: &str) -> Values {
        let place = Workplace::quick(name);
        let build = Build::files(&["tests/suspects/values.c"]).tool_flags(&["--auto"]);
        let program = build.with(Compiler::Gcc, &["-O1"]).careless();
        let program = program.to(place.path(), "values");
        Values { place, program }
    }

    fn run(&self, odd: &str, settings: &[(&str, &str)]) -> harness::Run {
        let run = self
            .program
            .run(&self.place.directory(&format!("run-{odd}")));
        let run = run.arguments(&[odd]).set("CCCP_EVERY", "1");
        let run = run.set("CCCP_WRITE", "synchronous");
        let mut settings = settings.iter();
        settings
            .try_fold(run, |run, (name, value)| Some(run.set(name, value)))
            .expect("a run")
    }
}

#[test]
fn s36_numbers_that_may_hold_pointers_and_hold_none_are_served() {
    let values = Values::built("served");
    let expected = values.run("none", &[]).well();
    for point in ["checkpoint:2", "checkpoint:6"] {
        values.run("none", &[]).kill_at(point);
        let resumed = values.run("none", &[("CCCP_POISON", "on")]).well();
        resumed.assert_resumed();
        assert!(
            expected.output.ends_with(&resumed.output),
            "{}\n{}",
            expected.output,
            resumed.output
        );
    }
}

#[test]
fn s36_a_value_that_is_no_number_or_no_pointer_of_the_program_stops_the_first_checkpoint() {
    let values = Values::built("odd");
    for (odd, whose, what) in [
        (
            "member",
            "`.step`",
            "the address of something in this process",
        ),
        ("union", "`.as`", "the address of something in this process"),
        (
            "anonymous",
            "`.bits`",
            "the address of something in this process",
        ),
        (
            "local",
            "`local`",
            "the address of something in this process",
        ),
        ("table", "", "the address of something in this process"),
        ("library", ".name`", "no memory that the checkpoint holds"),
    ] {
        let outcome = values.run(odd, &[]).go();
        outcome.assert_stopped(
            75,
            &["no checkpoint can be taken", whose, what, "values.c:"],
        );
        let directory = values.place.join(&format!("run-{odd}"));
        assert_eq!(
            Checkpoints::of(&directory, "values").generations(),
            [0; 0],
            "{odd}"
        );
        // Who knows better may say so.
        let trusted = values.run(odd, &[("CCCP_SUSPECTS", "trust")]).go();
        assert!(trusted.status.success(), "{odd}: {}", trusted.errors);
    }
}

#[test]
fn s15_numbers_that_depend_on_addresses_are_refused_before_the_run() {
    let place = Workplace::quick("scrambled");
    for form in [
        "mix((place)one->cells)",
        "(place)one->cells % 4093",
        "XOR(one->cells, one)",
        "((place)one - (place)one->cells)",
    ] {
        let mut tool = Command::new(tools_directory().join("cccp-pp"));
        tool.args(["--auto", &format!("-DFORM={form}")]);
        tool.arg(harness::root().join("tests/suspects/scrambled.c"));
        let output = tool.current_dir(place.path()).output().expect("cccp-pp");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{form}\n{said}");
        assert!(
            said.contains("CCCP403")
                && said.contains("`key`")
                && said.contains("computed from an address"),
            "{form}\n{said}"
        );
    }
}

#[test]
fn s36_a_program_that_keeps_pointers_in_numbers_and_unions_stops_at_its_first_checkpoint() {
    let place = Workplace::quick("kept");
    let build = Build::files(&["tests/suspects/disguised.c"]).tool_flags(&["--auto"]);
    let program = build.with(Compiler::Clang, &["-O1"]).careless();
    let program = program.to(place.path(), "disguised");
    let run = program.run(&place.directory("run"));
    let outcome = run.set("CCCP_EVERY", "1").go();
    outcome.assert_stopped(75, &["the address of something in this process", ".c:"]);
}
