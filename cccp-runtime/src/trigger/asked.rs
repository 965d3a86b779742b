//! What was asked from outside, as a signal handler can write it down.

use std::sync::atomic::{AtomicU32, Ordering};

/// Take a checkpoint and go on.
pub const TAKE: u32 = 1;
/// Take one and leave.
pub const LEAVE: u32 = 2;
/// It was SIGINT that asked to leave.
pub const INTERRUPT: u32 = 4;

/// What this process was asked.
pub static ASKED: Asked = Asked(AtomicU32::new(0));

/// What was asked and is not done yet.
#[derive(Debug, Default)]
pub struct Asked(AtomicU32);

impl Asked {
    /// Somebody asks for this. What had been asked before; safe in a signal handler.
    pub fn ask(&self, what: u32) -> u32 {
        self.0.fetch_or(what, Ordering::SeqCst)
    }

    /// What is asked.
    pub fn now(&self) -> u32 {
        self.0.load(Ordering::SeqCst)
    }

    /// This is done.
    pub fn done(&self, what: u32) {
        self.0.fetch_and(!what, Ordering::SeqCst);
    }
}
