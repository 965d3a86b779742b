//! One slab of the fixed heap: slots of one size, which of them are in use, and how long the block in each is.
//!
//! Not here: which slab gets a block ([`slabs`](super::slabs)).

/// Two kinds of slabs, for short and for long blocks: their lengths as powers of two.
pub(super) const SHIFT: [u32; KINDS] = [16, 21];
pub(super) const KINDS: usize = 2;
/// Blocks up to this length are in slabs of the first kind.
const SHORT: usize = 1 << 12;
/// Longer ones are in no slab.
const LONGEST: usize = 1 << 17;

/// Up to this length sizes are multiples of [`GRAIN`]; above, there are [`STEPS`] between a power of two and the next one.
const EVEN: usize = 512;
const GRAIN: usize = 16;
const STEPS: usize = 8;
pub(super) const SIZES: usize =
    EVEN / GRAIN + STEPS * (LONGEST.trailing_zeros() - EVEN.trailing_zeros()) as usize;

/// A size of slots.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) kind: usize,
    pub(super) bytes: usize,
    pub(super) slots: usize,
    /// 2 to the 44th divided by the bytes, rounded up: no offset in a slab is too large for it.
    inverse: u64,
}

pub(super) static SIZE: [Size; SIZES] = sizes();

const fn sizes() -> [Size; SIZES] {
    let first = Size {
        kind: 0,
        bytes: GRAIN,
        slots: 0,
        inverse: 0,
    };
    let mut all = [first; SIZES];
    let mut at = 0;
    while at < SIZES {
        let bytes = match at < EVEN / GRAIN {
            true => GRAIN * (at + 1),
            false => {
                let above = at - EVEN / GRAIN;
                ((STEPS + above % STEPS + 1) * (EVEN / STEPS)) << (above / STEPS)
            }
        };
        let kind = if bytes > SHORT { 1 } else { 0 };
        all[at] = Size {
            kind,
            bytes,
            slots: (1 << SHIFT[kind]) / bytes,
            inverse: (1u64 << 44).div_ceil(bytes as u64),
        };
        at += 1;
    }
    all
}

/// The smallest size for a length, which is not 0.
pub(super) fn size_for(length: usize) -> usize {
    if length <= EVEN {
        return (length - 1) / GRAIN;
    }
    let above = (length - 1).ilog2() - EVEN.trailing_zeros();
    let step = (length - 1) >> (EVEN.trailing_zeros() - STEPS.trailing_zeros() + above);
    EVEN / GRAIN + STEPS * above as usize + step - STEPS
}

/// The same whose slots are aligned.
pub(super) fn aligned(length: usize, alignment: usize) -> Option<usize> {
    if length > LONGEST || alignment > SHORT {
        return None;
    }
    if alignment <= GRAIN {
        return Some(size_for(length));
    }
    (size_for(length)..SIZES).find(|&at| SIZE[at].bytes.is_multiple_of(alignment))
}

/// Most slots of a slab.
const MOST: usize = (1 << SHIFT[0]) / GRAIN;
pub(super) const BITS: usize = u64::BITS as usize;

/// What is known of a slab: zeros at first.
#[repr(C)]
pub(super) struct Slab {
    /// Which words of `free` are not zero.
    pub(super) some: u64,
    /// So many blocks are in it.
    pub(super) used: u32,
    /// Its size, from 1 on; 0 when it has none.
    pub(super) size: u32,
    /// Behind so many bytes nothing was ever stored.
    pub(super) touched: usize,
    /// One for each free slot.
    pub(super) free: [u64; MOST / BITS],
    /// One for each slot whose block holds bytes in which no address ever lies.
    pub(super) bytes: [u64; MOST / BITS],
    /// How much shorter each block is than its slot.
    pub(super) slack: [u16; MOST],
}

impl Size {
    /// The slot in which an offset lies.
    pub(super) fn slot(&self, offset: usize) -> usize {
        ((offset as u64 * self.inverse) >> 44) as usize
    }
}

impl Slab {
    pub(super) fn begin(&mut self, size: usize) {
        self.size = size as u32 + 1;
        self.used = 0;
        self.some = 0;
        let slots = SIZE[size].slots;
        for (at, word) in self.free[..slots.div_ceil(BITS)].iter_mut().enumerate() {
            let left = slots - at * BITS;
            *word = if left < BITS {
                (1 << left) - 1
            } else {
                u64::MAX
            };
            self.some |= 1 << at;
        }
    }

    /// The slot that begins at this offset, when there is a block.
    pub(super) fn slot(&self, offset: usize) -> Option<(usize, &'static Size)> {
        let (slot, size) = self.around(offset)?;
        (slot * size.bytes == offset).then_some((slot, size))
    }

    /// The slot in which an offset lies, when there is a block.
    pub(super) fn around(&self, offset: usize) -> Option<(usize, &'static Size)> {
        let size = &SIZE[(self.size as usize).checked_sub(1)?];
        let slot = size.slot(offset);
        let is_used = slot < size.slots && self.free[slot / BITS] >> (slot % BITS) & 1 == 0;
        is_used.then_some((slot, size))
    }

    pub(super) fn length(&self, slot: usize, size: &Size) -> usize {
        size.bytes - usize::from(self.slack[slot])
    }

    /// A slot is in use from now on; false when it was.
    pub(super) fn use_slot(&mut self, slot: usize) -> bool {
        let (word, bit) = (slot / BITS, 1 << (slot % BITS));
        if self.free[word] & bit == 0 {
            return false;
        }
        self.free[word] &= !bit;
        self.bytes[word] &= !bit;
        if self.free[word] == 0 {
            self.some &= !(1 << word);
        }
        self.used += 1;
        true
    }

    /// Whether the block of a slot holds bytes in which no address ever lies.
    pub(super) fn set_bytes(&mut self, slot: usize, are_bytes: bool) {
        let (word, bit) = (slot / BITS, 1 << (slot % BITS));
        match are_bytes {
            true => self.bytes[word] |= bit,
            false => self.bytes[word] &= !bit,
        }
    }

    /// The blocks that do: where each begins.
    pub(super) fn byte_blocks(&self) -> impl Iterator<Item = usize> + '_ {
        let size = (self.size as usize).checked_sub(1).map(|at| &SIZE[at]);
        let slots = size.filter(|_| self.used > 0).map_or(0, |size| size.slots);
        let is_one = |slot: &usize| {
            let (word, bit) = (slot / BITS, 1 << (slot % BITS));
            self.bytes[word] & !self.free[word] & bit != 0
        };
        let all = (0..slots).filter(is_one);
        all.filter_map(move |slot| Some(slot * size?.bytes))
    }

    /// All blocks: where each begins, from the slab's beginning on, and how long it is.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let size = (self.size as usize).checked_sub(1).map(|at| &SIZE[at]);
        let slots = size.filter(|_| self.used > 0).map_or(0, |size| size.slots);
        let used = (0..slots).filter(|slot| self.free[slot / BITS] >> (slot % BITS) & 1 == 0);
        used.filter_map(move |slot| Some((slot * size?.bytes, self.length(slot, size?))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_gets_the_smallest_size_and_an_eighth_is_left_over_at_most() {
        let all = 1..=LONGEST;
        for length in all.filter(|length| *length < 5000 || length % 7 == 0 || *length == LONGEST) {
            let at = size_for(length);
            assert!(length <= SIZE[at].bytes, "{length}");
            assert!(at == 0 || length > SIZE[at - 1].bytes, "{length}");
            assert!(
                SIZE[at].bytes < length + (length / STEPS).max(GRAIN),
                "{length}"
            );
        }
        assert_eq!(aligned(LONGEST + 1, 16), None);
        assert_eq!(
            (aligned(1, 2 * SHORT), aligned(1, SHORT)),
            (None, Some(size_for(SHORT)))
        );
    }

    #[test]
    fn every_offset_lies_in_the_slot_that_division_says() {
        for size in &SIZE {
            for offset in (0..1usize << SHIFT[size.kind]).step_by(5) {
                assert_eq!(size.slot(offset), offset / size.bytes);
            }
            let last = size.slots * size.bytes - 1;
            assert_eq!(
                (size.slot(last), size.slot(last + 1)),
                (size.slots - 1, size.slots)
            );
            assert!(size.slots <= MOST);
        }
    }
}
