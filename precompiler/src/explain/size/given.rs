//! Sizes that the user gives: `--size n=1000 --size mesh.capacity=500 --size solve:n=20`.
//!
//! A name is what stands in the brackets of a register or in the argument of an allocation; before it may stand the
//! function that means it. A name that no size depends on is an error: it is misspelt.

use std::collections::{BTreeMap, BTreeSet};

/// The sizes given, and the names that were looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// By name.
    pub given: BTreeMap<String, u64>,
    used: BTreeSet<String>,
    missed: BTreeMap<String, BTreeSet<String>>,
    known: BTreeSet<String>,
}

impl Sizes {
    /// Reads `NAME=NUMBER` words.
    pub fn read(words: &[String]) -> Result<Sizes, String> {
        let mut sizes = Sizes::default();
        for word in words {
            let Some((name, number)) = word.rsplit_once('=') else {
                return Err(format!(
                    "`--size {word}` has no number; write it as `--size {word}=1000`"
                ));
            };
            let name = squeezed(name);
            if name.is_empty() {
                return Err(format!(
                    "`--size {word}` has no name; write it as `--size n={number}`"
                ));
            }
            let value = number_of(number.trim()).ok_or_else(|| {
                format!(
                    "`--size {word}`: `{number}` is not a whole number such as 1000, 0x400 or 1e6"
                )
            })?;
            if let Some(before) = sizes.given.insert(name.clone(), value)
                && before != value
            {
                return Err(format!(
                    "the size `{name}` is given twice: as {before} and as {value}"
                ));
            }
        }
        Ok(sizes)
    }

    /// The value of a name that a function uses.
    pub fn look(&mut self, function: &str, name: &str) -> Option<u64> {
        let name = squeezed(name);
        let full = format!("{function}:{name}");
        self.known.insert(full.clone());
        self.known.insert(name.clone());
        for one in [full, name.clone()] {
            if let Some(value) = self.given.get(&one) {
                self.used.insert(one);
                return Some(*value);
            }
        }
        let functions = self.missed.entry(name).or_default();
        functions.insert(function.to_string());
        None
    }

    /// Names whose values nobody gave; with their functions when several use one name.
    pub fn wanted(&self) -> Vec<String> {
        let mut all = Vec::new();
        for (name, functions) in &self.missed {
            if functions.len() == 1 {
                all.push(name.clone());
            } else {
                all.extend(
                    functions
                        .iter()
                        .map(|function| format!("{function}:{name}")),
                );
            }
        }
        all
    }

    /// Whether every name that was given means something.
    pub fn check(&self) -> Result<(), String> {
        let Some(name) = self.given.keys().find(|name| !self.used.contains(*name)) else {
            return Ok(());
        };
        if self.known.contains(name) {
            // Given for all functions, and for each of them separately.
            return Ok(());
        }
        let plain: Vec<&str> = self
            .known
            .iter()
            .map(String::as_str)
            .filter(|one| !one.contains(':'))
            .collect();
        let near = cccp_grammar::nearest(name, self.known.iter().map(String::as_str));
        let hint = match (near, plain.is_empty()) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, true) => "all sizes are constants".to_string(),
            (None, false) => format!("sizes depend on {}", plain.join(", ")),
        };
        Err(format!("no size depends on `{name}`; {hint}"))
    }
}

/// Without white space.
pub fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// `1000`, `0x400`, `1e6`.
fn number_of(text: &str) -> Option<u64> {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return u64::from_str_radix(digits, 16).ok();
    }
    if let Some((digits, zeros)) = text.split_once(['e', 'E']) {
        let digits: u64 = digits.parse().ok()?;
        return digits.checked_mul(10u64.checked_pow(zeros.parse().ok()?)?);
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Sizes, String> {
        Sizes::read(&words.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let sizes = read(&["n=1000", "m = 0x10", "k=2e3", "mesh . cells=7"]).expect("sizes");
        let given: Vec<(&str, u64)> = sizes.given.iter().map(|(n, v)| (n.as_str(), *v)).collect();
        assert_eq!(
            given,
            [("k", 2000), ("m", 16), ("mesh.cells", 7), ("n", 1000)]
        );
    }

    #[test]
    fn what_is_no_size_is_said_so() {
        let message = |word: &str| read(&[word]).expect_err("no size");
        assert!(message("n").contains("write it as `--size n=1000`"));
        assert!(message("n=many").contains("`many` is not a whole number"));
        assert!(message("n=-5").contains("`-5` is not a whole number"));
        assert!(message("=5").contains("has no name"));
        assert!(read(&["n=1", "n=2"]).expect_err("twice").contains("twice"));
    }

    #[test]
    fn the_name_with_its_function_comes_first() {
        let mut sizes = read(&["n=1", "solve:n=2"]).expect("sizes");
        assert_eq!(sizes.look("main", "n"), Some(1));
        assert_eq!(sizes.look("solve", "n"), Some(2));
        assert_eq!(sizes.look("solve", "k"), None);
        assert_eq!(sizes.wanted(), ["k"]);
        assert_eq!(sizes.look("main", "k"), None);
        assert_eq!(sizes.wanted(), ["main:k", "solve:k"]);
        assert_eq!(sizes.check(), Ok(()));
    }

    #[test]
    fn a_name_that_nothing_depends_on_is_misspelt() {
        let mut sizes = read(&["cels=1"]).expect("sizes");
        sizes.look("main", "cells");
        assert!(
            sizes
                .check()
                .expect_err("misspelt")
                .contains("did you mean `cells`?")
        );
    }
}
