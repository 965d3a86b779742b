//! How far long work is, on a terminal's standard error.
//!
//! Nothing is shown before the work has taken a moment, at most ten lines per second are written, and the line is gone
//! when the work is done: short work shows nothing.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Work that takes less shows nothing.
const PATIENCE: Duration = Duration::from_millis(400);
/// Time between two lines.
const PACE: Duration = Duration::from_millis(100);

/// Work in progress; the line disappears with it.
pub struct Progress {
    what: String,
    total: u64,
    state: Mutex<State>,
}

struct State {
    done: u64,
    shown: bool,
    /// When the next line is due; never when nobody wants any.
    next: Option<Instant>,
}

impl Progress {
    pub(super) fn new(what: String, total: u64, wanted: bool) -> Arc<Progress> {
        Arc::new(Progress {
            what,
            total,
            state: Mutex::new(State {
                done: 0,
                shown: false,
                next: wanted.then(|| Instant::now() + PATIENCE),
            }),
        })
    }

    /// So much more is done.
    pub fn advance(&self, by: u64) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.done = state.done.saturating_add(by);
        let Some(next) = state.next else { return };
        let now = Instant::now();
        if now < next {
            return;
        }
        state.next = Some(now + PACE);
        state.shown = true;
        let percent = u128::from(state.done) * 100 / u128::from(self.total.max(1));
        let percent = percent.min(100);
        let _ = write!(io::stderr(), "\r\x1b[K{} {percent:3} %", self.what);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
