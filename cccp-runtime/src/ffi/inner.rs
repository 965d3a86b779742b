//! Regions inside of the outermost one whose threads come to checkpoints.
//!
//! With one thread such a region is like any other call: its barriers hold nobody up, and its thread is that of the team around it.
//! With several no checkpoint is taken in it: the others of its team are none of those that meet.

use std::cell::RefCell;
use std::ffi::c_int;
use std::sync::atomic::Ordering;

use super::mirror::Team;
use super::team::cell;

/// A region that this thread is in.
struct Inner {
    team: *mut Team,
    threads: u64,
    /// How many `single` constructs it has come to.
    singles: usize,
}

thread_local! {
    /// The innermost one is the last.
    static INSIDE: RefCell<Vec<Inner>> = const { RefCell::new(Vec::new()) };
}

/// This thread enters a region of so many.
pub fn entered(team: *mut Team, threads: u64) {
    let one = Inner {
        team,
        threads,
        singles: 0,
    };
    INSIDE.with_borrow_mut(|all| all.push(one));
}

/// It leaves the innermost one.
pub fn left() {
    INSIDE.with_borrow_mut(|all| all.pop());
}

/// Whether it is in one.
pub fn is_inside() -> bool {
    INSIDE.with_borrow(|all| !all.is_empty())
}

/// Whether it is in one with several threads.
pub fn is_among_others() -> bool {
    INSIDE.with_borrow(|all| all.iter().any(|one| one.threads > 1))
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
