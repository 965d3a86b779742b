//! The blocks of allocated memory that the program has now: where each begins and how long it is.
//!
//! In: every allocation and release that the program makes through the library. Out: the length of a block, and all
//! blocks in the order of their addresses. A block that a library allocated is not in the table, and to release it is no
//! mistake. Any thread may ask at any time: the table is cut into parts with a lock each, so that threads seldom meet.
//!
//! Those that the program had before a run began (`begin`) have numbers, in the order in which they were allocated: as the
//! program does the same up to there in every start, a number means the same block in every one of them.
//!
//! An entry is taken out before its memory is given back, and put in after it was got: nobody else can have the address
//! in between. Not here: allocating (`ffi`), what the blocks hold (`follow`).

use std::cell::UnsafeCell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A power of two.
const PARTS: usize = 128;

/// Set in the length of a block from before the run began. No block is so long.
const FROM_BEFORE: usize = 1 << (usize::BITS - 1);

/// Set in the length of a block of which the program has said what it holds.
const SAID: usize = 1 << (usize::BITS - 2);

/// A hash table with open addressing: addresses and lengths, an address of 0 is a free place. Its memory is found from
/// its beginning, so that checkers of memory see that it is in use.
struct Part {
    places: Vec<(usize, usize)>,
    used: usize,
    /// The numbers of blocks from before the run began.
    early: BTreeMap<usize, u64>,
    /// What blocks hold of which the program has said it: a descriptor.
    said: BTreeMap<usize, usize>,
}

/// Addresses are multiples of 16 that lie close together: one multiplication spreads them.
fn spread(address: usize) -> usize {
    let product = (address as u64 >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product >> 32) as usize
}

impl Part {
    /// The place of an address, or the free place where it belongs. The table is not full.
    fn find(&self, address: usize) -> usize {
        let last = self.places.len() - 1;
        let mut at = spread(address) & last;
        while self.places[at].0 != address && self.places[at].0 != 0 {
            at = (at + 1) & last;
        }
        at
    }

    fn get(&self, address: usize) -> Option<usize> {
        if self.places.is_empty() || address == 0 {
            return None;
        }
        let (found, length) = self.places[self.find(address)];
        (found == address).then_some(length & !(FROM_BEFORE | SAID))
    }

    /// The number of a block from before the run began.
    fn number(&self, address: usize) -> Option<u64> {
        if self.early.is_empty() || address == 0 {
            return None;
        }
        let (found, length) = self.places[self.find(address)];
        if found != address || length & FROM_BEFORE == 0 {
            return None;
        }
        self.early.get(&address).copied()
    }

    fn say(&mut self, address: usize, descriptor: usize) {
        if self.get(address).is_some() {
            let at = self.find(address);
            self.places[at].1 |= SAID;
            self.said.insert(address, descriptor);
        }
    }

    /// `number` is 0 for a block of the run.
    fn insert(&mut self, address: usize, length: usize, number: u64) {
        if (self.used + 1) * 2 > self.places.len() {
            let larger = (self.places.len() * 2).max(16);
            let old = std::mem::replace(&mut self.places, vec![(0, 0); larger]);
            for one in old.into_iter().filter(|one| one.0 != 0) {
                let at = self.find(one.0);
                self.places[at] = one;
            }
        }
        let at = self.find(address);
        self.used += usize::from(self.places[at].0 == 0);
        self.places[at] = match number {
            0 => (address, length),
            _ => (address, length | FROM_BEFORE),
        };
        if number > 0 {
            self.early.insert(address, number);
        }
    }

    fn remove(&mut self, address: usize) -> Option<usize> {
        if self.places.is_empty() || address == 0 {
            return None;
        }
        let last = self.places.len() - 1;
        let mut free = self.find(address);
        let (found, length) = self.places[free];
        if found != address {
            return None;
        }
        if length & FROM_BEFORE != 0 {
            self.early.remove(&address);
            FEWER.store(true, Ordering::Release);
        }
        if length & SAID != 0 {
            self.said.remove(&address);
        }
        let mut at = free;
        // Whoever was turned away by the place that becomes free moves up.
        loop {
            at = (at + 1) & last;
            let other = self.places[at].0;
            if other == 0 {
                break;
            }
            let wanted = spread(other) & last;
            if at.wrapping_sub(wanted) & last >= at.wrapping_sub(free) & last {
                self.places[free] = self.places[at];
                free = at;
            }
        }
        self.places[free] = (0, 0);
        self.used -= 1;
        Some(length & !(FROM_BEFORE | SAID))
    }
}

/// A part that one thread at a time may use. It is held for some ten instructions, so waiting is cheaper than sleeping.
struct Guarded {
    busy: AtomicBool,
    part: UnsafeCell<Part>,
}

// SAFETY: `with` lets one thread at a time have the part.
unsafe impl Sync for Guarded {}

impl Guarded {
    fn take(&self) {
        let mut tries = 0u32;
        while self.busy.swap(true, Ordering::Acquire) {
            tries += 1;
            match tries % 64 {
                0 => std::thread::yield_now(),
                _ => std::hint::spin_loop(),
            }
        }
    }

    fn with<T>(&self, work: impl FnOnce(&mut Part) -> T) -> T {
        self.take();
        // SAFETY: nobody else has it until `busy` is false again. The work does not come back here.
        let result = work(unsafe { &mut *self.part.get() });
        self.busy.store(false, Ordering::Release);
        result
    }
}

static TABLE: [Guarded; PARTS] = [const {
    Guarded {
        busy: AtomicBool::new(false),
        part: UnsafeCell::new(Part {
            places: Vec::new(),
            used: 0,
            early: BTreeMap::new(),
            said: BTreeMap::new(),
        }),
    }
}; PARTS];

/// The run has begun.
static BEGUN: AtomicBool = AtomicBool::new(false);
/// How many blocks were allocated before.
static EARLY: AtomicU64 = AtomicU64::new(0);

/// Blocks from before the run began, by their addresses: with lengths and numbers.
type EarlyBlocks = Arc<Vec<(usize, usize, u64)>>;
/// Those that were there when somebody asked last. From the beginning of the run on there are only ever fewer.
static ALL_EARLY: Mutex<Option<EarlyBlocks>> = Mutex::new(None);
/// Some have gone since then.
static FEWER: AtomicBool = AtomicBool::new(false);

/// While it is set, released blocks are noted in [`RELEASED`].
static WATCHING: AtomicBool = AtomicBool::new(false);
static RELEASED: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// Where released blocks began: the last ones, each at a place of its own or of another that it replaces.
static FREED: [AtomicUsize; 4096] = [const { AtomicUsize::new(0) }; 4096];

fn freed_at(address: usize) -> &'static AtomicUsize {
    &FREED[spread(address) % FREED.len()]
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn part(address: usize) -> &'static Guarded {
    &TABLE[(spread(address) >> 24) % PARTS]
}

/// The program got a block.
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

/// The blocks from before the run began that are still there.
pub fn all_early() -> EarlyBlocks {
    if !BEGUN.load(Ordering::Relaxed) {
        return Arc::new(sorted_early());
    }
    let mut known = lock(&ALL_EARLY);
    let fewer = FEWER.swap(false, Ordering::Acquire);
    let found = match known.take() {
        Some(same) if !fewer => same,
        Some(before) => {
            let mut found = Arc::unwrap_or_clone(before);
            found.retain(|&(at, _, number)| early(at) == Some(number));
            Arc::new(found)
        }
        None => Arc::new(sorted_early()),
    };
    *known = Some(Arc::clone(&found));
    found
}

fn sorted_early() -> Vec<(usize, usize, u64)> {
    let mut found = Vec::new();
    if early_count() == 0 {
        return found;
    }
    for part in &TABLE {
        part.with(|part| {
            let blocks = part.early.iter();
            found.extend(blocks.filter_map(|(&at, &number)| Some((at, part.get(at)?, number))));
        });
    }
    found.sort_unstable();
    found
}

/// The program is about to give back a block: its length, if it is one of ours.
pub fn gone(address: usize) -> Option<usize> {
    let length = part(address).with(|part| part.remove(address))?;
    freed_at(address).store(address, Ordering::Relaxed);
    if WATCHING.load(Ordering::Relaxed) {
        lock(&RELEASED).push(address);
    }
    Some(length)
}

/// Whether a block that is gone began here. When that has been forgotten: no.
pub fn was_freed(address: usize) -> bool {
    freed_at(address).load(Ordering::Relaxed) == address && length(address).is_none()
}

/// Nobody uses the table until [`release`]: a child made by `fork` meanwhile finds it whole.
pub fn hold() {
    TABLE.iter().for_each(Guarded::take);
}

/// See [`hold`].
pub fn release() {
    for part in &TABLE {
        part.busy.store(false, Ordering::Release);
    }
}

/// The program says what the block holds that begins here: elements of a type, by its descriptor.
pub fn say(address: usize, descriptor: usize) {
    if address != 0 {
        part(address).with(|part| part.say(address, descriptor));
    }
}

/// What the program has said about the block that begins here.
pub fn said(address: usize) -> Option<usize> {
    part(address).with(|part| match part.said.is_empty() {
        true => None,
        false => part.said.get(&address).copied(),
    })
}

/// The length of the block that begins here.
pub fn length(address: usize) -> Option<usize> {
    part(address).with(|part| part.get(address))
}

/// All blocks, by their addresses.
pub fn all() -> Vec<(usize, usize)> {
    let mut blocks = Vec::new();
    for part in &TABLE {
        part.with(|part| {
            let places = part.places.iter().filter(|one| one.0 != 0);
            blocks.extend(places.map(|(at, length)| (*at, length & !(FROM_BEFORE | SAID))));
        });
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
        assert!(!was_freed(0x7000_1000));
        got(0x7000_1000, 40);
        assert!(!was_freed(0x7000_1000));
        got(0x7000_1040, 0);
        assert_eq!(length(0x7000_1000), Some(40));
        assert_eq!(length(0x7000_1008), None);
        let all = all();
        let at = all.binary_search(&(0x7000_1000, 40)).unwrap();
        assert_eq!(all[at + 1], (0x7000_1040, 0));
        assert_eq!(gone(0x7000_1000), Some(40));
        assert!(was_freed(0x7000_1000) && !was_freed(0x7000_1040));
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
            let all = all_early();
            let own = all.iter().map(|one| one.0);
            own.filter(|one| (at(0)..=at(9)).contains(one)).collect()
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
