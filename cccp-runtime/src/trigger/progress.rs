//! How far a run is, as a signal handler may read and tell it.
//!
//! In: what the program knows each time it looks at the clock. Out: one line, made without memory of its own and without a
//! lock. A handler may come between two numbers: then the line has one of before and one of after, and both were true.

use std::fmt::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};

/// Where the numbers are that are not known.
const UNKNOWN: u64 = u64::MAX;

/// What this process has come to.
pub static PROGRESS: Progress = Progress::new();

/// The numbers; times in thousandths of seconds since the start of the run.
#[derive(Debug)]
pub struct Progress {
    taken: AtomicU64,
    generation: AtomicU64,
    last: AtomicU64,
    stood: AtomicU64,
    due: AtomicU64,
}

/// The numbers at a moment; times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// Checkpoints that were taken in this run.
    pub taken: u64,
    /// The generation of the last one.
    pub generation: u64,
    /// When it was taken.
    pub last: f64,
    /// How long the program has stood still for all of them.
    pub stood: f64,
    /// When the next one is due by time.
    pub due: Option<f64>,
}

impl Progress {
    const fn new() -> Progress {
        Progress {
            taken: AtomicU64::new(0),
            generation: AtomicU64::new(0),
            last: AtomicU64::new(0),
            stood: AtomicU64::new(0),
            due: AtomicU64::new(UNKNOWN),
        }
    }

    /// It has come to this.
    pub fn note(&self, reached: &Reached) {
        let due = reached.due.filter(|due| due.is_finite());
        self.taken.store(reached.taken, Ordering::Relaxed);
        self.generation.store(reached.generation, Ordering::Relaxed);
        self.last
            .store(thousandths(reached.last), Ordering::Relaxed);
        self.stood
            .store(thousandths(reached.stood), Ordering::Relaxed);
        self.due
            .store(due.map_or(UNKNOWN, thousandths), Ordering::Relaxed);
    }

    /// In words, `now` seconds after the start, and after so many calls of checkpoints.
    pub fn tell(&self, name: &str, now: f64, calls: u64, out: &mut dyn Write) -> fmt::Result {
        let number = |from: &AtomicU64| from.load(Ordering::Relaxed);
        let seconds = |from: &AtomicU64| number(from) as f64 / 1e3;
        write!(out, "cccp: {name}: running for ")?;
        span(out, now)?;
        write!(out, ", {} calls of checkpoints; ", calls)?;
        match number(&self.taken) {
            0 => write!(out, "no checkpoint in this run yet")?,
            taken => {
                let ending = if taken == 1 { "" } else { "s" };
                write!(
                    out,
                    "{taken} checkpoint{ending}, the last one generation {}, ",
                    number(&self.generation)
                )?;
                span(out, (now - seconds(&self.last)).max(0.0))?;
                write!(out, " ago")?;
            }
        }
        let stood = seconds(&self.stood);
        let share = 100.0 * stood / now.max(1e-3);
        write!(
            out,
            "; the program stood still for {stood:.2} s, {share:.2} % of the time; "
        )?;
        match number(&self.due) {
            UNKNOWN => write!(out, "none is due by time"),
            due => {
                write!(out, "the next one is due in ")?;
                span(out, (due as f64 / 1e3 - now).max(0.0))
            }
        }?;
        writeln!(out)
    }
}

fn thousandths(seconds: f64) -> u64 {
    (seconds.max(0.0) * 1e3) as u64
}

/// A length of time for people.
fn span(out: &mut dyn Write, seconds: f64) -> fmt::Result {
    let whole = seconds.round() as u64;
    match whole {
        0..60 => write!(out, "{whole} s"),
        60..3600 => write!(out, "{} min {} s", whole / 60, whole % 60),
        3600..86_400 => write!(out, "{} h {} min", whole / 3600, whole % 3600 / 60),
        _ => write!(out, "{} d {} h", whole / 86_400, whole % 86_400 / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_told_in_one_line() {
        let progress = Progress::new();
        let said = |now: f64, calls: u64| {
            let mut line = String::new();
            progress
                .tell("heat", now, calls, &mut line)
                .expect("a line");
            line
        };
        assert_eq!(
            said(59.4, 0),
            "cccp: heat: running for 59 s, 0 calls of checkpoints; no checkpoint in this run yet; the program stood still for \
             0.00 s, 0.00 % of the time; none is due by time\n"
        );
        progress.note(&Reached {
            taken: 2,
            generation: 4700,
            last: 3590.0,
            stood: 7.2,
            due: Some(3700.0),
        });
        assert_eq!(
            said(3600.0, 4711),
            "cccp: heat: running for 1 h 0 min, 4711 calls of checkpoints; 2 checkpoints, the last one generation 4700, 10 s ago; \
             the program stood still for 7.20 s, 0.20 % of the time; the next one is due in 1 min 40 s\n"
        );
    }
}
