//! The functions of GSL that make and free generators of random numbers, as the program calls them (GSL 2.7, 18.2 to 18.7): they do the
//! same with the same arguments and results, and note it.

use std::ffi::{CStr, c_char, c_void};

use super::noted::{own, unknown};
use crate::libraries::{Generators, forget_generator, note_generator};

/// GSL, as the program is linked with it.
pub(super) struct Gsl;

type Of<T> = unsafe extern "C" fn(*mut c_void) -> T;

/// The kind of this name, of those that GSL has.
fn kind(name: &CStr) -> Option<*const *const c_char> {
    type Setup = extern "C" fn() -> *const *const *const c_char;
    // SAFETY: GSL's function of this name gives a list that ends with a null pointer; the first member of each entry is its name.
    unsafe {
        let mut next = own::<Setup>("gsl_rng_types_setup")?();
        while !(*next).is_null() {
            if CStr::from_ptr(**next) == name {
                return Some(*next);
            }
            next = next.add(1);
        }
    }
    None
}

impl Generators for Gsl {
    fn state(&self, generator: usize) -> Option<(String, Vec<u8>)> {
        let generator = generator as *mut c_void;
        // SAFETY: the generator is alive, and the functions have these types.
        unsafe {
            let name = CStr::from_ptr(own::<Of<*const c_char>>("gsl_rng_name")?(generator));
            kind(name)?;
            let size = own::<Of<usize>>("gsl_rng_size")?(generator);
            let state = own::<Of<*const u8>>("gsl_rng_state")?(generator);
            let state = std::slice::from_raw_parts(state, size).to_vec();
            Some((name.to_str().ok()?.to_string(), state))
        }
    }

    fn make(&self, name: &str, state: &[u8]) -> Option<usize> {
        let name = std::ffi::CString::new(name).ok()?;
        let kind = kind(&name)?;
        // SAFETY: the kind is one of GSL's; its states are as long as it says.
        unsafe {
            let generator = cccp_gsl_rng_alloc(kind.cast());
            if generator.is_null() || own::<Of<usize>>("gsl_rng_size")?(generator) != state.len() {
                return None;
            }
            let place = own::<Of<*mut u8>>("gsl_rng_state")?(generator);
            place.copy_from_nonoverlapping(state.as_ptr(), state.len());
            Some(generator as usize)
        }
    }
}

/// A call that makes one.
///
/// # Safety
///
/// As for GSL's own of this name, which takes a pointer.
unsafe fn make(name: &str, from: *const c_void) -> *mut c_void {
    // SAFETY: the promise of the caller.
    let Some(real) = (unsafe { own::<Of<*mut c_void>>(name) }) else {
        unknown(name);
        return std::ptr::null_mut();
    };
    // SAFETY: the promise of the caller.
    let generator = unsafe { real(from.cast_mut()) };
    note_generator(generator as usize);
    generator
}

/// `gsl_rng_alloc`
///
/// # Safety
///
/// As for GSL's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_gsl_rng_alloc(kind: *const c_void) -> *mut c_void {
    // SAFETY: the promise of the caller.
    unsafe { make("gsl_rng_alloc", kind) }
}

/// `gsl_rng_clone`
///
/// # Safety
///
/// As for GSL's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_gsl_rng_clone(from: *const c_void) -> *mut c_void {
    // SAFETY: the promise of the caller.
    unsafe { make("gsl_rng_clone", from) }
}

/// `gsl_rng_free`
///
/// # Safety
///
/// As for GSL's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_gsl_rng_free(generator: *mut c_void) {
    // SAFETY: GSL's function of this name.
    let Some(real) = (unsafe { own::<Of<()>>("gsl_rng_free") }) else {
        return unknown("gsl_rng_free");
    };
    forget_generator(generator as usize);
    // SAFETY: the promise of the caller.
    unsafe { real(generator) }
}
