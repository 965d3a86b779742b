//! The functions of zlib that begin and end files whose names it does not get, and those that push bytes back, as the program calls them
//! (zlib 1.2.13): they do the same with the same arguments and results, and note it. Those that open by name: `opened_by_libraries`.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};

use super::noted::{own, unknown};
use crate::libraries::{Begun, State, Zlib, forget_input, note_input, push_back};
use crate::memory::duplicate;
use crate::store::{cut, place_of};

/// zlib, as the program is linked with it.
pub(super) struct OfProgram;

type Status = unsafe extern "C" fn(*mut c_void) -> c_int;
type Read = unsafe extern "C" fn(*mut c_void, *mut c_void, c_uint) -> c_int;
type Place = unsafe extern "C" fn(*mut c_void) -> i64;
type Failure = unsafe extern "C" fn(*mut c_void, *mut c_int) -> *const c_char;
type Open = unsafe extern "C" fn(c_int, *const c_char) -> *mut c_void;

/// So many bytes are read and thrown away at a time.
const PIECE: usize = 1 << 16;

impl Zlib for OfProgram {
    fn state(&self, file: usize) -> Option<State> {
        let file = file as *mut c_void;
        // SAFETY: the file is open, and the program's functions of these names have these types.
        unsafe {
            let place = own::<Place>("gztell64")?(file);
            let ended = own::<Status>("gzeof")?(file) != 0;
            let mut error = 0;
            own::<Failure>("gzerror")?(file, &raw mut error);
            Some(State {
                place: u64::try_from(place).unwrap_or_default(),
                ended,
                failed: error != 0 || place < 0,
            })
        }
    }

    fn open(&self, begun: &Begun, state: State) -> Result<usize, String> {
        let missing = || "the program calls no function of zlib that reads".to_string();
        let mode = CString::new(begun.mode.as_str()).map_err(|error| error.to_string())?;
        let (descriptor, start) = { begun.descriptor.zip(begun.start) }.ok_or_else(missing)?;
        let copy = duplicate(descriptor).map_err(|error| error.to_string())?;
        cut(&copy, None, Some(start))
            .map_err(|error| format!("it is no file on a disk any more ({error})"))?;
        // SAFETY: the program's functions of these names have these types; the buffer is as long as is said.
        unsafe {
            let file = own::<Open>("gzdopen").ok_or_else(missing)?(descriptor, mode.as_ptr());
            let read = own::<Read>("gzread").ok_or_else(missing)?;
            if file.is_null() {
                return Err("`gzdopen` refuses it".to_string());
            }
            let mut piece = vec![0u8; PIECE];
            let mut skip = |bytes: usize| read(file, piece.as_mut_ptr().cast(), bytes as c_uint);
            let mut left = state.place;
            while left > 0 {
                let bytes = left.min(PIECE as u64);
                if skip(bytes as usize) != bytes as c_int {
                    return Err("it does not hold what it held at the checkpoint".to_string());
                }
                left -= bytes;
            }
            if state.ended && skip(1) != 0 {
                return Err("it is longer than at the checkpoint".to_string());
            }
            Ok(file as usize)
        }
    }
}

/// `gzdopen`
///
/// # Safety
///
/// As for zlib's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_gzdopen(descriptor: c_int, mode: *const c_char) -> *mut c_void {
    // SAFETY: the program's function of this name.
    let Some(open) = (unsafe { own::<Open>("gzdopen") }) else {
        unknown("gzdopen");
        return std::ptr::null_mut();
    };
    // SAFETY: the promise of the caller.
    let file = unsafe { open(descriptor, mode) };
    if !file.is_null() {
        // SAFETY: the same; a null pointer opens nothing.
        opened(file, Some(descriptor), unsafe { CStr::from_ptr(mode) });
    }
    file
}

/// Notes a file that zlib has opened, and has not read yet.
pub(super) fn opened(file: *mut c_void, descriptor: Option<c_int>, mode: &CStr) {
    let copy = descriptor.and_then(|one| duplicate(one).ok());
    let begun = Begun {
        descriptor,
        start: copy.and_then(|copy| place_of(&copy)),
        mode: mode.to_string_lossy().into_owned(),
    };
    note_input(file as usize, begun);
}

/// A call that closes a file.
///
/// # Safety
///
/// As for zlib's own of this name.
unsafe fn close(name: &str, file: *mut c_void) -> c_int {
    // SAFETY: the promise of the caller.
    let Some(close) = (unsafe { own::<Status>(name) }) else {
        unknown(name);
        return 0;
    };
    forget_input(file as usize);
    // SAFETY: the promise of the caller.
    unsafe { close(file) }
}

/// `gzclose`
///
/// # Safety
///
/// As for zlib's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_gzclose(file: *mut c_void) -> c_int {
    // SAFETY: the promise of the caller.
    unsafe { close("gzclose", file) }
}

/// `gzclose_r`
///
/// # Safety
///
/// As for zlib's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_gzclose_r(file: *mut c_void) -> c_int {
    // SAFETY: the promise of the caller.
    unsafe { close("gzclose_r", file) }
}

/// `gzclose_w`
///
/// # Safety
///
/// As for zlib's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_gzclose_w(file: *mut c_void) -> c_int {
    // SAFETY: the promise of the caller.
    unsafe { close("gzclose_w", file) }
}

/// `gzungetc`
///
/// # Safety
///
/// As for zlib's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_gzungetc(byte: c_int, file: *mut c_void) -> c_int {
    type Unget = unsafe extern "C" fn(c_int, *mut c_void) -> c_int;
    // SAFETY: the program's function of this name.
    let Some(unget) = (unsafe { own::<Unget>("gzungetc") }) else {
        unknown("gzungetc");
        return -1;
    };
    // SAFETY: the promise of the caller.
    let pushed = unsafe { unget(byte, file) };
    if pushed >= 0 {
        push_back(file as usize);
    }
    pushed
}
