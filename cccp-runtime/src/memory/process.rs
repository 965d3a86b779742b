//! What only the process itself can do to itself.

/// Runs `work` while no signal is delivered to this thread; a thread that `work` starts keeps them blocked for good, so
/// that the program's handlers run where they always did.
pub fn without_signals<T>(work: impl FnOnce() -> T) -> T {
    // SAFETY: both sets are plain memory that the calls fill before anything reads them.
    let old = unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        let mut old: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut old);
        old
    };
    let result = work();
    // SAFETY: `old` is the mask that was in force before.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &old, std::ptr::null_mut()) };
    result
}

/// Ends the process as a crash would: nothing is flushed, nobody is asked.
pub fn die() {
    // SAFETY: no memory is involved.
    unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
}

/// Writes out everything that the C library's output streams hold (S27).
pub fn flush_streams() {
    // SAFETY: NULL means all open output streams.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}
