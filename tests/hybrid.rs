//! MPI and OpenMP together: the time loop stands in a parallel region of each rank (S50, S59, S61, S62; design of regions).
//!
//! `hybrid/ring.c` is a ring of ranks whose teams have different sizes. What is tried is a variant of it: who sends, and what MPI
//! was asked for.

mod harness;

use std::process::Command;

use harness::{Build, Compiler, Program, Run, Workplace, mpi_or_word, precompiler, root};

/// Any thread may send, one at a time.
const ANY_THREAD: [(&str, &str); 2] = [("FUNNELED", "SERIALIZED"), ("omp master", "omp single")];
const COUNTED: [(&str, &str); 1] = [("cccp checkpoint", "cccp checkpoint messages(counted)")];
const UNMARKED: [(&str, &str); 1] = [("#pragma cccp", "// #pragma cccp")];

/// The program with other words.
fn variant(changes: &[(&str, &str)]) -> String {
    variant_of("ring.c", changes)
}

fn variant_of(file: &str, changes: &[(&str, &str)]) -> String {
    let text =
        std::fs::read_to_string(root().join("tests/hybrid").join(file)).expect("the program");
    changes.iter().fold(text, |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

struct Trial {
    place: Workplace,
    program: Program,
    plain: Program,
}

impl Trial {
    /// Three ranks in a directory of that name, which may be there.
    fn run(&self, program: &Program, name: &str) -> Run {
        let directory = self.place.join(name);
        let directory = match directory.exists() {
            true => directory,
            false => self.place.directory(name),
        };
        // More threads than cores: who waits must not spin.
        let run = program.run(&directory).ranks(3);
        run.set("OMP_WAIT_POLICY", "passive")
    }
}

fn built(name: &str, changes: &[(&str, &str)], flags: &[&str]) -> Trial {
    built_of(name, &variant(changes), flags, false)
}

fn built_of(name: &str, text: &str, flags: &[&str], is_careless: bool) -> Trial {
    let place = Workplace::new(&format!("hybrid-{name}"));
    let source = place.write("ring.c", text);
    let build = Build::files(&[source]).mpi(true);
    let build = match is_careless {
        true => build.careless(),
        false => build,
    };
    let build = build.with(Compiler::Gcc, &["-O2", "-fopenmp", "-lm"]);
    let flags: Vec<&str> = flags
        .iter()
        .copied()
        .chain(["--cpp-flag", "-fopenmp"])
        .collect();
    let program = build.clone().tool_flags(&flags).to(place.path(), "served");
    let plain = build.plain().to(place.path(), "plain");
    Trial {
        place,
        program,
        plain,
    }
}

/// Killed at checkpoints, on one rank or another, it goes on as if nothing had been.
fn survives(name: &str, changes: &[(&str, &str)], flags: &[&str]) {
    let trial = built(name, changes, flags);
    let expected = trial.run(&trial.plain, "expected").well().output;
    assert_eq!(expected.lines().count(), 3, "{expected}");
    for point in ["checkpoint:3", "checkpoint:9@1", "published:5@2"] {
        let run = || trial.run(&trial.program, point);
        run().set("CCCP_EVERY", "4").kill_at(point);
        let resumed = run().well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, expected, "{name}: {}", resumed.errors);
    }
}

#[test]
fn s61_each_rank_comes_back_with_its_own_team() {
    if mpi_or_word() {
        survives("funneled", &[], &[]);
        survives("serialized", &ANY_THREAD, &[]);
    }
}

#[test]
fn s61_messages_are_counted_where_one_thread_sends() {
    if mpi_or_word() {
        survives("counted", &COUNTED, &[]);
        let any: Vec<_> = COUNTED.into_iter().chain(ANY_THREAD).collect();
        survives("counted-any", &any, &[]);
    }
}

#[test]
fn s61_s62_auto_mode_follows_messages_of_one_thread_in_a_region() {
    if mpi_or_word() {
        let any: Vec<_> = UNMARKED.into_iter().chain(ANY_THREAD).collect();
        survives("auto", &UNMARKED, &["--auto"]);
        survives("auto-any", &any, &["--auto"]);
    }
}

/// By time the ranks have to talk about it. Where any thread may be using MPI, they do so while all of them stand still.
#[test]
fn s61_ranks_agree_on_checkpoints_by_time_whichever_thread_sends() {
    if !mpi_or_word() {
        return;
    }
    for (name, changes) in [("main", &[][..]), ("any", &ANY_THREAD[..])] {
        let longer = changes
            .iter()
            .copied()
            .chain([("steps = 60", "steps = 300")]);
        let trial = built(&format!("time-{name}"), &longer.collect::<Vec<_>>(), &[]);
        let run = |name: &str| {
            let run = trial.run(&trial.program, name);
            run.set("CCCP_CLOCK", "1").set("CCCP_INTERVAL", "90s")
        };
        let expected = trial.run(&trial.plain, "expected").well().output;
        let whole = run("whole").set("CCCP_SUMMARY", "on").well();
        assert_eq!(whole.output, expected);
        whole.assert_said(&["checkpoints, "]);
        run("killed").kill_at("published:2@1");
        let resumed = run("killed").well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, expected, "{name}: {}", resumed.errors);
    }
}

/// One thread of one rank hears of it, while all threads of all ranks compute.
#[test]
fn s18_s38_s61_a_signal_to_one_thread_ends_all_ranks_behind_the_same_checkpoint() {
    if !mpi_or_word() {
        return;
    }
    let asked = "seed = (step == 40 && rank == 1 && omp_get_thread_num() == 1 && raise(SIGTERM) ? 0 : seed) * 1103515245u + 12345u;";
    let signal = [
        ("#include <omp.h>", "#include <omp.h>\n#include <signal.h>"),
        ("seed = seed * 1103515245u + 12345u;", asked),
    ];
    let plain: Vec<_> = [("steps = 60", "steps = 300")]
        .into_iter()
        .chain(ANY_THREAD)
        .collect();
    let asked: Vec<_> = plain.iter().copied().chain(signal).collect();
    let undisturbed = built("unasked", &plain, &[]);
    let expected = undisturbed.run(&undisturbed.plain, "expected").well();
    let trial = built("asked", &asked, &[]);
    // Checkpoints by calls slow the run down, so that the ranks have time to agree.
    let run = || {
        let run = trial.run(&trial.program, "run").set("CCCP_EVERY", "1");
        run.set("CCCP_INTERVAL", "off")
    };
    run()
        .go()
        .assert_stopped(85, &["is complete", "exit status 85"]);
    let resumed = run().well();
    resumed.assert_resumed();
    assert_eq!(resumed.output, expected.output, "{}", resumed.errors);
}

/// What the precompiler says to a variant, and its exit status.
fn said(name: &str, changes: &[(&str, &str)], flags: &[&str]) -> (Option<i32>, String) {
    let place = Workplace::new(&format!("hybrid-{name}"));
    let source = place.write("ring.c", &variant(changes));
    let mut command = Command::new(precompiler());
    command.args(flags).args(["--cc", "mpicc", "-fopenmp"]);
    let output = command.arg(source).output().expect("the precompiler");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), errors)
}

#[test]
fn s61_messages_of_several_threads_are_named_with_their_line() {
    if !mpi_or_word() {
        return;
    }
    let by_all = [("FUNNELED", "MULTIPLE"), ("#pragma omp master", "")];
    let in_section = [("omp master", "omp critical")];
    for changes in [&by_all[..], &in_section[..]] {
        let all: Vec<_> = UNMARKED.iter().chain(changes).copied().collect();
        let (code, errors) = said("several", &all, &["--auto"]);
        assert_eq!(code, Some(1), "{errors}");
        let said = "Several threads of a team may call `MPI_Sendrecv`, each for itself";
        assert!(errors.contains(said), "{errors}");
        assert!(errors.contains("(line 34)"), "{errors}");
    }
}

#[test]
fn s51_s61_threads_of_ranks_have_to_pass_equally_often() {
    if !mpi_or_word() {
        return;
    }
    let unequal = [("step < steps", "step < steps + omp_get_thread_num()")];
    let (code, errors) = said("unequal", &unequal, &[]);
    assert_eq!(code, Some(0), "{errors}");
    for word in ["warning[CCCP312]", "how many the initial thread has passed"] {
        assert!(errors.contains(word), "{errors}");
    }
}

/// Ranks agree by what initial threads pass, and those of inner teams pass none for them: no checkpoint is taken there, which is said before
/// the run and in it, and the run is right. Auto mode takes them outside.
#[test]
fn s50_s61_regions_inside_of_regions_of_ranks_have_their_checkpoints_outside() {
    if !mpi_or_word() {
        return;
    }
    let text = variant_of("nested.c", &[]);
    let trial = built_of("nested", &text, &[], true);
    let expected = trial.run(&trial.plain, "expected").well().output;
    let by_hand = trial
        .run(&trial.program, "by-hand")
        .set("CCCP_EVERY", "1")
        .well();
    assert_eq!(by_hand.output, expected, "{}", by_hand.errors);
    let said = "inside of nested parallel regions is not taken";
    assert!(
        by_hand.errors.contains(said) && by_hand.errors.contains("the program uses MPI"),
        "{}",
        by_hand.errors
    );
    let auto = built_of(
        "nested-auto",
        &variant_of("nested.c", &UNMARKED),
        &["--auto"],
        false,
    );
    for point in ["checkpoint:3", "published:7@1"] {
        let run = || auto.run(&auto.program, point).set("CCCP_EVERY", "1");
        run().kill_at(point);
        let resumed = run().well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, expected, "{}", resumed.errors);
    }
}
