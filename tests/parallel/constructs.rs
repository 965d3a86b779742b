//! Constructs that say which thread, how many, and for how long (S53, S54, S57, S62).

use std::path::Path;
use std::process::Command;

use super::{SAME, built, said_of, survives};
use crate::harness::{Build, Compiler, Program, Workplace, has_libomp, precompiler, root};

#[test]
fn s53_checkpoints_of_the_thread_that_a_filter_chooses_stop_the_others_at_barriers() {
    let file = "by_hand/filtered.c";
    survives(file, Compiler::Gcc, "-O2", &[], &[("2", "2"), ("3", "1")]);
    if has_libomp() {
        survives(file, Compiler::Clang, "-O1", &[], &[("3", "3")]);
    }
}

#[test]
fn s57_how_regions_share_out_loops_and_nest_is_in_force_again() {
    let file = "by_hand/controls.c";
    survives(file, Compiler::Gcc, "-O2", &[], &[("2", "2"), ("3", "2")]);
    survives(file, Compiler::Gcc, "-O0", &["--auto"], &[("2", "2")]);
    if has_libomp() {
        survives(file, Compiler::Clang, "-O2", &[], &[("3", "3")]);
    }
}

#[test]
fn s57_what_is_set_now_and_then_is_not_set_again_by_the_program() {
    for file in ["auto/sets_in_region.c", "auto/sets_sometimes.c"] {
        survives(file, Compiler::Gcc, "-O1", &["--auto"], &[("3", "3")]);
    }
}

#[test]
fn s55_a_sum_to_which_a_region_adds_nothing_is_what_it_was() {
    let file = "auto/sum_without_terms.c";
    survives(file, Compiler::Gcc, "-O1", &["--auto"], &[("3", "3")]);
}

/// What a thread registers in a region that is left without a checkpoint costs little, and in one with a checkpoint is as if it had been
/// told at once.
#[test]
fn s55_registers_of_a_region_wait_for_a_checkpoint() {
    let file = "by_hand/noted.c";
    survives(
        file,
        Compiler::Gcc,
        "-O2",
        &[],
        &[("2", "2"), ("3", "3"), ("1", "1")],
    );
    let place = Workplace::new("noted-now-and-then");
    let [program, plain] = built(place.path(), file, Compiler::Gcc, "-O1", &[]);
    let run = |program: &Program, directory: &Path| {
        let run = program.run(directory).set("OMP_NUM_THREADS", "2");
        run.set("CCCP_EVERY", "5")
    };
    let whole = run(&plain, &place.directory("alone")).well().output;
    let undisturbed = run(&program, &place.directory("undisturbed")).well();
    assert_eq!(undisturbed.output, whole);
    assert!(
        !undisturbed.errors.contains("not registered"),
        "{}",
        undisturbed.errors
    );
    for checkpoint in 1..4 {
        let directory = place.directory(&format!("at-{checkpoint}"));
        run(&program, &directory).kill_at(&format!("published:{checkpoint}"));
        let resumed = run(&program, &directory).well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, whole, "{checkpoint}: {}", resumed.errors);
    }
}

/// A stop in the innermost loop, with all that has to be registered there, costs many times what such a pass does.
#[test]
fn s51_threads_stop_before_no_lock_in_loops_that_come_to_their_end() {
    let file = "auto/locks_of_passes.c";
    survives(
        file,
        Compiler::Gcc,
        "-O2",
        &["--auto"],
        &[("2", "2"), ("3", "3")],
    );
    let mut tool = Command::new(precompiler());
    tool.args(["--auto", "--annotate", "--cpp-flag", "-fopenmp"]);
    let output = tool.arg(root().join("tests/parallel").join(file)).output();
    let output = output.expect("the precompiler runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("#pragma cccp checkpoint"), "{text}");
    assert!(!text.contains("#pragma cccp checkpoint lock"), "{text}");
}

#[test]
fn s57_what_each_thread_says_of_its_loops_and_regions_is_in_force_again() {
    let file = "by_hand/controls_of_threads.c";
    survives(file, Compiler::Gcc, "-O2", &[], &[("2", "2"), ("3", "2")]);
    if has_libomp() {
        survives(file, Compiler::Clang, "-O1", &[], &[("3", "3")]);
    }
    let file = "by_hand/controls_behind.c";
    survives(file, Compiler::Gcc, "-O2", &[], &[("2", "2"), ("1", "1")]);
    // In the second region.
    let file = "by_hand/controls_of_threads.c";
    let place = Workplace::new("controls-of-threads");
    let [program, plain] = built(place.path(), file, Compiler::Gcc, "-O1", &[]);
    let run = |program: &crate::harness::Program, name: &str| {
        let run = program.run(&place.directory(&format!("run-{name}")));
        run.set("OMP_NUM_THREADS", "3")
    };
    let expected = run(&plain, "plain").well().output;
    let first = run(&program, "run").set("CCCP_EVERY", "1");
    first.kill_at("checkpoint:30");
    let resumed = run(&program, "run").well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, expected, "{}", resumed.errors);
}

#[test]
fn s55_each_thread_rounds_traps_and_blocks_signals_as_it_did() {
    let file = "by_hand/machine_of_threads.c";
    survives(file, Compiler::Gcc, "-O2", &[], &[("3", "3"), ("2", "1")]);
    if has_libomp() {
        survives(file, Compiler::Clang, "-O1", &[], &[("3", "3")]);
    }
    // In the region whose threads come unequally often, and behind all.
    let place = Workplace::new("machine-of-threads");
    let [program, plain] = built(place.path(), file, Compiler::Gcc, "-O1", &[]);
    let run = |program: &crate::harness::Program, name: &str| {
        let run = program.run(&place.directory(&format!("run-{name}")));
        run.set("OMP_NUM_THREADS", "3")
    };
    let expected = run(&plain, "plain").well().output;
    for number in [26, 35, 48] {
        let name = number.to_string();
        let first = run(&program, &name).set("CCCP_EVERY", "1");
        first.kill_at(&format!("checkpoint:{number}"));
        let resumed = run(&program, &name).well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, expected, "{}", resumed.errors);
    }
}

#[test]
fn s55_the_number_of_the_latest_error_is_what_it_was_behind_a_directive_and_a_restart() {
    let file = "by_hand/number_of_error.c";
    let place = Workplace::new("number-of-error");
    let [program, _] = built(place.path(), file, Compiler::Gcc, "-O1", &[]);
    let run = |name: &str| {
        let run = program.run(&place.directory(name));
        run.set("OMP_NUM_THREADS", "2")
    };
    // Threads that wait for each other in the library, more than there are processors.
    for threads in ["2", "4", "8"] {
        let undisturbed = run(&format!("undisturbed-{threads}"))
            .set("CCCP_EVERY", "1")
            .set("OMP_NUM_THREADS", threads);
        assert_eq!(undisturbed.well().output, "0\n", "{threads} threads");
    }
    // In the region, and behind it.
    for number in [3, 17, 21, 26, 39] {
        let name = number.to_string();
        let killed = run(&name).set("CCCP_EVERY", "1");
        killed.kill_at(&format!("checkpoint:{number}"));
        let resumed = run(&name).well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, "0\n", "{number}: {}", resumed.errors);
    }
}

#[test]
fn s12_s55_lengths_of_arrays_of_threads_may_be_registered_behind_them() {
    survives("by_hand/lengths.c", Compiler::Gcc, "-O1", &[], &SAME);
}

#[test]
fn s62_a_loop_that_threads_leave_early_does_not_keep_them_from_what_is_behind_it() {
    let file = "auto/cancelled_loops.c";
    survives(file, Compiler::Gcc, "-O2", &["--auto"], &SAME[..2]);
    let place = Workplace::new("cancelled");
    let [program, plain] = built(place.path(), file, Compiler::Gcc, "-O2", &["--auto"]);
    let run = |program: &crate::harness::Program, name: &str| {
        let run = program.run(&place.directory(&format!("run-{name}")));
        run.set("OMP_CANCELLATION", "true")
            .set("OMP_NUM_THREADS", "3")
    };
    let expected = run(&plain, "plain").well().output;
    let first = run(&program, "run").set("CCCP_EVERY", "1");
    first.kill_at("checkpoint:6");
    let resumed = run(&program, "run").well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, expected, "{}", resumed.errors);
}

#[test]
fn s62_directives_of_auto_mode_stand_above_the_operator_pragma() {
    let file = "auto/pragma_operator.c";
    survives(file, Compiler::Gcc, "-O2", &["--auto"], &[("2", "2")]);
}

#[test]
fn s62_directives_of_auto_mode_stand_above_a_macro_that_makes_pragmas() {
    let file = "auto/pragma_macro.c";
    survives(file, Compiler::Gcc, "-O2", &["--auto"], &[("2", "2")]);
}

#[test]
fn s51_s54_regions_and_barriers_in_the_operator_pragma_are_changed_like_lines() {
    let file = "by_hand/pragma_operator.c";
    survives(file, Compiler::Gcc, "-O2", &[], &[("2", "2"), ("3", "1")]);
    survives(file, Compiler::Gcc, "-O1", &["--auto"], &[("2", "2")]);
    if has_libomp() {
        survives(file, Compiler::Clang, "-O2", &[], &[("3", "3")]);
    }
}

/// A step of a time loop in a region.
fn step_of(work: &str) -> String {
    format!(
        "long found;\ndouble u[40];\nint main(void)\n{{\n#pragma cccp init\n#pragma cccp register(found, u)\n#pragma omp parallel\n\
         for (int step = 0; step < 9; step++) {{\n#pragma cccp register(step)\n#pragma cccp checkpoint\n{work}\n}}\n\
         #pragma cccp shutdown\nreturn found > 7;\n}}\n"
    )
}

#[test]
fn s54_what_compilers_keep_of_a_conditional_last_value_is_refused_where_a_restart_enters() {
    let body = "for (int i = 0; i < 40; i++)\nif (u[i] > step)\nfound = i;";
    let (status, said) = said_of(
        &step_of(&format!(
            "#pragma omp for lastprivate(conditional : found)\n{body}"
        )),
        &[],
    );
    assert_eq!(status, Some(1), "{said}");
    for word in [
        "error[CCCP203]",
        "variable of their own",
        "function of its own",
    ] {
        assert!(said.contains(word), "{word} in {said}");
    }
    let apart = step_of("look(step);").replace(
        "int main",
        &format!(
            "static void look(int step)\n{{\n#pragma omp for lastprivate(conditional : found)\n{body}\n}}\nint main"
        ),
    );
    assert_eq!(said_of(&apart, &[]), (Some(0), String::new()));
}

#[test]
fn s54_a_combined_construct_that_a_restart_cannot_enter_is_named_as_what_it_is() {
    for clause in ["ordered", "lastprivate(conditional : found)"] {
        let (status, said) = said_of(
            &format!(
                "long found;\nint main(void)\n{{\n#pragma cccp init\n#pragma cccp register(found)\n#pragma omp parallel for {clause}\n\
                 for (int i = 0; i < 9; i++) {{\n#pragma cccp register(i)\n#pragma cccp checkpoint\nif (i > 3)\nfound = i;\n}}\n\
                 #pragma cccp shutdown\nreturn found > 7;\n}}\n"
            ),
            &[],
        );
        assert_eq!(status, Some(1), "{said}");
        let named = format!("inside `#pragma omp parallel for {clause}`");
        assert!(said.contains(&named), "{named} in {said}");
        assert!(!said.contains("nested parallel regions"), "{said}");
    }
}

#[test]
fn s53_what_single_with_copies_may_not_hold_is_said_with_what_it_may() {
    let single = "#pragma omp single firstprivate(found)\n{\nu[0] += found;\n#pragma cccp checkpoint\nu[1] += found;\n}";
    let (status, said) = said_of(&step_of(single), &[]);
    assert_eq!(status, Some(1), "{said}");
    for word in [
        "error[CCCP203]",
        "where `single` has no clause but `nowait`",
    ] {
        assert!(said.contains(word), "{word} in {said}");
    }
}

#[test]
fn s53_a_sum_over_tasks_that_openmp_keeps_to_itself_is_refused_where_a_restart_resumes() {
    let work = "#pragma omp single\n{\n#pragma omp task in_reduction(+ : found)\nfound += step;\n}";
    let program = step_of(work).replace(
        "#pragma omp parallel",
        "#pragma omp parallel reduction(task, + : found)",
    );
    let (status, said) = said_of(&program, &[]);
    assert_eq!(status, Some(1), "{said}");
    for word in ["error[CCCP203]", "memory of its own", "task_reduction"] {
        assert!(said.contains(word), "{word} in {said}");
    }
}

#[test]
fn s55_variables_that_default_makes_private_come_back_for_each_thread() {
    let file = "by_hand/private_by_default.c";
    survives(file, Compiler::Gcc, "-O2", &[], &[("1", "1"), ("3", "3")]);
    survives(file, Compiler::Gcc, "-O0", &["--auto"], &[("2", "2")]);
    // Where versions of a compiler differ in what it is about, nothing is guessed.
    if has_libomp() {
        let text = std::fs::read_to_string(root().join("tests/parallel").join(file));
        let clang = ["--cc", "clang", "--cpp-flag", "-fopenmp-version=51"];
        let (status, said) = said_of(&text.expect("the program"), &clang);
        assert_eq!(status, Some(1), "{said}");
        assert!(said.contains("versions of clang differ"), "{said}");
    }
}

#[test]
fn s57_programs_that_are_linked_statically_have_the_same_teams_again() {
    let linked = |file: &str, flags: &[&str]| {
        let place = Workplace::new("static");
        let source = root().join("tests/parallel").join(file);
        let flags = [&["-O1", "-fopenmp", "-static"], flags].concat();
        let build = Build::files(&[&source]).with(Compiler::Gcc, &flags);
        let build = build.tool_flags(&["--cpp-flag", "-fopenmp"]);
        let program = build.statically().careless().to(place.path(), "served");
        (place, program)
    };
    for file in ["by_hand/controls.c", "by_hand/held_locks.c"] {
        let (place, program) = linked(file, &["-Wl,-u,omp_get_max_threads"]);
        let run = |name: &str| {
            let run = program.run(&place.directory(name));
            run.set("OMP_NUM_THREADS", "3").set("CCCP_EVERY", "1")
        };
        let expected = run("undisturbed").well().output;
        run("killed").kill_at("checkpoint:5");
        let resumed = run("killed").well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, expected, "{file}: {}", resumed.errors);
    }
    // Without that, nothing would say how many threads there are.
    let (place, program) = linked("by_hand/rounds.c", &[]);
    let stopped = program.run(&place.directory("stopped")).go();
    stopped.assert_stopped(75, &["-Wl,-u,omp_get_max_threads"]);
}

#[test]
fn s09_variables_of_the_heads_of_loops_are_registered_no_more_behind_them() {
    let file = "by_hand/heads_of_loops.c";
    survives(file, Compiler::Gcc, "-O2", &[], &SAME);
    if has_libomp() {
        survives(file, Compiler::Clang, "-O0", &[], &[("2", "2")]);
    }
}

/// Of constructs that begin together the one is named in which no restart can resume, and not the choice of one thread.
#[test]
fn s54_of_constructs_that_begin_together_the_closed_one_is_named() {
    let work =
        "#pragma omp single\n#pragma omp target\n{\n#pragma cccp checkpoint\nfound += step;\n}";
    let (status, said) = said_of(&step_of(work), &[]);
    assert_eq!(status, Some(1), "{said}");
    for word in ["inside `#pragma omp target`", "another device"] {
        assert!(said.contains(word), "{word} in {said}");
    }
    let ordered = "#pragma omp for ordered\nfor (int i = 0; i < 9; i++) {\n#pragma omp ordered\n{\n#pragma cccp checkpoint\nu[i] += i;\n}\n}";
    let (status, said) = said_of(&step_of(ordered), &[]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("waits in it for its turn"), "{said}");
    assert_eq!(said.matches("error[CCCP203]").count(), 1, "{said}");
}

#[test]
fn s55_a_static_of_a_function_of_which_each_thread_has_its_own_is_registered_behind_its_declaration()
 {
    let file = "auto/kept_in_function.c";
    survives(file, Compiler::Gcc, "-O1", &["--auto"], &[("2", "2")]);
}
