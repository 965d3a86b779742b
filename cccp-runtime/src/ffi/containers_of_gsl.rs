//! The functions of GSL that allocate and release vectors, matrices, blocks and permutations, as the program calls them when items bring
//! blocks (GSL 2.7, 8.2 to 8.4 and 9.2): the structs are those of its headers, and the table of blocks hears of what they are made of.
//!
//! Containers that GSL's own functions have made may be released here, and these by GSL, but for those of a fixed heap.

use std::ffi::{CStr, c_char, c_int, c_void};

use super::heap::{cccp_calloc, cccp_free, cccp_malloc};
use super::noted::own;

/// Bytes of a `long double`.
const LONG_DOUBLE: usize = super::fftw::LONG_DOUBLE;

/// `gsl_block` and its like: they differ in what `data` points to.
#[repr(C)]
struct Block {
    size: usize,
    data: *mut c_void,
}

/// `gsl_vector` and its like.
#[repr(C)]
struct Vector {
    size: usize,
    stride: usize,
    data: *mut c_void,
    block: *mut Block,
    owner: c_int,
}

/// `gsl_matrix` and its like.
#[repr(C)]
struct Matrix {
    rows: usize,
    columns: usize,
    row_length: usize,
    data: *mut c_void,
    block: *mut Block,
    owner: c_int,
}

/// There is no memory: what GSL does then, which ends the program if that has not said otherwise.
fn refused<T>() -> *mut T {
    type Error = extern "C" fn(*const c_char, *const c_char, c_int, c_int);
    const NO_MEMORY: c_int = 8;
    const WORDS: &CStr = c"failed to allocate memory";
    // SAFETY: GSL's function of this name has this type.
    if let Some(error) = unsafe { own::<Error>("gsl_error") } {
        error(WORDS.as_ptr(), c"cccp".as_ptr(), 0, NO_MEMORY);
    }
    std::ptr::null_mut()
}

/// Memory for `count` elements; one of no bytes is a block, too.
fn elements(count: usize, bytes: usize, is_cleared: bool) -> *mut c_void {
    match (count.checked_mul(bytes), is_cleared) {
        (None, _) => std::ptr::null_mut(),
        (Some(_), true) => cccp_calloc(count, bytes),
        (Some(length), false) => cccp_malloc(length),
    }
}

/// A struct of the library with these values, in a block of its own.
fn made<T>(value: T) -> Option<*mut T> {
    let place = cccp_malloc(size_of::<T>()).cast::<T>();
    if place.is_null() {
        return None;
    }
    // SAFETY: the block is as long as the value, and aligned for everything.
    unsafe { place.write(value) };
    Some(place)
}

fn block(size: usize, bytes: usize, is_cleared: bool) -> Option<*mut Block> {
    let data = elements(size, bytes, is_cleared);
    if data.is_null() {
        return None;
    }
    let block = made(Block { size, data });
    if block.is_none() {
        // SAFETY: nobody else has it.
        unsafe { cccp_free(data) };
    }
    block
}

fn vector(size: usize, bytes: usize, is_cleared: bool) -> Option<*mut Vector> {
    let block = block(size, bytes, is_cleared)?;
    let vector = made(Vector {
        size,
        stride: 1,
        // SAFETY: it has just been made.
        data: unsafe { (*block).data },
        block,
        owner: 1,
    });
    if vector.is_none() {
        // SAFETY: nobody else has it.
        unsafe { free_block(block) };
    }
    vector
}

fn matrix(rows: usize, columns: usize, bytes: usize, is_cleared: bool) -> Option<*mut Matrix> {
    let block = block(rows.checked_mul(columns)?, bytes, is_cleared)?;
    let matrix = made(Matrix {
        rows,
        columns,
        row_length: columns,
        // SAFETY: it has just been made.
        data: unsafe { (*block).data },
        block,
        owner: 1,
    });
    if matrix.is_none() {
        // SAFETY: nobody else has it.
        unsafe { free_block(block) };
    }
    matrix
}

/// # Safety
///
/// As for GSL's own; so below.
unsafe fn free_block(block: *mut Block) {
    if !block.is_null() {
        // SAFETY: the promise of the caller; so below.
        unsafe {
            cccp_free((*block).data);
            cccp_free(block.cast());
        }
    }
}

unsafe fn free_vector(vector: *mut Vector) {
    if !vector.is_null() {
        unsafe {
            if (*vector).owner != 0 {
                free_block((*vector).block);
            }
            cccp_free(vector.cast());
        }
    }
}

unsafe fn free_matrix(matrix: *mut Matrix) {
    if !matrix.is_null() {
        unsafe {
            if (*matrix).owner != 0 {
                free_block((*matrix).block);
            }
            cccp_free(matrix.cast());
        }
    }
}

macro_rules! containers {
    ($($of:ident: $elements:literal $bytes:expr;)*) => {
        $(
            mod $of {
                use super::*;

                #[unsafe(export_name = concat!("cccp_gsl_block", $elements, "alloc"))]
                extern "C" fn block_alloc(size: usize) -> *mut c_void {
                    block(size, $bytes, false).map_or_else(refused, |one| one.cast())
                }

                #[unsafe(export_name = concat!("cccp_gsl_block", $elements, "calloc"))]
                extern "C" fn block_calloc(size: usize) -> *mut c_void {
                    block(size, $bytes, true).map_or_else(refused, |one| one.cast())
                }

                #[unsafe(export_name = concat!("cccp_gsl_block", $elements, "free"))]
                unsafe extern "C" fn block_free(block: *mut c_void) {
                    // SAFETY: the promise of the caller; so below.
                    unsafe { free_block(block.cast()) }
                }

                #[unsafe(export_name = concat!("cccp_gsl_vector", $elements, "alloc"))]
                extern "C" fn vector_alloc(size: usize) -> *mut c_void {
                    vector(size, $bytes, false).map_or_else(refused, |one| one.cast())
                }

                #[unsafe(export_name = concat!("cccp_gsl_vector", $elements, "calloc"))]
                extern "C" fn vector_calloc(size: usize) -> *mut c_void {
                    vector(size, $bytes, true).map_or_else(refused, |one| one.cast())
                }

                #[unsafe(export_name = concat!("cccp_gsl_vector", $elements, "free"))]
                unsafe extern "C" fn vector_free(vector: *mut c_void) {
                    unsafe { free_vector(vector.cast()) }
                }

                #[unsafe(export_name = concat!("cccp_gsl_matrix", $elements, "alloc"))]
                extern "C" fn matrix_alloc(rows: usize, columns: usize) -> *mut c_void {
                    matrix(rows, columns, $bytes, false).map_or_else(refused, |one| one.cast())
                }

                #[unsafe(export_name = concat!("cccp_gsl_matrix", $elements, "calloc"))]
                extern "C" fn matrix_calloc(rows: usize, columns: usize) -> *mut c_void {
                    matrix(rows, columns, $bytes, true).map_or_else(refused, |one| one.cast())
                }

                #[unsafe(export_name = concat!("cccp_gsl_matrix", $elements, "free"))]
                unsafe extern "C" fn matrix_free(matrix: *mut c_void) {
                    unsafe { free_matrix(matrix.cast()) }
                }
            }
        )*
    };
}

containers! {
    of_double: "_" 8;
    of_float: "_float_" 4;
    of_long_double: "_long_double_" LONG_DOUBLE;
    of_complex: "_complex_" 16;
    of_complex_float: "_complex_float_" 8;
    of_complex_long_double: "_complex_long_double_" 2 * LONG_DOUBLE;
    of_char: "_char_" 1;
    of_uchar: "_uchar_" 1;
    of_short: "_short_" 2;
    of_ushort: "_ushort_" 2;
    of_int: "_int_" 4;
    of_uint: "_uint_" 4;
    of_long: "_long_" size_of::<std::ffi::c_long>();
    of_ulong: "_ulong_" size_of::<std::ffi::c_long>();
}

/// `gsl_permutation_alloc`: a permutation is a block of `size_t`.
#[unsafe(no_mangle)]
extern "C" fn cccp_gsl_permutation_alloc(size: usize) -> *mut c_void {
    block(size, size_of::<usize>(), false).map_or_else(refused, |one| one.cast())
}

/// `gsl_permutation_calloc`: the one that changes nothing.
#[unsafe(no_mangle)]
extern "C" fn cccp_gsl_permutation_calloc(size: usize) -> *mut c_void {
    let permutation = cccp_gsl_permutation_alloc(size).cast::<Block>();
    if !permutation.is_null() {
        for at in 0..size {
            // SAFETY: it has so many elements, and nobody else has it.
            unsafe { (*permutation).data.cast::<usize>().add(at).write(at) };
        }
    }
    permutation.cast()
}

/// `gsl_permutation_free`
///
/// # Safety
///
/// As for GSL's own.
#[unsafe(no_mangle)]
unsafe extern "C" fn cccp_gsl_permutation_free(permutation: *mut c_void) {
    // SAFETY: the promise of the caller.
    unsafe { free_block(permutation.cast()) }
}
