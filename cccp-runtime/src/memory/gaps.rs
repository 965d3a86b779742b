//! Large blocks of the fixed heap, and those that are in no slab: a block gets the smallest gap that is large enough, the lowest of
//! these, else the end. So where one lies depends on nothing but its length and the blocks that are there.
//!
//! Memory of a large block that is given back goes to the kernel at once. Not here: small blocks ([`slabs`](super::slabs)).

use std::collections::{BTreeMap, BTreeSet};

use super::fixed::{BASE, FixedError, SPAN, fill, give_back, map};
use super::slabs;

/// Where it begins.
pub(super) const START: usize = slabs::END;
/// It never grows beyond.
const LAST: usize = BASE.saturating_add(SPAN);

/// Places and lengths are multiples of it, as those of `malloc`.
const GRAIN: usize = 16;
/// The kernel is asked for so much at a time, at least.
const STEP: usize = 1 << 26;
/// So much is given back to the kernel, and comes back as zeros.
const LARGE: usize = 1 << 18;
/// So many gaps are tried for a block with an alignment of its own.
const TRIES: usize = 32;

/// The blocks, and what is free.
pub(super) struct Gaps {
    /// Where each block begins, and its length.
    blocks: BTreeMap<usize, usize>,
    /// Those of them in which no address ever lies.
    of_bytes: BTreeSet<usize>,
    /// Their lengths together.
    bytes: usize,
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

/// What a block of a length takes.
fn taken(length: usize) -> Option<usize> {
    length
        .checked_next_multiple_of(GRAIN)
        .filter(|length| *length <= SPAN)
}

impl Gaps {
    pub(super) const fn new() -> Gaps {
        Gaps {
            blocks: BTreeMap::new(),
            of_bytes: BTreeSet::new(),
            bytes: 0,
            gaps: BTreeMap::new(),
            by_length: BTreeSet::new(),
            end: START,
            mapped: START,
            clean: START,
        }
    }

    /// All blocks, by their addresses.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.blocks.iter().map(|(start, length)| (*start, *length))
    }

    /// No address ever lies in the block that begins here.
    pub(super) fn say_bytes(&mut self, address: usize) {
        if self.blocks.contains_key(&address) {
            self.of_bytes.insert(address);
        }
    }

    /// The blocks of which that is said, by their addresses.
    pub(super) fn byte_blocks(&self) -> impl Iterator<Item = usize> + '_ {
        self.of_bytes.iter().copied()
    }

    /// The lengths of all blocks together.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The block in which an address lies: where it begins, and how long it is.
    pub(super) fn around(&self, address: usize) -> Option<(usize, usize)> {
        let (&start, &length) = self.blocks.range(..=address).next_back()?;
        (address - start < length).then_some((start, length))
    }

    /// The length of the block that begins here.
    pub(super) fn length(&self, address: usize) -> Option<usize> {
        self.blocks.get(&address).copied()
    }

    /// A new block, all zero.
    pub(super) fn allocate(&mut self, length: usize, alignment: usize) -> Option<usize> {
        let place = self.occupy(taken(length)?, alignment.max(GRAIN))?;
        self.blocks.insert(place, length);
        self.bytes += length;
        Some(place)
    }

    /// Gives back a block: how long it was.
    pub(super) fn release(&mut self, address: usize) -> Option<usize> {
        let length = self.blocks.remove(&address)?;
        self.of_bytes.remove(&address);
        self.bytes -= length;
        self.free(address, taken(length)?);
        Some(length)
    }

    /// Makes a block shorter or longer where it is, with zeros behind; false when there is no room.
    pub(super) fn resize(&mut self, address: usize, after: usize) -> bool {
        let Some(before) = self.length(address) else {
            return false;
        };
        let (Some(old), Some(new)) = (taken(before), taken(after)) else {
            return false;
        };
        if !self.stretch(address, old, new) {
            return false;
        }
        // What was behind the block up to its last grain.
        if after > before {
            fill(address + before, after.min(old) - before);
        }
        self.blocks.insert(address, after);
        self.of_bytes.remove(&address);
        self.bytes = self.bytes - before + after;
        true
    }

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

    fn occupy(&mut self, length: usize, alignment: usize) -> Option<usize> {
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

    fn free(&mut self, start: usize, length: usize) {
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

    fn stretch(&mut self, start: usize, before: usize, after: usize) -> bool {
        let end = start + before;
        if after <= before {
            if after < before {
                self.free(start + after, before - after);
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
    pub(super) fn reach(&mut self, end: usize) -> Result<(), FixedError> {
        if end <= self.mapped {
            return Ok(());
        }
        let no_memory = FixedError::Taken(self.mapped, libc::ENOMEM);
        if end > LAST {
            return Err(no_memory);
        }
        let length = (end - self.mapped).next_multiple_of(STEP);
        map(self.mapped, length)?;
        self.mapped += length;
        Ok(())
    }

    /// From now on these blocks are there, by their addresses, and no others; what they hold is still to come.
    pub(super) fn restore(&mut self, blocks: &[(usize, usize)]) -> Result<(), FixedError> {
        let mut end = START;
        let mut gaps = Vec::new();
        for &(start, length) in blocks {
            let length = taken(length).ok_or(FixedError::Damaged)?;
            let next = start.checked_add(length).ok_or(FixedError::Damaged)?;
            if start < end || !start.is_multiple_of(GRAIN) || next > LAST {
                return Err(FixedError::Damaged);
            }
            gaps.push((end, start - end));
            end = next;
        }
        self.reach(end.max(START + 1))?;
        self.blocks = blocks.iter().copied().collect();
        self.of_bytes.clear();
        self.bytes = self.blocks.values().sum();
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

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;

    fn gaps() -> Gaps {
        Gaps {
            mapped: usize::MAX,
            // Nothing is stored by these tests, and there is no memory.
            clean: START,
            ..Gaps::new()
        }
    }

    fn place(gaps: &mut Gaps, length: usize, alignment: usize) -> usize {
        gaps.clean = START;
        gaps.allocate(length, alignment).unwrap() - START
    }

    #[test]
    fn a_block_gets_the_smallest_gap_the_lowest_of_these_or_the_end() {
        let mut all = gaps();
        let starts: Vec<usize> = [64, 32, 32, 16, 32, 48]
            .iter()
            .map(|length| place(&mut all, *length, 16))
            .collect();
        assert_eq!(starts, [0, 64, 96, 128, 144, 176]);
        assert_eq!(all.release(START + 64), Some(32));
        assert_eq!(all.release(START + 144), Some(32));
        assert_eq!(all.release(START + 144), None);
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
        let mut all = gaps();
        let mut live: Vec<(usize, usize)> = Vec::new();
        for round in 0..3000 {
            if next(5) < 2 && !live.is_empty() {
                let (start, length) = live.swap_remove(next(live.len() as u64) as usize);
                assert_eq!(all.release(start), Some(length));
            } else {
                let length = 1 + next(640) as usize;
                let alignment = 16 << (next(8) / 5 * next(4));
                let start = START + place(&mut all, length, alignment);
                assert!(start.is_multiple_of(alignment));
                live.push((start, length));
            }
            if round % 50 == 0 {
                let mut sorted = live.clone();
                sorted.sort_unstable();
                assert!(sorted.windows(2).all(|two| two[0].0 + two[0].1 <= two[1].0));
                assert!(all.blocks().eq(sorted.iter().copied()));
                let mut other = gaps();
                other.restore(&sorted).unwrap();
                assert_eq!((&other.gaps, other.end), (&all.gaps, all.end));
                assert_eq!(
                    (&other.by_length, other.bytes()),
                    (&all.by_length, all.bytes())
                );
            }
        }
    }

    #[test]
    fn a_block_grows_and_shrinks_where_there_is_room() {
        let mut all = gaps();
        let start = START + place(&mut all, 64, 16);
        let next = START + place(&mut all, 64, 16);
        assert!(!all.resize(start, 80) && all.resize(next, 32));
        assert!(all.release(next).is_some());
        place(&mut all, 32, 16);
        let last = START + place(&mut all, 32, 16);
        assert!(all.release(next).is_some());
        all.clean = START;
        assert!(all.resize(start, 80) && !all.resize(start, 112));
        assert!(all.resize(start, 16));
        assert_eq!(all.gaps, BTreeMap::from([(start + 16, 80)]));
        assert_eq!(all.around(last + 31), Some((last, 32)));
        assert_eq!(
            (all.around(last + 32), all.around(start + 16)),
            (None, None)
        );
    }

    #[test]
    fn blocks_that_overlap_or_lie_elsewhere_are_refused() {
        let mut all = gaps();
        for blocks in [
            &[(START, 32), (START + 16, 16)][..],
            &[(START - 16, 16)],
            &[(START + 8, 16)],
            &[(START, usize::MAX)],
            &[(LAST, 16)],
        ] {
            assert_eq!(all.restore(blocks), Err(FixedError::Damaged), "{blocks:?}");
        }
    }
}
