//! Part 2 of cccp.h: parallel regions of OpenMP with restart blocks in them.
//!
//! Every thread of a region has a frame, a call of its own in the trace: the activation that contains the region has one entry per
//! thread, with the number of the thread behind its loop counters. Checkpoints are taken, and restarts end, when all threads have
//! come to their places ([`Gathering`]); the initial thread does the work, because it alone may use MPI, and the others wait.
//! A region inside of a region is [`inner`].

use std::ffi::{CStr, c_int, c_ulong};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use super::counters::Counters;
use super::frames;
use super::inner::{self, Kind};
use super::line;
use super::locks;
use super::members::Members;
use super::mirror::{Frame, Team, Thread, ThreadPlace};
use super::passes::learn;
use super::postponed::Postponed;
use super::stands::Stand;
use super::state::{KeepsErrno, Outcome, attempt, directive, stop, stop_because};
use super::statics::{cccp_calls, cccp_replaying};
use crate::memory::{Crew, controls, let_regions_nest, number_of};
use crate::session::{Session, Wanted};
use crate::trigger::{Gathering, Inside};

/// Where the threads of the outermost region with blocks meet.
pub(super) static GATHERING: Gathering<Stand, Counters> = Gathering::new();

/// The threads that stand still there, and copy.
pub(super) static CREW: Crew = Crew::new();

/// A checkpoint in the text, over all regions.
#[derive(Default)]
pub(super) struct Site {
    /// Calls of all threads, in regions whose threads come unequally often.
    pub(super) by_all: u64,
    /// Calls of the initial thread when the latest region was entered.
    pub(super) before: u64,
    /// The initial thread's own counter.
    pub(super) initial: usize,
}

#[derive(Default)]
pub(super) struct Teams {
    pub(super) members: Members,
    /// The outermost region, and when it was entered.
    pub(super) outermost: Option<(usize, Instant)>,
    /// What its threads register, and ends with it, is noted until somebody needs it ([`super::postponed`]).
    pub(super) may_note: bool,
    /// Its threads come to checkpoints unequally often ([`super::line`]).
    pub(super) is_line: bool,
    /// How many have been entered.
    pub(super) regions: u64,
    pub(super) sites: FxHashMap<(usize, c_int), Site>,
    /// Of what the initial thread has passed in this region, so much is in `cccp_calls`.
    pub(super) counted: u64,
    /// How long threads of this region have waited for others that did not come, and how often since one was taken.
    pub(super) waited: Duration,
    pub(super) given_up: u32,
    /// When a meeting was announced: the call, by its number, and why.
    pub(super) announced: Option<Wanted>,
    /// At the meeting that the initial thread comes to, it asks whether a checkpoint is taken.
    pub(super) asked: Option<Asked>,
    /// The meeting was announced for that.
    pub(super) is_to_ask: bool,
}

/// What is asked when all threads stand still: the place that the initial thread passes, how often it has, and every how many times one
/// is taken.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    pub(super) at: usize,
    pub(super) calls: u64,
    pub(super) every: u64,
}

static TEAMS: Mutex<Option<Teams>> = Mutex::new(None);

/// The same as `may_note`, for those that ask at each register, in programs without regions, too.
static MAY_NOTE: AtomicBool = AtomicBool::new(false);

impl Teams {
    /// From now on threads note what they register, or do not.
    fn note(&mut self, may: bool) {
        self.may_note = may;
        MAY_NOTE.store(may, Ordering::Release);
    }
}

fn lock() -> MutexGuard<'static, Option<Teams>> {
    TEAMS.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn with<T>(work: impl FnOnce(&mut Teams) -> T) -> T {
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
    let _errno = KeepsErrno::new();
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
    // SAFETY: as above.
    let nothing = |session: &mut Session| unsafe { frames::supersedes_nothing(session, outer) };
    let may_note = |session: &mut Session| Ok(session.replay.is_none() && nothing(session));
    if !is_inside(team as usize) && matches!(attempt(may_note), Outcome::Done(true)) {
        with(|teams| teams.note(true));
    }
}

/// Whether a thread only notes what it registers.
pub fn postpone(frame: *mut Frame, note: impl FnOnce(&mut Postponed) -> bool) -> bool {
    // A thread that does not see it yet notes nothing, which is right, too.
    if !MAY_NOTE.load(Ordering::Acquire) {
        return false;
    }
    let _errno = KeepsErrno::new();
    let mut teams = lock();
    let noted = teams.as_mut().filter(|teams| teams.may_note);
    let noted = noted.and_then(|teams| teams.members.noted(frame as usize));
    noted.is_some_and(note)
}

/// Whether the thread with this frame has noted what it registers.
pub fn is_noted(frame: usize) -> bool {
    let mut teams = lock();
    let noted = teams.as_mut().and_then(|one| one.members.noted(frame));
    noted.is_some_and(|noted| !noted.is_empty())
}

/// What the thread with this frame has noted, which the trace knows from now on.
pub fn postponed(frame: usize) -> Option<Postponed> {
    lock().as_mut()?.members.take_noted(frame)
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
            teams.note(false);
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
    let _errno = KeepsErrno::new();
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
    let _errno = KeepsErrno::new();
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
    let _errno = KeepsErrno::new();
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
) -> c_int {
    let _errno = KeepsErrno::new();
    let (number, threads) = here();
    let given = c_int::try_from(number).unwrap_or(0);
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
    let (region, kind, is_line) = with(|teams| {
        let is_outermost = teams.outermost.is_some_and(|(one, _)| one == team as usize);
        let numbers = [number, threads];
        let kind = match is_outermost {
            true => {
                let may_note = teams.may_note;
                teams.members.join(frame as usize, numbers, may_note);
                None
            }
            false => {
                // SAFETY: the promise of the caller.
                let chain = unsafe { frames::chain((*team).outer) };
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
        (teams.regions, kind, teams.is_line)
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
        return given;
    }
    // SAFETY: the promise of the caller.
    unsafe {
        (*thread).passed = 0;
        (*thread).stop = c_ulong::MAX;
        (*thread).region = region as c_ulong;
        (*thread).number = given;
        (*thread).calling = std::ptr::null_mut();
        (*thread).saved = 0;
    }
    let counters = Counters::of(thread);
    if !GATHERING.join(number as usize, threads as usize, counters) {
        stop_because(
            "threads of a parallel region cannot be told apart: the program is linked with another OpenMP library than the one that \
             runs it",
        );
    }
    locks::is_thread(Some(number));
    controls::join(number);
    // Last: threads that stop already ask it to stop, too.
    let team = is_line.then_some((number as usize, threads as usize));
    // SAFETY: as above.
    unsafe { line::join(&mut *thread, team) };
    given
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
    GATHERING.enter(all, member, counters);
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
    let _errno = KeepsErrno::new();
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
    let _errno = KeepsErrno::new();
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
                teams.note(false);
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
pub(super) fn count_calls(teams: &mut Teams, passed: u64) {
    let new = passed.saturating_sub(teams.counted);
    teams.counted = passed;
    cccp_calls.fetch_add(new, Ordering::Relaxed);
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
