//! Counts what a thread allocates: the system's allocator with two numbers beside it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

/// The allocator of this test.
pub struct Counting;

fn count(bytes: isize) {
    // A thread that ends has no numbers any more.
    let _ = NOW.try_with(|now| {
        now.set(now.get() + bytes);
        let _ = MOST.try_with(|most| most.set(most.get().max(now.get())));
    });
}

// SAFETY: every call is passed on as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as the caller promised.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // While it copies, both are there.
        count(size as isize);
        count(-(layout.size() as isize));
        // SAFETY: as the caller promised.
        unsafe { System.realloc(place, layout, size) }
    }
}

/// Most bytes that were allocated at one time while `work` ran on this thread, beyond those that were there before.
pub fn most_during<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.with(Cell::get);
    MOST.with(|most| most.set(before));
    let result = work();
    let most = MOST.with(Cell::get) - before;
    (result, most.max(0) as usize)
}
