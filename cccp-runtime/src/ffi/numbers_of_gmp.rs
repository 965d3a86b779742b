//! Memory for the numbers of GMP (GMP 6.2, 13), from the program's allocator: so a checkpoint knows the limbs of a number.

use std::ffi::{CStr, c_void};

use super::heap::{cccp_free, cccp_malloc, cccp_realloc};
use crate::tool::say;

/// The function that GMP has for it.
pub(super) const MEMORY_OF_GMP: &CStr = c"__gmp_set_memory_functions";

type Allocate = extern "C" fn(usize) -> *mut c_void;
type Reallocate = unsafe extern "C" fn(*mut c_void, usize, usize) -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void, usize);
type SetMemoryFunctions = unsafe extern "C" fn(Allocate, Reallocate, Free);

/// GMP cannot go on without memory: it ends the program itself where it has its own functions.
fn there_is(block: *mut c_void, length: usize) -> *mut c_void {
    if block.is_null() {
        say(None, &format!("GMP: no memory for {length} bytes"));
        std::process::abort();
    }
    block
}

extern "C" fn allocate(length: usize) -> *mut c_void {
    there_is(cccp_malloc(length), length)
}

unsafe extern "C" fn reallocate(block: *mut c_void, _: usize, length: usize) -> *mut c_void {
    // SAFETY: GMP hands over a block from here.
    there_is(unsafe { cccp_realloc(block, length) }, length)
}

unsafe extern "C" fn free(block: *mut c_void, _: usize) {
    // SAFETY: GMP hands over a block from here.
    unsafe { cccp_free(block) }
}

/// From now on the numbers of GMP lie in blocks of the program.
///
/// # Safety
///
/// `function` is GMP's function of the name [`MEMORY_OF_GMP`], and there are no numbers yet.
pub(super) unsafe fn give_memory(function: usize) {
    // SAFETY: the promise of the caller.
    unsafe {
        let function = std::mem::transmute::<usize, SetMemoryFunctions>(function);
        function(allocate, reallocate, free);
    }
}
