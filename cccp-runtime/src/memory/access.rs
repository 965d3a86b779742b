//! Reading and writing the program's memory.

use std::ops::Range;

/// The running program's memory. See the header of the room for what its maker promises.
///
/// The methods do not check addresses, except where they say so.
#[derive(Debug)]
pub struct Program {
    pub(super) page: usize,
    pub(super) image: Vec<Range<usize>>,
    pub(super) image_start: usize,
    pub(super) poison: std::sync::OnceLock<usize>,
    pub(super) writes_notes: std::sync::OnceLock<bool>,
    pub(super) poisons: std::sync::atomic::AtomicBool,
}

impl Program {
    /// Looks at the program that this library is part of.
    ///
    /// # Safety
    ///
    /// Every address handed to the methods is one that the program registered, was given by [`Program::allocate`], or
    /// points to one that is, and the memory there is as long as said; and while a method runs, and as long as a
    /// slice it gave is alive, no other thread of the program changes that memory.
    pub unsafe fn new() -> Program {
        let (image_start, image) = super::image::segments();
        Program {
            page: super::probe::page_size(),
            image,
            image_start,
            poison: std::sync::OnceLock::new(),
            writes_notes: std::sync::OnceLock::new(),
            poisons: std::sync::atomic::AtomicBool::new(false),
        }
    }

    /// The bytes at `address`, for as long as the program stands still.
    pub fn view(&self, address: usize, length: usize) -> &[u8] {
        if length == 0 {
            return &[];
        }
        // SAFETY: the promise of `new`: it is the program's memory, mapped, and nobody changes it meanwhile.
        unsafe { std::slice::from_raw_parts(address as *const u8, length) }
    }

    /// A copy of the bytes at `address`.
    pub fn read(&self, address: usize, length: usize) -> Vec<u8> {
        self.view(address, length).to_vec()
    }

    /// Writes `bytes` to `address`. They must not be a view of the same memory.
    pub fn write(&self, address: usize, bytes: &[u8]) {
        // SAFETY: the promise of `new`; `copy` (not `copy_nonoverlapping`) even bears an overlap.
        unsafe { std::ptr::copy(bytes.as_ptr(), address as *mut u8, bytes.len()) }
    }

    /// Lets `change` work on the bytes at `address` in place.
    pub fn change<T>(
        &self,
        address: usize,
        length: usize,
        change: impl FnOnce(&mut [u8]) -> T,
    ) -> T {
        if length == 0 {
            return change(&mut []);
        }
        // SAFETY: the promise of `new`; the slice ends with the call.
        change(unsafe { std::slice::from_raw_parts_mut(address as *mut u8, length) })
    }

    /// The pointer stored at `address`, which need not be aligned.
    pub fn pointer(&self, address: usize) -> usize {
        // SAFETY: the promise of `new`.
        unsafe { (address as *const usize).read_unaligned() }
    }

    /// Stores a pointer at `address`, which may be constant data that has it already.
    pub fn set_pointer(&self, address: usize, pointer: usize) {
        if self.pointer(address) == pointer {
            return;
        }
        // SAFETY: the promise of `new`.
        unsafe { (address as *mut usize).write_unaligned(pointer) }
    }

    /// The unsigned integer of `size` bytes (1, 2, 4 or 8) stored at `address`, in the order of this machine.
    pub fn integer(&self, address: usize, size: usize) -> u64 {
        let mut wide = [0; 8];
        let size = size.min(wide.len());
        let start = if cfg!(target_endian = "big") {
            wide.len() - size
        } else {
            0
        };
        wide[start..start + size].copy_from_slice(self.view(address, size));
        u64::from_ne_bytes(wide)
    }

    /// The bytes of the C string at `address`, without its end.
    pub fn text(&self, address: usize) -> Vec<u8> {
        // SAFETY: the promise of `new`, and the caller means a C string, so there is an end.
        unsafe { std::ffi::CStr::from_ptr(address as *const std::ffi::c_char) }
            .to_bytes()
            .to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tests hand over only memory of their own.
    fn program() -> Program {
        // SAFETY: see above.
        unsafe { Program::new() }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let program = program();
        let mut memory = vec![0u32; 4];
        let address = memory.as_mut_ptr() as usize;
        program.write(address + 4, &7u32.to_ne_bytes());
        program.change(address + 12, 4, |bytes| {
            bytes.copy_from_slice(&9u32.to_ne_bytes())
        });
        assert_eq!(program.read(address + 4, 4), 7u32.to_ne_bytes());
        assert_eq!(program.integer(address + 12, 4), 9);
        assert_eq!(
            program.integer(address + 4, 1) + program.integer(address + 7, 1),
            7
        );
        assert_eq!(program.view(0, 0), b"");
    }

    #[test]
    fn pointers_are_read_and_written_at_any_address() {
        let program = program();
        let mut memory = [0usize; 2];
        let address = memory.as_mut_ptr() as usize + 1;
        program.set_pointer(address, 0x1234);
        assert_eq!(program.pointer(address), 0x1234);
    }

    #[test]
    fn a_text_ends_at_its_zero() {
        assert_eq!(program().text(c"heat".as_ptr() as usize), b"heat");
    }
}
