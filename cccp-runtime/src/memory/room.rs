//! How much room there is at a pointer that the program has already.
//!
//! A program may allocate before `init` and let the memory grow later; on restart the pointer has the small memory
//! again, and the checkpoint more than fits. The C library notes the size before each piece of memory it gives. What
//! looks like such a note is believed; for every other address nothing is known, and the program's promise counts.

use super::{Program, fixed};

/// Bytes of the note before a piece of memory, and what sizes are multiples of.
const NOTE: usize = 2 * size_of::<usize>();
/// What addresses are multiples of: two words, and more on 32-bit x86 for the sake of vector instructions.
const GRAIN: usize = if cfg!(target_arch = "x86") { 16 } else { NOTE };
/// A large page, with which a mapping may end.
const HUGE: usize = 1 << 21;

/// What the C library gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// So many bytes.
    pub room: u64,
    /// The program asked for so many less at the most: sizes are multiples of something, and what would be too small a rest
    /// stays where it is.
    pub slack: u64,
}

/// Flags in the size: the piece before is in use; the piece is a mapping of its own.
const BEFORE_IN_USE: usize = 1;
const MAPPED: usize = 2;
const FLAGS: usize = 7;

impl Program {
    /// How many bytes the C library gave at this address; none when that cannot be known.
    pub fn room(&self, address: usize) -> Option<u64> {
        self.given(address).map(|given| given.room)
    }

    /// Whether that can be known of every block of the C library.
    pub fn knows_rooms(&self) -> bool {
        *self.writes_notes.get_or_init(|| self.finds_notes())
    }

    /// The same, with how much more than the program asked for that may be.
    pub fn given(&self, address: usize) -> Option<Given> {
        if fixed::holds(address) {
            let length = fixed::length(address)?;
            return Some(Given {
                room: length as u64,
                slack: 0,
            });
        }
        if !address.is_multiple_of(GRAIN) || !self.knows_rooms() {
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
            let page = match end.is_multiple_of(HUGE) && size >= HUGE {
                true => HUGE,
                false => self.page.max(4096),
            };
            return (whole && self.readable(end - 1, 1)).then_some(Given {
                room: (size - NOTE) as u64,
                slack: page as u64,
            });
        }
        let next = end.checked_add(NOTE / 2)?;
        let known = self.readable(next, NOTE / 2) && self.pointer(next) & BEFORE_IN_USE != 0;
        // The first word of the next note belongs to this piece while it is in use.
        known.then_some(Given {
            room: (size - NOTE / 2) as u64,
            slack: 4 * NOTE as u64,
        })
    }

    /// Whether it is the GNU C library's own allocator that gives memory: there may be another one in the program.
    fn finds_notes(&self) -> bool {
        // Whoever is loaded before the C library (valgrind, another allocator) gives memory in its stead.
        if !cfg!(target_env = "gnu")
            || std::env::var_os("LD_PRELOAD").is_some_and(|list| !list.is_empty())
        {
            return false;
        }
        [1000usize, 2500, 6000].into_iter().all(|length| {
            // SAFETY: asks the C library for new memory.
            let piece = unsafe { libc::malloc(length) };
            let note = (piece as usize).wrapping_sub(NOTE / 2);
            let is_there = !piece.is_null() && self.readable(note, NOTE / 2);
            let size = is_there.then(|| self.pointer(note) & !FLAGS);
            // SAFETY: the memory from above, which nobody else knows.
            unsafe { libc::free(piece) };
            let least = (length + NOTE / 2).next_multiple_of(GRAIN);
            size.is_some_and(|size| size == least || size == least + GRAIN)
        })
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
            let Given { room, slack } = program.given(address).unwrap();
            assert!(
                room >= length && room <= length + slack,
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
