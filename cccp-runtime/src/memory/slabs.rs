//! Small blocks of the fixed heap.
//!
//! A *slab* is cut into slots of one size. Slabs lie in *areas*, and an area belongs to a *part* of the heap: each thread allocates
//! from its own part, so that threads seldom meet, and one does not change where another one's blocks lie. A block gets the lowest
//! slot of its size that is free in its part, in areas one after the other as the part got them; when none is, the lowest slab that
//! has no size gets this one. A slab that has become empty loses its size, unless it is the only one of its size with a free slot.
//! So where a block lies depends on the blocks that are there and on the sizes of slabs, which [`state`] tells.
//!
//! What is known of slabs does not lie among the blocks: a program that writes behind the end of one does not reach it.
//!
//! Not here: large blocks ([`gaps`](super::gaps)).

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use super::fixed::{BASE, FixedError, SPAN, fill, give_back, map, records};
use super::guarded::Guarded;
use super::lowest::Lowest;
use super::slab::{BITS, KINDS, SHIFT, SIZE, SIZES, Size, Slab, aligned, size_for};

/// A part for each of so many threads; others share them.
pub(super) const PARTS: usize = 64;

/// The length of an area, as a power of two.
const AREA: u32 = 26;
/// Bytes that each kind may take.
const ROOM: usize = if SPAN == 0 { 1 << AREA } else { SPAN / 4 };
/// So many areas each kind may have.
const AREAS: usize = ROOM >> AREA;
/// Behind the slabs.
pub(super) const END: usize = BASE.saturating_add(KINDS * ROOM);

/// So much that nobody uses is kept in a part, and an eighth of its blocks; the rest is given back to the kernel.
const KEPT: usize = 1 << 24;

/// Stands for no slab.
const NONE: u32 = u32::MAX;

/// An area of a part.
struct Area {
    kind: usize,
    number: usize,
    slabs: &'static mut [Slab],
}

impl Area {
    fn start(&self) -> usize {
        BASE + self.kind * ROOM + (self.number << AREA)
    }

    /// Those in which no address ever lies.
    fn byte_blocks(&self) -> impl Iterator<Item = usize> + '_ {
        let (start, shift) = (self.start(), SHIFT[self.kind]);
        let slabs = self.slabs.iter().enumerate();
        slabs.flat_map(move |(at, slab)| {
            let from = start + (at << shift);
            slab.byte_blocks().map(move |offset| from + offset)
        })
    }

    /// All blocks in it, by their addresses.
    fn blocks(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let (start, shift) = (self.start(), SHIFT[self.kind]);
        let slabs = self.slabs.iter().enumerate();
        slabs.flat_map(move |(at, slab)| {
            let from = start + (at << shift);
            slab.blocks()
                .map(move |(offset, length)| (from + offset, length))
        })
    }
}

/// What one thread allocates from. Its slabs of a kind have numbers, in the order of its areas.
struct Part {
    number: usize,
    areas: [Vec<Area>; KINDS],
    /// By size: the slabs with a free slot.
    open: [Lowest; SIZES],
    /// The lowest of them.
    first: [u32; SIZES],
    /// By kind: the slabs that have no size.
    idle: [Lowest; KINDS],
    /// Of all blocks.
    bytes: usize,
    /// Bytes of slabs without a size that were used.
    stale: usize,
}

static ALL: [Guarded<Option<Box<Part>>>; PARTS] = [const { Guarded::new(None) }; PARTS];

/// By kind and area: whose it is, from 1 on, and which of its areas; 0 when it is nobody's.
static OWNER: [[AtomicU32; AREAS]; KINDS] = [const { [const { AtomicU32::new(0) }; AREAS] }; KINDS];
const OWNER_BITS: u32 = 8;

/// Areas that have memory and are nobody's.
static SPARE: Guarded<BTreeMap<(usize, usize), &'static mut [Slab]>> =
    Guarded::new(BTreeMap::new());

fn owner(kind: usize, number: usize) -> Option<(usize, usize)> {
    let owner = OWNER[kind][number].load(Ordering::Acquire);
    let part = (owner & ((1 << OWNER_BITS) - 1)) as usize;
    Some((part.checked_sub(1)?, (owner >> OWNER_BITS) as usize))
}

/// Where an address lies.
struct Place {
    kind: usize,
    part: usize,
    slab: usize,
    offset: usize,
}

/// None where no area is.
#[inline]
fn place(address: usize) -> Option<Place> {
    let inside = address
        .checked_sub(BASE)
        .filter(|inside| *inside < KINDS * ROOM)?;
    let (kind, inside) = (inside / ROOM, inside % ROOM);
    let (part, area) = owner(kind, inside >> AREA)?;
    let in_area = inside & ((1 << AREA) - 1);
    Some(Place {
        kind,
        part,
        slab: area << (AREA - SHIFT[kind]) | in_area >> SHIFT[kind],
        offset: in_area & ((1 << SHIFT[kind]) - 1),
    })
}

fn with<R>(part: usize, work: impl FnOnce(&mut Part) -> R) -> R {
    ALL[part].with(|one| work(one.get_or_insert_with(|| Part::new(part))))
}

/// Memory for an area, and for what is known of it.
fn new_area(kind: usize, number: usize, part: usize, at: usize) -> Result<Area, FixedError> {
    let start = BASE + kind * ROOM + (number << AREA);
    let slabs = SPARE.with(|spare| match spare.remove(&(kind, number)) {
        Some(slabs) => Ok(slabs),
        None => {
            let slabs = records(1 << (AREA - SHIFT[kind]))?;
            map(start, 1 << AREA)?;
            Ok(slabs)
        }
    })?;
    let owner = (at as u32) << OWNER_BITS | (part as u32 + 1);
    OWNER[kind][number].store(owner, Ordering::Release);
    Ok(Area {
        kind,
        number,
        slabs,
    })
}

impl Part {
    fn new(number: usize) -> Box<Part> {
        Box::new(Part {
            number,
            areas: Default::default(),
            open: std::array::from_fn(|_| Lowest::default()),
            first: [NONE; SIZES],
            idle: Default::default(),
            bytes: 0,
            stale: 0,
        })
    }

    #[inline]
    fn slab(&mut self, kind: usize, slab: usize) -> &mut Slab {
        let bits = AREA - SHIFT[kind];
        &mut self.areas[kind][slab >> bits].slabs[slab & ((1 << bits) - 1)]
    }

    #[inline]
    fn start(&self, kind: usize, slab: usize) -> usize {
        let bits = AREA - SHIFT[kind];
        let area = &self.areas[kind][slab >> bits];
        area.start() + ((slab & ((1 << bits) - 1)) << SHIFT[kind])
    }

    fn close(&mut self, size: usize, slab: usize) {
        self.open[size].remove(slab);
        if self.first[size] == slab as u32 {
            self.first[size] = self.open[size].first().map_or(NONE, |slab| slab as u32);
        }
    }

    fn reopen(&mut self, size: usize, slab: usize) {
        self.open[size].insert(slab);
        self.first[size] = self.first[size].min(slab as u32);
    }

    /// One more area: in the part's own row, in which it comes upon no other thread's, else the lowest.
    fn grow(&mut self, kind: usize) -> Result<(), FixedError> {
        let is_free = |number: &usize| owner(kind, *number).is_none();
        let mut row = (self.number..AREAS).step_by(PARTS);
        let mut found = row.find(is_free).or_else(|| (0..AREAS).find(is_free));
        // Another thread may be faster.
        let at = GROWING.with(|()| {
            found = found.filter(is_free).or_else(|| (0..AREAS).find(is_free));
            let number = found.ok_or(FixedError::Taken(END, libc::ENOMEM))?;
            let at = self.areas[kind].len();
            let area = new_area(kind, number, self.number, at)?;
            self.areas[kind].push(area);
            Ok(at)
        })?;
        let slabs = 1 << (AREA - SHIFT[kind]);
        for slab in at * slabs..(at + 1) * slabs {
            // Another part may have had the area before a restart.
            self.stale += self.slab(kind, slab).touched;
            self.idle[kind].insert(slab);
        }
        Ok(())
    }

    /// The lowest slab without a size gets one.
    #[cold]
    fn open(&mut self, size: usize) -> Option<usize> {
        let kind = SIZE[size].kind;
        if self.idle[kind].len() == 0 {
            self.grow(kind).ok()?;
        }
        let slab = self.idle[kind].first()?;
        self.idle[kind].remove(slab);
        let one = self.slab(kind, slab);
        one.begin(size);
        let touched = one.touched;
        self.stale -= touched;
        self.reopen(size, slab);
        Some(slab)
    }

    #[inline]
    fn allocate(&mut self, size: usize, length: usize) -> Option<usize> {
        let slab = match self.first[size] {
            NONE => self.open(size)?,
            slab => slab as usize,
        };
        let Size { kind, bytes, .. } = SIZE[size];
        self.bytes += length;
        let start = self.start(kind, slab);
        let one = self.slab(kind, slab);
        let word = one.some.trailing_zeros() as usize;
        let slot = word * BITS + one.free[word].trailing_zeros() as usize;
        one.use_slot(slot);
        one.slack[slot] = (bytes - length) as u16;
        let offset = slot * bytes;
        if offset < one.touched {
            fill(start + offset, length);
        }
        one.touched = one.touched.max(offset + bytes);
        if one.some == 0 {
            self.close(size, slab);
        }
        Some(start + offset)
    }

    #[inline]
    fn release(&mut self, place: &Place) -> Option<usize> {
        let (kind, slab) = (place.kind, place.slab);
        let one = self.slab(kind, slab);
        let (slot, size) = one.slot(place.offset)?;
        let length = one.length(slot, size);
        let was_full = one.some == 0;
        one.free[slot / BITS] |= 1 << (slot % BITS);
        one.some |= 1 << (slot / BITS);
        one.used -= 1;
        let (is_empty, size) = (one.used == 0, one.size as usize - 1);
        self.bytes -= length;
        if was_full {
            self.reopen(size, slab);
        }
        if is_empty && self.open[size].len() > 1 {
            self.end(size, slab);
        }
        Some(length)
    }

    /// An empty slab loses its size.
    #[cold]
    fn end(&mut self, size: usize, slab: usize) {
        let kind = SIZE[size].kind;
        self.close(size, slab);
        let one = self.slab(kind, slab);
        one.size = 0;
        let touched = one.touched;
        self.idle[kind].insert(slab);
        self.stale += touched;
        if self.stale > KEPT + self.bytes / 8 {
            self.clear_idle();
        }
    }

    /// The kernel gets back what slabs without a size have.
    fn clear_idle(&mut self) {
        for (kind, shift) in SHIFT.into_iter().enumerate() {
            // Neighbours go together.
            let mut piece = 0..0;
            let idle: Vec<usize> = self.idle[kind].iter().collect();
            for slab in idle {
                let start = self.start(kind, slab);
                let one = self.slab(kind, slab);
                if std::mem::take(&mut one.touched) == 0 {
                    continue;
                }
                if piece.end != start {
                    clear(&piece);
                    piece.start = start;
                }
                piece.end = start + (1 << shift);
            }
            clear(&piece);
        }
        self.stale = 0;
    }

    fn resize(&mut self, place: &Place, after: usize) -> bool {
        let start = self.start(place.kind, place.slab);
        let one = self.slab(place.kind, place.slab);
        let Some((slot, size)) = one.slot(place.offset) else {
            return false;
        };
        let before = one.length(slot, size);
        // What has become much shorter moves, so that its slot can be used.
        if after > size.bytes || after <= size.bytes / 2 && size_for(after) + 1 != one.size as usize
        {
            return false;
        }
        one.slack[slot] = (size.bytes - after) as u16;
        one.set_bytes(slot, false);
        if after > before {
            fill(start + place.offset + before, after - before);
        }
        self.bytes = self.bytes - before + after;
        true
    }
}

/// Who gets a new area is decided by one thread at a time.
static GROWING: Guarded<()> = Guarded::new(());

fn clear(piece: &std::ops::Range<usize>) {
    if !piece.is_empty() && !give_back(piece.start, piece.len()) {
        fill(piece.start, piece.len());
    }
}

/// There is memory for the first blocks of a part.
pub(super) fn begin(part: usize) -> Result<(), FixedError> {
    with(part, |part| {
        let mut kinds = (0..KINDS)
            .filter(|&kind| part.areas[kind].is_empty())
            .collect::<Vec<_>>();
        kinds.drain(..).try_for_each(|kind| part.grow(kind))
    })
}

/// A new block of a part, all zero, of a length that is not 0; none when it is too long for a slab, or there is no room.
#[inline]
pub(super) fn allocate(part: usize, length: usize, alignment: usize) -> Option<usize> {
    let size = aligned(length, alignment)?;
    with(part, |part| part.allocate(size, length))
}

/// Gives back a block: how long it was. None when there is none.
#[inline]
pub(super) fn release(address: usize) -> Option<usize> {
    let place = place(address)?;
    with(place.part, |part| part.release(&place))
}

/// Makes a block shorter or longer where it is, with zeros behind; false when it has to move.
pub(super) fn resize(address: usize, length: usize) -> bool {
    let place = place(address);
    place.is_some_and(|place| with(place.part, |part| part.resize(&place, length)))
}

/// No address ever lies in the block that begins here.
pub(super) fn say_bytes(address: usize) {
    let Some(place) = place(address) else {
        return;
    };
    with(place.part, |part| {
        let slab = part.slab(place.kind, place.slab);
        if let Some((slot, _)) = slab.slot(place.offset) {
            slab.set_bytes(slot, true);
        }
    });
}

/// The blocks of which that is said, by their addresses.
pub(super) fn byte_blocks() -> Vec<usize> {
    let mut all = Vec::new();
    each_area(|area| all.extend(area.byte_blocks()));
    all
}

/// The block in which an address lies: where it begins, and how long it is.
pub(super) fn around(address: usize) -> Option<(usize, usize)> {
    let place = place(address)?;
    with(place.part, |part| {
        let start = part.start(place.kind, place.slab);
        let slab = part.slab(place.kind, place.slab);
        let (slot, size) = slab.around(place.offset)?;
        let (begin, length) = (slot * size.bytes, slab.length(slot, size));
        (place.offset - begin < length).then_some((start + begin, length))
    })
}

/// The length of the block that begins here.
pub(super) fn length(address: usize) -> Option<usize> {
    around(address)
        .filter(|found| found.0 == address)
        .map(|found| found.1)
}

/// All blocks, by their addresses.
pub(super) fn blocks() -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    each_area(|area| all.extend(area.blocks()));
    all
}

/// By their addresses.
fn each_area(mut visit: impl FnMut(&Area)) {
    for kind in 0..KINDS {
        for number in 0..AREAS {
            if let Some((part, area)) = owner(kind, number) {
                with(part, |part| visit(&part.areas[kind][area]));
            }
        }
    }
}

/// The lengths of all blocks together.
pub(super) fn bytes() -> usize {
    let parts = ALL
        .iter()
        .map(|one| one.with(|part| part.as_ref().map_or(0, |part| part.bytes)));
    parts.sum()
}

/// What decides where blocks will lie, beside those that are there: for each area a number that says whose it is, and the sizes of
/// its slabs, eight in a number.
pub(super) fn state() -> Vec<u64> {
    let mut all = Vec::new();
    for (number, one) in ALL.iter().enumerate() {
        one.with(|part| {
            for area in part.iter().flat_map(|part| part.areas.iter().flatten()) {
                all.push(head(area.kind, number, area.number));
                let eight = area.slabs.chunks(8);
                all.extend(eight.map(|eight| {
                    let sizes = eight.iter().enumerate();
                    sizes.fold(0, |all, (at, slab)| all | u64::from(slab.size) << (8 * at))
                }));
            }
        });
    }
    all
}

fn head(kind: usize, part: usize, number: usize) -> u64 {
    (kind as u64) << 48 | (part as u64) << 32 | number as u64
}

/// Areas with the sizes of their slabs: whose each is, by kinds and numbers, in the order of the part.
type Sizes = Vec<((usize, usize, usize), Vec<u32>)>;

fn sizes_of(state: &[u64]) -> Option<Sizes> {
    let mut all = Sizes::new();
    let mut left = state;
    while let [first, rest @ ..] = left {
        let kind = (first >> 48) as usize;
        let part = (first >> 32 & 0xffff) as usize;
        let number = (first & 0xffff_ffff) as usize;
        if kind >= KINDS || part >= PARTS || number >= AREAS {
            return None;
        }
        let slabs = 1usize << (AREA - SHIFT[kind]);
        let (sizes, rest) = rest.split_at_checked(slabs.div_ceil(8))?;
        let sizes = sizes
            .iter()
            .flat_map(|eight| eight.to_le_bytes())
            .map(u32::from);
        let sizes: Vec<u32> = sizes.take(slabs).collect();
        let fits = |size: &u32| match (*size as usize).checked_sub(1) {
            Some(size) => SIZE.get(size).is_some_and(|size| size.kind == kind),
            None => true,
        };
        if !sizes.iter().all(fits) {
            return None;
        }
        all.push(((kind, part, number), sizes));
        left = rest;
    }
    Some(all)
}

/// From now on these blocks are there, by their addresses, and no others, and slabs have the sizes of a state; what is in a slab that
/// has none there leaves its size as it is.
pub(super) fn restore(blocks: &[(usize, usize)], state: &[u64]) -> Result<(), FixedError> {
    let damaged = FixedError::Damaged;
    let mut sizes = sizes_of(state).ok_or(damaged.clone())?;
    let now = sizes_of(&self::state()).ok_or(damaged.clone())?;
    let mut by_area = BTreeMap::new();
    for (at, ((kind, _, number), _)) in sizes.iter().enumerate() {
        if by_area.insert((*kind, *number), at).is_some() {
            return Err(damaged);
        }
    }
    let now_by_area: BTreeMap<(usize, usize), _> =
        now.iter().map(|one| ((one.0.0, one.0.2), one)).collect();
    for &(address, _) in blocks {
        let inside = address - BASE;
        let (kind, inside) = (inside / ROOM, inside % ROOM);
        let (number, slab) = (inside >> AREA, (inside & ((1 << AREA) - 1)) >> SHIFT[kind]);
        let older = now_by_area.get(&(kind, number));
        let at = match (by_area.get(&(kind, number)), older) {
            (Some(at), _) => *at,
            (None, Some((area, now))) => {
                sizes.push((*area, vec![0; now.len()]));
                by_area.insert((kind, number), sizes.len() - 1);
                sizes.len() - 1
            }
            (None, None) => return Err(damaged),
        };
        let size = &mut sizes[at].1[slab];
        if *size == 0 {
            *size = older.map_or(0, |older| older.1[slab]);
        }
        if *size == 0 {
            return Err(damaged);
        }
    }
    give_up_areas();
    for ((kind, part, number), sizes) in &sizes {
        with(*part, |part| part.adopt(*kind, *number, sizes))?;
    }
    for &(address, length) in blocks {
        let place = place(address).ok_or(damaged.clone())?;
        if !with(place.part, |part| part.again(&place, length)) {
            return Err(damaged);
        }
    }
    Ok(())
}

/// No area is anybody's.
fn give_up_areas() {
    for one in &ALL {
        let areas = one.with(|part| {
            let part = part.take();
            part.map(|part| part.areas)
                .into_iter()
                .flatten()
                .flatten()
                .collect::<Vec<_>>()
        });
        for area in areas {
            for slab in area.slabs.iter_mut() {
                (slab.size, slab.used, slab.some) = (0, 0, 0);
            }
            OWNER[area.kind][area.number].store(0, Ordering::Release);
            SPARE.with(|spare| spare.insert((area.kind, area.number), area.slabs));
        }
    }
}

impl Part {
    /// An area is the part's, with slabs of these sizes, all empty.
    fn adopt(&mut self, kind: usize, number: usize, sizes: &[u32]) -> Result<(), FixedError> {
        let at = self.areas[kind].len();
        let area = new_area(kind, number, self.number, at)?;
        self.areas[kind].push(area);
        for (slab, size) in sizes.iter().enumerate() {
            let number = at * sizes.len() + slab;
            let one = self.slab(kind, number);
            match (*size as usize).checked_sub(1) {
                Some(size) => {
                    one.begin(size);
                    self.reopen(size, number);
                }
                None => {
                    let touched = one.touched;
                    self.stale += touched;
                    self.idle[kind].insert(number);
                }
            }
        }
        Ok(())
    }

    /// A block is there again; false when it cannot be.
    fn again(&mut self, place: &Place, length: usize) -> bool {
        let one = self.slab(place.kind, place.slab);
        let Some(at) = (one.size as usize).checked_sub(1) else {
            return false;
        };
        let size = &SIZE[at];
        let slot = size.slot(place.offset);
        let fits = slot * size.bytes == place.offset && slot < size.slots && length <= size.bytes;
        let slack = u16::try_from(size.bytes.wrapping_sub(length));
        let (Ok(slack), true) = (slack, fits) else {
            return false;
        };
        if !one.use_slot(slot) {
            return false;
        }
        one.slack[slot] = slack;
        one.touched = one.touched.max(place.offset + size.bytes);
        let is_full = one.some == 0;
        self.bytes += length;
        if is_full {
            self.close(at, place.slab);
        }
        true
    }
}

/// Nobody uses it until [`leave`].
pub(super) fn hold() {
    ALL.iter().for_each(Guarded::take);
    GROWING.take();
    SPARE.take();
}

/// See [`hold`].
pub(super) fn leave() {
    SPARE.leave();
    GROWING.leave();
    ALL.iter().for_each(Guarded::leave);
}
