//! How much room there is at a pointer that the program has already.
//!
//! A program may allocate before `init` and let the memory grow later; on restart the pointer has the small memory
//! again, and the checkpoint more than fits. The C library notes the size before each piece of memory it gives. What
//! looks like such a note is believed; for every other address nothing is known, and the program's promise counts.

use super::Program;

/// Bytes of the note before a piece of memory, and what sizes are multiples of.
const NOTE: usize = 2 * size_of::<usize>();
/// What addresses are multiples of: two words, and more on 32-bit x86 for the sake of vector instructions.
const GRAIN: usize = if cfg!(target_arch = "x86") { 16 } else { NOTE };
/// Flags in the size: the piece before is in use; the piece is a mapping of its own.
const BEFORE_IN_USE: usize = 1;
const MAPPED: usize = 2;
const FLAGS: usize = 7;

impl Program {
    /// How many bytes the C library gave at this address; none when that cannot be known.
    pub fn room(&self, address: usize) -> Option<u64> {
        // Whoever is loaded before the C library (valgrind, another allocator) gives memory in its stead.
        if !cfg!(target_env = "gnu")
            || !address.is_multiple_of(GRAIN)
            || std::env::var_os("LD_PRELOAD").is_some_and(|list| !list.is_empty())
        {
            return None;
        }
        let start = address
            .checked_sub(NOTE)
            .filter(|&start| self.readable(start, NOTE))?;
        let before = self.pointer(start);
        let note = self.pointer(start + NOTE / 2);
        let size = note & !FLAGS;
        if size < 2 * NOTE || !size.is_multiple_of(NOTE) {
            return None;
        }
        let end = start.checked_add(size)?;
        if note & MAPPED != 0 {
            // The mapping begins at a page and ends at one.
            let whole = start.checked_sub(before)?.is_multiple_of(4096) && end.is_multiple_of(4096);
            return (whole && self.readable(end - 1, 1)).then_some((size - NOTE) as u64);
        }
        let next = end.checked_add(NOTE / 2)?;
        let known = self.readable(next, NOTE / 2) && self.pointer(next) & BEFORE_IN_USE != 0;
        // The first word of the next note belongs to this piece while it is in use.
        known.then_some((size - NOTE / 2) as u64)
    }
}

#[cfg(all(test, target_env = "gnu"))]
mod tests {
    use super::*;

    #[test]
    fn s13_memory_that_is_too_small_is_recognised() {
        // SAFETY: the test hands over only memory that it got.
        let program = unsafe { Program::new() };
        for length in [1, 24, 100, 4000, 100_000, 300_000, 5_000_000] {
            let address = program.allocate(length, 16).unwrap();
            let room = program.room(address).unwrap();
            assert!(
                room >= length && room < length + 8192,
                "{room} for {length}"
            );
        }
        let doubles = vec![1.5f64; 1000];
        let inside = (doubles.as_ptr() as usize).next_multiple_of(GRAIN) + 10 * GRAIN;
        assert_eq!(program.room(inside), None);
        assert_eq!(program.room(inside + 8), None);
        assert_eq!(program.room(16), None);
    }
}
