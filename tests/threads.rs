//! Another number of threads in a restart (S58; design of regions).
//!
//! `threads/steps.c` and, with its time loop in a region, `threads/region.c` depend on no number of threads; each trial is a variant of
//! one of them with another line in the place of one.

#[path = "threads/depending.rs"]
mod depending;
mod harness;

use std::path::Path;
use std::process::Command;

use depending::{Changes, DEPENDING};
use harness::{Build, Compiler, Program, Run, Workplace, mpi_or_word, precompiler, root};

/// A program of `threads` with other lines.
fn variant(file: &str, changes: Changes) -> String {
    let path = root().join("tests/threads").join(file);
    let text = std::fs::read_to_string(path).expect("the program");
    changes.iter().fold(text, |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

fn build(source: &Path) -> Build {
    let build = Build::files(&[source]).with(Compiler::Gcc, &["-O2", "-fopenmp"]);
    build.tool_flags(&["--cpp-flag", "-fopenmp"])
}

/// A variant, killed in the middle of a run with so many threads, each time that somebody asks.
struct Killed {
    place: Workplace,
    program: Program,
    expected: String,
    threads: &'static str,
}

impl Killed {
    fn of(name: &str, changes: Changes, threads: &'static str) -> Killed {
        Killed::of_file("steps.c", name, changes, threads)
    }

    fn of_file(file: &str, name: &str, changes: Changes, threads: &'static str) -> Killed {
        let place = Workplace::new(&format!("threads-{name}"));
        let source = place.write(file, &variant(file, changes));
        let build = build(&source);
        let plain = build.clone().plain().to(place.path(), "plain");
        let expected = plain.run(place.path()).set("OMP_NUM_THREADS", threads);
        Killed {
            expected: expected.well().output,
            program: build.to(place.path(), "steps"),
            place,
            threads,
        }
    }

    /// A start with so many threads in a directory where a run was killed.
    fn again(&self, name: &str, threads: &str) -> Run {
        let directory = self.place.directory(name);
        let run = |threads: &str| self.program.run(&directory).set("OMP_NUM_THREADS", threads);
        let first = run(self.threads).set("CCCP_EVERY", "1");
        first
            .set("CCCP_WRITE", "synchronous")
            .kill_at("checkpoint:9");
        run(threads)
    }

    /// The same command in that directory once more.
    fn once_more(&self, name: &str, threads: &str) -> Run {
        let run = self.program.run(&self.place.join(name));
        run.set("OMP_NUM_THREADS", threads)
    }
}

/// What `--explain` says about the number of threads, for each checkpoint.
fn explained(name: &str, changes: Changes) -> Vec<String> {
    explained_file("steps.c", name, changes)
}

fn explained_file(file: &str, name: &str, changes: Changes) -> Vec<String> {
    let place = Workplace::new(&format!("explained-{name}"));
    let source = place.write(file, &variant(file, changes));
    let mut tool = Command::new(precompiler());
    tool.args(["--explain=json", "--cpp-flag", "-fopenmp"])
        .arg(&source);
    let output = tool.output().expect("the precompiler");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let checkpoints = report["checkpoints"].as_array().expect("checkpoints");
    let all = checkpoints.iter().flat_map(|one| {
        let sentences = one["why_here"].as_array().expect("sentences");
        let sentences = sentences.iter().filter_map(|one| one.as_str());
        sentences.filter(|one| one.contains("number of threads"))
    });
    all.map(String::from).collect()
}

const GIVEN: (&str, &str) = ("CCCP_THREADS", "given");

#[test]
fn s58_a_restart_has_the_saved_number_or_the_given_one_where_nothing_depends_on_it() {
    let killed = Killed::of("free", &[], "4");
    for threads in ["1", "2", "4", "7"] {
        let given = killed.again(&format!("given-{threads}"), threads);
        let given = given.set(GIVEN.0, GIVEN.1).well();
        given.assert_resumed();
        assert_eq!(given.output, killed.expected, "{}", given.errors);
        if threads != "4" {
            given.assert_said(&[&format!("OpenMP has {threads} thread"), "instead of 4"]);
        }
    }
    // A restart with the given number is a run like any other: it is killed in its turn, and its number is saved.
    let second = killed.again("twice", "2").set(GIVEN.0, GIVEN.1);
    second.set("CCCP_EVERY", "1").kill_at("checkpoint:4");
    let third = killed.once_more("twice", "1").set(GIVEN.0, GIVEN.1).well();
    third.assert_resumed();
    third.assert_said(&["OpenMP has 1 thread,", "instead of 2"]);
    assert_eq!(third.output, killed.expected);
}

#[test]
fn s58_memory_set_up_before_init_is_as_large_as_the_given_number_wants_it() {
    // Without the setting the saved number could not be had: what stands before init has been done with another one.
    let killed = Killed::of("before", &[], "2");
    let saved = killed.again("saved", "4").go();
    saved.assert_stopped(75, &["OMP_NUM_THREADS=2", "before init"]);
    let given = killed.once_more("saved", "4").set(GIVEN.0, GIVEN.1).well();
    given.assert_resumed();
    assert_eq!(given.output, killed.expected);
}

#[test]
fn s58_explain_says_what_depends_on_the_number_of_threads_and_in_which_line() {
    let free = explained("free", &[]);
    assert_eq!(
        free,
        ["any number of threads: nothing that is saved depends on it"]
    );
    for (number, (what, changes, words)) in DEPENDING.iter().enumerate() {
        let said = explained(&number.to_string(), changes);
        assert_eq!(said.len(), 1, "{what}: {said:?}");
        assert!(
            said[0].starts_with("a restart has the number of threads that is saved: "),
            "{what}: {said:?}"
        );
        assert!(said[0].contains(words), "{what}: {said:?}");
    }
}

#[test]
fn s58_what_depends_on_no_number_of_threads_is_seen() {
    let free: [(&str, Changes); 6] = [
        (
            "a sum of each iteration in another form",
            &[("hits++;", "hits = hits + (unsigned long)i;")],
        ),
        (
            "a largest value in another form",
            &[(
                "if (u[k] * 31 % 4099 > most)\n                most = u[k] * 31 % 4099;",
                "most = most < u[k] ? u[k] : most;",
            )],
        ),
        (
            "each iteration adds under a lock",
            &[(
                "u[i] = w[i] % 10007; /* second */",
                "{ u[i] = w[i] % 10007;\n#pragma omp atomic\n own += i; }",
            )],
        ),
        (
            "sections",
            &[(
                "#pragma omp single\n            rounds += 2;",
                "#pragma omp sections\n{\n#pragma omp section\nrounds += 2;\n#pragma omp section\nown += 3;\n}",
            )],
        ),
        (
            "the last value of a loop",
            &[
                (
                    "#pragma omp parallel for reduction(max : most)",
                    "#pragma omp parallel for reduction(max : most) lastprivate(own)",
                ),
                ("if (u[k] * 31", "own = k * 2;\n if (u[k] * 31"),
            ],
        ),
        (
            "a function that each iteration calls",
            &[
                (
                    "int main(void)",
                    "static unsigned long twice(const unsigned long *x) { unsigned long y = *x; y *= 2; return y; }\nint main(void)",
                ),
                ("w[i] = t * 5", "w[i] = twice(&t) * 5"),
            ],
        ),
    ];
    for (number, (what, changes)) in free.iter().enumerate() {
        let said = explained(&format!("seen-{number}"), changes);
        let words = "any number of threads: nothing that is saved depends on it";
        assert_eq!(said, [words], "{what}");
    }
    let rounded = explained(
        "rounded",
        &[
            ("unsigned long t, hits = 0, most", "unsigned long t, most"),
            ("long own = 7;", "long own = 7;\n    double hits = 0;"),
            ("%lu %lu %lu %ld", "%g %lu %lu %ld"),
        ],
    );
    assert_eq!(rounded.len(), 1);
    assert!(
        rounded[0].contains("only the last bits of reductions depend on it: `hits` (line 24)"),
        "{rounded:?}"
    );
}

#[test]
fn s58_another_number_that_is_not_proved_right_stops_the_restart_and_loses_nothing() {
    for number in [0, 1, 5, 14, 16] {
        let (what, changes, words) = DEPENDING[number];
        let mut all = changes.to_vec();
        // Nothing before init, so that the saved number can be had.
        all.push((
            "calloc((size_t)omp_get_max_threads(), sizeof *scratch); /* set up */",
            "calloc(64, sizeof *scratch);",
        ));
        let killed = Killed::of(&format!("stop-{number}"), &all, "3");
        for threads in ["1", "4"] {
            let stopped = killed.again(&format!("stopped-{threads}"), threads);
            let stopped = stopped.set(GIVEN.0, GIVEN.1).go();
            stopped.assert_stopped(
                75,
                &[
                    "threads = saved",
                    "OMP_NUM_THREADS=3",
                    "checkpoint in main (line 2",
                    words.split(" (line").next().expect("words"),
                ],
            );
            let saved = killed
                .once_more(&format!("stopped-{threads}"), threads)
                .well();
            saved.assert_resumed();
            assert_eq!(saved.output, killed.expected, "{what}: {}", saved.errors);
        }
    }
}

#[test]
fn s58_one_warning_says_that_the_machine_has_fewer_cores() {
    let place = Workplace::new("threads-cores");
    let source = root().join("tests/cccp_run/threads.c");
    let program = build(&source).to(place.path(), "threads");
    let cores = std::thread::available_parallelism().expect("cores").get();
    let more = (cores + 1).to_string();
    let run = |threads: &str| program.run(place.path()).set("OMP_NUM_THREADS", threads);
    let expected = run(&more).set("CCCP_RESTART", "fresh").well().output;
    run(&more).set("CCCP_EVERY", "1").kill_at("checkpoint:4");
    let resumed = run("1").set("CCCP_EVERY", "1");
    let resumed = resumed.set("CCCP_KILL_AT", "checkpoint:2").go();
    let warnings = resumed.told().filter(|line| line.contains("warning"));
    let warnings: Vec<&str> = warnings.collect();
    let words = format!("OpenMP has {more} threads");
    assert!(
        matches!(&warnings[..], [one] if one.contains(&words) && one.contains("threads = given")),
        "{}",
        resumed.errors
    );
    // Who asks for them is not warned.
    let asked = run(&more).well();
    asked.assert_resumed();
    assert!(!asked.errors.contains("warning"), "{}", asked.errors);
    assert_eq!(asked.output, expected);
}

#[test]
fn s58_each_rank_has_its_saved_or_its_given_number() {
    if !mpi_or_word() {
        return;
    }
    ranks_go_on("ranks.c");
    ranks_go_on("ranks_in_region.c");
}

fn ranks_go_on(file: &str) {
    let place = Workplace::new(&format!("threads-{file}"));
    let build = build(&root().join("tests/threads").join(file)).mpi(true);
    let program = build.clone().to(place.path(), "ranks");
    let plain = build.plain().to(place.path(), "plain");
    let run = |program: &Program, threads: &str| {
        let run = program.run(place.path()).ranks(2);
        let run = run.set("OMP_WAIT_POLICY", "passive");
        run.set("OMP_NUM_THREADS", threads)
    };
    let expected = run(&plain, "2").well().output;
    for setting in ["saved", "given"] {
        let first = run(&program, "2").set("CCCP_EVERY", "1");
        first.kill_at("checkpoint:7@1");
        let resumed = run(&program, "3").set("CCCP_THREADS", setting).well();
        resumed.assert_resumed();
        assert_eq!(resumed.output, expected, "{}", resumed.errors);
        let words = match setting {
            "saved" => "has 2 threads",
            _ => "has 3 threads",
        };
        resumed.assert_said(&[words]);
    }
}

#[test]
fn s58_threads_of_a_region_come_and_go_where_all_have_the_same() {
    let file = "region.c";
    for (name, first) in [("region", "4"), ("region-one", "1")] {
        let killed = Killed::of_file(file, name, &[], first);
        for threads in ["1", "2", "4", "7"] {
            let given = killed.again(threads, threads).set(GIVEN.0, GIVEN.1);
            // It is killed in its turn, and goes on with the first number again.
            given.set("CCCP_EVERY", "1").kill_at("checkpoint:6");
            let back = killed.once_more(threads, first).set(GIVEN.0, GIVEN.1);
            let back = back.well();
            back.assert_resumed();
            assert_eq!(back.output, killed.expected, "{threads}: {}", back.errors);
            let given = killed.again(&format!("to-the-end-{threads}"), threads);
            let given = given.set(GIVEN.0, GIVEN.1).well();
            given.assert_resumed();
            assert_eq!(given.output, killed.expected, "{threads}: {}", given.errors);
        }
    }
}

#[test]
fn s58_in_a_region_another_number_is_refused_where_threads_have_something_of_their_own() {
    let free = explained_file("region.c", "region-free", &[]);
    let words = "any number of threads: nothing that is saved depends on it";
    assert_eq!(free, [words]);
    let refused: [(&str, Changes, &str); 8] = [
        (
            "the number of the thread",
            &[
                (
                    "seed = 17",
                    "seed = 17 + (unsigned long)omp_get_thread_num()",
                ),
                ("#pragma omp single", "#pragma omp master"),
            ],
            "each thread of the region has its own `seed`",
        ),
        (
            "what one thread alone stores",
            &[("rounds += seed % 5; /* one */", "weights[0] += rounds++;")],
            "each thread of the region has its own `weights`",
        ),
        (
            "a sum that is not complete",
            &[
                ("/* clauses */", "reduction(+ : rounds)"),
                (
                    "#pragma omp single\n            rounds += seed % 5; /* one */\n",
                    "",
                ),
                (
                    "field[i] += u[i];",
                    "field[i] += u[i];\n                rounds += u[i] % 3;",
                ),
            ],
            "each thread of the region has its own `rounds`",
        ),
        (
            "a pointer",
            &[
                ("/* begun */", "const unsigned long *which = &u[3];"),
                ("seed, weights, step)", "seed, weights, step, which)"),
                ("/* own */", "seed += *which;"),
            ],
            "each thread of the region has its own `which`",
        ),
        (
            "a read beside another thread's store",
            &[(
                "/* own */",
                "unsigned long now;\n#pragma omp atomic read\n    now = rounds;\n    seed += now;\n\
                 #pragma omp single nowait\n    {\n#pragma omp atomic\n    rounds += 2;\n    }",
            )],
            "each thread of the region has its own `seed`",
        ),
        (
            "a clause",
            &[("/* clauses */", "num_threads(3)")],
            "a clause of the region says how many threads it has",
        ),
        (
            "one thread's checkpoint",
            &[
                ("#pragma cccp checkpoint name(inside)\n", ""),
                (
                    "rounds += seed % 5; /* one */",
                    "{\n#pragma cccp checkpoint name(inside)\n    rounds += seed % 5;\n}",
                ),
            ],
            "each thread of the region around it resumes at its own place",
        ),
        (
            "an element for each thread",
            &[("/* own */", "field[omp_get_thread_num()] += 1;")],
            "`field[…]` depends on it (line 37)",
        ),
    ];
    for (number, (what, changes, words)) in refused.iter().enumerate() {
        let said = explained_file("region.c", &format!("region-{number}"), changes);
        let expected = format!("a restart has the number of threads that is saved: {words}");
        assert!(said.contains(&expected), "{what}: {said:?}");
    }
    // The restart says the same, and the saved number goes on.
    let killed = Killed::of_file("region.c", "own", refused[0].1, "3");
    let stopped = killed.again("stopped", "2").set(GIVEN.0, GIVEN.1).go();
    stopped.assert_stopped(75, &[refused[0].2, "threads = saved", "OMP_NUM_THREADS=3"]);
    let saved = killed.once_more("stopped", "2").well();
    saved.assert_resumed();
    assert_eq!(saved.output, killed.expected);
}

#[test]
fn s58_s62_programs_that_auto_mode_serves_go_on_with_another_number() {
    for file in ["for_region.c", "tasks.c"] {
        let place = Workplace::new(&format!("threads-auto-{file}"));
        let source = root().join("tests/parallel/auto").join(file);
        let build = Build::files(&[&source]);
        let build = build.with(Compiler::Gcc, &["-O2", "-fopenmp", "-lm"]);
        let flags = ["--auto", "--cpp-flag", "-fopenmp"];
        let program = build.clone().tool_flags(&flags).to(place.path(), "served");
        let plain = build.plain().to(place.path(), "plain");
        let expected = plain.run(place.path()).well().output;
        for [first, other] in [["4", "1"], ["1", "4"], ["2", "3"]] {
            let directory = place.directory(&format!("{first}-{other}"));
            let run = |threads: &str| {
                let run = program.run(&directory).set("OMP_NUM_THREADS", threads);
                run.set(GIVEN.0, GIVEN.1)
            };
            run(first).set("CCCP_EVERY", "1").kill_at("checkpoint:7");
            let resumed = run(other).well();
            resumed.assert_resumed();
            resumed.assert_said(&[&format!("OpenMP has {other} thread")]);
            assert_eq!(resumed.output, expected, "{file}: {}", resumed.errors);
        }
    }
}
