//! A thread that lets the program look at the clock now and then.
//!
//! It does nothing else: it reads no clock, takes no lock, calls no MPI, and has all signals blocked. A child made by `fork`
//! has no such thread, and takes no checkpoints by time.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{JoinHandle, park_timeout};
use std::time::Duration;

use super::signals;
use super::statics::cccp_due;
use crate::memory::without_signals;

/// So often the program looks.
const PERIOD: Duration = Duration::from_millis(100);

/// The run that it belongs to: a number of its own each; 0 between two runs.
static RUN: AtomicU32 = AtomicU32::new(0);
static RUNS: AtomicU32 = AtomicU32::new(0);
/// The thread, and the process in which it runs.
static THREAD: Mutex<Option<(JoinHandle<()>, u32)>> = Mutex::new(None);

/// Starts it. Where no thread can be had, checkpoints are taken by calls only.
pub fn begin() {
    let run = RUNS.fetch_add(1, Ordering::Relaxed) + 1;
    RUN.store(run, Ordering::Relaxed);
    let started = without_signals(|| {
        let thread = std::thread::Builder::new().name("cccp-timer".to_string());
        thread.stack_size(64 << 10).spawn(move || {
            while RUN.load(Ordering::Relaxed) == run {
                park_timeout(PERIOD);
                if RUN.load(Ordering::Relaxed) == run {
                    signals::look();
                    cccp_due.store(1, Ordering::SeqCst);
                }
            }
        })
    });
    let mut thread = THREAD.lock().unwrap_or_else(PoisonError::into_inner);
    *thread = started.ok().map(|started| (started, std::process::id()));
}

/// Ends it. A child made by `fork` has none to wait for.
pub fn end() {
    RUN.store(0, Ordering::Relaxed);
    let mut thread = THREAD.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((thread, process)) = thread.take()
        && process == std::process::id()
    {
        thread.thread().unpark();
        let _ = thread.join();
    }
}
