//! Signals that ask for a checkpoint, and one that asks how far it is.
//!
//! SIGUSR1 asks for one, SIGTERM for one and the end of the run behind it; so does SIGINT where that is set. A handler of the
//! program stays: it is called, too, with what it asked for (mask, flags, a stack of its own). A signal that is ignored stays
//! ignored. The second SIGTERM does what it does without the library, and so does one that a child made by `fork` gets.
//! SIGUSR2 gets an answer on the standard error, from the handler itself, unless the program has a handler of its own for it.
//!
//! Handlers that the program installs later come here first ([`sigaction`], [`signal`]), which puts ours before them at once, and never
//! shows ours to the program. Whoever asks the system without the C library is found at the next look of the timer.
//! Nothing but what may be done in a handler is done here: flags are set, and a line is written.

use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void};
use std::fmt;
use std::mem::zeroed;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Instant;

use super::statics::{cccp_calls, cccp_due};
use crate::settings::Signals;
use crate::trigger::{ASKED, INTERRUPT, LEAVE, PROGRESS, TAKE};

/// A signal that the library looks at.
struct Watched {
    signal: c_int,
    /// What it asks for; nothing: how far the run is.
    asks: u32,
    /// What is said.
    line: &'static [u8],
    watches: AtomicBool,
    /// What the program had, or has put there since.
    before: Before,
}

struct Before(UnsafeCell<Option<libc::sigaction>>);

// SAFETY: it is written only while our handler is not installed, by one thread at a time.
unsafe impl Sync for Before {}

const fn watched(signal: c_int, asks: u32, line: &'static [u8]) -> Watched {
    Watched {
        signal,
        asks,
        line,
        watches: AtomicBool::new(false),
        before: Before(UnsafeCell::new(None)),
    }
}

static WATCHED: [Watched; 4] = [
    watched(libc::SIGUSR1, TAKE, b""),
    watched(libc::SIGUSR2, 0, b""),
    watched(
        libc::SIGTERM,
        LEAVE,
        b"cccp: SIGTERM: the run ends behind the next checkpoint; a second one ends it at once\n",
    ),
    watched(
        libc::SIGINT,
        LEAVE | INTERRUPT,
        b"cccp: SIGINT: the run ends behind the next checkpoint; a second one ends it at once\n",
    ),
];

/// The process that asked for them.
static OWNER: AtomicI32 = AtomicI32::new(0);

/// Who answers, and since when it runs. Of several ranks the first one answers.
static RUN: OnceLock<(String, Instant)> = OnceLock::new();

/// From here on they ask for checkpoints. `name` is that of a program that answers.
pub fn begin(signals: Signals, name: Option<&str>) {
    // SAFETY: no memory is involved.
    OWNER.store(unsafe { libc::getpid() }, Ordering::Relaxed);
    if let Some(name) = name {
        RUN.get_or_init(|| (name.to_string(), Instant::now()));
    }
    for one in &WATCHED {
        let watches = match signals {
            Signals::Off => false,
            Signals::On => one.signal != libc::SIGINT,
            Signals::Interrupt => true,
        };
        one.watches.store(watches, Ordering::Relaxed);
    }
    look();
}

/// They do what they did before.
pub fn end() {
    for one in &WATCHED {
        if one.watches.swap(false, Ordering::Relaxed) {
            // SAFETY: the actions are complete; ours is taken away only where it is.
            unsafe {
                let mut now: libc::sigaction = zeroed();
                system::sigaction(one.signal, null(), &mut now);
                if let (true, Some(before)) = (is_ours(&now), &*one.before.0.get()) {
                    system::sigaction(one.signal, before, null_mut());
                }
            }
        }
    }
}

/// Puts our handlers before those that the program has installed since the last look.
pub fn look() {
    static LOOKS: AtomicBool = AtomicBool::new(false);
    static AGAIN: AtomicBool = AtomicBool::new(false);
    AGAIN.store(true, Ordering::SeqCst);
    // Who looks already, in another thread or below this handler, looks once more.
    while AGAIN.load(Ordering::SeqCst) && !LOOKS.swap(true, Ordering::SeqCst) {
        AGAIN.store(false, Ordering::SeqCst);
        for one in &WATCHED {
            if one.watches.load(Ordering::Relaxed) {
                put_before(one);
            }
        }
        LOOKS.store(false, Ordering::SeqCst);
    }
}

fn put_before(one: &Watched) {
    // SAFETY: as for `end`; what is kept is changed only where our handler cannot run.
    unsafe {
        let mut now: libc::sigaction = zeroed();
        system::sigaction(one.signal, null(), &mut now);
        let is_usual = now.sa_sigaction == libc::SIG_DFL;
        let is_left = now.sa_sigaction == libc::SIG_IGN || one.asks == 0 && !is_usual;
        if is_ours(&now) || is_left {
            return;
        }
        *one.before.0.get() = Some(now);
        let mut ours = now;
        ours.sa_sigaction = arrived as *const () as usize;
        if is_usual {
            ours.sa_flags = libc::SA_RESTART;
        }
        ours.sa_flags = (ours.sa_flags | libc::SA_SIGINFO) & !libc::SA_RESETHAND;
        system::sigaction(one.signal, &ours, null_mut());
    }
}

fn is_ours(action: &libc::sigaction) -> bool {
    action.sa_sigaction == arrived as *const () as usize
}

/// What stands before our handler, if that is installed for a signal now.
///
/// # Safety
///
/// None beyond those of the system's calls.
unsafe fn hidden(signal: c_int) -> Option<libc::sigaction> {
    let one = WATCHED.iter().find(|one| one.signal == signal)?;
    // SAFETY: the action is complete.
    unsafe {
        let mut now: libc::sigaction = zeroed();
        system::sigaction(signal, null(), &mut now);
        is_ours(&now).then(|| *one.before.0.get()).flatten()
    }
}

/// The handler.
extern "C" fn arrived(signal: c_int, information: *mut libc::siginfo_t, context: *mut c_void) {
    let Some(one) = WATCHED.iter().find(|one| one.signal == signal) else {
        return;
    };
    // SAFETY: calls that a handler may make; what was there before is changed only while this handler is not installed.
    unsafe {
        let saved = *libc::__errno_location();
        let is_owners = libc::getpid() == OWNER.load(Ordering::Relaxed);
        let again = !is_owners || ASKED.ask(one.asks) & one.asks & LEAVE != 0;
        let before = *one.before.0.get();
        let action = before.map_or(libc::SIG_DFL, |before| before.sa_sigaction);
        if is_owners && one.asks == 0 {
            answer();
        } else if is_owners {
            cccp_due.store(1, Ordering::SeqCst);
            if !again && !one.line.is_empty() {
                libc::write(2, one.line.as_ptr().cast(), one.line.len());
            }
        }
        if let Some(before) = before.filter(|_| action != libc::SIG_DFL) {
            call(&before, signal, information, context);
        } else if again {
            let mut usual: libc::sigaction = zeroed();
            usual.sa_sigaction = libc::SIG_DFL;
            system::sigaction(signal, &usual, null_mut());
            libc::raise(signal);
        }
        *libc::__errno_location() = saved;
    }
}

/// A line in memory that is there.
struct Line {
    bytes: [u8; 512],
    length: usize,
}

impl fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = &mut self.bytes[self.length..];
        let length = text.len().min(room.len());
        room[..length].copy_from_slice(&text.as_bytes()[..length]);
        self.length += length;
        Ok(())
    }
}

/// Says how far the run is.
fn answer() {
    let Some((name, begun)) = RUN.get() else {
        return;
    };
    let mut line = Line {
        bytes: [0; 512],
        length: 0,
    };
    let calls = cccp_calls.load(Ordering::Relaxed);
    let _ = PROGRESS.tell(name, begun.elapsed().as_secs_f64(), calls, &mut line);
    // SAFETY: the bytes are there.
    unsafe {
        libc::write(2, line.bytes.as_ptr().cast(), line.length);
    }
}

/// Calls the handler of the program.
unsafe fn call(
    action: &libc::sigaction,
    signal: c_int,
    information: *mut libc::siginfo_t,
    context: *mut c_void,
) {
    // SAFETY: the program installed a function of this type; its flags say of which.
    unsafe {
        if action.sa_flags & libc::SA_SIGINFO != 0 {
            type Long = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);
            std::mem::transmute::<usize, Long>(action.sa_sigaction)(signal, information, context);
        } else {
            type Short = extern "C" fn(c_int);
            std::mem::transmute::<usize, Short>(action.sa_sigaction)(signal);
        }
    }
}

/// The C library's own functions, by names that nothing here has.
#[cfg(target_env = "gnu")]
mod system {
    use std::ffi::c_int;

    unsafe extern "C" {
        #[link_name = "__sigaction"]
        pub fn sigaction(
            signal: c_int,
            new: *const libc::sigaction,
            old: *mut libc::sigaction,
        ) -> c_int;
        #[link_name = "ssignal"]
        pub fn signal(signal: c_int, handler: usize) -> usize;
    }
}
#[cfg(not(target_env = "gnu"))]
mod system {
    pub use libc::sigaction;
}

/// The function of the C library, which is found here first: a handler that the program installs has ours before it from then on.
///
/// # Safety
///
/// As for the one of the C library.
#[cfg(target_env = "gnu")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sigaction(
    signal: c_int,
    new: *const libc::sigaction,
    old: *mut libc::sigaction,
) -> c_int {
    // SAFETY: the promise of the caller.
    unsafe {
        let hidden = hidden(signal);
        let done = system::sigaction(signal, new, old);
        if let Some(hidden) = hidden.filter(|_| done == 0 && !old.is_null()) {
            *old = hidden;
        }
        if done == 0 && !new.is_null() {
            look();
        }
        done
    }
}

/// The same of the shorter one.
///
/// # Safety
///
/// As for the one of the C library.
#[cfg(target_env = "gnu")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn signal(signal: c_int, handler: usize) -> usize {
    // SAFETY: the promise of the caller.
    unsafe {
        let hidden = hidden(signal);
        let before = system::signal(signal, handler);
        look();
        match hidden {
            Some(hidden) if before != libc::SIG_ERR => hidden.sa_sigaction,
            _ => before,
        }
    }
}
