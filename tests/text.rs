//! What the precompiler does to text: what is not a directive passes through, what is wrong leaves nothing behind.

mod harness;

use std::path::Path;
use std::process::{Command, Output};

use harness::{Compiler, SAMPLES, Workplace, finish, root, tools_directory};

fn precompile(arguments: &[&str], directory: &Path) -> Output {
    let tool = tools_directory().join("cccp-pp");
    let mut command = Command::new(tool);
    command.args(arguments).current_dir(directory);
    command.output().expect("cccp-pp")
}

#[test]
fn s04_a_program_without_directives_comes_out_unchanged() {
    let place = Workplace::new("unchanged");
    for sample in SAMPLES.iter().filter(|sample| !sample.mpi) {
        let path = root().join("samples").join(sample.name).join("main.c");
        let text = std::fs::read_to_string(path).expect("the sample");
        let bare = |line: &&str| !line.starts_with("#pragma cccp");
        let text: String = text.split_inclusive('\n').filter(bare).collect();
        // Line ends of another system and a missing last one are the user's, too.
        for text in [text.replace('\n', "\r\n"), text.trim_end().to_owned(), text] {
            place.write("bare.c", &text);
            let flags = format!("-I{}", root().join("cccp-runtime/include").display());
            let output = precompile(&[&flags, "bare.c"], place.path());
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: {errors}", sample.name);
            assert!(
                output.stdout == text.as_bytes(),
                "{} has changed",
                sample.name
            );
        }
    }
}

#[test]
fn s03_lines_stay_where_they_are() {
    let place = Workplace::new("lines");
    for sample in SAMPLES
        .iter()
        .filter(|sample| sample.precompiled && !sample.mpi)
    {
        let path = root().join("samples").join(sample.name).join("main.c");
        let text = std::fs::read_to_string(&path).expect("the sample");
        let output = precompile(&[path.to_str().expect("UTF-8")], place.path());
        let result = String::from_utf8(output.stdout).expect("C in UTF-8");
        let (_, body) = result.split_once("#line 1 ").expect("a #line directive");
        let body: Vec<&str> = body.lines().skip(1).collect();
        let text: Vec<&str> = text.lines().collect();
        assert_eq!(body.len(), text.len(), "{}", sample.name);
        let same = text
            .iter()
            .zip(&body)
            .filter(|(old, new)| old == new)
            .count();
        let comments = text
            .iter()
            .zip(&body)
            .filter(|(old, _)| old.starts_with("/*"));
        assert!(
            comments.into_iter().all(|(old, new)| old == new),
            "{}",
            sample.name
        );
        assert!(
            same * 4 > text.len() * 3,
            "{}: {same} of {} lines",
            sample.name,
            text.len()
        );
    }
}

#[test]
fn s02_what_is_wrong_is_shown_with_its_line_and_leaves_no_file() {
    let place = Workplace::new("wrong");
    for (text, words) in [
        ("#pragma cccp chekpoint\n", &["checkpoint", "3"][..]),
        ("#pragma cccp checkpoint evry(2)\n", &["every", "3"]),
        ("#pragma cccp execute on restart\n", &["end execute", "3"]),
        ("#pragma cccp register(unknown)\n", &["unknown", "3"]),
    ] {
        let program = format!("int main(void)\n{{\n{text}    return 0;\n}}\n");
        place.write("wrong.c", &program);
        let output = precompile(&["wrong.c", "-o", "out.c"], place.path());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{text}{errors}");
        assert!(
            errors.contains("wrong.c:") && errors.contains("^"),
            "{errors}"
        );
        for word in words {
            assert!(errors.contains(word), "{word} is not in {errors}");
        }
        assert!(!place.join("out.c").exists(), "{text}");
    }
}

#[test]
fn s03_messages_of_the_compiler_point_at_the_users_file() {
    let place = Workplace::new("messages");
    let text = "#include <stdio.h>\n\nint main(void)\n{\n#pragma cccp init\n    int step = 0;\n\
                #pragma cccp register(step)\n    for (; step < 3; step++) {\n\
                #pragma cccp checkpoint\n        undeclared = step;\n    }\n    return 0;\n}\n";
    place.write("user.c", text);
    let output = precompile(&["user.c", "-o", "out.c"], place.path());
    if !output.status.success() {
        // Found before the compiler sees it: as good.
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.contains("user.c:10"), "{errors}");
        return;
    }
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        let mut cc = Command::new(compiler.command());
        cc.arg("-I")
            .arg(root().join("cccp-runtime/include"))
            .args(["-fsyntax-only", "out.c"]);
        let output = cc.current_dir(place.path()).output().expect("the compiler");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.contains("user.c:10:"), "{errors}");
    }
}

#[test]
fn s17_an_mpi_program_agrees_even_when_the_file_with_init_does_not_know_mpi() {
    let place = Workplace::new("mpi-elsewhere");
    place.write(
        "main.c",
        "int main(void)\n{\n#pragma cccp init\n#pragma cccp checkpoint\n    return 0;\n}\n",
    );
    place.write("parallel.c", "int MPI_Init(int *, char ***);\n");
    let output = precompile(&["main.c", "parallel.c", "-d", "together"], place.path());
    assert!(output.status.success());
    let together = std::fs::read_to_string(place.join("together/main.c")).expect("the result");
    assert!(together.contains("cccp_init_mpi("), "{together}");
    let alone = precompile(&["main.c"], place.path());
    assert!(String::from_utf8_lossy(&alone.stdout).contains("cccp_init("));
}

#[test]
fn s01_a_directive_between_an_openmp_pragma_and_its_loop_is_refused() {
    let place = Workplace::new("under-openmp");
    let program = "int main(void)\n{\n#pragma cccp init\n    int i;\n#pragma cccp register(i)\n#pragma omp parallel for\n\
                   #pragma cccp checkpoint\n    for (i = 0; i < 9; i++)\n        ;\n    return 0;\n}\n";
    place.write("under.c", program);
    let output = precompile(&["under.c"], place.path());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("CCCP203")
            && errors.contains("under.c:7")
            && errors.contains("above that pragma"),
        "{errors}"
    );
    let above = program.replace(
        "#pragma omp parallel for\n#pragma cccp checkpoint\n",
        "#pragma cccp checkpoint\n#pragma omp parallel for\n",
    );
    place.write("under.c", &above);
    assert!(precompile(&["under.c"], place.path()).status.success());
}

#[test]
fn s02_init_in_the_scope_of_an_array_with_blocks_outside_of_it_is_refused() {
    let place = Workplace::new("init-in-scope");
    let program = "int main(int argc, char **argv)\n{\n    int n = argc + 3;\n#pragma cccp register(n)\n    double a[n];\n\
                   #pragma cccp init\n#pragma cccp register(a[n])\n#pragma cccp checkpoint\n    return a[0] > 0;\n}\n";
    place.write("inside.c", program);
    let output = precompile(&["inside.c"], place.path());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    for word in [
        "CCCP203",
        "inside.c:6",
        "line 4",
        "line 5",
        "above the declaration",
    ] {
        assert!(errors.contains(word), "{word} in {errors}");
    }
    place.write(
        "inside.c",
        &program.replace("#pragma cccp register(n)\n", ""),
    );
    assert!(precompile(&["inside.c"], place.path()).status.success());
}

#[test]
fn s02_a_mistake_in_a_users_catalogue_is_shown_with_its_line() {
    let place = Workplace::new("catalogue");
    place.write("empty.c", "int main(void)\n{\n    return 0;\n}\n");
    place.write(
        "own.txt",
        "chapter ours\n\ntake(pool, size)\n    returns new[sice]\n    role allocates\n",
    );
    let output = precompile(&["--catalog", "own.txt", "empty.c"], place.path());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    for word in ["own.txt:4:17", "no parameter `sice`; `size`?", "^^^^"] {
        assert!(errors.contains(word), "{word} in {errors}");
    }
    place.write(
        "own.txt",
        "chapter ours\n\ntake(pool, size)\n    returns new[size]\n    role allocates\n",
    );
    let output = precompile(&["--catalog", "own.txt", "empty.c"], place.path());
    assert!(output.status.success());
}

#[test]
fn s02_parentheses_that_are_missing_are_asked_for() {
    let place = Workplace::new("parentheses");
    place.write(
        "bare.c",
        "int main(void)\n{\n    int n = 1;\n#pragma cccp init\n#pragma cccp register n\n#pragma cccp checkpoint every 9\n    \
         return n;\n}\n",
    );
    let output = precompile(&["bare.c"], place.path());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    for words in [
        "bare.c:5:23",
        "expected `register(ITEM, ...)`",
        "bare.c:6:31",
        "expected `every(N)`",
    ] {
        assert!(errors.contains(words), "{words} in {errors}");
    }
}

#[test]
fn options_of_the_compiler_are_taken_as_it_takes_them() {
    let place = Workplace::new("flags");
    let text = "#ifndef _OPENMP\n#error no OpenMP\n#endif\n#include <own.h>\nint main(void) { return OWN; }\n";
    place.write("main.c", text);
    place.directory("sys");
    place.write("sys/own.h", "#define OWN 0\n");
    let flags = "-O2 -g -Wall -Wextra -fopenmp -fno-common -march=native -pthread -pipe -c -isystem sys -lm main.c";
    let words: Vec<&str> = flags.split(' ').collect();
    let output = precompile(&words, place.path());
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(output.stdout, text.as_bytes());
}

#[test]
fn what_is_asked_for_wrongly_is_answered_with_what_to_do() {
    let place = Workplace::new("asked");
    place.write("main.c", "int main(void) { return 0; }\n");
    place.write("main.o", "\x7fELF\n");
    place.write(
        "mpi.c",
        "#include <no/mpi.h>\nint main(void) { return 0; }\n",
    );
    for (words, answer) in [
        (
            &["main.o"][..],
            "`main.o` is an object file or a library, not C",
        ),
        (
            &["--every", "3", "main.c"],
            "`#pragma cccp checkpoint every(N)`",
        ),
        (
            &["mpi.c"],
            "this is an MPI program: name its compiler, `--cc mpicc`",
        ),
    ] {
        let output = precompile(words, place.path());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && errors.contains(answer),
            "{words:?}: {errors}"
        );
    }
}

#[test]
fn results_are_written_when_they_differ_and_files_of_one_name_keep_their_directories() {
    let place = Workplace::new("results");
    for directory in ["a", "b"] {
        place.directory(directory);
        place.write(
            &format!("{directory}/part.c"),
            &format!("int {directory};\n"),
        );
    }
    place.write("main.c", "int main(void) { return 0; }\n");
    let words = ["main.c", "a/part.c", "b/part.c", "-d", "out"];
    assert!(precompile(&words, place.path()).status.success());
    let changed = |name: &str| {
        place
            .join(name)
            .metadata()
            .and_then(|meta| meta.modified())
            .expect("a file")
    };
    let names = ["out/main.c", "out/a/part.c", "out/b/part.c"];
    let before = names.map(changed);
    place.write("b/part.c", "int c;\n");
    assert!(precompile(&words, place.path()).status.success());
    let after = names.map(changed);
    assert_eq!(before[..2], after[..2]);
    assert_ne!(before[2], after[2]);
}

#[test]
fn a_header_beside_the_source_is_found_from_where_the_result_lies() {
    let place = Workplace::new("beside");
    for directory in ["src", "src/a", "other"] {
        place.directory(directory);
    }
    place.write("src/up.h", "#define UP 1\n");
    place.write(
        "src/a/own.h",
        "#include \"../up.h\"\n#define OWN (UP + 1)\n",
    );
    place.write("other/far.h", "#define FAR 3\n");
    let line = |name: &str| format!("#include \"{name}\"\n");
    let part =
        line("own.h") + "#if __has_include(\"../up.h\")\nint a(void) { return OWN; }\n#endif\n";
    place.write("src/a/part.c", &part);
    let main = line("up.h")
        + &line("far.h")
        + "#include <stdlib.h>\n#include <a/own.h>\nint a(void);\n\
                int main(void)\n{\n#pragma cccp init\n    return a() + UP + OWN + FAR - 8;\n#pragma cccp shutdown\n}\n";
    place.write("src/main.c", &main);
    place.write("other/part.c", "int part;\n");
    let files = ["src/main.c", "src/a/part.c", "other/part.c"];
    for words in [&["-d", "out"][..], &["-d", "out/deep"]] {
        let flags = ["-Isrc", "-Iother"];
        let output = precompile(&[&flags[..], &files, words].concat(), place.path());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        let script = format!(
            "cc -w -Isrc -Iother $(cccp-pp --cflags) {0}/src/main.c {0}/src/a/part.c {0}/other/part.c -o main $(cccp-pp --libs) && ./main",
            words[1]
        );
        let tools = tools_directory().display().to_string();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(place.path());
        harness::without_settings(&mut command);
        finish(command.env("PATH", format!("{tools}:{path}")));
    }
    let text = std::fs::read_to_string(place.join("out/src/main.c")).expect("a result");
    let seen =
        line("../../src/up.h") + &line("far.h") + "#include <stdlib.h>\n#include <a/own.h>\n";
    assert!(
        text.contains(&seen),
        "what is not beside stays as it is: {text}"
    );
    // Where the source lies, nothing is different.
    let output = precompile(&["other/part.c", "-o", "other/part.cccp.c"], place.path());
    assert!(output.status.success());
}

#[test]
fn what_results_depend_on_is_written_for_make() {
    let place = Workplace::new("depends");
    place.directory("src");
    place.write("src/one.h", "#include <stddef.h>\n");
    place.write("src/one.c", "#include \"one.h\"\nint one;\n");
    place.write("two words.c", "int two;\n");
    let files = ["src/one.c", "two words.c"];
    let run = |words: &[&str]| {
        let output = precompile(&[&files[..], words].concat(), place.path());
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let read = |name: &str| std::fs::read_to_string(place.join(name)).expect("a rule");
    assert!(run(&["-d", "out", "-MMD"]).0);
    let needed = ": \\\n  src/one.c \\\n  two\\ words.c \\\n  src/one.h\n";
    assert_eq!(read("out/one.d"), format!("out/one.c{needed}"));
    assert_eq!(
        read("out/two words.d"),
        format!("out/two\\ words.c{needed}")
    );
    assert!(run(&["-d", "out", "-MD", "-MP", "-MT", "stamp", "-MF", "rules"]).0);
    let rules = read("rules");
    assert!(
        rules.starts_with("stamp: \\\n") && rules.contains("/stddef.h\n"),
        "{rules}"
    );
    assert!(rules.contains("/stddef.h:\n"), "{rules}");
    // make goes by them: nothing is done twice, and a header that changes counts.
    place.write(
        "GNUmakefile",
        "stamp: src/one.c\n\t@cccp-pp src/one.c 'two words.c' -d out -MD -MP -MT $@ -MF rules && touch $@ && echo done\n-include rules\n",
    );
    let make = || {
        let tools = tools_directory().display().to_string();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("make");
        command
            .arg("stamp")
            .current_dir(place.path())
            .env_remove("MAKEFLAGS");
        let told = finish(command.env("PATH", format!("{tools}:{path}")));
        String::from_utf8_lossy(&told.stdout).contains("done")
    };
    assert!(make());
    assert!(!make());
    finish(
        Command::new("touch")
            .arg("-d")
            .arg("+1 hour")
            .arg(place.join("src/one.h")),
    );
    assert!(make());
    let (good, errors) = run(&["--emit", "steps", "-MD"]);
    assert!(!good && errors.contains("-MD needs"), "{errors}");
}
