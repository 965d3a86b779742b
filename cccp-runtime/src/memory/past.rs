//! Memory that was a block once: what a pointer there points to may be such a block, whatever is there now. Part of
//! [`blocks`](super::blocks), which has one of these for each of its parts.
//!
//! In: each block that was released. Out: whether one lay at an address, or ended there; sixteen bytes are told from the next ones, as
//! the C library does. Nothing is forgotten: of each region there is a bit for sixteen bytes, or one word when all of it was released.

use std::collections::BTreeMap;

/// Memory of so many bytes, as a power of two, has a map of its own.
pub(super) const REGION: u32 = 18;
/// So many bytes, as a power of two, have a bit.
const GRAIN: u32 = 4;
const WORDS: usize = 1 << (REGION - GRAIN - 6);

/// Which grains of a region were released; `None` for all.
type Region = Option<Box<[u64; WORDS]>>;

/// The regions of a part.
pub(super) struct Past {
    regions: BTreeMap<usize, Region>,
}

/// The pieces of memory from a block's beginning to its end, one for each region: a region, and the first and last grain in it.
pub(super) fn pieces(address: usize, length: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    let end = address.saturating_add(length);
    let last = (1usize << (REGION - GRAIN)) - 1;
    let grain = move |address: usize| (address >> GRAIN) & last;
    ((address >> REGION)..=(end >> REGION)).map(move |region| {
        let first = if region == address >> REGION {
            grain(address)
        } else {
            0
        };
        let last = if region == end >> REGION {
            grain(end)
        } else {
            last
        };
        (region, first, last)
    })
}

impl Past {
    /// Nothing was released.
    pub(super) const fn new() -> Past {
        Past {
            regions: BTreeMap::new(),
        }
    }

    /// A piece of a block was released.
    pub(super) fn add(&mut self, (region, first, last): (usize, usize, usize)) {
        if first == 0 && last == WORDS * 64 - 1 {
            self.regions.insert(region, None);
            return;
        }
        let known = self.regions.entry(region);
        let Some(words) = known.or_insert_with(|| Some(Box::new([0; WORDS]))) else {
            return;
        };
        for word in first / 64..=last / 64 {
            let from = first.saturating_sub(word * 64);
            let to = (last - word * 64).min(63);
            words[word] |= (u64::MAX << from) & (u64::MAX >> (63 - to));
        }
    }

    /// Whether a block lay here, or ended here.
    pub(super) fn has(&self, address: usize) -> bool {
        self.regions.get(&(address >> REGION)).is_some_and(|words| {
            let grain = (address >> GRAIN) % (WORDS * 64);
            words
                .as_ref()
                .is_none_or(|words| words[grain / 64] >> (grain % 64) & 1 == 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_released_is_known_to_its_end_in_every_region() {
        let region = 1usize << REGION;
        for (address, length) in [
            (16, 40),
            (4096, 0),
            (region - 48, 32),
            (region - 48, 48),
            (3 * region - 32, 2 * region + 64),
            (1000 * 16, 64 * 16),
        ] {
            let mut past = Past::new();
            pieces(address, length).for_each(|piece| past.add(piece));
            for at in (0..6 * region).step_by(16) {
                let is_there = at >= address && at <= address + length;
                assert_eq!(past.has(at), is_there, "{at} of {address} + {length}");
            }
            assert!(past.has(address + length));
        }
    }

    #[test]
    fn blocks_add_up() {
        let mut past = Past::new();
        for block in (0..1 << 12).rev() {
            assert!(!past.has(block * 64));
            pieces(block * 64, 40).for_each(|piece| past.add(piece));
            assert!(
                past.has(block * 64) && past.has(block * 64 + 40) && !past.has(block * 64 + 48)
            );
        }
    }
}
