//! The examples of the README files are run: every block of shell, in order, as a reader would type it.
//!
//! What differs from typing: the working directory is a copy of the repository's top with links, so nothing is left
//! behind; `cargo build` is left out, because the tools of this build come first in PATH; and a line with
//! CCCP_KILL_AT has to die, every other line has to succeed. A C block has to compile as it stands.

mod harness;

use std::path::Path;
use std::process::Command;

use harness::{Workplace, have, mpi_or_word, root, tools_directory};

/// The fenced blocks of one language, in order.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    text.split(&fence)
        .skip(1)
        .filter_map(|rest| Some(rest.split_once("\n```")?.0.to_owned()))
        .collect()
}

/// The block as a script that stops at the first line that does not do what it should.
fn script(block: &str) -> String {
    let mut script = "set -euo pipefail\n".to_owned();
    for line in block
        .lines()
        .filter(|line| !line.starts_with("cargo build") && !line.starts_with("git clone"))
    {
        let command = line.split(" # ").next().unwrap_or_default();
        if command.contains("CCCP_KILL_AT=") {
            script += &format!("if {command}; then echo 'did not die: {line}' >&2; exit 1; fi\n");
        } else {
            script += &format!("{command}\n");
        }
    }
    script
}

/// The top of the repository as a reader has it, made of links.
fn top(place: &Workplace) {
    for entry in std::fs::read_dir(root()).expect("the top").flatten() {
        let name = entry.file_name().into_string().expect("UTF-8");
        if name != "target" && !name.starts_with('.') {
            std::os::unix::fs::symlink(entry.path(), place.join(&name)).expect("a link");
        }
    }
}

/// Runs the shell blocks of a page, all in one shell session.
fn run_page(page: &str, wanted: impl Fn(&str) -> bool) {
    let text = std::fs::read_to_string(root().join(page)).expect("the page");
    let blocks: Vec<String> = blocks(&text, "sh")
        .into_iter()
        .filter(|block| wanted(block))
        .collect();
    assert!(!blocks.is_empty(), "{page} has no block to run");
    if blocks.iter().any(|block| block.contains("mpirun")) && !mpi_or_word() {
        return;
    }
    let place = Workplace::new("readme");
    top(&place);
    let path = format!(
        "{}:{}",
        tools_directory().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let script = script(&blocks.join("\n"));
    let mut bash = Command::new("bash");
    bash.args(["-c", &script])
        .current_dir(place.path())
        .env("PATH", path);
    // What is meant for the tests is no setting of the programs.
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CCCP_")) {
        bash.env_remove(name);
    }
    bash.env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    bash.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
    // On a loaded machine OpenMPI's mpirun may see the end of a rank before the word that it has called MPI_Finalize.
    bash.env("OMPI_MCA_orte_allowed_exit_without_sync", "1");
    // A program refuses variables of this name that it does not know.
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CCCP_")) {
        bash.env_remove(name);
    }
    let output = bash.output().expect("bash");
    assert!(
        output.status.success(),
        "{page}: {}\n{script}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn the_tour_of_the_readme_works_as_written() {
    // The two commands themselves are run by whoever runs the tests.
    run_page("README.md", |block| {
        !block.starts_with("samples/run") && !block.starts_with("git clone")
    });
}

#[test]
fn the_page_of_the_inspection_tool_works_as_written() {
    run_page("cccp-runtime/ckpt/README.md", |_| true);
}

#[test]
fn the_page_of_the_tool_that_starts_programs_works_as_written() {
    run_page("cccp-runtime/run/README.md", |_| true);
}

/// The scripts of the page about batch jobs, each in the place of a batch system: Slurm's commands are stand-ins, PBS's `qsub` notes
/// that the script wants another job, LSF looks at the exit status.
#[test]
fn the_scripts_of_the_page_about_batch_jobs_work_as_written() {
    const PAGE: &str = "cccp-runtime/run/BATCH.md";
    let text = std::fs::read_to_string(root().join(PAGE)).expect("the page");
    let [slurm, pbs, lsf] = &blocks(&text, "bash")[..] else {
        panic!("{PAGE}: a script for each of three systems");
    };
    let place = Workplace::new("batch-page");
    top(&place);
    let script = script(&blocks(&text, "sh").join("\n"));
    let path = format!(
        "{}:{}",
        tools_directory().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let shell = |script: &str, path: &str, set: &[(&str, &str)]| {
        let mut bash = Command::new("bash");
        harness::without_settings(&mut bash);
        bash.args(["-c", script]).current_dir(place.path());
        // Each call of a checkpoint takes an hour.
        bash.env("PATH", path).env("CCCP_CLOCK", "3600");
        let output = bash.envs(set.iter().copied()).output().expect("bash");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr),
        )
    };
    let whole = format!("{script}\n./heat 1000 60");
    let (_, expected, errors) = shell(&whole, &path, &[]);
    assert!(!expected.is_empty(), "{errors}");
    let write = |script: &str| std::fs::write(place.join("job.sh"), script).expect("a script");

    let fake = root().join("tests/slurm/fake");
    write(slurm);
    let with = format!("{}:{path}", fake.display());
    let submit = "cccp-run --slurm --partition=long job.sh 1000 60";
    assert!(text.contains(submit), "{PAGE}");
    let died = format!("CCCP_KILL_AT=published:1 {submit}");
    let set = [("CCCP_CLOCK", "0"), ("CCCP_EVERY", "20"), ("REFUSED", "1")];
    assert_eq!(shell(&died, &with, &set).0, Some(85));
    let (code, output, errors) = shell(submit, &with, &[("CCCP_CLOCK", "150")]);
    assert_eq!((code, &output), (Some(0), &expected), "{errors}");
    assert!(
        errors.contains("restart of heat from generation 20"),
        "{errors}"
    );

    write(pbs);
    let here = place.path().to_str().expect("UTF-8").to_owned();
    place.directory("bin");
    place.write("bin/qsub", "#!/bin/sh\necho \"$*\" >> jobs\n");
    let executable = format!("chmod +x {here}/bin/qsub");
    shell(&executable, &path, &[]);
    let with = format!("{here}/bin:{path}");
    let set = [("PBS_O_WORKDIR", &*here)];
    let mut all = Vec::new();
    for _ in 0..4 {
        let (code, output, errors) = shell("bash job.sh", &with, &set);
        all.push((code, output, errors));
        if all.last().is_some_and(|one| one.0 != Some(85)) {
            break;
        }
    }
    let output: String = all.iter().map(|one| one.1.as_str()).collect();
    assert_eq!(output, expected, "{all:?}");
    let jobs = std::fs::read_to_string(place.join("jobs")).unwrap_or_default();
    assert_eq!(jobs, "job.sh\n".repeat(all.len() - 1), "{all:?}");
    assert_eq!(all.len(), 3, "{all:?}");

    write(lsf);
    let mut all = Vec::new();
    while all.len() < 4 {
        all.push(shell("bash job.sh", &path, &[]));
        if all.last().is_some_and(|one| one.0 != Some(85)) {
            break;
        }
    }
    let output: String = all.iter().map(|one| one.1.as_str()).collect();
    assert_eq!((output, all.len()), (expected, 3), "{all:?}");
}

#[test]
fn the_page_of_the_report_works_as_written() {
    run_page("precompiler/src/explain/README.md", |_| true);
}

#[test]
fn the_readme_of_each_serial_sample_works_as_written() {
    for sample in harness::SAMPLES.iter().filter(|sample| !sample.mpi) {
        run_page(&format!("samples/{}/README.md", sample.name), |_| true);
    }
    run_page("samples/openmp/README.md", |_| true);
}

#[test]
fn the_readme_of_each_mpi_sample_works_as_written() {
    for sample in harness::SAMPLES.iter().filter(|sample| sample.mpi) {
        run_page(&format!("samples/{}/README.md", sample.name), |_| true);
    }
}

#[test]
fn the_program_of_the_readme_is_the_sample() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README.md");
    let sample =
        std::fs::read_to_string(root().join("samples/heat-serial/main.c")).expect("the sample");
    let mut lines = sample.lines().map(str::trim);
    let shown = blocks(&readme, "c")
        .into_iter()
        .find(|block| block.contains("int main"))
        .expect("a program");
    for line in shown
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && *line != "...")
    {
        assert!(
            lines.any(|known| known == line),
            "{line:?} is not in samples/heat-serial/main.c, or not in this order"
        );
    }
}

#[test]
fn every_c_example_of_the_readme_compiles() {
    let place = Workplace::new("readme-c");
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README.md");
    for (number, block) in blocks(&readme, "c")
        .iter()
        .enumerate()
        .filter(|(_, block)| !block.contains("..."))
    {
        let file = place.write(&format!("example-{number}.c"), block);
        compiles(&file);
    }
}

/// Compiles a file that has to be a whole program or a piece of one.
fn compiles(file: &Path) {
    for compiler in ["gcc", "clang"]
        .into_iter()
        .filter(|compiler| have(compiler))
    {
        let mut cc = Command::new(compiler);
        cc.args(["-fsyntax-only", "-Wall", "-Wno-unknown-pragmas"])
            .arg(file);
        let output = cc.output().expect("the compiler");
        assert!(
            output.status.success(),
            "{}\n{}",
            file.display(),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
