//! The library under a real `mpirun`: C programs linked with libcccp_mpi.a, killed on one rank or on all and rerun.
//!
//! `MPICC` and `MPIRUN` choose another MPI than the default one; it must be the one that the
//! library was built with.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

fn tool(variable: &str, default: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| default.to_string())
}

/// Builds the library and the program, once.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let place = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let target = place.parent().unwrap();
        let mut cargo = Command::new(env!("CARGO"));
        // Whole, as everybody builds it: one package alone has other features, and everything is compiled again.
        cargo.args(["build", "--quiet", "--workspace", "--target-dir"]);
        cargo.arg(target).current_dir(here);
        let profile = if cfg!(debug_assertions) {
            "debug"
        } else {
            cargo.arg("--release");
            "release"
        };
        assert!(cargo.status().unwrap().success());
        let program = place.join("ring");
        let output = Command::new(tool("MPICC", "mpicc"))
            .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-I"])
            .arg(here.join("../include"))
            .arg(here.join("tests/c/ring.c"))
            .arg("-o")
            .arg(&program)
            .arg(target.join(profile).join("libcccp_mpi.a"))
            .args(["-lpthread", "-ldl", "-lm"])
            .output()
            .unwrap();
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{complaints}");
        program
    })
}

/// A fresh working directory.
fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("ring.runs")
        .join(name);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

/// One run with so many ranks.
fn run(directory: &Path, ranks: u32, kill_at: Option<&str>) -> Output {
    let mut command = Command::new(tool("MPIRUN", "mpirun"));
    command.args(["-n", &ranks.to_string()]).arg(program());
    command.current_dir(directory);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CCCP_")) {
        command.env_remove(name);
    }
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1");
    command.env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
    command.env("CCCP_WRITE", "synchronous");
    command.env("CCCP_EVERY", "1");
    if let Some(point) = kill_at {
        command.env("CCCP_KILL_AT", point);
        // The other ranks die at once as well: mpirun would give them a second.
        command.env("OMPI_MCA_odls_base_sigkill_timeout", "0");
    }
    command.output().unwrap()
}

/// What the program printed; an undisturbed end is asked for.
fn printed(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{errors}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn s08_s17_a_job_that_lost_a_rank_or_all_of_them_ends_with_the_same_result() {
    let expected = printed(&run(&directory("whole"), 3, None));
    assert!(expected.starts_with("3 ranks: "), "{expected}");
    // A rank that has published two generations has heard from a neighbour that has published one, and nothing of the other one:
    // only from the third on there is a generation of all three.
    for point in [
        "published:3",
        "published:3@1",
        "checkpoint:4@2",
        "writing:3@0",
        "written:3@1",
        "publishing:3@2",
        "shutdown@1",
    ] {
        let place = directory(&format!("killed-{}", point.replace([':', '@'], "-")));
        let killed = run(&place, 3, Some(point));
        assert!(!killed.status.success(), "{point} was not reached");
        let again = run(&place, 3, None);
        assert_eq!(printed(&again), expected, "{point}\n{}", errors(&again));
        assert!(errors(&again).contains("cccp: restart"), "{point}");
    }
}

#[test]
fn s20_another_number_of_ranks_is_an_error_that_says_both() {
    let place = directory("ranks");
    let killed = run(&place, 3, Some("checkpoint:4"));
    assert!(!killed.status.success());
    let other = run(&place, 2, None);
    assert!(!other.status.success());
    let words = errors(&other);
    assert!(
        words.contains("3 ranks") && words.contains("2 ranks"),
        "{words}"
    );
}

#[test]
fn s17_a_rank_without_its_file_makes_all_fall_back() {
    let expected = printed(&run(&directory("whole-again"), 3, None));
    let place = directory("fall-back");
    // Rank 1 has published four generations then, and its neighbours at least three.
    let killed = run(&place, 3, Some("checkpoint:5@1"));
    assert!(!killed.status.success());
    let newest = place.join("ring.cccp/0000000004/000001.cccp");
    std::fs::remove_file(&newest).unwrap();
    let again = run(&place, 3, None);
    assert_eq!(printed(&again), expected, "{}", errors(&again));
    assert!(
        errors(&again).contains("generation 3"),
        "{}",
        errors(&again)
    );
}

#[test]
fn before_mpi_init_the_library_says_what_to_do() {
    let output = Command::new(program()).arg("early").output().unwrap();
    let words = errors(&output);
    assert!(output.status.success(), "{words}");
    assert!(words.contains("call MPI_Init before"), "{words}");
}

#[test]
fn a_launcher_of_another_mpi_is_noticed() {
    let output = Command::new(program())
        .current_dir(directory("alone"))
        .env("PMI_SIZE", "4")
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .output()
        .unwrap();
    let words = errors(&output);
    assert_eq!(output.status.code(), Some(8), "{words}");
    assert!(
        words.contains("PMI_SIZE=4") && words.contains("mpirun"),
        "{words}"
    );
}
