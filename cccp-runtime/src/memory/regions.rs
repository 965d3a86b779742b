//! Where restored objects live: memory of the old run and what stands for it in this one.
//!
//! In: the registers behind pointers, as spans of old memory. Spans that overlap or touch form a *region*, which gets
//! one piece of memory on first need, so that two pointers into the same memory point into the same memory again, at
//! the same distance. A region whose pointer has memory already is bound to that instead.
//!
//! The old run may have had elements of another size (another machine). Therefore every span has a place in the *new*
//! region: a span that begins inside another one begins in the same element of it, and at the byte that the caller
//! says (a member of a struct moves when the struct does).
//!
//! Not here: what the spans hold (`registry`), pointers inside them (`format`).

use std::collections::HashMap;

use super::{MemoryError, Program, alignment_of};

/// Memory of the old run behind one registered pointer. `p[lo:n]` counts from `p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Names the span; unique.
    pub key: u64,
    /// Where its first element lay.
    pub start: u64,
    /// How many elements.
    pub elements: u64,
    /// Bytes per element in the old run.
    pub old_size: u64,
    /// Bytes per element in this run.
    pub new_size: u64,
}

/// All spans of a checkpoint, in regions.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    regions: Vec<Region>,
    places: HashMap<u64, Place>,
}

/// One piece of memory in this run.
#[derive(Clone, Debug)]
struct Region {
    length: u64,
    alignment: usize,
    address: Option<usize>,
}

/// Where a span begins.
#[derive(Clone, Copy, Debug)]
struct Place {
    region: usize,
    offset: u64,
}

impl Span {
    fn old_end(&self) -> u64 {
        let length = self.elements.saturating_mul(self.old_size);
        self.start.saturating_add(length)
    }

    fn new_length(&self) -> u64 {
        self.elements.saturating_mul(self.new_size)
    }

    /// Bytes from the start of the span in this run to what lay at `old`.
    fn new_offset(&self, old: u64, inside: &dyn Fn(u64, u64) -> u64) -> u64 {
        let distance = old - self.start;
        let element = distance.checked_div(self.old_size).unwrap_or(0);
        let byte = distance.checked_rem(self.old_size).unwrap_or(0);
        let byte = if byte == 0 { 0 } else { inside(self.key, byte) };
        element.saturating_mul(self.new_size).saturating_add(byte)
    }
}

impl Regions {
    /// Merges the spans. `inside(key, byte)` says where byte `byte` of an element of that span is in this run; it is
    /// the identity when both runs lay out memory alike.
    pub fn new(spans: impl IntoIterator<Item = Span>, inside: &dyn Fn(u64, u64) -> u64) -> Regions {
        let mut spans: Vec<Span> = spans.into_iter().collect();
        spans
            .sort_unstable_by_key(|span| (span.start, std::cmp::Reverse(span.old_end()), span.key));
        let mut regions = Regions::default();
        // The span of the region under work that reaches farthest, and where it begins.
        let mut widest: Option<(Span, u64)> = None;
        for span in spans {
            let offset = match widest {
                Some((wide, begin)) if span.start <= wide.old_end() => {
                    begin.saturating_add(wide.new_offset(span.start, inside))
                }
                _ => {
                    widest = None;
                    regions.regions.push(Region {
                        length: 0,
                        alignment: alignment_of(span.start),
                        address: None,
                    });
                    0
                }
            };
            let number = regions.regions.len() - 1;
            let region = &mut regions.regions[number];
            region.length = region.length.max(offset.saturating_add(span.new_length()));
            regions.places.insert(
                span.key,
                Place {
                    region: number,
                    offset,
                },
            );
            if widest.is_none_or(|(wide, _)| span.old_end() > wide.old_end()) {
                widest = Some((span, offset));
            }
        }
        regions
    }

    /// The same memory when more is known about the spans: what has an address keeps it. Fails with a span that would
    /// have to be in two places, because spans that have got memory of their own turn out to overlap.
    pub fn laid_out_anew(
        &self,
        spans: impl IntoIterator<Item = Span>,
        inside: &dyn Fn(u64, u64) -> u64,
    ) -> Result<Regions, u64> {
        let mut anew = Regions::new(spans, inside);
        let mut placed: Vec<(u64, usize)> = self
            .places
            .keys()
            .filter_map(|&key| Some((key, self.address(key)?)))
            .collect();
        placed.sort_unstable();
        for &(key, address) in &placed {
            anew.bind(key, address);
        }
        match placed
            .iter()
            .find(|&&(key, address)| anew.address(key) != Some(address))
        {
            Some(&(key, _)) => Err(key),
            None => Ok(anew),
        }
    }

    /// Makes room for a span that has become longer: in bytes of this run, what it had and what it gets. False when
    /// something else of the same memory begins there.
    pub fn grow(&mut self, key: u64, before: u64, now: u64) -> bool {
        let Some(place) = self.places.get(&key).copied() else {
            return true;
        };
        let (old_end, end) = (
            place.offset.saturating_add(before),
            place.offset.saturating_add(now),
        );
        let in_the_way = self.places.values().any(|other| {
            other.region == place.region && other.offset >= old_end && other.offset < end
        });
        let region = &mut self.regions[place.region];
        region.length = region.length.max(end);
        !in_the_way
    }

    /// Says that the first element of a span is at `address` in this run; all spans of its region follow. A region
    /// keeps the first address it gets. False when there is no such span.
    pub fn bind(&mut self, key: u64, address: usize) -> bool {
        let Some(place) = self.places.get(&key) else {
            return false;
        };
        let region = &mut self.regions[place.region];
        if region.address.is_none() {
            region.address = Some(address.wrapping_sub(place.offset as usize));
        }
        true
    }

    /// Where the first element of a span is in this run, when its region has memory.
    pub fn address(&self, key: u64) -> Option<usize> {
        let place = self.places.get(&key)?;
        let start = self.regions[place.region].address?;
        Some(start.wrapping_add(place.offset as usize))
    }

    /// The same, with new memory when the region has none. None when there is no such span.
    pub fn place(&mut self, program: &Program, key: u64) -> Result<Option<usize>, MemoryError> {
        if let Some(place) = self.places.get(&key) {
            let region = &mut self.regions[place.region];
            if region.address.is_none() {
                region.address = Some(program.allocate(region.length, region.alignment)?);
            }
        }
        Ok(self.address(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(_: u64, byte: u64) -> u64 {
        byte
    }

    fn doubles(key: u64, start: u64, elements: u64) -> Span {
        Span {
            key,
            start,
            elements,
            old_size: 8,
            new_size: 8,
        }
    }

    fn program() -> Program {
        // SAFETY: the tests hand over only memory that they got.
        unsafe { Program::new() }
    }

    fn place(regions: &mut Regions, key: u64) -> usize {
        regions.place(&program(), key).unwrap().unwrap()
    }

    #[test]
    fn s13_pointers_into_the_same_memory_keep_their_distance() {
        let spans = [
            doubles(1, 0x1010, 100),
            doubles(2, 0x1010 + 40, 10),
            doubles(3, 0x1010 + 99 * 8, 50),
            doubles(4, 0x9000, 1),
        ];
        let mut regions = Regions::new(spans, &same);
        let second = place(&mut regions, 2);
        let first = regions.address(1).unwrap();
        assert_eq!(second - first, 40);
        assert_eq!(regions.address(3), Some(first + 99 * 8));
        assert_eq!(regions.address(4), None);
        assert_eq!(place(&mut regions, 2), second);
        assert_eq!(regions.regions.len(), 2);
        assert_eq!(regions.regions[0].length, 149 * 8);
    }

    #[test]
    fn a_span_grows_unless_another_one_follows_it() {
        let spans = [doubles(1, 800, 10), doubles(2, 816, 2), doubles(3, 880, 5)];
        let mut regions = Regions::new(spans, &same);
        assert!(!regions.grow(1, 80, 160));
        let mut regions = Regions::new(spans[..2].iter().copied(), &same);
        assert!(regions.grow(1, 80, 160));
        assert_eq!(regions.regions[0].length, 160);
        assert!(regions.grow(7, 1, 2));
    }

    #[test]
    fn spans_that_touch_are_one_region_and_others_are_not() {
        let spans = [doubles(1, 80, 1), doubles(2, 88, 2), doubles(3, 105, 1)];
        let mut regions = Regions::new(spans, &same);
        let first = place(&mut regions, 1);
        assert_eq!(regions.address(2), Some(first + 8));
        assert_eq!(regions.address(3), None);
    }

    #[test]
    fn a_region_is_bound_to_memory_that_is_there_already() {
        let mut regions = Regions::new([doubles(1, 800, 10), doubles(2, 816, 2)], &same);
        assert!(regions.bind(2, 0x5010));
        assert!(regions.bind(1, 0x7000));
        assert_eq!(regions.address(1), Some(0x5000));
        assert_eq!(place(&mut regions, 2), 0x5010);
        assert!(!regions.bind(3, 0x5000));
        assert_eq!(regions.place(&program(), 3), Ok(None));
    }

    #[test]
    fn the_same_memory_registered_twice_is_one_region() {
        let mut regions = Regions::new([doubles(7, 64, 4), doubles(8, 64, 9)], &same);
        let address = place(&mut regions, 7);
        assert_eq!(regions.address(8), Some(address));
        assert_eq!(address % 64, 0);
        assert_eq!(regions.regions[0].length, 72);
    }

    #[test]
    fn s23_elements_of_another_size_keep_their_distance_in_elements() {
        let structs = Span {
            key: 1,
            start: 1600,
            elements: 10,
            old_size: 12,
            new_size: 24,
        };
        let member = Span {
            key: 2,
            start: 1600 + 3 * 12 + 4,
            elements: 1,
            old_size: 4,
            new_size: 8,
        };
        let end = Span {
            key: 3,
            start: 1600 + 10 * 12,
            elements: 2,
            old_size: 4,
            new_size: 8,
        };
        let mut regions = Regions::new([member, structs, end], &|key, byte| {
            assert_eq!((key, byte), (1, 4));
            8
        });
        let start = place(&mut regions, 1);
        assert_eq!(regions.address(2), Some(start + 3 * 24 + 8));
        assert_eq!(regions.address(3), Some(start + 240));
        assert_eq!(regions.regions[0].length, 256);
    }

    #[test]
    fn s23_what_has_memory_keeps_it_when_more_spans_become_known() {
        let mut regions = Regions::new([doubles(1, 800, 10), doubles(2, 1600, 2)], &same);
        let first = place(&mut regions, 1);
        let more = [
            doubles(1, 800, 10),
            doubles(2, 1600, 2),
            doubles(3, 1608, 7),
        ];
        let mut anew = regions.laid_out_anew(more, &same).unwrap();
        assert_eq!(anew.address(1), Some(first));
        assert_eq!(place(&mut anew, 3), anew.address(2).unwrap() + 8);
        // Two pieces of memory that turn out to be one.
        let joined = [
            doubles(1, 800, 10),
            doubles(2, 1600, 2),
            doubles(4, 880, 90),
        ];
        assert_eq!(anew.laid_out_anew(joined, &same).err(), Some(2));
    }

    #[test]
    fn empty_spans_and_absurd_ones_do_no_harm() {
        let absurd = Span {
            key: 2,
            start: u64::MAX - 1,
            elements: u64::MAX,
            old_size: 0,
            new_size: u64::MAX,
        };
        let mut regions = Regions::new([doubles(1, 160, 0), absurd], &same);
        assert_ne!(place(&mut regions, 1), 0);
        assert!(regions.place(&program(), 2).is_err());
    }
}
