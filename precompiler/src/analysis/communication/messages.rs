//! Messages under way, requests and collective calls that some ranks have not come to yet.
//!
//! Two messages from one rank to another on one communicator are received in the order in which they were sent, as far
//! as their tags allow it. So it can be told which receive gets which message, whatever the speed of the ranks — unless
//! the receive takes messages from any source. Such receives are only counted, and what they left behind is only settled
//! by a call in which all ranks wait for each other: then every receive before it has got a message that was sent before
//! it, and as many receives as sends to each rank leave nothing under way.

use super::value::Sym;
use crate::dataflow::steps::TextPlace;
use std::collections::BTreeMap;

/// Between which ranks: communicator, sender, receiver.
type Pair = (usize, usize, usize);

/// Where something stands. It makes no difference to what is under way.
#[derive(Clone, Copy, Debug)]
struct At(TextPlace);

impl PartialEq for At {
    fn eq(&self, _: &At) -> bool {
        true
    }
}

/// A message, or a receive that waits for one.
#[derive(Clone, Debug)]
pub struct Half {
    /// Its tag; none: any.
    pub tag: Option<Sym>,
    /// Where it stands.
    pub place: TextPlace,
}

impl PartialEq for Half {
    fn eq(&self, other: &Half) -> bool {
        self.tag == other.tag
    }
}

/// A request: a variable, its element.
pub type Slot = (u64, Sym, i64);

/// What a persistent request does when it is started.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// Sends; otherwise it receives.
    pub sends: bool,
    /// Communicator and the other rank in the world; none: nobody.
    pub peer: Option<(usize, Option<usize>)>,
    /// The tag.
    pub tag: Option<Sym>,
    /// Where it stands.
    pub place: TextPlace,
}

/// All of one state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Messages {
    sent: BTreeMap<Pair, Vec<Half>>,
    posted: BTreeMap<Pair, Vec<Half>>,
    /// Receives from anybody: by communicator and receiver.
    open: BTreeMap<(usize, usize), Vec<At>>,
    /// Requests that are not complete, by rank.
    pending: BTreeMap<(usize, Slot), At>,
    /// How many of the requests of an array are complete, when nobody knows which.
    some_complete: BTreeMap<(usize, u64, Sym), usize>,
    templates: BTreeMap<(usize, Slot), Template>,
    /// Collective calls by communicator and rank, oldest first.
    collective: BTreeMap<(usize, usize), Vec<(String, At)>>,
    /// Windows and what is open in them, by rank.
    windows: BTreeMap<usize, At>,
}

impl Messages {
    /// A rank sends.
    pub fn send(&mut self, comm: usize, from: usize, to: usize, half: Half) {
        let waiting = self.posted.entry((comm, from, to)).or_default();
        let fits = |one: &Half| one.tag.is_none() || one.tag == half.tag;
        if let Some(at) = waiting.iter().position(fits) {
            waiting.remove(at);
        } else {
            self.sent.entry((comm, from, to)).or_default().push(half);
        }
        self.tidy();
    }

    /// A rank receives, or says that it will.
    pub fn receive(&mut self, comm: usize, from: usize, to: usize, half: Half) {
        let arrived = self.sent.entry((comm, from, to)).or_default();
        let fits = |one: &Half| half.tag.is_none() || one.tag == half.tag;
        if let Some(at) = arrived.iter().position(fits) {
            arrived.remove(at);
        } else {
            self.posted.entry((comm, from, to)).or_default().push(half);
        }
        self.tidy();
    }

    /// A rank receives from anybody.
    pub fn receive_any(&mut self, comm: usize, to: usize, place: TextPlace) {
        self.open.entry((comm, to)).or_default().push(At(place));
    }

    fn tidy(&mut self) {
        self.sent.retain(|_, all| !all.is_empty());
        self.posted.retain(|_, all| !all.is_empty());
    }

    /// All ranks have waited for each other.
    pub fn meet(&mut self) {
        let receivers: Vec<(usize, usize)> = self.open.keys().copied().collect();
        for (number, to) in receivers {
            let count = |all: &BTreeMap<Pair, Vec<Half>>| -> usize {
                let to_it = all.iter().filter(|((c, _, t), _)| *c == number && *t == to);
                to_it.map(|(_, all)| all.len()).sum()
            };
            let waiting = count(&self.posted) + self.open[&(number, to)].len();
            let is_pending = self.pending.keys().any(|(rank, _)| *rank == to);
            if count(&self.sent) == waiting && !is_pending {
                self.sent.retain(|(c, _, t), _| *c != number || *t != to);
                self.posted.retain(|(c, _, t), _| *c != number || *t != to);
                self.open.remove(&(number, to));
            }
        }
    }

    /// A request is begun.
    pub fn begin(&mut self, rank: usize, slot: Slot, place: TextPlace) {
        let mut slot = slot;
        if self.pending.contains_key(&(rank, slot)) {
            // It was one of those that are complete, or it is lost now and never will be.
            if !self.one_less((rank, slot.0, slot.1)) {
                slot.2 = -1 - self.pending.len() as i64;
            }
        }
        self.pending.insert((rank, slot), At(place));
    }

    /// Of the requests that are complete without being known, one less is unknown.
    fn one_less(&mut self, key: (usize, u64, Sym)) -> bool {
        let Some(done) = self.some_complete.get_mut(&key) else {
            return false;
        };
        *done -= 1;
        if *done == 0 {
            self.some_complete.remove(&key);
        }
        true
    }

    /// Requests are complete: `count` from this one on.
    pub fn complete(&mut self, rank: usize, first: Slot, count: i64) {
        for _ in 0..self.count_pending(rank, first, count) {
            self.one_less((rank, first.0, first.1));
        }
        self.remove(rank, first, count);
    }

    /// One of these requests is complete, nobody knows which.
    pub fn complete_one(&mut self, rank: usize, first: Slot, count: i64) {
        let pending = self.count_pending(rank, first, count);
        let key = (rank, first.0, first.1);
        let done = self.some_complete.entry(key).or_default();
        *done += 1;
        if *done >= pending {
            self.some_complete.remove(&key);
            self.remove(rank, first, count);
        }
    }

    fn remove(&mut self, rank: usize, first: Slot, count: i64) {
        let last = first.2.saturating_add(count);
        self.pending.retain(|(of, slot), _| {
            *of != rank
                || (slot.0, slot.1) != (first.0, first.1)
                || slot.2 < first.2
                || slot.2 >= last
        });
    }

    /// How many of these requests of a rank are not complete.
    pub fn count_pending(&self, rank: usize, first: Slot, count: i64) -> usize {
        let last = first.2.saturating_add(count);
        let keys = self.pending.keys();
        keys.filter(|(of, slot)| {
            *of == rank
                && (slot.0, slot.1) == (first.0, first.1)
                && slot.2 >= first.2
                && slot.2 < last
        })
        .count()
    }

    /// A persistent request is made.
    pub fn prepare(&mut self, rank: usize, slot: Slot, template: Template) {
        self.templates.insert((rank, slot), template);
    }

    /// A persistent request.
    pub fn template(&self, rank: usize, slot: Slot) -> Option<&Template> {
        self.templates.get(&(rank, slot))
    }

    /// Ranks call a collective function; `group`: all that must.
    pub fn collective(
        &mut self,
        comm: usize,
        name: &str,
        place: TextPlace,
        callers: &[usize],
        groups: &[Vec<usize>],
    ) -> Result<(), TextPlace> {
        for &rank in callers {
            let queue = self.collective.entry((comm, rank)).or_default();
            queue.push((name.to_string(), At(place)));
        }
        for group in groups {
            while let Some(first) = self.front(comm, group)? {
                for rank in group {
                    if let Some(queue) = self.collective.get_mut(&(comm, *rank)) {
                        queue.remove(0);
                    }
                }
                let _ = first;
            }
        }
        self.collective.retain(|_, queue| !queue.is_empty());
        Ok(())
    }

    /// The oldest call of all members, when each has one; an error when they are not the same.
    fn front(&self, comm: usize, group: &[usize]) -> Result<Option<String>, TextPlace> {
        let mut found: Option<&str> = None;
        for rank in group {
            let queue = self.collective.get(&(comm, *rank));
            let Some((name, place)) = queue.and_then(|queue| queue.first()) else {
                return Ok(None);
            };
            if *found.get_or_insert(name) != name {
                return Err(place.0);
            }
        }
        Ok(found.map(str::to_string))
    }

    /// A window is open for others on a rank.
    pub fn open_window(&mut self, rank: usize, place: TextPlace) {
        self.windows.insert(rank, At(place));
    }

    /// No window is open on a rank any more.
    pub fn close_window(&mut self, rank: usize) {
        self.windows.remove(&rank);
    }

    /// Why this is no place for a checkpoint.
    pub fn trouble(&self) -> Option<(&'static str, Vec<TextPlace>)> {
        let places = |all: &BTreeMap<Pair, Vec<Half>>| -> Vec<TextPlace> {
            let mut places: Vec<TextPlace> = all.values().flatten().map(|one| one.place).collect();
            places.sort();
            places.dedup();
            places
        };
        let each = |mut all: Vec<TextPlace>| {
            all.sort();
            all.dedup();
            all
        };
        if !self.collective.is_empty() {
            let all = self.collective.values().flatten().map(|(_, place)| place.0);
            return Some((
                "Some ranks have not come yet to a collective call that others have made.",
                each(all.collect()),
            ));
        }
        if !self.open.is_empty() {
            let all = self.open.values().flatten().map(|at| at.0);
            return Some((
                "A receive from any source may get a message that is sent after this place: after it no call in which all ranks wait for each other has come yet.",
                each(all.collect()),
            ));
        }
        if !self.sent.is_empty() {
            return Some((
                "A message that is sent may not have been received here.",
                places(&self.sent),
            ));
        }
        if !self.posted.is_empty() {
            return Some(("A receive waits here for a message.", places(&self.posted)));
        }
        if !self.pending.is_empty() {
            let all = self.pending.values().map(|at| at.0);
            return Some(("A request is not complete here.", each(all.collect())));
        }
        if !self.windows.is_empty() {
            let all = self.windows.values().map(|at| at.0);
            return Some(("Other ranks may access a window here.", each(all.collect())));
        }
        None
    }

    /// Whether that is so in any case. What a receive from any source gets is not known.
    pub fn is_certain(&self) -> bool {
        !self.collective.is_empty() || self.open.is_empty()
    }
}
