//! Streams of the C library and descriptors of the program.
//!
//! In: an address that may be a stream. Out: its descriptor and its place, and on restart a new stream. What is inside a
//! stream is the C library's business: only its functions are asked. Whether an address is a stream at all nobody can tell
//! for certain; memory that is gone and streams that were closed and not replaced are found out.

use std::ffi::CStr;
use std::io::Error;
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};

use super::Program;

unsafe extern "C" {
    static stdin: *mut libc::FILE;
    static stdout: *mut libc::FILE;
    static stderr: *mut libc::FILE;
}

/// The addresses of the three streams that every process has.
pub fn standard_streams() -> [usize; 3] {
    // SAFETY: the C library sets them before anything runs.
    unsafe { [stdin as usize, stdout as usize, stderr as usize] }
}

impl Program {
    /// The descriptor of the stream at an address; none when it has none, or there is no open stream.
    pub fn stream_descriptor(&self, address: usize) -> Option<i32> {
        // The C library looks at the beginning of its structure, whose size it keeps to itself.
        if !address.is_multiple_of(size_of::<usize>()) || !self.readable(address, 128) {
            return None;
        }
        // SAFETY: there is memory; the program says it is a stream.
        let number = unsafe { libc::fileno(address as *mut libc::FILE) };
        (number >= 0 && is_open(number)).then_some(number)
    }

    /// Where a stream reads or writes next; none where there are no places. What is written has been flushed.
    pub fn stream_place(&self, stream: usize) -> Option<u64> {
        // SAFETY: it has a descriptor, so it is a stream.
        u64::try_from(unsafe { libc::ftello(stream as *mut libc::FILE) }).ok()
    }

    /// Lets a stream go on at a place.
    pub fn place_stream(&self, stream: usize, place: u64) -> Result<(), Error> {
        let place =
            libc::off_t::try_from(place).map_err(|_| Error::from_raw_os_error(libc::EFBIG))?;
        // SAFETY: a stream that was made or found here.
        match unsafe { libc::fseeko(stream as *mut libc::FILE, place, libc::SEEK_SET) } {
            0 => Ok(()),
            _ => Err(Error::last_os_error()),
        }
    }

    /// A stream of a descriptor, which belongs to it from then on.
    pub fn stream_of(&self, descriptor: OwnedFd, mode: &CStr) -> Result<usize, Error> {
        // SAFETY: the descriptor is open, and the mode a C string.
        let stream = unsafe { libc::fdopen(descriptor.as_raw_fd(), mode.as_ptr()) };
        if stream.is_null() {
            return Err(Error::last_os_error());
        }
        let _ = descriptor.into_raw_fd();
        Ok(stream as usize)
    }
}

/// Whether a number is that of an open descriptor.
pub fn is_open(number: i32) -> bool {
    // SAFETY: asks about a number.
    unsafe { libc::fcntl(number, libc::F_GETFD) >= 0 }
}

/// Whether a descriptor is closed when another program is executed.
pub fn closes_on_exec(number: i32) -> bool {
    // SAFETY: asks about a number.
    let flags = unsafe { libc::fcntl(number, libc::F_GETFD) };
    flags >= 0 && flags & libc::FD_CLOEXEC != 0
}

/// Another descriptor of the same open file, for us alone, with a number that programs do not reach.
pub fn duplicate(number: i32) -> Result<OwnedFd, Error> {
    for least in [FAR, 0] {
        // SAFETY: makes a new descriptor that nobody else knows.
        let copy = unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, least) };
        if copy >= 0 {
            // SAFETY: see above.
            return Ok(unsafe { OwnedFd::from_raw_fd(copy) });
        }
    }
    Err(Error::last_os_error())
}

/// Descriptors of ours are above this number where that is allowed.
const FAR: i32 = 500;

/// Gives a descriptor this number, when it is free; otherwise gives it back.
pub fn renumber(descriptor: OwnedFd, number: i32, close_on_exec: bool) -> Result<OwnedFd, OwnedFd> {
    // Out of the way, should it have that very number.
    let descriptor = duplicate(descriptor.as_raw_fd()).unwrap_or(descriptor);
    if is_open(number) {
        return Err(descriptor);
    }
    match copy(&descriptor, number, close_on_exec) {
        Some(copy) if copy.as_raw_fd() == number => Ok(copy),
        // It was taken meanwhile.
        _ => Err(descriptor),
    }
}

/// A descriptor of the same open file with any number that programs usually have.
pub fn near(descriptor: OwnedFd, close_on_exec: bool) -> OwnedFd {
    copy(&descriptor, 3, close_on_exec).unwrap_or(descriptor)
}

fn copy(descriptor: &OwnedFd, least: i32, close_on_exec: bool) -> Option<OwnedFd> {
    let how = match close_on_exec {
        true => libc::F_DUPFD_CLOEXEC,
        false => libc::F_DUPFD,
    };
    // SAFETY: makes a new descriptor that nobody else knows.
    let copy = unsafe { libc::fcntl(descriptor.as_raw_fd(), how, least) };
    // SAFETY: see above.
    (copy >= 0).then(|| unsafe { OwnedFd::from_raw_fd(copy) })
}

/// The program's from now on.
pub fn give_away(descriptor: OwnedFd) {
    let _ = descriptor.into_raw_fd();
}
