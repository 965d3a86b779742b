//! `--timing`: how long every pass took.
//!
//! A pass calls [`Clock::lap`] when it is done; the time since the last lap is its own. Passes that run once per file, or in
//! each round of auto mode, add up, and the line says how often they ran; of files that are read side by side the time of the clock on the wall is divided among the passes. The names are those of `--emit`.
//!
//! ```text
//! cccp-pp: source              12.3 ms, 3 times
//! cccp-pp: syntax               4.5 ms, 3 times
//! cccp-pp: all                 16.8 ms, 25 MiB
//! ```
//!
//! The last line also says how much memory was in use at most, where the system tells.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use super::progress::{Ended, Progress};

/// The passes so far.
#[derive(Clone, Debug)]
pub struct Clock {
    last: Instant,
    ended: Ended,
}

impl Clock {
    /// Begins now.
    pub fn start() -> Clock {
        Clock {
            last: Instant::now(),
            ended: Ended::default(),
        }
    }

    /// Shows on the terminal what takes so long, until that is dropped.
    pub fn show(&self) -> Progress {
        Progress::begin(&self.ended)
    }

    /// The time since the last lap was spent by this pass.
    pub fn lap(&mut self, pass: &'static str) {
        self.add(pass, self.last.elapsed());
    }

    /// So much time was spent by this pass, which is over now.
    pub fn add(&mut self, pass: &'static str, spent: Duration) {
        self.last = Instant::now();
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.push((pass, spent));
    }

    /// The passes in the order in which they first ended, the time of each, and how often it ran.
    pub fn passes(&self) -> Vec<(&'static str, Duration, usize)> {
        let mut passes: Vec<(&'static str, Duration, usize)> = Vec::new();
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        for &(pass, spent) in ended.iter() {
            match passes.iter_mut().find(|(name, ..)| *name == pass) {
                Some((_, sum, times)) => {
                    *sum += spent;
                    *times += 1;
                }
                None => passes.push((pass, spent, 1)),
            }
        }
        passes
    }

    /// A line per pass, and one for all.
    pub fn text(&self) -> String {
        let line = |name: &str, spent: Duration, times: usize| {
            let often = match times {
                1 => String::new(),
                _ => format!(", {times} times"),
            };
            format!(
                "cccp-pp: {name:<14} {:>9.1} ms{often}\n",
                spent.as_secs_f64() * 1e3
            )
        };
        let passes = self.passes();
        let all = passes.iter().map(|(_, spent, _)| *spent).sum();
        let lines = passes.iter();
        let lines = lines.map(|(name, spent, times)| line(name, *spent, *times));
        let mut text: String = lines.chain([line("all", all, 1)]).collect();
        if let Some(kibibytes) = peak() {
            text.truncate(text.trim_end().len());
            text.push_str(&format!(", {} MiB\n", kibibytes.div_ceil(1024)));
        }
        text
    }
}

/// Most memory in use so far, in KiB.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_that_runs_for_every_file_has_one_line() {
        let mut clock = Clock::start();
        for pass in ["source", "syntax", "source", "syntax", "steps"] {
            clock.lap(pass);
        }
        let text = clock.text();
        let names: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split_whitespace().nth(1))
            .collect();
        assert_eq!(names, ["source", "syntax", "steps", "all"]);
        let often = text.lines().map(|line| line.ends_with("ms, 2 times"));
        assert_eq!(often.collect::<Vec<_>>(), [true, true, false, false]);
    }
}
