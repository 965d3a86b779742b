//! Counted messages, with real MPI: a program that counts them restarts from generations over which none is in flight, and
//! from no other one, whatever it sends.
//!
//! The programs are compiled with `CCCP_MESSAGES`, as the precompiler has them for `messages(counted)`.

mod harness;

use std::process::Command;

use harness::{
    Build, Checkpoints, Compiler, Outcome, Program, Run, Workplace, mpi_or_word, precompiler, root,
};

/// The exit status of a restart that is impossible.
const STOPPED: i32 = 75;

/// A program of `messages/`, counted and plain.
struct Trial {
    place: Workplace,
    counted: Program,
    plain: Program,
    ranks: usize,
}

impl Trial {
    fn new(name: &str, source: &str, ranks: usize) -> Trial {
        let place = Workplace::new(name);
        let build = Build::files(&[format!("tests/messages/{source}.c")])
            .mpi(true)
            // What is done wrong here on purpose is warned of.
            .careless()
            .unpoisoned();
        let flags = ["-O2", "-DCCCP_MESSAGES"];
        let counted = build.clone().with(Compiler::Gcc, &flags);
        Trial {
            counted: counted.to(place.path(), "counted"),
            plain: build.plain().to(place.path(), "plain"),
            place,
            ranks,
        }
    }

    fn run(&self, way: &str) -> Run {
        let run = self.counted.run(self.place.path()).ranks(self.ranks);
        run.arguments(&[way])
            .set("CCCP_DIR", way)
            .set("CCCP_WRITE", "synchronous")
    }

    fn expected(&self, way: &str) -> String {
        let run = self.plain.run(self.place.path()).ranks(self.ranks);
        run.arguments(&[way]).well().output
    }

    /// A run that is killed at the sixth checkpoint, and the next one.
    fn killed_and_run_again(&self, way: &str) -> (Outcome, Outcome) {
        let killed = self.run(way).kill_at("checkpoint:6@1");
        (killed, self.run(way).go())
    }
}

fn went_well(outcome: &Outcome, expected: &str) {
    assert!(outcome.status.success(), "{}", outcome.errors);
    assert_eq!(outcome.output, expected, "{}", outcome.errors);
}

fn stopped(outcome: &Outcome, words: &[&str]) {
    assert_eq!(outcome.status.code(), Some(STOPPED), "{}", outcome.errors);
    for word in words {
        assert!(outcome.errors.contains(word), "{word}: {}", outcome.errors);
    }
}

/// Killed after some checkpoints, it ends like an undisturbed run, and nothing is passed over.
fn comes_back(name: &str, ways: &[&str], ranks: usize) {
    comes_back_from("whole", name, ways, ranks);
}

/// The same of another program.
fn comes_back_from(program: &str, name: &str, ways: &[&str], ranks: usize) {
    if !mpi_or_word() {
        return;
    }
    let trial = Trial::new(name, program, ranks);
    for way in ways {
        let expected = trial.expected(way);
        for point in ["checkpoint:3@1", "checkpoint:9@0"] {
            let killed = trial.run(way).kill_at(point);
            assert!(!killed.errors.contains("warning"), "{}", killed.errors);
        }
        let outcome = trial.run(way).go();
        went_well(&outcome, &expected);
        let errors = &outcome.errors;
        assert!(errors.contains("restart of counted"), "{way}: {errors}");
        assert!(!errors.contains("passed over"), "{way}: {errors}");
    }
}

#[test]
fn s17_blocking_messages_and_those_of_any_rank_are_counted() {
    comes_back("messages-blocking", &["ring", "workers", "matched"], 4);
}

#[test]
fn s17_s31_requests_are_counted_however_they_are_completed() {
    comes_back("messages-requests", &["requests", "persistent"], 3);
}

#[test]
fn s31_requests_that_are_complete_are_not_in_flight_though_nobody_asks() {
    comes_back_from("unasked", "messages-unasked", &["received"], 3);
}

#[test]
fn s31_sends_that_are_complete_are_not_in_flight_though_the_program_waits_for_them_later() {
    let ways = ["awaited", "tested", "never"];
    comes_back_from("awaited", "messages-awaited", &ways, 3);
}

#[test]
fn s31_a_send_is_not_in_flight_when_a_receive_is_stored_in_its_request() {
    comes_back_from("overwritten", "messages-overwritten", &["line"], 3);
}

#[test]
fn s31_receives_that_were_cancelled_have_received_nothing() {
    let ways = ["awaited", "tested", "listed", "persistent"];
    comes_back_from("cancelled", "messages-cancelled", &ways, 3);
}

/// After a restart a send that was complete is `MPI_REQUEST_NULL`, or complete where the program can tell them apart.
#[test]
fn s31_sends_come_back_complete_where_the_program_can_tell_them_from_none() {
    if !mpi_or_word() {
        return;
    }
    let any = "MPI_Waitany(1, &sent, &x, MPI_STATUS_IGNORE);";
    for (name, init, at_begin, is_dropped) in [
        ("waits", "init", "MPI_Wait(&sent, MPI_STATUS_IGNORE);", true),
        (
            "tests",
            "init",
            "MPI_Test(&sent, &x, MPI_STATUS_IGNORE);",
            true,
        ),
        ("any", "init", any, false),
        (
            "compares",
            "init",
            "if (sent == MPI_REQUEST_NULL) x++; MPI_Wait(&sent, MPI_STATUS_IGNORE);",
            false,
        ),
        (
            "copies",
            "init",
            "{ MPI_Request copy = sent; MPI_Wait(&copy, MPI_STATUS_IGNORE); }",
            false,
        ),
        ("frees", "init", "if (step) MPI_Request_free(&sent);", false),
        (
            "looks",
            "init",
            "x += memcmp(&sent, &none, sizeof sent) != 0; MPI_Wait(&sent, MPI_STATUS_IGNORE);",
            false,
        ),
        (
            "heap",
            "init heap(fixed)",
            "MPI_Wait(&sent, MPI_STATUS_IGNORE);",
            false,
        ),
    ] {
        let place = Workplace::new(name);
        let source = format!(
            "#include <mpi.h>\n#include <stdio.h>\n#include <string.h>\nint main(int argc, char **argv)\n{{\n    int x = 1, y = 0, step, rank, size;\n    \
             MPI_Request sent = MPI_REQUEST_NULL, none = MPI_REQUEST_NULL;\n    MPI_Init(&argc, &argv);\n#pragma cccp {init}\n    \
             MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n#pragma cccp register(x, y, step, rank, size, sent, none)\n    \
             for (step = 0; step < 9; step++) {{\n#pragma cccp checkpoint messages(counted)\n        {at_begin}\n        \
             MPI_Isend(&x, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &sent);\n        \
             MPI_Recv(&y, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n    }}\n    \
             printf(\"%d\\n\", x + y);\n    MPI_Finalize();\n    return 0;\n}}\n"
        );
        place.write("main.c", &source);
        let mut tool = Command::new(precompiler());
        tool.args(["--mpi", "--cc", "mpicc", "main.c"]);
        let output = tool.current_dir(place.path()).output();
        let output = output.expect("the precompiler runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{name}: {said}");
        let written = String::from_utf8_lossy(&output.stdout).into_owned();
        let drops = [
            "CCCP_SENDS_DROPPED",
            "CCCP_SENDS_REMADE",
            "CCCP_REQUESTS_DROPPED",
        ];
        let drops = drops.map(|one| written.contains(&format!("#define {one}")));
        assert_eq!(drops, [is_dropped, !is_dropped, false], "{name}: {said}");
    }
}

#[test]
fn s17_communicators_with_equal_ranks_and_tags_are_told_apart() {
    comes_back("messages-communicators", &["communicators"], 4);
}

#[test]
fn s17_collective_calls_are_counted() {
    comes_back("messages-collectives", &["collectives"], 2);
}

#[test]
fn s17_s31_no_restart_is_made_from_a_checkpoint_that_messages_cross() {
    if !mpi_or_word() {
        return;
    }
    let trial = Trial::new("messages-crossed", "crossed", 3);
    for (way, words) in [
        ("message", "messages between ranks were in flight"),
        ("collective", "messages between ranks were in flight"),
        ("request", "rank 1 had requests in flight"),
    ] {
        let (killed, outcome) = trial.killed_and_run_again(way);
        stopped(
            &outcome,
            &[
                "is passed over: ",
                words,
                "no older generation",
                "restart=fresh",
            ],
        );
        let warned = killed.errors.matches("is not complete at a checkpoint");
        assert_eq!(warned.count(), usize::from(way == "request"), "{way}");
        // Once, and before anybody is killed.
        let warned = killed
            .errors
            .matches("no restart can be made from generation");
        assert_eq!(warned.count(), 1, "{way}: {}", killed.errors);
        if way == "request" {
            assert!(killed.errors.contains("MPI_Irecv from rank 0, tag 6"));
        }
        let fresh = trial.run(way).set("CCCP_RESTART", "fresh").go();
        went_well(&fresh, &trial.expected(way));
    }
}

#[test]
fn s17_s31_the_newest_checkpoint_that_no_message_crosses_is_taken() {
    if !mpi_or_word() {
        return;
    }
    let trial = Trial::new("messages-newest", "crossed", 2);
    let expected = trial.expected("every-second");
    let (_, outcome) = trial.killed_and_run_again("every-second");
    went_well(&outcome, &expected);
    for words in ["generation 5 is passed over", "from generation 4,"] {
        assert!(outcome.errors.contains(words), "{}", outcome.errors);
    }
}

#[test]
fn s19_s31_the_newest_checkpoint_that_no_message_crosses_stays_until_there_is_a_newer_one() {
    if !mpi_or_word() {
        return;
    }
    let trial = Trial::new("messages-kept", "crossed", 2);
    let expected = trial.expected("every-second");
    let run = || trial.run("every-second").set("CCCP_KEEP", "1");
    run().kill_at("checkpoint:6@1");
    let outcome = run().go();
    went_well(&outcome, &expected);
    let from = "restart of counted from generation 4,";
    assert!(outcome.errors.contains(from), "{}", outcome.errors);
    // The one that is kept, the spared one, and the one that the other rank had not written yet.
    let files = Checkpoints::at(trial.place.path().join("every-second"));
    for rank in 0..2 {
        let published = files.published(rank);
        assert!(published.len() <= 3, "{published:?}");
    }
}

#[test]
fn s17_what_is_under_way_at_init_stops_the_program() {
    if !mpi_or_word() {
        return;
    }
    let trial = Trial::new("messages-init", "crossed", 2);
    for (way, words) in [
        ("init", "a message was sent before init"),
        (
            "init-request",
            "MPI_Irecv from any rank, tag 5 is not complete",
        ),
    ] {
        let outcome = trial.run(way).go();
        stopped(&outcome, &["in flight where init stands", words]);
        let lines = outcome.errors.matches("cannot start");
        assert_eq!(lines.count(), 1, "{}", outcome.errors);
        let none = Checkpoints::at(trial.place.path().join(way)).generations();
        assert!(none.is_empty(), "{none:?}");
    }
}

#[test]
fn s17_checkpoints_of_a_program_that_did_not_count_are_passed_over_by_one_that_does() {
    if !mpi_or_word() {
        return;
    }
    let trial = Trial::new("messages-uncounted", "crossed", 2);
    let uncounted = Build::files(&["tests/messages/crossed.c"])
        .mpi(true)
        .careless()
        .unpoisoned()
        .to(&trial.place.path().join("counted.parts"), "counted");
    let run = |program: &Program| {
        let run = program.run(trial.place.path()).ranks(2);
        run.arguments(&["none"]).set("CCCP_DIR", "none")
    };
    run(&uncounted).kill_at("checkpoint:6@1");
    let outcome = run(&trial.counted).go();
    stopped(&outcome, &["did not count them"]);
    // And the other way round: what was counted is known, whoever restarts.
    trial.run("message").kill_at("checkpoint:6@1");
    let outcome = run(&uncounted)
        .arguments(&["message"])
        .set("CCCP_DIR", "message")
        .go();
    stopped(&outcome, &["messages between ranks were in flight"]);
}

/// A library whose header has no word of MPI cannot send by itself; what it calls back can, and so can what the program declares itself.
#[test]
fn a_library_that_knows_nothing_of_mpi_is_not_taken_to_communicate() {
    if !mpi_or_word() {
        return;
    }
    let plain = "int tune(int step, int (*ask)(int));\n";
    let knowing =
        "#include <mpi.h>\nint tune(int step, int (*ask)(int));\nint tune_all(MPI_Comm comm);\n";
    let own = "static int ask(int step) { return step + 1; }\n";
    let sends = "static int ask(int step) { int all; MPI_Allreduce(&step, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); return all; }\n";
    for (name, header, include, ask, is_safe) in [
        ("ignorant", plain, "#include <tune.h>\n", own, true),
        ("knowing", knowing, "#include <tune.h>\n", own, false),
        ("declared", plain, plain, own, false),
        ("calls-back", plain, "#include <tune.h>\n", sends, false),
    ] {
        let place = Workplace::new(name);
        let headers = place.directory("headers");
        std::fs::write(headers.join("tune.h"), header).expect("the header");
        let source = format!(
            "#include <mpi.h>\n#include <stdio.h>\n{include}{ask}int main(int argc, char **argv)\n{{\n    int x = 1, all = 0;\n    MPI_Init(&argc, &argv);\n    \
             for (int step = 0; step < 500; step++) {{\n        x = tune(step + x, ask);\n        MPI_Allreduce(&x, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);\n        \
             x = all % 7;\n    }}\n    printf(\"%d\\n\", x);\n    MPI_Finalize();\n    return 0;\n}}\n"
        );
        place.write("main.c", &source);
        let mut tool = Command::new(precompiler());
        tool.args(["--auto", "--cc", "mpicc", "-isystem", "headers", "main.c"]);
        let output = tool.current_dir(place.path()).output();
        let output = output.expect("the precompiler runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_told = said.contains("communicates");
        assert_eq!(is_told, !is_safe, "{name}: {said}");
    }
}

/// With ranks 0 and 1 in every run with messages, one that never takes its part makes all checkpoints worthless.
#[test]
fn s18_a_rank_that_never_comes_to_a_checkpoint_is_told_before_the_run() {
    if !mpi_or_word() {
        return;
    }
    let work = "for (step = 0; step < 9; step++) {\n#pragma cccp checkpoint messages(counted)\n        x += step; }";
    let cases: [(&str, &str, String, Option<&str>); 7] = [
        (
            "handed-out",
            "",
            format!("if (rank == 0) x = 3; else {work}"),
            Some("rank 0 never"),
        ),
        (
            "collected",
            "",
            format!("if (rank == 0) {work}"),
            Some("rank 1 never"),
        ),
        (
            "function",
            "static void work(void) { int step; double x = 1;\n#pragma cccp register(step, x)\n    WORK }",
            "if (rank != 0) work();".to_string(),
            Some("rank 0 never"),
        ),
        (
            "early",
            "",
            format!("if (!rank) {{ MPI_Finalize(); return 0; }} {work}"),
            Some("rank 0 never"),
        ),
        (
            "both",
            "",
            format!("if (rank == 0) {work} else {work}"),
            None,
        ),
        (
            "many",
            "",
            format!("if (rank < 2 || size > 7) {work}"),
            None,
        ),
        ("all", "", work.to_string(), None),
    ];
    for (name, before, body, wanted) in cases {
        let place = Workplace::new(name);
        let before = before.replace("WORK", work);
        let source = format!(
            "#include <mpi.h>\n#include <stdio.h>\n{before}\nint main(int argc, char **argv)\n{{\n    int rank, size, step = 0;\n    double x = 1;\n    \
             MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n\
             #pragma cccp init\n#pragma cccp register(rank, size, step, x)\n    {body}\n    printf(\"%g\\n\", x);\n    MPI_Finalize();\n    return 0;\n}}\n"
        );
        place.write("main.c", &source);
        let mut tool = Command::new(precompiler());
        tool.args(["--cc", "mpicc", "main.c"]);
        let output = tool.current_dir(place.path()).output();
        let output = output.expect("the precompiler runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{name}: {said}");
        let is_told = said.contains("warning[CCCP317]");
        assert_eq!(is_told, wanted.is_some(), "{name}: {said}");
        assert!(said.contains(wanted.unwrap_or("")), "{name}: {said}");
    }
}

#[test]
fn loops_that_are_counted_for_the_same_reason_are_told_together() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("together");
    let source = "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv)\n{\n    int rank, n, set, steps = atoi(argv[1]);\n    \
                  double x = 1, all = 0;\n    MPI_Comm *own = malloc((atoi(argv[2]) + 1) * sizeof *own);\n    MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    \
                  own[0] = MPI_COMM_WORLD;\n    for (n = 0; n < atoi(argv[2]); n++) {\n        set = rank * atoi(argv[2]) % (n + 2);\n        \
                  MPI_Comm_split(own[n], set, rank, &own[n + 1]);\n    }\n    \
                  for (int step = 0; step < steps; step++) {\n        MPI_Sendrecv(&x, 1, MPI_DOUBLE, rank ^ 1, 0, &all, 1, MPI_DOUBLE, rank ^ 1, 0, own[step % 2], MPI_STATUS_IGNORE);\n        x = 1.5 * all + rank;\n    }\n    \
                  for (int step = 0; step < 2 * steps; step++) {\n        MPI_Sendrecv(&x, 1, MPI_DOUBLE, rank ^ 1, 1, &all, 1, MPI_DOUBLE, rank ^ 1, 1, own[step % 2], MPI_STATUS_IGNORE);\n        x = 0.25 * all - rank;\n    }\n    \
                  printf(\"%g\\n\", x);\n    MPI_Finalize();\n    return 0;\n}\n";
    place.write("main.c", source);
    let mut tool = Command::new(precompiler());
    tool.args(["--auto", "--cc", "mpicc", "main.c"]);
    let output = tool.current_dir(place.path()).output();
    let output = output.expect("the precompiler runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(said.matches("warning[CCCP405]").count(), 1, "{said}");
    let others = said.contains("the same holds for the loops in line 20");
    assert!(others || said.contains("loops in line 16"), "{said}");
}

/// A loop that only some ranks come to, or not equally often, would pair checkpoints of different steps: no restart could be made
/// from any of them, nor from those of the loop that does the work.
#[test]
fn s18_s31_loops_that_some_ranks_pass_more_often_get_no_checkpoint_beside_others() {
    if !mpi_or_word() {
        return;
    }
    for (way, ranks, others) in [("ALONE", 2, 1), ("SOME", 3, 2)] {
        let place = Workplace::new(&format!("frames-{way}"));
        let define = format!("-D{way}");
        let build = Build::files(&["tests/messages/frames.c"])
            .mpi(true)
            .careless()
            .with(Compiler::Gcc, &["-O2", &define]);
        let plain = build.clone().plain().to(place.path(), "plain");
        let flags = ["--auto", "--every", "1", &define];
        let program = build.clone().tool_flags(&flags).to(place.path(), "frames");
        let text = place.join("frames.parts/frames.c");
        let said = std::fs::read_to_string(&text).expect("the result");
        assert_eq!(said.matches("cccp_checkpoint").count(), 1, "{way}");
        let arguments = ["12", "20"];
        let expected = plain.run(place.path()).ranks(ranks).arguments(&arguments);
        let expected = expected.well().output;
        let frames = std::fs::read(place.join("frames.bin")).expect("the frames");
        for point in ["checkpoint:4@1", "checkpoint:15@0"] {
            let directory = place.directory(&point.replace(':', "-"));
            let run = || program.run(&directory).ranks(ranks).arguments(&arguments);
            run().kill_at(point);
            let outcome = run().well();
            outcome.assert_resumed();
            assert_eq!(outcome.output, expected, "{way}, killed at {point}");
            let now = std::fs::read(directory.join("frames.bin")).expect("the frames");
            assert_eq!(now, frames, "{way}, killed at {point}");
        }
        let mut tool = Command::new(precompiler());
        tool.args(["--auto", "--cc", "mpicc", &define])
            .arg("tests/messages/frames.c");
        let output = tool.current_dir(root()).output();
        let said = output.expect("the precompiler runs").stderr;
        let said = String::from_utf8_lossy(&said).into_owned();
        let reasons = [
            "rank 1 never comes to it",
            "some ranks may pass it more often",
        ];
        let reasons = reasons.iter().map(|one| said.matches(one).count());
        assert_eq!(reasons.sum::<usize>(), others, "{said}");
    }
}

/// Who hands out the work may be said by a constant of another file; what MPI defines does not hide that.
#[test]
fn s18_a_rank_that_a_constant_of_another_file_keeps_away_from_a_loop_is_seen() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("kept-away");
    place.write("first.c", "const int first = 0;\n");
    let source = "#include <mpi.h>\n#include <stdio.h>\nextern const int first;\nstatic double work(double x)\n{\n    \
                  for (int job = 0; job < 100000; job++) {\n        x = x * 0.999 + 1;\n        \
                  MPI_Send(&x, 1, MPI_DOUBLE, first, 0, MPI_COMM_WORLD);\n    }\n    return x;\n}\nstatic double get(void)\n{\n    \
                  double x, sum = 0;\n    for (int job = 0; job < 100000; job++) {\n        \
                  MPI_Recv(&x, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n        sum += x;\n    }\n    return sum;\n}\n\
                  int main(int argc, char **argv)\n{\n    int rank;\n    double x;\n    MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    \
                  if (rank == first)\n        x = get();\n    else\n        x = work(rank);\n    printf(\"%g\\n\", x);\n    MPI_Finalize();\n    return 0;\n}\n";
    place.write("main.c", source);
    let mut tool = Command::new(precompiler());
    tool.args(["--auto", "--cc", "mpicc", "-d", "out", "main.c", "first.c"]);
    let output = tool.current_dir(place.path()).output();
    let output = output.expect("the precompiler runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("rank 0 never comes to it: it goes another way (line 27)"),
        "{said}"
    );
}

/// By hand such checkpoints can be written; a run says that they are of no use, however far ahead one rank is.
#[test]
fn s31_a_rank_that_passes_checkpoints_more_often_is_told_while_the_program_runs() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("ahead");
    let body = "    for (step = 0; step < 40; step++) {\n#pragma cccp checkpoint messages(counted)\n        MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n        \
                x = 0.5 * all + rank;\n        for (extra = 0; extra < (rank == 0 ? 20 : 0); extra++) {\n\
                #pragma cccp checkpoint messages(counted)\n            x += 0.25;\n        }\n    }\n";
    let source = format!(
        "#include <mpi.h>\n#include <stdio.h>\nint main(int argc, char **argv)\n{{\n    int rank, step = 0, extra = 0;\n    double x = 1, all = 0;\n    \
         MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n#pragma cccp init\n#pragma cccp register(rank, step, extra, x, all)\n\
         {body}    printf(\"%g\\n\", x);\n    MPI_Finalize();\n    return 0;\n}}\n"
    );
    let path = place.write("ahead.c", &source);
    let program = Build::files(&[path]).mpi(true).careless();
    let program = program.to(place.path(), "ahead");
    let run = program.run(place.path()).ranks(2);
    let outcome = run.set("CCCP_WRITE", "synchronous").well();
    outcome.assert_said(&[
        "no restart can be made from generation",
        "put the checkpoint where",
    ]);
}

#[test]
fn s31_who_takes_checkpoints_to_which_another_rank_does_not_come_is_warned_in_the_run() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("absent");
    for alone in [0, 1] {
        let source = format!(
            "#include <mpi.h>\n#include <stdio.h>\nint main(int argc, char **argv)\n{{\n    int ids[1], step;\n    double x = 1;\n    \
             MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, ids);\n    if (ids[0] == {alone})\n        \
             for (step = 0; step < 30; step++) {{\n#pragma cccp checkpoint\n            x *= 1.5;\n        }}\n    \
             MPI_Bcast(&x, 1, MPI_DOUBLE, {alone}, MPI_COMM_WORLD);\n    printf(\"%g\\n\", x);\n    MPI_Finalize();\n    \
             return 0;\n}}\n"
        );
        let path = place.write(&format!("absent{alone}.c"), &source);
        let build = Build::files(&[path]).mpi(true).careless();
        let program = build
            .tool_flags(&["--auto"])
            .to(place.path(), &format!("absent{alone}"));
        let run = program.run(place.path()).ranks(2);
        let outcome = run.set("CCCP_WRITE", "synchronous").well();
        let said = format!("rank {} none yet", 1 - alone);
        outcome.assert_said(&["no restart can be made from what this run has saved", &said]);
        assert_eq!(outcome.errors.matches("none yet").count(), 1);
    }
}

#[test]
fn s31_auto_mode_counts_messages_at_checkpoints_of_the_users_own_that_one_may_cross() {
    if !mpi_or_word() {
        return;
    }
    let place = Workplace::new("own-crossed");
    let build = Build::files(&["tests/messages/crossed_by_own.c"]).mpi(true);
    let build = build.careless().tool_flags(&["--auto"]);
    let program = build.to(place.path(), "crossed");
    let run = || {
        let run = program.run(place.path()).ranks(2);
        run.set("CCCP_WRITE", "synchronous")
    };
    let killed = run().kill_at("checkpoint:6@1");
    killed.assert_said(&["no restart can be made from generation 1"]);
    stopped(
        &run().go(),
        &[
            "messages between ranks were in flight",
            "--cccp-restart=fresh",
        ],
    );
}
