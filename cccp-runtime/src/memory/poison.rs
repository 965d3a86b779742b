//! A pointer value that is not NULL and faults at once when it is used.
//!
//! A restored pointer that led to nothing known gets this value instead of one that may hit anything.

use super::Program;

impl Program {
    /// An address in the middle of memory that can be neither read nor written, always the same in a run.
    pub fn poison(&self) -> usize {
        *self.poison.get_or_init(|| {
            let length = 2 * self.page;
            // SAFETY: reserves new pages without access; nothing in use is touched.
            let start = unsafe {
                libc::mmap(
                    std::ptr::null_mut(),
                    length,
                    libc::PROT_NONE,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                    -1,
                    0,
                )
            };
            if start == libc::MAP_FAILED {
                // The first page is never mapped, so this faults as well.
                self.page / 2
            } else {
                start as usize + self.page
            }
        })
    }

    /// Whether the address is that value, or a place behind a pointer that has it.
    pub fn is_poison(&self, address: usize) -> bool {
        address.abs_diff(self.poison()) < self.page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_poison_pointer_is_not_null_and_cannot_be_read() {
        // SAFETY: the test only asks.
        let program = unsafe { Program::new() };
        let poison = program.poison();
        assert_ne!(poison, 0);
        assert_eq!(poison, program.poison());
        assert!(!program.readable(poison - 64, 1));
        assert!(!program.readable(poison + 64, 1));
        assert!(program.is_poison(poison) && program.is_poison(poison + 64));
        assert!(!program.is_poison(&raw const program as usize));
    }
}
