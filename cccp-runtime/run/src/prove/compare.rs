//! What is the same of two runs: output, files, exit status, final values.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cccp::format::Scalar;
use cccp_ckpt::commands::diff::{self, Verdict};
use cccp_ckpt::compare::Tolerance;
use cccp_ckpt::outcome::Failure;
use cccp_ckpt::output::{Manner, Output};
use clap::ColorChoice;

use super::answer::Difference;
use super::varying::Allowed;

/// So many differences of one kind are told.
const MOST: usize = 5;

/// How much of two directories was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Registers.
    pub registers: u64,
    /// Their values.
    pub values: u64,
    /// Values that differ.
    pub different: u64,
}

impl Extent {
    /// Whether nearly all values are the same: nine of ten.
    pub fn is_repeated(&self) -> bool {
        self.values > 0 && 10 * self.different <= self.values
    }
}

/// The registers of two directories that differ, and how much was compared: those of the program that are in both. Where a
/// restart has not come by, nothing is registered again, and needs not be.
pub fn registers(
    one: &Path,
    other: &Path,
    tolerance: &Tolerance,
) -> Result<(Vec<Difference>, Extent), Failure> {
    let arguments = diff::Arguments {
        one: one.to_path_buf(),
        other: other.to_path_buf(),
        generation: None,
        rank: None,
        tolerance: *tolerance,
    };
    let quiet = Output::standard(Manner {
        json: true,
        bytes: false,
        color: ColorChoice::Never,
        quiet: true,
    });
    let answer = diff::look(&arguments, &quiet)?;
    let several = answer.ranks.len() > 1;
    let (mut found, mut extent) = (Vec::new(), Extent::default());
    for rank in &answer.ranks {
        let of = match several {
            true => format!(" of rank {}", rank.rank),
            false => String::new(),
        };
        for register in &rank.registers {
            if register.is_of_library || matches!(register.verdict, Verdict::OnlyA | Verdict::OnlyB)
            {
                continue;
            }
            extent.registers += 1;
            // Of another type or shape there are no values.
            let values = register.values.as_ref();
            extent.values += values.map_or(1, |values| values.compared);
            extent.different += values.map_or(1, |values| values.beyond_tolerance);
            if register.verdict.is_good() {
                continue;
            }
            let first = values.and_then(|values| values.first.as_ref());
            let index = first.map_or("", |first| first.index.as_str());
            let [expected, spelt] = match first {
                Some(first) => first.words.clone(),
                None => {
                    let reason = register.reason.clone().unwrap_or_default();
                    ["one type or shape".to_string(), reason]
                }
            };
            let name = format!("{}:{}", register.function, register.name);
            found.push(Difference {
                what: format!("{name}{index}{of}"),
                register: name,
                place: Some(format!("{}:{}", register.file, register.line)),
                expected,
                found: spelt,
                extent: values.map(|values| {
                    format!("{} of {} values differ", values.different, values.compared)
                }),
            });
        }
    }
    Ok((found, extent))
}

/// The first lines of two texts that differ.
pub fn texts(what: &str, expected: &[u8], found: &[u8], allowed: &Allowed) -> Vec<Difference> {
    if expected == found {
        return Vec::new();
    }
    let [one, other] = [expected, found].map(lines);
    let found = differing(what, &one, &other, 0, allowed);
    if allowed.in_any_order && lacking(&one, &other, allowed).is_none() && one.len() == other.len()
    {
        return Vec::new();
    }
    found
}

/// A line of the first list that the second one has less often.
fn lacking<'a>(lines: &'a [String], among: &[String], allowed: &Allowed) -> Option<&'a String> {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for line in among {
        *left.entry(line).or_default() += 1;
    }
    // Lines with numbers that vary come after those that are there as they are.
    let mut others = Vec::new();
    for line in lines {
        match left.get_mut(line.as_str()).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => others.push(line),
        }
    }
    left.retain(|_, count| *count > 0);
    others.into_iter().find(|line| {
        let near = left
            .iter_mut()
            .find(|(one, count)| **count > 0 && is_near(one, line, allowed));
        near.map(|(_, count)| *count -= 1).is_none()
    })
}

/// The lines of a text.
fn lines(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    text.split_inclusive('\n').map(str::to_string).collect()
}

fn differing(
    what: &str,
    one: &[String],
    other: &[String],
    before: usize,
    allowed: &Allowed,
) -> Vec<Difference> {
    let nothing = "nothing".to_string();
    let word =
        |line: Option<&String>| line.map_or(nothing.clone(), |line| line.trim_end().to_string());
    (0..one.len().max(other.len()))
        .filter(|&at| match (one.get(at), other.get(at)) {
            (Some(one), Some(other)) => !is_near(one, other, allowed),
            _ => true,
        })
        .take(MOST)
        .map(|at| Difference {
            what: what.to_string(),
            register: String::new(),
            place: Some(format!("line {}", before + at + 1)),
            expected: word(one.get(at)),
            found: word(other.get(at)),
            extent: None,
        })
        .collect()
}

/// Whether two lines are the same but for numbers that vary, or that the tolerance covers.
pub fn is_near(one: &str, other: &str, allowed: &Allowed) -> bool {
    if one == other {
        return true;
    }
    let (tolerance, varying) = (&allowed.tolerance, &allowed.varying);
    let covers = |one: &str, other: &str| match (one.parse(), other.parse()) {
        (Ok(one), Ok(other)) => tolerance.covers(&Scalar::Double(one), &Scalar::Double(other)),
        _ => false,
    };
    let words = [one, other].map(|line| line.split_whitespace().collect::<Vec<_>>());
    let mut pairs = words[0].iter().zip(&words[1]).enumerate();
    words[0].len() == words[1].len()
        && pairs.all(|(at, (word, found))| {
            let varies = || varying.has(one, at) && varying.has(other, at);
            word == found || covers(word, found) || varies()
        })
}

/// What a killed run and the one that resumed have printed, against what an undisturbed one prints: the first is its
/// beginning, the second its end, and nothing is missing in between.
pub fn outputs(
    expected: &[u8],
    killed: &[u8],
    resumed: &[u8],
    allowed: &Allowed,
) -> Vec<Difference> {
    const WHAT: &str = "standard output";
    let is_whole = killed.len() + resumed.len() >= expected.len();
    if is_whole && expected.starts_with(killed) && expected.ends_with(resumed) {
        return Vec::new();
    }
    let whole = lines(expected);
    // A death may have cut its last line.
    let mut first = lines(killed);
    if first.last().is_some_and(|line| !line.ends_with('\n')) {
        first.pop();
    }
    let second = lines(resumed);
    if allowed.in_any_order {
        let both = [&first[..], &second[..]].concat();
        let mut parts = [&first, &second].into_iter();
        if parts.all(|part| lacking(part, &whole, allowed).is_none())
            && lacking(&whole, &both, allowed).is_none()
        {
            return Vec::new();
        }
    }
    let begin = &whole[..first.len().min(whole.len())];
    let found = differing(WHAT, begin, &first, 0, allowed);
    if !found.is_empty() {
        return found;
    }
    let Some(from) = whole.len().checked_sub(second.len()) else {
        return differing(WHAT, &whole, &second, 0, allowed);
    };
    let end = whole.get(from.min(first.len())..).unwrap_or_default();
    let from = from.min(first.len());
    differing(WHAT, end, &second, from, allowed)
}

/// The files of which something differs.
pub fn files(
    names: &[PathBuf],
    expected: &BTreeMap<PathBuf, Vec<u8>>,
    found: &BTreeMap<PathBuf, Vec<u8>>,
    tolerance: &Tolerance,
) -> Vec<Difference> {
    let allowed = &Allowed::by(*tolerance);
    let mut all = Vec::new();
    for name in names {
        let what = name.display().to_string();
        let there = |there: bool| if there { "there" } else { "not there" }.to_string();
        match (expected.get(name), found.get(name)) {
            (Some(one), Some(other)) => all.extend(texts(&what, one, other, allowed)),
            (one, other) if one.is_some() != other.is_some() => all.push(Difference {
                what,
                register: String::new(),
                place: None,
                expected: there(one.is_some()),
                found: there(other.is_some()),
                extent: None,
            }),
            _ => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact() -> Allowed {
        Allowed::by("0".parse().expect("a tolerance"))
    }

    fn are_same(expected: &str, killed: &str, resumed: &str) -> bool {
        outputs(
            expected.as_bytes(),
            killed.as_bytes(),
            resumed.as_bytes(),
            &exact(),
        )
        .is_empty()
    }

    #[test]
    fn a_killed_run_prints_the_beginning_and_the_resumed_one_the_end() {
        assert!(are_same("a\nb\nc\n", "a\n", "b\nc\n"));
        assert!(are_same("a\nb\nc\n", "a\nb\n", "b\nc\n"));
        assert!(are_same("a\nb\nc\n", "", "a\nb\nc\n"));
        assert!(are_same("a\nb\nc\n", "a\nb", "b\nc\n"));
        assert!(are_same("......\n", "...", "....\n"));
        assert!(!are_same("a\nb\nc\n", "a\n", "c\n"), "b is missing");
        assert!(!are_same("a\nb\nc\n", "a\n", "b\nd\n"));
        assert!(!are_same("a\nb\nc\n", "x\n", "b\nc\n"));
        assert!(!are_same("a\n", "a\n", "a\na\n"), "one too many");
    }

    #[test]
    fn lines_of_several_ranks_may_come_in_any_order_and_each_has_to_come() {
        let any = Allowed {
            in_any_order: true,
            ..exact()
        };
        let are_same = |expected: &str, killed: &str, resumed: &str| {
            let [expected, killed, resumed] = [expected, killed, resumed].map(str::as_bytes);
            outputs(expected, killed, resumed, &any).is_empty()
        };
        let expected = "rank 0: 1\nrank 1: 2\nrank 0: 3\nrank 1: 4\n";
        assert!(are_same(
            expected,
            "rank 1: 2\n",
            "rank 0: 1\nrank 1: 4\nrank 0: 3\n"
        ));
        assert!(are_same(
            expected,
            "rank 1: 2\nrank 0: 1\n",
            "rank 0: 1\nrank 1: 4\nrank 0: 3\n"
        ));
        assert!(
            !are_same(expected, "rank 1: 2\n", "rank 0: 1\nrank 1: 4\n"),
            "one is missing"
        );
        assert!(!are_same(
            expected,
            "",
            "rank 0: 1\nrank 1: 2\nrank 0: 3\nrank 1: 5\n"
        ));
        assert_eq!(texts("t", b"a\nb\n", b"b\na\n", &any), []);
        assert_eq!(texts("t", b"a\nb\n", b"b\nb\n", &any).len(), 1);
    }

    #[test]
    fn numbers_may_be_near_where_that_is_allowed() {
        let near = Allowed::by("1e-3".parse().expect("a tolerance"));
        let (one, other) = (b"u = 1.0000 ok\n", b"u = 1.0001 ok\n");
        assert_eq!(texts("t", one, other, &near), []);
        assert_eq!(texts("t", one, other, &exact()).len(), 1);
        assert_eq!(texts("t", b"a\n", b"b\n", &near).len(), 1);
    }
}
