//! The library alone, without the precompiler: C programs in the shape that cccp-pp gives them, linked with libcccp.a,
//! killed after every checkpoint and rerun. What the runs print one after the other is what an undisturbed run prints.
//!
//! The checkpoints are written at once (`write = synchronous`), so that a run dies before it prints what follows the
//! checkpoint.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The signal that cannot be caught.
const SIGKILL: i32 = 9;

/// A program of this test.
struct Case {
    program: PathBuf,
    arguments: &'static [&'static str],
    place: PathBuf,
}

/// Where libcccp.a of this build is; built on first use.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let mut cargo = Command::new(env!("CARGO"));
        // Whole, as everybody builds it: one package alone has other features, and everything is compiled again.
        cargo.args(["build", "--quiet", "--target-dir"]);
        cargo.arg(target);
        cargo.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
        let profile = if cfg!(debug_assertions) {
            "debug"
        } else {
            cargo.arg("--release");
            "release"
        };
        assert!(cargo.status().unwrap().success());
        target.join(profile).join("libcccp.a")
    })
}

impl Case {
    /// Compiles `shape/<name>.c`.
    fn new(name: &str, arguments: &'static [&'static str]) -> Case {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let place = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("shape")
            .join(name);
        let _ = std::fs::remove_dir_all(&place);
        std::fs::create_dir_all(&place).unwrap();
        let program = place.join(name);
        let output = Command::new("cc")
            .args(["-std=gnu11", "-O2", "-g", "-Wall", "-Wextra", "-Werror"])
            // The labels are reached in ways that the compiler cannot see.
            .args(["-Wno-maybe-uninitialized", "-Wno-unused-label"])
            .arg("-I")
            .arg(here.join("include"))
            .arg(here.join("tests/shape").join(format!("{name}.c")))
            .arg("-o")
            .arg(&program)
            .arg(library())
            .args(["-lpthread", "-ldl", "-lm"])
            .output()
            .unwrap();
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{complaints}");
        Case {
            program,
            arguments,
            place,
        }
    }

    /// A fresh working directory.
    fn directory(&self, name: &str) -> PathBuf {
        let directory = self.place.join(name);
        std::fs::create_dir_all(&directory).unwrap();
        directory
    }

    /// One run, which dies at this point if it gets there.
    fn run(&self, directory: &Path, kill_at: Option<&str>, settings: &[(&str, &str)]) -> Output {
        let mut command = Command::new(&self.program);
        command.args(self.arguments).current_dir(directory);
        // What is meant for the tests is no setting of the programs.
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CCCP_")) {
            command.env_remove(name);
        }
        command.env("CCCP_WRITE", "synchronous");
        command.env("CCCP_EVERY", "1");
        command.envs(settings.iter().copied());
        if let Some(point) = kill_at {
            command.env("CCCP_KILL_AT", point);
        }
        let output = command.output().unwrap();
        let code = output.status.code();
        let killed = output.status.signal() == Some(SIGKILL);
        assert!(
            code == Some(0) || kill_at.is_some() && killed,
            "{:?} at {kill_at:?}: {}\n{}{}",
            self.program,
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        output
    }

    /// Kills the program after every checkpoint, in a run of its own and in a chain of restarts.
    fn survives(&self, settings: &[(&str, &str)]) {
        let expected = self.run(&self.directory("whole"), None, settings).stdout;
        let expected = String::from_utf8(expected).unwrap();
        assert!(!expected.is_empty());
        let mut checkpoints = 0;
        loop {
            let directory = self.directory(&format!("once-{checkpoints}"));
            let point = format!("published:{}", checkpoints + 1);
            let first = self.run(&directory, Some(&point), settings);
            if first.status.success() {
                break;
            }
            checkpoints += 1;
            let second = self.run(&directory, None, settings);
            self.same(&expected, &[first, second], &point);
        }
        assert!(checkpoints > 2, "{checkpoints} checkpoints");
        let directory = self.directory("chain");
        let mut runs = Vec::new();
        for _ in 0..=checkpoints {
            let run = self.run(&directory, Some("published:1"), settings);
            let done = run.status.success();
            runs.push(run);
            if done {
                break;
            }
        }
        assert!(runs.last().unwrap().status.success(), "no end");
        assert_eq!(runs.len(), checkpoints + 1);
        self.same(&expected, &runs, "each checkpoint");
    }

    fn same(&self, expected: &str, runs: &[Output], point: &str) {
        let join = |bytes: fn(&Output) -> &Vec<u8>| {
            let texts = runs.iter().map(|run| String::from_utf8_lossy(bytes(run)));
            texts.collect::<Vec<_>>().concat()
        };
        let (found, complaints) = (join(|run| &run.stdout), join(|run| &run.stderr));
        assert_eq!(
            found, expected,
            "{:?} killed at {point}\n{complaints}",
            self.program
        );
    }
}

#[test]
fn s09_registers_of_a_function_that_has_returned_come_back() {
    Case::new("callee", &[]).survives(&[]);
}

#[test]
fn s13_exchanged_pointers_and_pointers_into_the_same_memory_stay_what_they_are() {
    Case::new("swap", &[]).survives(&[]);
}

#[test]
fn s14_a_buffer_that_grows_is_registered_again() {
    Case::new("grow", &[]).survives(&[]);
}

#[test]
fn s09_s11_blocks_run_again_with_the_values_they_had() {
    Case::new("blocks", &[]).survives(&[]);
}

#[test]
fn s09_what_a_running_loop_supersedes_comes_back_when_it_has_ended() {
    let case = Case::new("dormant", &[]);
    let directory = case.directory("twice");
    // In the third iteration of the first loop, then in the second loop.
    case.run(&directory, Some("published:3"), &[]);
    case.run(&directory, Some("published:3"), &[]);
    let last = case.run(&directory, None, &[]);
    let printed = String::from_utf8_lossy(&last.stdout).into_owned();
    assert_eq!(printed, "0 0 1 1 4 8 9 27 \n".repeat(2));
}

#[test]
fn s11_an_active_call_gets_its_arguments_again() {
    Case::new("arguments", &["--word"]).survives(&[]);
}

#[test]
fn s09_recursion_comes_back_to_the_same_depth() {
    Case::new("recursion", &[]).survives(&[]);
}

#[test]
fn s15_a_variable_length_array_is_declared_again() {
    Case::new("region", &[]).survives(&[]);
}

#[test]
fn s15_pointers_to_functions_are_kept_by_name() {
    Case::new("functions", &[]).survives(&[]);
}

#[test]
fn s15_s23_all_types_come_back_in_both_encodings() {
    let case = Case::new("types", &[]);
    case.survives(&[]);
    std::fs::remove_dir_all(&case.place).unwrap();
    Case::new("types", &[]).survives(&[("CCCP_ENCODING", "native"), ("CCCP_COMPRESS", "6")]);
}

#[test]
fn the_library_can_be_called_by_hand() {
    Case::new("hand", &["--cccp-every=1", "rest"]).survives(&[]);
}
