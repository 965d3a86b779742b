//! What is left of a run when it ends, and whether it is known to end: output that a shell empties in each start (S8), and ends
//! that the library does not see (S6).

mod harness;

use std::path::Path;
use std::process::Command;

use harness::{Build, Program, Workplace};

fn prints(name: &str) -> (Workplace, Program, String) {
    let place = Workplace::quick(name);
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
    let place = Workplace::quick("ends");
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
