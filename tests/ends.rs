//! What is left of a run when it ends, and whether it is known to end: output that a shell empties in each start (S8), and ends
//! that the library does not see (S6).

mod harness;

use std::path::Path;
use std::process::Command;

use harness::{Build, Compiler, Program, Workplace, mpi_or_word};

fn prints(name: &str) -> (Workplace, Program, String) {
    let place = Workplace::new(name);
    let program = Build::files(&["tests/cccp_run/prints.c"]).to(place.path(), "prints");
    let whole = program.run(&place.directory("whole")).well().output;
    (place, program, whole)
}

#[test]
fn s08_a_file_that_the_shell_empties_in_each_start_has_all_that_was_printed() {
    let (place, program, whole) = prints("emptied");
    let under = |directory: &Path, script: &str| {
        let run = program.run(directory).under(&["sh", "-c", script, "sh"]);
        run.set("CCCP_WRITE", "synchronous")
    };
    let again = "exec \"$@\" > out.txt";
    let script = "echo begins > out.txt; exec \"$@\" >> out.txt";
    for (name, script, before) in [("plain", again, ""), ("script", script, "begins\n")] {
        let directory = place.directory(name);
        let printed = || std::fs::read_to_string(directory.join("out.txt")).unwrap();
        // Killed three times, once on the way back.
        for point in ["checkpoint:7", "restore", "checkpoint:9"] {
            under(&directory, script).kill_at(point);
        }
        let last = under(&directory, script).well();
        last.assert_resumed();
        last.assert_said(&[
            "standard output was emptied when this run was started",
            "is in it again",
        ]);
        assert_eq!(printed(), format!("{before}{whole}"), "{}", last.errors);
    }
    // Another file for each start is what somebody wanted.
    let directory = place.directory("parts");
    under(&directory, "exec \"$@\" > first.txt").kill_at("published:6");
    let last = under(&directory, "exec \"$@\" > second.txt").well();
    assert!(!last.errors.contains("was emptied"), "{}", last.errors);
    let part = |name: &str| std::fs::read_to_string(directory.join(name)).unwrap();
    assert_eq!(part("first.txt") + &part("second.txt"), whole);
}

#[test]
fn s08_what_was_printed_and_cannot_be_put_back_is_told_to_be_lost() {
    let (place, program, whole) = prints("lost");
    let directory = place.directory("work");
    let under = || {
        let run = program.run(&directory);
        let run = run.under(&["sh", "-c", "exec \"$@\" > out.txt", "sh"]);
        run.set("CCCP_WRITE", "synchronous")
    };
    under().kill_at("checkpoint:7");
    std::fs::remove_file(directory.join("prints.cccp/printed.000000")).unwrap();
    let last = under().well();
    last.assert_resumed();
    last.assert_said(&["bytes that had been printed", "are lost", "`>> file`"]);
    let printed = std::fs::read_to_string(directory.join("out.txt")).unwrap();
    assert!(whole.ends_with(&printed) && printed.len() < whole.len());
}

#[test]
fn s06_an_end_that_the_library_does_not_see_is_a_warning_before_the_run() {
    let place = Workplace::new("ends");
    let source = |end: &str, loops: &str| {
        format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#define DONE _Exit\nint main(void)\n{{\n    int step;\n#pragma cccp init\n\
             #pragma cccp register(step)\n    for (step = 0; {loops}; step++) {{\n#pragma cccp checkpoint\n        \
             if (printf(\"%d\\n\", step) < 0)\n            abort();\n    }}\n    {end}\n}}\n"
        )
    };
    let told = |name: &str, end: &str, loops: &str| {
        let file = place.write(&format!("{name}.c"), &source(end, loops));
        let mut tool = Command::new(harness::precompiler());
        let output = tool.arg(file).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    for (name, end, loops, words) in [
        (
            "quick",
            "quick_exit(0);",
            "step < 9",
            "`quick_exit` is no end of the run",
        ),
        (
            "low",
            "fflush(stdout); _exit(step > 9);",
            "step < 9",
            "`_exit` is no end of the run",
        ),
        (
            "macro",
            "DONE(0);",
            "step < 9",
            "`_Exit` is no end of the run",
        ),
        ("never", "return 0;", "1", "no end of this run is known"),
        (
            "only_failure",
            "for (;;)\n        if (step++ > 99)\n            exit(EXIT_FAILURE);",
            "step < 9",
            "no end of this run is known",
        ),
    ] {
        let told = told(name, end, loops);
        assert!(
            told.contains("warning[CCCP316]") && told.contains(words),
            "{name}: {told}"
        );
        assert_eq!(told.matches("warning").count(), 1, "{name}: {told}");
    }
    for (name, end, loops) in [
        ("returns", "return 0;", "step < 9"),
        ("exits", "exit(0);", "step < 9"),
        ("computed", "exit(step > 9);", "step < 9"),
        (
            "fails",
            "if (step < 9)\n        _exit(1);\n    return 0;",
            "step < 9",
        ),
        (
            "child",
            "if (fork() == 0)\n        _exit(0);\n    return 0;",
            "step < 9",
        ),
        (
            "shutdown",
            "\n#pragma cccp shutdown\n    _exit(0);",
            "step < 9",
        ),
    ] {
        assert_eq!(told(name, end, loops), "", "{name}");
    }
}

#[test]
fn s06_a_program_that_gives_up_has_not_completed_its_run() {
    if !mpi_or_word() {
        return;
    }
    let source = |helper: &str, gives_up: &str| {
        format!(
            "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n{helper}\n\
             int main(int argc, char **argv)\n{{\n    double x = 1;\n    MPI_Init(&argc, &argv);\n    \
             for (int step = 0; step < 12; step++) {{\n        if (access(\"broken\", F_OK) == 0) {{\n            {gives_up}\n        }}\n        \
             double all = 0;\n        MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n        x = 0.75 * all + step;\n    }}\n    \
             printf(\"%.17g\\n\", x);\n    MPI_Finalize();\n    return 0;\n}}\n"
        )
    };
    for (name, helper, gives_up) in [
        ("exits", "", "MPI_Finalize(); exit(1);"),
        (
            "returns",
            "",
            "fprintf(stderr, \"broken\\n\"); MPI_Finalize(); return EXIT_FAILURE;",
        ),
        (
            "helper",
            "static void give_up(int how)\n{\n    MPI_Finalize();\n    if (how > 1)\n        exit(3);\n    exit(2);\n}",
            "give_up(argc);",
        ),
    ] {
        let place = Workplace::new(name);
        let file = place.write("main.c", &source(helper, gives_up));
        let build = Build::files(&[file]).mpi(true).careless();
        let plain = build.clone().plain().to(place.path(), "plain");
        let build = build.with(Compiler::Gcc, &["-O1"]);
        let build = build.tool_flags(&["--auto", "--every", "1"]);
        let program = build.to(place.path(), "program");
        let expected = plain.run(place.path()).ranks(2).well().output;
        let directory = place.directory("work");
        let run = || {
            program
                .run(&directory)
                .ranks(2)
                .set("CCCP_WRITE", "synchronous")
        };
        run().kill_at("checkpoint:5@0");
        std::fs::write(directory.join("broken"), "").unwrap();
        let gave_up = run().go();
        assert!(
            gave_up.resumed() && gave_up.code() != Some(0),
            "{name}: {}",
            gave_up.errors
        );
        std::fs::remove_file(directory.join("broken")).unwrap();
        let resumed = run().well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, expected, "{name}: {}", resumed.errors);
    }
}

/// A driver that only reads its arguments, and a function that is the MPI program: above or below `main`, directly or through another, or in
/// one branch.
#[test]
fn s06_s35_a_function_that_initialises_mpi_and_does_the_work_gets_init_too() {
    if !mpi_or_word() {
        return;
    }
    let work = "static void work(int steps)\n{\n    double x = 1, all = 0;\n    begin();\n    for (int step = 0; step < steps; step++) {\n        \
                MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n        x = 0.75 * all + step;\n    }\n    \
                printf(\"%.17g\\n\", x);\n    MPI_Finalize();\n}\n";
    let begin = "static void begin(void) { MPI_Init(NULL, NULL); }\n";
    let include = "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n";
    let main = |call: &str| {
        format!(
            "int main(int argc, char **argv)\n{{\n    int steps = argc > 1 ? atoi(argv[1]) : 0;\n    if (steps == 0)\n        return 0;\n    {call}\n    return 0;\n}}\n"
        )
    };
    for (name, source) in [
        (
            "above",
            format!("{include}{begin}{work}{}", main("work(steps);")),
        ),
        (
            "below",
            format!(
                "{include}static void work(int steps);\n{}{begin}{work}",
                main("if (argc > 1)\n        work(steps);")
            ),
        ),
        (
            "branch",
            format!(
                "{include}{begin}{work}static void alone(int steps)\n{{\n    double x = 1;\n    for (int step = 0; step < steps; step++)\n        x = 0.5 * x + step;\n    printf(\"%g\\n\", x);\n}}\n{}",
                main(
                    "if (steps < 0)\n        alone(-steps);\n    else {\n        printf(\"together\\n\");\n        work(steps);\n    }"
                )
            ),
        ),
        (
            "through",
            format!(
                "{include}{begin}{work}static int drive(int steps) {{ work(steps); return 1; }}\n{}",
                main("return drive(steps) - 1;")
            ),
        ),
    ] {
        let place = Workplace::new(name);
        let file = place.write("main.c", &source);
        // Of the branch without MPI it warns.
        let build = Build::files(&[file]).mpi(true).careless();
        let plain = build.clone().plain().to(place.path(), "plain");
        let program = build
            .tool_flags(&["--auto", "--every", "1"])
            .to(place.path(), "program");
        let run = |program: &Program| program.run(place.path()).ranks(2).arguments(&["12"]);
        let expected = run(&plain).well().output;
        run(&program).kill_at("checkpoint:5@0");
        let resumed = run(&program).well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, expected, "{name}: {}", resumed.errors);
        let nothing = program.run(place.path()).ranks(2).well();
        assert_eq!(nothing.output, "", "{name}: {}", nothing.errors);
    }
}
