//! The one session of the process, and the walls around it.
//!
//! Every entry point comes through here: without a session it does nothing, a panic of the library never reaches the
//! program, and what the user has to know is printed when nobody holds the session any more.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::statics::{cccp_calls, cccp_replaying, cccp_turns};
use super::{places, signals, timer};
use crate::memory::{controls, flush_streams, leave};
use crate::session::{Session, Suspect, opened};
use crate::store::Event;
use crate::tool::say;

/// The exit status when a restart is impossible.
pub const CANNOT_RESTART: i32 = 75;

/// The exit status of a run that was asked to end and has left a checkpoint: `CCCP_EXIT_CHECKPOINTED` of cccp.h.
const CHECKPOINTED: i32 = 85;

/// What the program has said about generators of random numbers.
static GENERATORS: AtomicU32 = AtomicU32::new(0);

/// The program uses these generators.
pub fn use_generators(families: u32) {
    GENERATORS.fetch_or(families, Ordering::Relaxed);
}

/// The generators that the program uses.
pub fn generators() -> u32 {
    GENERATORS.load(Ordering::Relaxed)
}

/// The program has said that nothing before `init` depends on the number of threads.
static THREADS_LATER: AtomicBool = AtomicBool::new(false);

/// Nothing before `init` depends on the number of threads.
pub fn use_threads_later() {
    THREADS_LATER.store(true, Ordering::Relaxed);
}

/// Whether the program has said so.
pub fn threads_later() -> bool {
    THREADS_LATER.load(Ordering::Relaxed)
}

/// Values that each checkpoint looks at, as the files of the program have said.
static SUSPECTS: Mutex<Vec<Suspect>> = Mutex::new(Vec::new());

/// A file has named some.
pub fn suspect(found: Vec<Suspect>) {
    if !found.is_empty() {
        super::heap::give_zeros();
    }
    let mut all = SUSPECTS.lock().unwrap_or_else(PoisonError::into_inner);
    for one in found {
        if !all.contains(&one) {
            all.push(one);
        }
    }
}

/// All that were named.
pub fn suspects() -> Vec<Suspect> {
    let all = SUSPECTS.lock().unwrap_or_else(PoisonError::into_inner);
    all.clone()
}

struct Owned(Session);

// SAFETY: whatever a session shares, it shares with itself only; it is used under the lock, by one thread at a time.
unsafe impl Send for Owned {}

static SESSION: Mutex<Option<Owned>> = Mutex::new(None);

/// How an entry point went.
pub enum Outcome<T> {
    /// As it should.
    Done(T),
    /// There is no session.
    Nobody,
    /// Not, for this reason.
    Failed(String),
    /// The library itself failed.
    Defect,
}

fn lock() -> MutexGuard<'static, Option<Owned>> {
    SESSION.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether there is a session.
pub fn is_open() -> bool {
    lock().is_some()
}

/// Whether nothing uses the session at the moment.
pub fn is_free() -> bool {
    SESSION.try_lock().is_ok()
}

/// How many calls of checkpoints this process has come to.
pub fn calls() -> u64 {
    cccp_calls.load(Ordering::Relaxed)
}

/// Checkpoints, and the turns on the way to them, are counted from here on.
pub fn begin_counting(session: &mut Session) {
    session
        .when
        .begin(calls(), cccp_turns.load(Ordering::Relaxed));
}

/// What the files of the program say, as far as they have told: a sum.
static TEXT: AtomicU64 = AtomicU64::new(0);

/// Another file tells what it says.
pub fn add_text(number: u64) {
    TEXT.fetch_add(number, Ordering::Relaxed);
}

/// What all of them say; 0 when nobody has told.
pub fn text() -> u64 {
    TEXT.load(Ordering::Relaxed)
}

/// Opens the session of the process.
pub fn open(mut session: Session) {
    let (every, spread) = (session.settings.every, session.settings.spread);
    let takes = every != Some(0) && !session.is_idle;
    let replaying = session.replay.is_some();
    let signals = session.settings.signals;
    let name = (session.group.rank() == 0).then(|| session.name.clone());
    begin_counting(&mut session);
    *lock() = Some(Owned(session));
    cccp_replaying.store(i32::from(replaying), Ordering::Relaxed);
    if takes {
        places::begin(every, spread);
        signals::begin(signals, name.as_deref());
        timer::begin();
    } else {
        places::switch_off();
    }
}

/// Closes it; from now on every entry point does nothing.
pub fn close() -> Option<Session> {
    places::end();
    signals::end();
    timer::end();
    cccp_replaying.store(0, Ordering::Relaxed);
    let session = lock().take().map(|owned| owned.0);
    if session.is_some() {
        opened::ended();
    }
    session
}

/// While it is there, what happens to `errno` is undone at its end: a directive is no call that a program looks at it behind.
pub struct KeepsErrno(pub i32);

impl KeepsErrno {
    /// From here on.
    pub fn new() -> KeepsErrno {
        KeepsErrno(controls::error())
    }
}

impl Drop for KeepsErrno {
    fn drop(&mut self) {
        controls::set_error(self.0);
    }
}

/// Lets `work` use the session, and prints what it has to say.
pub fn attempt<T>(work: impl FnOnce(&mut Session) -> Result<T, String>) -> Outcome<T> {
    let inside = AssertUnwindSafe(|| {
        let mut guard = lock();
        let owned = guard.as_mut()?;
        let result = work(&mut owned.0);
        let messages = std::mem::take(&mut owned.0.messages);
        let group = &owned.0.group;
        let rank = (group.size() > 1).then(|| group.rank());
        drop(guard);
        for message in messages {
            say(rank, &message);
        }
        Some(result)
    });
    match catch_unwind(inside) {
        Ok(None) => Outcome::Nobody,
        Ok(Some(Ok(value))) => Outcome::Done(value),
        Ok(Some(Err(reason))) => Outcome::Failed(reason),
        Err(_) => Outcome::Defect,
    }
}

/// The same for precompiled code, which cannot do anything about a failure: a restart stops, and a run without a restart
/// goes on without checkpoints.
pub fn directive<T>(nothing: T, work: impl FnOnce(&mut Session) -> Result<T, String>) -> T {
    let _errno = KeepsErrno::new();
    let reason = match attempt(work) {
        Outcome::Done(value) => return value,
        Outcome::Nobody => return nothing,
        Outcome::Failed(reason) => reason,
        Outcome::Defect => "the library failed; this is a defect of cccp".to_string(),
    };
    if cccp_replaying.load(Ordering::Relaxed) != 0 {
        stop(&reason);
    }
    if let Some(session) = close() {
        session.note(Event::Stopped(reason.clone()));
    }
    say(
        None,
        &format!("warning: {reason}; the program continues without checkpoints"),
    );
    nothing
}

/// Ends the process behind a checkpoint, if it was asked to and the checkpoint is complete. What the C library's streams hold
/// is written; what the program wants to do at its end is left to its end, because this is none.
pub fn leave_when_asked() {
    let line = directive(None, |session| {
        let rank = session.group.rank();
        Ok(session.leaves().map(|line| (rank, line)))
    });
    if let Some((rank, line)) = line {
        if rank == 0 {
            say(None, &line);
        }
        directive((), |session| {
            session.meet_before_the_end();
            Ok(())
        });
        flush_streams();
        leave(CHECKPOINTED);
    }
}

/// Ends the job: the restart is impossible.
pub fn stop(reason: &str) -> ! {
    stop_because(&format!("cannot restart: {reason}"))
}

/// Ends the job: whoever runs it has to do something.
pub fn stop_because(reason: &str) -> ! {
    let session = close();
    if let Some(session) = &session {
        session.note(Event::Stopped(reason.to_string()));
    }
    let rank = session
        .as_ref()
        .filter(|session| session.group.size() > 1)
        .map(|session| session.group.rank());
    say(rank, reason);
    match session {
        Some(session) => session.group.abort(CANNOT_RESTART),
        None => std::process::exit(CANNOT_RESTART),
    }
}
