//! Streams of the C library and descriptors of the program.
//!
//! In: an address that may be a stream. Out: its descriptor and its place, and on restart a new stream. What is inside a
//! stream is the C library's business: only its functions are asked. Whether an address is an open stream the GNU C library
//! tells; of another one only memory that is gone is found out.

use std::ffi::CStr;
use std::io::Error;
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};

use super::Program;
use crate::format::Buffering;

unsafe extern "C" {
    static stdin: *mut libc::FILE;
    static stdout: *mut libc::FILE;
    static stderr: *mut libc::FILE;
    fn __fpurge(stream: *mut libc::FILE);
    fn __flbf(stream: *mut libc::FILE) -> i32;
    fn __fbufsize(stream: *mut libc::FILE) -> usize;
}

/// Bytes of the buffer of a stream that has none.
const UNBUFFERED: usize = if cfg!(target_env = "gnu") { 1 } else { 0 };

/// The addresses of the three streams that every process has.
pub fn standard_streams() -> [usize; 3] {
    // SAFETY: the C library sets them before anything runs.
    unsafe { [stdin as usize, stdout as usize, stderr as usize] }
}

/// Bytes that are looked at: the C library keeps the size of its structure to itself.
const LEAST: usize = 128;

impl Program {
    /// The descriptor of the stream at an address; none when it has none, or there is no open stream.
    pub fn stream_descriptor(&self, address: usize) -> Option<i32> {
        // A pointer may have outlived its stream: the memory belongs to somebody else then, and may look like a stream.
        if !open_stream::is_at(address) || !self.readable(address, LEAST) {
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

    /// What `ungetc` has pushed back and nobody has read again, the next to be read first; `stream_place` lies before it.
    pub fn pushed_back(&self, stream: usize) -> Vec<u8> {
        pushed_back::in_stream(stream)
    }

    /// Pushes back the same; a refused byte is an error.
    pub fn push_back(&self, stream: usize, bytes: &[u8]) -> Result<(), Error> {
        for &byte in bytes.iter().rev() {
            // SAFETY: a stream that was made or found here.
            if unsafe { libc::ungetc(i32::from(byte), stream as *mut libc::FILE) } < 0 {
                return Err(Error::other("its pushed back bytes are refused"));
            }
        }
        Ok(())
    }

    /// Whether a stream has met the end of its file, and whether reading or writing it has failed: `feof` and `ferror`.
    pub fn indicators(&self, stream: usize) -> (bool, bool) {
        let stream = stream as *mut libc::FILE;
        // SAFETY: a stream that was found open.
        unsafe { (libc::feof(stream) != 0, libc::ferror(stream) != 0) }
    }

    /// Says the same of a stream again: what has placed it, or pushed bytes back to it, has taken that back.
    pub fn set_indicators(
        &self,
        stream: usize,
        (ended, failed): (bool, bool),
    ) -> Result<(), Error> {
        match (ended || failed) && !indicators::set(stream, ended, failed) {
            true => Err(Error::other(
                "it cannot be told that it has ended or failed",
            )),
            false => Ok(()),
        }
    }

    /// When what is written to a stream leaves it.
    pub fn buffering(&self, stream: usize) -> Buffering {
        // SAFETY: a stream that every process has, or that was found open; the C library only looks at it.
        unsafe {
            let stream = stream as *mut libc::FILE;
            match (__flbf(stream) != 0, __fbufsize(stream)) {
                (_, UNBUFFERED) => Buffering::None,
                (true, _) => Buffering::Line,
                (false, _) => Buffering::Usual,
            }
        }
    }

    /// Lets what is written leave a stream as early as that; where that is usual it stays as it is.
    pub fn set_buffering(&self, stream: usize, buffering: Buffering) {
        let mode = match buffering {
            Buffering::Usual => return,
            Buffering::Line => libc::_IOLBF,
            Buffering::None => libc::_IONBF,
        };
        // SAFETY: a stream that was made or found here; it has no buffer of the program's.
        unsafe { libc::setvbuf(stream as *mut libc::FILE, std::ptr::null_mut(), mode, 0) };
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

    /// Drops what was written to a stream and has not come to its file, and what was read ahead.
    pub fn purge_stream(&self, stream: usize) {
        // SAFETY: a stream that was found open.
        unsafe { __fpurge(stream as *mut libc::FILE) };
    }

    /// Lets a stream be one of this mode, without a word about what it held, and its descriptor this file. Gives the descriptor.
    pub fn give_stream(
        &self,
        stream: usize,
        (mode, close_on_exec): (&CStr, bool),
        file: &OwnedFd,
    ) -> Result<i32, Error> {
        let mode = [mode.to_bytes(), if close_on_exec { b"e\0" } else { b"\0" }].concat();
        let mode = CStr::from_bytes_until_nul(&mode).map_err(Error::other)?;
        // SAFETY: a stream that every process has. A device that takes and gives nothing may be opened in any mode.
        let number = unsafe {
            let stream = libc::freopen64(
                c"/dev/null".as_ptr(),
                mode.as_ptr(),
                stream as *mut libc::FILE,
            );
            if stream.is_null() {
                return Err(Error::last_os_error());
            }
            libc::fileno(stream)
        };
        become_file(number, file)?;
        Ok(number)
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

/// The list that the C library keeps of its open streams, which it goes through itself when a program ends.
#[cfg(target_env = "gnu")]
mod open_stream {
    use std::ffi::c_void;

    unsafe extern "C" {
        fn _IO_list_lock();
        fn _IO_list_unlock();
        fn _IO_iter_begin() -> *mut c_void;
        fn _IO_iter_next(at: *mut c_void) -> *mut c_void;
        fn _IO_iter_file(at: *mut c_void) -> *mut libc::FILE;
    }

    pub fn is_at(address: usize) -> bool {
        let mut found = false;
        // SAFETY: while the list is locked nobody takes a stream away from it; it ends with a null pointer.
        unsafe {
            _IO_list_lock();
            let mut at = _IO_iter_begin();
            while !at.is_null() && !found {
                found = _IO_iter_file(at) as usize == address;
                at = _IO_iter_next(at);
            }
            _IO_list_unlock();
        }
        found
    }
}

#[cfg(not(target_env = "gnu"))]
mod open_stream {
    pub fn is_at(address: usize) -> bool {
        address.is_multiple_of(size_of::<usize>())
    }
}

/// Bytes that stand in no file: the GNU C library puts them into a buffer beside that of the stream when they are not those that
/// were read. None of its functions tells them without reading them.
#[cfg(target_env = "gnu")]
mod pushed_back {
    /// How `struct _IO_FILE` begins (bits/types/struct_FILE.h); programs are compiled against it, too.
    #[repr(C)]
    struct Begin {
        flags: i32,
        next: *const u8,
        end: *const u8,
    }

    /// The stream reads from the other buffer (`_IO_IN_BACKUP`).
    const IN_BACKUP: i32 = 0x100;

    pub fn in_stream(stream: usize) -> Vec<u8> {
        // SAFETY: a stream that was found open; between these two pointers lies what is read next.
        unsafe {
            let begin = &*(stream as *const Begin);
            let count = (begin.end as usize).saturating_sub(begin.next as usize);
            match begin.flags & IN_BACKUP != 0 && count > 0 {
                true => std::slice::from_raw_parts(begin.next, count).to_vec(),
                false => Vec::new(),
            }
        }
    }
}

#[cfg(not(target_env = "gnu"))]
mod pushed_back {
    pub fn in_stream(_stream: usize) -> Vec<u8> {
        Vec::new()
    }
}

/// The two are bits of the number with which both the GNU C library's and musl's streams begin: C has functions that ask for them
/// and one that clears them, and none that sets them.
#[cfg(any(target_env = "gnu", target_env = "musl"))]
mod indicators {
    /// `_IO_EOF_SEEN` (bits/types/struct_FILE.h), `F_EOF`.
    const ENDED: i32 = 0x10;
    /// `_IO_ERR_SEEN`, `F_ERR`.
    const FAILED: i32 = 0x20;

    /// Sets what is said; whether the stream says so now.
    pub fn set(stream: usize, ended: bool, failed: bool) -> bool {
        let bits = if ended { ENDED } else { 0 } | if failed { FAILED } else { 0 };
        // SAFETY: a stream that was found or made here; its flags are read back by the C library's own functions.
        unsafe {
            *(stream as *mut i32) |= bits;
            let stream = stream as *mut libc::FILE;
            (!ended || libc::feof(stream) != 0) && (!failed || libc::ferror(stream) != 0)
        }
    }
}

#[cfg(not(any(target_env = "gnu", target_env = "musl")))]
mod indicators {
    pub fn set(_stream: usize, _ended: bool, _failed: bool) -> bool {
        false
    }
}

/// Takes a lock on an open file, the whole of it, or from a first byte on, up to the last one or to the end. Waits for nobody.
pub fn lock_file(
    number: i32,
    exclusive: bool,
    bytes: Option<(u64, Option<u64>)>,
) -> Result<(), Error> {
    let done = match bytes {
        None => {
            let kind = if exclusive {
                libc::LOCK_EX
            } else {
                libc::LOCK_SH
            };
            // SAFETY: asks for a lock.
            unsafe { libc::flock(number, kind | libc::LOCK_NB) }
        }
        Some((first, last)) => {
            let far = |_| Error::from_raw_os_error(libc::EFBIG);
            // SAFETY: a struct of numbers, all of which may be zero.
            let mut wanted: libc::flock64 = unsafe { std::mem::zeroed() };
            wanted.l_type = if exclusive {
                libc::F_WRLCK
            } else {
                libc::F_RDLCK
            } as _;
            wanted.l_whence = libc::SEEK_SET as _;
            wanted.l_start = i64::try_from(first).map_err(far)?;
            let length = last.map_or(0, |last| last.saturating_sub(first) + 1);
            wanted.l_len = i64::try_from(length).map_err(far)?;
            // SAFETY: the struct is there during the call.
            unsafe { libc::fcntl(number, libc::F_OFD_SETLK, &raw mut wanted) }
        }
    };
    if done < 0 {
        return Err(Error::last_os_error());
    }
    Ok(())
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

/// A descriptor that the program has open becomes another file, under its number.
pub fn become_file(number: i32, file: &OwnedFd) -> Result<(), Error> {
    let flags = match closes_on_exec(number) {
        true => libc::O_CLOEXEC,
        false => 0,
    };
    // SAFETY: both are open; what the number meant before is not used any more.
    match unsafe { libc::dup3(file.as_raw_fd(), number, flags) } {
        -1 => Err(Error::last_os_error()),
        _ => Ok(()),
    }
}

/// The program's from now on.
pub fn give_away(descriptor: OwnedFd) {
    let _ = descriptor.into_raw_fd();
}

#[cfg(all(test, target_env = "gnu"))]
mod tests {
    use super::*;

    #[test]
    fn s16_a_closed_stream_is_none_even_where_its_memory_looks_like_one() {
        // SAFETY: the test only asks.
        let program = unsafe { Program::new() };
        // SAFETY: both are C strings.
        let stream = unsafe { libc::fopen(c"/dev/null".as_ptr(), c"r".as_ptr()) } as usize;
        assert!(program.stream_descriptor(stream).is_some());
        // SAFETY: a stream begins with as many bytes, and they are copied while it is open.
        let image = unsafe { *(stream as *const [usize; LEAST / size_of::<usize>()]) };
        assert_eq!(program.stream_descriptor(image.as_ptr() as usize), None);
        for standard in standard_streams() {
            assert!(open_stream::is_at(standard));
        }
        // SAFETY: it is open, and not used any more.
        unsafe { libc::fclose(stream as *mut libc::FILE) };
        assert_eq!(program.stream_descriptor(stream), None);
    }
}
