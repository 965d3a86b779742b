//! What only the process itself can do to itself.

use std::time::Duration;

use super::stack;

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

/// Runs `work` so that what it cannot write is an error and not the end of the process: a file that may not grow, a pipe
/// that nobody reads. The signals that tell of these go to the thread that wrote; they are taken away before anybody
/// sees them.
pub fn without_writing_signals<T>(work: impl FnOnce() -> T) -> T {
    const SIGNALS: [libc::c_int; 2] = [libc::SIGXFSZ, libc::SIGPIPE];
    // SAFETY: the sets are plain memory that the calls fill before anything reads them.
    let (ours, old) = unsafe {
        let mut old: libc::sigset_t = std::mem::zeroed();
        libc::pthread_sigmask(libc::SIG_SETMASK, std::ptr::null(), &mut old);
        let mut ours: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut ours);
        // What was blocked before stays as it is.
        for signal in SIGNALS {
            if libc::sigismember(&old, signal) == 0 {
                libc::sigaddset(&mut ours, signal);
            }
        }
        libc::pthread_sigmask(libc::SIG_BLOCK, &ours, std::ptr::null_mut());
        (ours, old)
    };
    let result = work();
    // SAFETY: as above; a time of zero means not to wait.
    unsafe {
        let now: libc::timespec = std::mem::zeroed();
        while libc::sigtimedwait(&ours, std::ptr::null_mut(), &now) > 0 {}
        libc::pthread_sigmask(libc::SIG_SETMASK, &old, std::ptr::null_mut());
    }
    result
}

/// Ends the process as a crash would: nothing is flushed, nobody is asked.
pub fn die() {
    // SAFETY: no memory is involved.
    unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
}

/// Ends the process at once with this exit status: what the program wants to do at its end is left to its end.
pub fn leave(status: i32) -> ! {
    // SAFETY: no memory is involved.
    unsafe { libc::_exit(status) }
}

/// The time of a processor that this thread has taken.
pub fn computed() -> Duration {
    // SAFETY: the time is plain memory that the call fills.
    unsafe {
        let mut now: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut now);
        Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
    }
}

/// Writes out everything that the C library's output streams hold (S27).
pub fn flush_streams() {
    // SAFETY: NULL means all open output streams.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}

/// Whether an address lies in the stack of this thread.
pub fn on_stack(address: usize) -> bool {
    if stack::holds(address) {
        return true;
    }
    // SAFETY: the attributes are plain memory that the first call fills, and they are given back.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return false;
        }
        let (mut low, mut size) = (std::ptr::null_mut(), 0);
        let known = libc::pthread_attr_getstack(&attributes, &mut low, &mut size) == 0;
        libc::pthread_attr_destroy(&mut attributes);
        known && (low as usize..(low as usize).saturating_add(size)).contains(&address)
    }
}

/// Whether two addresses lie in one stack: that of this thread, or that of `main` beside a fixed heap, which is another one for all
/// threads but the first.
pub fn on_one_stack(one: usize, other: usize) -> bool {
    match (stack::holds(one), stack::holds(other)) {
        (false, false) => on_stack(one) && on_stack(other),
        (here, there) => here && there,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locals_are_on_the_stack_and_allocated_memory_is_not() {
        let local = 1;
        let allocated = Box::new(1);
        assert!(on_stack(&raw const local as usize));
        assert!(!on_stack(&raw const *allocated as usize));
        assert!(!on_stack(0));
    }
}
