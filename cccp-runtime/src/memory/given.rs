//! Standard output and standard error as the process was given them, where the program has given its streams other files (`freopen`).
//!
//! In: that the program is about to do so. Out: a copy of the descriptor of before: what the library says goes where the user looks
//! for it, and not into a file of the program. Not here: the streams themselves (`streams`).

use std::io::Error;
use std::os::fd::{AsRawFd, BorrowedFd, IntoRawFd, OwnedFd};
use std::sync::Mutex;

use super::streams::duplicate;

/// A descriptor, and which file it is: a program may close all that it does not know.
type Kept = Option<(i32, (u64, u64))>;

/// Of the descriptors 1 and 2.
static KEPT: Mutex<[Kept; 2]> = Mutex::new([None; 2]);

/// Keeps what this descriptor is now, if nothing is kept yet. Only files and what messages go to count: whoever reads a pipe waits for
/// its end.
pub fn keep_given(number: i32) {
    let Some(kept) = kept_of(number) else { return };
    let is_wanted = |one: &OwnedFd| {
        let kind = status(one.as_raw_fd()).map(|known| known.st_mode & libc::S_IFMT);
        number == libc::STDERR_FILENO || kind == Some(libc::S_IFREG)
    };
    if let (None, Some(copy)) = (read(kept), duplicate(number).ok().filter(is_wanted))
        && let Some(which) = which(copy.as_raw_fd())
        && let Ok(mut all) = KEPT.lock()
    {
        all[kept] = Some((copy.into_raw_fd(), which));
    }
}

/// A copy of the descriptor of standard output that the process was given: it moves with the place in the file.
pub fn standard_output() -> Result<OwnedFd, Error> {
    duplicate(given(libc::STDOUT_FILENO))
}

/// The descriptor of standard error that the process was given.
pub fn standard_error() -> BorrowedFd<'static> {
    // SAFETY: nothing here closes it; one that the program has closed is an error.
    unsafe { BorrowedFd::borrow_raw(given(libc::STDERR_FILENO)) }
}

fn given(number: i32) -> i32 {
    let kept = kept_of(number).and_then(read);
    let there = kept.filter(|one| which(one.0) == Some(one.1));
    there.map_or(number, |one| one.0)
}

fn kept_of(number: i32) -> Option<usize> {
    usize::try_from(number - 1).ok().filter(|at| *at < 2)
}

fn read(at: usize) -> Kept {
    KEPT.lock().ok().and_then(|all| all[at])
}

fn which(number: i32) -> Option<(u64, u64)> {
    status(number).map(|known| (known.st_dev, known.st_ino))
}

fn status(number: i32) -> Option<libc::stat64> {
    // SAFETY: plain memory that the call fills; one that is closed is an error.
    unsafe {
        let mut known: libc::stat64 = std::mem::zeroed();
        (libc::fstat64(number, &mut known) == 0).then_some(known)
    }
}
