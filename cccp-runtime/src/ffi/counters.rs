//! What a thread counts, where other threads see it.

use std::mem::offset_of;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::mirror::Thread;
use crate::trigger::Counter;

/// The counters of a thread, where others see them.
pub struct Counters {
    passed: usize,
    stop: usize,
}

impl Counters {
    /// Of this state.
    pub fn of(thread: *const Thread) -> Counters {
        let thread = thread.addr();
        Counters {
            passed: thread + offset_of!(Thread, passed),
            stop: thread + offset_of!(Thread, stop),
        }
    }
}

/// One of them.
pub fn cell(address: usize) -> &'static AtomicUsize {
    // SAFETY: the counters of a thread outlive its part of the region; they are as long as pointers on all machines that this
    // library is for, and precompiled code declares them volatile.
    unsafe { &*(address as *const AtomicUsize) }
}

impl Counter for Counters {
    fn passed(&self) -> u64 {
        cell(self.passed).load(Ordering::SeqCst) as u64
    }

    fn stop_at(&self, passed: u64) {
        let passed = usize::try_from(passed).unwrap_or(usize::MAX);
        cell(self.stop).store(passed, Ordering::SeqCst);
    }
}
