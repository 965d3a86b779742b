//! The fixed heap: allocated memory that lies at the same addresses in every process of the program.
//!
//! A program that asks for it (`init … heap(fixed)`) gets all its blocks from here. A checkpoint holds every block that is
//! there, byte for byte, and a restart puts each one back to its address: pointers in unions, among bytes, in structs that
//! the program carves from memory of its own, and numbers that were computed from addresses mean the same again. This is
//! how C3 (Bronevetsky et al. 2003, section 5) and Charm++'s isomalloc move the state of a process. It needs the same build of the program, on
//! the same kind of machine.
//!
//! Which place a block gets depends on nothing but what a checkpoint holds: the blocks that are there, and [`state`]. Small ones
//! lie in [`slabs`], the others in [`gaps`] between blocks. So a restarted program gets the same places as an undisturbed one. Each
//! thread has small blocks of its own, so threads that allocate at the same time do not change each other's places, as long as none
//! gives back what another one has allocated, and the large blocks come from one of them.
//!
//! A new block is zero. Not here: which blocks there are ([`blocks`](super::blocks)), and the functions that the program
//! calls (`ffi::heap`).

use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::gaps::{self, Gaps};
use super::guarded::Guarded;
use super::holders;
use super::openmp::number_of;
use super::signals::is_first_thread;
use super::slabs::{self, PARTS};

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

/// So many bytes before it nobody else has anything.
const AHEAD: usize = BASE / 2;

/// It never grows beyond so many bytes.
pub(super) const SPAN: usize = match (
    cfg!(target_pointer_width = "64"),
    cfg!(target_arch = "x86_64"),
) {
    (false, _) => 0,
    (true, false) => 1u64 << 37,
    (true, true) => 1 << 40,
} as usize;

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

static LARGE: Guarded<Gaps> = Guarded::new(Gaps::new());
static IS_ON: AtomicBool = AtomicBool::new(false);

/// From now on the program's blocks come from here.
pub fn begin() -> Result<(), FixedError> {
    if SPAN == 0 {
        return Err(FixedError::Narrow);
    }
    slabs::begin(0)?;
    LARGE.with(|large| large.reach(gaps::START + 1))?;
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
    const STEP: usize = 1 << 26;
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

/// Whether an address means the same in every process because it belongs to the fixed heap, or was computed from one that does:
/// `malloc(n) - 1` of the first block lies before all of them. Nothing else is there: programs and what grows behind them lie lower.
pub fn is_near(address: usize) -> bool {
    address.wrapping_sub(BASE - AHEAD) < SPAN.saturating_add(AHEAD) && is_on()
}

/// Its addresses, now and later, and those of the command line.
pub fn addresses() -> std::ops::Range<usize> {
    BASE.saturating_sub(WORDS)..BASE.saturating_add(SPAN)
}

/// New memory at an address that nobody has.
pub(super) fn map(address: usize, length: usize) -> Result<(), FixedError> {
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

/// New memory, all zero, for what is known of so many slabs.
pub(super) fn records<T>(count: usize) -> Result<&'static mut [T], FixedError> {
    let length = count * size_of::<T>();
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let readable = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: asks for new memory, which is never given back. Its users are numbers, for which zeros are a value.
    unsafe {
        let found = libc::mmap(std::ptr::null_mut(), length, readable, flags, -1, 0);
        match found == libc::MAP_FAILED {
            true => Err(FixedError::Taken(0, libc::ENOMEM)),
            false => Ok(std::slice::from_raw_parts_mut(found.cast(), count)),
        }
    }
}

/// Which thread this is, for [`part`]: 0 the one that `main` runs in, others from 1 on; by the number in its team of OpenMP where it has
/// one, so that it is the same in another process.
fn thread() -> usize {
    const UNKNOWN: usize = usize::MAX;
    thread_local!(static NUMBER: Cell<usize> = const { Cell::new(UNKNOWN) });
    static OTHERS: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.get();
    if number != UNKNOWN {
        return number;
    }
    let in_team = || number_of(c"omp_get_thread_num").map_or(0, |number| number());
    let number = match (is_first_thread(), usize::try_from(in_team())) {
        (true, _) => 0,
        (false, Ok(number)) if number > 0 => number,
        _ => OTHERS.fetch_add(1, Ordering::Relaxed) + 1,
    };
    NUMBER.set(number);
    number
}

/// The part of the heap that this thread allocates from.
#[inline]
fn part() -> usize {
    match thread() {
        0 => 0,
        other => 1 + (other - 1) % (PARTS - 1),
    }
}

/// A new block, all zero; none when there is no memory. One of no bytes has one, so that pointers point to it. `alignment` is a power of
/// two.
pub fn allocate(length: usize, alignment: usize) -> Option<usize> {
    let length = length.max(1);
    slabs::allocate(part(), length, alignment)
        .or_else(|| LARGE.with(|large| large.allocate(length, alignment)))
}

/// A block has no more bytes than so many from here on: what lay behind them is no lock any more.
fn ends(address: usize, kept: usize) {
    if holders::are_made()
        && let Some(before) = length(address)
        && kept < before
    {
        holders::forget(address + kept..address + before);
    }
}

/// Gives back a block: how long it was. None when there is none.
pub fn release(address: usize) -> Option<usize> {
    ends(address, 0);
    match address < gaps::START {
        true => slabs::release(address),
        false => LARGE.with(|large| large.release(address)),
    }
}

/// Makes a block shorter or longer where it is, with zeros behind; false when it has to move.
pub fn resize(address: usize, length: usize) -> bool {
    ends(address, length);
    match address < gaps::START {
        true => slabs::resize(address, length.max(1)),
        false => LARGE.with(|large| large.resize(address, length.max(1))),
    }
}

/// The length of the block that begins here.
pub fn length(address: usize) -> Option<usize> {
    match address < gaps::START {
        true => slabs::length(address),
        false => LARGE.with(|large| large.length(address)),
    }
}

/// The block in which an address lies: where it begins, and how long it is.
pub fn around(address: usize) -> Option<(usize, usize)> {
    match address < gaps::START {
        true => slabs::around(address),
        false => LARGE.with(|large| large.around(address)),
    }
}

/// All blocks, by their addresses.
pub fn blocks() -> Vec<(usize, usize)> {
    let mut all = slabs::blocks();
    LARGE.with(|large| all.extend(large.blocks()));
    all
}

/// The program says that no address ever lies in the block that begins here, until it is given back or gets another length.
pub fn say_bytes(address: usize) {
    if !holds(address) {
        return;
    }
    match address < gaps::START {
        true => slabs::say_bytes(address),
        false => LARGE.with(|large| large.say_bytes(address)),
    }
}

/// The blocks of which that is said, by their addresses.
pub fn byte_blocks() -> Vec<usize> {
    let mut all = slabs::byte_blocks();
    LARGE.with(|large| all.extend(large.byte_blocks()));
    all
}

/// The lengths of all blocks together.
pub fn bytes() -> usize {
    slabs::bytes() + LARGE.with(|large| large.bytes())
}

/// What decides, beside the blocks that are there, where the next ones will lie: numbers for [`restore`].
pub fn state() -> Vec<u64> {
    slabs::state()
}

/// From now on these blocks are there, by their addresses, and no others, and new ones will lie where they would have lain when the state
/// was told; what they hold is still to come, and nothing is said of it.
pub fn restore(blocks: &[(usize, usize)], state: &[u64]) -> Result<(), FixedError> {
    let is_inside = |one: &(usize, usize)| one.0 >= BASE && one.1 > 0;
    if !blocks.iter().all(is_inside) {
        return Err(FixedError::Damaged);
    }
    let large = blocks.partition_point(|one| one.0 < gaps::START);
    slabs::restore(&blocks[..large], state)?;
    LARGE.with(|all| all.restore(&blocks[large..]))
}

/// Nobody uses it until [`leave`]: a child made by `fork` meanwhile finds it whole.
pub fn hold() {
    slabs::hold();
    LARGE.take();
}

/// See [`hold`].
pub fn leave() {
    LARGE.leave();
    slabs::leave();
}

/// Lets the kernel have the pages of a piece of memory; they come back as zeros, and the rest is set. False when it does not.
pub(super) fn give_back(start: usize, length: usize) -> bool {
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

#[inline]
pub(super) fn fill(start: usize, length: usize) {
    // SAFETY: memory of the fixed heap that nobody uses.
    unsafe { std::ptr::write_bytes(start as *mut u8, 0, length) };
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use super::*;

    /// The heap is one for all tests; it is not begun: others of this process get their blocks from the C library.
    fn alone() -> MutexGuard<'static, ()> {
        static ONE: Mutex<()> = Mutex::new(());
        let guard = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        blocks()
            .into_iter()
            .for_each(|one| assert!(release(one.0).is_some()));
        guard
    }

    fn bytes_of(address: usize, length: usize) -> &'static mut [u8] {
        // SAFETY: the tests ask for blocks that they have.
        unsafe { std::slice::from_raw_parts_mut(address as *mut u8, length) }
    }

    struct Random(u64);

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (self.0 >> 33) as usize % end
        }
    }

    /// Blocks come, go and change their lengths; gives all places on the way.
    fn use_it(random: &mut Random, live: &mut Vec<(usize, usize)>, rounds: usize) -> Vec<usize> {
        let mut places = Vec::new();
        for _ in 0..rounds {
            let longest = match random.below(20) {
                0 => 300_000,
                1..4 => 20_000,
                _ => 700,
            };
            let length = 1 + random.below(longest);
            match random.below(10) {
                0..4 if !live.is_empty() => {
                    let (start, length) = live.swap_remove(random.below(live.len()));
                    assert_eq!(release(start), Some(length));
                    assert_eq!(release(start), None);
                }
                4 if !live.is_empty() => {
                    let at = random.below(live.len());
                    let (start, before) = live[at];
                    if resize(start, length) {
                        assert!(
                            bytes_of(start, length)
                                .iter()
                                .skip(before)
                                .all(|byte| *byte == 0)
                        );
                        bytes_of(start, length).fill(0x5a);
                        live[at].1 = length;
                    }
                }
                _ => {
                    let alignment = 16 << (random.below(8) / 6 * random.below(10));
                    let start = allocate(length, alignment).unwrap();
                    assert!(start.is_multiple_of(alignment));
                    assert!(bytes_of(start, length).iter().all(|byte| *byte == 0));
                    bytes_of(start, length).fill(0x5a);
                    live.push((start, length));
                    places.push(start);
                }
            }
        }
        places
    }

    #[test]
    fn s63_where_a_block_lies_depends_on_what_a_checkpoint_holds_and_on_nothing_else() {
        let _alone = alone();
        let (mut random, mut live) = (Random(7), Vec::new());
        for _ in 0..8 {
            use_it(&mut random, &mut live, 3000);
            let (saved, decides) = (blocks(), state());
            let mut sorted = live.clone();
            sorted.sort_unstable();
            assert_eq!(saved, sorted);
            assert_eq!(bytes(), saved.iter().map(|one| one.1).sum::<usize>());
            assert!(saved.windows(2).all(|two| two[0].0 + two[0].1 <= two[1].0));
            let seed = random.0;
            let mut first_live = live.clone();
            let first = use_it(&mut random, &mut first_live, 3000);
            // Another process has had other blocks.
            use_it(&mut Random(99), &mut first_live, 2000);
            restore(&saved, &decides).unwrap();
            assert_eq!((blocks(), state()), (saved, decides));
            random = Random(seed);
            assert_eq!(use_it(&mut random, &mut live, 3000), first);
        }
    }

    #[test]
    fn s63_blocks_that_were_not_there_stay_where_they_are_beside_those_that_come_back() {
        let _alone = alone();
        let first = allocate(40, 16).unwrap();
        let (saved, decides) = (blocks(), state());
        assert_eq!(release(first), Some(40));
        let others: Vec<usize> = [40, 3000, 90_000]
            .map(|length| allocate(length, 16).unwrap())
            .to_vec();
        assert_eq!(others[0], first);
        let both = |length| {
            let mut all = blocks();
            all.retain(|one| one.0 != first);
            all.insert(0, (first, length));
            all
        };
        assert_eq!(restore(&both(40), &decides), Ok(()));
        assert_eq!(blocks().len(), saved.len() + 2);
        let mut twice = saved.clone();
        twice.push(saved[0]);
        for damaged in [
            vec![(first + 8, 8)],
            both(300),
            twice,
            vec![(BASE + SPAN / 8, 16)],
            vec![(first, 0)],
        ] {
            assert_eq!(
                restore(&damaged, &decides),
                Err(FixedError::Damaged),
                "{damaged:?}"
            );
        }
        assert_eq!(restore(&[], &[u64::MAX]), Err(FixedError::Damaged));
        assert_eq!(restore(&[], &[]), Ok(()));
    }

    #[test]
    fn s63_a_thread_gets_the_same_places_whatever_others_allocate_meanwhile() {
        let _alone = alone();
        let script = |part: usize| {
            let mut live = Vec::new();
            let mut random = Random(part as u64);
            let mut places = Vec::new();
            for _ in 0..20_000 {
                if random.below(2) == 0 && !live.is_empty() {
                    slabs::release(live.swap_remove(random.below(live.len()))).unwrap();
                } else {
                    live.push(slabs::allocate(part, 1 + random.below(2000), 16).unwrap());
                    places.push(live[live.len() - 1]);
                }
            }
            live.into_iter()
                .for_each(|one| assert!(slabs::release(one).is_some()));
            places
        };
        let undisturbed = [script(5), script(6)];
        let together = std::thread::scope(|scope| {
            [5, 6]
                .map(|part| scope.spawn(move || script(part)))
                .map(|one| one.join().unwrap())
        });
        assert_eq!(together, undisturbed);
    }

    #[test]
    fn what_is_inside_of_a_block_is_found_and_is_none_itself() {
        let _alone = alone();
        for length in [1, 100, 513, 5000, 100_000, 1_000_000] {
            let block = allocate(length, 16).unwrap();
            assert_eq!(around(block + length - 1), Some((block, length)));
            assert_eq!(
                (around(block + length), self::length(block)),
                (None, Some(length))
            );
            if length > 16 {
                assert_eq!(
                    (self::length(block + 16), release(block + 16)),
                    (None, None)
                );
            }
            assert!(!resize(block + 1, 1));
            assert_eq!(release(block), Some(length));
            assert_eq!(
                (around(block), release(block), resize(block, 1)),
                (None, None, false)
            );
        }
    }

    #[test]
    fn s63_what_is_said_of_a_block_ends_with_it_and_with_its_length() {
        let _alone = alone();
        for length in [40, 5000, 1_000_000] {
            let block = allocate(length, 16).unwrap();
            let other = allocate(length, 16).unwrap();
            let say = |address| match address < gaps::START {
                true => slabs::say_bytes(address),
                false => LARGE.with(|large| large.say_bytes(address)),
            };
            say(block);
            say(other + 16);
            assert_eq!(byte_blocks(), [block]);
            let (saved, decides) = (blocks(), state());
            assert!(resize(block, length - 8));
            assert_eq!(byte_blocks(), [0; 0]);
            say(block);
            assert!(release(block).is_some());
            assert_eq!(byte_blocks(), [0; 0]);
            assert_eq!(allocate(length, 16), Some(block));
            assert_eq!(byte_blocks(), [0; 0]);
            say(block);
            restore(&saved, &decides).unwrap();
            assert_eq!(byte_blocks(), [0; 0]);
            assert!(release(block).and(release(other)).is_some());
        }
    }

    #[test]
    fn memory_that_nobody_uses_goes_back_to_the_kernel() {
        let _alone = alone();
        let resident = |blocks: &[usize], length: usize| {
            let there = |block: &&usize| {
                let mut byte = 0u8;
                // In the middle of it.
                let place = ((**block + length / 2) / 4096 * 4096) as *mut libc::c_void;
                // SAFETY: asks about one page.
                unsafe { libc::mincore(place, 1, &mut byte) == 0 && byte & 1 == 1 }
            };
            blocks.iter().filter(there).count()
        };
        for (length, count) in [(4000, 16_000), (60_000, 1000), (400_000, 100)] {
            let all: Vec<usize> = (0..count).map(|_| allocate(length, 16).unwrap()).collect();
            all.iter().for_each(|&one| bytes_of(one, length).fill(1));
            assert_eq!(resident(&all, length), count);
            all.iter().for_each(|&one| assert!(release(one).is_some()));
            assert!(resident(&all, length) < count / 2, "{length}");
            let again = allocate(length, 16).unwrap();
            assert!(bytes_of(again, length).iter().all(|byte| *byte == 0));
        }
    }
}
