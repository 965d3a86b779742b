//! Part 2 of cccp.h: parallel regions of OpenMP with restart blocks in them.
//!
//! Every thread of a region has a frame, a call of its own in the trace: the activation that contains the region has one entry per
//! thread, with the number of the thread behind its loop counters. Checkpoints are taken, and restarts end, when all threads have
//! come to their places ([`Gathering`]); the initial thread does the work, because it alone may use MPI, and the others wait.
//! A region inside of a region is [`inner`].

use std::ffi::{CStr, c_int, c_ulong};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use super::counters::{Counters, cell};
use super::directives::{cccp_checkpoint, is_for_us, taken};
use super::frames;
use super::inner::{self, Kind};
use super::line;
use super::locks;
use super::members::Members;
use super::mirror::{Frame, Team, Thread, ThreadPlace};
use super::places;
use super::stands::{Stand, places_of, same_place};
use super::state::{KeepsErrno, directive, stop, stop_because};
use super::statics::{cccp_calls, cccp_due, cccp_replaying, cccp_turns};
use crate::memory::{Crew, controls, let_regions_nest, number_of};
use crate::session::{Session, Wanted};
use crate::settings::Protocol;
use crate::trigger::{Gathering, Inside, Meeting, Missed};

/// So many checkpoints ahead a meeting is announced to the other threads.
const AHEAD: u64 = 4;
/// A thread is waited for as long as so many checkpoints took it so far, and at least so long.
const TIMES: u32 = 20;
const PATIENCE: Duration = Duration::from_secs(2);
/// It is halved so often.
const MOST_HALVED: u32 = 5;
/// All threads of a restart come to their places within this time, or it stops.
const LONGEST_WAY: Duration = Duration::from_secs(600);

/// Where the threads of the outermost region with blocks meet.
static GATHERING: Gathering<Stand> = Gathering::new();

/// The threads that stand still there, and copy.
static CREW: Crew = Crew::new();

/// A checkpoint in the text, over all regions.
#[derive(Default)]
struct Site {
    /// Calls of all threads, in regions whose threads come unequally often.
    by_all: u64,
    /// Calls of the initial thread when the latest region was entered.
    before: u64,
    /// The initial thread's own counter.
    initial: usize,
}

#[derive(Default)]
struct Teams {
    members: Members,
    /// The outermost region, and when it was entered.
    outermost: Option<(usize, Instant)>,
    /// Its threads come to checkpoints unequally often ([`super::line`]).
    is_line: bool,
    /// How many have been entered.
    regions: u64,
    sites: FxHashMap<(usize, c_int), Site>,
    /// Of what the initial thread has passed in this region, so much is in `cccp_calls`.
    counted: u64,
    /// How long threads of this region have waited for others that did not come, and how often since one was taken.
    waited: Duration,
    given_up: u32,
    /// When a meeting was announced: the call, by its number, and why.
    announced: Option<Wanted>,
    /// At the meeting that the initial thread comes to, it asks whether a checkpoint is taken.
    asked: Option<Asked>,
    /// The meeting was announced for that.
    is_to_ask: bool,
}

/// What is asked when all threads stand still: the place that the initial thread passes, how often it has, and every how many times one
/// is taken.
#[derive(Clone, Copy)]
struct Asked {
    at: usize,
    calls: u64,
    every: u64,
}

static TEAMS: Mutex<Option<Teams>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<Teams>> {
    TEAMS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn with<T>(work: impl FnOnce(&mut Teams) -> T) -> T {
    work(lock().get_or_insert_with(Teams::default))
}

/// Which thread a frame belongs to that is the first one in a region, and of how many.
pub fn thread_of(frame: usize) -> Option<[u64; 2]> {
    lock().as_ref()?.members.number(frame)
}

/// What OpenMP says of the thread that asks: its number, and how many there are. One without OpenMP.
pub fn here() -> (u64, u64) {
    static ASK: OnceLock<[Option<extern "C" fn() -> c_int>; 2]> = OnceLock::new();
    let ask = |name: &CStr| number_of(name);
    let [number, threads] =
        ASK.get_or_init(|| [ask(c"omp_get_thread_num"), ask(c"omp_get_num_threads")]);
    let asked = |function: &Option<extern "C" fn() -> c_int>, otherwise: u64| {
        function.map_or(otherwise, |ask| u64::try_from(ask()).unwrap_or(otherwise))
    };
    (asked(number, 0), asked(threads, 1))
}

/// Before a region.
///
/// # Safety
///
/// As cccp.h says; so for all functions here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_team_begin(team: *mut Team, outer: *mut Frame, block: c_int) {
    // SAFETY: the promise of the caller.
    unsafe {
        *team = Team {
            outer,
            again: 0,
            threads: 0,
            singles: 0,
        };
        (*outer).block = block;
    }
    enter(team as usize, outer);
}

fn enter(team: usize, outer: *mut Frame) {
    if is_inside(team) {
        if let Some(number) = member(outer) {
            controls::enclose(number as u64, inner::depth());
        }
        return;
    }
    with(|teams| {
        if teams.outermost.is_none() {
            teams.outermost = Some((team, Instant::now()));
            teams.regions += 1;
            controls::enter();
            teams.announced = None;
            teams.is_line = false;
            teams.waited = Duration::ZERO;
            for site in teams.sites.values_mut().filter(|site| site.initial != 0) {
                // SAFETY: the counter of the initial thread, which is here; it lives as long as that.
                site.before =
                    unsafe { (*(site.initial as *const ThreadPlace)).calls as usize as u64 };
            }
            GATHERING.begin();
        }
    });
}

/// Whether a region is inside of another one.
fn is_inside(team: usize) -> bool {
    let teams = lock();
    let outermost = teams.as_ref().and_then(|teams| teams.outermost);
    outermost.is_some_and(|(one, _)| one != team)
}

/// Its threads come to checkpoints unequally often.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_team_line(team: *mut Team) {
    with(|teams| {
        if teams.outermost.is_some_and(|(one, _)| one == team as usize) {
            teams.is_line = true;
            line::begin();
        } else if teams.is_line {
            teams.members.is_line(team as usize);
        }
    });
}

pub fn is_line() -> bool {
    lock().as_ref().is_some_and(|teams| teams.is_line)
}

/// A restart enters a region again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_team_again(team: *mut Team, outer: *mut Frame, block: c_int) {
    // SAFETY: the promise of the caller.
    unsafe {
        (*outer).block = block;
        let threads = directive(1, |session| {
            let node = frames::node(session, outer)?;
            session.replay_team(outer as usize, node)
        });
        *team = Team {
            outer,
            again: 1,
            threads: c_int::try_from(threads).unwrap_or(c_int::MAX),
            singles: 0,
        };
        if is_inside(team as usize) && threads > 1 {
            let_regions_nest();
        }
    }
    enter(team as usize, outer);
}

/// How many threads a region gets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_team_threads(team: *const Team) -> c_int {
    static MOST: OnceLock<Option<extern "C" fn() -> c_int>> = OnceLock::new();
    // SAFETY: the promise of the caller.
    let (again, threads) = unsafe { ((*team).again, (*team).threads) };
    let most = MOST.get_or_init(|| number_of(c"omp_get_max_threads"));
    let asked = || most.map_or(1, |ask| ask());
    if again == 0 { asked() } else { threads }.max(1)
}

/// A thread begins with its part of a region.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_team_join(
    team: *mut Team,
    frame: *mut Frame,
    thread: *mut Thread,
    instances: *mut c_ulong,
    count: c_int,
) {
    let (number, threads) = here();
    // SAFETY: the promise of the caller.
    let (again, wanted) = unsafe {
        let outer = (*team).outer;
        if !instances.is_null() && !(*outer).instances.is_null() {
            let count = usize::try_from(count).unwrap_or(0);
            std::ptr::copy_nonoverlapping((*outer).instances, instances, count);
        }
        *frame = Frame {
            function: (*outer).function,
            caller: outer,
            arguments: (*outer).arguments,
            instances,
            trace: std::ptr::null_mut(),
            block: 0,
            callee: std::ptr::null(),
        };
        ((*team).again != 0, (*team).threads)
    };
    // SAFETY: as above.
    let chain = unsafe { frames::chain((*team).outer) };
    let (region, kind) = with(|teams| {
        let is_outermost = teams.outermost.is_some_and(|(one, _)| one == team as usize);
        let numbers = [number, threads];
        let kind = match is_outermost {
            true => {
                teams.members.join(frame as usize, numbers);
                None
            }
            false => {
                let members = &mut teams.members;
                Some(members.enter(frame as usize, (team as usize, &chain), numbers))
            }
        };
        if is_outermost && number == 0 {
            // SAFETY: the promise of the caller.
            let passed = unsafe { (*thread).passed } as usize as u64;
            count_calls(teams, passed);
            teams.counted = 0;
        }
        (teams.regions, kind)
    });
    if again && u64::try_from(wanted) != Ok(threads) {
        stop(&format!(
            "the parallel region had {wanted} threads when the checkpoint was written, and OpenMP gives it {threads}: start it \
             with OMP_NUM_THREADS={wanted}, OMP_DYNAMIC=false, and no OMP_THREAD_LIMIT below that"
        ));
    }
    if let Some(kind) = kind {
        inner::entered(team, kind);
        if let Kind::Member(inside, number) = kind {
            // SAFETY: the promise of the caller: the state is this thread's.
            join_inner(unsafe { &mut *thread }, (inside, number), region);
        }
        return;
    }
    // SAFETY: the promise of the caller.
    unsafe {
        (*thread).passed = 0;
        (*thread).stop = c_ulong::MAX;
        (*thread).region = region as c_ulong;
        (*thread).number = c_int::try_from(number).unwrap_or(0);
        (*thread).calling = std::ptr::null_mut();
        (*thread).saved = 0;
    }
    let counters = Counters::of(thread);
    if !GATHERING.join(number as usize, threads as usize, Box::new(counters)) {
        stop_because(
            "threads of a parallel region cannot be told apart: the program is linked with another OpenMP library than the one that \
             runs it",
        );
    }
    locks::is_thread(Some(number));
    controls::join(number);
    // Last: threads that stop already ask it to stop, too.
    // SAFETY: as above.
    unsafe { line::join(&mut *thread, number as usize, threads as usize) };
}

/// A thread of a team inside of another one is one more of those that stop.
fn join_inner(thread: &mut Thread, (inside, number): (Inside, usize), region: u64) {
    let member = inside.member(number);
    if number != 0 {
        (thread.passed, thread.stop) = (0, c_ulong::MAX);
        thread.region = region as c_ulong;
        // Who is not the initial thread registers nothing that all share.
        thread.number = c_int::try_from(member).unwrap_or(c_int::MAX);
        thread.calling = std::ptr::null_mut();
        thread.saved = 0;
        locks::is_thread(Some(member as u64));
        controls::join(member as u64);
    }
    let counters = Counters::of(thread);
    let all = (0..inside.threads).map(|number| inside.member(number));
    GATHERING.enter(all, member, Box::new(counters));
    line::enter(thread, (inside, number));
}

/// It leaves that team.
fn leave_inner(thread: *mut Thread, (inside, number): (Inside, usize)) {
    line::leave(thread, (inside, number));
    if number != 0 {
        let member = inside.member(number);
        GATHERING.part(member);
        locks::is_thread(None);
        controls::part(member as u64);
    }
}

/// A thread has come to the end of a region's text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_team_leave(team: *mut Team, frame: *mut Frame, thread: *mut Thread) {
    let (is_outermost, number) = with(|teams| {
        let number = teams.members.leave(frame as usize);
        let is_outermost = teams.outermost.is_some_and(|(one, _)| one == team as usize);
        (is_outermost, number)
    });
    if cccp_replaying.load(Ordering::Relaxed) != 0 {
        directive((), |session| {
            if let Some(replay) = &mut session.replay {
                replay.left(frame as usize);
            }
            Ok(())
        });
    }
    if is_outermost {
        locks::is_thread(None);
        GATHERING.leave(number as usize);
        // SAFETY: the promise of the caller.
        unsafe { (*thread).stop = c_ulong::MAX };
    } else if let Some(Kind::Member(inside, number)) = inner::left() {
        leave_inner(thread, (inside, number));
    }
}

/// Behind a region.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_team_end(team: *mut Team, thread: *mut Thread) {
    // SAFETY: the promise of the caller.
    unsafe {
        let outer = (*team).outer;
        (*outer).block = 0;
        if !(*outer).trace.is_null() {
            super::directives::cccp_call_end(outer);
        }
        let was_outermost = with(|teams| {
            let is = teams.outermost.is_some_and(|(one, _)| one == team as usize);
            if is {
                if !teams.is_line {
                    count_calls(teams, (*thread).passed as usize as u64);
                }
                teams.counted = 0;
                teams.outermost = None;
                controls::leave();
                // Places outside of all regions count on from where the initial thread was.
                teams.regions += 1;
                (*thread).passed = 0;
                (*thread).region = teams.regions as c_ulong;
            }
            teams.members.has_ended(team as usize);
            is
        });
        if was_outermost {
            learn();
            GATHERING.begin();
        } else if let Some(number) = member(outer) {
            controls::open_up(number as u64, inner::depth());
        }
    }
}

/// What the initial thread has passed counts for all.
fn count_calls(teams: &mut Teams, passed: u64) {
    let new = passed.saturating_sub(teams.counted);
    teams.counted = passed;
    cccp_calls.fetch_add(new, Ordering::Relaxed);
}

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
    let at = place.addr();
    // SAFETY: the promise of the caller: both belong to this thread.
    let (place, state) = unsafe { (&mut *place, &mut *thread) };
    let (outermost, regions) = with(|teams| (teams.outermost, teams.regions));
    let is_here = outermost.is_none() || state.region as usize as u64 == regions;
    let is_member = is_here && !inner::is_among_others();
    if !is_member {
        directive((), |session| {
            session.say_once(
                "warning: a checkpoint inside of nested parallel regions is not taken: there are more than three teams of several threads inside of each other, or threads of the inner one say to no barrier that they come; put it into the outermost region",
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
    let by_calls = every != 0 && calls.is_multiple_of(every);
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

/// Where a thread with this innermost frame is one of those that stop at checkpoints: which one.
pub fn member(frame: *mut Frame) -> Option<usize> {
    let teams = lock();
    let teams = teams.as_ref()?;
    teams.outermost?;
    // SAFETY: frames on the stack, and their callers.
    let chain = unsafe { frames::chain(frame) };
    teams.members.of(&chain).map(|(number, _)| number)
}

/// A checkpoint in a region: true when this thread need do nothing more.
pub fn checkpoint(frame: *mut Frame, block: c_int) -> bool {
    let Some(number) = member(frame) else {
        return false;
    };
    controls::note();
    if GATHERING.threads() < 2 {
        return false;
    }
    let stand = Stand {
        frame: frame as usize,
        block,
        function: 0,
    };
    if is_line() {
        line::checkpoint(number, stand);
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
                (true, true) => taken(|session| {
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
    let _errno = KeepsErrno::new();
    // The initial thread waits for all others and takes the checkpoint.
    let number = member(frame).filter(|number| *number != 0 || is_line());
    let goes_on = |session: &mut Session| Ok(session.settings.protocol == Protocol::Nonblocking);
    let Some(number) = number.filter(|_| directive(false, goes_on)) else {
        // SAFETY: the promise of the caller.
        return unsafe { cccp_checkpoint(frame, block) };
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
    controls::note();
    let round = match is_line() {
        false => GATHERING.come(number, GATHERING.passed(number), stand),
        true => match line::come(number, stand) {
            Some(round) => Some(round),
            // SAFETY: the promise of the caller.
            None => return unsafe { cccp_checkpoint(frame, block) },
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
fn learn() {
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
