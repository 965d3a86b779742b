//! Which loops and calls overwrite whole arrays: `golden/coverage/*.c` with expectations beside the lines of loops and
//! calls.
//!
//! ```text
//! /* must: a[] not covered */       a wrong answer here would be a wrong restart
//! /* should: a[] covered */         what is meant to be found
//! ```
//!
//! Names are those of `--emit coverage`; of a block of memory `heap@LINE`. Several are separated by commas.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::cli::options::Options;
use cccp_precompiler::cli::run::compile;

fn emitted(path: &Path) -> String {
    let words = ["cccp-pp", "--emit", "coverage"].map(OsString::from);
    let words = words.into_iter().chain([path.as_os_str().to_owned()]);
    let options = Options::read(words).expect("the options are right");
    let catalogue = Catalogue::builtin();
    let compiled = compile(&options, &catalogue);
    let bytes = compiled.results.first().map(|(_, bytes)| bytes.clone());
    let bytes = bytes.unwrap_or_else(|| panic!("{}: {:?}", path.display(), compiled.diagnostics));
    String::from_utf8(bytes).expect("UTF-8")
}

/// What is covered, with the line of the loop or call.
fn covered(text: &str, file: &str) -> Vec<(usize, String)> {
    let mut all = Vec::new();
    for line in text.lines() {
        let Some((_, rest)) = line.split_once(" line ") else {
            continue;
        };
        let (number, names) = rest.split_once(": ").expect("a line and names");
        let names = names.split(" (line").next().expect("names");
        let number: usize = number.parse().expect("a number");
        let names = names.replace(&format!("heap@{file}:"), "heap@");
        all.extend(names.split(", ").map(|name| (number, name.to_string())));
    }
    all
}

#[test]
fn loops_and_calls_cover_what_they_should_and_nothing_else() {
    let entries = std::fs::read_dir("tests/golden/coverage").expect("the cases");
    let mut cases: Vec<PathBuf> = entries.map(|one| one.expect("a case").path()).collect();
    cases.retain(|path| path.extension().is_some_and(|one| one == "c"));
    cases.sort();
    assert!(!cases.is_empty());
    let mut faults = Vec::new();
    for path in &cases {
        let file = path.file_name().expect("a name").to_string_lossy();
        let out = emitted(path);
        let found = covered(&out, &file);
        let source = std::fs::read_to_string(path).expect("the case");
        for (index, line) in source.lines().enumerate() {
            for (kind, wanted) in [("must", false), ("should", true)] {
                let Some((_, rest)) = line.split_once(&format!("/* {kind}: ")) else {
                    continue;
                };
                let (rest, _) = rest.split_once(" */").expect("an end");
                let ending = if wanted { " covered" } else { " not covered" };
                let names = rest.strip_suffix(ending).expect("covered or not");
                for name in names.split(", ") {
                    let is = found.contains(&(index + 1, name.to_string()));
                    if is != wanted {
                        faults.push(format!("{file}:{}: {kind}: {name}{ending}", index + 1));
                    }
                }
            }
        }
        if std::env::var_os("CCCP_SHOW").is_some() {
            faults.push(out);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
