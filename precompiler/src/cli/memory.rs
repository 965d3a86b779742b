//! What happens when the system has no memory left: a sentence and an exit status instead of an abort.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;

/// The system's allocator, as both tools use it.
pub struct Memory;

/// Errors of the tool itself have it, too.
const STATUS: i32 = 2;

/// Says so without allocating anything, and ends.
fn exhausted(bytes: usize) -> ! {
    let mut errors = std::io::stderr().lock();
    // There is nobody left to tell when this fails.
    let _ = writeln!(
        errors,
        "\ncccp: no memory is left: {bytes} bytes more were refused. The analysis looks at the whole program at once; raise the limit \
         (`ulimit -v`), use a machine with more memory, or compile without cccp (`cccp-cc --cccp-off`)"
    );
    std::process::exit(STATUS)
}

fn given(memory: *mut u8, bytes: usize) -> *mut u8 {
    match memory.is_null() {
        true => exhausted(bytes),
        false => memory,
    }
}

// SAFETY: all calls go to the system's allocator as they are; only null is never given back.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        given(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }
}
