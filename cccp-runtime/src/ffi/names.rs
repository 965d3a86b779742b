//! The functions of the C library that give names to files, directories, links and pipes, change them and take them away, as the
//! program calls them when it is compiled with `CCCP_OPENS`: the library does the work, the session hears of it. Before `init` files
//! are renamed and removed for the program only; the rest is done in every start. What opens and makes files: `opened`.
//!
//! Prototypes, results and `errno` are those of the library.

use std::ffi::{c_char, c_int, c_uint};
use std::io;
use std::path::Path;

use super::opened::{fail, keeping_errno, path_of, settings, tell};
use crate::session::opened::{self, Phase, whole_path};
use crate::store::{Change, KnownNode, NameChange, known_file, known_node};

/// Removes or renames: `held` says so where it is held back, `real` does it. `notes` are the changes.
fn changing(
    path: &Path,
    notes: &[Change],
    held: impl FnOnce(&mut opened::Opened) -> io::Result<()>,
    real: impl FnOnce() -> c_int,
) -> c_int {
    let done = opened::with(|all| match all.is_held(settings) {
        true => Some(held(all)),
        false => None,
    });
    match done {
        Some(Ok(())) => 0,
        Some(Err(error)) => {
            fail(&error);
            -1
        }
        None => {
            tell(opened::with(|all| all.set_aside(path, false)));
            let result = real();
            if result == 0 {
                opened::with(|all| {
                    if all.phase == Phase::Before {
                        all.early.changed(path);
                    }
                    all.replaced(&whole_path(path));
                });
                note(notes);
            }
            result
        }
    }
}

fn note(changes: &[Change]) {
    for change in changes {
        tell(opened::with(|all| all.note(change)));
    }
}

/// What has this name will be gone.
fn gone(path: &Path, known: KnownNode) -> Change {
    Change::Name(NameChange::Gone(whole_path(path), known.mode, known.target))
}

/// A name will be gone.
fn removal(path: &Path) -> Option<Change> {
    match known_node(path) {
        Some(known) => Some(gone(path, known)),
        None => known_file(path).map(|_| Change::Removed(whole_path(path))),
    }
}

/// What comes to be there is noted: `make` does it, `change` looks.
fn making(make: impl FnOnce() -> c_int, change: impl FnOnce() -> Vec<Change>) -> c_int {
    let work = || {
        let result = make();
        if result == 0 {
            note(&change());
        }
        result
    };
    keeping_errno(work, |&result| result == 0)
}

/// The same, of what comes to be at a path.
///
/// # Safety
///
/// `path` as for `openat`, when it was made.
unsafe fn making_at(
    (at, path): (c_int, *const c_char),
    change: impl FnOnce(&Path) -> Vec<Change>,
    make: impl FnOnce() -> c_int,
) -> c_int {
    // SAFETY: the promise of the caller.
    making(make, || change(&unsafe { path_of(at, path) }))
}

/// A link or a pipe that was not there.
fn node(path: &Path) -> Vec<Change> {
    let known = known_node(path).into_iter();
    let made = known.map(|known| NameChange::Node(whole_path(path), known.which));
    made.map(Change::Name).collect()
}

/// A directory that was not there.
fn directory(path: &Path) -> Vec<Change> {
    let which = known_node(path).map(|known| known.which);
    vec![Change::Name(NameChange::Directory(whole_path(path), which))]
}

/// `renameat`
///
/// # Safety
///
/// As for the function of the C library; so for all functions here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_renameat(
    from_at: c_int,
    from: *const c_char,
    to_at: c_int,
    to: *const c_char,
) -> c_int {
    let work = || {
        // SAFETY: the promise of the caller; so everywhere here.
        let (old, new) = unsafe { (path_of(from_at, from), path_of(to_at, to)) };
        let (was, becomes) = (known_node(&old), known_node(&new));
        let mut notes = Vec::new();
        // Two names of one file stay.
        let file = known_file(&old).filter(|_| was.is_none());
        let other = known_file(&new).filter(|_| becomes.is_none());
        let is_same = file.is_some() && file == other;
        notes.extend(becomes.map(|known| gone(&new, known)));
        let (from_path, to_path) = (whole_path(&old), whole_path(&new));
        match (file, was) {
            (Some((which, length)), _) if !is_same => notes.push(Change::Renamed {
                from: from_path,
                to: to_path,
                which,
                length,
                replaced: other.is_some(),
            }),
            (_, Some(known)) => {
                notes.extend(other.map(|_| Change::Removed(to_path.clone())));
                let moved = NameChange::Moved(from_path, to_path, known.which);
                notes.push(Change::Name(moved));
            }
            _ => {}
        }
        changing(
            &new,
            &notes,
            |all| all.early.rename(&old, &new),
            // SAFETY: see above.
            || unsafe { libc::renameat(from_at, from, to_at, to) },
        )
    };
    keeping_errno(work, |&result| result == 0)
}

/// `rename`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_rename(from: *const c_char, to: *const c_char) -> c_int {
    // SAFETY: see above.
    unsafe { cccp_renameat(libc::AT_FDCWD, from, libc::AT_FDCWD, to) }
}

/// Removes what has this name: a file, a link or a pipe, or with `AT_REMOVEDIR` a directory.
///
/// # Safety
///
/// `path` as for `unlinkat`; so for `remove`.
unsafe fn removing(
    at: c_int,
    path: *const c_char,
    flags: c_int,
    remove: impl FnOnce() -> c_int,
) -> c_int {
    let work = || {
        // SAFETY: the promise of the caller.
        let place = unsafe { path_of(at, path) };
        let change: Vec<Change> = removal(&place).into_iter().collect();
        // Directories are not held back: they are made in every start, too.
        if flags & libc::AT_REMOVEDIR != 0 {
            return making(remove, || change);
        }
        changing(&place, &change, |all| all.early.remove(&place), remove)
    };
    keeping_errno(work, |&result| result == 0)
}

/// `unlinkat`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_unlinkat(at: c_int, path: *const c_char, flags: c_int) -> c_int {
    // SAFETY: see above.
    unsafe { removing(at, path, flags, || libc::unlinkat(at, path, flags)) }
}

/// `unlink`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_unlink(path: *const c_char) -> c_int {
    // SAFETY: see above.
    unsafe { removing(libc::AT_FDCWD, path, 0, || libc::unlink(path)) }
}

/// `rmdir`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_rmdir(path: *const c_char) -> c_int {
    let flags = libc::AT_REMOVEDIR;
    // SAFETY: see above.
    unsafe { removing(libc::AT_FDCWD, path, flags, || libc::rmdir(path)) }
}

/// `remove`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_remove(path: *const c_char) -> c_int {
    // SAFETY: see above.
    unsafe {
        let known = known_node(&path_of(libc::AT_FDCWD, path));
        let is_directory = known.is_some_and(|known| known.is_directory());
        let flags = if is_directory { libc::AT_REMOVEDIR } else { 0 };
        removing(libc::AT_FDCWD, path, flags, || libc::remove(path))
    }
}

/// `mkdirat`. Before `init` it is done in every start.
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_mkdirat(at: c_int, path: *const c_char, mode: c_uint) -> c_int {
    // SAFETY: see above.
    unsafe {
        making_at((at, path), directory, || {
            libc::mkdirat(at, path, mode as libc::mode_t)
        })
    }
}

/// `mkdir`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_mkdir(path: *const c_char, mode: c_uint) -> c_int {
    // SAFETY: see above.
    unsafe { cccp_mkdirat(libc::AT_FDCWD, path, mode) }
}

/// `mkdtemp`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_mkdtemp(template: *mut c_char) -> *mut c_char {
    let mut made = std::ptr::null_mut();
    // SAFETY: see above.
    unsafe {
        making_at((libc::AT_FDCWD, template), directory, || {
            made = libc::mkdtemp(template);
            if made.is_null() { -1 } else { 0 }
        });
    }
    made
}

/// `mkfifoat`. Before `init` it is done in every start; so are links.
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_mkfifoat(at: c_int, path: *const c_char, mode: c_uint) -> c_int {
    // SAFETY: see above.
    unsafe {
        making_at((at, path), node, || {
            libc::mkfifoat(at, path, mode as libc::mode_t)
        })
    }
}

/// `mkfifo`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_mkfifo(path: *const c_char, mode: c_uint) -> c_int {
    // SAFETY: see above.
    unsafe { cccp_mkfifoat(libc::AT_FDCWD, path, mode) }
}

/// `symlinkat`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_symlinkat(
    target: *const c_char,
    at: c_int,
    path: *const c_char,
) -> c_int {
    // SAFETY: see above.
    unsafe { making_at((at, path), node, || libc::symlinkat(target, at, path)) }
}

/// `symlink`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_symlink(target: *const c_char, path: *const c_char) -> c_int {
    // SAFETY: see above.
    unsafe { cccp_symlinkat(target, libc::AT_FDCWD, path) }
}

/// `linkat`. The file with the other name was there at the checkpoint, if the run has not made it.
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_linkat(
    from_at: c_int,
    from: *const c_char,
    to_at: c_int,
    to: *const c_char,
    flags: c_int,
) -> c_int {
    let changes = || {
        // SAFETY: see above.
        let (old, new) = unsafe { (path_of(from_at, from), path_of(to_at, to)) };
        let link = node(&new);
        if !link.is_empty() {
            return link;
        }
        let made = |(which, length)| {
            let (old, new) = (whole_path(&old), whole_path(&new));
            [Change::Long(old, which, length), Change::Made(new, which)]
        };
        let known = known_file(&new).into_iter();
        known.flat_map(made).collect()
    };
    // SAFETY: see above.
    let make = || unsafe { libc::linkat(from_at, from, to_at, to, flags) };
    making(make, changes)
}

/// `link`
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_link(from: *const c_char, to: *const c_char) -> c_int {
    // SAFETY: see above.
    unsafe { cccp_linkat(libc::AT_FDCWD, from, libc::AT_FDCWD, to, 0) }
}
