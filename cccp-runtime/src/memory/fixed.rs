//! The fixed heap: allocated memory that lies at the same addresses in every process of the program.
//!
//! A program that asks for it (`init … heap(fixed)`) gets all its blocks from here. A checkpoint holds every block that is
//! there, byte for byte, and a restart puts each one back to its address: pointers in unions, among bytes, in structs that
//! the program carves from memory of its own, and numbers that were computed from addresses mean the same again. This is
//! how C3 (Bronevetsky et al. 2003, section 5) and Charm++'s isomalloc move the state of a process. It needs the same build of the program, on
//! the same kind of machine.
//!
//! Which place a block gets depends on nothing but its length and the blocks that are there: the smallest gap that is large
//! enough, the lowest of these, else the end. So a restarted program gets the same places as an undisturbed one, and
//! nothing of the heap itself has to be saved but where each block begins and how long it is.
//!
//! A new block is zero. Not here: which blocks there are ([`blocks`](super::blocks)), and the functions that the program
//! calls (`ffi::heap`).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use super::guarded::Guarded;

/// Where it begins: far above programs, which are linked at low addresses, and far below what the kernel gives, from the
/// top downwards, also where addresses have 39 bits only.
#[cfg(target_pointer_width = "64")]
pub const BASE: usize = 1 << 38;
/// Addresses of 32 bits have no room for it.
#[cfg(not(target_pointer_width = "64"))]
pub const BASE: usize = 1 << 31;

/// Below, an address cannot be told from a number: programs count so far.
pub const LOW: u64 = 1 << 32;

/// So many bytes before it are for the words of the command line.
const WORDS: usize = 1 << 21;

/// It never grows beyond so many bytes.
#[cfg(target_pointer_width = "64")]
const SPAN: usize = 1 << 37;
#[cfg(not(target_pointer_width = "64"))]
const SPAN: usize = 0;

/// Places and lengths are multiples of it, as those of `malloc`.
const GRAIN: usize = 16;
/// The kernel is asked for so much at a time, at least.
const STEP: usize = 1 << 26;
/// So much is given back to the kernel, and comes back as zeros.
const LARGE: usize = 1 << 18;
/// So many gaps are tried for a block with an alignment of its own.
const TRIES: usize = 32;

/// Why there is no fixed heap, or none as wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FixedError {
    /// Addresses of this machine are too short.
    Narrow,
    /// The kernel does not give the addresses: the error number.
    Taken(usize, i32),
    /// A block of the checkpoint does not lie in it, or two of them overlap.
    Damaged,
}

impl fmt::Display for FixedError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FixedError::Narrow => {
                write!(
                    out,
                    "this machine's addresses are too short for a fixed heap"
                )
            }
            FixedError::Taken(address, number) => write!(
                out,
                "the fixed heap cannot have the memory at {address:#x}: {}",
                std::io::Error::from_raw_os_error(*number)
            ),
            FixedError::Damaged => {
                write!(out, "its blocks of the fixed heap do not lie side by side")
            }
        }
    }
}

impl std::error::Error for FixedError {}

/// What is free.
struct Space {
    /// Gaps between blocks: where each begins, and its length.
    gaps: BTreeMap<usize, usize>,
    /// The same by length.
    by_length: BTreeSet<(usize, usize)>,
    /// Behind the last block.
    end: usize,
    /// So far the kernel has given memory.
    mapped: usize,
    /// From here on nothing was ever stored.
    clean: usize,
}

static SPACE: Guarded<Space> = Guarded::new(Space {
    gaps: BTreeMap::new(),
    by_length: BTreeSet::new(),
    end: BASE,
    mapped: BASE,
    clean: BASE,
});

static IS_ON: AtomicBool = AtomicBool::new(false);

/// From now on the program's blocks come from here.
pub fn begin() -> Result<(), FixedError> {
    if SPAN == 0 {
        return Err(FixedError::Narrow);
    }
    SPACE.with(|space| space.reach(BASE + 1))?;
    IS_ON.store(true, Ordering::Relaxed);
    Ok(())
}

/// Lets the C library have its memory at high addresses from now on, where a checkpoint can tell them from numbers: it gets no more of
/// the piece behind the program, and what is left of that is used up.
pub fn keep_libraries_high() {
    if !cfg!(all(target_env = "gnu", target_pointer_width = "64")) {
        return;
    }
    const MOST: usize = 4096;
    // SAFETY: asks for an address, and for a page that nobody has.
    let is_closed = unsafe {
        let end = (libc::sbrk(0) as usize).next_multiple_of(page());
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
        let place = end as *mut libc::c_void;
        (end as u64) < LOW && libc::mmap(place, page(), libc::PROT_NONE, flags, -1, 0) == place
    };
    if !is_closed {
        return;
    }
    // Another allocator in the C library's place may have low addresses without end.
    let mut left = STEP;
    for size in (16..MOST).step_by(16).rev() {
        // Pieces of one size that were given back are reused first. None is needed any more.
        // SAFETY: asks for memory.
        while left > size && (1..LOW).contains(&(unsafe { libc::malloc(size) } as usize as u64)) {
            left -= size;
        }
    }
}

/// Bytes of a page.
fn page() -> usize {
    // SAFETY: asks for a number.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

/// Whether they do.
pub fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// Whether an address belongs to the fixed heap.
pub fn holds(address: usize) -> bool {
    address.wrapping_sub(BASE) < SPAN && is_on()
}

/// Its addresses, now and later, and those of the command line.
pub fn addresses() -> std::ops::Range<usize> {
    BASE.saturating_sub(WORDS)..BASE.saturating_add(SPAN)
}

/// New memory at an address that nobody has.
fn map(address: usize, length: usize) -> Result<(), FixedError> {
    // Never over what is there already.
    // SAFETY: asks for new memory.
    let found = unsafe {
        libc::mmap(
            address as *mut libc::c_void,
            length,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE
                | libc::MAP_ANONYMOUS
                | libc::MAP_NORESERVE
                | libc::MAP_FIXED_NOREPLACE,
            -1,
            0,
        )
    };
    if found == libc::MAP_FAILED {
        let error = std::io::Error::last_os_error();
        return Err(FixedError::Taken(
            address,
            error.raw_os_error().unwrap_or(0),
        ));
    }
    if found as usize != address {
        // An old kernel takes the address for a wish.
        // SAFETY: the memory from above, which nobody knows.
        unsafe { libc::munmap(found, length) };
        return Err(FixedError::Taken(address, libc::EEXIST));
    }
    Ok(())
}

/// Puts words of the command line, each with the zero behind it, side by side to addresses that are the same in every process with
/// the same words. Gives these addresses; of words for which there is no room none.
pub fn keep_words(words: &[&[u8]]) -> Result<Vec<Option<usize>>, FixedError> {
    let start = BASE.checked_sub(WORDS).ok_or(FixedError::Narrow)?;
    map(start, WORDS)?;
    let mut at = start;
    let place = |word: &&[u8]| {
        let here = at;
        (word.len() <= BASE - at).then(|| {
            at += word.len();
            // SAFETY: new memory, in which there is room for it.
            unsafe { std::ptr::copy_nonoverlapping(word.as_ptr(), here as *mut u8, word.len()) };
            here
        })
    };
    Ok(words.iter().map(place).collect())
}

/// What a block of a length takes.
fn taken(length: usize) -> Option<usize> {
    length.max(1).checked_next_multiple_of(GRAIN)
}

/// A new block, all zero; none when there is no memory. `alignment` is a power of two.
pub fn allocate(length: usize, alignment: usize) -> Option<usize> {
    let length = taken(length).filter(|length| *length <= SPAN)?;
    SPACE.with(|space| space.allocate(length, alignment.max(GRAIN)))
}

/// Gives back a block of this length.
pub fn release(address: usize, length: usize) {
    if let Some(length) = taken(length) {
        SPACE.with(|space| space.release(address, length));
    }
}

/// Makes a block shorter or longer where it is, with zeros behind; false when there is no room.
pub fn resize(address: usize, before: usize, after: usize) -> bool {
    match (taken(before), taken(after)) {
        (Some(before), Some(after)) => SPACE.with(|space| space.resize(address, before, after)),
        _ => false,
    }
}

/// From now on these blocks are there, by their addresses, and no others; what they hold is still to come.
pub fn restore(blocks: &[(usize, usize)]) -> Result<(), FixedError> {
    SPACE.with(|space| space.restore(blocks))
}

/// Nobody uses it until [`leave`]: a child made by `fork` meanwhile finds it whole.
pub fn hold() {
    SPACE.take();
}

/// See [`hold`].
pub fn leave() {
    SPACE.leave();
}

impl Space {
    fn add(&mut self, start: usize, length: usize) {
        if length > 0 {
            self.gaps.insert(start, length);
            self.by_length.insert((length, start));
        }
    }

    fn remove(&mut self, start: usize, length: usize) {
        self.gaps.remove(&start);
        self.by_length.remove(&(length, start));
    }

    /// A gap for a block, and where in it the block begins.
    fn fitting(&self, length: usize, alignment: usize) -> Option<(usize, usize, usize)> {
        let from = self.by_length.range((length, 0)..).take(TRIES);
        from.map(|&(gap, start)| (start, gap, start.next_multiple_of(alignment)))
            .find(|(start, gap, place)| place - start + length <= *gap)
    }

    fn allocate(&mut self, length: usize, alignment: usize) -> Option<usize> {
        let place = match self.fitting(length, alignment) {
            Some((start, gap, place)) => {
                self.remove(start, gap);
                self.add(start, place - start);
                self.add(place + length, start + gap - place - length);
                place
            }
            None => {
                let place = self.end.checked_next_multiple_of(alignment)?;
                let end = place.checked_add(length)?;
                self.reach(end).ok()?;
                self.add(self.end, place - self.end);
                self.end = end;
                place
            }
        };
        self.clear(place, length);
        Some(place)
    }

    /// Sets what was ever stored to.
    fn clear(&mut self, start: usize, length: usize) {
        let used = self.clean.saturating_sub(start).min(length);
        self.clean = self.clean.max(start + length);
        if used < LARGE || !give_back(start, used) {
            fill(start, used);
        }
    }

    fn release(&mut self, start: usize, length: usize) {
        let (mut first, mut end) = (start, start + length);
        if let Some((&before, &gap)) = self.gaps.range(..start).next_back()
            && before + gap == start
        {
            self.remove(before, gap);
            first = before;
        }
        if let Some(&gap) = self.gaps.get(&end) {
            self.remove(end, gap);
            end += gap;
        }
        match end == self.end {
            true => self.end = first,
            false => self.add(first, end - first),
        }
        if length >= LARGE {
            give_back(start, length);
        }
    }

    fn resize(&mut self, start: usize, before: usize, after: usize) -> bool {
        let end = start + before;
        if after <= before {
            if after < before {
                self.release(start + after, before - after);
            }
            return true;
        }
        let more = after - before;
        if end == self.end {
            let Some(new) = end.checked_add(more).filter(|new| self.reach(*new).is_ok()) else {
                return false;
            };
            self.end = new;
        } else {
            let Some(gap) = self.gaps.get(&end).copied().filter(|gap| *gap >= more) else {
                return false;
            };
            self.remove(end, gap);
            self.add(end + more, gap - more);
        }
        self.clear(end, more);
        true
    }

    /// There is memory up to an address.
    fn reach(&mut self, end: usize) -> Result<(), FixedError> {
        if end <= self.mapped {
            return Ok(());
        }
        let no_memory = FixedError::Taken(self.mapped, libc::ENOMEM);
        if end > BASE.saturating_add(SPAN) {
            return Err(no_memory);
        }
        let length = (end - self.mapped).next_multiple_of(STEP);
        map(self.mapped, length)?;
        self.mapped += length;
        Ok(())
    }

    fn restore(&mut self, blocks: &[(usize, usize)]) -> Result<(), FixedError> {
        let mut end = BASE;
        let mut gaps = Vec::new();
        for &(start, length) in blocks {
            let length = taken(length).ok_or(FixedError::Damaged)?;
            let next = start.checked_add(length).ok_or(FixedError::Damaged)?;
            if start < end || !start.is_multiple_of(GRAIN) || next > BASE.saturating_add(SPAN) {
                return Err(FixedError::Damaged);
            }
            gaps.push((end, start - end));
            end = next;
        }
        self.reach(end.max(BASE + 1))?;
        self.gaps.clear();
        self.by_length.clear();
        for (start, length) in gaps {
            self.add(start, length);
        }
        self.end = end;
        self.clean = self.clean.max(end);
        Ok(())
    }
}

/// Lets the kernel have the pages of a piece of memory; they come back as zeros, and the rest is set. False when it does not.
fn give_back(start: usize, length: usize) -> bool {
    let page = page();
    let (first, last) = (start.next_multiple_of(page), (start + length) / page * page);
    if first >= last {
        return false;
    }
    // SAFETY: pages of the fixed heap that belong to no block.
    let done = unsafe {
        libc::madvise(
            first as *mut libc::c_void,
            last - first,
            libc::MADV_DONTNEED,
        )
    };
    if done != 0 {
        return false;
    }
    fill(start, first - start);
    fill(last, start + length - last);
    true
}

fn fill(start: usize, length: usize) {
    // SAFETY: memory of the fixed heap that nobody uses.
    unsafe { std::ptr::write_bytes(start as *mut u8, 0, length) };
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;

    fn space() -> Space {
        Space {
            gaps: BTreeMap::new(),
            by_length: BTreeSet::new(),
            end: BASE,
            mapped: usize::MAX,
            // Nothing is stored by these tests, and there is no memory.
            clean: BASE,
        }
    }

    fn place(space: &mut Space, length: usize, alignment: usize) -> usize {
        space.clean = BASE;
        space.allocate(length, alignment).unwrap() - BASE
    }

    #[test]
    fn a_block_gets_the_smallest_gap_the_lowest_of_these_or_the_end() {
        let mut all = space();
        let starts: Vec<usize> = [64, 32, 32, 16, 32, 48]
            .iter()
            .map(|length| place(&mut all, *length, 16))
            .collect();
        assert_eq!(starts, [0, 64, 96, 128, 144, 176]);
        all.release(BASE + 64, 32);
        all.release(BASE + 144, 32);
        assert_eq!(place(&mut all, 32, 16), 64);
        assert_eq!(place(&mut all, 16, 16), 144);
        assert_eq!(place(&mut all, 64, 16), 224);
        assert_eq!(place(&mut all, 16, 64), 320);
        assert_eq!(place(&mut all, 32, 16), 288);
    }

    #[test]
    fn where_a_block_lies_depends_on_the_blocks_that_are_there_and_on_nothing_else() {
        let mut seed = 7u64;
        let mut next = |below: u64| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) % below
        };
        let mut all = space();
        let mut live: Vec<(usize, usize)> = Vec::new();
        for round in 0..3000 {
            if next(5) < 2 && !live.is_empty() {
                let (start, length) = live.swap_remove(next(live.len() as u64) as usize);
                all.release(start, length);
            } else {
                let length = 16 * (1 + next(40) as usize);
                let alignment = 16 << (next(8) / 5 * next(4));
                let start = BASE + place(&mut all, length, alignment);
                assert!(start.is_multiple_of(alignment));
                live.push((start, length));
            }
            if round % 50 == 0 {
                let mut sorted = live.clone();
                sorted.sort_unstable();
                assert!(sorted.windows(2).all(|two| two[0].0 + two[0].1 <= two[1].0));
                let mut other = space();
                other.restore(&sorted).unwrap();
                assert_eq!((&other.gaps, other.end), (&all.gaps, all.end));
                assert_eq!(other.by_length, all.by_length);
            }
        }
    }

    #[test]
    fn a_block_grows_and_shrinks_where_there_is_room() {
        let mut all = space();
        let start = BASE + place(&mut all, 64, 16);
        let next = BASE + place(&mut all, 64, 16);
        assert!(!all.resize(start, 64, 80));
        all.release(next, 32);
        all.clean = BASE;
        assert!(all.resize(start, 64, 80) && !all.resize(start, 80, 112));
        assert!(all.resize(start, 80, 16));
        assert_eq!(all.gaps, BTreeMap::from([(start + 16, 80)]));
    }

    #[test]
    fn blocks_that_overlap_or_lie_elsewhere_are_refused() {
        let mut all = space();
        for blocks in [
            &[(BASE, 32), (BASE + 16, 16)][..],
            &[(BASE - 16, 16)],
            &[(BASE + 8, 16)],
            &[(BASE, usize::MAX)],
            &[(BASE + SPAN, 16)],
        ] {
            assert_eq!(all.restore(blocks), Err(FixedError::Damaged), "{blocks:?}");
        }
    }

    #[test]
    fn memory_is_zero_whatever_was_there_before() {
        // It is not begun: other tests of this process get their blocks from the C library.
        for length in [1, 40, 5000, 300_000, 3_000_000] {
            let first = allocate(length, 16).unwrap();
            // SAFETY: the block from above.
            let bytes = unsafe { std::slice::from_raw_parts_mut(first as *mut u8, length) };
            assert!(bytes.iter().all(|byte| *byte == 0), "{length}");
            bytes.fill(0xa5);
            release(first, length);
            let again = allocate(length, 16).unwrap();
            // SAFETY: as above.
            let bytes = unsafe { std::slice::from_raw_parts(again as *const u8, length) };
            assert!(bytes.iter().all(|byte| *byte == 0), "{length}");
            release(again, length);
        }
    }
}
