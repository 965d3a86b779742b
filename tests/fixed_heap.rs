//! The fixed heap (`init heap(fixed)`): memory whose types do not say where pointers are comes back at its old addresses, byte for
//! byte; what in it would mean nothing in another process, and every restart that would put it to other addresses, is refused.

mod harness;

use harness::{Build, Checkpoints, Compiler, Outcome, Program, Run, Workplace};

fn built(
    place: &Workplace,
    source: &str,
    name: &str,
    compiler: Compiler,
    flags: &[&str],
) -> Program {
    let build = Build::files(&[&format!("tests/fixed_heap/{source}.c")]);
    build
        .with(compiler, flags)
        .careless()
        .to(place.path(), name)
}

struct Holding {
    place: Workplace,
    program: Program,
}

impl Holding {
    fn built(name: &str) -> Holding {
        let place = Workplace::new(name);
        let program = built(&place, "holding", "holding", Compiler::Gcc, &["-no-pie"]);
        Holding { place, program }
    }

    fn run(&self, what: &str) -> Run {
        let run = self.program.run(&self.place.directory(what));
        run.arguments(&[what]).set("CCCP_WRITE", "synchronous")
    }

    fn killed(&self, what: &str) {
        self.run(what).kill_at("checkpoint:5");
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The compilers that are there, each with a level.
fn compilers() -> impl Iterator<Item = (Compiler, &'static str)> {
    let all = [(Compiler::Gcc, "-O2"), (Compiler::Clang, "-O0")];
    { all.into_iter() }.filter(|(compiler, _)| harness::have(compiler.command()))
}

fn refuses(outcome: &Outcome, words: &[&str]) {
    outcome.assert_stopped(75, words);
    assert_eq!(outcome.output, "");
}

#[test]
fn s08_s63_carved_hashed_and_disguised_memory_comes_back_at_its_old_addresses() {
    for (compiler, level) in compilers() {
        let place = Workplace::new(&format!("kinds-{}", compiler.command()));
        let plain = Build::files(&["tests/fixed_heap/kinds.c"]).with(Compiler::Gcc, &["-O1"]);
        let plain = plain.careless().plain().to(place.path(), "plain");
        let plain = plain
            .run(&place.directory("undisturbed"))
            .arguments(&["40", "word"])
            .well();
        let program = built(&place, "kinds", "kinds", compiler, &[level, "-no-pie"]);
        for points in [&[1][..], &[17, 9, 2], &[40]] {
            let directory = place.directory(&format!("killed-{points:?}"));
            let run = || {
                let run = program.run(&directory).arguments(&["40", "word"]);
                run.set("CCCP_WRITE", "synchronous")
                    .set("CCCP_POISON", "on")
            };
            for point in points {
                run().kill_at(&format!("checkpoint:{point}"));
            }
            assert_eq!(run().well().output, plain.output, "{points:?}");
        }
    }
}

#[test]
fn s56_s63_threads_that_stand_still_in_a_region_save_the_fixed_heap_in_parts() {
    let place = Workplace::new("regions");
    let flags = ["-O2", "-fopenmp", "-no-pie"];
    let build = Build::files(&["tests/fixed_heap/regions.c"]).with(Compiler::Gcc, &flags);
    let build = build.careless().tool_flags(&["--cpp-flag", "-fopenmp"]);
    let plain = build.clone().plain().to(place.path(), "plain");
    let plain = plain.run(&place.directory("undisturbed")).well();
    let program = build.to(place.path(), "regions");
    for points in [&[5][..], &[20, 9]] {
        let directory = place.directory(&format!("killed-{points:?}"));
        let run = || {
            program
                .run(&directory)
                .set("CCCP_EVERY", "1")
                .set("OMP_WAIT_POLICY", "passive")
        };
        for point in points {
            run().kill_at(&format!("checkpoint:{point}"));
        }
        let resumed = run().well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, plain.output, "{points:?}");
    }
}

#[test]
fn s16_s63_locks_of_the_c_library_in_a_fixed_heap_come_back_free_with_their_attributes() {
    let place = Workplace::new("locks");
    let build = Build::files(&["tests/fixed_heap/locks.c"]);
    let build = build.with(Compiler::Gcc, &["-O1", "-no-pie", "-pthread"]);
    let plain = build.clone().plain().to(place.path(), "plain");
    let words = ["--auto", "--every", "1", "--heap=fixed"];
    let program = build
        .careless()
        .tool_flags(&words)
        .to(place.path(), "locks");
    // A mutex of the usual type does not ask who gives it back.
    for how in ["plain", "kinds", "owned"] {
        let undisturbed = place.directory(&format!("{how}-undisturbed"));
        let plain = plain.run(&undisturbed).arguments(&[how]).well();
        let directory = place.directory(&format!("{how}-killed"));
        let run = || {
            let run = program.run(&directory).arguments(&[how]);
            run.set("CCCP_WRITE", "synchronous")
                .set("CCCP_POISON", "on")
        };
        for point in ["checkpoint:5", "checkpoint:3"] {
            run().kill_at(point);
        }
        let resumed = run().well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, plain.output, "{how}");
    }
    // A restart has other threads: who holds a recursive one would wait for itself.
    let run = program.run(&place.directory("held")).arguments(&["held"]);
    run.go().assert_stopped(
        75,
        &["`pthread_mutex_t`", "of the fixed heap is held by a thread"],
    );
}

#[test]
fn s15_s63_bytes_of_what_a_pool_hands_out_are_none_of_the_heads_before_it() {
    is_resumed("pool");
}

#[test]
fn s63_functions_of_the_programs_own_are_no_functions_of_c11_for_locks() {
    is_resumed("own_mutexes");
}

/// Killed at a checkpoint of auto mode and run again, with the static library, it ends like the plain program.
fn is_resumed(name: &str) {
    let place = Workplace::new(name);
    let build = Build::files(&[format!("tests/fixed_heap/{name}.c")]).careless();
    let build = build.with(Compiler::Gcc, &["-O1", "-no-pie"]);
    let plain = build.clone().plain().to(place.path(), "plain");
    let plain = plain.run(&place.directory("undisturbed")).well();
    let words = ["--auto", "--every", "1", "--heap=fixed"];
    let program = build.tool_flags(&words).statically();
    let program = program.to(place.path(), "served");
    let run = || program.run(place.path()).set("CCCP_WRITE", "synchronous");
    run().set("CCCP_POISON", "on").kill_at("checkpoint:9");
    let resumed = run().set("CCCP_POISON", "on").well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, plain.output);
}

#[test]
fn s16_s63_handles_of_mpi_in_a_fixed_heap_come_back_by_themselves() {
    if !harness::mpi_or_word() {
        return;
    }
    come_back("handles");
    // What a block hands to MPI is there, and not there twice.
    come_back("attached");
    // All of them are there from the beginning.
    come_back("world_alone");
}

fn come_back(name: &str) {
    let place = Workplace::new(&format!("{name}-in-heap"));
    let build = Build::files(&[format!("tests/fixed_heap/{name}.c")]).mpi(true);
    let build = build.with(Compiler::Gcc, &["-O1", "-no-pie"]).careless();
    let plain = build.clone().plain().to(place.path(), "plain");
    let plain = plain.run(&place.directory("undisturbed")).ranks(3).well();
    let words = ["--auto", "--every", "1"];
    let program = build.tool_flags(&words).to(place.path(), name);
    // Where the C library puts memory is its own matter; in a fixed heap it is the same in every run.
    let served = program.run(&place.directory("served")).ranks(3).well();
    let result = |output: &str| output.split(',').next().map(str::to_owned);
    assert_eq!(result(&served.output), result(&plain.output));
    for points in [&["published:4@0"][..], &["published:9@1", "published:3@2"]] {
        let directory = place.directory(&format!("killed-{}", points.len()));
        let run = || {
            let run = program.run(&directory).ranks(3);
            run.set("CCCP_WRITE", "synchronous")
                .set("CCCP_POISON", "on")
        };
        for point in points {
            run().kill_at(point);
        }
        let resumed = run().well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, served.output, "{points:?}");
    }
}

#[test]
fn s63_blocks_lie_where_they_lie_in_an_undisturbed_run() {
    let place = Workplace::new("places");
    let program = built(
        &place,
        "places",
        "places",
        Compiler::Gcc,
        &["-O1", "-no-pie"],
    );
    let undisturbed = program.run(&place.directory("undisturbed")).well();
    let directory = place.directory("killed");
    let run = || {
        let run = program.run(&directory).set("CCCP_WRITE", "synchronous");
        run.set("CCCP_POISON", "on")
    };
    for point in ["checkpoint:2", "checkpoint:4", "checkpoint:3"] {
        run().kill_at(point);
    }
    let resumed = run().well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, undisturbed.output);
}

#[test]
fn s63_variables_words_of_the_command_line_and_places_before_a_block_may_be_pointed_to() {
    let holding = Holding::built("may-hold");
    for what in ["none", "variable", "word", "itself", "standard"] {
        holding.killed(what);
        let resumed = holding.run(what).well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, "28 3\n", "{what}");
    }
}

#[test]
fn s36_s63_an_address_that_another_process_does_not_have_stops_the_first_checkpoint() {
    let holding = Holding::built("may-not-hold");
    for (what, whose) in [
        ("stack", "a local variable that no register brings back"),
        ("library", "libc.so"),
    ] {
        let said = [
            "of the fixed heap holds",
            "at byte 8",
            whose,
            "suspects = trust",
        ];
        refuses(&holding.run(what).go(), &said);
        let trusted = holding.run(what).set("CCCP_SUSPECTS", "trust").well();
        assert_eq!(trusted.output, "28 3\n");
    }
}

#[test]
fn s36_s63_bytes_that_look_like_an_address_by_chance_stop_no_checkpoint() {
    for (compiler, level) in compilers() {
        let place = Workplace::new(&format!("bytes-{}", compiler.command()));
        let program = built(&place, "bytes", "program", compiler, &[level, "-no-pie"]);
        let run = |directory: &std::path::Path, what: &str, chance: &str| {
            let run = program.run(directory).arguments(&[what, chance]);
            run.set("CCCP_WRITE", "synchronous")
        };
        let told = run(&place.directory("where"), "where", "").well().output;
        let chance = told.trim();
        // What was said of blocks is known after a restart, too.
        let directory = place.directory("bytes");
        run(&directory, "bytes", chance).kill_at("checkpoint:3");
        run(&directory, "bytes", chance).kill_at("checkpoint:3");
        let resumed = run(&directory, "bytes", chance).well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, "0 3\n");
        // A copy of what points there, a block that has got another length, and one in the place of bytes.
        for what in ["copied", "longer", "again"] {
            let said = ["of the fixed heap holds", "a local variable"];
            refuses(&run(&place.directory(what), what, chance).go(), &said);
        }
    }
}

#[test]
fn s63_words_of_the_library_and_another_path_of_the_program_change_no_address() {
    let holding = Holding::built("other-words");
    holding.killed("word");
    let directory = holding.place.directory("word");
    let copy = directory.join("holding");
    std::fs::copy(holding.place.join("holding"), &copy).expect("a copy");
    let mut command = std::process::Command::new("./holding");
    harness::without_settings(&mut command);
    command
        .current_dir(&directory)
        .args(["--cccp-verbose=1", "word"]);
    let resumed = harness::finish(&mut command);
    let (output, told) = (text(&resumed.stdout), text(&resumed.stderr));
    assert!(told.contains("restart of holding"), "{told}");
    assert_eq!(output, "28 3\n");
}

#[test]
fn s63_a_program_that_lies_elsewhere_each_time_says_so_at_its_start() {
    let place = Workplace::new("pie");
    let program = built(
        &place,
        "holding",
        "holding",
        Compiler::Gcc,
        &["-pie", "-fPIE"],
    );
    let outcome = program.run(&place.directory("run")).go();
    refuses(
        &outcome,
        &["loaded at other addresses each time", "-no-pie"],
    );
}

#[test]
fn s63_another_build_or_other_blocks_before_init_cannot_restart() {
    let holding = Holding::built("builds");
    holding.killed("none");
    let said = [
        "what the program allocates before init is not what it allocated",
        "3 blocks instead of 0",
    ];
    refuses(&holding.run("none").set("BLOCKS", "3").go(), &said);

    let elsewhere = holding.place.directory("elsewhere");
    let other = Build::files(&["tests/fixed_heap/holding.c"]);
    let other = other.with(Compiler::Gcc, &["-O2", "-no-pie"]).careless();
    let other = other.to(&elsewhere, "holding");
    let files = Checkpoints::of(&holding.place.directory("none"), "holding");
    files.copy_to(&Checkpoints::of(&elsewhere, "holding"));
    let run = other.run(&elsewhere).arguments(&["none"]);
    let said = ["this is another build of the program", "restart=fresh"];
    refuses(&run.go(), &said);

    let resumed = holding.run("none").well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, "28 3\n");
}

/// Auto mode serves a program with a fixed heap; killed at two checkpoints, it ends like the plain one.
fn comes_back_by_itself(source: &str) {
    let place = Workplace::new(&format!("auto-{source}"));
    let build = Build::files(&[format!("tests/fixed_heap/{source}.c")])
        .with(Compiler::Gcc, &["-O2", "-no-pie"])
        .careless();
    let plain = build.clone().plain().to(place.path(), "plain");
    let plain = plain.run(&place.directory("undisturbed")).well();
    let automatic = build.tool_flags(&["--auto", "--every", "1"]);
    let program = automatic.to(place.path(), "automatic");
    let directory = place.directory("killed");
    for point in ["checkpoint:3", "checkpoint:6"] {
        program
            .run(&directory)
            .set("CCCP_WRITE", "synchronous")
            .kill_at(point);
    }
    let resumed = program.run(&directory).set("CCCP_POISON", "on").well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, plain.output, "{source}");
}

#[test]
fn s08_s63_a_text_that_is_lent_to_the_environment_is_that_text_again() {
    comes_back_by_itself("lent_variable");
}

#[test]
fn s08_s63_pages_that_are_aligned_by_unmapping_what_is_too_much_come_back() {
    comes_back_by_itself("pages");
}

#[test]
fn s08_s63_pointers_into_files_that_are_mapped_lead_there_again() {
    comes_back_by_itself("mapped_files");
}

#[test]
fn s08_s15_s63_texts_and_streams_that_a_pool_of_the_program_hands_out_come_back() {
    comes_back_by_itself("letters_of_a_pool");
}

#[test]
fn s08_s15_hashes_of_texts_are_numbers_though_a_list_holds_structs_in_the_same_pointers() {
    comes_back_by_itself("texts_in_lists");
}

#[test]
fn s08_s63_what_a_table_of_the_library_says_of_a_character_is_no_pointer() {
    comes_back_by_itself("small_letters");
}

#[test]
fn s08_s63_locals_of_handlers_are_over_at_checkpoints_and_make_no_number_an_address() {
    comes_back_by_itself("handlers");
}

#[test]
fn s08_s63_a_table_with_streams_beside_other_pointers_is_registered_as_it_is() {
    comes_back_by_itself("reports");
}

#[test]
fn s08_s63_auto_mode_takes_a_fixed_heap_where_types_do_not_say_where_pointers_are() {
    for source in ["carved", "parts"] {
        comes_back_by_itself(source);
        let file = format!("tests/fixed_heap/{source}.c");
        let mut tool = std::process::Command::new(harness::precompiler());
        let told = tool.arg("--auto").arg(harness::root().join(&file)).output();
        let told = text(&told.expect("the precompiler runs").stderr);
        let words = [
            "warning[CCCP407]",
            "a fixed heap",
            "-no-pie",
            "by its types",
            "--heap=typed",
        ];
        for words in words {
            assert!(told.contains(words), "{words} in\n{told}");
        }
    }
}

#[test]
fn s08_s63_a_block_may_point_to_locals_of_functions_that_are_active() {
    for (compiler, level) in compilers() {
        let place = Workplace::new(&format!("lent-{}", compiler.command()));
        let build = Build::files(&["tests/fixed_heap/lent.c"])
            .with(compiler, &[level, "-no-pie"])
            .careless();
        let plain = build.clone().plain().to(place.path(), "plain");
        let plain = plain.run(&place.directory("undisturbed")).well();
        let automatic = build.tool_flags(&["--auto", "--every", "1"]);
        let program = automatic.to(place.path(), "automatic");
        let directory = place.directory("killed");
        for point in ["checkpoint:2", "checkpoint:3", "checkpoint:1"] {
            // What the environment holds moves the stack that the kernel gives.
            let run = program.run(&directory).set("CCCP_WRITE", "synchronous");
            run.set("LONGER", &point.repeat(100)).kill_at(point);
        }
        let resumed = program.run(&directory).set("CCCP_POISON", "on").well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, plain.output, "{}", compiler.command());
    }
}

#[test]
fn s36_s63_a_local_that_has_another_place_on_the_stack_stops_the_restart() {
    let place = Workplace::new("moved");
    let program = built(&place, "moved", "moved", Compiler::Gcc, &["-no-pie"]);
    let directory = place.directory("run");
    let run = |room| {
        let run = program.run(&directory).set("CCCP_WRITE", "synchronous");
        run.set("ROOM", room)
    };
    run("100").kill_at("checkpoint:3");
    let said = [
        "`sum` has another place on the stack",
        "alloca",
        "--cccp-restart=fresh",
    ];
    refuses(&run("5000").go(), &said);
    let resumed = run("100").well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, "28\n");
}

#[test]
fn s08_s63_pointers_before_their_blocks_come_back_and_no_loop_goes_without_a_checkpoint_because_of_them()
 {
    let place = Workplace::new("ahead");
    let file = "tests/fixed_heap/ahead.c";
    let build = Build::files(&[file]).with(Compiler::Gcc, &["-O2", "-no-pie"]);
    let build = build.careless();
    let plain = build.clone().plain().to(place.path(), "plain");
    let plain = plain.run(&place.directory("undisturbed")).well();
    let automatic = build.tool_flags(&["--auto", "--every", "1"]);
    let program = automatic.to(place.path(), "automatic");
    let directory = place.directory("killed");
    let run = || {
        let run = program.run(&directory);
        run.set("CCCP_WRITE", "synchronous")
            .set("CCCP_POISON", "on")
    };
    for point in [3, 20, 30, 40] {
        run().kill_at(&format!("checkpoint:{point}"));
    }
    let resumed = run().well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, plain.output);

    let told = |words: &[&str]| {
        let mut tool = std::process::Command::new(harness::precompiler());
        let tool = tool
            .arg("--auto")
            .args(words)
            .arg(harness::root().join(file));
        text(&tool.output().expect("the precompiler runs").stderr)
    };
    let left_out = "no checkpoint is taken in this loop";
    assert!(told(&["--heap=typed"]).contains(left_out));
    let told = told(&[]);
    assert!(
        told.contains("warning[CCCP407]") && !told.contains(left_out),
        "{told}"
    );
}

#[test]
fn s08_s63_cccp_cc_links_a_program_with_a_fixed_heap_for_one_place() {
    let place = Workplace::new("fixed-cc");
    let source = harness::root().join("tests/fixed_heap/carved.c");
    let build = |words: &[&str], output: &str| {
        let mut command = std::process::Command::new(harness::tools_directory().join("cccp-cc"));
        command.env("XDG_CACHE_HOME", place.join("cache"));
        command
            .args(["gcc", "-O1", "-pie", "-fPIE"])
            .args(words)
            .arg(&source);
        harness::finish(command.arg("-o").arg(place.join(output)))
    };
    let built = build(&["--cccp-auto"], "carved");
    assert!(built.status.success(), "{}", text(&built.stderr));
    build(&[], "plain");
    let plain = harness::finish(&mut std::process::Command::new(place.join("plain")));
    let run = |kill: Option<&str>| {
        let mut command = std::process::Command::new(place.join("carved"));
        harness::without_settings(&mut command);
        command
            .current_dir(place.path())
            .env("CCCP_EVERY", "1")
            .env("CCCP_WRITE", "synchronous");
        command.envs(kill.map(|point| ("CCCP_KILL_AT", point)));
        command.output().expect("the program starts")
    };
    assert!(!run(Some("checkpoint:7")).status.success());
    let resumed = run(None);
    assert!(text(&resumed.stderr).contains("restart of carved"));
    assert_eq!(resumed.stdout, plain.stdout);
}

#[test]
fn s02_s63_items_that_bring_memory_are_refused_in_a_program_with_a_fixed_heap() {
    let place = Workplace::new("items");
    for (item, is_refused) in [
        ("p[n]", true),
        ("p[]", true),
        ("follow(p)", true),
        ("p", false),
    ] {
        let source = format!(
            "#include <stdlib.h>\nint main(void)\n{{\n    int n = 9, step;\n    double *p;\n#pragma cccp init heap(fixed)\n    \
             p = malloc(n * sizeof *p);\n    for (step = 0; step < 9; step++) {{\n#pragma cccp register(step, n, {item})\n\
             #pragma cccp checkpoint\n        p[step] = step;\n    }}\n    return p[3] == 3 ? 0 : 1;\n}}\n"
        );
        let mut tool = std::process::Command::new(harness::precompiler());
        let output = tool
            .arg(place.write("item.c", &source))
            .output()
            .expect("the precompiler runs");
        let said = text(&output.stderr);
        assert_eq!(output.status.success(), !is_refused, "{item}: {said}");
        if is_refused {
            for words in [
                "CCCP201",
                "item.c:9:",
                "with which all allocated memory comes back",
                "`p`",
            ] {
                assert!(said.contains(words), "{words} in\n{said}");
            }
        } else {
            assert_eq!(said, "");
        }
    }
}

#[test]
fn s16_s63_streams_are_open_again_whatever_memory_points_to_them() {
    let place = Workplace::new("streams");
    let build = Build::files(&["tests/fixed_heap/streams.c"]);
    let build = build.with(Compiler::Gcc, &["-O2", "-no-pie"]).careless();
    let undisturbed = place.directory("undisturbed");
    let plain = build
        .clone()
        .plain()
        .to(place.path(), "plain")
        .run(&undisturbed)
        .well();
    let program = build
        .tool_flags(&["--auto", "--every", "1"])
        .to(place.path(), "streams");
    let directory = place.directory("killed");
    for point in ["checkpoint:2", "checkpoint:5", "checkpoint:9"] {
        let run = program.run(&directory).set("CCCP_POISON", "on");
        run.set("CCCP_WRITE", "synchronous").kill_at(point);
    }
    let resumed = program.run(&directory).set("CCCP_POISON", "on").well();
    resumed.assert_resumed();
    assert!(
        plain.output.ends_with(&resumed.output),
        "{}",
        resumed.output
    );
    for name in ["log.txt", "extra.txt"] {
        let read =
            |directory: &std::path::Path| std::fs::read(directory.join(name)).expect("a file");
        assert_eq!(read(&directory), read(&undisturbed), "{name}");
    }
}

#[test]
fn s63_a_file_of_mpi_in_a_fixed_heap_is_named_and_not_the_call_that_allocates_and_a_variable_is_the_cure()
 {
    if !harness::mpi_or_word() {
        return;
    }
    let place = Workplace::new("file-of-mpi");
    let said = |more: &[&str]| {
        let mut tool = std::process::Command::new(harness::precompiler());
        tool.args(["--auto", "--heap=fixed", "--mpi", "--cc", "mpicc"]);
        tool.args(more)
            .args(["tests/fixed_heap/file_of_mpi.c", "-d"]);
        let output = tool.arg(place.path()).output();
        let output = output.expect("the precompiler runs");
        (output.status.success(), text(&output.stderr))
    };
    let (is_served, told) = said(&[]);
    assert!(!is_served, "{told}");
    for words in [
        "auto mode cannot restore `log->file`",
        "it is a handle of a library (`MPI_File`) in memory that is saved as it is",
        "keep it in a variable of the program",
    ] {
        assert!(told.contains(words), "{words} in\n{told}");
    }
    assert!(!told.contains("allocate it with `malloc`"), "{told}");
    let (is_served, told) = said(&["-DFILE_APART"]);
    assert!(is_served, "{told}");
}

#[test]
fn s63_auto_mode_names_memory_that_is_no_part_of_a_fixed_heap() {
    let place = Workplace::new("mapped-to-write");
    let mut tool = std::process::Command::new(harness::precompiler());
    tool.args(["--auto", "tests/fixed_heap/mapped_to_write.c", "-d"]);
    let output = tool.arg(place.path()).output();
    let output = output.expect("the precompiler runs");
    let said = text(&output.stderr);
    assert!(!output.status.success(), "{said}");
    for words in [
        "auto mode cannot restore `options.file->mapped[…]`",
        "it lies in memory that is no part of the fixed heap, made in line 23",
        "allocate it with `malloc`",
    ] {
        assert!(said.contains(words), "{words} in\n{said}");
    }
}
