//! Checkpoints in parallel regions of OpenMP (S50, S51, S52, S53, S54, S55, S56, S57, S58, S59, S60, S62; design of regions).
//!
//! `parallel/auto` holds programs without directives, `parallel/by_hand` programs with them. Each is killed at checkpoints inside of
//! its region, started again with the same number of threads and with another, and has to end like the plain program.

#[path = "parallel/constructs.rs"]
mod constructs;
#[path = "parallel/going_on.rs"]
mod going_on;
mod harness;
#[path = "parallel/locks.rs"]
mod locks;
#[path = "parallel/nested.rs"]
mod nested;
#[path = "parallel/tasks.rs"]
mod tasks;

use std::path::Path;
use std::process::Command;

use harness::{Build, Compiler, Program, Workplace, has_libomp, precompiler, root};

/// Builds a program, and the plain one.
fn built(
    place: &Path,
    file: &str,
    compiler: Compiler,
    level: &str,
    flags: &[&str],
) -> [Program; 2] {
    let mut source = root().join("tests/parallel").join(file);
    if file.starts_with("by_hand") && flags.contains(&"--auto") {
        let text = std::fs::read_to_string(&source).expect("the program");
        source = place.join("unmarked.c");
        std::fs::write(&source, unmarked(&text)).expect("the same without its marks");
    }
    let mut build = Build::files(&[&source]).with(compiler, &[level, "-fopenmp", "-lm"]);
    if [
        "by_hand/out_of_step.c",
        "auto/locks_in_fixed_heap.c",
        "by_hand/holds_in_fixed_heap.c",
    ]
    .contains(&file)
    {
        build = build.careless();
    }
    if file.ends_with("in_fixed_heap.c") {
        build = build.with(compiler, &[level, "-fopenmp", "-no-pie"]);
    }
    let flags: Vec<&str> = flags
        .iter()
        .copied()
        .chain(["--cpp-flag", "-fopenmp"])
        .collect();
    [
        build.clone().tool_flags(&flags).to(place, "served"),
        build.plain().to(place, "plain"),
    ]
}

/// A program without its marks.
fn unmarked(text: &str) -> String {
    let is_own = |line: &&str| !line.trim_start().starts_with("#pragma cccp");
    let lines: Vec<&str> = text.lines().filter(is_own).collect();
    lines.join("\n") + "\n"
}

/// Killed at each of these checkpoints, a run with so many threads goes on with `again` threads as if nothing had been.
fn survives(file: &str, compiler: Compiler, level: &str, flags: &[&str], threads: &[(&str, &str)]) {
    survives_with(file, compiler, level, flags, threads, "blocking");
}

/// The same with a protocol (S59, S60).
fn survives_with(
    file: &str,
    compiler: Compiler,
    level: &str,
    flags: &[&str],
    threads: &[(&str, &str)],
    protocol: &str,
) {
    let place = Workplace::new(file);
    let [program, plain] = built(place.path(), file, compiler, level, flags);
    for &(first, again) in threads {
        let run = |program: &Program, name: &str, threads: &str| {
            let directory = place.directory(&format!("{name}-{first}-{again}"));
            let run = program.run(&directory).set("OMP_NUM_THREADS", threads);
            // More threads than cores: who waits leaves them to others.
            run.set("OMP_WAIT_POLICY", "passive")
                .set("CCCP_PROTOCOL", protocol)
        };
        let expected = run(&plain, "plain", first).well().output;
        let undisturbed = run(&program, "undisturbed", first)
            .set("CCCP_EVERY", "1")
            .well();
        assert_eq!(undisturbed.output, expected, "{}", undisturbed.errors);
        for number in [3, 4, 17] {
            let name = format!("killed-{number}");
            let killed = run(&program, &name, first).set("CCCP_EVERY", "1");
            killed.kill_at(&format!("checkpoint:{number}"));
            let resumed = run(&program, &name, again).well();
            resumed.assert_resumed();
            assert_eq!(resumed.output, expected, "{file}: {}", resumed.errors);
        }
        // A restart is a run like any other: it is killed in its turn.
        run(&program, "twice", first)
            .set("CCCP_EVERY", "1")
            .kill_at("checkpoint:5");
        run(&program, "twice", again)
            .set("CCCP_EVERY", "1")
            .kill_at("checkpoint:6");
        let resumed = run(&program, "twice", again).well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, expected, "{file}: {}", resumed.errors);
    }
}

const SAME: [(&str, &str); 3] = [("1", "1"), ("2", "2"), ("4", "4")];

#[test]
fn s62_loops_inside_of_regions_are_served_without_a_mark() {
    for file in [
        "steps_in_region.c",
        "for_region.c",
        "kept_by_threads.c",
        "declared_again.c",
        "ends_with_exit.c",
        "records_of_threads.c",
        "between_constructs.c",
        "handed_to_others.c",
        "files_of_threads.c",
    ] {
        let file = format!("auto/{file}");
        survives(&file, Compiler::Gcc, "-O2", &["--auto"], &SAME);
    }
}

#[test]
fn s55_what_threads_have_of_their_own_comes_back_for_each_of_them() {
    survives("by_hand/functions.c", Compiler::Gcc, "-O0", &[], &SAME);
    survives(
        "by_hand/functions.c",
        Compiler::Gcc,
        "-O3",
        &[],
        &SAME[1..2],
    );
}

#[test]
fn s51_s63_any_thread_takes_the_checkpoint_of_a_program_with_a_fixed_heap() {
    let file = "by_hand/in_fixed_heap.c";
    survives(file, Compiler::Gcc, "-O2", &[], &SAME[1..]);
}

#[test]
fn s55_copies_of_a_team_that_an_if_may_leave_out_are_not_all_registered() {
    let source = root().join("tests/parallel/by_hand/functions.c");
    let source = std::fs::read_to_string(source).expect("the program");
    let (status, said) = said_of(&source, &[]);
    assert_eq!((status, said.as_str()), (Some(0), ""));
    let team = "num_threads(threads + 0)";
    let perhaps = source.replace(team, &format!("{team} if (steps > 9)"));
    let (status, said) = said_of(&perhaps, &["--deny", "incomplete"]);
    assert_eq!(status, Some(1), "{said}");
    for word in ["error[CCCP315]", "its own `rng`", "main.c:28"] {
        assert!(said.contains(word), "{word} in {said}");
    }
}

#[test]
fn s56_large_arrays_are_saved_and_restored_in_parts_by_all_threads() {
    let file = "by_hand/in_parts.c";
    survives(file, Compiler::Gcc, "-O2", &[], &SAME);
    let unequal = ["--cpp-flag", "-DOUT_OF_STEP"];
    survives(file, Compiler::Gcc, "-O2", &unequal, &SAME[1..]);
}

#[test]
fn s60_threads_that_went_on_are_killed_and_resume_like_others() {
    let goes_on = |compiler, level, threads: &[(&str, &str)]| {
        survives_with(
            "by_hand/goes_on.c",
            compiler,
            level,
            &[],
            threads,
            "nonblocking",
        );
    };
    goes_on(Compiler::Gcc, "-O0", &SAME[1..2]);
    goes_on(Compiler::Gcc, "-O3", &SAME);
    if has_libomp() {
        goes_on(Compiler::Clang, "-O2", &SAME[2..]);
    }
}

#[test]
fn s60_threads_that_come_unequally_often_go_on_and_resume_like_others() {
    let file = "by_hand/goes_on_unequally.c";
    let goes_on = |compiler, level, threads: &[(&str, &str)]| {
        survives_with(file, compiler, level, &[], threads, "nonblocking");
    };
    goes_on(Compiler::Gcc, "-O0", &SAME[1..2]);
    goes_on(Compiler::Gcc, "-O2", &SAME);
    if has_libomp() {
        goes_on(Compiler::Clang, "-O3", &SAME[2..]);
    }
}

#[test]
fn s55_copies_begin_as_their_clauses_say_in_a_restart_too() {
    for level in ["-O0", "-O2"] {
        for file in [
            "auto/unchanged_copies.c",
            "auto/inner_reductions.c",
            "auto/copies_of_file_scope.c",
            "auto/copies_in_functions.c",
            "auto/constant_parameters.c",
        ] {
            survives(file, Compiler::Gcc, level, &["--auto"], &SAME[1..]);
        }
    }
}

#[test]
fn s57_clang_enters_regions_again() {
    if !has_libomp() {
        return;
    }
    survives(
        "by_hand/functions.c",
        Compiler::Clang,
        "-O2",
        &[],
        &SAME[1..2],
    );
    survives(
        "auto/steps_in_region.c",
        Compiler::Clang,
        "-O3",
        &["--auto"],
        &SAME[1..2],
    );
}

#[test]
fn s58_a_restart_has_the_team_of_before_whatever_it_is_started_with() {
    survives(
        "auto/kept_by_threads.c",
        Compiler::Gcc,
        "-O2",
        &["--auto"],
        &[("2", "3"), ("3", "1")],
    );
}

#[test]
fn s58_a_team_that_cannot_be_had_again_is_a_clear_stop() {
    let place = Workplace::new("limit");
    let file = "auto/kept_by_threads.c";
    let [program, _] = built(place.path(), file, Compiler::Gcc, "-O2", &["--auto"]);
    let run = || program.run(place.path()).set("OMP_NUM_THREADS", "4");
    run().set("CCCP_EVERY", "1").kill_at("checkpoint:5");
    let stopped = run().set("OMP_THREAD_LIMIT", "2").go();
    stopped.assert_stopped(75, &["OMP_THREAD_LIMIT"]);
    run().well().assert_resumed();
}

#[test]
fn s51_s59_threads_out_of_step_meet_by_calls_and_by_time() {
    let place = Workplace::new("out-of-step");
    let [program, plain] = built(
        place.path(),
        "by_hand/out_of_step.c",
        Compiler::Gcc,
        "-O2",
        &[],
    );
    let run = |program: &Program, name: &str| {
        let directory = place.directory(&format!("run-{name}"));
        program.run(&directory).arguments(&["20000"])
    };
    let expected = run(&plain, "plain").well().output;
    run(&program, "calls")
        .set("CCCP_EVERY", "1000")
        .kill_at("checkpoint:7");
    let resumed = run(&program, "calls").set("CCCP_EVERY", "1000").well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, expected);
    // A clock that calls move: the meeting is announced ahead of the thread that is furthest.
    let timed = || {
        run(&program, "time")
            .set("CCCP_CLOCK", "0.001")
            .set("CCCP_INTERVAL", "1s")
    };
    timed().kill_at("checkpoint:3");
    let resumed = timed().well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, expected);
}

#[test]
fn s51_threads_that_end_at_different_times_stand_at_the_end_of_the_region() {
    let place = Workplace::new("uneven");
    let [program, plain] = built(
        place.path(),
        "by_hand/out_of_step.c",
        Compiler::Gcc,
        "-O2",
        &[],
    );
    let run = |program: &Program, name: &str| {
        let directory = place.directory(&format!("run-{name}"));
        program.run(&directory).arguments(&["3000", "900"])
    };
    let expected = run(&plain, "plain").well().output;
    let outcome = run(&program, "served").set("CCCP_EVERY", "200").well();
    assert_eq!(
        (outcome.output, outcome.errors.as_str()),
        (expected.clone(), "")
    );
    // All together they come to 6,600 calls; behind 3,900 two threads are at the end. A busy machine takes some checkpoints less than 33.
    run(&program, "killed")
        .set("CCCP_EVERY", "200")
        .kill_at("checkpoint:24");
    let resumed = run(&program, "killed").well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, expected);
}

#[test]
fn s51_threads_that_take_unequal_shares_stop_at_their_next_checkpoint_or_barrier() {
    for file in ["work_queue.c", "rounds.c", "orphaned.c"] {
        let file = format!("by_hand/{file}");
        survives(&file, Compiler::Gcc, "-O2", &[], &[("2", "2"), ("3", "1")]);
    }
    survives(
        "by_hand/work_queue.c",
        Compiler::Gcc,
        "-O2",
        &["--auto"],
        &[("3", "3")],
    );
}

#[test]
fn s53_checkpoints_in_single_and_masked_are_those_of_one_thread() {
    for file in ["single_with_tasks.c", "masked.c"] {
        let by_hand = format!("by_hand/{file}");
        survives(
            &by_hand,
            Compiler::Gcc,
            "-O2",
            &[],
            &[("1", "1"), ("3", "2")],
        );
        survives(&by_hand, Compiler::Gcc, "-O2", &["--auto"], &[("3", "3")]);
    }
    if has_libomp() {
        survives(
            "by_hand/single_with_tasks.c",
            Compiler::Clang,
            "-O3",
            &[],
            &[("3", "3")],
        );
    }
}

#[test]
fn s55_s57_the_sample_has_random_numbers_of_each_thread_and_a_lock() {
    let source = std::fs::read_to_string(root().join("samples/openmp/main.c")).expect("the sample");
    for (what, text, flags) in [
        ("by-hand", source.clone(), vec![]),
        ("auto", unmarked(&source), vec!["--auto"]),
    ] {
        let place = Workplace::new(&format!("sample-{what}"));
        place.write("main.c", &text);
        let file = place.join("main.c");
        let build = Build::files(&[&file]).with(Compiler::Gcc, &["-O2", "-fopenmp", "-lm"]);
        let flags = [&flags[..], &["--cpp-flag", "-fopenmp"]].concat();
        let program = build.clone().tool_flags(&flags).to(place.path(), "served");
        let run = |program: &Program, name: &str| {
            let directory = place.directory(&format!("{name}-run"));
            let run = program.run(&directory).arguments(&["300", "32"]);
            run.set("OMP_NUM_THREADS", "3").set("CCCP_EVERY", "25")
        };
        let expected = run(&build.plain().to(place.path(), "plain"), "plain")
            .well()
            .output;
        for number in [3, 8] {
            let name = format!("killed-{number}");
            run(&program, &name).kill_at(&format!("checkpoint:{number}"));
            let resumed = run(&program, &name).well();
            resumed.assert_resumed();
            assert_eq!(resumed.output, expected, "{what}: {}", resumed.errors);
        }
    }
}

#[test]
fn s52_a_thread_that_waits_in_a_loop_of_its_own_stops_nobody() {
    let place = Workplace::new("waits");
    let file = "by_hand/waits_for_another.c";
    let [program, plain] = built(place.path(), file, Compiler::Gcc, "-O2", &[]);
    let run = |program: &Program, name: &str| {
        let directory = place.directory(&format!("run-{name}"));
        program.run(&directory)
    };
    let expected = run(&plain, "plain").well().output;
    let outcome = run(&program, "served").set("CCCP_EVERY", "15").well();
    assert_eq!(outcome.output, expected);
    outcome.assert_said(&["no checkpoint is taken: thread 1", "no barrier"]);
}

/// What the precompiler says of a program, and its exit status.
fn said_of(program: &str, flags: &[&str]) -> (Option<i32>, String) {
    let place = Workplace::new("said");
    place.write("main.c", program);
    let mut tool = Command::new(precompiler());
    tool.args(["--cpp-flag", "-fopenmp"])
        .args(flags)
        .arg("main.c")
        .current_dir(place.path());
    let output = tool.output().expect("the precompiler runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), said)
}

#[test]
fn s51_work_that_was_handed_out_before_the_checkpoint_is_neither_lost_nor_done_twice() {
    survives(
        "by_hand/shared_out_before.c",
        Compiler::Gcc,
        "-O2",
        &[],
        &SAME,
    );
}

/// Steps of a team: what stands around the checkpoint, and what comes before it. With a barrier that no line can be put before,
/// threads cannot stop there.
fn steps(condition: &str, work: &str) -> String {
    served(condition, work)
        .replace(
            "int main",
            "#define MEET _Pragma(\"omp barrier\")\nint main",
        )
        .replace("    {   for", "    { MEET for")
}

/// The same without that barrier.
fn served(condition: &str, work: &str) -> String {
    format!(
        "#include <omp.h>\ndouble u[100];\nint main(void)\n{{\n#pragma cccp init\n#pragma cccp register(u)\n#pragma omp parallel\n    \
         {{   for (int step = 0; step < 9; step++) {{\n#pragma cccp register(step)\n{work}\n{condition}\n#pragma cccp checkpoint\n    }}\n    \
         }} }}\n#pragma cccp shutdown\n    return 0;\n}}\n"
    )
}

#[test]
fn s51_a_checkpoint_that_threads_may_pass_unequally_often_is_told_with_what_decides() {
    let one = "int me = omp_get_thread_num();\nif (step % 2 == me) {";
    let (status, said) = said_of(&steps(one, ""), &[]);
    assert_eq!(status, Some(0), "{said}");
    let words = [
        "warning[CCCP312]",
        "main.c:14",
        "`me` decides",
        "main.c:12",
        "waited for",
    ];
    for word in words {
        assert!(said.contains(word), "{word} in {said}");
    }
    // Where threads can stop at all barriers, nothing has to be said.
    let (status, said) = said_of(&served(one, ""), &[]);
    assert_eq!((status, said.as_str()), (Some(0), ""));
    let (status, said) = said_of(&steps("if (step % 2 == 0) {", ""), &[]);
    assert_eq!(
        (status, said.contains("CCCP312")),
        (Some(0), false),
        "{said}"
    );
}

#[test]
fn s51_threads_out_of_step_with_work_handed_out_without_a_barrier_are_refused() {
    let one = "if (step % 2 == omp_get_thread_num()) {";
    let loops = "\nfor (int i = 0; i < 100; i++)\n    u[i] += step;";
    let handed = [
        format!("#pragma omp for schedule(dynamic) nowait{loops}"),
        format!("#pragma omp for schedule(nonmonotonic: guided, 4) nowait{loops}"),
        format!("#pragma omp single nowait{loops}"),
        format!("#pragma omp sections nowait\n{{\n#pragma omp section{loops}\n}}"),
    ];
    for work in &handed {
        let (status, said) = said_of(&steps(one, work), &[]);
        assert_eq!(status, Some(1), "{work}: {said}");
        for word in ["error[CCCP312]", "main.c:11", "handed out while it runs"] {
            assert!(said.contains(word), "{word} in {said}");
        }
        // All threads come equally often.
        let (status, said) = said_of(&steps("{", work), &[]);
        assert_eq!((status, said.as_str()), (Some(0), ""), "{work}");
        // One that is passed unequally often puts those that are not out of step, too.
        let both = format!("{work}\n#pragma cccp checkpoint\n#pragma omp barrier");
        let (status, said) = said_of(&steps(one, &both), &[]);
        assert_eq!(status, Some(1), "{said}");
        assert_eq!(said.matches("error[CCCP312]").count(), 1, "{said}");
    }
    let waits = [
        format!("#pragma omp for schedule(dynamic){loops}"),
        format!("#pragma omp for schedule(static) nowait{loops}"),
        format!("{}\n#pragma omp barrier", handed[0]),
    ];
    for work in &waits {
        let (status, said) = said_of(&steps(one, work), &[]);
        assert_eq!(status, Some(0), "{work}: {said}");
        assert!(said.contains("warning[CCCP312]"), "{said}");
    }
}

#[test]
fn s51_threads_out_of_step_in_a_region_that_calls_what_is_in_no_file_given_are_refused() {
    let one = "if (step % 2 == omp_get_thread_num()) {";
    let with = |declared: &str, work: &str, one: &str| {
        let text = steps(one, work);
        said_of(
            &text.replace("double u[100];", &format!("double u[100];\n{declared}")),
            &[],
        )
    };
    let unseen = [
        ("void work(double *);", "work(u);"),
        (
            "void work(double *);\nstatic void all(void) { work(u); }",
            "all();",
        ),
        (
            "void work(double *);\nstatic void (*chosen)(double *) = work;",
            "chosen(u);",
        ),
        (
            "void work(double *);\n#define WORK(at) (work)(at)",
            "WORK(u);",
        ),
    ];
    for (declared, work) in unseen {
        let (status, said) = with(declared, work, one);
        assert_eq!(status, Some(1), "{work}: {said}");
        for word in ["error[CCCP312]", "in no file given", "called here"] {
            assert!(said.contains(word), "{word} in {said}");
        }
        // In step all threads have come to as much.
        let (_, said) = with(declared, work, "{");
        assert!(!said.contains("CCCP312"), "{said}");
    }
    let (status, said) = with("#include <math.h>", "u[1] = sin(u[2]);", one);
    assert_eq!(status, Some(0), "{said}");
}

#[test]
fn s51_what_a_library_calls_back_puts_threads_out_of_step() {
    let place = Workplace::new("called-back");
    let source = root().join("tests/parallel/called_back.c");
    for form in ["STORED", "KEPT", "GIVEN"] {
        let mut tool = Command::new(precompiler());
        tool.args([
            "--auto",
            "--explain",
            "--cpp-flag",
            "-fopenmp",
            &format!("-D{form}"),
        ]);
        let output = tool.arg(&source).current_dir(place.path()).output();
        let output = output.expect("the precompiler starts");
        let said = String::from_utf8_lossy(&output.stdout);
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(output.status.success(), "{form}: {output:?}");
        let word = "Some threads of the team may pass it more often than others";
        assert!(said.contains(word), "{form}: {said}");
    }
}

#[test]
fn s53_a_checkpoint_at_which_tasks_may_be_unfinished_is_refused() {
    let open = [
        "#pragma omp task\nu[1] += step;",
        "#pragma omp single nowait\n{\n#pragma omp task\nu[1] += step;\n}",
        "#pragma omp task\n{\n#pragma omp task\nu[1] += step;\n}\n#pragma omp taskwait",
        "#pragma omp taskloop nogroup\nfor (int i = 0; i < 100; i++)\nu[i] += step;",
        "#pragma omp task\nu[1] += step;\n#pragma omp taskgroup\n{\n#pragma omp task\nu[2] += step;\n}",
        "#pragma omp task depend(out : u)\nu[1] += step;\n#pragma omp taskwait depend(in : u)",
    ];
    for work in open {
        let (status, said) = said_of(&steps("{", work), &[]);
        assert_eq!(status, Some(1), "{work}: {said}");
        for word in ["error[CCCP313]", "made here", "taskwait"] {
            assert!(said.contains(word), "{word} in {said}");
        }
    }
    let over = [
        "#pragma omp task\nu[1] += step;\n#pragma omp taskwait",
        "#pragma omp single\n{\n#pragma omp task\nu[1] += step;\n}",
        "#pragma omp task\nu[1] += step;\n#pragma omp barrier",
        "#pragma omp taskgroup\n{\n#pragma omp task\n{\n#pragma omp task\nu[1] += step;\n}\n}",
        "#pragma omp taskloop\nfor (int i = 0; i < 100; i++)\nu[i] += step;",
        "#pragma omp task\n{\n#pragma omp task\nu[1] += step;\n#pragma omp taskwait\n}\n#pragma omp taskwait",
    ];
    for work in over {
        let (status, said) = said_of(&steps("{", work), &[]);
        assert_eq!((status, said.as_str()), (Some(0), ""), "{work}");
    }
}

#[test]
fn s53_auto_mode_takes_checkpoints_where_all_tasks_are_over() {
    survives("auto/tasks.c", Compiler::Gcc, "-O2", &["--auto"], &SAME);
}

#[test]
fn s62_what_stands_behind_a_cancel_may_not_happen() {
    let program = |cancel: &str| {
        format!(
            "#include <stdio.h>\nint main(void)\n{{\n    static double u[100];\n    double last = 0;\n    int step;\n#pragma cccp init\n\
             #pragma cccp register(u, step)\n    for (step = 0; step < 20; step++) {{\n#pragma cccp checkpoint\n{cancel}\n        \
             for (int i = 0; i < 100; i++)\n            u[i] += i;\n    }}\n    printf(\"%g %g\\n\", last, u[7]);\n#pragma cccp shutdown\n    \
             return 0;\n}}\n"
        )
    };
    let store = "#pragma omp single\nlast = step;";
    let cases = [
        format!("#pragma omp parallel\n{{\nif (u[3] > 40) {{\n#pragma omp cancel parallel\n}}\n{store}\n}}"),
        format!("#pragma omp parallel\n{{\n#pragma omp cancellation point parallel\n{store}\n}}"),
        "#pragma omp parallel\n{\n#pragma omp sections\n{\n#pragma omp section\n{\n#pragma omp cancel sections\nlast = step;\n}\n}\n}"
            .to_string(),
        // Threads leave a region that is cancelled at its barriers.
        format!("#pragma omp parallel\n{{\n#pragma omp barrier\n{store}\nif (u[3] > 40) {{\n#pragma omp cancel parallel\n}}\n}}"),
    ];
    for case in &cases {
        let (_, said) = said_of(&program(case), &[]);
        assert!(
            said.contains("`last` is live at this checkpoint"),
            "{case}: {said}"
        );
    }
    let (_, said) = said_of(
        &program(&format!("#pragma omp parallel\n{{\n{store}\n}}")),
        &[],
    );
    assert_eq!(said, "");
}

#[test]
fn s54_a_construct_that_a_restart_cannot_enter_is_named_with_the_lines_where_to_go() {
    let shared_out = [
        ("for lastprivate(conditional : k)", "shared out again"),
        ("sections", "shared out again"),
        ("single private(k)", "one thread executes it"),
        ("critical", "others wait"),
        ("task firstprivate(k)", "unfinished"),
        ("for simd", "shared out again"),
        ("for ordered", "waits in it for its turn"),
        (
            "for linear(k : 1)",
            "with `linear(k : 1)` it cannot be written out",
        ),
        ("taskgroup", "waits for the tasks"),
        ("distribute", "divided among teams"),
    ];
    for (construct, reason) in shared_out {
        let place = Workplace::new("construct");
        let program = format!(
            "int main(void)\n{{\n#pragma cccp init\n    int k = 0;\n#pragma omp parallel\n    {{\n#pragma omp {construct}\n    \
             for (int i = 0; i < 3; i++) {{\n#pragma cccp checkpoint\n        k += i;\n    }}\n    }}\n    return k;\n}}\n"
        );
        place.write("main.c", &program);
        let mut tool = Command::new(precompiler());
        tool.args(["--cpp-flag", "-fopenmp", "main.c"])
            .current_dir(place.path());
        let output = tool.output().expect("the precompiler runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{construct}: {said}");
        let words = ["CCCP203", "main.c:8", reason];
        for word in words {
            assert!(said.contains(word), "{construct}: {word} in {said}");
        }
        for word in ["before line 7", "behind line 11"] {
            assert!(said.contains(word), "{construct}: {word} in {said}");
        }
    }
}

#[test]
fn regions_that_cannot_be_changed_and_ends_of_the_run_in_them_are_refused() {
    let cases = [
        (
            "#define REGION _Pragma(\"omp parallel\")\n",
            "REGION",
            "",
            "line of its own above the region",
        ),
        (
            "",
            "#pragma omp parallel",
            "#pragma cccp shutdown\n",
            "before or behind the region",
        ),
    ];
    for (before, region, inside, words) in cases {
        let place = Workplace::new("region");
        let program = format!(
            "{before}int main(void)\n{{\n#pragma cccp init\n{region}\n    {{\n#pragma cccp checkpoint\n{inside}    }}\n    return 0;\n}}\n"
        );
        place.write("main.c", &program);
        let mut tool = Command::new(precompiler());
        tool.args(["--cpp-flag", "-fopenmp", "main.c"])
            .current_dir(place.path());
        let output = tool.output().expect("the precompiler runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{region}: {said}");
        assert!(said.contains(words), "{words} in {said}");
    }
}
