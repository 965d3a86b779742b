//! Functions of libraries that files of the program name: where they are, before `main` (`CCCP_NOTE` of `cccp_libraries.h`).

use std::ffi::{CStr, c_char, c_void};

use super::generators_of_gsl::Gsl;
use super::inputs_of_zlib::OfProgram;
use super::numbers_of_gmp::{MEMORY_OF_GMP, give_memory};
use super::plans_of_fftw::Fftw;
use crate::libraries::{function, note_function, set_generators, set_planner, set_zlib};
use crate::tool::say;

/// Where a function of a library is.
///
/// # Safety
///
/// `name` is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_note_function(name: *const c_char, function: *const c_void) {
    // SAFETY: the promise of the caller.
    let name = unsafe { CStr::from_ptr(name) };
    if name == MEMORY_OF_GMP {
        // SAFETY: this is that function, and nobody has a number before `main`.
        return unsafe { give_memory(function as usize) };
    }
    note_function(&name.to_string_lossy(), function as usize);
    set_planner(&Fftw);
    set_generators(&Gsl);
    set_zlib(&OfProgram);
}

/// The program's function of this name.
///
/// # Safety
///
/// It has the type `F`.
pub(super) unsafe fn own<F: Copy>(name: &str) -> Option<F> {
    const { assert!(size_of::<F>() == size_of::<usize>()) };
    // SAFETY: the promise of the caller; a pointer to a function is as long as a number.
    function(name).map(|place| unsafe { std::mem::transmute_copy::<usize, F>(&place) })
}

/// A function that was called of which no file says where it is.
pub(super) fn unknown(name: &str) {
    say(
        None,
        &format!("{name} has no CCCP_NOTE in the file that calls it: it does nothing"),
    );
}
