//! Where no message is in flight: `golden/communication/*.c` with expectations on the lines of statements.
//!
//! ```text
//! /* unsafe */             must not be called safe, for any number of ranks: a wrong answer would be a wrong restart
//! /* unsafe: WORDS */      and the reason has these words in it
//! /* safe */               is meant to be found, for every number of ranks
//! /* safe for 1, 2 */      is meant to be found for exactly these
//! /* alone */              is meant to be found, as long as there are no checkpoints outside of the loop around it
//! ```

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::cli::options::Options;
use cccp_precompiler::cli::run::compile;

fn has(compiler: &str) -> bool {
    let version = Command::new(compiler).arg("--version").output();
    version.is_ok_and(|out| out.status.success())
}

fn emitted(path: &Path, compiler: &str) -> String {
    let words = [
        "cccp-pp",
        "--cc",
        compiler,
        "--cpp-flag",
        "-fopenmp",
        "--emit",
        "communication",
    ];
    let words = words.into_iter().map(OsString::from);
    let words = words.chain([path.as_os_str().to_owned()]);
    let options = Options::read(words).expect("the options are right");
    let compiled = compile(&options, &Catalogue::builtin());
    let bytes = compiled.results.first().map(|(_, bytes)| bytes.clone());
    let bytes = bytes.unwrap_or_else(|| panic!("{}: {:?}", path.display(), compiled.diagnostics));
    String::from_utf8(bytes).expect("UTF-8")
}

/// What is said of the first step of each line.
fn judged(text: &str) -> BTreeMap<usize, String> {
    let mut found = BTreeMap::new();
    for line in text.lines() {
        let (_, rest) = line.split_once(".c:").expect("a place");
        let (number, said) = rest.split_once(' ').expect("words");
        let number: usize = number.parse().expect("a number");
        found.entry(number).or_insert_with(|| said.to_string());
    }
    found
}

fn faults(path: &Path, compiler: &str) -> Vec<String> {
    let status = Command::new(compiler)
        .args(["-w", "-fsyntax-only", "-fopenmp"])
        .arg(path)
        .status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "{} is no C",
        path.display()
    );
    let out = emitted(path, compiler);
    let found = judged(&out);
    let source = std::fs::read_to_string(path).expect("the case");
    let file = path.file_name().expect("a name").to_string_lossy();
    let mut faults = Vec::new();
    for (index, line) in source.lines().enumerate() {
        let Some((_, mark)) = line.split_once("/* ") else {
            continue;
        };
        let mark = mark.split(" */").next().unwrap_or_default();
        let said = found.get(&(index + 1)).map_or("nothing", String::as_str);
        let holds = match mark.split_once(": ") {
            Some(("unsafe", words)) => said.starts_with("unsafe") && said.contains(words),
            _ if mark == "unsafe" => said.starts_with("unsafe"),
            _ if mark == "safe" => said.starts_with("safe:"),
            _ if mark == "alone" => said.starts_with("safe alone:"),
            _ if mark.starts_with("safe for ") => said.starts_with(mark),
            _ => continue,
        };
        if !holds {
            faults.push(format!("{file}:{}: {mark}: {said}", index + 1));
        }
    }
    if std::env::var_os("CCCP_SHOW").is_some() {
        faults.push(out);
    }
    faults
}

#[test]
fn a_place_is_safe_only_where_no_message_is_under_way() {
    let entries = std::fs::read_dir("tests/golden/communication").expect("the cases");
    let mut cases: Vec<PathBuf> = entries.map(|one| one.expect("a case").path()).collect();
    cases.retain(|path| path.extension().is_some_and(|one| one == "c"));
    cases.sort();
    assert!(!cases.is_empty());
    let mut all = Vec::new();
    for path in &cases {
        let source = std::fs::read_to_string(path).expect("the case");
        if !source.contains("<mpi.h>") {
            all.extend(faults(path, "cc"));
            continue;
        }
        for compiler in ["mpicc.openmpi", "mpicc.mpich"] {
            if has(compiler) {
                all.extend(faults(path, compiler));
            } else {
                eprintln!("skipped without {compiler}: {}", path.display());
            }
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn the_checkpoints_of_the_samples_are_safe() {
    let entries = std::fs::read_dir("../samples").expect("the samples");
    let mut checked = 0;
    for entry in entries {
        let path = entry.expect("a sample").path().join("main.c");
        let Ok(source) = std::fs::read_to_string(&path) else {
            continue;
        };
        if !source.contains("<mpi.h>") || !has("mpicc") {
            continue;
        }
        let found = judged(&emitted(&path, "mpicc"));
        for (index, line) in source.lines().enumerate() {
            if line.contains("#pragma cccp checkpoint") {
                let said = found.get(&(index + 1)).map_or("nothing", String::as_str);
                assert!(
                    said.starts_with("safe:"),
                    "{}:{}: {said}",
                    path.display(),
                    index + 1
                );
                checked += 1;
            }
        }
    }
    assert!(checked >= 3 || !has("mpicc"));
}
