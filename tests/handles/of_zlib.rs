//! Files that zlib reads: they are read on where they were, or the run says why not.

use crate::harness::{self, Build, Compiler, Workplace, precompiler};
use crate::is_made_again;

const LIBRARIES: [&str; 3] = ["-O1", "-Wl,--no-as-needed", "-lz"];

#[test]
fn s16_s34_files_that_zlib_reads_are_read_on_where_they_were() {
    if harness::zlib_or_word() {
        for heap in ["typed", "fixed"] {
            is_made_again("read_by_zlib", heap, &["-lz"]);
        }
    }
}

/// A program that reads `numbers` with zlib; `opens` says how, `registered` what is registered more.
fn reading(opens: &str, registered: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <unistd.h>\n#include <zlib.h>\nint main(void)\n{{\n    int step, next;\n    long sum = 0;\n    \
         gzFile in = {opens};\n#pragma cccp init\n#pragma cccp register(step, sum{registered})\n    \
         for (step = 0; step < 20; step++) {{\n#pragma cccp checkpoint every(1)\n        next = gzgetc(in);\n        \
         sum = sum * 3 + next + (next > '8' && gzungetc('7', in) > 0);\n    }}\n#pragma cccp shutdown\n    printf(\"%ld\\n\", sum);\n    \
         return 0;\n}}\n"
    )
}

#[test]
fn s26_how_far_a_file_was_read_is_missed_where_every_start_opens_it_and_nothing_registers_it() {
    if !harness::zlib_or_word() {
        return;
    }
    let place = Workplace::new("read-by-zlib-of-starts");
    let opens = "gzopen(\"numbers\", \"r\")";
    let source = place.write("main.c", &reading(opens, ""));
    let mut tool = std::process::Command::new(precompiler());
    let told = tool.arg(&source).output().expect("cccp-pp");
    let told = String::from_utf8_lossy(&told.stderr).into_owned();
    let said = "how far `in` was read is not restored";
    let cure = "write `#pragma cccp register(in)` behind `init`";
    assert!(told.contains(said) && told.contains(cure), "{told}");
    let source = place.write("main.c", &reading(opens, ", in"));
    let program = Build::files(&[source]).with(Compiler::Gcc, &LIBRARIES);
    let program = program.to(place.path(), "program");
    let with_numbers = |name: &str, numbers: &str| {
        let directory = place.directory(name);
        std::fs::write(directory.join("numbers"), numbers).expect("a file");
        directory
    };
    let numbers = "3141526535832381264338327";
    let expected = program.run(&with_numbers("whole", numbers)).well().output;
    let directory = with_numbers("killed", numbers);
    program.run(&directory).kill_at("published:7");
    let missing = directory.join("elsewhere");
    std::fs::rename(directory.join("numbers"), &missing).expect("a file");
    let outcome = program.run(&directory).go();
    outcome.assert_stopped(75, &["numbers was open at the checkpoint", "put it back"]);
    std::fs::rename(&missing, directory.join("numbers")).expect("a file");
    let outcome = program.run(&directory).well();
    outcome.assert_resumed();
    assert_eq!(outcome.output, expected);
    // A byte that was pushed back is not in the file.
    let directory = with_numbers("pushed", "31415926535832381264338327");
    let outcome = program.run(&directory).go();
    outcome.assert_said(&["a byte was pushed back to it (`gzungetc`)"]);
}

#[test]
fn s36_what_zlib_cannot_read_again_stops_the_first_checkpoint() {
    if !harness::zlib_or_word() {
        return;
    }
    let place = Workplace::new("read-by-zlib-from-a-pipe");
    let text = reading("gzdopen(0, \"r\")", ", in");
    let source = place.write("main.c", &text);
    let program = Build::files(&[source]).with(Compiler::Gcc, &LIBRARIES);
    let program = program.to(place.path(), "program");
    let directory = place.directory("piped");
    let mut shell = std::process::Command::new("sh");
    let command = format!("echo 3141 | {}", program.path.display());
    harness::without_settings(&mut shell);
    let outcome = shell.current_dir(&directory).args(["-c", &command]);
    let outcome = outcome.output().expect("a shell");
    let told = String::from_utf8_lossy(&outcome.stderr).into_owned();
    let said = "a file of zlib (`gzFile`) that is open cannot be restored: it is a pipe";
    assert!(told.contains(said), "{told}");
    assert_eq!(outcome.status.code(), Some(75));
}

#[test]
fn s16_what_zlib_writes_across_checkpoints_is_refused() {
    if !harness::zlib_or_word() {
        return;
    }
    let place = Workplace::new("written-by-zlib");
    let text = "#include <stdio.h>\n#include <zlib.h>\nint main(void)\n{\n    gzFile out = gzopen(\"out.gz\", \"wb\");\n    \
                double x = 1;\n    for (int i = 0; i < 300; i++) {\n        x = x * 1.01 + i;\n        \
                gzprintf(out, \"%g\\n\", x);\n    }\n    gzclose(out);\n    return 0;\n}\n";
    let source = place.write("main.c", text);
    let mut tool = std::process::Command::new(precompiler());
    let told = tool.arg("--auto").arg(&source).output().expect("cccp-pp");
    assert_eq!(told.status.code(), Some(1));
    let told = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(told.contains("auto mode cannot restore `out`"), "{told}");
}
