//! Part 2 of cccp.h: checkpoints in parallel regions, and the ends of restarts there.
//!
//! In: threads that pass places, stand at checkpoints or come to the end of a restart. The initial thread announces a meeting of all
//! ([`GATHERING`]); where they come unequally often they form a line ([`line`]).

use std::ffi::{c_int, c_ulong};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::counters::cell;
use super::directives::{comes_to_checkpoint, is_for_us, taken};
use super::inner;
use super::line;
use super::locks;
use super::mirror::{Frame, Thread, ThreadPlace};
use super::places;
use super::stands::{Stand, places_of, same_place};
use super::state::{KeepsErrno, directive, stop};
use super::statics::{cccp_calls, cccp_due, cccp_turns};
use super::team::{Asked, CREW, GATHERING, count_calls, is_line, member, with};
use crate::memory::controls;
use crate::session::Session;
use crate::settings::Protocol;
use crate::trigger::{Meeting, Missed};

/// So many checkpoints ahead a meeting is announced to the other threads.
const AHEAD: u64 = 4;
/// A thread is waited for as long as so many checkpoints took it so far, and at least so long.
const TIMES: u32 = 20;
const PATIENCE: Duration = Duration::from_secs(2);
/// It is halved so often.
const MOST_HALVED: u32 = 5;
/// All threads of a restart come to their places within this time, or it stops.
const LONGEST_WAY: Duration = Duration::from_secs(600);

/// The calls of a place by this thread, in a region as many as if it had been the initial one in all regions before.
fn calls_here(
    (frame, block): (*mut Frame, c_int),
    place: &mut ThreadPlace,
    (region, number): (u64, Option<c_int>),
) -> u64 {
    if place.region as usize as u64 != region {
        // SAFETY: the frame is a live one of precompiled code.
        let function = unsafe { (*frame).function } as usize;
        with(|teams| {
            let site = teams.sites.entry((function, block)).or_default();
            if number.is_some() {
                place.calls = (site.before + 1) as c_ulong;
            }
            if number.unwrap_or(0) == 0 {
                site.initial = place as *mut ThreadPlace as usize;
            }
        });
        place.region = region as c_ulong;
        place.look = 0;
    }
    place.calls as usize as u64
}

/// A place that any thread passes: how often that was.
pub fn count_for_all(frame: *mut Frame, block: c_int) -> u64 {
    // SAFETY: the frame is a live one of precompiled code.
    let function = unsafe { (*frame).function } as usize;
    with(|teams| {
        let site = teams.sites.entry((function, block)).or_default();
        site.by_all += 1;
        site.by_all
    })
}

/// Whether a checkpoint is taken that a thread passes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_pass(
    frame: *mut Frame,
    block: c_int,
    place: *mut ThreadPlace,
    clause: u64,
    thread: *mut Thread,
) -> c_int {
    let _errno = KeepsErrno::new();
    let at = place.addr();
    // SAFETY: the promise of the caller: both belong to this thread.
    let (place, state) = unsafe { (&mut *place, &mut *thread) };
    let (outermost, regions) = with(|teams| (teams.outermost, teams.regions));
    let is_here = outermost.is_none() || state.region as usize as u64 == regions;
    let is_member = is_here && !inner::is_among_others();
    if !is_member {
        directive((), |session| {
            session.say_once(
                "warning: a checkpoint inside of nested parallel regions is not taken: there are more than three teams of several threads inside of each other, or threads of the inner one say to no barrier that they come, or the program uses MPI; put it into the outermost region",
            );
            Ok(())
        });
        return 0;
    }
    if outermost.is_some() && is_line() {
        return line::pass((frame, block), place, clause);
    }
    let is_initial = outermost.is_none() || state.number == 0;
    let number = outermost.map(|_| state.number);
    let calls = calls_here(
        (frame, block),
        place,
        (state.region as usize as u64, number),
    );
    let is_first = place.look == 0;
    let (every, next) = match places::every_next(clause, calls) {
        Ok(found) => found,
        Err(look) => {
            place.look = look;
            state.stop = c_ulong::MAX;
            return 0;
        }
    };
    place.look = next;
    let by_calls = places::is_turn(every, calls);
    let passed = state.passed as usize as u64;
    let threads = GATHERING.threads().max(1);
    let is_team = outermost.is_some() && threads > 1;
    if !is_team {
        state.stop = c_ulong::MAX;
    }
    if is_initial {
        with(|teams| count_calls(teams, passed));
        if is_team {
            learn();
        }
    }
    let stop = cell(&raw const state.stop as usize).load(Ordering::SeqCst) as u64;
    let is_meeting = is_team && GATHERING.is_announced() && passed == stop;
    if is_team && stop < passed {
        GATHERING.passed_by(state.number as usize, passed);
    }
    if !is_initial {
        return c_int::from(is_meeting || by_calls);
    }
    if is_meeting && let Some(wanted) = with(|teams| teams.announced.take()) {
        directive((), |session| {
            session.want(wanted, cccp_turns.load(Ordering::Relaxed));
            Ok(())
        });
        return 1;
    }
    if is_meeting || is_team && by_calls {
        with(|teams| teams.asked = Some(Asked { at, calls, every }));
        return 1;
    }
    let asks = by_calls || is_first || cccp_due.load(Ordering::SeqCst) != 0;
    if !asks || (is_team && GATHERING.is_announced()) {
        return 0;
    }
    if is_team && directive(false, |session| Ok(session.needs_still_threads())) {
        with(|teams| teams.is_to_ask = true);
        GATHERING.announce(GATHERING.furthest() + AHEAD);
        return 0;
    }
    let ahead = match is_team {
        true => GATHERING.furthest().saturating_sub(passed) + AHEAD,
        false => 0,
    };
    let is_due = directive(false, |session| {
        Ok(places::ask(session, at, calls, every, Some(ahead)))
    });
    if !is_due || ahead == 0 {
        return c_int::from(is_due);
    }
    let wanted = directive(None, |session| {
        let wanted = session.wanted();
        Ok(Some((
            wanted,
            session.calls_until(wanted, cccp_calls.load(Ordering::Relaxed)),
        )))
    });
    if let Some((wanted, until)) = wanted {
        with(|teams| teams.announced = Some(wanted));
        GATHERING.announce(passed + until);
    }
    0
}

/// A checkpoint in a region, to which the thread comes with this `errno`: true when it need do nothing more.
pub fn checkpoint(frame: *mut Frame, block: c_int, error: i32) -> bool {
    let Some(number) = member(frame) else {
        return false;
    };
    controls::note(error);
    if GATHERING.threads() < 2 {
        return false;
    }
    let stand = Stand {
        frame: frame as usize,
        block,
        function: 0,
    };
    if is_line() {
        line::checkpoint(number, stand, error);
        return true;
    }
    let begun = Instant::now();
    let asked = match number {
        0 => with(|teams| teams.asked.take()),
        _ => None,
    };
    match GATHERING.arrive(number, GATHERING.passed(number), stand, patience(0)) {
        Meeting::All(all) => {
            waited(begun, true);
            let is_due = asked.is_none_or(|asked| {
                directive(false, |session| {
                    let Asked { at, calls, every } = asked;
                    Ok(places::ask(session, at, calls, every, Some(0)))
                })
            });
            match (is_due, same_place(&all)) {
                (false, _) => {}
                (true, true) => taken(error, |session| {
                    session.crew = Some((&CREW, number, all.len()));
                    places_of(session, &all)
                }),
                (true, false) => {
                    let differ = "the threads of the parallel region are at different checkpoints, or at the same one in different \
                                  calls";
                    refuse(differ);
                }
            }
            with(|teams| teams.is_to_ask = false);
            let next = asked.and_then(|_| {
                directive(None, |session| {
                    Ok(session.asks_again_after(cccp_calls.load(Ordering::Relaxed)))
                })
            });
            CREW.over(GATHERING.done(next.map(|calls| GATHERING.passed(number) + calls)));
        }
        Meeting::Still(round) => CREW.lend(number, round),
        Meeting::Done => {}
        Meeting::Off if number == 0 => {
            waited(begun, false);
            learn();
        }
        Meeting::Off => {}
    }
    true
}

/// A checkpoint behind which a thread need not wait for the others at once.
///
/// # Safety
///
/// As cccp.h says; so for all functions here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_save(frame: *mut Frame, block: c_int, thread: *mut Thread) {
    let errno = KeepsErrno::new();
    // The initial thread waits for all others and takes the checkpoint.
    let number = member(frame).filter(|number| *number != 0 || is_line());
    let goes_on = |session: &mut Session| Ok(session.settings.protocol == Protocol::Nonblocking);
    let Some(number) = number.filter(|_| directive(false, goes_on)) else {
        // SAFETY: the promise of the caller.
        return unsafe { comes_to_checkpoint(frame, block, errno.0) };
    };
    // SAFETY: the promise of the caller.
    if !unsafe { is_for_us(frame, block) } {
        return;
    }
    let stand = Stand {
        frame: frame as usize,
        block,
        function: 0,
    };
    controls::note(errno.0);
    let round = match is_line() {
        false => GATHERING.come(number, GATHERING.passed(number), stand),
        true => match line::come(number, stand) {
            Some(round) => Some(round),
            // SAFETY: the promise of the caller.
            None => return unsafe { comes_to_checkpoint(frame, block, errno.0) },
        },
    };
    // SAFETY: the promise of the caller: the state is this thread's.
    unsafe { (*thread).saved = round.unwrap_or(0) as c_ulong };
}

/// A thread that has gone on waits until the checkpoint is taken.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_await(thread: *mut Thread) {
    let _errno = KeepsErrno::new();
    // SAFETY: the promise of the caller: the state is this thread's.
    let thread = unsafe { &mut *thread };
    let round = std::mem::take(&mut thread.saved) as usize as u64;
    let number = locks::number() as usize;
    if is_line() {
        return line::wait(number, round);
    }
    if let Meeting::Still(round) = GATHERING.wait(number, round, patience(number)) {
        CREW.lend(number, round);
    }
}

/// The end of a restart, for one thread of a region: true for the one that goes on with it. The others wait until
/// [`resumed`].
pub fn resumes(frame: *mut Frame, block: c_int) -> Option<bool> {
    let number = member(frame)?;
    let stand = Stand {
        frame: frame as usize,
        block,
        function: 0,
    };
    match GATHERING.arrive(number, 0, stand, LONGEST_WAY) {
        Meeting::All(all) => {
            directive((), |session| {
                session.crew = Some((&CREW, number, all.len()));
                Ok(())
            });
            Some(true)
        }
        Meeting::Still(round) => {
            CREW.lend(GATHERING.ordinal(number), round);
            controls::put_again(number as u64);
            take_locks(number);
            Some(false)
        }
        Meeting::Done => {
            controls::put_again(number as u64);
            take_locks(number);
            Some(false)
        }
        Meeting::Off => stop(
            "threads of the parallel region did not reach the checkpoint again; a block that runs on restart waits for others, or \
             has taken another way",
        ),
    }
}

/// The restart has ended: all threads go on, each with the locks that it held.
pub fn resumed() {
    CREW.over(GATHERING.done(None));
    controls::put_again(0);
    take_locks(0);
}

/// A thread takes the locks that it held at the checkpoint. None goes on before all have theirs.
fn take_locks(number: usize) {
    if !locks::are_to_take() {
        return;
    }
    locks::take_again(number as u64);
    let stand = Stand {
        frame: 0,
        block: 0,
        function: 0,
    };
    if let Meeting::All(_) = GATHERING.arrive(number, 0, stand, LONGEST_WAY) {
        locks::all_taken();
        GATHERING.done(None);
    }
}

/// How long a thread waits for the others: the shorter the more often that was in vain.
pub fn patience(number: usize) -> Duration {
    let (worked, given_up) = with(|teams| {
        let entered = teams.outermost.map(|(_, at)| at);
        let elapsed = entered.map_or(Duration::ZERO, |at| at.elapsed());
        (elapsed.saturating_sub(teams.waited), teams.given_up)
    });
    let passed = u32::try_from(GATHERING.passed(number).max(1)).unwrap_or(u32::MAX);
    (worked / passed * TIMES).max(PATIENCE) / (1 << given_up.min(MOST_HALVED))
}

/// A thread has waited so long, for a checkpoint that was taken or not.
pub fn waited(begun: Instant, is_taken: bool) {
    with(|teams| {
        teams.waited += begun.elapsed();
        teams.given_up = if is_taken { 0 } else { teams.given_up + 1 };
    });
}

/// What the initial thread learns of a meeting that was given up.
pub fn learn() {
    let Some(missed) = GATHERING.missed() else {
        return;
    };
    let is_to_ask = with(|teams| {
        teams.announced = None;
        std::mem::take(&mut teams.is_to_ask)
    });
    if is_to_ask && matches!(missed, Missed::Passed(_)) {
        // No checkpoint was meant yet: it asks again soon.
        cccp_due.store(1, Ordering::SeqCst);
        return;
    }
    let reason = match missed {
        // The next one is tried soon.
        Missed::Passed(_) => None,
        Missed::Elsewhere(number) => Some(format!(
            "thread {number} of the parallel region does not pass the same checkpoints as the others"
        )),
        Missed::Late(number) => Some(format!(
            "thread {number} of the parallel region did not come to the checkpoint at which the others waited for it"
        )),
    };
    match reason {
        Some(reason) => refuse(&reason),
        None => directive((), |session| {
            session.missed();
            Ok(())
        }),
    }
}

pub fn refuse(reason: &str) {
    directive((), |session| {
        session.missed();
        session.say_once(format!("warning: no checkpoint is taken: {reason}"));
        Ok(())
    });
}
