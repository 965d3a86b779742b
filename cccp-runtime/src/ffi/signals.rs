//! Signals that ask for a checkpoint.
//!
//! SIGUSR1 asks for one, SIGTERM for one and the end of the run behind it; so does SIGINT where that is set. A handler of the
//! program stays: it is called, too, with what it asked for (mask, flags, a stack of its own). One that the program installs
//! later takes our place, and is found at the next look of the timer, which puts ours before it. A signal that is ignored stays
//! ignored. The second SIGTERM does what it does without the library, and so does one that a child made by `fork` gets.
//! Nothing but what may be done in a handler is done here: flags are set, and one line is written.

use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void};
use std::mem::zeroed;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use super::statics::cccp_due;
use crate::settings::Signals;
use crate::trigger::{ASKED, LEAVE, TAKE};

/// A signal that the library looks at.
struct Watched {
    signal: c_int,
    /// What it asks for.
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

static WATCHED: [Watched; 3] = [
    watched(libc::SIGUSR1, TAKE, b""),
    watched(
        libc::SIGTERM,
        LEAVE,
        b"cccp: SIGTERM: the run ends behind the next checkpoint; a second one ends it at once\n",
    ),
    watched(
        libc::SIGINT,
        LEAVE,
        b"cccp: SIGINT: the run ends behind the next checkpoint; a second one ends it at once\n",
    ),
];

/// The process that asked for them.
static OWNER: AtomicI32 = AtomicI32::new(0);

/// From here on they ask for checkpoints.
pub fn begin(signals: Signals) {
    // SAFETY: no memory is involved.
    OWNER.store(unsafe { libc::getpid() }, Ordering::Relaxed);
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
                libc::sigaction(one.signal, std::ptr::null(), &mut now);
                if let (true, Some(before)) = (is_ours(&now), &*one.before.0.get()) {
                    libc::sigaction(one.signal, before, null_mut());
                }
            }
        }
    }
}

/// Puts our handlers before those that the program has installed since the last look.
pub fn look() {
    static LOOKS: AtomicBool = AtomicBool::new(false);
    if LOOKS.swap(true, Ordering::SeqCst) {
        return;
    }
    for one in WATCHED.iter() {
        if one.watches.load(Ordering::Relaxed) {
            // SAFETY: as for `end`; what is kept is changed only where our handler cannot run.
            unsafe {
                let mut now: libc::sigaction = zeroed();
                libc::sigaction(one.signal, std::ptr::null(), &mut now);
                if is_ours(&now) || now.sa_sigaction == libc::SIG_IGN {
                    continue;
                }
                *one.before.0.get() = Some(now);
                let mut ours = now;
                ours.sa_sigaction = arrived as *const () as usize;
                if now.sa_sigaction == libc::SIG_DFL {
                    ours.sa_flags = libc::SA_RESTART;
                }
                ours.sa_flags = (ours.sa_flags | libc::SA_SIGINFO) & !libc::SA_RESETHAND;
                libc::sigaction(one.signal, &ours, null_mut());
            }
        }
    }
    LOOKS.store(false, Ordering::SeqCst);
}

fn is_ours(action: &libc::sigaction) -> bool {
    action.sa_sigaction == arrived as *const () as usize
}

/// The handler.
extern "C" fn arrived(signal: c_int, information: *mut libc::siginfo_t, context: *mut c_void) {
    let Some(one) = WATCHED.iter().find(|one| one.signal == signal) else {
        return;
    };
    // SAFETY: calls that a handler may make; what was there before is changed only while this handler is not installed.
    unsafe {
        let saved = *libc::__errno_location();
        let is_ours = libc::getpid() == OWNER.load(Ordering::Relaxed);
        let again = !is_ours || ASKED.ask(one.asks) & one.asks & LEAVE != 0;
        let before = *one.before.0.get();
        let action = before.map_or(libc::SIG_DFL, |before| before.sa_sigaction);
        if is_ours {
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
            libc::sigaction(signal, &usual, null_mut());
            libc::raise(signal);
        }
        *libc::__errno_location() = saved;
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
