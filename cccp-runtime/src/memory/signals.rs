//! What the kernel keeps of signals for this process: those that are blocked, what each does, and the interval timers that send some.
//!
//! In: nothing, or what a checkpoint holds. Out: the mask of this thread as one number, the actions, the timers as times, and all of them
//! put back.

/// Signals with a number, of which a mask has a bit each.
pub const SIGNALS: u32 = 64;

/// The flags of an action, each by its place here.
const FLAGS: [libc::c_int; 7] = [
    libc::SA_NOCLDSTOP,
    libc::SA_NOCLDWAIT,
    libc::SA_SIGINFO,
    libc::SA_ONSTACK,
    libc::SA_RESTART,
    libc::SA_NODEFER,
    libc::SA_RESETHAND,
];

/// What a signal does in this process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Action {
    /// The address of the handler; 0 is the default action, 1 ignores the signal.
    pub handler: usize,
    /// A bit for each of [`FLAGS`].
    pub flags: u64,
    /// The signals that are blocked meanwhile: bit 0 is signal 1.
    pub mask: u64,
}

/// The numbers of the timers: real time, the program's, and with that of the system for it.
pub const TIMERS: [i32; 3] = [libc::ITIMER_REAL, libc::ITIMER_VIRTUAL, libc::ITIMER_PROF];

/// Signals of what this thread does itself: blocked, they would end the process, or come late.
const OWN: [libc::c_int; 8] = [
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGTRAP,
    libc::SIGABRT,
    libc::SIGXFSZ,
    libc::SIGPIPE,
];

/// What is left of a timer until its signal, and the interval from then on, each in seconds and microseconds.
pub type Timer = [u64; 4];

fn mask_of(set: &libc::sigset_t) -> u64 {
    // SAFETY: the set is complete.
    let blocked = |&signal: &u32| unsafe { libc::sigismember(set, signal as libc::c_int) } == 1;
    let signals = (1..=SIGNALS).filter(blocked);
    signals.map(|signal| 1u64 << (signal - 1)).sum()
}

fn set_of(mask: u64) -> libc::sigset_t {
    // SAFETY: the set is plain memory that the calls fill before it is used.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        for signal in (1..=SIGNALS).filter(|signal| mask >> (signal - 1) & 1 != 0) {
            libc::sigaddset(&mut set, signal as libc::c_int);
        }
        set
    }
}

/// What the program has asked for when a signal comes, whether the library looks at the signal before or not; none of one that nobody can
/// handle.
pub fn action(signal: u32) -> Option<Action> {
    // SAFETY: plain memory that the call fills.
    let now = unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        let done = libc::sigaction(signal as libc::c_int, std::ptr::null(), &mut now);
        (done == 0).then_some(now)
    }?;
    let bits = FLAGS.iter().zip(0..);
    let flags = bits.filter(|(flag, _)| now.sa_flags & **flag != 0);
    Some(Action {
        handler: now.sa_sigaction,
        flags: flags.map(|(_, bit)| 1u64 << bit).sum(),
        mask: mask_of(&now.sa_mask),
    })
}

/// Has a signal do this from now on; the handler is a function of the program that was its handler before.
pub fn set_action(signal: u32, action: &Action) -> bool {
    let bits = FLAGS.iter().zip(0..);
    let flags = bits.filter(|(_, bit)| action.flags >> bit & 1 != 0);
    // SAFETY: the action is complete, and the handler takes what a handler with these flags gets.
    unsafe {
        let mut new: libc::sigaction = std::mem::zeroed();
        new.sa_sigaction = action.handler;
        new.sa_flags = flags.fold(0, |all, (flag, _)| all | flag);
        new.sa_mask = set_of(action.mask);
        libc::sigaction(signal as libc::c_int, &new, std::ptr::null_mut()) == 0
    }
}

/// The signals that this thread has blocked: bit 0 is signal 1.
pub fn blocked_signals() -> u64 {
    // SAFETY: the set is plain memory that the call fills.
    unsafe {
        let mut now: libc::sigset_t = std::mem::zeroed();
        libc::pthread_sigmask(libc::SIG_BLOCK, std::ptr::null(), &mut now);
        mask_of(&now)
    }
}

/// What the kernel calls this thread. Rust's own library refers to `gettid` weakly, which a static program may not have.
pub fn this_thread() -> u32 {
    // SAFETY: takes nothing, and gives a number.
    let number = unsafe { libc::syscall(libc::SYS_gettid) };
    u32::try_from(number).unwrap_or(0)
}

/// This thread is the one that the process began with.
pub fn is_first_thread() -> bool {
    this_thread() == std::process::id()
}

/// Blocks all signals but those of what this thread does itself, and gives the mask that was in force.
pub fn block_signals() -> u64 {
    // SAFETY: both sets are plain memory that the calls fill before anything reads them.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        let mut old: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut all);
        for signal in OWN {
            libc::sigdelset(&mut all, signal);
        }
        libc::pthread_sigmask(libc::SIG_BLOCK, &all, &mut old);
        mask_of(&old)
    }
}

/// Lets this thread have these signals blocked, and no others.
pub fn set_blocked_signals(mask: u64) {
    let set = set_of(mask);
    // SAFETY: the set is complete.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &set, std::ptr::null_mut()) };
}

/// Of these signals those that wait until they are not blocked any more. What asks a process to leave, or tells of a child, is no work of
/// the program's own: nobody asks the next process.
pub fn pending_signals(blocked: u64) -> u64 {
    let others = [
        libc::SIGHUP,
        libc::SIGINT,
        libc::SIGQUIT,
        libc::SIGTERM,
        libc::SIGUSR1,
        libc::SIGCHLD,
    ];
    let others = others
        .iter()
        .fold(0, |all, signal| all | 1u64 << (signal - 1));
    // SAFETY: the set is plain memory that the call fills.
    let now = unsafe {
        let mut now: libc::sigset_t = std::mem::zeroed();
        libc::sigpending(&mut now);
        mask_of(&now)
    };
    now & blocked & !others
}

/// Sends them to this thread, which has all blocked.
pub fn raise_signals(signals: u64) {
    for signal in (1..=SIGNALS).filter(|signal| signals >> (signal - 1) & 1 != 0) {
        // SAFETY: sends a signal.
        unsafe { libc::raise(signal as libc::c_int) };
    }
}

/// A timer; nothing is left of one that does not run.
pub fn timer(which: i32) -> Timer {
    // SAFETY: plain memory that the call fills.
    let now = unsafe {
        let mut now: libc::itimerval = std::mem::zeroed();
        libc::getitimer(which, &mut now);
        now
    };
    let (left, interval) = (now.it_value, now.it_interval);
    [
        left.tv_sec as u64,
        left.tv_usec as u64,
        interval.tv_sec as u64,
        interval.tv_usec as u64,
    ]
}

/// Lets a timer run from now on; nothing left stops it. False when it is no such time.
pub fn set_timer(which: i32, timer: Timer) -> bool {
    let time = |seconds: u64, micro: u64| libc::timeval {
        tv_sec: seconds as _,
        tv_usec: micro as _,
    };
    let new = libc::itimerval {
        it_value: time(timer[0], timer[1]),
        it_interval: time(timer[2], timer[3]),
    };
    // SAFETY: reads what is given.
    unsafe { libc::setitimer(which, &new, std::ptr::null_mut()) == 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_signal_does_is_read_as_it_was_set() {
        let winch = libc::SIGWINCH as u32;
        let begun = action(winch).unwrap();
        let ignored = Action {
            handler: libc::SIG_IGN,
            flags: 1 << 4,
            mask: 1 << (libc::SIGUSR1 - 1),
        };
        assert!(set_action(winch, &ignored));
        assert_eq!(action(winch), Some(ignored));
        assert!(set_action(winch, &begun));
        assert_eq!(action(winch), Some(begun));
        assert_eq!(action(SIGNALS + 1), None);
    }

    #[test]
    fn a_mask_and_a_timer_that_are_set_are_read_again() {
        let begun = block_signals();
        assert_ne!(blocked_signals(), begun);
        let usr1 = 1u64 << (libc::SIGUSR1 - 1);
        set_blocked_signals(usr1);
        assert_eq!(blocked_signals(), usr1);
        set_blocked_signals(begun);
        assert_eq!(blocked_signals(), begun);
        let (virtual_time, long) = (TIMERS[1], [100_000, 0, 5, 7]);
        assert!(set_timer(virtual_time, long));
        assert_eq!(timer(virtual_time)[2..], long[2..]);
        assert!(set_timer(virtual_time, Timer::default()));
        assert_eq!(timer(virtual_time)[..2], [0, 0]);
    }
}
