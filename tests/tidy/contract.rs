//! The contract's lines are numbered, and the names of tests carry the numbers of the lines they prove. The page and the tests
//! are held together.

use std::collections::{BTreeMap, BTreeSet};

use super::none;
use super::source::{files, top};

/// What a line says about itself.
const STATES: [&str; 3] = ["holds", "in part", "open"];

/// A line of the page: whether it is true today, and the tests that it names.
struct Line {
    state: String,
    tests: Vec<String>,
}

/// The lines by their numbers, and what is wrong with the page.
fn lines(page: &str) -> (BTreeMap<u32, Line>, Vec<String>) {
    let mut lines = BTreeMap::new();
    let mut offences = Vec::new();
    for item in page.split("\n- **S").skip(1) {
        let item = item.split("\n\n").next().unwrap_or_default();
        let Some((number, rest)) = item.split_once("** · ") else {
            offences.push(format!("no state: S{item}"));
            continue;
        };
        let state = rest.split('.').next().unwrap_or_default().to_owned();
        let tests = rest
            .split_once("\n  Tests: ")
            .map_or("", |(_, tests)| tests);
        let tests = tests.split('`').skip(1).step_by(2).map(str::to_owned);
        let line = Line {
            state,
            tests: tests.collect(),
        };
        if !STATES.contains(&line.state.as_str()) {
            offences.push(format!("S{number}: {} is no state", line.state));
        }
        match number.parse() {
            Ok(number) if !lines.contains_key(&number) => _ = lines.insert(number, line),
            _ => offences.push(format!("S{number} is no number, or stands twice")),
        }
    }
    (lines, offences)
}

/// The numbers with which the name of a test begins: `s08_s17_a_death…` has 8 and 17.
fn numbers(name: &str) -> Vec<u32> {
    let parts = name.split('_');
    let number = |part: &str| {
        let digits = part.strip_prefix('s').filter(|digits| digits.len() == 2)?;
        digits.parse().ok()
    };
    parts.map_while(number).collect()
}

/// All functions of the project's Rust files whose names carry numbers.
fn named() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for path in files(top()) {
        if path.extension().is_some_and(|end| end == "rs") {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let functions = text.split("fn ").skip(1);
            names.extend(functions.filter_map(|one| Some(one.split_once("()")?.0.to_owned())));
        }
    }
    names.retain(|name| !numbers(name).is_empty());
    names
}

#[test]
fn every_line_of_the_contract_is_named_by_a_test_and_every_test_by_a_line() {
    let page = std::fs::read_to_string(top().join("tests/CONTRACT.md")).expect("the contract");
    let (lines, mut offences) = lines(&page);
    let all = (1..=39).chain(50..=62);
    let lost = all.filter(|number| !lines.contains_key(number));
    offences.extend(lost.map(|number| format!("S{number} is not on the page")));
    let tests = named();
    let mut proved: BTreeSet<u32> = BTreeSet::new();
    for test in &tests {
        proved.extend(numbers(test));
        let strange = numbers(test)
            .into_iter()
            .filter(|number| !lines.contains_key(number));
        offences.extend(strange.map(|number| format!("{test}: S{number} is not on the page")));
    }
    for (number, line) in &lines {
        let is_open = line.state == "open";
        if is_open == proved.contains(number) {
            let what = match is_open {
                true => "is open, and a test names it",
                false => "is named by no test",
            };
            offences.push(format!("S{number} {what}"));
        }
        if is_open != line.tests.is_empty() {
            offences.push(format!(
                "S{number}: open lines, and no others, have no tests"
            ));
        }
        for test in &line.tests {
            if !tests.contains(test) {
                offences.push(format!("S{number}: no such test: {test}"));
            } else if !numbers(test).contains(number) {
                offences.push(format!("S{number}: {test} proves another line"));
            }
        }
    }
    none("tests/CONTRACT.md", offences);
}
