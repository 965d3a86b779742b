//! Which loops are worth a checkpoint: `golden/load/*.c` with expectations on the lines of loops.
//!
//! ```text
//! /* selected */        chosen for a checkpoint
//! /* not selected */    a candidate, or inside another loop
//! /* also worth a checkpoint */   taken beside those as far as the program can be served there; or not
//! /* excluded: why */   no place for a checkpoint, and the beginning of the reason
//! ```

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::cli::options::Options;
use cccp_precompiler::cli::run::compile;

const WORTH: &str = ", also worth a checkpoint";

fn has(compiler: &str) -> bool {
    let version = std::process::Command::new(compiler)
        .arg("--version")
        .output();
    version.is_ok_and(|out| out.status.success())
}

fn emitted(path: &Path, more: &[&str]) -> Option<String> {
    let source = std::fs::read_to_string(path).expect("the case");
    let mut words = vec!["cccp-pp", "--emit", "load"];
    if source.contains("<mpi.h>") {
        if !has("mpicc") && std::env::var_os("CCCP_REQUIRE_MPI").is_none() {
            return None;
        }
        words.extend(["--cc", "mpicc"]);
    }
    words.extend(more);
    let words = words.into_iter().map(OsString::from);
    let words = words.chain([path.as_os_str().to_owned()]);
    let options = Options::read(words).expect("the options are right");
    let compiled = compile(&options, &Catalogue::builtin());
    let bytes = compiled.results.first().map(|(_, bytes)| bytes.clone());
    let bytes = bytes.unwrap_or_else(|| panic!("{}: {:?}", path.display(), compiled.diagnostics));
    Some(String::from_utf8(bytes).expect("UTF-8"))
}

/// What is said of the loops, by line.
fn judged(text: &str) -> BTreeMap<usize, String> {
    let lines = text.lines().map(|line| {
        let (_, rest) = line.split_once(".c:").expect("a place");
        let (number, said) = rest.split_once(' ').expect("words");
        (number.parse().expect("a number"), said.to_string())
    });
    lines.collect()
}

#[test]
fn loops_that_do_the_work_are_selected() {
    let entries = std::fs::read_dir("tests/golden/load").expect("the cases");
    let mut cases: Vec<PathBuf> = entries.map(|one| one.expect("a case").path()).collect();
    cases.retain(|path| path.extension().is_some_and(|one| one == "c"));
    cases.sort();
    assert!(!cases.is_empty());
    let mut faults = Vec::new();
    for path in &cases {
        let file = path.file_name().expect("a name").to_string_lossy();
        let Some(out) = emitted(path, &[]) else {
            eprintln!("skipped without mpicc: {file}");
            continue;
        };
        let found = judged(&out);
        let source = std::fs::read_to_string(path).expect("the case");
        for (index, line) in source.lines().enumerate() {
            let said = found.get(&(index + 1)).map_or("", String::as_str);
            let wanted = [
                ("/* selected */", said.starts_with("selected")),
                (
                    "/* not selected */",
                    said.starts_with("inside") || said.starts_with("outermost"),
                ),
                ("/* also worth a checkpoint */", said.ends_with(WORTH)),
                (
                    "/* not worth a checkpoint */",
                    said.starts_with("outermost") && !said.ends_with(WORTH),
                ),
            ];
            for (mark, holds) in wanted {
                if line.contains(mark) && !holds {
                    faults.push(format!("{file}:{}: {mark}: {said}", index + 1));
                }
            }
            if let Some((_, why)) = line.split_once("/* excluded: ") {
                let why = why.split(" */").next().unwrap_or_default();
                if !said.starts_with(&format!("excluded: {why}")) {
                    faults.push(format!("{file}:{}: excluded: {why}: {said}", index + 1));
                }
            }
        }
        if std::env::var_os("CCCP_SHOW").is_some() {
            faults.push(out);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_profile_takes_the_place_of_the_estimate() {
    let path = Path::new("tests/golden/load/nests.c");
    let source = std::fs::read_to_string(path).expect("the case");
    let line = 1 + source
        .lines()
        .position(|line| line.contains("total += i"))
        .expect("the line");
    let profile = std::env::temp_dir().join(format!("cccp-profile-{}", std::process::id()));
    std::fs::write(
        &profile,
        format!("# measured\nmain:{line} 9.5\nrelax:1 0.1\n"),
    )
    .expect("a profile");
    let option = profile.to_string_lossy().into_owned();
    let out = emitted(path, &["--profile", &option]).expect("no MPI in it");
    let found = judged(&out);
    assert!(found[&(line - 1)].starts_with("selected"), "{out}");
    let selected = found.values().filter(|said| said.starts_with("selected"));
    assert_eq!(selected.count(), 1, "{out}");
    std::fs::write(&profile, "main 12\n").expect("a profile");
    let words = ["cccp-pp", "--profile", &option, "x.c"].map(OsString::from);
    let fault = Options::read(words.into_iter()).expect_err("no profile");
    assert!(fault.to_string().contains("line 1: `main 12`"), "{fault}");
    std::fs::remove_file(&profile).expect("it is there");
}
