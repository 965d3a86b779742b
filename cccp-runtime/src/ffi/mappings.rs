//! `mmap` and its like, as the program calls them when it is compiled with `CCCP_HEAP_mmap`: memory that it maps for itself alone is a
//! block of memory like any other. What a restart gives in its place comes from the heap, and is given back to that. So is a file that
//! it maps privately to write there: the memory is its own from the beginning, and has the values of the file.
//!
//! Files that are mapped to be read are views, which a restart maps again. Other shared mappings, and those that only reserve
//! addresses stay the kernel's: the library knows nothing of them.

use std::ffi::{c_int, c_long, c_void};
use std::ops::Range;

use super::heap::{cccp_free, fixed_block};
use super::state::KeepsErrno;
use crate::memory::{blocks, controls, fixed, mapped, views};

/// What a mapping must not be to be memory of the program's own.
const OTHERS: c_int = libc::MAP_SHARED | libc::MAP_FIXED | libc::MAP_NORESERVE;
/// What none must be that gets a place of its own.
const PLACED: c_int = libc::MAP_ANONYMOUS | libc::MAP_FIXED | libc::MAP_FIXED_NOREPLACE;

/// What a page of the fixed heap is aligned to.
const PAGE: usize = 4096;

/// `length` rounded up to whole pages; none when there is no such number.
fn in_pages(length: usize) -> Option<usize> {
    // SAFETY: asks for a number.
    let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
    length.checked_next_multiple_of(page)
}

fn addresses(start: usize, length: usize) -> Option<Range<usize>> {
    Some(start..start.checked_add(in_pages(length)?)?)
}

/// Notes a mapping that has just been made.
fn note(address: *mut c_void, length: usize) {
    let _errno = KeepsErrno::new();
    let start = address as usize;
    if address != libc::MAP_FAILED
        && let Some(range) = addresses(start, length)
    {
        mapped::map(range);
        blocks::got(start, length);
    }
}

/// `mmap`
///
/// # Safety
///
/// As for the function of POSIX; so for all functions here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_mmap(
    address: *mut c_void,
    length: usize,
    protection: c_int,
    flags: c_int,
    file: c_int,
    offset: c_long,
) -> *mut c_void {
    let is_own = flags & OTHERS == 0 && protection & libc::PROT_WRITE != 0 && length > 0;
    let is_file = flags & libc::MAP_ANONYMOUS == 0;
    if is_own && is_file && protection & libc::PROT_EXEC == 0 {
        // SAFETY: the promise of the caller.
        return unsafe { own_copy((address, length), protection, flags, (file, offset)) };
    }
    let is_own = is_own && !is_file;
    if is_own && fixed::is_on() {
        // A new block is all zero.
        let own = fixed_block(length, PAGE);
        return if own.is_null() { libc::MAP_FAILED } else { own };
    }
    if protection == libc::PROT_READ && flags & PLACED == 0 && length > 0 {
        let _errno = KeepsErrno::new();
        let offset = offset as libc::off_t;
        let view = in_pages(length).and_then(|length| views::map(length, flags, file, offset));
        if let Some(view) = view {
            return view as *mut c_void;
        }
    }
    // SAFETY: the promise of the caller; so below. Offsets are as wide as those of `mmap64` where `long` is.
    let mapping = unsafe {
        libc::mmap(
            address,
            length,
            protection,
            flags,
            file,
            offset as libc::off_t,
        )
    };
    if is_own {
        note(mapping, length);
    }
    mapping
}

/// Memory of the program's own with the values of a file. The kernel's mapping says what is wrong with the call.
unsafe fn own_copy(
    (address, length): (*mut c_void, usize),
    protection: c_int,
    flags: c_int,
    (file, offset): (c_int, c_long),
) -> *mut c_void {
    // SAFETY: the promise of the caller; so below.
    let mapping = unsafe {
        let offset = offset as libc::off_t;
        libc::mmap(address, length, protection, flags, file, offset)
    };
    if mapping == libc::MAP_FAILED {
        return mapping;
    }
    let known = available(file, offset);
    let (kind, rights) = (
        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
        libc::PROT_READ | libc::PROT_WRITE,
    );
    // SAFETY: as above; behind the end of the file there are zeros in both, and what lies more than a page behind it is in none.
    unsafe {
        let own = cccp_mmap(std::ptr::null_mut(), length, rights, kind, -1, 0);
        if own != libc::MAP_FAILED {
            let length = known.map_or(length, |known| known.min(length));
            std::ptr::copy_nonoverlapping(mapping.cast::<u8>(), own.cast::<u8>(), length);
        }
        let error = KeepsErrno::new();
        libc::munmap(mapping, length);
        drop(error);
        own
    }
}

/// How many bytes a regular file has behind an offset.
fn available(file: c_int, offset: c_long) -> Option<usize> {
    let _errno = KeepsErrno::new();
    let length = views::length(file)?;
    usize::try_from(length.saturating_sub(offset as libc::off_t)).ok()
}

/// Takes mappings out of the blocks: how long these were.
fn taken_out(mappings: &[Range<usize>]) -> Vec<Option<usize>> {
    let _errno = KeepsErrno::new();
    let lengths = mappings.iter().map(|mapping| blocks::gone(mapping.start));
    lengths.collect()
}

/// Puts back what is left of them without these addresses.
fn put_back(mappings: &[Range<usize>], lengths: &[Option<usize>], gone: &Range<usize>) {
    let _errno = KeepsErrno::new();
    for (mapping, length) in mappings.iter().zip(lengths) {
        // The block ends where the program has asked for, if that is still there.
        let end = mapping.start + length.unwrap_or(mapping.len());
        for part in mapped::cut(mapping, gone) {
            if part.start < end {
                blocks::got(part.start, part.end.min(end) - part.start);
            }
        }
    }
}

/// `munmap`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_munmap(address: *mut c_void, length: usize) -> c_int {
    let start = address as usize;
    let range = addresses(start, length).unwrap_or(start..start);
    let mappings = mapped::meeting(&range);
    if !mappings.is_empty() {
        let known = taken_out(&mappings);
        // SAFETY: the promise of the caller.
        let result = unsafe { libc::munmap(address, length) };
        let gone = if result == 0 { range } else { start..start };
        put_back(&mappings, &known, &gone);
        return result;
    }
    if let Some((begin, known)) = own_block(start) {
        // Of what a restart has given, and of a block of the fixed heap, there is no part to be given back.
        if begin == start && length >= known {
            // SAFETY: the promise of the caller.
            unsafe { cccp_free(address) };
        }
        return 0;
    }
    // SAFETY: as above.
    let result = unsafe { libc::munmap(address, length) };
    if result == 0 {
        let _errno = KeepsErrno::new();
        views::gone(&range);
    }
    result
}

/// The block of the heap in which an address lies: where it begins, and how long it is.
fn own_block(address: usize) -> Option<(usize, usize)> {
    let _errno = KeepsErrno::new();
    if fixed::holds(address) {
        return fixed::around(address).or(Some((address, 0)));
    }
    // Memory is seldom unmapped.
    let mut all = blocks::all().into_iter();
    all.find(|(start, length)| (*start..start + length).contains(&address))
}

/// `mremap`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_mremap(
    address: *mut c_void,
    length: usize,
    new_length: usize,
    flags: c_int,
    new_address: *mut c_void,
) -> *mut c_void {
    let start = address as usize;
    let range = addresses(start, length).unwrap_or(start..start);
    let mappings = mapped::meeting(&range);
    if !mappings.is_empty() {
        let known = taken_out(&mappings);
        // SAFETY: the promise of the caller; so below.
        let moved = unsafe { libc::mremap(address, length, new_length, flags, new_address) };
        let is_moved = moved != libc::MAP_FAILED;
        let gone = if is_moved { range } else { start..start };
        put_back(&mappings, &known, &gone);
        if is_moved {
            note(moved, new_length);
        }
        return moved;
    }
    let Some((begin, known)) = own_block(start) else {
        let moved = unsafe { libc::mremap(address, length, new_length, flags, new_address) };
        if moved != libc::MAP_FAILED {
            // Where it is now a restart cannot map it again.
            let _errno = KeepsErrno::new();
            views::gone(&range);
        }
        return moved;
    };
    let is_whole = begin == start;
    if is_whole && new_length <= known {
        return address;
    }
    if !is_whole || flags & libc::MREMAP_MAYMOVE == 0 || flags & libc::MREMAP_FIXED != 0 {
        controls::set_error(libc::ENOMEM);
        return libc::MAP_FAILED;
    }
    let (protection, kind) = (
        libc::PROT_READ | libc::PROT_WRITE,
        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
    );
    let own = unsafe { cccp_mmap(std::ptr::null_mut(), new_length, protection, kind, -1, 0) };
    if own != libc::MAP_FAILED {
        // SAFETY: both are so long, and the new one belongs to nobody else.
        unsafe {
            std::ptr::copy_nonoverlapping(address.cast::<u8>(), own.cast::<u8>(), known);
            cccp_free(address);
        }
    }
    own
}
