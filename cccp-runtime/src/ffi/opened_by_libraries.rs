//! The functions of other libraries that open files by their names: zlib, HDF5, netCDF. What the session does with such a file is what it
//! does with one of `fopen`; the library does the rest.
//!
//! In: calls of the program, which has these functions under other names (`cccp_libraries.h`). Out: what the library gives. A
//! library opens the file itself: its descriptor is the one that was not there before.

use std::cell::RefCell;
use std::ffi::{CStr, OsStr, c_char, c_int, c_uint, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use super::inputs_of_zlib::opened;
use super::noted::own;
use super::opened::{Opener, keeping_errno, opening, path_of, there};
use crate::memory::controls;
use crate::store::descriptors_of;

/// Lets a library open a file. `flags` is what `open` would be asked for, `open` gets the path, and whether it is that of a scratch file,
/// which is there.
unsafe fn by_library<T>(
    path: *const c_char,
    flags: c_int,
    failure: T,
    open: impl Fn(*const c_char, bool) -> T,
    is_open: impl Fn(&T) -> bool,
) -> T {
    if path.is_null() {
        return open(path, false);
    }
    // SAFETY: the promise of the caller: a string.
    let own = unsafe { path_of(libc::AT_FDCWD, path) };
    let place = RefCell::new((None, Vec::new()));
    let work = || {
        let open = |instead: Option<&CStr>| {
            let other = instead.map(|one| PathBuf::from(OsStr::from_bytes(one.to_bytes())));
            let before = descriptors_of([other.as_deref(), Some(&own)]);
            place.replace((other, before));
            match instead {
                None => open(path, false),
                Some(instead) => open(instead.as_ptr(), true),
            }
        };
        let what = |file: &T| {
            let place = place.borrow();
            let now = descriptors_of([place.0.as_deref(), Some(&own)]);
            let mut added = now.into_iter().filter(|one| !place.1.contains(one));
            // The library may have closed it again; the file is changed all the same.
            is_open(file).then(|| (added.next().unwrap_or(-1), 0))
        };
        // SAFETY: the promise of the caller.
        unsafe {
            opening(
                Opener::Other,
                (libc::AT_FDCWD, path),
                (flags, 0o666),
                failure,
                open,
                what,
            )
        }
    };
    keeping_errno(work, &is_open)
}

/// What `open` would be asked for by a mode of zlib, whose letters may have any order.
fn flags_of_zlib(mode: &CStr) -> c_int {
    let has = |one: u8| mode.to_bytes().contains(&one);
    let writes = libc::O_WRONLY | libc::O_CREAT;
    let flags = match (has(b'a'), has(b'w')) {
        (true, _) => writes | libc::O_APPEND,
        (false, true) => writes | libc::O_TRUNC,
        (false, false) => libc::O_RDONLY,
    };
    flags | if has(b'x') { libc::O_EXCL } else { 0 }
}

/// A function of zlib that opens a file.
unsafe fn zlib(name: &str, path: *const c_char, mode: *const c_char) -> *mut c_void {
    type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> *mut c_void;
    // SAFETY: the program's function of this name has this type.
    let Some(open) = (unsafe { own::<Open>(name) }) else {
        return std::ptr::null_mut();
    };
    if mode.is_null() {
        // SAFETY: the promise of the caller; so everywhere here.
        return unsafe { open(path, mode) };
    }
    let words = unsafe { CStr::from_ptr(mode) };
    let failure = std::ptr::null_mut();
    let flags = flags_of_zlib(words);
    // What is written does not come back, whatever its descriptor is.
    let place = (flags == libc::O_RDONLY && !path.is_null())
        .then(|| unsafe { path_of(libc::AT_FDCWD, path) });
    let descriptors = || {
        let place = place.as_deref();
        place.map_or_else(Vec::new, |place| descriptors_of([None, Some(place)]))
    };
    let before = descriptors();
    let file = unsafe {
        by_library(
            path,
            flags,
            failure,
            |path, is_there| match is_there {
                false => open(path, mode),
                true => open(path, there(words).as_ptr()),
            },
            |file| !file.is_null(),
        )
    };
    if !file.is_null() {
        let now = descriptors().into_iter();
        let added = { now }.find(|one| !before.contains(one));
        opened(file, added, words);
    }
    file
}

/// `gzopen`
///
/// # Safety
///
/// As for zlib's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_gzopen(path: *const c_char, mode: *const c_char) -> *mut c_void {
    // SAFETY: the promise of the caller.
    unsafe { zlib("gzopen", path, mode) }
}

/// `gzopen64`
///
/// # Safety
///
/// As for zlib's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_gzopen64(path: *const c_char, mode: *const c_char) -> *mut c_void {
    // SAFETY: the promise of the caller.
    unsafe { zlib("gzopen64", path, mode) }
}

/// `H5F_ACC_RDWR` and `H5F_ACC_TRUNC`: a file may be written, or is made anew.
const H5F_ACC_RDWR: c_uint = 1;
const H5F_ACC_TRUNC: c_uint = 2;

/// A file that is made: one that is there is emptied, or stays and the call fails.
fn made(empties: bool) -> c_int {
    let how = if empties { libc::O_TRUNC } else { libc::O_EXCL };
    libc::O_RDWR | libc::O_CREAT | how
}

/// A file that is there.
fn found(writes: bool) -> c_int {
    if writes { libc::O_RDWR } else { libc::O_RDONLY }
}

/// `H5Fcreate` of HDF5 1.8 and later (a `hid_t` of 32 bits is the lower half)
///
/// # Safety
///
/// As for HDF5's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_H5Fcreate(
    path: *const c_char,
    flags: c_uint,
    creation: i64,
    access: i64,
) -> i64 {
    type Create = unsafe extern "C" fn(*const c_char, c_uint, i64, i64) -> i64;
    // SAFETY: see above.
    let Some(create) = (unsafe { own::<Create>("H5Fcreate") }) else {
        return -1;
    };
    // SAFETY: the promise of the caller.
    unsafe {
        by_library(
            path,
            made(flags & H5F_ACC_TRUNC != 0),
            -1,
            |path, is_there| {
                let flags = if is_there { H5F_ACC_TRUNC } else { flags };
                create(path, flags, creation, access)
            },
            |&file| file as i32 >= 0,
        )
    }
}

/// `H5Fopen`, likewise
///
/// # Safety
///
/// As for HDF5's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_H5Fopen(path: *const c_char, flags: c_uint, access: i64) -> i64 {
    type Open = unsafe extern "C" fn(*const c_char, c_uint, i64) -> i64;
    // SAFETY: see above.
    let Some(open) = (unsafe { own::<Open>("H5Fopen") }) else {
        return -1;
    };
    // SAFETY: the promise of the caller.
    unsafe {
        by_library(
            path,
            found(flags & H5F_ACC_RDWR != 0),
            -1,
            |path, _| open(path, flags, access),
            |&file| file as i32 >= 0,
        )
    }
}

/// `NC_WRITE` and `NC_NOCLOBBER`: a file may be written, or one that is there stays.
const NC_WRITE: c_int = 1;
const NC_NOCLOBBER: c_int = 4;

/// A function of netCDF that makes a file or opens one that is there: `open` gets the path and its mode. It gives 0, or what went wrong.
unsafe fn netcdf(
    path: *const c_char,
    mode: c_int,
    makes: bool,
    open: impl Fn(*const c_char, c_int) -> c_int,
) -> c_int {
    let flags = match makes {
        true => made(mode & NC_NOCLOBBER == 0),
        false => found(mode & NC_WRITE != 0),
    };
    let open = |path, is_there| match is_there {
        true => open(path, mode & !NC_NOCLOBBER),
        false => open(path, mode),
    };
    // SAFETY: the promise of the caller.
    match unsafe { by_library(path, flags, FAILED, open, |&status| status == 0) } {
        FAILED => controls::error(),
        status => status,
    }
}

/// No status of netCDF.
const FAILED: c_int = c_int::MIN;

/// `NC_EINVAL`, where the program has no such function.
const NOT_THERE: c_int = -36;

/// The name, whether it makes a file, and what comes behind the path and the mode.
macro_rules! of_netcdf {
    ($($name:literal $function:ident $makes:literal ($($more:ident: $kind:ty),*);)*) => {$(
        #[doc = concat!("`", $name, "`")]
        ///
        /// # Safety
        ///
        /// As for netCDF's own.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(path: *const c_char, mode: c_int, $($more: $kind),*) -> c_int {
            type Open = unsafe extern "C" fn(*const c_char, c_int, $($kind),*) -> c_int;
            // SAFETY: see above.
            match unsafe { own::<Open>($name) } {
                None => NOT_THERE,
                // SAFETY: the promise of the caller.
                Some(open) => unsafe { netcdf(path, mode, $makes, |path, mode| open(path, mode, $($more),*)) },
            }
        }
    )*};
}

// A communicator and hints are as long as a pointer, or fit into one.
of_netcdf! {
    "nc_create" cccp_nc_create true (id: *mut c_int);
    "nc_open" cccp_nc_open false (id: *mut c_int);
    "nc__create" cccp_nc__create true (bytes: usize, chunk: *mut usize, id: *mut c_int);
    "nc__open" cccp_nc__open false (chunk: *mut usize, id: *mut c_int);
    "nc_create_par" cccp_nc_create_par true (comm: usize, hints: usize, id: *mut c_int);
    "nc_open_par" cccp_nc_open_par false (comm: usize, hints: usize, id: *mut c_int);
}
