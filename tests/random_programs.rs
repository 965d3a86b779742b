//! Random programs in auto mode: registers are inferred for checkpoints at random places, the program is killed at some of
//! them and started again, and ends like the plain program (S8, S9, S26). Some are refused, with a reason.
//!
//! Two of five are killed and judged by `cccp-run --prove`.
//!
//! All programs of a run are one executable file, to compile and link once: the first argument chooses.
//!
//! `CCCP_PROGRAMS=3000` tries more of them, `CCCP_SEED=7` others, `CCCP_PROGRAM=12` only the twelfth. What a failed test
//! left can be looked at, and what was made of a single program.

#[path = "../precompiler/tests/soundness/constructs.rs"]
mod constructs;
#[path = "../precompiler/tests/soundness/corners.rs"]
mod corners;
#[path = "../precompiler/tests/soundness/generate.rs"]
#[allow(dead_code, reason = "the garbage of the soundness test is not put in")]
mod generate;
mod harness;
#[path = "../precompiler/tests/soundness/practice.rs"]
mod practice;
#[path = "../precompiler/tests/soundness/random.rs"]
#[allow(dead_code, reason = "not every kind of number is needed")]
mod random;
#[path = "../precompiler/tests/soundness/run.rs"]
#[allow(dead_code, reason = "only the text for the analysis is needed")]
mod run;
#[path = "../precompiler/tests/soundness/statements.rs"]
mod statements;
#[path = "random_programs/units.rs"]
mod units;
#[path = "../precompiler/tests/soundness/values.rs"]
mod values;

use std::ffi::OsString;
use std::fmt::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::cli::options::Options;
use cccp_precompiler::cli::run::compile;
use cccp_precompiler::diagnostic::{Severity, has_errors};
use cccp_precompiler::syntax::with_stack;
use generate::{Generated, Shape, generate};
use harness::{Workplace, finish, left, precompiler, setting, tools_directory};
use random::Random;

/// Programs in one executable file.
const TOGETHER: usize = 50;

/// The exit status of a program that cannot be restarted.
const STOPPED: i32 = 75;

/// Of five programs `cccp-run --prove` is the judge of so many.
const PROVED: usize = 2;

/// Threads that work.
const WORKERS: usize = 2;

/// The one program that is to be tried.
fn only() -> Option<usize> {
    std::env::var("CCCP_PROGRAM").ok()?.parse().ok()
}

/// The program as a whole, with a beginning and an end. In some of them pointers lead to memory of a set-up phase.
fn text(program: &Generated, has_set_up: bool) -> String {
    let (body, _) = run::analysed(program, 1);
    let prefix = &program.prefix;
    let mut set_up = String::new();
    for global in program.globals.iter().filter(|_| has_set_up) {
        let (name, number) = (&global.name, global.number);
        let _ = match global.shape {
            Shape::Number => writeln!(set_up, "{name} += {number};"),
            Shape::Vector => writeln!(
                set_up,
                "{name} = malloc(4 * sizeof(int)); for (int k = 0; k < 4; k++) {name}[k] = k + {number};"
            ),
            Shape::Link => writeln!(
                set_up,
                "{name} = calloc(1, sizeof *{name}); {name}->one = {number};"
            ),
            _ => Ok(()),
        };
    }
    if has_set_up {
        let _ = writeln!(set_up, "{prefix}prepare();");
    }
    format!(
        "{}{body}int main(void)\n{{\n{set_up}#pragma cccp init\nout({prefix}start());\nprintf(\"end %u\\n\", sum);\n\
         #pragma cccp shutdown\nreturn 0;\n}}\n",
        run::HEAD,
    )
}

/// What auto mode made of a program.
enum Made {
    /// The texts of the program that survives, one for each file.
    Served(Vec<Vec<u8>>),
    /// Refused, with a reason.
    Refused(String),
    /// A checkpoint stands where no run ever comes: nothing to be served.
    Idle,
}

fn made(paths: &[PathBuf], catalogue: &Catalogue) -> Made {
    let words = ["cccp-pp", "--auto", "--poison", "--cpp-flag", "-fopenmp"].map(OsString::from);
    let files = paths.iter().map(|path| path.as_os_str().to_owned());
    let words = words.into_iter().chain(files);
    let options = Options::read(words).expect("the options are right");
    let compiled = compile(&options, catalogue);
    if !has_errors(&compiled.diagnostics) {
        let results = compiled.results.into_iter();
        return Made::Served(results.map(|(_, bytes)| bytes).collect());
    }
    let mut errors = compiled.diagnostics.iter();
    let error = errors.find(|one| one.severity == Severity::Error);
    let error = error.expect("an error");
    let reason = error.reason.clone();
    assert!(reason.is_some(), "{}: {error:?}", paths[0].display());
    match error.message.contains("no `init` can reach") {
        true => Made::Idle,
        false => Made::Refused(format!("{}: {}", error.message, reason.unwrap_or_default())),
    }
}

/// What one worker found.
#[derive(Default)]
struct Tally {
    tried: usize,
    served: usize,
    resumed: usize,
    proved: usize,
    refused: Vec<String>,
    /// The restart stopped with a message. Nothing wrong came of it, but nobody was served.
    stopped: Vec<String>,
    wrong: Vec<String>,
}

/// A file with every program of a batch, plain and made to survive.
struct Batch<'a> {
    place: &'a Workplace,
    number: usize,
    programs: Vec<usize>,
}

impl Batch<'_> {
    fn binary(&self) -> PathBuf {
        self.place.join(&format!("programs{}", self.number))
    }

    fn build(&self, sources: &[PathBuf]) {
        let mut text = String::from("#include <stdlib.h>\n");
        for number in &self.programs {
            let _ = writeln!(
                text,
                "int plain{number}(void); int automatic{number}(int, char **);"
            );
        }
        text.push_str("int main(int argc, char **argv)\n{\nlong which = atol(argv[1]);\n(void)argc;\nswitch (which) {\n");
        for number in &self.programs {
            let _ = writeln!(
                text,
                "case {}: return plain{number}();\ncase {}: return automatic{number}(argc, argv);",
                2 * number,
                2 * number + 1
            );
        }
        text.push_str("}\nreturn 1;\n}\n");
        let main = self.place.write(&format!("all{}.c", self.number), &text);
        let asked = |flag: &str| {
            let output = finish(Command::new(precompiler()).arg(flag));
            let words = String::from_utf8(output.stdout).expect("UTF-8");
            words
                .split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let mut cc = Command::new("gcc");
        cc.args(["-O0", "-w", "-fwrapv", "-fopenmp"])
            .args(asked("--cflags"));
        cc.arg(main)
            .args(sources)
            .arg("-o")
            .arg(self.binary())
            .args(asked("--libs"));
        finish(cc.arg("-lm"));
    }

    /// The command of a run in a directory, behind these words.
    fn command(&self, number: usize, directory: &Path, front: &[&str]) -> Command {
        std::fs::create_dir_all(directory).expect("a directory for the run");
        // Of the processor, which others may be using, too.
        let limited = ["prlimit", "--cpu=30", "--core=0", "--"];
        let mut words = front.iter().chain(&limited);
        let mut command = Command::new(words.next().expect("a word"));
        command.args(words).arg(self.binary());
        command.arg(number.to_string()).current_dir(directory);
        // They are settings of the tests, and would be misspelt ones of the library.
        harness::without_settings(&mut command);
        // Every checkpoint before the one at which the program is killed is there, whoever is faster.
        command
            .env("CCCP_WRITE", "synchronous")
            .env("CCCP_EVERY", "1")
            .env("CCCP_POISON", "on");
        command
    }

    /// The last lines of a run and how it ended; whether it was killed; whether it went on from a checkpoint.
    fn run(&self, number: usize, directory: &Path, kill: Option<usize>) -> (String, bool, bool) {
        let mut command = self.command(number, directory, &[]);
        if let Some(kill) = kill {
            command.env("CCCP_KILL_AT", format!("checkpoint:{kill}"));
        }
        let output = command.output().expect("the programs run");
        let killed = output.status.signal() == Some(9) || output.status.code() == Some(137);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // The sum depends on all that was printed.
        let mut last: Vec<&str> = text.lines().rev().take(2).collect();
        last.reverse();
        let mut end = format!("{}, {}", last.join(" "), output.status);
        if output.status.code() == Some(STOPPED) {
            let _ = write!(end, ": {said}");
        }
        // And its files, except those of its checkpoints.
        for (name, bytes) in left(directory, "txt") {
            // Both programs have a prefix of their own.
            let name = name.split_once('_').map_or("", |(_, name)| name);
            let _ = write!(end, "; {name}: {:?}", String::from_utf8_lossy(&bytes));
        }
        (end, killed, said.contains("restart of"))
    }

    /// What `cccp-run --prove` finds wrong, and whether a restart has told the reason; nothing when nothing is wrong.
    fn proof(&self, number: usize, directory: &Path, tally: &mut Tally) -> Option<(String, bool)> {
        let tool = tools_directory().join("cccp-run");
        let tool = tool.to_str().expect("a path in UTF-8");
        let front = [tool, "--prove", "--sample", "3", "--json", "--"];
        let output = self.command(number, directory, &front).output();
        let output = output.expect("the tool runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)));
        let trials = answer["trials"].as_array().expect("a list");
        let wrong = || trials.iter().filter(|one| one["same"] == false);
        tally.proved += usize::from(answer["verdict"] == "proved");
        tally.resumed += trials.iter().filter(|one| one["same"] == true).count();
        let is_refused = |one: &serde_json::Value| {
            let reason = one["reason"].as_str();
            reason.is_some_and(|reason| reason.starts_with("the restart was refused"))
        };
        // A run may come to no checkpoint.
        let is_wrong = wrong().next().is_some()
            || answer["checkpoints"] == 0 && answer["unrepeatable"] != serde_json::json!([]);
        is_wrong.then(|| (text, wrong().all(is_refused)))
    }

    fn try_all(&self, seed: usize, tally: &mut Tally) {
        for &number in &self.programs {
            let directory = self.place.join(&format!("run{number}"));
            let fresh = || {
                let _ = std::fs::remove_dir_all(&directory);
                &directory
            };
            let (expected, ..) = self.run(2 * number, fresh(), None);
            let (undisturbed, ..) = self.run(2 * number + 1, fresh(), None);
            let judged = undisturbed == expected && number % 5 < PROVED;
            let found = judged.then(|| self.proof(2 * number + 1, fresh(), tally));
            let mut wrong = |when: String, found: &str, told: bool| {
                let name = format!("program {number} of seed {seed}, {when}");
                let list = match told {
                    true => &mut tally.stopped,
                    false => &mut tally.wrong,
                };
                list.push(format!("{name}: {found} instead of {expected}"));
            };
            if undisturbed != expected {
                // What auto mode leaves to the run to find out stops it at its first checkpoint.
                let told = undisturbed.contains(": cccp: no checkpoint can be taken");
                wrong("undisturbed".to_string(), &undisturbed, told);
                continue;
            }
            if let Some(found) = found {
                if let Some((found, told)) = found {
                    wrong("in a proof".to_string(), &found, told);
                }
                fresh();
                continue;
            }
            for kill in [2, 3 + number % 5, 9 + number % 40] {
                let (_, killed, _) = self.run(2 * number + 1, fresh(), Some(kill));
                if !killed {
                    break;
                }
                let (end, _, resumed) = self.run(2 * number + 1, &directory, None);
                tally.resumed += usize::from(resumed);
                if end != expected {
                    let told = end.contains(&format!("exit status: {STOPPED}: "));
                    wrong(format!("killed at {kill}"), &end, told);
                }
            }
            fresh();
        }
    }
}

/// The name of one of the files of a program.
fn file_name(name: &str, number: usize, file: usize) -> String {
    match file {
        0 => format!("{name}{number}.c"),
        _ => format!("{name}{number}_{file}.c"),
    }
}

/// A program of a seed. Functions are known by their names: no two programs may have the same.
fn program(seed: usize, number: usize) -> Generated {
    let mut random = Random::new((seed * 1_000_000 + number) as u64);
    generate(number + 1, &mut random)
}

/// Its files, with marks.
fn plain(program: &Generated, number: usize) -> Vec<String> {
    let whole = text(program, number.is_multiple_of(3));
    match number % 8 {
        1 | 5 => units::split(&whole, &program.prefix, 2),
        3 => units::split(&whole, &program.prefix, 3),
        _ => vec![whole],
    }
}

fn batch(
    number: usize,
    count: usize,
    seed: usize,
    place: &Workplace,
    catalogue: &Catalogue,
) -> Tally {
    let mut tally = Tally::default();
    let mut sources = Vec::new();
    let mut batch = Batch {
        place,
        number,
        programs: Vec::new(),
    };
    let only = only();
    let wanted = (number * TOGETHER..count).take(TOGETHER);
    for number in wanted.filter(|&one| only.is_none_or(|only| only == one)) {
        let program = program(seed, number);
        let plain = plain(&program, number);
        let files = plain.iter().enumerate();
        let paths: Vec<PathBuf> = files
            .map(|(file, text)| place.write(&file_name("random", number, file), text))
            .collect();
        match made(&paths, catalogue) {
            Made::Idle => continue,
            Made::Refused(reason) => tally.refused.push(format!("program {number}: {reason}")),
            Made::Served(texts) => {
                tally.served += 1;
                batch.programs.push(number);
                // Both are linked to one executable file.
                let other = format!("q{}", &program.prefix[1..]);
                let rename = |text: &String| text.replace(&program.prefix, &other);
                let automatic = texts.into_iter();
                let automatic = automatic.map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
                let named = [
                    ("plain", plain.iter().map(rename).collect::<Vec<_>>()),
                    ("automatic", automatic.collect()),
                ];
                for (name, texts) in named {
                    for (file, text) in texts.iter().enumerate() {
                        let text = format!("#define main {name}{number}\n{text}");
                        sources.push(place.write(&file_name(name, number, file), &text));
                    }
                }
            }
        }
        tally.tried += 1;
    }
    if !batch.programs.is_empty() {
        batch.build(&sources);
        batch.try_all(seed, &mut tally);
    }
    tally
}

/// What `tests/suites/run own` tries: nothing is tested here.
#[test]
#[ignore = "writes the programs to CCCP_TEXTS"]
fn texts() {
    let place = PathBuf::from(std::env::var_os("CCCP_TEXTS").expect("CCCP_TEXTS is a directory"));
    let seed = setting("CCCP_SEED", 1);
    let wanted =
        (0..setting("CCCP_PROGRAMS", 60)).filter(|&one| only().is_none_or(|only| only == one));
    for number in wanted {
        let directory = place.join(number.to_string());
        std::fs::create_dir_all(&directory).expect("a directory for the program");
        let program = program(seed, number);
        for (file, text) in plain(&program, number).iter().enumerate() {
            let path = directory.join(file_name("random", number, file));
            std::fs::write(path, text).expect("a file of the program");
        }
    }
}

#[test]
fn s08_s09_s26_random_programs_killed_at_random_checkpoints_end_like_the_plain_ones() {
    let count = setting("CCCP_PROGRAMS", 60);
    let seed = setting("CCCP_SEED", 1);
    let own = Workplace::new("random-programs");
    let catalogue = Catalogue::builtin();
    let batches = count.div_ceil(TOGETHER);
    let (place, catalogue) = (&own, &catalogue);
    let work = |worker: usize| -> Vec<Tally> {
        let own = (worker..batches).step_by(WORKERS);
        own.map(|number| with_stack(|| batch(number, count, seed, place, catalogue)))
            .collect()
    };
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|worker| scope.spawn(move || work(worker)))
            .collect();
        let done = workers
            .into_iter()
            .map(|worker| worker.join().expect("a worker"));
        done.flatten().collect()
    });
    let sum = |of: fn(&Tally) -> usize| tallies.iter().map(of).sum::<usize>();
    let (tried, served) = (sum(|one| one.tried), sum(|one| one.served));
    let (resumed, proved) = (sum(|one| one.resumed), sum(|one| one.proved));
    for reason in tallies.iter().flat_map(|one| &one.refused) {
        eprintln!("refused: {reason}");
    }
    for stop in tallies.iter().flat_map(|one| &one.stopped) {
        eprintln!("stopped: {stop}");
    }
    let stopped = sum(|one| one.stopped.len());
    eprintln!(
        "{tried} programs, {served} served, {resumed} resumed from a checkpoint, {proved} proved by cccp-run"
    );
    let wrong: Vec<&str> = tallies
        .iter()
        .flat_map(|one| one.wrong.iter().map(String::as_str))
        .collect();
    assert!(wrong.is_empty(), "wrong:\n{}", wrong.join("\n"));
    if only().is_some() {
        eprintln!("what was made of it is in {}", place.path().display());
        std::mem::forget(own);
        return;
    }
    assert!(
        served * 5 > tried * 3
            && resumed * 3 > served
            && stopped * 10 < served
            && proved * 5 > served,
        "too little was tried"
    );
}
