//! Something that one thread at a time may use, for some ten instructions: waiting is cheaper than sleeping.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};

/// Two of them share no line of the cache.
#[repr(align(128))]
pub(super) struct Guarded<T> {
    busy: AtomicBool,
    inner: UnsafeCell<T>,
}

// SAFETY: `with` lets one thread at a time have what is inside.
unsafe impl<T: Send> Sync for Guarded<T> {}

impl<T> Guarded<T> {
    /// Nobody uses it yet.
    pub(super) const fn new(inner: T) -> Guarded<T> {
        Guarded {
            busy: AtomicBool::new(false),
            inner: UnsafeCell::new(inner),
        }
    }

    /// Nobody else uses it until [`leave`](Guarded::leave).
    #[inline]
    pub(super) fn take(&self) {
        if self.busy.swap(true, Ordering::Acquire) {
            self.wait();
        }
    }

    #[cold]
    fn wait(&self) {
        let mut tries = 0u32;
        while self.busy.load(Ordering::Relaxed) || self.busy.swap(true, Ordering::Acquire) {
            tries += 1;
            match tries % 64 {
                0 => std::thread::yield_now(),
                _ => std::hint::spin_loop(),
            }
        }
    }

    /// See [`take`](Guarded::take).
    #[inline]
    pub(super) fn leave(&self) {
        self.busy.store(false, Ordering::Release);
    }

    #[inline]
    pub(super) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        self.take();
        // SAFETY: nobody else has it until `busy` is false again. The work does not come back here.
        let result = work(unsafe { &mut *self.inner.get() });
        self.leave();
        result
    }
}
