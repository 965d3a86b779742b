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
        Values::of(name, "values")
    }

    fn of(name: &str, source: &str) -> Values {
        Values::with(name, source, "--heap=typed", &["-O1"])
    }

    fn with(name: &str, source: &str, heap: &str, flags: &[&str]) -> Values {
        let place = Workplace::new(name);
        let build = Build::files(&[&format!("tests/suspects/{source}.c")]);
        let build = build.tool_flags(&["--auto", heap]);
        let program = build.with(Compiler::Gcc, flags).careless();
        let program = program.to(place.path(), source);
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
fn s36_what_was_never_set_stops_no_checkpoint() {
    // In blocks of the heap, and in locals.
    for (source, points) in [("grown", [2, 6, 11]), ("unset", [2, 9, 21])] {
        let values = Values::of(source, source);
        let expected = values.run("none", &[]).well();
        for point in points {
            values
                .run("none", &[])
                .kill_at(&format!("checkpoint:{point}"));
            let resumed = values.run("none", &[("CCCP_POISON", "on")]).well();
            resumed.assert_resumed();
            assert!(
                expected.output.ends_with(&resumed.output),
                "{source} {point}"
            );
        }
        // A pointer that is set to memory of the library does.
        let outcome = values.run("library", &[]).go();
        let said = "which is no memory that the checkpoint holds";
        assert!(
            outcome.errors.contains(said),
            "{source}: {}",
            outcome.errors
        );
    }
}

#[test]
fn s36_s63_a_pointer_to_what_was_freed_in_a_fixed_heap_stops_no_checkpoint() {
    let values = Values::with("freed", "freed", "--heap=fixed", &["-O1", "-no-pie"]);
    let expected = values.run("none", &[]).well();
    for point in ["checkpoint:3", "checkpoint:10", "checkpoint:2"] {
        values.run("none", &[]).kill_at(point);
    }
    let resumed = values.run("none", &[]).well();
    resumed.assert_resumed();
    assert!(expected.output.ends_with(&resumed.output));
    // Memory of the library does.
    let outcome = values.run("library", &[]).go();
    let said = "which is no memory that the checkpoint holds";
    assert!(outcome.errors.contains(said), "{}", outcome.errors);
}

/// It runs on, and comes back, though pointers in it lead to no memory that is saved; a pointer to memory of the library does stop it.
fn stops_for_the_library_only(name: &'static str) {
    let values = Values::of(name, name);
    let expected = values.run("none", &[]).well();
    let said = "which is no memory that the checkpoint holds";
    assert!(!expected.errors.contains(said), "{}", expected.errors);
    for point in ["checkpoint:30", "checkpoint:5", "checkpoint:9"] {
        values.run("none", &[]).kill_at(point);
    }
    let resumed = values.run("none", &[("CCCP_POISON", "on")]).well();
    resumed.assert_resumed();
    assert_eq!(expected.output, resumed.output);
    let outcome = values.run("library", &[]).go();
    assert!(outcome.errors.contains(said), "{}", outcome.errors);
}

#[test]
fn s36_a_pointer_to_what_the_system_has_back_stops_no_checkpoint() {
    stops_for_the_library_only("outlived");
}

#[test]
fn s36_pointers_in_memory_that_may_be_of_a_library_say_nothing_of_a_variable_beside_them() {
    stops_for_the_library_only("beside");
}

/// Where the header of the library of `kinds.c` is, as one of the system.
fn system() -> [String; 2] {
    let place = harness::root().join("tests/suspects/system");
    ["-isystem".to_string(), place.display().to_string()]
}

/// Builds the library of `kinds.c`, which makes pointers to its constants known, and a function that it has.
fn library_of_kinds(place: &Workplace, flags: &[&str]) {
    let library = place.join("libkinds.so");
    let mut gcc = Command::new("gcc");
    gcc.args(["-O1", "-fPIC", "-shared"])
        .args(system())
        .args(flags);
    gcc.arg(harness::root().join("tests/suspects/kinds_library.c"));
    let built = gcc.arg("-o").arg(library).status().expect("gcc runs");
    assert!(built.success());
}

fn with_library_of_kinds(name: &str, heap: &str, flags: &[&str]) -> Values {
    let place = Workplace::new(name);
    library_of_kinds(&place, &[]);
    let folder = place.path().display();
    let found = [format!("-L{folder}"), format!("-Wl,-rpath,{folder}")];
    let system = system();
    let system = system.iter().map(String::as_str);
    let found = found
        .iter()
        .map(String::as_str)
        .chain(["-Wl,--no-as-needed", "-lkinds"]);
    let flags: Vec<&str> = flags.iter().copied().chain(system).collect();
    let compiled: Vec<&str> = flags.iter().copied().chain(found).collect();
    let catalogue = harness::root().join("tests/suspects/kinds.txt");
    let catalogue = catalogue.to_string_lossy();
    let read = ["--auto", heap, "--catalog", &catalogue];
    let read: Vec<&str> = read.iter().chain(&flags).copied().collect();
    let build = Build::files(&["tests/suspects/kinds.c"]).tool_flags(&read);
    let program = build.with(Compiler::Gcc, &compiled).careless();
    let program = program.to(place.path(), "kinds");
    Values { place, program }
}

#[test]
fn s13_s36_pointers_to_constants_and_functions_of_shared_libraries_come_back() {
    let flags: [(&str, &[&str], &str); 2] = [
        ("--heap=typed", &["-O1"], "warning"),
        (
            "--heap=fixed",
            &["-O1", "-no-pie", "-DNAMED"],
            "use the library of the run that wrote it",
        ),
    ];
    for (heap, flags, said) in flags {
        let values = with_library_of_kinds(&format!("kinds{heap}"), heap, flags);
        let expected = values.run("none", &[]).well();
        for point in ["checkpoint:3", "checkpoint:10", "checkpoint:2"] {
            values.run("none", &[]).kill_at(point);
        }
        let resumed = values.run("none", &[("CCCP_POISON", "on")]).well();
        resumed.assert_resumed();
        assert_eq!(expected.output, resumed.output, "{heap}");
        // What the library writes is none of its constants.
        let outcome = values.run("library", &[]).go();
        assert_eq!(outcome.code(), Some(75), "{heap}: {}", outcome.errors);
        let refused = "no checkpoint can be taken";
        assert!(
            outcome.errors.contains(refused),
            "{heap}: {}",
            outcome.errors
        );
        // Another build of the library has other constants there.
        values.run("none", &[]).kill_at("checkpoint:4");
        library_of_kinds(&values.place, &["-DKINDS=5"]);
        let outcome = values.run("none", &[]).go();
        let other_build = "of a shared library that is not loaded now, or is another build";
        let other_library = "libkinds.so, which is not loaded now, or is another build";
        let is_told = [other_build, other_library].map(|one| outcome.errors.contains(one));
        assert!(is_told.contains(&true), "{heap}: {}", outcome.errors);
        assert!(outcome.errors.contains(said), "{heap}: {}", outcome.errors);
        assert!(!outcome.status.success(), "{heap}: {}", outcome.output);
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
        (
            "packed",
            "`packed",
            "the address of something in this process",
        ),
        (
            "halves",
            "`halves",
            "the address of something in this process",
        ),
        (
            "message",
            "`.bytes`",
            "the address of something in this process",
        ),
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
    let place = Workplace::new("scrambled");
    for form in [
        "mix((place)one->cells)",
        "(place)one->cells % 4093",
        "XOR(one->cells, one)",
        "((place)one - (place)one->cells)",
    ] {
        let mut tool = Command::new(tools_directory().join("cccp-pp"));
        tool.args(["--auto", "--heap=typed", &format!("-DFORM={form}")]);
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
fn s15_what_depends_on_addresses_is_refused_whatever_its_length_and_the_way_it_is_read() {
    let place = Workplace::new("hashed");
    let with_heap = |heap: &str, form: &str| {
        let mut tool = Command::new(tools_directory().join("cccp-pp"));
        tool.args(["--auto", heap, &format!("-D{form}")]);
        tool.arg(harness::root().join("tests/suspects/hashed.c"));
        tool.current_dir(place.path()).output().expect("cccp-pp")
    };
    let said = |form: &str| with_heap("--heap=typed", form);
    for (form, what, why) in [
        ("SHORT", "`key`", "may hold a number that is computed from"),
        ("PUNNED", "`key`", "may hold a number that is computed from"),
        ("INSIDE", "`key`", "may hold a number that is computed from"),
        ("BEHIND", "`key`", "may hold a number that is computed from"),
        ("COPIED", "`key`", "may hold a number that is computed from"),
        ("HALVES", "`key`", "may hold a number that is computed from"),
        ("BYTES", "`key`", "may hold a number that is computed from"),
        ("WHOLE", "`key`", "may hold a number that is computed from"),
        ("WORDS", "`key`", "may hold a number that is computed from"),
        ("KEPT", "`key`", "may hold a number that is computed from"),
        ("UNITED", "`key`", "may hold a number that is computed from"),
        ("STREAM", "`key`", "may hold a number that is computed from"),
        (
            "FUNCTION",
            "`key`",
            "may hold a number that is computed from",
        ),
        (
            "ITEMS",
            "a number in memory of the program",
            "may hold a number that is computed from",
        ),
        (
            "FLOATING",
            "`floating",
            "may hold a number that is computed",
        ),
        ("ARRANGED", "`table[…]`", "chooses what is stored where"),
        ("SLOT", "`table[…]`", "chooses what is stored where"),
    ] {
        let output = said(form);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{form}\n{errors}");
        assert!(
            errors.contains("CCCP403") && errors.contains(what) && errors.contains(why),
            "{form}\n{errors}"
        );
    }
    // With a fixed heap the program's own memory has the same addresses again; what belongs to the C library has not.
    for (form, status) in [("WHOLE", 0), ("FUNCTION", 0), ("STREAM", 1)] {
        let output = with_heap("--heap=fixed", form);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{form}\n{errors}");
    }
    // What tells the alignment only, the library keeps.
    let output = said("ALIGNED");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
}

#[test]
fn s15_a_hash_of_an_address_is_missed_by_hand_and_may_be_computed_again() {
    let place = Workplace::new("hash-by-hand");
    let build = Build::files(&["tests/suspects/by_hand.c"]);
    let mut tool = Command::new(tools_directory().join("cccp-pp"));
    tool.args(["--deny", "incomplete"]);
    tool.arg(harness::root().join("tests/suspects/by_hand.c"));
    let output = tool.current_dir(place.path()).output().expect("cccp-pp");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("CCCP302") && errors.contains("`key` depends on where memory lies"),
        "{errors}"
    );

    let cured = build.tool_flags(&["--deny", "incomplete", "-DCURED"]);
    let program = cured.with(Compiler::Gcc, &["-O1", "-DCURED"]);
    let program = program.to(place.path(), "cured");
    let expected = program.run(&place.directory("whole")).well();
    let run = || program.run(&place.directory("run"));
    run().kill_at("checkpoint:5");
    let resumed = run().well();
    resumed.assert_resumed();
    assert_eq!(expected.output, resumed.output);
}

#[test]
fn s36_a_pointer_before_its_memory_where_other_memory_ends_stops_the_first_checkpoint() {
    let moved = Values::of("before", "before");
    let expected = moved.run("none", &[]).well();
    moved.run("none", &[]).kill_at("checkpoint:5");
    let resumed = moved.run("none", &[]).well();
    resumed.assert_resumed();
    assert!(expected.output.ends_with(&resumed.output));
    for (odd, whose) in [
        ("member", ".at`"),
        ("local", "`one`"),
        ("static", "`shared`"),
    ] {
        let outcome = moved.run(odd, &[]).go();
        outcome.assert_stopped(
            75,
            &[
                "no checkpoint can be taken",
                whose,
                "where one block of memory ends and shortly before another one begins",
            ],
        );
    }
}

#[test]
fn s36_a_program_that_keeps_pointers_in_numbers_and_unions_stops_at_its_first_checkpoint() {
    let place = Workplace::new("kept");
    let build =
        Build::files(&["tests/suspects/disguised.c"]).tool_flags(&["--auto", "--heap=typed"]);
    let program = build.with(Compiler::Clang, &["-O1"]).careless();
    let program = program.to(place.path(), "disguised");
    let run = program.run(&place.directory("run"));
    let outcome = run.set("CCCP_EVERY", "1").go();
    outcome.assert_stopped(75, &["the address of something in this process", ".c:"]);
}

#[test]
fn s36_numbers_that_were_made_pointers_are_served_while_they_are_small_and_stop_the_first_checkpoint()
 {
    let numbers = Values::of("numbers", "numbers");
    let expected = numbers.run("none", &[]).well();
    for point in ["checkpoint:2", "checkpoint:9"] {
        numbers.run("none", &[]).kill_at(point);
        let resumed = numbers.run("none", &[("CCCP_POISON", "on")]).well();
        resumed.assert_resumed();
        assert!(expected.output.ends_with(&resumed.output));
    }
    for (odd, whose) in [
        ("local", "`local`"),
        ("member", ".owner`"),
        ("typedef", "`tagged`"),
        ("returned", "`given`"),
        ("address", "`inside`"),
        ("null", "`stepped`"),
        ("table", "`table"),
    ] {
        let outcome = numbers.run(odd, &[]).go();
        let what = "no memory that the checkpoint holds";
        outcome.assert_stopped(
            75,
            &["no checkpoint can be taken", whose, what, "numbers.c:"],
        );
    }
}

#[test]
fn s36_a_union_with_the_address_of_a_text_a_function_or_of_a_library_stops_the_first_checkpoint() {
    let unions = Values::of("unions", "unions");
    let expected = unions.run("none", &[]).well();
    unions.run("none", &[]).kill_at("checkpoint:7");
    let resumed = unions.run("none", &[("CCCP_POISON", "on")]).well();
    resumed.assert_resumed();
    assert!(expected.output.ends_with(&resumed.output));
    for (odd, whose) in [
        ("text", "`one`"),
        ("function", ".as`"),
        ("environment", "`places"),
    ] {
        let outcome = unions.run(odd, &[]).go();
        let what = "the address of something in this process";
        outcome.assert_stopped(
            75,
            &["no checkpoint can be taken", whose, what, "unions.c:"],
        );
    }
}

#[test]
fn s36_a_handle_that_only_some_runs_make_stops_their_first_checkpoint() {
    let values = Values::of("handles", "handles");
    let expected = values.run("none", &[]).well();
    values.run("none", &[]).kill_at("checkpoint:4");
    let resumed = values.run("none", &[("CCCP_POISON", "on")]).well();
    resumed.assert_resumed();
    assert!(expected.output.ends_with(&resumed.output));
    for (odd, named) in [
        ("variable", "register `names` of main"),
        ("member", "its `.entries` is a `DIR *`"),
    ] {
        let outcome = values.run(odd, &[]).go();
        let words = [
            "no checkpoint can be taken",
            named,
            "is gone after a restart",
        ];
        outcome.assert_stopped(75, &words);
    }
}

#[test]
fn s36_pointers_that_may_lead_to_the_environment_are_served_while_they_lead_to_the_program() {
    let values = Values::with(
        "environment",
        "environment",
        "--heap=fixed",
        &["-O1", "-no-pie"],
    );
    let expected = values.run("none", &[]).well();
    for point in ["checkpoint:2", "checkpoint:60", "checkpoint:299"] {
        values.run("none", &[]).kill_at(point);
        let resumed = values.run("none", &[("CCCP_POISON", "on")]).well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, expected.output, "{point}");
    }
    // What the environment has given lies elsewhere in a restart.
    let set = values.run("set", &[("OPTION_A", "5")]).go();
    set.assert_stopped(75, &["no checkpoint can be taken"]);
}
