//! Every assumption under which "nothing is missing" is true is broken here on purpose (S8, S10, S36).
//!
//! A case is a C file in `assumptions/`, whose first lines say what has to happen:
//!
//! ```text
//! // auto resumes 7 20           killed at its 7th and at its 20th checkpoint, it ends like the plain program
//! // hand resumes 7              the same with the marks that it has
//! // auto refuses CCCP403 TEXT   the precompiler refuses it with these words
//! // hand warns CCCP302 TEXT     the check says so
//! // hand reports TEXT            the check says nothing, and the run says so at its first checkpoint
//! // assumes TEXT                `--explain` says so, and `--deny assumed` refuses; `assumes nothing`: neither
//! // with OTHER.c                the program has this file, too
//! // beside OTHER.c              the program is linked with it, and the precompiler does not see it
//! // flags -fopenmp              for the compiler; `HERE` is the directory of the cases
//! ```
//!
//! The page `precompiler/ASSUMPTIONS.md` names each case beside what it breaks; a test of [tidy](tidy/main.rs) holds both together.

mod harness;

use std::path::PathBuf;
use std::process::{Command, Output};

use harness::{Build, Compiler, Program, Workplace, mpi_or_word, precompiler, root};

/// A program and what has to happen.
struct Case {
    name: &'static str,
    files: Vec<PathBuf>,
    /// Files that the precompiler does not see.
    beside: Vec<String>,
    flags: Vec<String>,
    mpi: bool,
    /// Mode, verb, and the rest of the line.
    outcomes: Vec<(String, String, String)>,
}

impl Case {
    fn read(name: &'static str) -> Case {
        let directory = root().join("tests/assumptions");
        let file = directory.join(format!("{name}.c"));
        let text = std::fs::read_to_string(&file).expect("the program of the case");
        let mut case = Case {
            name,
            files: vec![file],
            beside: Vec::new(),
            flags: Vec::new(),
            mpi: text.contains("<mpi.h>"),
            outcomes: Vec::new(),
        };
        for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
            let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
            match first {
                "with" => case.files.push(directory.join(rest)),
                "beside" => case.beside.push(directory.join(rest).display().to_string()),
                "flags" => {
                    let rest = rest.replace("HERE", &directory.display().to_string());
                    case.flags.extend(rest.split(' ').map(str::to_string));
                }
                "assumes" => {
                    let mode = case
                        .outcomes
                        .last()
                        .map_or("auto", |one| &one.0)
                        .to_string();
                    case.outcomes.push((mode, "assumes".into(), rest.into()));
                }
                _ => {
                    let (verb, rest) = rest.split_once(' ').expect("a mode and what happens");
                    case.outcomes.push((first.into(), verb.into(), rest.into()));
                }
            }
        }
        assert!(
            !case.outcomes.is_empty(),
            "{name}: nothing is said to happen"
        );
        case
    }

    fn build(&self) -> Build {
        let flags = self.flags.iter().chain(&self.beside);
        let flags: Vec<&str> = flags.map(String::as_str).collect();
        let build = Build::files(&self.files).mpi(self.mpi);
        let build = build.with(Compiler::Gcc, &flags);
        match self.beside.is_empty() {
            true => build,
            // That there is something unknown is a warning.
            false => build.careless(),
        }
    }

    fn tool_words(&self, mode: &str) -> Vec<&str> {
        let mut words = match mode {
            "auto" => vec!["--auto", "--every", "1"],
            "hand" => vec!["--deny", "incomplete"],
            other => panic!("{}: no mode `{other}`", self.name),
        };
        for flag in self.flags.iter().filter(|flag| !flag.starts_with("-l")) {
            words.extend(["--cpp-flag", flag.as_str()]);
        }
        words
    }

    /// What the precompiler says.
    fn tool(&self, mode: &str, words: &[&str]) -> Output {
        let place = Workplace::new(&format!("{}-said", self.name));
        let mut tool = Command::new(precompiler());
        tool.current_dir(place.path());
        if self.mpi {
            tool.args(["--cc", "mpicc"]);
        }
        let all = tool
            .args(self.tool_words(mode))
            .args(words)
            .args(&self.files);
        all.output().expect("the precompiler starts")
    }

    fn resumes(&self, mode: &str, points: &str) {
        let place = Workplace::new(&format!("{}-{mode}", self.name));
        let plain = self.build().plain().to(place.path(), "plain");
        let build = self.build().tool_flags(&self.tool_words(mode));
        let program = build.to(place.path(), "saved");
        let run = |program: &Program, directory: &str| {
            program
                .run(&place.directory(directory))
                .ranks(if self.mpi { 2 } else { 1 })
        };
        let expected = run(&plain, "plain-run").go();
        for point in points.split(' ') {
            let directory = format!("killed-{point}");
            run(&program, &directory).kill_at(&format!("checkpoint:{point}@0"));
            let outcome = run(&program, &directory).go();
            outcome.assert_resumed();
            let ended = (outcome.code(), outcome.output);
            assert_eq!(
                ended,
                (expected.code(), expected.output.clone()),
                "killed at {point}"
            );
        }
    }

    fn reports(&self, mode: &str, text: &str) {
        let place = Workplace::new(&format!("{}-{mode}", self.name));
        let build = self.build().tool_flags(&self.tool_words(mode));
        let program = build.to(place.path(), "saved");
        let run = program.run(&place.directory("first"));
        run.set("CCCP_WRITE", "synchronous")
            .kill_at("checkpoint:2")
            .assert_said(&[text]);
    }

    fn said(&self, output: &Output, code: i32, words: &str) {
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{}: {errors}", self.name);
        let (number, text) = words.split_once(' ').expect("a code and words");
        assert!(
            errors.contains(number) && errors.contains(text),
            "{}: {errors}",
            self.name
        );
    }

    fn assumes(&self, mode: &str, text: &str) {
        let explained = self.tool(mode, &["--explain"]);
        assert!(explained.status.success(), "{}: {explained:?}", self.name);
        let report = String::from_utf8_lossy(&explained.stdout);
        let report = report.split_whitespace().collect::<Vec<_>>().join(" ");
        let denied = self.tool(mode, &["-d", "out", "--deny", "assumed"]);
        if text == "nothing" {
            let errors = String::from_utf8_lossy(&denied.stderr);
            assert!(!report.contains("assumed:"), "{}: {report}", self.name);
            assert!(!errors.contains("CCCP309"), "{}: {errors}", self.name);
        } else {
            assert!(report.contains(text), "{}: {report}", self.name);
            self.said(&denied, 1, &format!("CCCP309 {text}"));
        }
    }

    fn check(&self) {
        if self.mpi && !mpi_or_word() {
            return;
        }
        for (mode, verb, rest) in &self.outcomes {
            match verb.as_str() {
                "resumes" => self.resumes(mode, rest),
                "refuses" => self.said(&self.tool(mode, &["-d", "out"]), 1, rest),
                "warns" => self.said(&self.tool(mode, &["-d", "out"]), 0, rest),
                "assumes" => self.assumes(mode, rest),
                "reports" => self.reports(mode, rest),
                other => panic!("{}: nothing called `{other}` happens", self.name),
            }
        }
    }
}

/// A test for each case.
macro_rules! cases {
    ($($name:ident)*) => {
        $(#[test] fn $name() { Case::read(stringify!($name)).check(); })*

        #[test]
        fn every_program_is_a_case() {
            let cases = [$(stringify!($name)),*];
            for entry in std::fs::read_dir(root().join("tests/assumptions")).expect("the cases") {
                let name = entry.expect("a file").file_name();
                let name = name.to_string_lossy();
                let name = name.trim_end_matches(".c").trim_end_matches(".h").to_string();
                assert!(cases.contains(&name.as_str()) || name.ends_with("_part"), "{name}");
            }
        }
    };
}

cases! {
    added_up_by_hand
    alarm_is_running
    assumed_time
    blocked_signals
    bytes_of_a_member
    copied_past_an_array
    dispositions_by_hand
    floating_environment
    floating_environment_is_usual_again
    handler_by_sigaction
    installed_for_the_end
    interval_timers
    library_variable_is_set
    locks_of_the_process
    moved_back
    number_in_struct
    number_in_union
    numbers_beside_pointers
    shared_memory
    state_set_by_hand
    text_in_a_list
    text_in_a_member
    text_once_set
    text_perhaps_null
    thread_is_refused
    timer_by_hand
    timer_of_its_own
    two_owners
    two_owners_together
    unknown_function
    unknown_library
    unknown_library_and_mpi
    unknown_names
    unknown_table
    unknown_table_handed
    unknown_texts
    unset_pointer
}
