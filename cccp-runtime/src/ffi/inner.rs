//! Regions inside of the outermost one whose threads come to checkpoints.
//!
//! With one thread such a region is like any other call: its barriers hold nobody up, and its thread is that of the team around it.
//! With several its threads are more of those that stop, where all of them say to which barriers they come ([`super::line`]). Elsewhere no
//! checkpoint is taken in it: the others of its team are none of those that meet.

use std::cell::RefCell;
use std::ffi::c_int;
use std::sync::atomic::Ordering;

use super::counters::cell;
use super::mirror::Team;
use crate::trigger::Inside;

/// What the thread of a region is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The only one.
    Alone,
    /// One of several that stop at checkpoints: of which team, and its number there.
    Member(Inside, usize),
    /// One of several among which no checkpoint is taken.
    AmongOthers,
}

/// A region that this thread is in.
struct Inner {
    team: *mut Team,
    kind: Kind,
    /// How many `single` constructs it has come to.
    singles: usize,
}

thread_local! {
    /// The innermost one is the last.
    static INSIDE: RefCell<Vec<Inner>> = const { RefCell::new(Vec::new()) };
}

/// This thread enters a region.
pub fn entered(team: *mut Team, kind: Kind) {
    let one = Inner {
        team,
        kind,
        singles: 0,
    };
    INSIDE.with_borrow_mut(|all| all.push(one));
}

/// It leaves the innermost one.
pub fn left() -> Option<Kind> {
    INSIDE.with_borrow_mut(|all| all.pop().map(|one| one.kind))
}

/// In how many it is.
pub fn depth() -> usize {
    INSIDE.with_borrow(Vec::len)
}

/// Whether barriers of the innermost one are none at which threads stop.
pub fn is_apart() -> bool {
    let kind = INSIDE.with_borrow(|all| all.last().map(|one| one.kind));
    matches!(kind, Some(Kind::Alone | Kind::AmongOthers))
}

/// Whether it is in one with several threads in which no checkpoint is taken.
pub fn is_among_others() -> bool {
    INSIDE.with_borrow(|all| all.iter().any(|one| one.kind == Kind::AmongOthers))
}

/// Whether this thread executes the `single` that it comes to in the innermost one; none outside of all.
pub fn single() -> Option<c_int> {
    INSIDE.with_borrow_mut(|all| {
        let one = all.last_mut()?;
        let own = one.singles;
        one.singles += 1;
        // SAFETY: the team lives on the stack of the thread that entered the region, and that waits for all at its end.
        let given = cell(unsafe { &raw const (*one.team).singles } as usize);
        let won = given.compare_exchange(own, own + 1, Ordering::SeqCst, Ordering::SeqCst);
        Some(c_int::from(won.is_ok()))
    })
}
