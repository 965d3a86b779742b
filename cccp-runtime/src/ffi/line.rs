//! Part 2 of cccp.h: parallel regions whose threads come to checkpoints unequally often.
//!
//! In such a region every barrier is announced, and a checkpoint that is due is taken by the thread that came to it first, when all
//! others stand at checkpoints or at the next barrier ([`Line`]). The restart leads each thread back to where it stood. With several
//! ranks none is taken, because ranks agree by counting what the initial thread passes.

use std::ffi::c_int;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::counters::cell;
use super::directives::taken;
use super::inner;
use super::locks;
use super::mirror::{Frame, Function, Thread, ThreadPlace};
use super::passes::{count_for_all, patience, refuse, waited};
use super::places;
use super::stands::{Stand, places_of};
use super::state::{KeepsErrno, directive};
use super::statics::{cccp_calls, cccp_due};
use super::team::{here, is_line, member};
use crate::memory::{Crew, controls};
use crate::trigger::{Inside, Line, Stop, Walker, name};

static LINE: Line<Stand> = Line::new();
/// Its threads that stand at checkpoints, which copy.
static CREW: Crew = Crew::new();
/// How many `single` constructs of the region have been given to a thread.
static SINGLES: AtomicUsize = AtomicUsize::new(0);

/// The counters of a thread, where others see them.
struct Cells(usize);

impl Cells {
    fn thread(&self) -> *const Thread {
        self.0 as *const Thread
    }
}

impl Walker<Stand> for Cells {
    fn barriers(&self) -> u64 {
        // SAFETY: the state of a thread outlives its part of the region; so below.
        cell(unsafe { &raw const (*self.thread()).barriers } as usize).load(Ordering::SeqCst) as u64
    }

    fn constructs(&self) -> u64 {
        // SAFETY: as above.
        cell(unsafe { &raw const (*self.thread()).constructs } as usize).load(Ordering::SeqCst)
            as u64
    }

    fn latest(&self) -> Stand {
        // SAFETY: as above, and the thread waits.
        unsafe {
            Stand {
                frame: (&raw const (*self.thread()).frame).read_volatile() as usize,
                block: (&raw const (*self.thread()).place).read_volatile(),
                function: (&raw const (*self.thread()).function).read_volatile() as usize,
            }
        }
    }

    fn waits(&self) -> bool {
        // SAFETY: as above.
        cell(unsafe { &raw const (*self.thread()).waits } as usize).load(Ordering::SeqCst) != 0
    }

    fn ask(&self, always: bool) {
        let stop = if always { 0 } else { usize::MAX };
        // SAFETY: as above.
        cell(unsafe { &raw const (*self.thread()).stop } as usize).store(stop, Ordering::SeqCst);
    }
}

/// A region is entered.
pub fn begin() {
    SINGLES.store(0, Ordering::SeqCst);
    LINE.begin();
}

/// A thread has entered it, or a region where threads form no line: its number, and of how many.
pub fn join(thread: &mut Thread, team: Option<(usize, usize)>) {
    (thread.barriers, thread.constructs, thread.singles) = (0, 0, 0);
    thread.waits = 0;
    thread.function = std::ptr::null();
    if let Some((number, threads)) = team {
        let cells = Cells(std::ptr::from_mut(thread).addr());
        LINE.join(number, threads, Box::new(cells));
    }
}

/// A thread has entered a team inside of another one.
pub fn enter(thread: &mut Thread, at: (Inside, usize)) {
    let (inside, number) = at;
    if number != 0 {
        (thread.barriers, thread.constructs, thread.singles) = (0, 0, 0);
        thread.waits = 0;
        thread.function = std::ptr::null();
    }
    let address = std::ptr::from_mut(thread).addr();
    let counts = |thread: &Thread| {
        let counts = [&raw const thread.barriers, &raw const thread.constructs];
        counts.map(|one| cell(one as usize))
    };
    let thread = &*thread;
    LINE.enter((inside, number), Box::new(Cells(address)), || {
        counts(thread).map(|one| one.swap(0, Ordering::SeqCst) as u64)
    });
}

/// It leaves that team.
pub fn leave(thread: *const Thread, at: (Inside, usize)) {
    LINE.leave(at, |before| {
        // SAFETY: the state is this thread's.
        let counts = unsafe {
            [
                &raw const (*thread).barriers,
                &raw const (*thread).constructs,
            ]
        };
        for (count, before) in counts.into_iter().zip(before) {
            let before = usize::try_from(before).unwrap_or(usize::MAX);
            cell(count as usize).store(before, Ordering::SeqCst);
        }
    });
}

/// What a thread has of its own that is about to wait: then it cannot say it. Who has gone on behind a checkpoint that is not taken yet
/// has said what belongs to that.
unsafe fn note(thread: *const Thread, error: i32) {
    // SAFETY: the promise of the caller: the state is this thread's.
    if unsafe { (*thread).saved } == 0 {
        controls::note(error);
    }
}

/// A thread comes to a barrier.
///
/// # Safety
///
/// As cccp.h says; so for all functions here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_barrier(frame: *mut Frame, block: c_int, thread: *mut Thread) {
    let errno = KeepsErrno::new();
    if inner::is_apart() {
        // It is none of the team's that meets.
        // SAFETY: the promise of the caller.
        return unsafe { stop_if_asked(frame, block, thread, errno.0) };
    }
    // SAFETY: the promise of the caller: the state is this thread's.
    unsafe { note(thread, errno.0) };
    // SAFETY: as above.
    unsafe {
        (&raw mut (*thread).frame).write_volatile(frame);
        (&raw mut (*thread).function).write_volatile((*frame).function);
        (&raw mut (*thread).place).write_volatile(block);
        // Who sees this sees the two before it.
        cell(&raw const (*thread).barriers as usize).fetch_add(1, Ordering::SeqCst);
    }
}

/// A thread is about to take a lock.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_lock(frame: *mut Frame, block: c_int, thread: *mut Thread) {
    let errno = KeepsErrno::new();
    if inner::is_among_others() {
        return;
    }
    // SAFETY: the promise of the caller: the state is this thread's.
    unsafe {
        stop_if_asked(frame, block, thread, errno.0);
        (&raw mut (*thread).frame).write_volatile(frame);
        (&raw mut (*thread).function).write_volatile((*frame).function);
        (&raw mut (*thread).place).write_volatile(block);
    }
    locks::is_next(thread);
}

/// A thread that is asked to stop does so.
unsafe fn stop_if_asked(frame: *mut Frame, block: c_int, thread: *mut Thread, error: i32) {
    // SAFETY: the promise of the caller: the state is this thread's.
    let is_asked = cell(unsafe { &raw const (*thread).stop } as usize).load(Ordering::SeqCst) == 0;
    if is_asked
        && !inner::is_among_others()
        && is_line()
        && LINE.is_forming()
        && let Some(number) = member(frame)
    {
        controls::note(error);
        let stand = Stand {
            frame: frame as usize,
            block,
            function: 0,
        };
        checkpoint(number, stand, error);
    }
}

/// A thread waits for a lock at the place that was told last.
pub fn waits(thread: *mut Thread, error: i32, take: impl FnOnce()) {
    // SAFETY: the state is this thread's.
    let waits = cell(unsafe { &raw const (*thread).waits } as usize);
    // SAFETY: as above.
    unsafe { note(thread, error) };
    waits.store(1, Ordering::SeqCst);
    take();
    LINE.waited(|| waits.store(0, Ordering::SeqCst));
}

/// Whether a thread executes the `single` that it comes to: the first one does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_single(thread: *mut Thread) -> c_int {
    let _errno = KeepsErrno::new();
    // SAFETY: the promise of the caller: the state is this thread's.
    let thread = unsafe { &mut *thread };
    let count = |thread: &Thread| {
        cell(&raw const thread.constructs as usize).fetch_add(1, Ordering::SeqCst);
    };
    if let Some(is_won) = inner::single() {
        if !inner::is_apart() {
            count(thread);
        }
        return is_won;
    }
    if here().1 == 1 {
        return 1;
    }
    let own = thread.singles as usize;
    thread.singles += 1;
    count(thread);
    let won = SINGLES.compare_exchange(own, own + 1, Ordering::SeqCst, Ordering::SeqCst);
    c_int::from(won.is_ok())
}

/// Whether it is the thread of this number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_masked(number: c_int) -> c_int {
    let _errno = KeepsErrno::new();
    c_int::from(u64::try_from(number) == Ok(here().0))
}

/// Whether a thread has to stop at the checkpoint that it passes.
pub fn pass((frame, block): (*mut Frame, c_int), place: &mut ThreadPlace, clause: u64) -> c_int {
    let calls = count_for_all(frame, block);
    let (every, _) = match places::every_next(clause, calls) {
        Ok(found) => found,
        Err(look) => {
            place.look = look;
            return 0;
        }
    };
    // What all threads pass is counted here.
    place.look = if every == 0 { !0 } else { 0 };
    cccp_calls.fetch_add(1, Ordering::Relaxed);
    if LINE.is_forming() {
        return 1;
    }
    let is_turn = places::is_turn(every, calls);
    if !is_turn && calls > 1 && cccp_due.load(Ordering::SeqCst) == 0 {
        return 0;
    }
    c_int::from(directive(false, |session| {
        if session.group.size() > 1 {
            session.say_once(
                "warning: no checkpoint is taken in this parallel region: its threads come to checkpoints unequally often, and \
                 there are several ranks; put the checkpoint where all threads come equally often, or outside of the region",
            );
            return Ok(false);
        }
        Ok(places::ask(
            session,
            std::ptr::from_ref(place).addr(),
            calls,
            every,
            Some(0),
        ))
    }))
}

/// Where a thread was before it came to nothing more, as the end of a sentence.
fn last_seen(number: usize) -> String {
    let latest = LINE.latest(number).filter(|one| one.function != 0);
    let Some(Stand {
        function, block, ..
    }) = latest
    else {
        return "; it has come to no barrier and no lock in the region".to_string();
    };
    let function = function as *const Function;
    // SAFETY: the description of a function is a constant of the program, and its blocks are numbered from 1.
    let line = unsafe { (*(*function).blocks.offset(block as isize - 1)).line };
    format!("; it was last seen at the barrier or lock of line {line}")
}

/// A thread comes to a checkpoint behind which it goes on, if another one waits for it.
pub fn come(number: usize, stand: Stand) -> Option<u64> {
    LINE.come(number, stand)
}

/// It waits until that is taken.
pub fn wait(number: usize, round: u64) {
    if let Stop::Still(round) = LINE.wait(round) {
        CREW.lend(LINE.ordinal(number), round);
    }
}

/// A thread stands at a checkpoint, to which it has come with this `errno`.
pub fn checkpoint(number: usize, stand: Stand, error: i32) {
    let begun = Instant::now();
    match LINE.stop(number, stand, patience(number)) {
        Stop::All(mut all) => {
            waited(begun, true);
            // The last of the places is that of the checkpoint, and they are gone through from behind.
            let ordinal = LINE.ordinal(number);
            all.swap(0, ordinal);
            let threads = all.len();
            taken(error, |session| {
                session.crew = Some((&CREW, ordinal, threads));
                places_of(session, &all)
            });
            CREW.over(LINE.done());
        }
        Stop::Still(round) => CREW.lend(LINE.ordinal(number), round),
        Stop::Over => {}
        Stop::Apart => directive((), |session| {
            session.missed();
            Ok(())
        }),
        Stop::Late(late) => {
            waited(begun, false);
            refuse(&format!(
                "thread {} of the parallel region came to no checkpoint and to no barrier while the others waited for it{}",
                name(late),
                last_seen(late)
            ));
        }
    }
}
