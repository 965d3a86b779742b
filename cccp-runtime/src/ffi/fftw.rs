//! The functions of FFTW that allocate and release, as the program calls them when items bring blocks.
//!
//! FFTW's own are the C library's with an alignment that suits its plans (4.1.2 of its reference). These give the same,
//! whether FFTW is linked or not, and the table of blocks hears of it.

use std::ffi::c_void;

use super::heap::{cccp_free, cccp_posix_memalign};

/// A multiple of what any of FFTW's instruction sets asks for.
const ALIGNMENT: usize = 64;

/// Bytes of a `long double`.
pub(super) const LONG_DOUBLE: usize = if cfg!(target_arch = "x86") {
    12
} else if cfg!(any(target_arch = "arm", target_arch = "mips")) {
    8
} else {
    16
};

fn aligned(count: usize, size: usize) -> *mut c_void {
    let mut place = std::ptr::null_mut();
    // What does not fit cannot be had.
    let bytes = count.saturating_mul(size);
    // SAFETY: the alignment is a power of two and a multiple of a pointer's size; `place` takes the result.
    match unsafe { cccp_posix_memalign(&mut place, ALIGNMENT, bytes) } {
        0 => place,
        _ => std::ptr::null_mut(),
    }
}

macro_rules! of_precision {
    ($malloc:ident, $real:ident, $complex:ident, $free:ident, $bytes:expr) => {
        /// `fftw_malloc`
        #[unsafe(no_mangle)]
        pub extern "C" fn $malloc(size: usize) -> *mut c_void {
            aligned(size, 1)
        }

        /// `fftw_alloc_real`
        #[unsafe(no_mangle)]
        pub extern "C" fn $real(count: usize) -> *mut c_void {
            aligned(count, $bytes)
        }

        /// `fftw_alloc_complex`
        #[unsafe(no_mangle)]
        pub extern "C" fn $complex(count: usize) -> *mut c_void {
            aligned(count, 2 * $bytes)
        }

        /// `fftw_free`
        ///
        /// # Safety
        ///
        /// As for `free`.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $free(block: *mut c_void) {
            // SAFETY: the promise of the caller.
            unsafe { cccp_free(block) }
        }
    };
}

of_precision!(
    cccp_fftw_malloc,
    cccp_fftw_alloc_real,
    cccp_fftw_alloc_complex,
    cccp_fftw_free,
    8
);
of_precision!(
    cccp_fftwf_malloc,
    cccp_fftwf_alloc_real,
    cccp_fftwf_alloc_complex,
    cccp_fftwf_free,
    4
);
of_precision!(
    cccp_fftwl_malloc,
    cccp_fftwl_alloc_real,
    cccp_fftwl_alloc_complex,
    cccp_fftwl_free,
    LONG_DOUBLE
);
