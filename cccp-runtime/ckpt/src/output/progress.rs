//! How far long work is, on a terminal's standard error.
//!
//! Nothing is shown before the work has taken a moment, at most ten lines per second are written, and the line is gone
//! when the work is done: short work shows nothing.

use std::cell::Cell;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Work that takes less shows nothing.
const PATIENCE: Duration = Duration::from_millis(400);
/// Time between two lines.
const PACE: Duration = Duration::from_millis(100);

/// Work in progress; the line disappears with it.
pub struct Progress {
    what: String,
    total: u64,
    done: Cell<u64>,
    shown: Cell<bool>,
    next: Cell<Option<Instant>>,
}

impl Progress {
    pub(super) fn new(what: String, total: u64, wanted: bool) -> Progress {
        Progress {
            what,
            total,
            done: Cell::new(0),
            shown: Cell::new(false),
            next: Cell::new(wanted.then(|| Instant::now() + PATIENCE)),
        }
    }

    /// So much more is done.
    pub fn advance(&self, by: u64) {
        let done = self.done.get().saturating_add(by);
        self.done.set(done);
        let Some(next) = self.next.get() else { return };
        let now = Instant::now();
        if now < next {
            return;
        }
        self.next.set(Some(now + PACE));
        self.shown.set(true);
        let percent = u128::from(done) * 100 / u128::from(self.total.max(1));
        let _ = write!(
            io::stderr(),
            "\r\x1b[K{} {:3} %",
            self.what,
            percent.min(100)
        );
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.get() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
