//! Memory that the program has mapped for itself: anonymous and private. What a restart gives in its place is a block of the heap.
//!
//! In: every such mapping that the program makes through the library, and what it unmaps of one. Out: what is left of it. Not here:
//! mapping (`ffi`), the lengths that a checkpoint knows ([`blocks`](super::blocks)).

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where each begins, and where it ends.
static MAPPED: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

fn lock() -> MutexGuard<'static, BTreeMap<usize, usize>> {
    MAPPED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The program has mapped these addresses.
pub fn map(addresses: Range<usize>) {
    lock().insert(addresses.start, addresses.end);
}

/// The mappings that have some of these addresses.
pub fn meeting(addresses: &Range<usize>) -> Vec<Range<usize>> {
    let mapped = lock();
    let all = mapped.range(..addresses.end);
    let meets = all.rev().take_while(|one| *one.1 > addresses.start);
    meets.map(|(&start, &end)| start..end).collect()
}

/// These addresses of one mapping are unmapped: what is left of it.
pub fn cut(mapping: &Range<usize>, addresses: &Range<usize>) -> Vec<Range<usize>> {
    if addresses.is_empty() {
        return vec![mapping.clone()];
    }
    let before = mapping.start..addresses.start.min(mapping.end);
    let behind = addresses.end.max(mapping.start)..mapping.end;
    let left: Vec<Range<usize>> = [before, behind]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    let mut mapped = lock();
    mapped.remove(&mapping.start);
    mapped.extend(left.iter().map(|part| (part.start, part.end)));
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unmapped_leaves_the_parts_beside_it() {
        // No memory lies there.
        let base = 0x10_0000;
        let at = |from: usize, to: usize| base + from..base + to;
        map(at(0, 0x8000));
        map(at(0x8000, 0x9000));
        assert_eq!(meeting(&at(0x7fff, 0x8000)), [at(0, 0x8000)]);
        let both = [at(0x8000, 0x9000), at(0, 0x8000)];
        assert_eq!(meeting(&at(0x7000, 0xa000)), both);
        assert!(meeting(&at(0x9000, 0xa000)).is_empty());
        let left = cut(&at(0, 0x8000), &at(0x2000, 0x3000));
        assert_eq!(left, [at(0, 0x2000), at(0x3000, 0x8000)]);
        assert!(meeting(&at(0x2000, 0x3000)).is_empty());
        assert_eq!(cut(&at(0, 0x2000), &at(0, 0x1000)), [at(0x1000, 0x2000)]);
        assert!(cut(&at(0x1000, 0x2000), &at(0x1000, 0x2000)).is_empty());
        assert!(cut(&at(0x3000, 0x8000), &at(0x3000, 0x9000)).is_empty());
        assert!(cut(&at(0x8000, 0x9000), &at(0x3000, 0x9000)).is_empty());
        assert!(meeting(&at(0, 0xa000)).is_empty());
    }
}
