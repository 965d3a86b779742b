//! The functions of the C library that allocate and release, as the program calls them when it is compiled with
//! `CCCP_HEAP`: the C library does the work, or the fixed heap, and the table of blocks hears of it.
//!
//! A block that a library of others gives back or makes longer must be the C library's: it is so with both, but for the fixed heap,
//! whose blocks only the functions here know. What the C library has allocated for the program (`strdup`, `getline`) is moved there.
//!
//! Prototypes, results and `errno` are those of the C library.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use super::mirror;
use super::start::give_up;
use super::state::KeepsErrno;
use crate::memory::{blocks, controls, fixed};

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
    fixed::hold();
    blocks::hold();
}

extern "C" fn after_fork() {
    blocks::release();
    fixed::leave();
}

/// The program's blocks come from the fixed heap, before it has any: precompiled code says so before `main`. The words of the command
/// line, to which the program keeps pointers, are moved to addresses that stay.
///
/// # Safety
///
/// `words` is `argv`, with `count` words, where the C library hands it to constructors (GNU's does).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_fixed_heap(count: c_int, words: *mut *mut c_char) {
    fixed::keep_libraries_high();
    super::stack::keep(count, words);
    be_whole_in_children();
    let begun = fixed::begin().and_then(|()| match cfg!(target_env = "gnu") {
        // SAFETY: the promise of the caller.
        true => unsafe { move_words(usize::try_from(count).unwrap_or(0), words) },
        false => Ok(()),
    });
    if let Err(error) = begun {
        give_up(&format!("cannot start: {error}"));
    }
}

/// Without the library's own words, which another start may not have, and with the name of the program at the end, which may have another
/// path.
unsafe fn move_words(count: usize, words: *mut *mut c_char) -> Result<(), fixed::FixedError> {
    if words.is_null() || count == 0 {
        return Ok(());
    }
    // SAFETY: the promise of the caller; so below.
    let all = unsafe { std::slice::from_raw_parts_mut(words, count) };
    all.rotate_left(1);
    let texts: Vec<&[u8]> = all
        .iter()
        .map(|word| unsafe { CStr::from_ptr(*word) }.to_bytes_with_nul())
        .collect();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&at| texts[at].starts_with(b"--cccp-"));
    let ordered: Vec<&[u8]> = order.iter().map(|&at| texts[at]).collect();
    for (at, place) in order.into_iter().zip(fixed::keep_words(&ordered)?) {
        if let Some(place) = place {
            all[at] = place as *mut c_char;
        }
    }
    all.rotate_right(1);
    Ok(())
}

fn no_memory() {
    controls::set_error(libc::ENOMEM);
}

/// A block of the fixed heap; NULL, with the number of the error, when there is no memory.
pub(super) fn fixed_block(length: usize, alignment: usize) -> *mut c_void {
    let found = {
        let _errno = KeepsErrno::new();
        fixed::allocate(length, alignment)
    };
    match found {
        Some(address) => address as *mut c_void,
        None => {
            no_memory();
            std::ptr::null_mut()
        }
    }
}

/// Gives back a block. One of the fixed heap that is unknown is an error of the program, and the C library ends it.
unsafe fn give_back(block: *mut c_void) {
    let _errno = KeepsErrno::new();
    let address = block as usize;
    if fixed::holds(address) && fixed::release(address).is_some() {
        return;
    }
    blocks::gone(address);
    // SAFETY: the promise of the caller.
    unsafe { libc::free(block) };
}

/// A block of the fixed heap in the place of one that the C library allocated for the program.
unsafe fn moved(block: *mut c_void, length: usize) -> *mut c_void {
    if block.is_null() || !fixed::is_on() {
        return got(block, length);
    }
    let own = fixed_block(length, 1);
    // SAFETY: both are so long, and the C library's belongs to nobody else.
    unsafe {
        if !own.is_null() {
            std::ptr::copy_nonoverlapping(block.cast::<u8>(), own.cast::<u8>(), length);
        }
        libc::free(block);
    }
    own
}

/// `realloc` with the fixed heap.
unsafe fn fixed_realloc(block: *mut c_void, size: usize) -> *mut c_void {
    let address = block as usize;
    if block.is_null() {
        return fixed_block(size, 1);
    }
    if size > 0 && fixed::holds(address) && fixed::resize(address, size) {
        return block;
    }
    let before = match fixed::holds(address) {
        true => fixed::length(address),
        // SAFETY: a block of the C library, says the caller.
        false => Some(unsafe { libc::malloc_usable_size(block) }),
    };
    let Some(before) = before.filter(|_| size > 0) else {
        // SAFETY: the promise of the caller; so below.
        unsafe { give_back(block) };
        return std::ptr::null_mut();
    };
    let own = fixed_block(size, 1);
    // The old block stays when there is no memory.
    if !own.is_null() {
        // SAFETY: both are so long, and the new one belongs to nobody else.
        unsafe {
            std::ptr::copy_nonoverlapping(block.cast::<u8>(), own.cast::<u8>(), before.min(size));
            give_back(block);
        };
    }
    own
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

fn be_whole_in_children() {
    FORKS.call_once(|| {
        // SAFETY: the handlers are functions of the library and take no arguments.
        unsafe {
            libc::pthread_atfork(Some(before_fork), Some(after_fork), Some(after_fork));
        }
    });
}

/// Notes a block and hands it on.
fn got(block: *mut c_void, length: usize) -> *mut c_void {
    let _errno = KeepsErrno::new();
    be_whole_in_children();
    blocks::got(block as usize, length);
    block
}

/// `malloc`
#[unsafe(no_mangle)]
pub extern "C" fn cccp_malloc(size: usize) -> *mut c_void {
    if fixed::is_on() {
        return fixed_block(size, 1);
    }
    if ZEROS.load(Ordering::Relaxed) {
        return cccp_calloc(1, size);
    }
    // SAFETY: asks for new memory; so everywhere here: what is promised to the C library is what the caller promises.
    got(unsafe { libc::malloc(size) }, size)
}

/// The program says what a block holds that it has just got.
#[unsafe(no_mangle)]
pub extern "C" fn cccp_holds(block: *mut c_void, kind: *const mirror::Type) -> *mut c_void {
    let _errno = KeepsErrno::new();
    blocks::say(block as usize, kind as usize);
    block
}

/// The program says that no address ever lies in a block that it has just got.
#[unsafe(no_mangle)]
pub extern "C" fn cccp_holds_bytes(block: *mut c_void) -> *mut c_void {
    let _errno = KeepsErrno::new();
    fixed::say_bytes(block as usize);
    block
}

/// `calloc`
#[unsafe(no_mangle)]
pub extern "C" fn cccp_calloc(count: usize, size: usize) -> *mut c_void {
    if fixed::is_on() {
        return fixed_block(count.saturating_mul(size), 1);
    }
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
    if fixed::is_on() {
        // SAFETY: the promise of the caller.
        return unsafe { fixed_realloc(block, size) };
    }
    let before = {
        let _errno = KeepsErrno::new();
        blocks::gone(block as usize)
    };
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
        // As the C library's: no memory, the old block stays.
        None => {
            no_memory();
            std::ptr::null_mut()
        }
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
        // SAFETY: the promise of the caller.
        unsafe { give_back(block) };
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
    if fixed::is_on() {
        if !alignment.is_power_of_two() || !alignment.is_multiple_of(size_of::<usize>()) {
            return libc::EINVAL;
        }
        let block = fixed_block(size, alignment);
        if block.is_null() {
            return libc::ENOMEM;
        }
        // SAFETY: the promise of the caller.
        unsafe { *place = block };
        return 0;
    }
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
    if fixed::is_on() && alignment.is_power_of_two() {
        return fixed_block(size, alignment);
    }
    // SAFETY: asks for new memory.
    let block = unsafe { libc::aligned_alloc(alignment, size) };
    clear(block, 0, size);
    got(block, size)
}

/// `memalign`
#[unsafe(no_mangle)]
pub extern "C" fn cccp_memalign(alignment: usize, size: usize) -> *mut c_void {
    // The C library's takes the next power of two.
    if fixed::is_on()
        && let Some(alignment) = alignment.checked_next_power_of_two()
    {
        return fixed_block(size, alignment);
    }
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

/// `malloc_usable_size`: not more than the program asked for, because a checkpoint holds no more.
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_malloc_usable_size(block: *mut c_void) -> usize {
    match blocks::length(block as usize) {
        Some(length) => length,
        // SAFETY: the promise of the caller.
        None => unsafe { libc::malloc_usable_size(block) },
    }
}

/// Notes the copy of a text.
unsafe fn text(copy: *mut c_char) -> *mut c_char {
    if copy.is_null() {
        return copy;
    }
    // SAFETY: the C library ended the copy with a zero, and has given it to the caller.
    unsafe { moved(copy.cast(), libc::strlen(copy) + 1).cast() }
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
        if known && fixed::is_on() {
            return fixed_line(&mut *line, &mut *length, delimiter, stream);
        }
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

/// `getdelim` with the fixed heap: the C library reads into a block of its own.
unsafe fn fixed_line(
    line: &mut *mut c_char,
    length: &mut usize,
    delimiter: c_int,
    stream: *mut libc::FILE,
) -> isize {
    let (mut found, mut room) = (std::ptr::null_mut(), 0);
    // SAFETY: the promise of the caller; the C library makes a block as long as it needs.
    let read = unsafe { getdelim(&mut found, &mut room, delimiter, stream) };
    // SAFETY: as above; what was read, and the zero behind it, are in the block that was found.
    unsafe {
        if let Ok(text) = usize::try_from(read) {
            if (*line).is_null() || *length < text + 1 {
                // As long as the C library would have made it.
                let own = cccp_realloc((*line).cast(), room);
                if own.is_null() {
                    libc::free(found.cast());
                    return -1;
                }
                (*line, *length) = (own.cast(), room);
            }
            std::ptr::copy_nonoverlapping(found, *line, text + 1);
        }
        libc::free(found.cast());
    }
    read
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
        match usize::try_from(length) {
            Ok(size) => *place = moved((*place).cast(), size + 1).cast(),
            Err(_) => return length,
        }
        match (*place).is_null() {
            true => -1,
            false => length,
        }
    }
}
