//! What is known of objects that cccp-cc has not compiled: what they can reach. Kernels stand for those in Fortran, C++ and assembler.

use crate::harness::mpi_or_word;
use crate::project::{Project, printed};

/// A ring of ranks whose kernel is elsewhere.
const RING: &str = "#include <mpi.h>\n#include <stdio.h>\n\
    void relax_(double *u, const int *n);\n\
    int main(int argc, char **argv)\n{\n    int rank, size, n = 100;\n    double u[100];\n\
    \x20   MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n\
    \x20   for (int i = 0; i < n; i++) u[i] = rank + i % 7;\n\
    \x20   for (int step = 0; step < 300; step++) {\n\
    \x20       MPI_Sendrecv(&u[n - 2], 1, MPI_DOUBLE, (rank + 1) % size, 1, &u[0], 1, MPI_DOUBLE,\n\
    \x20                    (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
    \x20       for (int i = 1; i < n - 1; i++) u[i] = (u[i - 1] + u[i + 1]) / 2;\n\
    \x20       relax_(u, &n);\n    }\n\
    \x20   printf(\"%.17g\\n\", u[50]);\n    MPI_Finalize();\n    return 0;\n}\n";

/// A kernel that uses another one.
const KERNEL: &str = "void scale_(double *u);\n\
    void relax_(double *u, const int *n) { for (int i = 1; i < *n; i++) u[i] = u[i - 1] / 3 + u[i]; scale_(u); }\n";
const SCALE: &str = "#include <math.h>\nvoid scale_(double *u) { u[1] = sqrt(u[1] * u[1] + 1); }\n";
const TALKING: &str =
    "void mpi_bcast_(double *u);\nvoid scale_(double *u) { if (u[0] < 0) mpi_bcast_(u); }\n";

fn ring(name: &str) -> Project {
    let project = Project::new(name);
    project.write("ring.c", RING);
    project.write("kernel.c", KERNEL);
    project.write("scale.c", SCALE);
    project.write("talking.c", TALKING);
    project.write("mpi.c", "void mpi_bcast_(double *u) { u[0] = 0; }\n");
    let plain = ["gcc", "-O1", "-fPIC", "-c"];
    project.run(&[&plain[..], &["kernel.c", "scale.c", "talking.c", "mpi.c"]].concat());
    project.run(&["cccp-cc", "mpicc", "-c", "ring.c"]);
    project
}

fn link(project: &Project, own: &str, objects: &[&str]) -> String {
    let words = [
        &["cccp-cc", own, "mpicc", "ring.o"],
        objects,
        &["-lm", "-o", "ring"],
    ];
    printed(&project.attempt(&words.concat()))
}

const UNKNOWN: &str = "It is unknown whether `relax_` communicates";

/// Objects, archives and libraries that reach no function of MPI send no messages, and checkpoints are between those of the program.
#[test]
fn what_cannot_reach_mpi_is_silent() {
    if !mpi_or_word() {
        return;
    }
    let project = ring("silent");
    project.run(&[
        "ar",
        "rcs",
        "libkernels.a",
        "kernel.o",
        "scale.o",
        "talking.o",
        "mpi.o",
    ]);
    project.run(&[
        "gcc",
        "-shared",
        "kernel.o",
        "scale.o",
        "-o",
        "libunknown.so",
        "-lm",
    ]);
    for objects in [
        &["kernel.o", "scale.o"][..],
        &["libkernels.a"],
        &["./libunknown.so"],
    ] {
        link(&project, "--cccp-off", objects);
        let undisturbed = project.run(&["./ring"]);
        let told = link(&project, "--cccp-auto", objects);
        assert!(!told.contains(UNKNOWN), "{told}");
        assert!(told.contains("in the loop at line 12"), "{told}");
        project.survives("./ring", &[], &undisturbed);
    }
}

/// Where a way leads to MPI, or to what can lead everywhere, it is told with the object and the name.
#[test]
fn what_may_reach_mpi_is_named_with_its_object() {
    if !mpi_or_word() {
        return;
    }
    let project = ring("reaching");
    project.run(&["ar", "rcs", "libtalks.a", "talking.o", "mpi.o"]);
    project.run(&[
        "gcc",
        "-shared",
        "kernel.o",
        "talking.o",
        "mpi.o",
        "-o",
        "libunknown.so",
    ]);
    let other = |name: &str, text: &str| {
        project.write(&format!("{name}.c"), text);
        project.run(&["gcc", "-c", &format!("{name}.c")]);
    };
    other(
        "loading",
        "void *dlsym(void *, const char *);\nvoid scale_(double *u) { void (*f)(double *) = (void (*)(double *))dlsym(0, \"f\"); f(u); }\n",
    );
    // Nothing in the kernel names what is handed to it.
    other(
        "hooked",
        "static void (*hook)(double *);\nvoid set_(void (*f)(double *)) { hook = f; }\n\
        void relax_(double *u, const int *n) { if (hook) hook(u + *n / 2); }\n",
    );
    other(
        "hooking",
        "void set_(void (*f)(double *));\nvoid mpi_bcast_(double *u);\nvoid begin_(void) { set_(mpi_bcast_); }\n",
    );
    let way = |objects: &[&str], way: &str| {
        let told = link(&project, "--cccp-auto", objects);
        assert!(
            told.contains(&format!("{UNKNOWN}: it is in {way}")),
            "{told}"
        );
    };
    way(
        &["kernel.o", "talking.o", "mpi.o"],
        "kernel.o, which is not seen and leads to talking.o, which uses `mpi_bcast_`",
    );
    way(
        &["kernel.o", "libtalks.a"],
        "kernel.o, which is not seen and leads to libtalks.a(talking.o), which uses `mpi_bcast_`",
    );
    way(
        &["./libunknown.so"],
        "./libunknown.so, which is not seen and uses `mpi_bcast_`",
    );
    way(
        &["kernel.o", "loading.o"],
        "kernel.o, which is not seen and leads to loading.o, which uses `dlsym`",
    );
    way(
        &["hooked.o", "hooking.o", "mpi.o"],
        "hooked.o, which is not seen and leads to hooking.o, which uses `mpi_bcast_`",
    );
}

/// What is handed a function calls it: one that is silent, one that communicates, one of MPI.
#[test]
fn what_is_called_back_counts_as_what_it_does() {
    if !mpi_or_word() {
        return;
    }
    let project = ring("called-back");
    project.write(
        "back.c",
        "void relax_(double *u, const int *n);\nvoid apply_(int (*f)(void *), void *p) { f(p); }\n\
         void relax_(double *u, const int *n) { u[*n / 2] += 1; }\n",
    );
    project.run(&["gcc", "-c", "back.c"]);
    let ring = RING.replace("relax_(u, &n);", "relax_(u, &n); apply_(BACK);").replace(
        "int main",
        "void apply_(int (*f)(void *), void *p);\nstatic int add(void *u) { return ((double *)u)[1] += 1; }\n\
         static int talk(void *u) { return MPI_Bcast(u, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); }\nint main",
    );
    project.write("ring.c", &ring);
    let told = |back: &str| {
        project.run(&[
            "cccp-cc",
            "mpicc",
            &format!("-DBACK={back}"),
            "-c",
            "ring.c",
        ]);
        link(&project, "--cccp-auto", &["back.o"])
    };
    let unknown = "It is unknown whether";
    let silent = told("add, u");
    assert!(!silent.contains(unknown), "{silent}");
    let called = told("talk, u");
    assert!(called.contains(unknown), "{called}");
    let of_mpi = told("(int (*)(void *))MPI_Barrier, MPI_COMM_WORLD");
    assert!(of_mpi.contains(unknown), "{of_mpi}");
}

const SHARED: &str = "#include <stdio.h>\nextern struct { double by; long calls; } params_;\nvoid grow_(double *u);\n\
    int main(void)\n{\n    double u[100] = {0};\n    for (int step = 0; step < 300; step++) {\n        grow_(u);\n\
    \x20       for (int i = 1; i < 100; i++) u[i] = u[i - 1] / 2 + params_.by;\n    }\n\
    \x20   printf(\"%.17g %ld\\n\", u[99], params_.calls);\n    return 0;\n}\n";

/// Variables that a kernel defines and the program reads, as COMMON blocks of Fortran, are saved, though only the kernel stores to them.
#[test]
fn variables_that_a_kernel_shares_with_the_program_are_saved() {
    let project = Project::new("shared");
    project.write("main.c", SHARED);
    project.write(
        "grow.c",
        "struct { double by; long calls; } params_;\nvoid grow_(double *u) { params_.by += 0.5; u[0] += ++params_.calls; }\n",
    );
    project.run(&["cccp-cc", "gcc", "-c", "main.c"]);
    for common in ["-fcommon", "-fno-common"] {
        project.run(&["gcc", common, "-c", "grow.c"]);
        let words = ["gcc", "main.o", "grow.o", "-o", "all"];
        project.run(&words);
        let undisturbed = project.run(&["./all"]);
        project.run(&[&["cccp-cc", "--cccp-auto"], &words[..]].concat());
        project.survives("./all", &[], &undisturbed);
    }
    // Where both define it, the linker makes one of them.
    project.run(&["gcc", "-fcommon", "-c", "grow.c"]);
    project.edit("main.c", "extern struct", "struct");
    project.run(&["cccp-cc", "gcc", "-c", "main.c"]);
    let refused = project.attempt(&[
        "cccp-cc",
        "--cccp-auto",
        "gcc",
        "main.o",
        "grow.o",
        "-o",
        "all",
    ]);
    let told = printed(&refused);
    assert!(
        told.contains("grow.o uses `params_` of the program"),
        "{told}"
    );
}

/// What an object keeps to itself no checkpoint holds, which is said with the names.
#[test]
fn variables_that_objects_keep_to_themselves_are_named() {
    let project = Project::new("kept");
    project.write("main.c", SHARED);
    project.write(
        "grow.c",
        "struct { double by; long calls; } params_;\nstatic const double table[2] = {1, 2};\nstatic long own;\n\
         void grow_(double *u) { params_.by += table[own++ % 2]; *u = own; }\n",
    );
    project.run(&["cccp-cc", "gcc", "-c", "main.c"]);
    project.run(&["gcc", "-c", "grow.c"]);
    let told = project.run(&[
        "cccp-cc",
        "--cccp-auto",
        "gcc",
        "main.o",
        "grow.o",
        "-o",
        "all",
    ]);
    let warning =
        "warning: grow.o has 8 bytes of variables of its own, which no checkpoint holds (`own`)";
    assert!(told.contains(warning), "{told}");
    // Of many objects one message.
    project.write(
        "more.c",
        "static long first, second, third; long more(void) { return first++ + second++ + third++; }\n",
    );
    project.run(&["gcc", "-c", "more.c"]);
    let words = ["main.o", "grow.o", "more.o", "-o", "all"];
    let told = project.run(&[&["cccp-cc", "--cccp-auto", "gcc"], &words[..]].concat());
    let warning = "warning: grow.o, more.o have 32 bytes of variables of their own";
    assert_eq!(told.matches(warning).count(), 1, "{told}");
    assert!(
        told.contains(", ...): a restart is right only if"),
        "{told}"
    );
}
