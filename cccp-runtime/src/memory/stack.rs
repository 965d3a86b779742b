//! The fixed stack: the stack of `main` and of what it calls lies at the same addresses in every process of a program with a fixed heap.
//!
//! A block of such a heap, which is saved byte for byte, may then point to a local variable: where functions are entered anew on
//! restart, on the same way, with the same code, their locals lie where they lay. Other threads have stacks of their own, elsewhere.
//!
//! Not here: who goes there (`ffi::stack`), and which locals are brought back (`registry`).

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::fixed::{self, BASE, FixedError};

/// It grows down from here: far below the fixed heap and what may be computed from its addresses, far above programs. No power of
/// two is near: numbers just below one are common, and would be taken for addresses of locals.
const TOP: usize = (BASE / 2 - BASE / 11) & !0xffff;

/// Without a limit it has so many bytes, which take no memory before they are used.
const MOST: usize = match cfg!(target_pointer_width = "64") {
    true => 1u64 << 35,
    false => 1 << 26,
} as usize;

/// With less no program runs.
const LEAST: usize = 1 << 20;

/// Where it begins; 0 where there is none.
static LOWEST: AtomicUsize = AtomicUsize::new(0);

/// Makes it, as long as the limit of the shell wants (`ulimit -s`): its addresses.
pub fn begin() -> Result<Range<usize>, FixedError> {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: the limit is plain memory that the call fills.
    let is_known = unsafe { libc::getrlimit(libc::RLIMIT_STACK, &mut limit) } == 0;
    let wanted = usize::try_from(limit.rlim_cur).ok().filter(|_| is_known);
    let mut length = wanted.unwrap_or(MOST).clamp(LEAST, MOST) & !0xffff;
    // Where the kernel promises no memory that it does not have, it may be less.
    while let Err(error) = fixed::map(TOP - length, length) {
        length /= 2;
        if length < LEAST {
            return Err(error);
        }
    }
    LOWEST.store(TOP - length, Ordering::Relaxed);
    Ok(TOP - length..TOP)
}

/// Whether the program has one.
pub fn is_on() -> bool {
    LOWEST.load(Ordering::Relaxed) != 0
}

/// Whether an address belongs to it.
pub fn holds(address: usize) -> bool {
    is_on() && (LOWEST.load(Ordering::Relaxed)..TOP).contains(&address)
}

/// The part of it that no function uses now: what is there has ended. Empty for another thread.
pub fn unused() -> Range<usize> {
    let here = 0u8;
    let here = &raw const here as usize;
    match holds(here) {
        true => LOWEST.load(Ordering::Relaxed)..here,
        false => 0..0,
    }
}
