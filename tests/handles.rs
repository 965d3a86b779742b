//! What a handle of a library or a descriptor of a file is follows from resolved types and from where values come from, never
//! from how they are spelt (S39).
//!
//! `handles/served` holds programs without directives that auto mode serves: killed at two checkpoints, each ends like the plain
//! program and leaves the same files. `handles/refused` holds those it refuses, with words of the messages in the first comment.
//! `handles/by_hand` holds programs with a wrong register: the messages name a cure, and with `-DCURED` it is in the program and
//! works. `handles/marked` holds programs with marks whose handles of MPI lie anywhere: they come back by themselves, on two and
//! four ranks. `handles/lock`: the library's own lock; `handles/held`: locks that cannot come back. `NAME_part.c` is a second file of `NAME.c`; a program that includes `mpi.h` runs on two ranks.

mod harness;

#[path = "handles/of_zlib.rs"]
mod of_zlib;

use std::path::{Path, PathBuf};
use std::process::Command;

use harness::{Build, Workplace, left, mpi_or_word, precompiler, root};

/// A program of one of the folders.
struct Case {
    name: String,
    files: Vec<PathBuf>,
    text: String,
    mpi: bool,
}

fn cases(folder: &str) -> Vec<Case> {
    let directory = root().join("tests/handles").join(folder);
    let entries = std::fs::read_dir(&directory).expect("a folder of cases");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name())
        .filter_map(|name| Some(name.to_str()?.strip_suffix(".c")?.to_owned()))
        .filter(|name| !name.ends_with("_part"))
        .collect();
    names.sort();
    let cases = names.into_iter().map(|name| {
        let first = directory.join(format!("{name}.c"));
        let text = std::fs::read_to_string(&first).expect("a case");
        let part = directory.join(format!("{name}_part.c"));
        let mpi = text.contains("<mpi.h>");
        Case {
            name,
            files: [first, part]
                .into_iter()
                .filter(|one| one.exists())
                .collect(),
            text,
            mpi,
        }
    });
    cases.filter(|case| !case.mpi || mpi_or_word()).collect()
}

impl Case {
    /// What the precompiler says, and whether it refuses.
    fn said(&self, flags: &[&str], out: &Path) -> (bool, String) {
        let mut tool = Command::new(precompiler());
        tool.args(["--cc", if self.mpi { "mpicc" } else { "gcc" }]);
        tool.args(flags).args(&self.files).arg("-d").arg(out);
        let output = tool.output().expect("the precompiler runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (!output.status.success(), said)
    }

    /// The words behind `refused:` in the first comment.
    fn words(&self) -> impl Iterator<Item = &str> {
        let comment = self.text.split_once("*/").expect("a first comment").0;
        let words = comment.split_once("refused:").expect("words").1;
        words.split('|').map(str::trim)
    }

    fn assert_refused(&self, flags: &[&str]) {
        let place = Workplace::new(&self.name);
        let (refused, said) = self.said(flags, place.path());
        assert!(refused, "{}: accepted\n{said}", self.name);
        for words in self.words() {
            assert!(said.contains(words), "{}: `{words}` in\n{said}", self.name);
        }
    }

    /// Where it is killed, and the passes from one checkpoint to the next. Ranks that do not wait for each other may be all the way
    /// apart: there is one checkpoint of all of them for sure only at the end.
    fn points(&self) -> &'static [(&'static str, &'static str)] {
        if self.text.contains("the ranks do not communicate") {
            &[("shutdown@0", "7")]
        } else {
            &[("checkpoint:3@0", "1"), ("checkpoint:8@0", "1")]
        }
    }

    /// Killed at checkpoints and run again, it ends like the plain program.
    fn assert_resumes(&self, flags: &[&str], cpp: &[&str]) {
        self.assert_resumes_with(if self.mpi { 2 } else { 1 }, flags, cpp);
    }

    fn assert_resumes_with(&self, ranks: usize, flags: &[&str], cpp: &[&str]) {
        let place = Workplace::new(&self.name);
        let build = Build::files(&self.files).mpi(self.mpi).careless();
        let plain = build.clone().plain().to(place.path(), "plain");
        let build = build.with(harness::Compiler::Gcc, &[&["-O1"], cpp].concat());
        let program = build.tool_flags(flags).to(place.path(), "program");
        let undisturbed = place.directory("undisturbed");
        let expected = plain.run(&undisturbed).ranks(ranks).well().output;
        for (point, every) in self.points() {
            let directory = place.directory(&point.replace([':', '@'], "-"));
            let run = || {
                let run = program.run(&directory).ranks(ranks);
                run.set("CCCP_WRITE", "synchronous")
                    .set("CCCP_EVERY", every)
            };
            run().kill_at(point);
            let outcome = run().well();
            let context = format!("{} at {point}:\n{}", self.name, outcome.errors);
            assert!(outcome.resumed(), "{context}");
            assert!(expected.ends_with(&outcome.output), "{context}");
            assert!(!outcome.output.is_empty(), "{context}");
            assert_eq!(
                left(&directory, "txt"),
                left(&undisturbed, "txt"),
                "{context}"
            );
        }
    }
}

#[test]
fn s39_handles_and_descriptors_come_back_whatever_their_types_are_called() {
    for case in cases("served") {
        case.assert_resumes(&["--auto", "--every", "1"], &[]);
    }
}

#[test]
fn s16_handles_of_mpi_in_registers_come_back_by_themselves() {
    for case in cases("marked") {
        for ranks in [2, 4] {
            case.assert_resumes_with(ranks, &[], &[]);
        }
    }
}

#[test]
fn s65_a_rank_whose_process_is_there_takes_no_checkpoint_and_no_restart_uses_those_of_the_others() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("command-of-a-rank");
    let build = Build::files(&["tests/handles/served/command_of_a_rank.c"]).mpi(true);
    let build = build.tool_flags(&["--auto", "--every", "1"]);
    let mut program = build.to(place.path(), "program");
    let directory = place.directory("killed");
    let run = || {
        let run = program.run(&directory).ranks(2);
        run.set("CCCP_WRITE", "synchronous")
    };
    // The process of the fourth pass is there at the fifth checkpoint.
    run().kill_at("checkpoint:6@0");
    let outcome = run().well();
    let said = &outcome.errors;
    assert!(said.contains("from generation 4,"), "{said}");
    let reason = "rank 1: warning: no checkpoint is taken at";
    assert_eq!(said.matches(reason).count(), 1, "{said}");
    assert!(!said.contains("rank 0: warning"), "{said}");
    // Without a launcher a process of MPI may start one for itself, which stays: no checkpoint waits for that.
    program.mpi = false;
    let directory = place.directory("alone");
    let run = || program.run(&directory).set("CCCP_WRITE", "synchronous");
    run().kill_at("checkpoint:12");
    let outcome = run().well();
    outcome.assert_resumed();
    assert!(outcome.output.starts_with("here "), "{}", outcome.errors);
}

/// A program with so many communicators, each made in a function of its own and asked in each pass.
fn communicators(count: usize) -> String {
    let each = |text: &str| -> String {
        let numbers = 0..count;
        numbers
            .map(|at| text.replace('#', &at.to_string()))
            .collect()
    };
    let made =
        "static MPI_Comm c#;\nstatic void make#(void) { MPI_Comm_dup(MPI_COMM_WORLD, &c#); }\n";
    let asked = "MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, c#);\nsum += all;\n";
    format!(
        "#include <mpi.h>\n#include <stdio.h>\n{}int main(int argc, char **argv)\n{{\nint step, rank;\ndouble sum = 0, all, mine;\n\
         MPI_Init(&argc, &argv);\nMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n{}for (step = 0; step < 12; step++) {{\nmine = rank * step;\n\
         {}}}\nif (rank == 0)\nprintf(\"%g\\n\", sum);\nMPI_Finalize();\nreturn 0;\n}}\n",
        each(made),
        each("make#();\n"),
        each(asked),
    )
}

#[test]
fn s16_where_very_many_blocks_would_make_handles_again_registers_bring_them() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("communicators");
    for (count, blocks) in [(100, 100), (101, 0)] {
        let text = communicators(count);
        let source = place.path().join(format!("communicators_{count}.c"));
        std::fs::write(&source, &text).expect("the directory is there");
        let case = Case {
            name: format!("communicators-{count}"),
            files: vec![source],
            text,
            mpi: true,
        };
        let out = place.directory(&format!("annotated-{count}"));
        let (is_refused, said) = case.said(&["--auto", "--annotate"], &out);
        assert!(!is_refused, "{said}");
        let annotated = left(&out, "c").into_iter();
        let annotated: Vec<u8> = annotated.flat_map(|(_, text)| text).collect();
        let annotated = String::from_utf8(annotated).expect("C is text");
        assert_eq!(annotated.matches("cccp execute on restart").count(), blocks);
        // With blocks it comes back as all others do.
        if blocks == 0 {
            case.assert_resumes(&["--auto"], &[]);
        }
    }
}

#[test]
fn s39_what_cannot_come_back_is_refused_with_its_reason() {
    for case in cases("refused") {
        case.assert_refused(&["--auto", "--heap=typed"]);
    }
}

#[test]
fn s39_a_registered_handle_is_refused_and_the_cure_works() {
    for case in cases("by_hand") {
        case.assert_refused(&["--deny", "incomplete"]);
        if case.text.contains("CURED") {
            let flags = ["--cpp-flag", "-DCURED", "--deny", "incomplete"];
            case.assert_resumes(&flags, &["-DCURED"]);
        }
    }
}

#[test]
fn s39_the_lock_of_the_library_is_never_taken_for_the_programs_file() {
    let place = Workplace::new("lock");
    let build = Build::files(&["tests/handles/lock/numbers.c"]);
    let expected = build.clone().plain().to(place.path(), "plain");
    let expected = expected.run(place.path()).well().output;
    let program = build.to(place.path(), "program");
    let directory = place.directory("killed");
    let killed = program.run(&directory).kill_at("published:3");
    let said = "it is the lock of cccp itself: the program opened no file under this number";
    assert_eq!(killed.errors.matches(said).count(), 1, "{}", killed.errors);
    let outcome = program.run(&directory).well();
    assert!(outcome.resumed(), "{}", outcome.errors);
    assert_eq!(outcome.output, expected);
}

#[test]
fn s08_a_handler_that_no_file_names_is_that_function_again_in_the_same_build_only() {
    let place = Workplace::new("unnamed");
    let build = |flag: &str| {
        let build = Build::files(&["tests/handles/unnamed/found.c"]);
        let build = build.with(harness::Compiler::Gcc, &["-rdynamic", flag]);
        build.careless().to(&place.directory(&flag[2..]), "program")
    };
    let (program, other) = (build("-DPLAIN"), build("-DUNUSED"));
    let directory = place.directory("killed");
    let run = || program.run(&directory).set("CCCP_EVERY", "1");
    let expected = program.run(&place.directory("undisturbed")).well().output;
    run().kill_at("published:7");
    run().kill_at("published:12");
    let outcome = other.run(&directory).go();
    let said = "the handler of signal 28 was the function +";
    outcome.assert_stopped(75, &[said, "execute on restart"]);
    let outcome = run().well();
    outcome.assert_resumed();
    assert_eq!(outcome.output, expected);
}

#[test]
fn s57_a_mutex_that_is_held_or_has_attributes_stops_the_first_checkpoint() {
    let place = Workplace::new("held");
    let build = Build::files(&["tests/handles/held/mutex.c"]).tool_flags(&["--auto"]);
    let program = build.clone().to(place.path(), "program");
    let one_file = build.with(harness::Compiler::Gcc, &["-static"]);
    let one_file = one_file.statically().careless();
    let one_file = one_file.to(place.path(), "one-file");
    for (linked, program) in [("shared", &program), ("static", &one_file)] {
        for which in ["held", "recursive"] {
            let directory = place.directory(&format!("{linked}-{which}"));
            let run = program.run(&directory).arguments(&[which]);
            let outcome = run.set("CCCP_EVERY", "1").go();
            let said = "the `pthread_mutex_t` of its element 0 is held by a thread, waited for, or has attributes of its own";
            outcome.assert_stopped(75, &["mutex.c:", "`guard`", said]);
        }
    }
    // Nothing initialises this one, or ends it: a program that is linked statically has no such functions.
    let build = Build::files(&["tests/handles/held/never_initialised.c"]).tool_flags(&["--auto"]);
    let build = build.with(harness::Compiler::Gcc, &["-static"]);
    let one_file = build.statically().careless().to(place.path(), "constant");
    let directory = place.directory("constant-held");
    let run = || one_file.run(&directory).set("CCCP_EVERY", "1");
    let said = "the `pthread_mutex_t` of its element 0 is held by a thread";
    let outcome = run().arguments(&["held"]).go();
    outcome.assert_stopped(75, &["never_initialised.c:", "`guard`", said]);
    let directory = place.directory("constant-free");
    let run = || one_file.run(&directory).set("CCCP_EVERY", "1");
    run().kill_at("published:7");
    let outcome = run().well();
    assert!(outcome.resumed(), "{}", outcome.errors);
    assert_eq!(outcome.output, "190\n");
    // Its type is said to be the one that it has anyway.
    let directory = place.directory("normal");
    let run = || {
        let run = program.run(&directory).arguments(&["normal"]);
        run.set("CCCP_EVERY", "1")
    };
    run().kill_at("published:7");
    let outcome = run().well();
    assert!(outcome.resumed(), "{}", outcome.errors);
    assert_eq!(outcome.output, "190\n");
}

/// Builds a program of `auto`, kills it at several checkpoints, and looks whether it ends as the plain one does.
fn is_made_again(name: &str, heap: &str, libraries: &[&str]) {
    let place = Workplace::new(&format!("{name}-{heap}-killed"));
    let flags = [&["-O2", "-no-pie", "-Wl,--no-as-needed"], libraries].concat();
    let build = Build::files(&[format!("tests/auto/{name}.c")]);
    // Some have a fixed heap, which is warned of.
    let build = build.with(harness::Compiler::Gcc, &flags).careless();
    let plain = build.clone().plain().to(place.path(), "plain");
    let chosen = format!("--heap={heap}");
    let flags: &[&str] = match heap {
        "automatic" => &["--auto"],
        _ => &["--auto", &chosen],
    };
    let program = build.tool_flags(flags).to(place.path(), "automatic");
    let expected = plain.run(place.path()).well().output;
    for kill in [1, 2, 9] {
        let directory = place.directory(&format!("killed-{kill}"));
        let run = || program.run(&directory).set("CCCP_WRITE", "synchronous");
        run().kill_at(&format!("published:{kill}"));
        run().kill_at("published:7").assert_resumed();
        let outcome = run().well();
        outcome.assert_resumed();
        assert_eq!(outcome.output, expected, "{name} killed at {kill}");
    }
}

#[test]
fn s08_s16_s34_plans_of_fftw_are_made_again_for_the_arrays_that_come_back() {
    if !harness::fftw_or_word() {
        return;
    }
    for (name, heap) in [
        ("plans", "automatic"),
        ("plans_named_arrays", "automatic"),
        ("plans_that_take_turns", "automatic"),
        ("plans_in_memory", "typed"),
        ("plans_in_memory", "fixed"),
        ("plans_measured", "automatic"),
        ("plans_of_scratch", "automatic"),
    ] {
        is_made_again(name, heap, &["-lfftw3", "-lfftw3f", "-lm"]);
    }
}

#[test]
fn s16_s34_generators_of_gsl_are_made_again_with_their_states() {
    if !harness::gsl_or_word() {
        return;
    }
    for heap in ["typed", "fixed"] {
        is_made_again("generators_of_gsl", heap, &["-lgsl", "-lgslcblas", "-lm"]);
    }
}

#[test]
fn s13_s28_vectors_and_matrices_of_gsl_are_memory_of_the_program() {
    if !harness::gsl_or_word() {
        return;
    }
    for heap in ["typed", "fixed"] {
        is_made_again("containers_of_gsl", heap, &["-lgsl", "-lgslcblas", "-lm"]);
    }
}

#[test]
fn s13_s28_numbers_of_gmp_are_memory_of_the_program() {
    if harness::gmp_or_word() {
        is_made_again("numbers_of_gmp", "typed", &["-lgmp"]);
    }
}

#[test]
fn s26_a_generator_of_gmp_is_refused_by_its_name_and_what_its_functions_for_limbs_do_is_known() {
    if !harness::gmp_or_word() {
        return;
    }
    let place = Workplace::new("generator-of-gmp");
    let text = "#include <gmp.h>\n#include <stdio.h>\nvoid __gmpn_mul_fft(mp_ptr, mp_size_t, mp_srcptr, mp_size_t, mp_srcptr, mp_size_t, int);\n\
                static mp_limb_t product[40], factor[20];\nint main(void)\n{\n    gmp_randstate_t state;\n    gmp_randinit_default(state);\n    \
                for (int step = 0; step < 20; step++)\n        for (int i = 0; i < 20; i++) {\n            \
                factor[i] += gmp_urandomm_ui(state, 1000);\n            __gmpn_mul_fft(product, 40, factor, 20, factor, 20, 4);\n        }\n    \
                printf(\"%lu %lu\\n\", product[3], factor[7]);\n    return 0;\n}\n";
    let source = place.write("main.c", text);
    let mut tool = std::process::Command::new(precompiler());
    let told = { tool.arg("--auto").arg(&source).output() }.expect("cccp-pp");
    let told = String::from_utf8_lossy(&told.stderr).into_owned();
    let reason = "it is a generator of random numbers (`gmp_randstate_t`)";
    let cure = "draw from `drand48` or `random`";
    assert!(told.contains(reason) && told.contains(cure), "{told}");
    assert!(!told.contains("unknown"), "{told}");
}

#[test]
fn s26_what_a_generator_has_drawn_is_missed_where_every_start_makes_it_and_nothing_registers_it() {
    if !harness::gsl_or_word() {
        return;
    }
    let place = Workplace::new("generator-of-starts");
    let text = |registered: &str| {
        format!(
            "#include <gsl/gsl_rng.h>\n#include <stdio.h>\nint main(void)\n{{\n    int step;\n    double sum = 0;\n    \
             gsl_rng *draws = gsl_rng_alloc(gsl_rng_taus);\n#pragma cccp init\n#pragma cccp register(step, sum{registered})\n    \
             for (step = 0; step < 20; step++) {{\n#pragma cccp checkpoint\n        sum += gsl_rng_uniform(draws);\n    }}\n\
             #pragma cccp shutdown\n    printf(\"%.17g\\n\", sum);\n    return 0;\n}}\n"
        )
    };
    let source = place.write("main.c", &text(""));
    let mut tool = std::process::Command::new(precompiler());
    let told = tool.arg(&source).output().expect("cccp-pp");
    let told = String::from_utf8_lossy(&told.stderr).into_owned();
    let said = "what `draws` has drawn is not restored";
    let cure = "write `#pragma cccp register(draws)` behind `init`";
    assert!(told.contains(said) && told.contains(cure), "{told}");
    place.write("main.c", &text(", draws"));
    let libraries = ["-O1", "-Wl,--no-as-needed", "-lgsl", "-lgslcblas", "-lm"];
    let build = Build::files(&[source]).with(harness::Compiler::Gcc, &libraries);
    let program = build.to(place.path(), "program");
    let expected = program.run(&place.directory("whole")).well().output;
    let directory = place.directory("killed");
    program.run(&directory).kill_at("published:7");
    let outcome = program.run(&directory).well();
    outcome.assert_resumed();
    assert_eq!(outcome.output, expected);
}

#[test]
fn s29_the_block_behind_a_pointer_is_not_all_of_a_matrix_of_gsl() {
    if !harness::gsl_or_word() {
        return;
    }
    let place = Workplace::new("matrix-of-gsl-by-hand");
    let text = |registered: &str| {
        format!(
            "#include <gsl/gsl_matrix.h>\n#include <stdio.h>\nint main(void)\n{{\n    int step;\n#pragma cccp init\n    \
             gsl_matrix *m = gsl_matrix_calloc(2, 2);\n#pragma cccp register(step, {registered})\n    \
             for (step = 0; step < 20; step++) {{\n#pragma cccp checkpoint\n        \
             gsl_matrix_set(m, 1, step % 2, gsl_matrix_get(m, 1, 0) + step);\n    }}\n\
             #pragma cccp shutdown\n    printf(\"%g %g\\n\", gsl_matrix_get(m, 1, 0), gsl_matrix_get(m, 1, 1));\n    return 0;\n}}\n"
        )
    };
    let source = place.write("main.c", &text("m[]"));
    let mut tool = std::process::Command::new(precompiler());
    let told = tool.arg(&source).output().expect("cccp-pp");
    let told = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(
        told.contains("CCCP302") && told.contains("register(follow(m))"),
        "{told}"
    );
    place.write("main.c", &text("follow(m)"));
    let libraries = ["-O1", "-Wl,--no-as-needed", "-lgsl", "-lgslcblas", "-lm"];
    let build = Build::files(&[source]).with(harness::Compiler::Gcc, &libraries);
    let program = build.to(place.path(), "program");
    let expected = program.run(&place.directory("whole")).well().output;
    let directory = place.directory("killed");
    program.run(&directory).kill_at("published:7");
    let outcome = program.run(&directory).well();
    outcome.assert_resumed();
    assert_eq!(outcome.output, expected);
}
