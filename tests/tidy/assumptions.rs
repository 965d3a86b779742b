//! The page of assumptions and the tests that break them on purpose are held together.

use std::collections::BTreeSet;

use super::none;
use super::source::{files, top};

/// Every row of the page names tests that exist, and every case made for an assumption stands in a row.
#[test]
fn every_assumption_has_a_test_that_breaks_it_and_every_such_test_an_assumption() {
    let page = std::fs::read_to_string(top().join("precompiler/ASSUMPTIONS.md")).expect("the page");
    let mut offences = Vec::new();
    let mut named: BTreeSet<String> = BTreeSet::new();
    let rows = page.lines().filter(|line| line.starts_with("| "));
    for row in rows.filter(|line| !line.starts_with("| assumption |")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [_, _, how, tests] = cells[..] else {
            offences.push(format!("not four cells: {row}"));
            continue;
        };
        let is_treated = [
            "checked before the run",
            "checked in the run",
            "served",
            "assumed",
        ]
        .iter()
        .any(|word| how.contains(word));
        if !is_treated {
            offences.push(format!("how it is treated is not said: {row}"));
        }
        let words: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        if words.is_empty() {
            offences.push(format!("no test: {row}"));
        }
        named.extend(words.iter().map(|word| word.to_string()));
    }
    let mut tests: BTreeSet<String> = BTreeSet::new();
    let mut cases: BTreeSet<String> = BTreeSet::new();
    for path in files(top()) {
        let name = path.file_stem().and_then(|name| name.to_str());
        let parent = path.parent().and_then(|one| one.file_name()?.to_str());
        match (name, parent, path.extension().and_then(|end| end.to_str())) {
            (Some(name), Some("assumptions"), Some("c")) if !name.ends_with("_part") => {
                cases.insert(name.to_string());
            }
            (_, _, Some("rs")) => {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                let functions = text.split("fn ").skip(1);
                tests.extend(functions.filter_map(|one| Some(one.split_once("()")?.0.to_string())));
            }
            _ => {}
        }
    }
    let missing = named
        .iter()
        .filter(|name| !tests.contains(*name) && !cases.contains(*name));
    offences.extend(missing.map(|name| format!("no such test: {name}")));
    let untold = cases.difference(&named);
    offences.extend(untold.map(|name| format!("tests/assumptions/{name}.c stands in no row")));
    none("precompiler/ASSUMPTIONS.md", offences);
}
