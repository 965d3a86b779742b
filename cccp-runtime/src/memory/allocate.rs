//! Memory for restored objects, from the C library that the program itself uses, or from its fixed heap.

use std::fmt;

use super::{Program, fixed};

/// Alignment of memory whose old address says nothing.
const PLAIN: usize = 16;
/// Alignment that `malloc` gives anyway.
const GIVEN: usize = if cfg!(any(target_pointer_width = "64", target_arch = "x86")) {
    16
} else {
    8
};
/// The largest alignment that is kept: that of a page.
const LARGEST: usize = 4096;

/// The C library has no memory left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryError {
    /// How many bytes were asked for.
    pub length: u64,
}

impl fmt::Display for MemoryError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "no memory for {} bytes", self.length)
    }
}

impl std::error::Error for MemoryError {}

/// The alignment that memory gets whose address was `address`: what it was aligned to, up to a page. Below 32 it is
/// what `malloc` gives on most machines, because such an address says nothing about what the program needs.
pub fn alignment_of(address: u64) -> usize {
    let aligned = 1usize << address.trailing_zeros().min(LARGEST.trailing_zeros());
    if aligned < 32 { PLAIN } else { aligned }
}

impl Program {
    /// New memory, all zero (or [spoilt](Program::set_poisons)), that the program may hand to `free` and `realloc`, and that is one of its blocks. At
    /// least one byte, so that the address is never NULL; the block has the length that was asked for all the same. `alignment` as [`alignment_of`] says.
    pub fn allocate(&self, length: u64, alignment: usize) -> Result<usize, MemoryError> {
        let failed = MemoryError { length };
        let bytes = usize::try_from(length).map_err(|_| failed)?.max(1);
        if fixed::is_on() {
            let address = fixed::allocate(bytes, alignment).ok_or(failed)?;
            self.spoil(address, bytes);
            return Ok(address);
        }
        if alignment <= GIVEN {
            // SAFETY: asks the C library for new memory.
            let address = unsafe { libc::calloc(1, bytes) };
            return if address.is_null() {
                Err(failed)
            } else {
                super::blocks::got(address as usize, length as usize);
                self.spoil(address as usize, bytes);
                Ok(address as usize)
            };
        }
        let mut address = std::ptr::null_mut();
        // SAFETY: the alignment is a power of two and a multiple of a pointer's size; `address` takes the result.
        if unsafe { libc::posix_memalign(&mut address, alignment, bytes) } != 0 {
            return Err(failed);
        }
        // SAFETY: `bytes` new bytes that nobody else knows yet.
        unsafe { std::ptr::write_bytes(address.cast::<u8>(), 0, bytes) };
        super::blocks::got(address as usize, length as usize);
        self.spoil(address as usize, bytes);
        Ok(address as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_alignment_is_kept_from_32_to_4096() {
        assert_eq!(alignment_of(0x1000_0010), 16);
        assert_eq!(alignment_of(0x1000_0004), 16);
        assert_eq!(alignment_of(0x1000_0020), 32);
        assert_eq!(alignment_of(0x1000_0040), 64);
        assert_eq!(alignment_of(0x1000_0000), 4096);
        assert_eq!(alignment_of(0), 4096);
    }

    #[test]
    fn s13_memory_can_be_reallocated_and_freed_and_has_its_alignment() {
        // SAFETY: the test hands over only memory that it got.
        let program = unsafe { Program::new() };
        for alignment in [16, 32, 64, 256, 4096] {
            let address = program.allocate(1000, alignment).unwrap();
            assert_eq!(address % alignment, 0);
            assert_eq!(program.read(address, 1000), vec![0; 1000]);
            program.write(address, b"stays");
            // SAFETY: the memory from above, and then its successor.
            unsafe {
                let larger = libc::realloc(address as *mut libc::c_void, 100_000);
                assert_eq!(program.view(larger as usize, 5), b"stays");
                libc::free(larger);
            }
        }
    }

    #[test]
    fn no_memory_is_an_error_and_no_bytes_are_an_address() {
        // SAFETY: the test hands over only memory that it got.
        let program = unsafe { Program::new() };
        let failed = program.allocate(u64::MAX / 4, 16);
        assert_eq!(
            failed,
            Err(MemoryError {
                length: u64::MAX / 4
            })
        );
        let empty = program.allocate(0, 16).unwrap();
        assert_ne!(empty, 0);
        assert_eq!(super::super::blocks::length(empty), Some(0));
        // SAFETY: the memory from above.
        unsafe { libc::free(empty as *mut libc::c_void) };
    }
}
