//! What a profiler measured.
//!
//! ```text
//! # function:line and seconds (or samples), one per line
//! solve:120 3.51
//! exchange:80 0.4
//!
//! # or what `gprof -b -p` prints
//!   %   cumulative   self              self     total
//!  time   seconds   seconds    calls  ms/call  ms/call  name
//!  96.01      3.51     3.51      100    35.10    35.10  solve
//!
//! # or what `perf report --stdio` prints
//!     96.01%  heat     heat              [.] solve
//! ```
//!
//! A function without lines is divided among its statements as the estimate says.

use super::routine::Amount;
use crate::dataflow::steps::Steps;
use crate::program::Program;
use std::collections::{BTreeMap, BTreeSet};

/// Shares of the run time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    lines: BTreeMap<(String, usize), f64>,
    functions: BTreeMap<String, f64>,
}

impl Profile {
    /// Reads a profile. An error says which line it is about.
    pub fn read(text: &str) -> Result<Profile, String> {
        let mut profile = Profile::default();
        // What follows the heading of gprof's flat profile.
        let mut is_flat = false;
        for (index, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                [] if !profile.functions.is_empty() && is_flat => is_flat = false,
                [] => {}
                [first, ..] if first.starts_with('#') => {}
                [first, ..] if *first == "%" || *first == "Flat" || *first == "Each" => {}
                [first, .., last] if *first == "time" && *last == "name" => is_flat = true,
                [share, _, own, rest @ ..] if is_flat && !rest.is_empty() => {
                    let (Some(_), Some(own)) = (amount(share), amount(own)) else {
                        return Err(fault(index, line));
                    };
                    let name = rest.last().copied().unwrap_or_default();
                    *profile.functions.entry(plain(name)).or_default() += own;
                }
                [share, .., name] if share.ends_with('%') => {
                    let share = amount(share.trim_end_matches('%'));
                    let share = share.ok_or_else(|| fault(index, line))?;
                    *profile.functions.entry(plain(name)).or_default() += share;
                }
                [place, own] => {
                    let own = amount(own).ok_or_else(|| fault(index, line))?;
                    let found = place.rsplit_once(':');
                    let found = found.and_then(|(name, line)| Some((name, line.parse().ok()?)));
                    let (name, number) = found.ok_or_else(|| fault(index, line))?;
                    let key = (name.to_string(), number);
                    *profile.lines.entry(key).or_default() += own;
                }
                _ => return Err(fault(index, line)),
            }
        }
        let sum: f64 = profile
            .lines
            .values()
            .chain(profile.functions.values())
            .sum();
        if sum <= 0.0 {
            return Err("nothing was measured in it".to_string());
        }
        Ok(profile)
    }

    /// Whether it names a function of the program.
    pub fn fits(&self, steps: &Steps) -> bool {
        let names: BTreeSet<&str> = steps.routines.iter().map(|one| one.name.as_str()).collect();
        let lines = self.lines.keys().map(|(name, _)| name);
        { lines }
            .chain(self.functions.keys())
            .any(|name| names.contains(name.as_str()))
    }

    /// Puts what was measured in the place of what was estimated, for each function and node.
    pub(super) fn measure(&self, program: &Program, steps: &Steps, own: &mut [Vec<Amount>]) {
        for (number, routine) in steps.routines.iter().enumerate() {
            let unit = &program.units[routine.function.unit];
            let line_of = |node: usize| {
                let node = &routine.flow.nodes[node];
                node.statement
                    .map(|_| unit.file.origin_text(node.span.start).1)
            };
            let mut on_line: BTreeMap<usize, usize> = BTreeMap::new();
            for line in (0..own[number].len()).filter_map(line_of) {
                *on_line.entry(line).or_default() += 1;
            }
            let estimated: f64 = own[number].iter().map(|one| one.instructions).sum();
            let whole = self.functions.get(&routine.name).copied().unwrap_or(0.0);
            for (node, amount) in own[number].iter_mut().enumerate() {
                let mut measured = match estimated > 0.0 {
                    true => whole * amount.instructions / estimated,
                    false => 0.0,
                };
                if let Some(line) = line_of(node)
                    && let Some(here) = self.lines.get(&(routine.name.clone(), line))
                {
                    measured += here / on_line[&line] as f64;
                }
                *amount = Amount {
                    instructions: measured,
                    accesses: measured,
                };
            }
        }
    }
}

fn amount(word: &str) -> Option<f64> {
    let number: f64 = word.parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number)
}

/// A function's name without what compilers add to copies of it: `solve.part.0`.
fn plain(name: &str) -> String {
    name.split('.').next().unwrap_or(name).to_string()
}

fn fault(index: usize, line: &str) -> String {
    format!(
        "line {}: `{}` is neither `function:line seconds` nor a line of gprof's flat profile nor of perf report --stdio",
        index + 1,
        line.trim()
    )
}

#[cfg(test)]
mod tests {
    use super::Profile;

    #[test]
    fn three_forms_are_read() {
        let own = Profile::read("# mine\nsolve:120 3.5\n\nsolve:121 0.5\n").expect("lines");
        assert_eq!(own.lines.len(), 2);
        let flat = "Flat profile:\n\nEach sample counts as 0.01 seconds.\n  %   cumulative   self              self     total\n time   seconds   seconds    calls  ms/call  ms/call  name\n 90.0  0.9  0.9  1  900.0  900.0  solve\n 10.0  1.0  0.1  main\n";
        let flat = Profile::read(flat).expect("gprof");
        assert_eq!(flat.functions["solve"], 0.9);
        assert_eq!(flat.functions["main"], 0.1);
        let perf = Profile::read("# Overhead\n    96.01%  heat  heat  [.] solve.part.0\n");
        assert_eq!(perf.expect("perf").functions["solve"], 96.01);
    }

    #[test]
    fn what_is_no_profile_is_told_with_its_line() {
        let fault = Profile::read("solve:120 3.5\nsolve 120 x y\n").expect_err("no profile");
        assert!(fault.starts_with("line 2: `solve 120 x y`"), "{fault}");
        assert!(Profile::read("solve:1 -3\n").is_err());
        assert!(Profile::read("").is_err());
    }
}
