//! A pointer value that is not NULL and faults at once when it is used.
//!
//! A restored pointer that led to nothing known gets this value instead of one that may hit anything.

use std::sync::atomic::Ordering;

use super::Program;

/// A signalling NaN as a double, a NaN as a float, a large integer, an address that no program has.
const SPOILT: u64 = 0x7ff4_dead_7fa4_dead;
/// What the GNU C library fills new memory with: the complement of this.
const PERTURBED: i32 = 0x08;

impl Program {
    /// From now on new memory holds values that show when they are used before something else is there: what this library
    /// allocates and, with the GNU C library, what the program gets from `malloc`.
    pub fn set_poisons(&self, poisons: bool) {
        self.poisons.store(poisons, Ordering::Relaxed);
        #[cfg(target_env = "gnu")]
        // SAFETY: sets a number of the C library.
        unsafe {
            libc::mallopt(libc::M_PERTURB, if poisons { PERTURBED } else { 0 });
        }
    }

    /// Fills memory, if that is wanted: new memory, or a variable that nothing restores.
    pub fn spoil(&self, address: usize, length: usize) {
        if self.poisons.load(Ordering::Relaxed) {
            let pattern = SPOILT.to_ne_bytes();
            // SAFETY: the caller has just got this memory, and nobody else knows it; or the generated code names a variable.
            let memory = unsafe { std::slice::from_raw_parts_mut(address as *mut u8, length) };
            for chunk in memory.chunks_mut(pattern.len()) {
                chunk.copy_from_slice(&pattern[..chunk.len()]);
            }
        }
    }

    /// What a pointer becomes in a restart that led to memory which the program had released: poison that is known again.
    pub fn poison_of_released(&self) -> usize {
        self.poison() + 64
    }

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
