//! What the kernel tells of a thread of this process.

use std::fs;

/// The signals that it has blocked: bit 0 is signal 1. None where the kernel does not say it.
pub fn blocked_by(thread: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/self/task/{thread}/status")).ok()?;
    let mask = status.lines().find_map(|one| one.strip_prefix("SigBlk:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{block_signals, blocked_signals, set_blocked_signals, this_thread};

    #[test]
    fn the_mask_of_a_thread_is_what_it_says_itself() {
        let begun = block_signals();
        let (told, own) = (blocked_by(this_thread()), blocked_signals());
        set_blocked_signals(begun);
        assert_eq!(told, Some(own));
    }
}
