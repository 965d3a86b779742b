//! A program's functions may stand in files that others include: pieces in `.c` files, the same text twice with other macros,
//! functions in headers. They are rewritten in the place of the directive that includes them. Programs are in `included/`; each
//! is killed at checkpoints, marked by hand and, without its marks, in auto mode, and ends like the plain C program.

mod harness;

use std::path::Path;
use std::process::Command;

use harness::{
    Build, Checkpoints, Compiler, Workplace, finish, have, precompiler, root, tools_directory,
    without_settings,
};

/// A copy of all the programs, without their marks if wanted.
fn copied(name: &str, is_marked: bool) -> Workplace {
    let place = Workplace::new(name);
    for directory in ["", "sub"] {
        let from = root().join("tests/included").join(directory);
        std::fs::create_dir_all(place.join(directory)).expect("a directory");
        for entry in from.read_dir().expect("the programs") {
            let path = entry.expect("a file").path();
            if !path.is_file() {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a text");
            // The lines stay where they are.
            let text = match is_marked {
                true => text,
                false => text.replace("#pragma cccp", "// "),
            };
            let file = path.file_name().expect("a name");
            std::fs::write(place.join(directory).join(file), text).expect("a copy");
        }
    }
    place
}

/// Kills the program in the middle, and resumes it.
fn survives(place: &Workplace, source: &Path, words: &[&str], compiler: Compiler) {
    let flag = format!("-I{}", place.path().display());
    let build = Build::files(&[source.to_path_buf()]).with(compiler, &[&flag]);
    let plain = build.clone().plain().to(place.path(), "plain");
    let expected = plain.run(&place.directory("plain-run")).well().output;
    let program = build.tool_flags(words).to(place.path(), "program");
    let undisturbed = program.run(&place.directory("undisturbed")).well();
    assert_eq!(undisturbed.output, expected);
    let last = Checkpoints::of(&place.join("undisturbed"), "program").newest();
    assert!(last > 20, "{last} checkpoints");
    for at in [2, last / 2, last - 1] {
        let directory = place.directory(&format!("at-{at}"));
        let run = || program.run(&directory).set("CCCP_WRITE", "synchronous");
        run().kill_at(&format!("published:{at}"));
        let resumed = run().well();
        assert!(resumed.resumed(), "at {at}: {}", resumed.errors);
        assert_eq!(resumed.output, expected, "at {at}");
    }
}

fn compilers() -> impl Iterator<Item = Compiler> {
    let all = [Compiler::Gcc, Compiler::Clang].into_iter();
    all.filter(|one| have(one.command()))
}

#[test]
fn s03_functions_and_marks_in_included_files_count() {
    for compiler in compilers() {
        for program in ["pieces.c", "headers.c"] {
            let place = copied("included", true);
            survives(&place, &place.join(program), &[], compiler);
        }
    }
}

#[test]
fn s08_time_loops_in_included_files_have_checkpoints() {
    for program in ["pieces.c", "headers.c"] {
        let place = copied("included-auto", false);
        let words = ["--auto", "--every", "1"];
        survives(&place, &place.join(program), &words, Compiler::Gcc);
    }
}

/// Where headers lie in a directory of their own, only `-I` says where; in auto mode the time loop and the call that a restart
/// makes again are in one.
#[test]
fn s08_headers_in_another_directory_may_have_to_change() {
    let place = Workplace::new("included-elsewhere");
    for directory in ["src", "include"] {
        std::fs::create_dir_all(place.join(directory)).expect("a directory");
    }
    let header = r#"
        #include <locale.h>
        static inline void speak(const char *words) { setlocale(LC_NUMERIC, words); }
        static inline double relaxed(double *u, int n, int steps)
        {
            for (int step = 0; step < steps; step++) {
                for (int i = 1; i < n - 1; i++)
                    u[i] += 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]);
            }
            return u[n / 3];
        }
    "#;
    let source = r#"
        #include <stdio.h>
        #include "relaxed.h"
        int main(void)
        {
            double u[50] = {0, 1, 2, 3};
            speak("C");
            printf("%.17g\n", relaxed(u, 50, 40));
            return 0;
        }
    "#;
    std::fs::write(place.join("include/relaxed.h"), header).expect("a header");
    std::fs::write(place.join("src/rod.c"), source).expect("a source");
    let flag = format!("-I{}", place.join("include").display());
    let build = Build::files(&[place.join("src/rod.c")]).with(Compiler::Gcc, &[&flag]);
    let plain = build.clone().plain().to(place.path(), "plain");
    let expected = plain.run(&place.directory("plain-run")).well().output;
    let words = ["--auto", "--every", "1", &flag];
    let program = build.tool_flags(&words).to(place.path(), "program");
    let directory = place.directory("killed");
    let run = || program.run(&directory).set("CCCP_WRITE", "synchronous");
    run().kill_at("published:20");
    let resumed = run().well();
    assert!(resumed.resumed(), "{}", resumed.errors);
    assert_eq!(resumed.output, expected);
}

/// What the tool says and writes.
fn told(place: &Workplace, words: &[&str]) -> (Option<i32>, String, String) {
    let mut tool = Command::new(precompiler());
    let output = tool.args(words).current_dir(place.path()).output();
    let output = output.expect("the tool");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn s01_messages_about_included_files_point_to_their_lines() {
    let place = copied("included-told", true);
    let path = place.join("sub/loop.c");
    let text = std::fs::read_to_string(&path).expect("a text");
    std::fs::write(&path, text.replace("register(now,", "register(then,")).expect("a text");
    let (status, _, said) = told(&place, &["pieces.c"]);
    assert_eq!(status, Some(1));
    assert!(said.contains("--> sub/loop.c:8:23\n"), "{said}");
}

#[test]
fn s01_a_file_that_cannot_be_read_is_an_error_beside_functions_in_headers() {
    let place = Workplace::new("included-unread");
    let texts = [
        (
            "own.h",
            "static int twice(int n)\n{\n    return 2 * n;\n}\n",
        ),
        (
            "first.c",
            "#include \"absent.h\"\nint first(void)\n{\n    return 3;\n}\n",
        ),
        (
            "main.c",
            "#include <stdio.h>\n#include \"own.h\"\nint main(void)\n{\n    double sum = 0;\n    for (int i = 0; i < 1000; i++)\n        \
             for (int j = 0; j < 1000; j++)\n            sum += j % 7 + twice(i);\n    printf(\"%g\\n\", sum);\n    return 0;\n}\n",
        ),
    ];
    for (name, text) in texts {
        std::fs::write(place.join(name), text).expect("a text");
    }
    let (status, _, errors) = told(&place, &["--auto", "first.c", "main.c", "-d", "out"]);
    assert_eq!(status, Some(1), "{errors}");
    assert!(errors.contains("absent.h"), "{errors}");
    assert!(!place.join("out").exists(), "nothing is written");
}

#[test]
fn s03_a_text_that_would_say_something_else_in_another_place_is_refused() {
    let place = copied("included-refused", true);
    let (status, written, said) = told(&place, &["elsewhere.c"]);
    assert_eq!((status, &*written), (Some(1), ""));
    assert!(
        said.contains("error[CCCP111]: a directive in the included file `sub/level.c`"),
        "{said}"
    );
    assert!(said.contains("would mean something else there"), "{said}");
}

#[test]
fn s03_files_with_pieces_come_out_as_they_are_when_nothing_in_them_changes() {
    let place = copied("included-unchanged", false);
    let text = std::fs::read_to_string(place.join("pieces.c")).expect("a text");
    let (status, written, said) = told(&place, &["pieces.c"]);
    assert_eq!((status, &*said), (Some(0), ""));
    assert_eq!(written, text);
}

#[test]
fn s08_what_is_inferred_for_included_files_is_a_patch_of_each() {
    let place = copied("included-patch", false);
    let words = ["--auto", "--every", "1", "--annotate=patch", "pieces.c"];
    let (status, patch, said) = told(&place, &words);
    assert_eq!(status, Some(0), "{said}");
    let changed: Vec<&str> = patch
        .lines()
        .filter(|line| line.starts_with("+++ "))
        .collect();
    assert_eq!(changed, ["+++ pieces.c", "+++ sub/loop.c"], "{patch}");
    place.write("marks.patch", &patch);
    let mut command = Command::new("patch");
    finish(
        command
            .args(["-p0", "-i", "marks.patch"])
            .current_dir(place.path()),
    );
    survives(&place, &place.join("pieces.c"), &[], Compiler::Gcc);
}

/// What is taken in is a dependency, as the header beside it is.
#[test]
fn s01_included_files_are_dependencies_of_the_result() {
    let place = copied("included-depends", true);
    let words = ["pieces.c", "-o", "out.c", "-MMD", "-MF", "rules"];
    let (status, _, said) = told(&place, &words);
    assert_eq!(status, Some(0), "{said}");
    let rules = std::fs::read_to_string(place.join("rules")).expect("rules");
    for name in ["pieces.c", "sub/kernel.inc", "sub/loop.c", "sub/steps.h"] {
        assert!(rules.contains(name), "{name} in {rules}");
    }
}

/// With cccp-cc in the place of the compiler, linked from another directory: the program knows its files by the same names.
#[test]
fn s03_included_files_keep_their_names_through_cccp_cc() {
    let place = copied("included-cc", true);
    let build = place.directory("build");
    let run = |directory: &Path, words: &[&str]| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).current_dir(directory);
        command.env("XDG_CACHE_HOME", place.join("cache"));
        without_settings(&mut command);
        command
    };
    let cc = tools_directory().join("cccp-cc").display().to_string();
    let warnings = "-Wno-unknown-pragmas";
    finish(&mut run(
        place.path(),
        &["gcc", "-O2", warnings, "pieces.c", "-o", "plain"],
    ));
    let compile = [
        &cc,
        "gcc",
        "-O2",
        warnings,
        "-c",
        "pieces.c",
        "-o",
        "build/pieces.o",
    ];
    finish(&mut run(place.path(), &compile));
    finish(&mut run(&build, &[&cc, "gcc", "pieces.o", "-o", "pieces"]));
    let expected = finish(&mut run(place.path(), &["./plain"])).stdout;
    let mut killed = run(&build, &["./pieces"]);
    killed
        .env("CCCP_KILL_AT", "checkpoint:30")
        .env("CCCP_EVERY", "1");
    let killed = killed.output().expect("a run");
    assert_eq!(killed.status.code(), None);
    let resumed = finish(&mut run(&build, &["./pieces"]));
    let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
    assert!(said.contains("checkpoint in run (line 10)"), "{said}");
    assert_eq!(resumed.stdout, expected);
}
