//! Numbers that a program does not repeat: how long it took, when it began, the number of its process.
//!
//! Two undisturbed runs tell them: their lines are the same but for words with digits. Such a number varies in all lines of its shape,
//! the words without digits: `step 7 took 0.31 s` of every step. What a restart prints there is not compared.

use std::collections::{BTreeMap, BTreeSet};

use cccp_ckpt::compare::Tolerance;

use super::compare::is_near;

/// What does not count as a difference.
#[derive(Debug, Default)]
pub struct Allowed {
    /// How far numbers may be apart.
    pub tolerance: Tolerance,
    /// Numbers that are not compared.
    pub varying: Varying,
    /// Several ranks print, and which of them comes first is not repeated.
    pub in_any_order: bool,
}

/// Numbers by the shapes of their lines: which words of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Varying {
    words: BTreeMap<String, BTreeSet<usize>>,
    /// As the runs had them: the first of each.
    shown: Vec<String>,
    /// Most of the numbers of the text vary.
    are_most: bool,
}

impl Varying {
    /// What of the first text the others do not repeat. None when more than numbers differs.
    pub fn of(first: &[u8], others: &[&[u8]], tolerance: &Tolerance) -> Option<Varying> {
        let first = String::from_utf8_lossy(first);
        let mut varying = Varying::default();
        for other in others {
            let other = String::from_utf8_lossy(other);
            let (mut one, mut other) = (first.lines(), other.lines());
            let mut number = 0;
            loop {
                number += 1;
                match (one.next(), other.next()) {
                    (None, None) => break,
                    (Some(one), Some(other)) if is_near(one, other, &Allowed::by(*tolerance)) => {}
                    (Some(one), Some(other)) if shape(one) == shape(other) => {
                        varying.add(number, one, other);
                    }
                    _ => return None,
                }
            }
        }
        let numbers = |line: &str| {
            line.split_whitespace()
                .filter(|word| is_number(word))
                .count()
        };
        let all: usize = first.lines().map(numbers).sum();
        let apart: usize = first
            .lines()
            .filter_map(|line| varying.words.get(&shape(line)))
            .map(BTreeSet::len)
            .sum();
        varying.are_most = 2 * apart > all;
        Some(varying)
    }

    fn add(&mut self, number: usize, one: &str, other: &str) {
        let words = self.words.entry(shape(one)).or_default();
        let both = one.split_whitespace().zip(other.split_whitespace());
        for (at, (one, other)) in both.enumerate() {
            if one != other && words.insert(at) {
                self.shown.push(format!("`{one}` (line {number})"));
            }
        }
    }

    /// Whether a word of a line varies.
    pub fn has(&self, line: &str, at: usize) -> bool {
        self.words
            .get(&shape(line))
            .is_some_and(|words| words.contains(&at))
    }

    /// Whether most of the numbers vary: what the program computes may be among them.
    pub fn are_most(&self) -> bool {
        self.are_most
    }

    /// Whether everything is repeated.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// One number of each kind, and where it is.
    pub fn shown(&self) -> &[String] {
        &self.shown
    }
}

impl Allowed {
    /// All numbers are compared.
    pub fn by(tolerance: Tolerance) -> Allowed {
        Allowed {
            tolerance,
            varying: Varying::default(),
            in_any_order: false,
        }
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
}

/// The words of a line, with `#` for those that have digits.
fn shape(line: &str) -> String {
    let words = line.split_whitespace();
    let words = words.map(|word| if is_number(word) { "#" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(first: &str, others: &[&str]) -> Option<Varying> {
        let others: Vec<&[u8]> = others.iter().map(|one| one.as_bytes()).collect();
        Varying::of(
            first.as_bytes(),
            &others,
            &"0".parse().expect("a tolerance"),
        )
    }

    #[test]
    fn times_vary_in_all_lines_of_their_shape_and_results_do_not() {
        let one = "step 1: u = 3.5, 0.01 s\nstep 2: u = 3.7, 0.02 s\n";
        let other = "step 1: u = 3.5, 0.01 s\nstep 2: u = 3.7, 0.03 s\n";
        let varying = of(one, &[other]).expect("only times differ");
        assert!(varying.has("step 9: u = 0.1, 7.25 s", 5));
        assert!(!varying.has("step 9: u = 0.1, 7.25 s", 4));
        assert_eq!(varying.shown(), ["`0.02` (line 2)"]);
    }

    #[test]
    fn other_words_and_more_lines_are_no_times_and_most_of_the_numbers_may_be_results() {
        assert_eq!(of("good 1\n", &["bad 1\n"]), None);
        assert_eq!(of("1 2\n", &["1 2\n3\n"]), None);
        let most = |one, other| of(one, &[other]).expect("only numbers differ").are_most();
        assert!(most("pi is 3.14 after 0.5 s\n", "pi is 3.15 after 0.6 s\n"));
        assert!(!most(
            "pi is 3.14 after 0.5 s\n",
            "pi is 3.14 after 0.6 s\n"
        ));
        assert!(of("1 2\n", &["1 2\n"]).expect("all is repeated").is_empty());
    }
}
