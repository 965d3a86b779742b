//! Checkpoints that the program passes: counted, and asked about when it is their turn.
//!
//! In: the counter of a place in the text, and what its clause says. Out: whether a checkpoint is taken. The program itself
//! counts, and comes here only when the counter has reached `look`, or `cccp_due` is set: by the timer, by a signal.

use std::ffi::{c_int, c_ulong};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::mirror::Place;
use super::signals;
use super::state::{KeepsErrno, directive};
use super::statics::{cccp_calls, cccp_due, cccp_turns};
use super::{children, threads};
use crate::session::{Passing, Session};

/// Checkpoints may be taken.
static RUNNING: AtomicBool = AtomicBool::new(false);
/// None will be taken in this run: nobody has to ask.
static OFF: AtomicBool = AtomicBool::new(false);
/// What the setting `every` says: [`CLAUSES`] when there is none.
static EVERY: AtomicU64 = AtomicU64::new(CLAUSES);
const CLAUSES: u64 = u64::MAX;
/// What the setting `spread` says.
static SPREAD: AtomicU64 = AtomicU64::new(0);

/// From here on checkpoints are counted.
pub fn begin(every: Option<u64>, spread: u64) {
    EVERY.store(every.unwrap_or(CLAUSES), Ordering::Relaxed);
    SPREAD.store(spread, Ordering::Relaxed);
    OFF.store(false, Ordering::Relaxed);
    RUNNING.store(true, Ordering::Relaxed);
    cccp_due.store(1, Ordering::SeqCst);
}

/// In this run none is taken.
pub fn switch_off() {
    OFF.store(true, Ordering::Relaxed);
}

/// From here on none is taken.
pub fn end() {
    RUNNING.store(false, Ordering::Relaxed);
    cccp_due.store(0, Ordering::SeqCst);
}

/// Every how many calls of a place with this clause (0 = none) a checkpoint is taken; 0 when calls do not matter.
pub fn every(clause: u64) -> u64 {
    match EVERY.load(Ordering::Relaxed) {
        CLAUSES => clause,
        every => every,
    }
}

/// Of the turns of a place up to this one, every how many is taken, where so many are to be until their number doubles; 0: all.
fn step(turn: u64, spread: u64) -> u64 {
    match turn.checked_div(spread) {
        None => 1,
        Some(_) => { turn.div_ceil(spread).checked_next_power_of_two() }.unwrap_or(1 << 63),
    }
}

/// The first turn behind this one that is taken.
fn next_turn(turn: u64, spread: u64) -> Option<u64> {
    let next = turn.checked_add(1)?;
    next.checked_next_multiple_of(step(next, spread))
}

/// Whether a checkpoint is taken at this call of a place, every how many `every` says.
pub fn is_turn(every: u64, calls: u64) -> bool {
    let spread = SPREAD.load(Ordering::Relaxed);
    let is_taken = |turn: u64| turn.is_multiple_of(step(turn, spread));
    every != 0 && calls.is_multiple_of(every) && is_taken(calls / every)
}

/// Every how many calls of a place with this clause one is taken, and at which call to ask again; when to ask again where none is
/// taken at all.
pub fn every_next(clause: u64, calls: u64) -> Result<(u64, c_ulong), c_ulong> {
    if !RUNNING.load(Ordering::Relaxed) {
        let off = OFF.load(Ordering::Relaxed);
        return Err(if off { c_ulong::MAX } else { 0 });
    }
    let every = every(clause);
    let next = match every {
        0 => None,
        _ => { next_turn(calls / every, SPREAD.load(Ordering::Relaxed)) }
            .and_then(|turn| turn.checked_mul(every)),
    };
    let next = next.and_then(|next| c_ulong::try_from(next).ok());
    Ok((every, next.unwrap_or(c_ulong::MAX)))
}

/// Whether a checkpoint is to be taken at the n-th call of a place (its address, or its number by hand), or, where threads have to be
/// told before, so many calls of all places later.
pub fn ask(session: &mut Session, at: usize, calls: u64, every: u64, ahead: Option<u64>) -> bool {
    if !RUNNING.load(Ordering::Relaxed) {
        return false;
    }
    signals::look();
    // What is asked from here on is asked of the next call.
    cccp_due.store(0, Ordering::SeqCst);
    let passing = Passing {
        at,
        by_calls: is_turn(every, calls),
        with_threads: ahead.is_some(),
    };
    let (calls, turns) = (
        cccp_calls.load(Ordering::Relaxed),
        cccp_turns.load(Ordering::Relaxed),
    );
    let is_due = session.is_due(passing, calls + ahead.unwrap_or(0), turns, every);
    if session.when.looks_at_the_next() || session.places.looks_at_the_next() {
        cccp_due.store(1, Ordering::SeqCst);
    }
    is_due
}

/// Whether to take a checkpoint at a place that the program passes.
///
/// # Safety
///
/// As cccp.h says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_tick(place: *mut Place, clause: u64) -> c_int {
    let _errno = KeepsErrno::new();
    let at = place.addr();
    // SAFETY: the promise of the caller: the counter of the place, which no other thread uses.
    let place = unsafe { &mut *place };
    let calls = place.calls as usize as u64;
    let is_first = place.look == 0;
    let (every, next) = match every_next(clause, calls) {
        Ok(found) => found,
        Err(look) => {
            (place.calls, place.look) = (0, look);
            return 0;
        }
    };
    place.look = next;
    let is_turn = is_turn(every, calls);
    if !is_turn && !is_first && cccp_due.load(Ordering::SeqCst) == 0 {
        return 0;
    }
    if threads::are_there() || children::are_awaited() {
        place.look = if is_first { 0 } else { next };
        return 0;
    }
    c_int::from(directive(false, |session| {
        Ok(ask(session, at, calls, every, None))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_with_many_calls_has_few_checkpoints_and_one_with_few_calls_all() {
        let turns = |spread: u64, most: u64| {
            let next = |turn: &u64| next_turn(*turn, spread);
            let turns = std::iter::successors(next(&0), next);
            turns.take_while(|turn| *turn <= most).collect::<Vec<_>>()
        };
        assert_eq!(turns(0, 5), [1, 2, 3, 4, 5]);
        assert_eq!(turns(4, 4), [1, 2, 3, 4]);
        assert_eq!(turns(4, 40), [1, 2, 3, 4, 6, 8, 12, 16, 24, 32]);
        assert_eq!(turns(32, 1_000_000).len(), 32 + 14 * 16 + 14);
        for spread in [0, 1, 3, 4, 32] {
            let taken = |turn: &u64| turn.is_multiple_of(step(*turn, spread));
            let all: Vec<u64> = (1..=500).filter(taken).collect();
            assert_eq!(turns(spread, 500), all);
        }
        assert_eq!(next_turn(u64::MAX, 4), None);
    }
}
