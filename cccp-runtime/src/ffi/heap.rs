//! The functions of the C library that allocate and release, as the program calls them when it is compiled with
//! `CCCP_HEAP`: the C library does the work, the table of blocks hears of it.
//!
//! Prototypes, results and `errno` are those of the C library.

use std::ffi::{c_char, c_int, c_void};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use super::mirror;
use crate::memory::blocks;

unsafe extern "C" {
    fn getdelim(
        line: *mut *mut c_char,
        length: *mut usize,
        delimiter: c_int,
        stream: *mut libc::FILE,
    ) -> isize;
    fn vasprintf(place: *mut *mut c_char, format: *const c_char, arguments: *mut c_void) -> c_int;
}

/// A child made by `fork` while another thread uses the table would wait for ever.
static FORKS: Once = Once::new();

extern "C" fn before_fork() {
    blocks::hold();
}

extern "C" fn after_fork() {
    blocks::release();
}

/// Blocks are zero at first: what a program never sets in them must not look like an address.
static ZEROS: AtomicBool = AtomicBool::new(false);

/// From now on.
pub(super) fn give_zeros() {
    ZEROS.store(true, Ordering::Relaxed);
}

/// Sets what is new in a block, from here to its end.
fn clear(block: *mut c_void, from: usize, length: usize) {
    if from < length && !block.is_null() && ZEROS.load(Ordering::Relaxed) {
        // SAFETY: the C library has just given the block, and nobody has set anything there.
        unsafe { std::ptr::write_bytes(block.cast::<u8>().add(from), 0, length - from) };
    }
}

/// Notes a block and hands it on.
fn got(block: *mut c_void, length: usize) -> *mut c_void {
    FORKS.call_once(|| {
        // SAFETY: the handlers are functions of the library and take no arguments.
        unsafe {
            libc::pthread_atfork(Some(before_fork), Some(after_fork), Some(after_fork));
        }
    });
    blocks::got(block as usize, length);
    block
}

/// `malloc`
#[unsafe(no_mangle)]
pub extern "C" fn cccp_malloc(size: usize) -> *mut c_void {
    if ZEROS.load(Ordering::Relaxed) {
        return cccp_calloc(1, size);
    }
    // SAFETY: asks for new memory; so everywhere here: what is promised to the C library is what the caller promises.
    got(unsafe { libc::malloc(size) }, size)
}

/// The program says what a block holds that it has just got.
#[unsafe(no_mangle)]
pub extern "C" fn cccp_holds(block: *mut c_void, kind: *const mirror::Type) -> *mut c_void {
    blocks::say(block as usize, kind as usize);
    block
}

/// `calloc`
#[unsafe(no_mangle)]
pub extern "C" fn cccp_calloc(count: usize, size: usize) -> *mut c_void {
    // SAFETY: see above. A product that overflows has given NULL, which is no block.
    got(
        unsafe { libc::calloc(count, size) },
        count.wrapping_mul(size),
    )
}

/// `realloc`
///
/// # Safety
///
/// As for the function of the C library; so for all functions here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_realloc(block: *mut c_void, size: usize) -> *mut c_void {
    let before = blocks::gone(block as usize);
    // SAFETY: the promise of the caller.
    let after = unsafe { libc::realloc(block, size) };
    if let (true, Some(length)) = (after.is_null() && size > 0, before) {
        blocks::got(block as usize, length);
    }
    // What is not known is left as it is.
    if let Some(length) = before.or(block.is_null().then_some(0)) {
        clear(after, length, size);
    }
    got(after, size)
}

/// `reallocarray`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_reallocarray(
    block: *mut c_void,
    count: usize,
    size: usize,
) -> *mut c_void {
    match count.checked_mul(size) {
        // SAFETY: the promise of the caller.
        Some(length) => unsafe { cccp_realloc(block, length) },
        // SAFETY: fails as the C library's does: no memory, the old block stays.
        None => unsafe {
            *libc::__errno_location() = libc::ENOMEM;
            std::ptr::null_mut()
        },
    }
}

/// `free`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_free(block: *mut c_void) {
    if !block.is_null() {
        blocks::gone(block as usize);
        // SAFETY: the promise of the caller.
        unsafe { libc::free(block) };
    }
}

/// `posix_memalign`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_posix_memalign(
    place: *mut *mut c_void,
    alignment: usize,
    size: usize,
) -> c_int {
    // SAFETY: the promise of the caller.
    let status = unsafe { libc::posix_memalign(place, alignment, size) };
    if status == 0 {
        // SAFETY: it was just written.
        let block = unsafe { *place };
        clear(block, 0, size);
        blocks::got(block as usize, size);
    }
    status
}

/// `aligned_alloc`
#[unsafe(no_mangle)]
pub extern "C" fn cccp_aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
    // SAFETY: asks for new memory.
    let block = unsafe { libc::aligned_alloc(alignment, size) };
    clear(block, 0, size);
    got(block, size)
}

/// `memalign`
#[unsafe(no_mangle)]
pub extern "C" fn cccp_memalign(alignment: usize, size: usize) -> *mut c_void {
    // SAFETY: asks for new memory.
    let block = unsafe { libc::memalign(alignment, size) };
    clear(block, 0, size);
    got(block, size)
}

/// `valloc`
#[unsafe(no_mangle)]
pub extern "C" fn cccp_valloc(size: usize) -> *mut c_void {
    // SAFETY: asks for a number.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    cccp_memalign(usize::try_from(page).unwrap_or(4096), size)
}

/// Notes the copy of a text.
unsafe fn text(copy: *mut c_char) -> *mut c_char {
    if !copy.is_null() {
        // SAFETY: the C library ended the copy with a zero.
        blocks::got(copy as usize, unsafe { libc::strlen(copy) } + 1);
    }
    copy
}

/// `strdup`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_strdup(from: *const c_char) -> *mut c_char {
    // SAFETY: the promise of the caller.
    unsafe { text(libc::strdup(from)) }
}

/// `strndup`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_strndup(from: *const c_char, most: usize) -> *mut c_char {
    // SAFETY: the promise of the caller.
    unsafe { text(libc::strndup(from, most)) }
}

/// `realpath`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_realpath(path: *const c_char, into: *mut c_char) -> *mut c_char {
    // SAFETY: the promise of the caller.
    unsafe {
        let found = libc::realpath(path, into);
        if into.is_null() { text(found) } else { found }
    }
}

/// `getdelim`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_getdelim(
    line: *mut *mut c_char,
    length: *mut usize,
    delimiter: c_int,
    stream: *mut libc::FILE,
) -> isize {
    // SAFETY: the promise of the caller: a block and its length, or NULL. The call may move it.
    unsafe {
        let known = !line.is_null() && !length.is_null();
        if known && !(*line).is_null() {
            blocks::gone(*line as usize);
        }
        let before = known.then(|| (*line, *length));
        let read = getdelim(line, length, delimiter, stream);
        if known {
            blocks::got(*line as usize, *length);
            // What is behind the text in a new block was never set, and must not look like an address.
            if let Ok(text) = usize::try_from(read)
                && before != Some((*line, *length))
            {
                clear((*line).cast(), text + 1, *length);
            }
        }
        read
    }
}

/// `getline`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_getline(
    line: *mut *mut c_char,
    length: *mut usize,
    stream: *mut libc::FILE,
) -> isize {
    // SAFETY: the promise of the caller.
    unsafe { cccp_getdelim(line, length, c_int::from(b'\n'), stream) }
}

/// `vasprintf`. The arguments are handed on as they come: a `va_list` is a pointer, or is passed like one, on the machines
/// that are supported.
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_vasprintf(
    place: *mut *mut c_char,
    format: *const c_char,
    arguments: *mut c_void,
) -> c_int {
    // SAFETY: the promise of the caller. After a failure nobody may look at the place.
    unsafe {
        let length = vasprintf(place, format, arguments);
        if let Ok(size) = usize::try_from(length) {
            blocks::got(*place as usize, size + 1);
        }
        length
    }
}
