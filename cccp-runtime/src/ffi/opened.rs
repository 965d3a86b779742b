//! The functions of the C library that open and make files and change their length, as the program calls them when it is compiled
//! with `CCCP_OPENS`: the library does the work, the session hears of it and may let it be done elsewhere. Names: `names`. Other
//! libraries: `opened_by_libraries`.
//!
//! Prototypes, results and `errno` are those of the library.

use std::ffi::{CStr, CString, OsStr, OsString, c_char, c_int, c_long, c_uint};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::start::base_name;
use crate::memory::{controls, duplicate, keep_given};
use crate::session::opened::{self, Phase};
use crate::settings::{Settings, read};
use crate::store::{FileSystem, Way, known_file};
use crate::tool::say;

/// What the settings say before `init` reads them.
pub(super) fn settings() -> Option<(Settings, String)> {
    let words: Vec<Vec<u8>> = std::env::args_os().map(OsStringExt::into_vec).collect();
    let found = read(&words, std::env::vars_os(), &FileSystem).ok()?;
    Some((found.settings, base_name(words.first()?)))
}

pub(super) fn fail(error: &io::Error) {
    controls::set_error(error.raw_os_error().unwrap_or(libc::EIO));
}

/// What a program finds in `errno` behind a function of the C library that has done its work: what was there before. There
/// are programs that take anything else for a failure. `done` becomes whether the work was done as it was asked for.
pub(super) fn keeping_errno<T>(work: impl FnOnce() -> T, done: impl FnOnce(&T) -> bool) -> T {
    let before = controls::error();
    let result = work();
    if done(&result) {
        controls::set_error(before);
    }
    result
}

/// The text of a path. `at` is a directory that is open.
pub(super) unsafe fn path_of(at: c_int, path: *const c_char) -> PathBuf {
    // SAFETY: the promise of the caller: a C string.
    let own = Path::new(OsStr::from_bytes(
        unsafe { CStr::from_ptr(path) }.to_bytes(),
    ));
    if at == libc::AT_FDCWD || own.is_absolute() {
        return own.to_path_buf();
    }
    let known = crate::store::path_of(at);
    known
        .unwrap_or_else(|_| Path::new("/proc/self/fd").join(at.to_string()))
        .join(own)
}

fn text(path: PathBuf) -> CString {
    CString::new(OsString::from(path).into_vec()).unwrap_or_default()
}

/// What opens a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Opener {
    /// The C library, which needs no more than a descriptor in /proc.
    C,
    /// Another library, which may need a name that is one.
    Other,
}

/// Opens a file: `open` gets the path of a scratch file, if it is that; `what` gives the descriptor and the stream.
pub(super) unsafe fn opening<T>(
    opener: Opener,
    (at, path): (c_int, *const c_char),
    (flags, mode): (c_int, c_uint),
    failure: T,
    open: impl Fn(Option<&CStr>) -> T,
    what: impl Fn(&T) -> Option<(c_int, usize)>,
) -> T {
    let writes = flags & libc::O_ACCMODE != libc::O_RDONLY || flags & libc::O_TRUNC != 0;
    let (phase, matters) = opened::with(|all| (all.phase, writes || all.reads_matter()));
    if path.is_null() || phase == Phase::Ended || phase == Phase::Begun && !matters {
        return open(None);
    }
    // SAFETY: it is not NULL; the promise of the caller.
    let place = unsafe { path_of(at, path) };
    if phase == Phase::Begun {
        let before = known_file(&place);
        let alone = libc::O_CREAT | libc::O_EXCL;
        let is_new = flags & alone == alone;
        if flags & libc::O_TRUNC != 0 {
            tell(opened::with(|all| all.set_aside(&place, true)));
        } else if writes && !is_new && flags & libc::O_APPEND == 0 {
            tell(opened::with(|all| all.keep_contents(&place, false)));
        }
        let result = open(None);
        let told = what(&result).and_then(|(number, _)| {
            let empties = flags & libc::O_TRUNC != 0;
            opened::with(|all| all.opened(number, &place, writes, before, empties))
        });
        tell(told);
        return result;
    }
    let way = opened::with(|all| match all.is_held(settings) {
        true => {
            let named = all.place().filter(|_| opener == Opener::Other);
            all.early.open(&place, (flags, mode), named.as_deref())
        }
        false => Ok(Way::Real),
    });
    let (instead, scratch) = match way {
        Ok(Way::Real) => (None, None),
        Ok(Way::Instead(instead, scratch)) => (Some(text(instead)), scratch),
        Err(error) => {
            fail(&error);
            return failure;
        }
    };
    let result = open(instead.as_deref());
    if let Some((number, stream)) = what(&result)
        && let Ok(copy) = duplicate(number)
    {
        opened::with(|all| {
            all.early
                .opened(copy, number, stream, &place, flags, scratch);
        });
    }
    result
}

/// What the user has to know. `errno` stays.
pub(super) fn tell(told: Option<String>) {
    if let Some(message) = told {
        keeping_errno(|| say(None, &message), |()| true);
    }
}

/// What `open` would be asked for.
fn flags_of(mode: &CStr) -> c_int {
    let mode = mode.to_bytes();
    let has = |one: u8| {
        mode.iter()
            .skip(1)
            .take_while(|&&c| c != b',')
            .any(|&c| c == one)
    };
    let access = match (has(b'+'), mode.first()) {
        (true, _) => libc::O_RDWR,
        (false, Some(b'r')) => libc::O_RDONLY,
        (false, _) => libc::O_WRONLY,
    };
    let made = match mode.first() {
        Some(b'w') => libc::O_CREAT | libc::O_TRUNC,
        Some(b'a') => libc::O_CREAT | libc::O_APPEND,
        _ => 0,
    };
    let alone = if has(b'x') { libc::O_EXCL } else { 0 };
    access | made | alone
}

/// The mode for a scratch file, which is there.
pub(super) fn there(mode: &CStr) -> CString {
    let bytes = mode.to_bytes().iter().copied();
    CString::new(bytes.filter(|&c| c != b'x').collect::<Vec<u8>>()).unwrap_or_default()
}

unsafe fn stream(
    path: *const c_char,
    mode: *const c_char,
    open: impl Fn(*const c_char, *const c_char) -> *mut libc::FILE,
) -> *mut libc::FILE {
    if mode.is_null() {
        return open(path, mode);
    }
    // SAFETY: the promise of the caller: a C string.
    let words = unsafe { CStr::from_ptr(mode) };
    let found = |stream: &*mut libc::FILE| {
        // SAFETY: an open stream.
        (!stream.is_null()).then(|| (unsafe { libc::fileno(*stream) }, *stream as usize))
    };
    let work = || {
        // SAFETY: the promise of the caller.
        unsafe {
            opening(
                Opener::C,
                (libc::AT_FDCWD, path),
                (flags_of(words), 0o666),
                std::ptr::null_mut(),
                |instead| match instead {
                    None => open(path, mode),
                    Some(instead) => open(instead.as_ptr(), there(words).as_ptr()),
                },
                found,
            )
        }
    };
    keeping_errno(work, |stream| !stream.is_null())
}

/// `fopen`
///
/// # Safety
///
/// As for the function of the C library; so for all functions here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_fopen(path: *const c_char, mode: *const c_char) -> *mut libc::FILE {
    // SAFETY: the promise of the caller; so everywhere here.
    unsafe { stream(path, mode, |path, mode| libc::fopen64(path, mode)) }
}

/// `freopen`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_freopen(
    path: *const c_char,
    mode: *const c_char,
    old: *mut libc::FILE,
) -> *mut libc::FILE {
    let begin = || {
        // SAFETY: see above.
        let number = unsafe { old.as_ref().map_or(-1, |_| libc::fileno(old)) };
        let named = match path.is_null() {
            // The same file in another mode. What the process was given stays what it is given.
            true => opened::with(|all| all.name_of(old as usize, number)).map(text),
            false => {
                keep_given(number);
                opened::with(|all| all.gives(old as usize));
                None
            }
        };
        (named, opened::with(|all| all.closing(number)))
    };
    let (named, before) = keeping_errno(begin, |_| true);
    let shown = named.as_ref().map_or(path, |named| named.as_ptr());
    // SAFETY: see above.
    let result = unsafe {
        stream(shown, mode, |name, mode| {
            let name = if name == shown { path } else { name };
            libc::freopen64(name, mode, old)
        })
    };
    if let Some((path, which)) = before {
        keeping_errno(|| opened::with(|all| all.closed(path, which)), |()| true);
    }
    result
}

/// Closes a file with this number, and notes how long it is then.
fn closing(number: c_int, close: impl FnOnce() -> c_int) -> c_int {
    let work = || {
        // Before the number belongs to what another thread opens.
        let file = opened::with(|all| all.closing(number));
        let result = close();
        if let Some((path, which)) = file {
            opened::with(|all| all.closed(path, which));
        }
        result
    };
    keeping_errno(work, |&result| result == 0)
}

/// `fclose`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_fclose(stream: *mut libc::FILE) -> c_int {
    // SAFETY: see above.
    unsafe { closing(libc::fileno(stream), || libc::fclose(stream)) }
}

/// `close`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_close(number: c_int) -> c_int {
    // SAFETY: see above.
    closing(number, || unsafe { libc::close(number) })
}

/// `openat`. The mode is there only with `O_CREAT`; a number that nobody has given is not used.
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_openat(
    at: c_int,
    path: *const c_char,
    flags: c_int,
    mode: c_uint,
) -> c_int {
    let there = flags & !(libc::O_CREAT | libc::O_EXCL | libc::O_NOFOLLOW);
    let work = || {
        // SAFETY: see above.
        unsafe {
            opening(
                Opener::C,
                (at, path),
                (flags, mode & 0o7777),
                -1,
                |instead| match instead {
                    None => libc::openat64(at, path, flags, mode),
                    Some(instead) => libc::open64(instead.as_ptr(), there, 0),
                },
                |&number| (number >= 0).then_some((number, 0)),
            )
        }
    };
    keeping_errno(work, |&number| number >= 0)
}

/// `open`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_open(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    // SAFETY: see above.
    unsafe { cccp_openat(libc::AT_FDCWD, path, flags, mode) }
}

/// `creat`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_creat(path: *const c_char, mode: c_uint) -> c_int {
    let flags = libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC;
    // SAFETY: see above.
    unsafe { cccp_openat(libc::AT_FDCWD, path, flags, mode) }
}

/// Cuts a file off, or makes it longer.
fn resizing(
    keep: impl FnOnce(&mut opened::Opened) -> Option<String>,
    resize: impl FnOnce() -> c_int,
) -> c_int {
    let work = || {
        tell(opened::with(keep));
        resize()
    };
    keeping_errno(work, |&result| result == 0)
}

/// `truncate64`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_truncate64(path: *const c_char, length: i64) -> c_int {
    // SAFETY: see above.
    let place = unsafe { path_of(libc::AT_FDCWD, path) };
    resizing(
        |all| all.keep_contents(&place, false),
        // SAFETY: see above.
        || unsafe { libc::truncate64(path, length) },
    )
}

/// `ftruncate64`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_ftruncate64(number: c_int, length: i64) -> c_int {
    resizing(
        |all| all.keep_contents_of(number),
        // SAFETY: see above.
        || unsafe { libc::ftruncate64(number, length) },
    )
}

/// `truncate`
///
/// # Safety
///
/// As for the function of the C library.
#[allow(
    clippy::useless_conversion,
    reason = "a long has 32 bits on some machines"
)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_truncate(path: *const c_char, length: c_long) -> c_int {
    // SAFETY: see above.
    unsafe { cccp_truncate64(path, i64::from(length)) }
}

/// `ftruncate`
///
/// # Safety
///
/// As for the function of the C library.
#[allow(
    clippy::useless_conversion,
    reason = "a long has 32 bits on some machines"
)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_ftruncate(number: c_int, length: c_long) -> c_int {
    // SAFETY: see above.
    unsafe { cccp_ftruncate64(number, i64::from(length)) }
}

/// Makes a file with a name that nobody has: `make` does it and gives a descriptor. Before `init` each start makes one.
///
/// # Safety
///
/// `template` as for `mkstemp`.
unsafe fn making(template: *mut c_char, make: impl FnOnce() -> c_int) -> c_int {
    let work = || {
        let number = make();
        if number >= 0 && opened::with(|all| all.phase == Phase::Begun) {
            // SAFETY: the promise of the caller; the name is whole by now.
            let place = unsafe { path_of(libc::AT_FDCWD, template) };
            tell(opened::with(|all| {
                all.opened(number, &place, true, None, false)
            }));
        }
        number
    };
    keeping_errno(work, |&number| number >= 0)
}

unsafe extern "C" {
    /// glibc's; the libc crate does not have it.
    fn mkostemps64(template: *mut c_char, suffix: c_int, flags: c_int) -> c_int;
}

/// `mkostemps`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_mkostemps(
    template: *mut c_char,
    suffix: c_int,
    flags: c_int,
) -> c_int {
    // SAFETY: see above.
    unsafe { making(template, || mkostemps64(template, suffix, flags)) }
}

/// `mkostemp`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_mkostemp(template: *mut c_char, flags: c_int) -> c_int {
    // SAFETY: see above.
    unsafe { cccp_mkostemps(template, 0, flags) }
}

/// `mkstemps`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_mkstemps(template: *mut c_char, suffix: c_int) -> c_int {
    // SAFETY: see above.
    unsafe { cccp_mkostemps(template, suffix, 0) }
}

/// `mkstemp`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_mkstemp(template: *mut c_char) -> c_int {
    // SAFETY: see above.
    unsafe { cccp_mkostemps(template, 0, 0) }
}
