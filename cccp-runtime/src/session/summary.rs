//! What a run says when it is complete: what its checkpoints came to.
//!
//! In: each checkpoint that was published. Out: three lines at `shutdown` where the setting `summary` asks for them, and
//! always after a restart; or one line when no checkpoint was published although the run was long or some were due.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::format::amount;
use crate::store::known_file;
use crate::trigger::Reached;

use super::Session;

/// A run that ends sooner needs no checkpoint.
const LONG: Duration = Duration::from_secs(60);

/// The checkpoints of a run that were published.
#[derive(Debug)]
pub struct Tally {
    begun: Instant,
    /// When the values were taken that a restart would restore.
    held: Instant,
    /// The same of the checkpoint that is being written.
    taken: Instant,
    count: u64,
    generation: u64,
    bytes: u64,
    longest: Duration,
    /// How long the program has stood still.
    stood: Duration,
    /// Why the latest one could not be written.
    failed: Option<String>,
    /// The file that standard error was.
    errors: Option<(u64, u64)>,
}

impl Tally {
    /// Of a run that begins, or goes on, now.
    pub(super) fn new() -> Tally {
        let now = Instant::now();
        Tally {
            begun: now,
            held: now,
            taken: now,
            count: 0,
            generation: 0,
            bytes: 0,
            longest: Duration::ZERO,
            stood: Duration::ZERO,
            failed: None,
            errors: standard_error(),
        }
    }

    /// The values of a checkpoint are taken now.
    pub(super) fn take(&mut self, now: Instant) {
        self.taken = now;
    }

    /// It was published after it had been written for so long.
    pub(super) fn published(&mut self, generation: u64, bytes: u64, wrote: Duration) {
        self.generation = generation;
        self.count += 1;
        self.bytes += bytes;
        self.longest = self.longest.max(self.taken + wrote - self.held);
        self.held = self.taken;
    }

    /// The program stood still for a checkpoint.
    pub(super) fn stood(&mut self, time: Duration) {
        self.stood += time;
    }

    /// The same for whoever asks meanwhile.
    pub(super) fn reached(&self) -> Reached {
        let since = |moment: Instant| (moment - self.begun).as_secs_f64();
        Reached {
            taken: self.count,
            generation: self.generation,
            last: since(self.held),
            stood: self.stood.as_secs_f64(),
            due: None,
        }
    }

    /// It could not be written.
    pub(super) fn failed(&mut self, reason: &str) {
        self.failed = Some(reason.to_string());
    }

    /// Whether the program has made standard error a file of its own: a summary is not for there.
    fn is_redirected(&self) -> bool {
        standard_error() != self.errors
    }

    /// Whether there is one.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The three lines about a run that ends now.
    fn lines(&self, now: Instant, several: bool) -> String {
        let ran = (now - self.begun).as_secs_f64();
        let longest = self.longest.max(now - self.held).as_secs_f64();
        let ending = if self.count == 1 { "" } else { "s" };
        let of = if several { " of this rank" } else { "" };
        format!(
            "summary: {} checkpoint{ending}, {}{of} written\n\
             summary: the program stood still for {:.2} s of {ran:.1} s, {:.2} % of the time\n\
             summary: a crash would have cost {longest:.1} s of work at most",
            self.count,
            amount(self.bytes),
            self.stood.as_secs_f64(),
            100.0 * self.stood.as_secs_f64() / ran.max(1e-9),
        )
    }
}

/// The regular file that standard error is now; none where it is none.
fn standard_error() -> Option<(u64, u64)> {
    known_file(Path::new("/proc/self/fd/2")).map(|(which, _)| which)
}

impl Session {
    /// Of several ranks: this one has written checkpoints, and no generation is there on all of them.
    fn has_no_complete_one(&self) -> bool {
        let (rank, size) = (self.group.rank(), self.group.size());
        let begins = self.first_generation;
        let is_complete =
            |one: &u64| *one >= begins && self.directory.is_complete(*one, size).unwrap_or(true);
        // The latest may still be under way elsewhere.
        size > 1
            && rank == 0
            && self.tally.count > 1
            && self.when.misses_others()
            && self
                .directory
                .whole()
                .is_ok_and(|whole| whole.is_none_or(|whole| whole < begins))
            && self
                .directory
                .generations()
                .is_ok_and(|all| !all.iter().any(is_complete))
    }

    /// What is said at `shutdown`.
    pub(super) fn sum_up(&mut self) {
        let now = Instant::now();
        let is_long = now - self.tally.begun > LONG;
        let line = match (self.untaken.take(), self.tally.failed.take()) {
            _ if self.has_no_complete_one() => Some(
                "summary: no checkpoint of this run is complete: this rank has written its files, and other ranks have written none"
                    .to_string(),
            ),
            _ if !self.tally.is_empty() || self.is_idle => None,
            (Some(reason), _) => Some(format!(
                "warning: this run has taken no checkpoint: {reason}"
            )),
            // The reason has been a warning when it was met.
            (None, Some(reason)) => Some(format!(
                "summary: this run has written no checkpoint: {reason}"
            )),
            (None, None) if self.settings.every == Some(0) || !is_long => None,
            (None, None) => {
                Some("summary: this run has taken no checkpoint: none was due".to_string())
            }
        };
        if let Some(line) = line {
            self.say(line);
        }
        let wanted = self.settings.summary || self.is_resumed && !self.tally.is_redirected();
        if wanted && self.group.rank() == 0 {
            let several = self.group.size() > 1;
            let lines = self.tally.lines(now, several);
            self.say(lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_crash_would_have_cost_is_the_longest_time_until_the_next_one_was_there() {
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let mut tally = Tally {
            begun: start,
            held: start,
            taken: start,
            ..Tally::new()
        };
        for (taken, wrote) in [(10, 1), (30, 2), (35, 1)] {
            tally.take(at(taken));
            tally.published(taken, 1024, Duration::from_secs(wrote));
        }
        tally.stood(Duration::from_secs(2));
        let lines = tally.lines(at(40), false);
        assert!(
            lines.contains("summary: 3 checkpoints, 3.00 KiB written"),
            "{lines}"
        );
        assert!(
            lines.contains("2.00 s of 40.0 s, 5.00 % of the time"),
            "{lines}"
        );
        assert!(lines.contains("cost 22.0 s of work at most"), "{lines}");
    }
}
