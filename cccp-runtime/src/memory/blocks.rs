//! The blocks of allocated memory that the program has now: where each begins and how long it is.
//!
//! In: every allocation and release that the program makes through the library. Out: the length of a block, and all
//! blocks in the order of their addresses. A block that a library allocated is not in the table, and to release it is no
//! mistake. Any thread may ask at any time: the table is cut into parts with a lock each, so that threads seldom meet.
//!
//! Those that the program had before a run began (`begin`) have numbers, in the order in which they were allocated: as the
//! program does the same up to there in every start, a number means the same block in every one of them.
//!
//! Blocks of the fixed heap are not in the table: that knows them itself, and is asked.
//!
//! An entry is taken out before its memory is given back, and put in after it was got: nobody else can have the address
//! in between. Not here: allocating (`ffi`), what the blocks hold (`follow`).

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::fixed;
use super::guarded::Guarded;
use super::past;
use super::table::{Part, spread};

/// A power of two.
const PARTS: usize = 128;
/// Memory of a region is in the same part. The C library gives threads memory of their own, so they seldom meet.
const REGION: u32 = past::REGION;

static TABLE: [Guarded<Part>; PARTS] = [const { Guarded::new(Part::new()) }; PARTS];

/// The run has begun.
static BEGUN: AtomicBool = AtomicBool::new(false);
/// How many blocks were allocated before.
static EARLY: AtomicU64 = AtomicU64::new(0);

/// The blocks from before the run began, as they were when somebody asked last. From the beginning of the run on there are
/// only ever fewer.
static LIST: Mutex<Early> = Mutex::new(Early {
    blocks: Vec::new(),
    gone: 0,
    is_listed: false,
});
/// While it is set, released blocks are noted in [`RELEASED`].
static WATCHING: AtomicBool = AtomicBool::new(false);
static RELEASED: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn part(address: usize) -> &'static Guarded<Part> {
    &TABLE[(spread(address >> REGION << 4) >> 24) % PARTS]
}

/// The program got a block, not of the fixed heap.
pub fn got(address: usize, length: usize) {
    if address == 0 {
        return;
    }
    let number = match BEGUN.load(Ordering::Relaxed) {
        true => 0,
        false => EARLY.fetch_add(1, Ordering::Relaxed) + 1,
    };
    part(address).with(|part| part.insert(address, length, number));
}

/// The run begins: blocks from now on are its own.
pub fn begin() {
    BEGUN.store(true, Ordering::Relaxed);
}

/// How many blocks were allocated before the run began.
pub fn early_count() -> u64 {
    EARLY.load(Ordering::Relaxed)
}

/// The number of the block that begins here, when it is from before the run began.
pub fn early(address: usize) -> Option<u64> {
    if early_count() == 0 {
        return None;
    }
    part(address).with(|part| part.number(address))
}

/// The blocks from before the run began that are still there, by their addresses.
#[derive(Debug, Default)]
pub struct Early {
    /// Where each begins, how long it is, and its number; 0 when it has gone.
    blocks: Vec<(usize, usize, u64)>,
    gone: usize,
    /// It was made in the run, and only what goes has to be taken out.
    is_listed: bool,
}

impl Early {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.blocks.len() == self.gone
    }

    /// All of them: where each begins, how long it is, and its number.
    pub fn all(&self) -> impl Iterator<Item = (usize, usize, u64)> + '_ {
        self.blocks.iter().copied().filter(|one| one.2 > 0)
    }

    /// The one that an address lies in, or ends.
    pub fn around(&self, address: usize) -> Option<(usize, usize, u64)> {
        let at = self.blocks.partition_point(|block| block.0 <= address);
        let found = self.blocks[..at].last()?;
        (found.2 > 0 && address - found.0 <= found.1).then_some(*found)
    }

    fn of_now() -> Early {
        let mut blocks = Vec::new();
        for part in &TABLE {
            part.with(|part| blocks.extend(part.list()));
        }
        blocks.sort_unstable();
        Early {
            blocks,
            ..Early::default()
        }
    }

    fn forget(&mut self, address: usize) {
        let Ok(at) = self.blocks.binary_search_by_key(&address, |one| one.0) else {
            return;
        };
        self.gone += usize::from(self.blocks[at].2 > 0);
        self.blocks[at].2 = 0;
        if self.gone * 2 > self.blocks.len() {
            self.blocks.retain(|one| one.2 > 0);
            self.gone = 0;
        }
    }
}

/// Looks at the blocks from before the run began that are still there. They are listed once; what has gone since then is
/// taken out, so that a checkpoint costs what has changed.
pub fn with_early<T>(look: impl FnOnce(&Early) -> T) -> T {
    if early_count() == 0 {
        return look(&Early::default());
    }
    let mut list = lock(&LIST);
    if !BEGUN.load(Ordering::Relaxed) {
        return look(&Early::of_now());
    }
    if list.is_listed {
        for part in &TABLE {
            let gone = part.with(Part::gone);
            gone.into_iter().for_each(|one| list.forget(one));
        }
    } else {
        *list = Early::of_now();
        list.is_listed = true;
    }
    look(&list)
}

/// The program is about to give back a block, not of the fixed heap: its length, if it is one of ours.
pub fn gone(address: usize) -> Option<usize> {
    let length = part(address).with(|part| {
        let length = part.remove(address)?;
        let first = past::pieces(address, length).next();
        first.into_iter().for_each(|piece| part.past.add(piece));
        Some(length)
    })?;
    for piece in past::pieces(address, length).skip(1) {
        part(piece.0 << REGION).with(|part| part.past.add(piece));
    }
    if WATCHING.load(Ordering::Relaxed) {
        lock(&RELEASED).push(address);
    }
    Some(length)
}

/// Whether a block that is gone lay here, or ended here: nothing is forgotten, whatever is here now.
pub fn was_released(address: usize) -> bool {
    match fixed::holds(address) {
        true => fixed::around(address).is_none(),
        false => part(address).with(|part| part.past.has(address)),
    }
}

/// The blocks that are there, by their addresses. The threads of the program stand still.
#[derive(Debug)]
pub struct Present(Vec<(usize, usize)>);

impl Present {
    /// As they are now.
    pub fn now() -> Present {
        Present(all())
    }

    /// Whether an address lies in one of them.
    pub fn holds(&self, address: usize) -> bool {
        self.has_any(address, 1)
    }

    /// Whether one of them lies in this memory, at least in parts.
    pub fn has_any(&self, start: usize, length: usize) -> bool {
        let before = |one: &(usize, usize)| one.0 < start.saturating_add(length);
        let last = self.0[..self.0.partition_point(before)].last();
        last.is_some_and(|one| one.0.saturating_add(one.1) > start)
    }

    /// Whether one of them lies there without holding all of this memory.
    pub fn cuts(&self, start: usize, length: usize) -> bool {
        let before = self.0[..self.0.partition_point(|one| one.0 <= start)].last();
        let holds =
            |one: &(usize, usize)| one.0.saturating_add(one.1) >= start.saturating_add(length);
        self.has_any(start, length) && !before.is_some_and(holds)
    }
}

/// Nobody uses the table until [`release`]: a child made by `fork` meanwhile finds it whole.
pub fn hold() {
    TABLE.iter().for_each(Guarded::take);
}

/// See [`hold`].
pub fn release() {
    TABLE.iter().for_each(Guarded::leave);
}

/// The program says what the block holds that begins here: elements of a type, by its descriptor.
pub fn say(address: usize, descriptor: usize) {
    // With a fixed heap nobody asks.
    if address != 0 && !fixed::is_on() {
        part(address).with(|part| part.say(address, descriptor));
    }
}

/// What the program has said about the block that begins here.
pub fn said(address: usize) -> Option<usize> {
    part(address).with(|part| part.said(address))
}

/// The length of the block that begins here.
pub fn length(address: usize) -> Option<usize> {
    if fixed::holds(address) {
        return fixed::length(address);
    }
    part(address).with(|part| part.get(address))
}

/// The lengths of all blocks together.
pub fn bytes() -> u64 {
    let parts = TABLE
        .iter()
        .map(|part| part.with(|part| part.bytes() as u64));
    let own = match fixed::is_on() {
        true => fixed::bytes() as u64,
        false => 0,
    };
    parts.sum::<u64>() + own
}

/// All blocks, by their addresses.
pub fn all() -> Vec<(usize, usize)> {
    let mut blocks = match fixed::is_on() {
        true => fixed::blocks(),
        false => Vec::new(),
    };
    for part in &TABLE {
        part.with(|part| blocks.extend(part.all()));
    }
    blocks.sort_unstable();
    blocks
}

/// From now on released blocks are noted; forgets what was noted before.
pub fn watch(watching: bool) {
    WATCHING.store(watching, Ordering::Relaxed);
    lock(&RELEASED).clear();
}

/// What was released since [`watch`].
pub fn released() -> Vec<usize> {
    lock(&RELEASED).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_known_from_its_allocation_to_its_release() {
        assert!(!was_released(0x7000_1000));
        got(0x7000_1000, 40);
        assert!(!was_released(0x7000_1000));
        got(0x7000_1040, 0);
        assert_eq!(length(0x7000_1000), Some(40));
        assert_eq!(length(0x7000_1008), None);
        let blocks = all();
        let at = blocks.binary_search(&(0x7000_1000, 40)).unwrap();
        assert_eq!(blocks[at + 1], (0x7000_1040, 0));
        assert!(Present::now().holds(0x7000_1027) && !Present::now().holds(0x7000_1028));
        assert_eq!(gone(0x7000_1000), Some(40));
        assert!(!Present::now().holds(0x7000_1008));
        assert!(was_released(0x7000_1028) && !was_released(0x7000_1030));
        got(0x7000_1010, 8);
        let present = Present::now();
        assert!(present.has_any(0x7000_1000, 0x20) && !present.has_any(0x7000_1000, 0x10));
        assert!(!present.has_any(0x7000_1018, 0x20));
        assert!(present.cuts(0x7000_1000, 0x20) && present.cuts(0x7000_1014, 8));
        assert!(!present.cuts(0x7000_1014, 4));
        assert_eq!(gone(0x7000_1010), Some(8));
        assert!(was_released(0x7000_1000) && !was_released(0x7000_1040));
        assert_eq!(gone(0x7000_1000), None);
        assert_eq!(gone(0x7000_1040), Some(0));
        got(0, 5);
        assert_eq!((gone(0), length(0)), (None, None));
    }

    #[test]
    fn what_a_block_holds_is_known_until_its_release() {
        say(0x7000_2000, 1);
        assert_eq!(said(0x7000_2000), None);
        got(0x7000_2000, 24);
        say(0x7000_2000, 7);
        assert_eq!(
            (said(0x7000_2000), length(0x7000_2000)),
            (Some(7), Some(24))
        );
        assert_eq!(gone(0x7000_2000), Some(24));
        got(0x7000_2000, 8);
        assert_eq!(said(0x7000_2000), None);
        assert_eq!(gone(0x7000_2000), Some(8));
    }

    #[test]
    fn blocks_from_before_the_run_are_listed_until_they_are_gone() {
        let at = |one: usize| 0x7100_0000 + one * 32;
        let listed = || -> Vec<usize> {
            with_early(|early| {
                let own = early.all().map(|one| one.0);
                own.filter(|one| (at(0)..=at(9)).contains(one)).collect()
            })
        };
        (0..4).for_each(|one| got(at(3 - one), 20 + one));
        assert_eq!(listed(), [at(0), at(1), at(2), at(3)]);
        begin();
        assert_eq!(listed(), [at(0), at(1), at(2), at(3)]);
        assert_eq!(length(at(2)), Some(21));
        assert_eq!(early(at(2)), early(at(3)).map(|first| first + 1));
        // Its address is given to a block of the run.
        assert_eq!(gone(at(2)), Some(21));
        got(at(2), 50);
        got(at(9), 7);
        assert_eq!((early(at(2)), length(at(2))), (None, Some(50)));
        assert_eq!(listed(), [at(0), at(1), at(3)]);
        with_early(|early| {
            let around = |address| early.around(address).map(|one| one.0);
            assert_eq!(around(at(1) + 22), Some(at(1)));
            assert_eq!((around(at(1) + 23), around(at(2))), (None, None));
        });
        (0..4)
            .chain([9])
            .for_each(|one| assert!(gone(at(one)).is_some()));
        assert!(listed().is_empty());
    }

    #[test]
    fn threads_have_their_blocks_side_by_side() {
        std::thread::scope(|scope| {
            for thread in 0..8usize {
                scope.spawn(move || {
                    for block in 0..10_000usize {
                        got((thread << 32) + (block << 4) + 16, block);
                    }
                    for block in 0..10_000usize {
                        assert_eq!(gone((thread << 32) + (block << 4) + 16), Some(block));
                    }
                });
            }
        });
    }
}
