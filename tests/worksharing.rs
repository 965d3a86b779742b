//! Checkpoints in loops whose iterations are divided among threads (S54; design of regions).
//!
//! `worksharing/auto` holds programs without directives, `worksharing/by_hand` programs with them. Each is killed at checkpoints inside
//! of such loops, and ends like the plain program after it is started again.

mod harness;

use std::process::Command;

use harness::{Build, Compiler, Program, Workplace, has_libomp, precompiler, root};

/// Killed at each of these checkpoints, a run with so many threads goes on as if nothing had been.
fn survives(file: &str, compiler: Compiler, level: &str, threads: &[&str], every: &str) {
    let place = Workplace::new(file);
    let source = root().join("tests/worksharing").join(file);
    let mut flags = vec!["--cpp-flag", "-fopenmp"];
    if file.starts_with("auto") {
        flags.push("--auto");
    }
    let build = Build::files(&[&source]).with(compiler, &[level, "-fopenmp", "-lm"]);
    let program = build.clone().tool_flags(&flags).to(place.path(), "served");
    let plain = build.plain().to(place.path(), "plain");
    for threads in threads {
        let run = |program: &Program, name: &str| {
            let directory = place.directory(&format!("{name}-{threads}"));
            let run = program.run(&directory).set("OMP_NUM_THREADS", threads);
            run.set("OMP_WAIT_POLICY", "passive")
                .set("CCCP_EVERY", every)
        };
        let expected = run(&plain, "plain").well().output;
        let undisturbed = run(&program, "undisturbed").well();
        assert_eq!(undisturbed.output, expected, "{}", undisturbed.errors);
        for number in [3, 6, 13] {
            let name = format!("killed-{number}");
            run(&program, &name).kill_at(&format!("checkpoint:{number}"));
            let resumed = run(&program, &name).well();
            resumed.assert_resumed();
            assert_eq!(
                resumed.output, expected,
                "{file}, killed at {number}: {}",
                resumed.errors
            );
        }
        run(&program, "twice").kill_at("checkpoint:4");
        run(&program, "twice").kill_at("checkpoint:5");
        let resumed = run(&program, "twice").well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, expected, "{file}: {}", resumed.errors);
    }
}

#[test]
fn s54_every_form_of_a_shared_loop_goes_on_by_hand() {
    survives(
        "by_hand/forms.c",
        Compiler::Gcc,
        "-O0",
        &["1", "2", "4"],
        "1",
    );
    survives("by_hand/forms.c", Compiler::Gcc, "-O3", &["3"], "1");
}

#[test]
fn s54_shared_loops_in_regions_keep_their_copies_and_sums() {
    survives("by_hand/in_regions.c", Compiler::Gcc, "-O0", &["2"], "2");
    survives("by_hand/in_regions.c", Compiler::Gcc, "-O2", &["3"], "5");
}

#[test]
fn s54_copies_of_arrays_and_structs_begin_with_what_was_there_before_the_loop() {
    survives("by_hand/copies.c", Compiler::Gcc, "-O1", &["3"], "20");
}

#[test]
fn s54_variables_of_clauses_may_be_called_like_what_a_written_out_loop_needs() {
    survives("by_hand/named.c", Compiler::Gcc, "-O0", &["2"], "31");
    survives("by_hand/named.c", Compiler::Gcc, "-O2", &["1", "3"], "23");
}

#[test]
fn s54_variables_have_the_value_of_the_last_iteration_after_a_shared_loop() {
    survives("by_hand/last.c", Compiler::Gcc, "-O0", &["2"], "300");
    survives("by_hand/last.c", Compiler::Gcc, "-O2", &["3"], "200");
    survives("auto/last.c", Compiler::Gcc, "-O2", &["1", "3"], "300");
}

#[test]
fn s54_shared_loops_whose_schedule_the_run_decides_go_on_by_hand() {
    for file in ["by_hand/runtime.c", "by_hand/environment.c"] {
        survives(file, Compiler::Gcc, "-O0", &["2"], "7");
        survives(file, Compiler::Gcc, "-O2", &["1", "3"], "11");
    }
}

#[test]
fn s54_auto_mode_serves_programs_whose_work_is_one_shared_loop() {
    for (file, every) in [
        ("auto/matrix.c", "1"),
        ("auto/fractal.c", "1"),
        ("auto/trials.c", "300"),
        ("auto/table.c", "20"),
        ("auto/copies.c", "20"),
    ] {
        survives(file, Compiler::Gcc, "-O2", &["2", "3"], every);
    }
}

#[test]
fn s54_a_shared_loop_that_seems_to_do_next_to_nothing_beside_another_one_is_served_too() {
    survives("auto/either.c", Compiler::Gcc, "-O2", &["2"], "20");
}

#[test]
fn s54_clang_shares_loops_out_alike() {
    if !has_libomp() {
        return;
    }
    survives("by_hand/forms.c", Compiler::Clang, "-O2", &["2"], "1");
    survives("auto/matrix.c", Compiler::Clang, "-O2", &["2"], "1");
    survives("by_hand/runtime.c", Compiler::Clang, "-O2", &["3"], "11");
}

/// What each thread adds up is the same number to the last bit, because it has the iterations that the compiler gives it.
#[test]
fn s54_a_thread_has_the_iterations_that_it_has_in_the_plain_program() {
    let place = Workplace::new("shares");
    let source = "#include <omp.h>\n#include <stdio.h>\nstatic int of[5][40];\nint main(void)\n{\n\
        #pragma omp parallel for\n    for (int i = 0; i < 37; i++)\n        of[0][i] = omp_get_thread_num();\n\
        #pragma omp parallel for schedule(static, 4)\n    for (int i = 36; i >= 0; i -= 3)\n        of[1][i] = omp_get_thread_num();\n\
        #pragma omp parallel\n    {\n#pragma omp for schedule(static)\n    for (int i = 0; i < 2; i++)\n        of[2][i] = omp_get_thread_num();\n    }\n\
        #pragma omp parallel for collapse(2) schedule(static)\n    for (int i = 0; i < 5; i++)\n        for (int j = 0; j < 7; j++)\n            of[3][i * 7 + j] = omp_get_thread_num();\n\
        for (int k = 0; k < 4; k++)\n        for (int i = 0; i < 40; i++)\n            printf(\"%d%s\", of[k][i], i == 39 ? \"\\n\" : \" \");\n    return 0;\n}\n";
    // With a checkpoint in each loop.
    let mut marked = String::new();
    for line in source.lines() {
        if line.contains("] = omp_get_thread_num();") {
            marked.push_str("{\n#pragma cccp register(i)\n");
            if line.contains("* 7 + j") {
                marked.push_str("#pragma cccp register(j)\n");
            }
            marked.push_str("#pragma cccp checkpoint\n");
            marked.push_str(line);
            marked.push_str("\n}\n");
        } else {
            marked.push_str(line);
            marked.push('\n');
            if line == "{" && !marked.contains("init") {
                marked.push_str("#pragma cccp init\n#pragma cccp register(of)\n");
            }
        }
    }
    let marked = marked.replace("    return 0;", "#pragma cccp shutdown\n    return 0;");
    let plain = Build::files(&[place.write("plain.c", source)]).plain();
    let served = Build::files(&[place.write("served.c", &marked)]);
    let flags = ["-O1", "-fopenmp"];
    let plain = plain.with(Compiler::Gcc, &flags).to(place.path(), "plain");
    let served = served.with(Compiler::Gcc, &flags);
    let served = served
        .tool_flags(&["--cpp-flag", "-fopenmp"])
        .to(place.path(), "served");
    for threads in ["1", "2", "3", "4", "7"] {
        let run = |program: &Program| {
            let run = program.run(place.path()).set("OMP_NUM_THREADS", threads);
            let run = run.set("OMP_WAIT_POLICY", "passive");
            run.set("CCCP_EVERY", "1000").well().output
        };
        assert_eq!(run(&served), run(&plain), "{threads} threads");
    }
}

#[test]
fn s54_loops_that_cannot_be_written_out_are_refused_with_what_would_help() {
    let form = "`for (i = a; i < b; i += c)`";
    for (clauses, head, why) in [
        (
            "for lastprivate(conditional: k)",
            "for (int i = 0; i < 9; i++)",
            "with `lastprivate(conditional: k)` it cannot be written out",
        ),
        (
            "for ordered",
            "for (int i = 0; i < 9; i++)",
            "a thread that waits in it for its turn cannot come to a checkpoint",
        ),
        (
            "for simd",
            "for (int i = 0; i < 9; i++)",
            "are executed several at a time",
        ),
        ("for", "for (char *p = text; p < text + 3; p++)", form),
        (
            "for collapse(2)",
            "for (int i = 0; i < 9; i++) for (int j = i; j < 9; j++)",
            form,
        ),
    ] {
        let place = Workplace::new("refused");
        let program = format!(
            "static char text[4];\nint main(void)\n{{\n#pragma cccp init\n    int k = 0;\n#pragma cccp register(k, text)\n\
             #pragma omp parallel\n    {{\n#pragma omp {clauses}\n    {head} {{\n#pragma cccp checkpoint\n        k = text[0];\n    }}\n    }}\n    return k;\n}}\n"
        );
        place.write("main.c", &program);
        let mut tool = Command::new(precompiler());
        tool.args(["--cpp-flag", "-fopenmp", "main.c"]);
        let output = tool.current_dir(place.path()).output();
        let output = output.expect("the precompiler runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{clauses}: {said}");
        for word in ["CCCP203", "main.c:10", why] {
            assert!(said.contains(word), "{clauses}: {word} in {said}");
        }
    }
}
