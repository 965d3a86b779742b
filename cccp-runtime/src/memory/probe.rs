//! Is there memory at an address? Asked about pointers that may be stale, so the answer must never be a fault.
//!
//! The kernel is asked to read eight bytes of every page: `rt_sigprocmask` with an operation that does not exist
//! changes nothing, and fails with EFAULT for memory that cannot be read and with EINVAL for memory that can.

use super::Program;

/// Bytes that one probe reads: a kernel's set of signals.
const PROBE: usize = 8;

pub(super) fn page_size() -> usize {
    // SAFETY: asks for a number.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

impl Program {
    /// Whether all `length` bytes at `address` can be read. True for a length of 0. Never faults; takes one system
    /// call per page.
    pub fn readable(&self, address: usize, length: usize) -> bool {
        if length == 0 {
            return true;
        }
        let Some(last) = address.checked_add(length - 1) else {
            return false;
        };
        let first_page = address / self.page;
        let last_page = last / self.page;
        (first_page..=last_page).all(|page| {
            // Inside the memory asked about, so that a memory checker sees nothing foreign being read.
            let start = (page * self.page).max(address);
            let end = page * self.page + (self.page - PROBE);
            page != 0 && is_readable(start.min(end))
        })
    }

    /// Whether the first and the last of `length` bytes at `address`, which can be read, can be written: constant data
    /// cannot. Changes nothing, never faults.
    pub fn writable(&self, address: usize, length: usize) -> bool {
        let Some(last) = length.checked_sub(1) else {
            return true;
        };
        is_writable(address) && (last < self.page || is_writable(address + last))
    }
}

/// The kernel is asked to write there, and what was there is put back: a byte that nobody has set is copied without a
/// look, which memory checkers allow.
fn is_writable(address: usize) -> bool {
    let mut ends = [0; 2];
    // SAFETY: two descriptors are written to `ends`.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return true;
    }
    let place = address as *mut std::mem::MaybeUninit<u8>;
    let other = [0u8];
    // SAFETY: the byte at `address` can be read, as the caller says; the kernel writes it or refuses; one byte is in the pipe.
    let result = unsafe {
        let before = place.read();
        let written = libc::write(ends[1], other.as_ptr().cast(), 1);
        let result = match written {
            1 => libc::read(ends[0], place.cast(), 1),
            _ => 0,
        };
        if result == 1 {
            place.write(before);
        }
        result
    };
    let refused =
        result < 0 && std::io::Error::last_os_error().raw_os_error() == Some(libc::EFAULT);
    for end in ends {
        // SAFETY: they are ours.
        unsafe { libc::close(end) };
    }
    !refused
}

fn is_readable(start: usize) -> bool {
    // SAFETY: the kernel reads PROBE bytes in one page, if they are there, and then refuses the operation.
    let result = unsafe {
        libc::syscall(
            libc::SYS_rt_sigprocmask,
            usize::MAX,
            start,
            std::ptr::null_mut::<u8>(),
            PROBE,
        )
    };
    result == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::EFAULT)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tests only ask.
    fn program() -> Program {
        // SAFETY: see above.
        unsafe { Program::new() }
    }

    #[test]
    fn memory_in_use_is_readable() {
        let program = program();
        let heap = vec![1u8; 100_000];
        assert!(program.readable(heap.as_ptr() as usize, heap.len()));
        assert!(program.readable(&raw const program as usize, 1));
        assert!(program.readable(memory_in_use_is_readable as fn() as usize, 1));
    }

    #[test]
    fn memory_that_was_given_back_or_protected_is_not_readable() {
        let program = program();
        let page = program.page;
        // SAFETY: new pages, used by nobody else.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                3 * page,
                libc::PROT_READ,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        } as usize;
        assert!(program.readable(start, 3 * page));
        // SAFETY: the pages from above.
        unsafe {
            libc::munmap((start + page) as *mut libc::c_void, page);
            libc::mprotect(
                (start + 2 * page) as *mut libc::c_void,
                page,
                libc::PROT_NONE,
            );
        }
        assert!(program.readable(start, page));
        assert!(!program.readable(start, page + 1));
        assert!(!program.readable(start + page, 1));
        assert!(!program.readable(start + 2 * page, 1));
    }

    #[test]
    fn constant_data_is_not_writable_and_is_not_changed_by_the_question() {
        let program = program();
        let mut heap = vec![7u8; 100_000];
        assert!(program.writable(heap.as_mut_ptr() as usize, heap.len()));
        assert!(heap.iter().all(|byte| *byte == 7));
        let text = "constant data";
        assert!(!program.writable(text.as_ptr() as usize, text.len()));
        assert!(program.writable(0, 0));
    }

    #[test]
    fn null_and_the_end_of_the_address_space_are_not_readable() {
        let program = program();
        assert!(program.readable(0, 0));
        assert!(!program.readable(0, 1));
        assert!(!program.readable(8, 8));
        assert!(!program.readable(usize::MAX - 3, 8));
        assert!(!program.readable(usize::MAX - 3, 4));
    }
}
