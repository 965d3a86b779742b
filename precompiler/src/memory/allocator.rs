//! What happens when the system has no memory left: a sentence and an exit status instead of an abort.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, as both tools use it.
pub struct Memory {
    /// Says that so many bytes were refused, without allocating anything, and ends the process.
    pub exhausted: fn(usize) -> !,
}

impl Memory {
    fn given(&self, memory: *mut u8, bytes: usize) -> *mut u8 {
        match memory.is_null() {
            true => (self.exhausted)(bytes),
            false => memory,
        }
    }
}

// SAFETY: all calls go to the system's allocator as they are; only null is never given back.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        self.given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        self.given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        self.given(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }
}
