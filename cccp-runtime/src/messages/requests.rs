//! Requests of this process that are not complete.
//!
//! Their handles are the library's: it may give the same one to several that were complete at once, and a new one the
//! handle of another that has just ended. So a handle stands for a row of requests, which are told apart by where the program has
//! them; what comes back after a receive is always a handle of its own, because it tells who sent.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::tally::{Dropped, Member, Tally, tally};

/// What starting or completing a request counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A message is sent when it starts.
    Sends,
    /// A message has been received when it is complete.
    Receives,
    /// A collective call is made when it starts.
    Collective,
    /// Nothing: there is nobody at the other end.
    Nothing,
}

/// What a request does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The function that made it.
    pub call: &'static str,
    /// What it counts.
    pub effect: Effect,
    /// Where.
    pub member: Member,
    /// The rank at the other end; none for any.
    pub peer: Option<i32>,
    /// Of the message; none for any.
    pub tag: Option<i32>,
}

impl Request {
    /// By the name of its function, as `MPI_Isend` and `MPI_Send_init` are.
    fn is_send(&self) -> bool {
        self.call.trim_end_matches("_init").ends_with("send")
    }
}

/// A request of which MPI says that it is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Complete {
    /// Its handle.
    pub handle: usize,
    /// Of the message, if it receives.
    pub source: i32,
    /// The same.
    pub tag: i32,
}

impl fmt::Display for Request {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.effect {
            Effect::Sends => "to",
            Effect::Receives => "from",
            Effect::Collective | Effect::Nothing => return out.write_str(self.call),
        };
        match self.peer {
            Some(peer) => write!(out, "{} {word} rank {peer}", self.call)?,
            None => write!(out, "{} {word} any rank", self.call)?,
        }
        match self.tag {
            Some(tag) => write!(out, ", tag {tag}"),
            None => write!(out, ", any tag"),
        }
    }
}

/// What is in flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InFlight {
    /// How many requests.
    pub count: u64,
    /// One of them.
    pub example: Option<Request>,
}

/// A handle, and where the program has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// As a number.
    pub handle: usize,
    /// An address; 0 where that is not known.
    pub at: usize,
}

impl From<usize> for Held {
    fn from(handle: usize) -> Held {
        Held { handle, at: 0 }
    }
}

/// A handle that the program has.
#[derive(Debug)]
struct Slot {
    request: Request,
    /// Where the program has it.
    at: usize,
    /// It is started again and again.
    persistent: bool,
    active: bool,
    /// All with this handle are what was sent, complete, and have been taken out of flight; the program has not asked.
    settled: bool,
    /// Others with this handle, all active, and where.
    others: Vec<(Request, usize)>,
}

impl Slot {
    /// Of a request that was started.
    fn active(request: Request, at: usize) -> Slot {
        Slot {
            request,
            at,
            persistent: false,
            active: true,
            settled: false,
            others: Vec::new(),
        }
    }

    /// Whether it is active, and has not been taken out of flight.
    fn is_in_flight(&self) -> bool {
        self.active && !self.settled
    }

    /// Whether nothing comes of any request with this handle.
    fn sends_only(&self) -> bool {
        let others = self.others.iter().map(|(request, _)| request);
        let mut all = std::iter::once(&self.request).chain(others);
        all.all(|one| one.effect == Effect::Sends || one.effect == Effect::Nothing && one.is_send())
    }

    /// Whether it is one that receives, and is not started again.
    fn receives_once(&self) -> bool {
        let one = &self.request;
        let receives =
            one.effect == Effect::Receives || one.effect == Effect::Nothing && !one.is_send();
        receives && !self.persistent && self.others.is_empty()
    }
}

/// The requests of a process.
#[derive(Debug, Default)]
pub struct Requests {
    slots: HashMap<usize, Slot>,
    /// The handle of the active request that was stored last at each address.
    stored: HashMap<usize, usize>,
    /// Receives whose handles were given away: nobody hears of them any more.
    lost: Vec<Request>,
    active: u64,
}

/// Those of this process.
static REQUESTS: Mutex<Option<Requests>> = Mutex::new(None);

/// Lets `work` use the requests of this process.
pub fn requests<T>(work: impl FnOnce(&mut Requests, &Tally) -> T) -> T {
    let mut guard: MutexGuard<Option<Requests>> =
        REQUESTS.lock().unwrap_or_else(PoisonError::into_inner);
    work(guard.get_or_insert_default(), tally())
}

impl Requests {
    /// A request was started, under this handle.
    pub fn started(&mut self, tally: &Tally, held: impl Into<Held>, request: Request) {
        let Held { handle, at } = held.into();
        begins(tally, &request);
        self.active += 1;
        if at != 0 {
            self.stored.insert(at, handle);
        }
        match self.slots.entry(handle) {
            Entry::Vacant(place) => {
                place.insert(Slot::active(request, at));
            }
            Entry::Occupied(mut place) => {
                let slot = place.get_mut();
                // What is new is looked at with the others.
                if std::mem::take(&mut slot.settled) {
                    self.active += 1 + slot.others.len() as u64;
                }
                slot.others.push((request, at));
            }
        }
    }

    /// The program, which copies no handle, has a new request where another one was: nobody asks for that any more. What it sends goes on, as
    /// if its handle had been given away. What it receives stays in flight.
    pub fn overwritten(&mut self, at: usize) {
        let Some(&handle) = self.stored.get(&at) else {
            return;
        };
        let Some(slot) = self.slots.get(&handle) else {
            return;
        };
        let mut others = slot.others.iter();
        let sends = match slot.at == at {
            true => !slot.persistent && slot.request.is_send(),
            false => others.any(|(one, place)| *place == at && one.is_send()),
        };
        if sends {
            self.ends(Held { handle, at });
        }
    }

    /// A persistent request was made; it is not started yet.
    pub fn prepared(&mut self, handle: usize, request: Request) {
        self.slots.insert(
            handle,
            Slot {
                request,
                at: 0,
                persistent: true,
                active: false,
                settled: false,
                others: Vec::new(),
            },
        );
    }

    /// A persistent request is started.
    pub fn starts(&mut self, tally: &Tally, handle: usize) {
        if let Some(slot) = self.slots.get_mut(&handle)
            && !std::mem::replace(&mut slot.active, true)
        {
            self.active += 1;
            begins(tally, &slot.request);
        }
    }

    /// A request is complete: a message of this rank with this tag, if it is a receive.
    pub fn completed(&mut self, tally: &Tally, held: impl Into<Held>, source: i32, tag: i32) {
        if let Some(request) = self.ends(held.into())
            && request.effect == Effect::Receives
        {
            tally.received(&request.member, source, tag);
        }
    }

    /// A request was cancelled, and is complete. Nothing has come; what was sent counts as never received, so that no restart is made after it.
    pub fn cancelled(&mut self, held: impl Into<Held>) {
        self.ends(held.into());
    }

    /// The program gives a handle away. What it sends goes on; what it receives is never heard of.
    pub fn freed(&mut self, handle: usize) {
        if let Some(slot) = self.slots.get_mut(&handle) {
            slot.persistent = false;
            let request = slot.request;
            if !slot.active {
                self.slots.remove(&handle);
            } else if request.effect == Effect::Receives {
                self.ends(handle.into());
                self.lost.push(request);
            } else {
                self.ends(handle.into());
            }
        }
    }

    /// The handles of what is in flight.
    pub fn asked(&self) -> Vec<usize> {
        let active = self.slots.iter().filter(|(_, slot)| slot.is_in_flight());
        active.map(|(&handle, _)| handle).collect()
    }

    /// Takes out of flight what is complete, although the program has not asked. Receives only where it never asks any more for a
    /// request that there is now; sends only where it cannot tell either, or where a restart makes complete ones: `MPI_Waitany` would say
    /// something else of none.
    pub fn settle(&mut self, tally: &Tally, dropped: Dropped, complete: &[Complete]) {
        for one in complete {
            let Some(slot) = self.slots.get_mut(&one.handle) else {
                continue;
            };
            if dropped == Dropped::Remade {
                if slot.is_in_flight() && slot.sends_only() && !slot.persistent {
                    slot.settled = true;
                    self.active -= 1 + slot.others.len() as u64;
                }
            } else if slot.sends_only() {
                while self.slots.get(&one.handle).is_some_and(|slot| slot.active) {
                    self.ends(one.handle.into());
                }
            } else if dropped == Dropped::All && slot.receives_once() {
                self.completed(tally, one.handle, one.source, one.tag);
            }
        }
    }

    /// Whether a handle is one of what was sent, complete, and taken out of flight.
    pub fn is_settled(&self, handle: usize) -> bool {
        self.slots.get(&handle).is_some_and(|slot| slot.settled)
    }

    /// A restart has made one that stands for a complete send.
    pub fn remade(&mut self, handle: usize, request: Request) {
        match self.slots.entry(handle) {
            Entry::Vacant(place) => {
                place.insert(Slot {
                    settled: true,
                    ..Slot::active(request, 0)
                });
            }
            Entry::Occupied(mut place) => {
                let slot = place.get_mut();
                self.active += u64::from(!slot.settled);
                slot.others.push((request, 0));
            }
        }
    }

    /// What is in flight now.
    pub fn in_flight(&self) -> InFlight {
        let active = self.slots.values().filter(|slot| slot.is_in_flight());
        let all = active
            .map(|slot| slot.request)
            .chain(self.lost.iter().copied());
        InFlight {
            count: self.active + self.lost.len() as u64,
            // The same one each time it is asked for, whatever the handles.
            example: all.min_by_key(|one| (one.call, one.peer, one.tag, one.member.id)),
        }
    }

    /// Takes one of the requests with this handle out of flight: the one that the program has there, if that is known.
    fn ends(&mut self, held: Held) -> Option<Request> {
        let Held { handle, at } = held;
        let Entry::Occupied(mut place) = self.slots.entry(handle) else {
            return None;
        };
        let slot = place.get_mut();
        if !slot.active {
            return None;
        }
        if !slot.settled {
            self.active -= 1;
        }
        // Those that a restart has made may be anywhere.
        let is_at = |wanted: usize| slot.others.iter().position(|(_, other)| *other == wanted);
        if slot.at != at
            && let Some(there) = is_at(at).or_else(|| is_at(0).filter(|_| slot.at != 0))
        {
            self.stored.remove(&at);
            return Some(slot.others.remove(there).0);
        }
        let request = slot.request;
        self.stored.remove(&slot.at);
        if slot.persistent {
            slot.active = false;
        } else if slot.others.is_empty() {
            place.remove();
        } else {
            (slot.request, slot.at) = slot.others.remove(0);
        }
        Some(request)
    }
}

/// What counts when a request starts.
fn begins(tally: &Tally, request: &Request) {
    match (request.effect, request.peer, request.tag) {
        (Effect::Sends, Some(peer), Some(tag)) => tally.sent(&request.member, peer, tag),
        (Effect::Collective, ..) => tally.collective(&request.member),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Member = Member {
        id: 9,
        rank: 1,
        size: 4,
    };
    const THERE: Member = Member {
        id: 9,
        rank: 0,
        size: 4,
    };

    fn request(effect: Effect, peer: Option<i32>, tag: Option<i32>) -> Request {
        let call = match effect {
            Effect::Sends => "MPI_Isend",
            Effect::Receives => "MPI_Irecv",
            _ => "MPI_Ibarrier",
        };
        Request {
            call,
            effect,
            member: HERE,
            peer,
            tag,
        }
    }

    #[test]
    fn a_receive_counts_when_it_is_complete_with_what_it_received() {
        let (mut requests, tally) = (Requests::default(), Tally::new());
        requests.started(&tally, 64, request(Effect::Receives, None, None));
        assert_eq!((tally.number(), requests.in_flight().count), (0, 1));
        let words = requests.in_flight().example.unwrap().to_string();
        assert_eq!(words, "MPI_Irecv from any rank, any tag");
        tally.sent(&THERE, 1, 3);
        requests.completed(&tally, 64, 0, 3);
        assert_eq!((tally.number(), requests.in_flight().count), (0, 0));
        requests.completed(&tally, 64, 0, 3);
        assert_eq!(tally.number(), 0, "a handle that nobody has");
    }

    #[test]
    fn requests_that_share_a_handle_are_each_in_flight() {
        let (mut requests, tally) = (Requests::default(), Tally::new());
        for effect in [Effect::Sends, Effect::Nothing, Effect::Sends] {
            requests.started(&tally, 8, request(effect, Some(0), Some(5)));
        }
        let words = requests.in_flight().example.unwrap().to_string();
        assert_eq!(words, "MPI_Isend to rank 0, tag 5");
        for left in [2, 1, 0] {
            requests.completed(&tally, 8, -1, -1);
            assert_eq!(requests.in_flight().count, left);
        }
        for _ in 0..2 {
            tally.received(&THERE, 1, 5);
        }
        // Both ends are counted by one process here.
        assert_eq!(tally.number(), 0);
    }

    #[test]
    fn a_persistent_request_is_in_flight_between_start_and_completion() {
        let (mut requests, tally) = (Requests::default(), Tally::new());
        requests.prepared(8, request(Effect::Receives, Some(0), Some(2)));
        requests.completed(&tally, 8, 0, 2);
        assert_eq!((tally.number(), requests.in_flight().count), (0, 0));
        for _ in 0..3 {
            requests.starts(&tally, 8);
            requests.starts(&tally, 8);
            assert_eq!(requests.in_flight().count, 1);
            tally.sent(&THERE, 1, 2);
            requests.completed(&tally, 8, 0, 2);
            assert_eq!((tally.number(), requests.in_flight().count), (0, 0));
        }
        requests.freed(8);
        requests.starts(&tally, 8);
        assert_eq!(requests.in_flight().count, 0);
    }

    #[test]
    fn a_receive_that_is_given_away_is_under_way_for_ever_and_a_send_is_not() {
        let (mut requests, tally) = (Requests::default(), Tally::new());
        requests.started(&tally, 8, request(Effect::Sends, Some(0), Some(2)));
        requests.freed(8);
        assert_eq!(requests.in_flight().count, 0);
        requests.started(&tally, 8, request(Effect::Receives, Some(0), Some(2)));
        requests.freed(8);
        requests.started(&tally, 8, request(Effect::Sends, Some(0), Some(2)));
        requests.completed(&tally, 8, 0, 2);
        assert_eq!(requests.in_flight().count, 1);
    }

    fn complete(handle: usize) -> Complete {
        Complete {
            handle,
            source: 0,
            tag: 5,
        }
    }

    #[test]
    fn a_send_that_is_complete_is_not_in_flight_although_nobody_asks() {
        let (mut requests, tally) = (Requests::default(), Tally::new());
        requests.started(&tally, 8, request(Effect::Sends, Some(0), Some(5)));
        requests.started(&tally, 8, request(Effect::Sends, Some(0), Some(5)));
        requests.started(&tally, 16, request(Effect::Sends, Some(0), Some(5)));
        requests.settle(&tally, Dropped::Sends, &[complete(8)]);
        assert_eq!(requests.asked(), [16]);
        requests.completed(&tally, 8, -1, -1);
        requests.settle(&tally, Dropped::All, &[complete(16)]);
        assert_eq!(requests.in_flight().count, 0);
    }

    #[test]
    fn a_complete_send_that_comes_back_is_not_in_flight_and_is_known_until_the_program_asks() {
        let (mut requests, tally) = (Requests::default(), Tally::new());
        let held = |handle, at| Held { handle, at };
        let send = request(Effect::Sends, Some(0), Some(5));
        requests.prepared(24, send);
        requests.starts(&tally, 24);
        for at in [100, 200] {
            requests.started(&tally, held(8, at), send);
        }
        requests.started(&tally, held(16, 300), send);
        requests.settle(&tally, Dropped::Remade, &[complete(8), complete(24)]);
        assert_eq!((requests.in_flight().count, requests.asked().len()), (2, 2));
        assert!(requests.is_settled(8) && !requests.is_settled(16) && !requests.is_settled(24));
        // Another one with the handle.
        requests.started(&tally, held(8, 400), send);
        assert_eq!(requests.in_flight().count, 5);
        requests.settle(&tally, Dropped::Remade, &[complete(8)]);
        assert_eq!(requests.in_flight().count, 2);
        for at in [200, 100, 400] {
            assert!(requests.is_settled(8));
            requests.completed(&tally, held(8, at), -1, -1);
        }
        assert!(!requests.is_settled(8));
        requests.completed(&tally, held(16, 300), -1, -1);
        requests.completed(&tally, held(24, 0), -1, -1);
        assert_eq!(requests.in_flight().count, 0);
    }

    #[test]
    fn what_a_restart_has_made_ends_before_what_has_the_same_handle() {
        let (mut requests, tally) = (Requests::default(), Tally::new());
        let held = |handle, at| Held { handle, at };
        let nothing = request(Effect::Nothing, None, None);
        let send = Request {
            call: "MPI_Isend",
            ..nothing
        };
        requests.remade(8, send);
        requests.remade(8, send);
        assert_eq!(requests.in_flight().count, 0);
        requests.started(&tally, held(8, 100), nothing);
        assert_eq!(requests.in_flight().count, 3);
        for left in [2, 1] {
            requests.completed(&tally, held(8, 200), -1, -1);
            assert_eq!(requests.in_flight().count, left);
        }
        assert_eq!(requests.in_flight().example, Some(nothing));
    }

    #[test]
    fn a_receive_that_is_complete_is_received_although_nobody_asks() {
        let (mut requests, tally) = (Requests::default(), Tally::new());
        tally.sent(&THERE, 1, 5);
        requests.started(&tally, 8, request(Effect::Receives, Some(0), None));
        requests.settle(&tally, Dropped::All, &[]);
        requests.settle(&tally, Dropped::Sends, &[complete(8)]);
        assert_eq!(requests.in_flight().count, 1);
        requests.settle(&tally, Dropped::All, &[complete(8)]);
        assert_eq!((tally.number(), requests.in_flight().count), (0, 0));
        requests.started(&tally, 8, request(Effect::Collective, None, None));
        requests.settle(&tally, Dropped::All, &[complete(8)]);
        assert_eq!(requests.in_flight().count, 1);
    }

    #[test]
    fn a_send_is_not_in_flight_when_something_else_starts_where_it_was() {
        let (mut requests, tally) = (Requests::default(), Tally::new());
        let held = |handle, at| Held { handle, at };
        // The library gives the handle 8 to all that are complete at once, as what there is nobody to receive from.
        for _ in 0..3 {
            requests.started(
                &tally,
                held(8, 100),
                request(Effect::Sends, Some(0), Some(5)),
            );
            requests.overwritten(100);
            requests.started(&tally, held(8, 100), request(Effect::Nothing, None, None));
            requests.started(
                &tally,
                held(16, 200),
                request(Effect::Sends, Some(0), Some(5)),
            );
            requests.overwritten(200);
            requests.started(&tally, held(24, 200), request(Effect::Receives, None, None));
            requests.overwritten(200);
            assert_eq!(requests.in_flight().count, 2);
            requests.completed(&tally, held(24, 200), 0, 5);
            requests.completed(&tally, held(8, 100), -1, -1);
            assert_eq!(requests.in_flight().count, 0);
        }
    }

    #[test]
    fn of_requests_that_share_a_handle_the_one_at_that_place_is_complete() {
        let (mut requests, tally) = (Requests::default(), Tally::new());
        for (at, call) in [(100, "MPI_Irecv"), (200, "MPI_Isend"), (300, "MPI_Issend")] {
            let one = Request {
                call,
                ..request(Effect::Nothing, None, None)
            };
            requests.started(&tally, Held { handle: 8, at }, one);
        }
        requests.completed(&tally, Held { handle: 8, at: 300 }, -1, -1);
        requests.completed(&tally, Held { handle: 8, at: 200 }, -1, -1);
        assert_eq!(requests.in_flight().example.unwrap().call, "MPI_Irecv");
        // A copy of the handle, at another place.
        requests.completed(&tally, Held { handle: 8, at: 400 }, -1, -1);
        assert_eq!(requests.in_flight().count, 0);
    }

    #[test]
    fn a_persistent_send_that_is_settled_can_be_started_again() {
        let (mut requests, tally) = (Requests::default(), Tally::new());
        requests.prepared(8, request(Effect::Sends, Some(0), Some(5)));
        for _ in 0..2 {
            requests.starts(&tally, 8);
            assert_eq!(requests.in_flight().count, 1);
            requests.settle(&tally, Dropped::All, &[complete(8)]);
            assert_eq!(requests.in_flight().count, 0);
        }
    }
}
