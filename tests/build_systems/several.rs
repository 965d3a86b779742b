//! One source compiled to several objects, with other macros for each: kernels for different machines, types or schemes.

use crate::project::Project;

const KERNEL: &str = "static long calls;\nstatic double last = START;\n\
    double NAME(double x) { calls++; last = last * FACTOR + x; return last + calls; }\n";

const MAIN: &str = "#include <stdio.h>\ndouble slow(double x);\ndouble fast(double x);\n\
    int main(void)\n{\n    double sum = 0;\n    for (int step = 0; step < 40; step++)\n\
    \x20       for (int i = 0; i < 2000; i++)\n            sum += slow(i) - (i % 3 ? fast(sum / 1e6) : 0);\n\
    printf(\"%.17g\\n\", sum);\n    return 0;\n}\n";

/// What each object has of its own comes back in it, and never in another one.
#[test]
fn objects_of_one_source_keep_what_each_has_of_its_own() {
    let project = Project::new("several");
    project.write("kernel.c", KERNEL);
    project.write("main.c", MAIN);
    let compile = |object: &str, macros: &[&str]| {
        let words = ["cccp-cc", "cc", "-c", "kernel.c", "-o", object];
        project.run(&[&words[..], macros].concat());
    };
    compile("slow.o", &["-DNAME=slow", "-DSTART=1", "-DFACTOR=0.5"]);
    compile("fast.o", &["-DNAME=fast", "-DSTART=7", "-DFACTOR=0.25"]);
    project.run(&["cccp-cc", "cc", "-c", "main.c"]);
    let link = |objects: [&str; 3], own: &[&str]| {
        let words = [&["cccp-cc", "cc"], &objects[..], own, &["-o", "run"]];
        project.run(&words.concat());
    };
    link(["main.o", "slow.o", "fast.o"], &["--cccp-off"]);
    let undisturbed = project.run(&["./run"]);
    link(["main.o", "slow.o", "fast.o"], &["--cccp-auto"]);
    project.survives("./run", &[], &undisturbed);

    project.is_killed(&["./run"]);
    // In another order it is another program, which is said; in the same one it resumes.
    link(["fast.o", "main.o", "slow.o"], &["--cccp-auto"]);
    let refused = project.attempt(&["./run"]);
    let told = String::from_utf8_lossy(&refused.stderr);
    assert!(told.contains("the program has changed"), "{told}");
    link(["main.o", "slow.o", "fast.o"], &["--cccp-auto"]);
    let resumed = project.attempt(&["./run"]);
    let told = String::from_utf8_lossy(&resumed.stderr);
    assert!(told.contains("restart of"), "{told}");
    assert_eq!(String::from_utf8_lossy(&resumed.stdout), undisturbed);
}

/// Members of one archive may have one name: they come from different directories.
#[test]
fn members_of_one_name_are_told_apart_by_their_place() {
    let project = Project::new("one-name");
    project.write("main.c", MAIN);
    project.run(&["mkdir", "slow", "fast"]);
    let compile = |name: &str, macros: &[&str]| {
        let [source, object] = ["c", "o"].map(|kind| format!("{name}/kernel.{kind}"));
        project.write(&source, KERNEL);
        let words = ["cccp-cc", "cc", "-c", &source, "-o", &object];
        project.run(&[&words[..], macros].concat());
        object
    };
    let slow = compile("slow", &["-DNAME=slow", "-DSTART=1", "-DFACTOR=0.5"]);
    let fast = compile("fast", &["-DNAME=fast", "-DSTART=7", "-DFACTOR=0.25"]);
    project.run(&["cccp-cc", "cc", "-c", "main.c"]);
    let link = |archive: &str, own: &str| {
        let words = ["cccp-cc", "cc", own, "main.o", archive, "-o", "run"];
        project.run(&words);
    };
    project.run(&["ar", "qcs", "libboth.a", &slow, &fast]);
    link("libboth.a", "--cccp-off");
    let undisturbed = project.run(&["./run"]);
    link("libboth.a", "--cccp-auto");
    project.survives("./run", &[], &undisturbed);
    project.run(&["ar", "qcsT", "libthin.a", &slow, &fast]);
    link("libthin.a", "--cccp-auto");
    project.survives("./run", &[], &undisturbed);
}

/// What a header of `-include` allocates in functions of its own comes back like what the source allocates.
#[test]
fn functions_of_a_header_that_the_command_includes_allocate_through_the_library() {
    let project = Project::new("included-first");
    project.write(
        "cells.h",
        "#include <stdlib.h>\n\
         static inline double *cells(int n)\n\
         {\n\
         \x20   void *p;\n\
         \x20   return posix_memalign(&p, 64, n * sizeof(double)) ? NULL : p;\n\
         }\n",
    );
    project.write(
        "rod.c",
        "#include <stdio.h>\n\
         int main(void)\n\
         {\n\
         \x20   double *u = cells(100), sum = 0;\n\
         \x20   for (int i = 0; i < 100; i++) u[i] = i * i;\n\
         \x20   for (int t = 0; t < 40; t++)\n\
         \x20       for (int i = 1; i < 99; i++) u[i] = (u[i - 1] + u[i + 1]) / 2;\n\
         \x20   for (int i = 0; i < 100; i++) sum += u[i];\n\
         \x20   printf(\"%.17g\\n\", sum);\n\
         \x20   free(u);\n\
         }\n",
    );
    let flags = ["-O2", "-include", "cells.h", "rod.c", "-o", "rod"];
    project.run(&[&["cc"][..], &flags].concat());
    let undisturbed = project.run(&["./rod"]);
    project.run(&[&["cccp-cc", "--cccp-auto", "cc"][..], &flags].concat());
    project.survives("./rod", &[], &undisturbed);
}
