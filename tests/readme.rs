//! The pages of the repository: their examples are run, their links lead somewhere, and their tables of contents are whole.
//!
//! Every block of shell is run, in order, as a reader would type it. What differs from typing: the working directory is a copy
//! of the repository's top with links, so nothing is left behind; `cargo build` is left out, because the tools of this build
//! come first in PATH; and a line with CCCP_KILL_AT has to die, every other line has to succeed. A C block has to compile as
//! it stands, unless it says `...`.

mod harness;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
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

/// All pages of the repository, by their paths from the top.
fn pages() -> Vec<String> {
    fn below(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let name = entry.file_name().into_string().expect("UTF-8");
            let path = entry.path();
            if name.starts_with('.') || name == "target" || path.is_symlink() {
                continue;
            }
            if path.is_dir() {
                below(&path, found);
            } else if name.ends_with(".md") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    below(root(), &mut found);
    found.sort();
    let from_top = |path: PathBuf| {
        let path = path.strip_prefix(root()).expect("below the top");
        path.to_str().expect("UTF-8").to_owned()
    };
    found.into_iter().map(from_top).collect()
}

fn read(page: &str) -> String {
    std::fs::read_to_string(root().join(page)).expect("the page")
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
    let blocks: Vec<String> = blocks(&read(page), "sh")
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

/// The pages beside the front page whose commands are run here. Each sample's page is run by a test of its own below.
const CHAPTERS: [&str; 7] = [
    "cccp-runtime/README.md",
    "cccp-runtime/INSTALL.md",
    "cccp-runtime/THREADS.md",
    "cccp-runtime/ckpt/README.md",
    "cccp-runtime/run/README.md",
    "precompiler/README.md",
    "precompiler/src/explain/README.md",
];

#[test]
fn the_chapters_work_as_written() {
    for page in CHAPTERS {
        run_page(page, |_| true);
    }
}

/// No page has commands that are not run. Those about batch jobs and build systems have tests of their own: below, and in
/// `build_systems.rs`.
#[test]
fn every_page_with_commands_is_run() {
    let own = [
        "README.md",
        "cccp-runtime/run/BATCH.md",
        "precompiler/src/cc/README.md",
    ];
    let with_commands = |page: &String| !blocks(&read(page), "sh").is_empty();
    let is_run = |page: &str| {
        let sample = page.strip_prefix("samples/");
        let sample = sample.and_then(|rest| rest.strip_suffix("/README.md"));
        let of_a_sample = sample.is_some_and(|name| {
            name == "openmp" || harness::SAMPLES.iter().any(|one| one.name == name)
        });
        of_a_sample || own.contains(&page) || CHAPTERS.contains(&page)
    };
    let left: Vec<String> = pages().into_iter().filter(with_commands).collect();
    let left: Vec<&String> = left.iter().filter(|page| !is_run(page)).collect();
    assert!(left.is_empty(), "commands that no test runs: {left:?}");
}

/// The scripts of the page about batch jobs, each in the place of a batch system: Slurm's commands are stand-ins, PBS's `qsub` notes
/// that the script wants another job, LSF looks at the exit status.
#[test]
fn the_scripts_of_the_page_about_batch_jobs_work_as_written() {
    const PAGE: &str = "cccp-runtime/run/BATCH.md";
    let text = read(PAGE);
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
fn the_readme_of_each_serial_sample_works_as_written() {
    for sample in harness::SAMPLES.iter().filter(|sample| !sample.mpi) {
        run_page(&format!("samples/{}/README.md", sample.name), |_| true);
    }
    run_page("samples/openmp/README.md", |_| true);
}

/// Every second sample from this one on.
fn the_readmes_of_mpi_samples_work(first: usize) {
    let samples = harness::SAMPLES.iter().filter(|sample| sample.mpi);
    for sample in samples.skip(first).step_by(2) {
        run_page(&format!("samples/{}/README.md", sample.name), |_| true);
    }
}

#[test]
fn the_readme_of_each_mpi_sample_works_as_written_first_half() {
    the_readmes_of_mpi_samples_work(0);
}

#[test]
fn the_readme_of_each_mpi_sample_works_as_written_second_half() {
    the_readmes_of_mpi_samples_work(1);
}

#[test]
fn the_program_of_the_readme_is_the_sample() {
    let readme = read("README.md");
    let sample = read("samples/heat-serial/main.c");
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

/// The examples of messages are compiled where the messages are tested: they show what is wrong.
#[test]
fn every_c_example_of_the_pages_compiles() {
    let place = Workplace::new("readme-c");
    let explained = |page: &String| page.starts_with("precompiler/src/diagnostic/codes/");
    for page in pages().into_iter().filter(|page| !explained(page)) {
        let whole = blocks(&read(&page), "c");
        let whole = whole.iter().filter(|block| !block.contains("..."));
        for (number, block) in whole.enumerate() {
            let name = page.replace('/', "-");
            compiles(&place.write(&format!("{name}-{number}.c"), block));
        }
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

/// The lines of a page outside of blocks of code.
fn prose(text: &str) -> Vec<&str> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced && !line.starts_with("    ") {
            lines.push(line);
        }
    }
    lines
}

/// The name under which a heading is linked: what GitHub makes of it.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let name: String = heading.trim().chars().filter(kept).collect();
    name.to_lowercase().replace(' ', "-")
}

/// The anchors of a page: of headings of any depth, or of the deepest wanted.
fn anchors(text: &str, deepest: usize) -> Vec<String> {
    let heading = |line: &&str| {
        let depth = line.len() - line.trim_start_matches('#').len();
        (1..=deepest).contains(&depth)
    };
    let lines = prose(text).into_iter().filter(heading);
    lines
        .map(|line| anchor(line.trim_start_matches('#')))
        .collect()
}

/// Where the links of a page lead, as they are written.
fn links(text: &str) -> Vec<String> {
    let text = prose(text).join("\n");
    // A link in a piece of code is none: `a[n](x)`.
    let outside: String = text.split('`').step_by(2).collect();
    let ends = outside.split("](").skip(1);
    ends.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned()))
        .filter(|link| !link.contains("://"))
        .collect()
}

#[test]
fn every_link_of_the_pages_leads_to_a_file_and_a_heading() {
    let mut broken = Vec::new();
    for page in pages() {
        for link in links(&read(&page)) {
            let (path, heading) = match link.split_once('#') {
                Some((path, heading)) => (path, Some(heading)),
                None => (link.as_str(), None),
            };
            let here = root().join(&page);
            let file = match path {
                "" => here,
                path => here.parent().expect("a folder").join(path),
            };
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            let is_there = match heading {
                _ if !file.exists() => false,
                Some(heading) => anchors(&text, 6).iter().any(|one| one == heading),
                None => true,
            };
            if !is_there {
                broken.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(
        broken.is_empty(),
        "links that lead nowhere:\n{}",
        broken.join("\n")
    );
}

/// A page on which one has to search names its chapters at the beginning.
#[test]
fn every_long_page_has_a_whole_table_of_contents() {
    let mut offences = Vec::new();
    for page in pages().into_iter().filter(|page| page != "README.md") {
        let text = read(&page);
        let chapters = anchors(&text, 2);
        if text.lines().count() < 100 || chapters.len() < 4 {
            continue;
        }
        let linked: BTreeSet<String> = links(&text).into_iter().collect();
        // The first heading is the page's own.
        let missing = chapters[1..]
            .iter()
            .filter(|one| !linked.contains(&format!("#{one}")));
        offences.extend(missing.map(|one| format!("{page}: {one}")));
    }
    assert!(
        offences.is_empty(),
        "chapters that the table of contents does not name:\n{}",
        offences.join("\n")
    );
}

#[test]
fn the_front_page_is_read_in_one_go() {
    assert!(read("README.md").lines().count() <= 150);
}

#[test]
fn every_driver_of_the_tests_stands_in_their_table() {
    let page = read("tests/README.md");
    let drivers = std::fs::read_dir(root().join("tests"))
        .expect("tests")
        .flatten();
    let names = drivers.map(|entry| entry.file_name().into_string().expect("UTF-8"));
    let untold: Vec<String> = names
        .filter(|name| name.ends_with(".rs") && !page.contains(&format!("| [{name}]({name}) | ")))
        .collect();
    assert!(
        untold.is_empty(),
        "drivers without a row in tests/README.md: {untold:?}"
    );
}

/// What is read together: an item of a list, or a paragraph.
fn items(text: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    for line in text.lines() {
        let begins = line.is_empty() || line.starts_with(|first: char| first.is_ascii_digit());
        if begins {
            items.push(String::new());
        }
        let item = items.last_mut().expect("there is one");
        item.push_str(line.trim_start());
        item.push('\n');
    }
    items
}

/// The text of a file, or of everything in a folder.
fn text_of(path: &Path) -> String {
    let Ok(entries) = std::fs::read_dir(path) else {
        return std::fs::read_to_string(path).unwrap_or_default();
    };
    entries
        .flatten()
        .map(|entry| text_of(&entry.path()))
        .collect()
}

/// What is wrong with a command of cargo: a driver of tests, or a word in the names of tests, that is not there.
fn wrong_in_command(command: &str) -> Option<String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let behind = |option: &str| {
        let at = words.iter().position(|word| *word == option)?;
        words.get(at + 1).copied()
    };
    let package = match behind("-p") {
        None => "",
        Some("PACKAGE") => return None,
        Some("cccp-grammar") => "grammar",
        Some("cccp-precompiler") => "precompiler",
        Some("cccp-runtime") => "cccp-runtime",
        Some("cccp-ckpt") => "cccp-runtime/ckpt",
        Some(other) => return Some(format!("{command}: the package {other}")),
    };
    let package = root().join(package);
    let has_driver = |driver: &str| {
        let tests = package.join("tests");
        ["", "/main"]
            .iter()
            .any(|end| tests.join(format!("{driver}{end}.rs")).exists())
    };
    let mut drivers = words
        .windows(2)
        .filter(|two| two[0] == "--test")
        .map(|two| two[1]);
    let lost = drivers.find(|driver| !has_driver(driver));
    let word = behind("--lib");
    let in_names = |word: &str| {
        let sources = text_of(&package.join("src"));
        let is_test = |line: &&str| line.trim_start().starts_with("fn ") && line.contains(word);
        package.join("src").join(word).exists() || sources.lines().any(|line| is_test(&line))
    };
    match (lost, word) {
        (Some(driver), _) => Some(format!("{command}: the driver {driver}")),
        (None, Some(word)) if !in_names(word) => Some(format!("{command}: no test {word}")),
        _ => None,
    }
}

/// Whoever follows the page finds what it names: files from the top on, drivers of tests, and names in a file or folder that the same
/// item mentions.
#[test]
fn what_the_page_about_adding_names_is_there() {
    const PAGE: &str = "tests/ADDING.md";
    let mut lost = Vec::new();
    for item in items(&read(PAGE)) {
        let mut words: Vec<&str> = item.split('`').skip(1).step_by(2).collect();
        let is_path = |word: &&str| word.contains('/') && !word.contains(' ');
        let paths: Vec<&str> = words.iter().copied().filter(is_path).collect();
        words.retain(|word| !is_path(word));
        let mut texts = String::new();
        for path in &paths {
            let path = root().join(path);
            match path.exists() {
                true => texts += &text_of(&path),
                false => lost.push(format!("{} is not there", path.display())),
            }
        }
        for link in links(&item) {
            let path = link.split('#').next().unwrap_or_default();
            texts += &text_of(&root().join("tests").join(path));
        }
        for word in words {
            if let Some(at) = word.find("cargo test") {
                lost.extend(wrong_in_command(&word[at..]));
            } else if let Some(rest) = word.strip_prefix("cccp-pp ") {
                let options = read("precompiler/src/cli/options.rs");
                let flags = rest
                    .split_whitespace()
                    .filter_map(|one| one.strip_prefix("--"));
                let unknown = |flag: &&str| !options.contains(&format!("pub {flag}:"));
                lost.extend(
                    flags
                        .filter(unknown)
                        .map(|flag| format!("{word}: --{flag}")),
                );
            } else if word
                .chars()
                .all(|one| one.is_alphanumeric() || one == '_' || one == ':')
            {
                let name = word.rsplit("::").next().unwrap_or(word);
                if !texts.contains(name) {
                    lost.push(format!(
                        "{word} is in no file that this item names:\n{item}"
                    ));
                }
            }
        }
    }
    assert!(lost.is_empty(), "{PAGE}:\n{}", lost.join("\n"));
}
