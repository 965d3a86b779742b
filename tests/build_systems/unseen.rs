//! Links in which not everything was compiled by cccp-cc, and links of others: what is said then.

use crate::harness::have;
use crate::project::{Project, printed};

/// What was compiled otherwise is said by name, once.
#[test]
fn code_that_is_not_seen_is_named() {
    let project = Project::new("unseen");
    project.run(&["cc", "-Iinclude", "-c", "lib/grid.c"]);
    project.run(&["cccp-cc", "-Iinclude", "-c", "src/walk.c"]);
    let told = printed(&project.attempt(&["cccp-cc", "walk.o", "grid.o", "-o", "walk"]));
    let note = "cccp-cc: note: not compiled by cccp-cc, so what it does is not seen: grid.o\n";
    assert_eq!(told.matches(note).count(), 1, "{told}");

    project.write("hook.c", "extern long at; void hook(void) { at++; }\n");
    project.edit(
        "src/walk.c",
        "int main",
        "long at;\nvoid hook(void);\nint main",
    );
    project.edit("src/walk.c", "step, at = 0", "step");
    project.edit("src/walk.c", "printf", "hook(), printf");
    project.run(&["cc", "-c", "hook.c"]);
    project.run(&["cccp-cc", "-Iinclude", "-c", "src/walk.c", "lib/grid.c"]);
    let link = ["cccp-cc", "walk.o", "grid.o", "hook.o", "-o", "walk"];
    let told = project.run(&link);
    assert!(
        told.contains("warning: hook.o uses `at` of the program"),
        "{told}"
    );
    let refused = project.attempt(&[&link[..], &["--cccp-auto"]].concat());
    assert_eq!(refused.status.code(), Some(1));
    let told = printed(&refused);
    assert!(
        told.contains("hook.o uses `at` of the program, and"),
        "{told}"
    );
    project.run(&["cccp-cc", "-c", "hook.c"]);
    project.run(&[&link[..], &["--cccp-auto"]].concat());
}

/// A library of the compiler's is none of the user's, though a build system names it by its path, or its directory.
#[test]
fn libraries_of_the_compiler_are_not_named_as_unseen() {
    let project = Project::new("named-by-path");
    let found = project.run(&["gcc", "-print-file-name=libm.so.6"]);
    let library = found.trim();
    let directory = library.rsplit_once('/').map_or(".", |found| found.0);
    let searched = format!("-L{directory}");
    let sources = ["-Iinclude", "src/walk.c", "lib/grid.c"];
    for more in [&[library][..], &[&searched, "-lm"]] {
        let link = [&["cccp-cc"], &sources[..], more, &["-o", "walk"]].concat();
        let told = project.run(&link);
        assert!(!told.contains("not seen"), "{told}");
    }
}

/// Who only links with cccp-cc is told that there are no checkpoints, where they are wanted of a program without marks.
#[test]
fn a_link_of_what_cccp_cc_has_not_compiled_is_told() {
    let project = Project::new("only-linked");
    project.run(&[
        "cc",
        "-Iinclude",
        "-c",
        "src/heat.c",
        "src/solve.c",
        "lib/grid.c",
    ]);
    let link = [
        "cccp-cc", "cc", "heat.o", "solve.o", "grid.o", "-o", "heat", "-lm",
    ];
    assert_eq!(project.run(&link), "");
    let told = project.run(&[&link[..], &["--cccp-auto"]].concat());
    let warning = "cccp-cc: warning: heat is linked as it is, without checkpoints: none of its files was compiled by cccp-cc, heat.o for \
                   one; compile them by `cccp-cc cc`, too\n";
    assert_eq!(told, warning);
}

/// What another linker makes of objects that cccp-cc compiled for checkpoints takes none, and the linker says so: of marked ones
/// in any case, of others where they were compiled to be inferred. Objects that have nothing to do with it say nothing.
#[test]
fn a_link_without_cccp_cc_is_told() {
    let project = Project::new("other-linker");
    let warning = "warning: compiled by cccp-cc for checkpoints, of which there are none unless cccp-cc links it";
    let link = ["g++", "src/walk.o", "-Llib", "-lgrid", "-lm", "-o", "walk"];
    project.run(&["make", "CC=cccp-cc gcc", "walk", "heat"]);
    let undisturbed = project.run(&["./walk", "40"]);
    let told = project.run(&link);
    assert!(told.contains(&format!("src/walk.o: {warning}")), "{told}");
    assert_eq!(told.matches("warning").count(), 1, "{told}");
    assert_eq!(project.run(&["./walk", "40"]), undisturbed);
    let heat = [
        "src/heat.o",
        "src/solve.o",
        "-Llib",
        "-lgrid",
        "-lm",
        "-o",
        "heat",
    ];
    assert_eq!(project.run(&[&["g++"], &heat[..]].concat()), "");
    // Inferred: all objects would change, and cccp-cc itself links them without a word.
    project.run(&["make", "clean"]);
    let words = [
        "make",
        "CC=cccp-cc --cccp-auto gcc",
        "CFLAGS=-O2 -Iinclude",
        "heat",
    ];
    let told = project.run(&words);
    assert!(!told.contains("warning"), "{told}");
    let told = project.run(&[&["g++"], &heat[..]].concat());
    assert!(told.contains(&format!("src/heat.o: {warning}")), "{told}");
    assert!(told.contains(&format!("(grid.o): {warning}")), "{told}");
    let ours = [
        &["cccp-cc", "--cccp-auto", "gcc", "-Wl,--fatal-warnings"],
        &heat[..],
    ]
    .concat();
    let told = project.run(&ours);
    assert!(!told.contains("warning"), "{told}");
    let undisturbed = project.run(&["./heat", "50", "40"]);
    project.survives("./heat", &["50", "40"], &undisturbed);
}

/// Where a link fails the linker says why, and nothing is said of how the objects were compiled.
#[test]
fn a_link_that_fails_has_the_words_of_the_linker_alone() {
    let project = Project::new("failing");
    project.write("one.c", "int twice = 1;\nint main(void) { return 0; }\n");
    project.write("other.c", "int twice = 2;\n");
    let compile = ["cccp-cc", "--cccp-auto", "-c", "one.c", "other.c"];
    project.run(&compile);
    let link = ["cccp-cc", "--cccp-auto", "one.o", "other.o", "-o", "all"];
    let output = project.attempt(&link);
    let told = printed(&output);
    assert!(!output.status.success(), "{told}");
    assert!(told.contains("multiple definition of `twice'"), "{told}");
    assert!(!told.contains("compiled by cccp-cc"), "{told}");
}

/// Where a file of C++ is in the program, CMake lets that compiler link: the linker says what is to be done, and then it is served.
#[test]
fn with_cmake_and_a_file_of_another_language_both_compilers_are_named() {
    if !have("cmake") {
        eprintln!("no cmake here: this test is skipped");
        return;
    }
    let project = Project::new("cmake-mixed");
    project.edit("CMakeLists.txt", "project(heat C)", "project(heat C CXX)");
    project.edit(
        "CMakeLists.txt",
        "PRIVATE src/solve.c",
        "PRIVATE src/solve.c src/other.cpp",
    );
    project.write(
        "src/other.cpp",
        "#include <vector>\nextern \"C\" int other(int n) { return int(std::vector<int>(n).size()); }\n",
    );
    let build = |directory: &str, more: &[&str]| {
        let words = [
            "cmake",
            "-S",
            ".",
            "-B",
            directory,
            "-DCMAKE_C_COMPILER=cccp-cc",
        ];
        project.run(&[&words[..], more].concat());
        let script = format!("CCCP_AUTO=1 cmake --build {directory} --target heat");
        project.run(&["sh", "-c", &script])
    };
    let told = build("unseen", &[]);
    let cure = "-DCMAKE_CXX_COMPILER=\"cccp-cc;g++\"";
    assert!(
        told.contains("there are none unless cccp-cc links it") && told.contains(cure),
        "{told}"
    );
    let heat = project.run(&["./unseen/heat", "50", "40"]);
    let told = build("seen", &[&cure.replace('"', "")]);
    assert!(!told.contains("there are none"), "{told}");
    project.survives("./seen/heat", &["50", "40"], &heat);
}
