//! The contract's lines are numbered, and the names of tests carry the numbers of the lines they prove.

use std::collections::BTreeMap;

use super::none;
use super::source::{files, top};

/// The lines of the contract, and tests that prove each: the numbers stand in the names of the tests.
#[test]
fn every_line_of_the_contract_is_named_by_a_test() {
    let lines: Vec<u32> = (1..=34).chain(37..=38).collect();
    let mut named: BTreeMap<u32, usize> = BTreeMap::new();
    for path in files(top()) {
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        for name in text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| word.starts_with('s'))
        {
            for part in name
                .split('_')
                .take_while(|part| part.starts_with('s') && part.len() == 3)
            {
                if let Ok(number) = part[1..].parse() {
                    *named.entry(number).or_default() += 1;
                }
            }
        }
    }
    let missing = lines
        .iter()
        .filter(|number| !named.contains_key(number))
        .map(|number| format!("S{number}"));
    none(
        "lines of the contract that no test names",
        missing.collect(),
    );
}
