//! `main` goes to the fixed stack.

use std::cell::UnsafeCell;
use std::ffi::{c_char, c_int};
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicI32, AtomicPtr, Ordering};

use super::start::give_up;
use crate::memory::{fixed, stack};

/// `main`, as the C library calls it.
type Main = unsafe extern "C" fn(c_int, *mut *mut c_char, *mut *mut c_char) -> c_int;

/// The same in C's type of any function.
type Code = unsafe extern "C" fn();

/// The words of the command line, from before `main`.
static COUNT: AtomicI32 = AtomicI32::new(0);
static WORDS: AtomicPtr<*mut c_char> = AtomicPtr::new(std::ptr::null_mut());

/// With which words `main` is called.
pub(super) fn keep(count: c_int, words: *mut *mut c_char) {
    COUNT.store(count, Ordering::Relaxed);
    WORDS.store(words, Ordering::Relaxed);
}

unsafe extern "C" {
    static mut environ: *mut *mut c_char;
}

/// What the two stacks hand to each other.
struct Between(UnsafeCell<Option<(Main, c_int)>>);

// SAFETY: the thread of `main` alone uses it, once on either stack.
unsafe impl Sync for Between {}

static BETWEEN: Between = Between(UnsafeCell::new(None));

/// The first function on the fixed stack.
extern "C" fn first() {
    // SAFETY: `go` has put it there, and waits. The C library gives `main` these words and this environment.
    unsafe {
        if let Some((main, result)) = &mut *BETWEEN.0.get() {
            let count = COUNT.load(Ordering::Relaxed);
            *result = main(count, WORDS.load(Ordering::Relaxed), environ);
        }
    }
}

/// First in `main` of a program with a fixed heap: calls it again on the fixed stack, and says that this is done, with its result. Where it
/// is there already, it goes on.
///
/// # Safety
///
/// `code` is `main`, and `result` a variable in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cccp_fixed_stack(code: Option<Code>, result: *mut c_int) -> c_int {
    let Some(code) = code.filter(|_| fixed::is_on() && !stack::is_on()) else {
        return 0;
    };
    // SAFETY: the promise of the caller; one that wants fewer arguments leaves the others.
    let main = unsafe { std::mem::transmute::<Code, Main>(code) };
    let addresses = match stack::begin() {
        Ok(addresses) => addresses,
        Err(error) => give_up(&format!("cannot start: no fixed stack: {error}")),
    };
    // SAFETY: the promise of the caller.
    match unsafe { go(main, addresses) } {
        // SAFETY: the promise of the caller.
        Some(given) => unsafe { *result = given },
        None => give_up("cannot start: the C library cannot run `main` on the fixed stack"),
    }
    1
}

/// Calls `main` there, and comes back with its result.
#[cfg(target_env = "gnu")]
unsafe fn go(main: Main, addresses: std::ops::Range<usize>) -> Option<c_int> {
    let mut here = MaybeUninit::<libc::ucontext_t>::zeroed();
    let mut there = MaybeUninit::<libc::ucontext_t>::zeroed();
    // SAFETY: both live until `main` has returned; the stack is new memory that nobody else has.
    unsafe {
        *BETWEEN.0.get() = Some((main, 0));
        if libc::getcontext(there.as_mut_ptr()) != 0 {
            return None;
        }
        let next = &mut *there.as_mut_ptr();
        next.uc_stack.ss_sp = addresses.start as *mut libc::c_void;
        next.uc_stack.ss_size = addresses.len();
        next.uc_link = here.as_mut_ptr();
        libc::makecontext(next, first, 0);
        if libc::swapcontext(here.as_mut_ptr(), next) != 0 {
            return None;
        }
        (*BETWEEN.0.get()).map(|(_, result)| result)
    }
}

/// Other C libraries have no contexts.
#[cfg(not(target_env = "gnu"))]
unsafe fn go(_: Main, _: std::ops::Range<usize>) -> Option<c_int> {
    let _ = first;
    None
}
