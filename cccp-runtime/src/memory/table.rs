//! A table of blocks: addresses and lengths, and of some of them more. Part of [`blocks`](super::blocks), which cuts it
//! into parts for threads.

use std::collections::BTreeMap;

use super::past::Past;

/// A table with fewer places is left emptier: what is looked for is nearly always at its first place.
const SMALL: usize = 1 << 12;

/// Set in the length of a block from before the run began. No block is so long.
const FROM_BEFORE: usize = 1 << (usize::BITS - 1);
/// Set in the length of a block of which the program has said what it holds.
const SAID: usize = 1 << (usize::BITS - 2);

/// A hash table with open addressing: addresses and lengths, an address of 0 is a free place. Its memory is found from
/// its beginning, so that checkers of memory see that it is in use.
pub(super) struct Part {
    places: Vec<(usize, usize)>,
    used: usize,
    /// Of all its blocks.
    bytes: usize,
    /// Beside the places: the numbers of blocks from before the run began, where there are any.
    numbers: Vec<u64>,
    /// What blocks hold of which the program has said it: a descriptor.
    said: BTreeMap<usize, usize>,
    /// Blocks from before the run began have been listed: those that go since then.
    listed: Option<Vec<usize>>,
    /// Where blocks were.
    pub(super) past: Past,
}

/// Addresses are multiples of 16 that lie close together: one multiplication spreads them.
pub(super) fn spread(address: usize) -> usize {
    let product = (address as u64 >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product >> 32) as usize
}

impl Part {
    /// Without blocks.
    pub(super) const fn new() -> Part {
        Part {
            places: Vec::new(),
            used: 0,
            bytes: 0,
            numbers: Vec::new(),
            said: BTreeMap::new(),
            listed: None,
            past: Past::new(),
        }
    }

    /// The place of an address, or the free place where it belongs. The table is not full.
    fn find(&self, address: usize) -> usize {
        let last = self.places.len() - 1;
        let mut at = spread(address) & last;
        while self.places[at].0 != address && self.places[at].0 != 0 {
            at = (at + 1) & last;
        }
        at
    }

    pub(super) fn get(&self, address: usize) -> Option<usize> {
        if self.places.is_empty() || address == 0 {
            return None;
        }
        let (found, length) = self.places[self.find(address)];
        (found == address).then_some(length & !(FROM_BEFORE | SAID))
    }

    /// The number of a block from before the run began.
    pub(super) fn number(&self, address: usize) -> Option<u64> {
        if self.numbers.is_empty() || address == 0 {
            return None;
        }
        let at = self.find(address);
        let (found, length) = self.places[at];
        (found == address && length & FROM_BEFORE != 0).then(|| self.numbers[at])
    }

    /// The program says what a block holds.
    pub(super) fn say(&mut self, address: usize, descriptor: usize) {
        if self.get(address).is_some() {
            let at = self.find(address);
            self.places[at].1 |= SAID;
            self.said.insert(address, descriptor);
        }
    }

    /// What it has said.
    pub(super) fn said(&self, address: usize) -> Option<usize> {
        match self.said.is_empty() {
            true => None,
            false => self.said.get(&address).copied(),
        }
    }

    /// The lengths of all blocks together.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// All blocks, with their lengths.
    pub(super) fn all(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let places = self.places.iter().filter(|one| one.0 != 0);
        places.map(|(at, length)| (*at, length & !(FROM_BEFORE | SAID)))
    }

    /// Those from before the run began, with their lengths and numbers. From now on it is noted which of them go.
    pub(super) fn list(&mut self) -> impl Iterator<Item = (usize, usize, u64)> + '_ {
        self.listed = Some(Vec::new());
        let all = self.places.iter().zip(&self.numbers);
        let early = all.filter(|(place, _)| place.1 & FROM_BEFORE != 0);
        early.map(|(place, number)| (place.0, place.1 & !(FROM_BEFORE | SAID), *number))
    }

    /// Those of them that have gone since somebody asked last.
    pub(super) fn gone(&mut self) -> Vec<usize> {
        self.listed.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// `number` is 0 for a block of the run.
    pub(super) fn insert(&mut self, address: usize, length: usize, number: u64) {
        let sparse = if self.places.len() < SMALL { 4 } else { 2 };
        if (self.used + 1) * sparse > self.places.len() {
            self.grow();
        }
        let at = self.find(address);
        let before = self.places[at];
        self.used += usize::from(before.0 == 0);
        let old = before.1 & !(FROM_BEFORE | SAID);
        self.bytes = self.bytes.wrapping_sub(old).wrapping_add(length);
        // Somebody who is not seen here has given it back.
        if before.1 & FROM_BEFORE != 0 {
            self.less(address);
        }
        if before.1 & SAID != 0 {
            self.said.remove(&address);
        }
        self.places[at] = (address, length);
        if number > 0 {
            self.places[at].1 |= FROM_BEFORE;
            if self.numbers.is_empty() {
                self.numbers = vec![0; self.places.len()];
            }
            self.numbers[at] = number;
        }
    }

    /// A block from before the run began has gone.
    fn less(&mut self, address: usize) {
        if let Some(gone) = &mut self.listed {
            gone.push(address);
        }
    }

    fn grow(&mut self) {
        let larger = (self.places.len() * 2).max(16);
        let old = std::mem::replace(&mut self.places, vec![(0, 0); larger]);
        let numbers = std::mem::take(&mut self.numbers);
        if old.iter().any(|one| one.1 & FROM_BEFORE != 0) {
            self.numbers = vec![0; larger];
        }
        for (from, one) in old.into_iter().enumerate().filter(|(_, one)| one.0 != 0) {
            let at = self.find(one.0);
            self.places[at] = one;
            if one.1 & FROM_BEFORE != 0 {
                self.numbers[at] = numbers[from];
            }
        }
    }

    pub(super) fn remove(&mut self, address: usize) -> Option<usize> {
        if self.places.is_empty() || address == 0 {
            return None;
        }
        let last = self.places.len() - 1;
        let mut free = self.find(address);
        let (found, length) = self.places[free];
        if found != address {
            return None;
        }
        self.bytes = self.bytes.wrapping_sub(length & !(FROM_BEFORE | SAID));
        if length & FROM_BEFORE != 0 {
            self.less(address);
        }
        if length & SAID != 0 {
            self.said.remove(&address);
        }
        let mut at = free;
        // Whoever was turned away by the place that becomes free moves up.
        loop {
            at = (at + 1) & last;
            let (other, length) = self.places[at];
            if other == 0 {
                break;
            }
            let wanted = spread(other) & last;
            if at.wrapping_sub(wanted) & last >= at.wrapping_sub(free) & last {
                self.places[free] = self.places[at];
                if length & FROM_BEFORE != 0 {
                    self.numbers[free] = self.numbers[at];
                }
                free = at;
            }
        }
        self.places[free] = (0, 0);
        self.used -= 1;
        Some(length & !(FROM_BEFORE | SAID))
    }
}

#[cfg(test)]
mod tests {
    use super::Part;

    #[test]
    fn a_block_that_moves_up_in_the_table_keeps_its_number() {
        let mut part = Part::new();
        let at = |one: usize| 0x7200_0000 + one * 48;
        // Every third one is of the run; the table grows meanwhile, and every second one goes.
        for one in 1..3000 {
            let number = if one % 3 == 0 { 0 } else { one as u64 };
            part.insert(at(one), one, number);
        }
        for one in (2..3000).step_by(2) {
            assert_eq!(part.remove(at(one)), Some(one));
        }
        for one in 1..3000 {
            let is_there = one % 2 == 1;
            let number = (is_there && one % 3 != 0).then_some(one as u64);
            assert_eq!(
                (part.get(at(one)), part.number(at(one))),
                (is_there.then_some(one), number)
            );
        }
        let bytes: usize = part.all().map(|(_, length)| length).sum();
        assert_eq!(part.bytes(), bytes);
    }

    #[test]
    fn an_address_that_was_given_back_unseen_is_a_block_of_the_run() {
        let mut part = Part::new();
        part.insert(0x7300_0010, 8, 5);
        part.insert(0x7300_0010, 9, 0);
        assert_eq!(part.number(0x7300_0010), None);
        assert_eq!((part.get(0x7300_0010), part.used), (Some(9), 1));
        assert_eq!(part.bytes(), 9);
    }
}
