//! What belongs to an open file beside its place: bytes that were pushed back, locks; and the place in standard input.

use super::{STOPPED, build, inputs};
use crate::harness::{Build, Workplace, precompiler};

#[test]
fn s26_standard_input_that_is_read_on_and_not_registered_is_a_warning_whose_cure_helps() {
    let place = Workplace::new("input-read-on");
    let text = |registered: &str, read: &str| {
        format!(
            "#include <stdio.h>\nstatic int next(int *value)\n{{\n    return {read};\n}}\nint main(void)\n{{\n    int step;\n    \
             long sum = 0;\n#pragma cccp init\n#pragma cccp register(step, sum{registered})\n    for (step = 0; step < 20; step++) {{\n\
             #pragma cccp checkpoint\n        int value = 0;\n        if (next(&value) == 1)\n            sum = sum * 3 + value;\n    }}\n#pragma cccp shutdown\n    \
             printf(\"%ld\\n\", sum);\n    return 0;\n}}\n"
        )
    };
    for (name, read) in [
        ("named", "fscanf(stdin, \"%d\", value)"),
        ("unnamed", "scanf(\"%d\", value)"),
    ] {
        let source = place.write(&format!("{name}.c"), &text("", read));
        let mut tool = std::process::Command::new(precompiler());
        let told = tool.arg(&source).output().expect("cccp-pp");
        let told = String::from_utf8_lossy(&told.stderr).into_owned();
        let said = "`stdin` is read after a checkpoint and not registered";
        assert!(told.contains(said) && told.contains(".c:4:"), "{told}");
        assert!(told.contains("`#pragma cccp register(stdin)`"), "{told}");
        place.write(&format!("{name}.c"), &text(", stdin", read));
        let build = Build::files(&[source]);
        let program = build.to(place.path(), name);
        let directory = inputs(&place, &format!("{name}-run"));
        let wrapper = ["sh", "-c", "exec \"$0\" \"$@\" < input.txt"];
        let fed = || program.run(&directory).under(&wrapper);
        let whole = fed().well().output;
        fed().kill_at("published:6");
        let resumed = fed().well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, whole);
    }
}

#[test]
fn s16_what_was_pushed_back_to_a_stream_is_read_after_a_restart() {
    streams_go_on("pushed");
}

#[test]
fn s16_streams_that_have_ended_or_failed_say_so_after_a_restart() {
    streams_go_on("ended");
}

/// A program with standard input ends like its plain twin, wherever it is killed.
fn streams_go_on(name: &str) {
    let place = Workplace::new(name);
    let program = build(name).to(place.path(), name);
    let plain = build(name).plain().to(place.path(), "plain");
    let wrapper = ["sh", "-c", "exec \"$0\" \"$@\" < update.txt"];
    let whole = plain
        .run(&inputs(&place, "undisturbed"))
        .under(&wrapper)
        .well();
    for checkpoint in 2..8 {
        let directory = inputs(&place, &format!("at-{checkpoint}"));
        let run = || program.run(&directory).under(&wrapper);
        run().kill_at(&format!("published:{checkpoint}"));
        let resumed = run().well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, whole.output, "{checkpoint}");
    }
}

#[test]
fn s16_locks_of_files_are_taken_again_and_a_restart_stops_while_another_process_has_them() {
    let place = Workplace::new("locked");
    let program = build("locked").to(place.path(), "locked");
    let plain = build("locked").plain().to(place.path(), "plain");
    let whole = plain.run(&place.directory("undisturbed")).well();
    assert_eq!(whole.output, "run.lock -1\nlocked.txt -1 0\nbytes -1 0\n");
    for checkpoint in [2, 6] {
        let directory = place.directory(&format!("at-{checkpoint}"));
        let run = || program.run(&directory);
        run().kill_at(&format!("published:{checkpoint}"));
        // The shell has the lock, and so has what becomes of it.
        let wrapper = ["sh", "-c", "exec 9< run.lock; flock 9; exec \"$0\" \"$@\""];
        let refused = run().under(&wrapper).go();
        let said = [
            "run.lock was locked by the program at the checkpoint",
            "start again",
        ];
        refused.assert_stopped(STOPPED, &said);
        let resumed = run().well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, whole.output, "{checkpoint}");
    }
}
