//! A line on the terminal for whoever waits for a long analysis.
//!
//! In: the passes that a [`Clock`](super::clock::Clock) has seen end. Out: after five seconds, and then every second, one line that
//! replaces the one before: how long it has taken, which pass runs, and its share of the time. When all is done the line is gone. What
//! is no terminal gets nothing.
//!
//! ```text
//! cccp: 37 s, 3rd analysis: points-to, 41 % of the time so far
//! ```

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The first line comes after this time.
const PATIENCE: Duration = Duration::from_secs(5);
/// It is replaced so often.
const TICK: Duration = Duration::from_secs(1);
/// The passes of one analysis, in their order.
const PASSES: [&str; 7] = [
    "steps",
    "points-to",
    "effects",
    "coverage",
    "liveness",
    "completeness",
    "auto",
];

/// The passes that have ended, in the order of time, and how long each took.
pub(super) type Ended = Arc<Mutex<Vec<(&'static str, Duration)>>>;

/// Shows the line until it is dropped.
pub struct Progress {
    shown: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// On the terminal, when standard error is one.
    pub(super) fn begin(ended: &Ended) -> Progress {
        match std::io::stderr().is_terminal() {
            true => Progress::on(std::io::stderr(), ended, (PATIENCE, TICK)),
            false => Progress { shown: None },
        }
    }

    fn on(
        mut out: impl Write + Send + 'static,
        ended: &Ended,
        (mut wait, tick): (Duration, Duration),
    ) -> Progress {
        let (over, is_over) = channel::<()>();
        let (begun, ended) = (Instant::now(), Arc::clone(ended));
        let thread = std::thread::spawn(move || {
            let mut has_line = false;
            while is_over.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                let passes = ended.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let line = line(begun.elapsed(), &passes);
                // Who cannot be told anything need not be.
                has_line |= write!(out, "\r\x1b[K{line}")
                    .and_then(|()| out.flush())
                    .is_ok();
                wait = tick;
            }
            if has_line {
                write!(out, "\r\x1b[K")
                    .and_then(|()| out.flush())
                    .unwrap_or(());
            }
        });
        Progress {
            shown: Some((over, thread)),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((over, thread)) = self.shown.take() {
            drop(over);
            thread.join().unwrap_or(());
        }
    }
}

/// What there is to say after some time.
fn line(elapsed: Duration, ended: &[(&'static str, Duration)]) -> String {
    let seconds = elapsed.as_secs();
    let analyses = ended.iter().filter(|(pass, _)| *pass == PASSES[0]).count();
    let all: Duration = ended.iter().map(|(_, spent)| *spent).sum();
    let running = elapsed.saturating_sub(all);
    let last = ended.last().map(|(pass, _)| *pass);
    let at = last.and_then(|last| PASSES.iter().position(|pass| *pass == last));
    let (pass, number) = match (at, last) {
        (None, None) => return format!("cccp: {seconds} s, reading"),
        // Which pass comes next is not known here.
        (None, Some(last)) => (last, analyses + 1),
        (Some(at), _) => {
            let next = (at + 1) % PASSES.len();
            (PASSES[next], analyses + usize::from(next == 0))
        }
    };
    let before = ended.iter().filter(|(one, _)| *one == pass);
    let spent: Duration = before.map(|(_, spent)| *spent).sum::<Duration>() + running;
    let share = 100.0 * spent.as_secs_f64() / elapsed.as_secs_f64().max(1e-9);
    let place = match at {
        Some(_) => format!("{} analysis: {pass}", ordinal(number)),
        None => format!("behind {pass}"),
    };
    format!("cccp: {seconds} s, {place}, {share:.0} % of the time so far")
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands over what is written.
    struct Told(Sender<String>);

    impl Write for Told {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let text = String::from_utf8_lossy(bytes).into_owned();
            self.0.send(text).map_err(std::io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_line_says_which_pass_runs_and_its_share() {
        let seconds = Duration::from_secs;
        assert_eq!(line(seconds(6), &[]), "cccp: 6 s, reading");
        let mut ended = vec![("source", seconds(1)), ("dataflow", seconds(1))];
        assert_eq!(
            line(seconds(8), &ended),
            "cccp: 8 s, behind dataflow, 88 % of the time so far"
        );
        ended.push(("steps", seconds(2)));
        assert_eq!(
            line(seconds(8), &ended),
            "cccp: 8 s, 1st analysis: points-to, 50 % of the time so far"
        );
        ended.extend([
            ("points-to", seconds(4)),
            ("auto", seconds(2)),
            ("steps", seconds(4)),
        ]);
        assert_eq!(
            line(seconds(20), &ended),
            "cccp: 20 s, 2nd analysis: points-to, 50 % of the time so far"
        );
    }

    #[test]
    fn the_line_is_replaced_and_gone_at_the_end() {
        let (told, said) = channel();
        let ended = Ended::default();
        let progress = Progress::on(
            Told(told),
            &ended,
            (Duration::ZERO, Duration::from_secs(3600)),
        );
        let first: String = said.iter().take(2).collect();
        assert!(first.starts_with("\r\x1b[K"), "{first:?}");
        drop(progress);
        let all: String = first + &said.iter().collect::<String>();
        assert!(
            all.contains("cccp: 0 s, reading") && all.ends_with("\r\x1b[K"),
            "{all:?}"
        );
    }
}
