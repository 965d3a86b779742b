//! Functions of libraries that the program may have, by their names.
//!
//! A program that has none of them need not be linked with the library for our sake. `dlsym` does not see those of a program that is
//! linked statically: weak references to them do, where the program has them itself.

use std::ffi::CStr;

/// How an address is stored.
#[cfg(target_pointer_width = "64")]
macro_rules! address {
    () => {
        ".quad "
    };
}
#[cfg(target_pointer_width = "32")]
macro_rules! address {
    () => {
        ".long "
    };
}

macro_rules! linked_in {
    ($($name:literal,)*) => {
        std::arch::global_asm!(
            ".pushsection .data.rel.ro.cccp_linked_in, \"aw\"",
            ".balign 8",
            ".globl cccp_linked_in",
            ".hidden cccp_linked_in",
            "cccp_linked_in:",
            $(concat!(".weak ", $name), concat!(address!(), $name),)*
            ".popsection",
        );

        /// The functions that are linked in where the program has them.
        const NAMES: &[&str] = &[$($name,)*];
    };
}

linked_in! {
    // What begins regions of OpenMP.
    "GOMP_parallel",
    "__kmpc_fork_call",
    // Its functions, and those for locks of POSIX and C11.
    "omp_destroy_lock",
    "omp_destroy_nest_lock",
    "omp_get_active_level",
    "omp_get_dynamic",
    "omp_get_max_active_levels",
    "omp_get_max_threads",
    "omp_get_num_threads",
    "omp_get_schedule",
    "omp_get_thread_limit",
    "omp_get_thread_num",
    "omp_get_wtime",
    "omp_init_lock",
    "omp_init_lock_with_hint",
    "omp_init_nest_lock",
    "omp_init_nest_lock_with_hint",
    "omp_set_dynamic",
    "omp_set_lock",
    "omp_set_max_active_levels",
    "omp_set_nest_lock",
    "omp_set_num_threads",
    "omp_set_schedule",
    "omp_test_lock",
    "omp_test_nest_lock",
    "omp_unset_lock",
    "omp_unset_nest_lock",
    "cnd_destroy",
    "cnd_init",
    "mtx_destroy",
    "mtx_init",
    "mtx_lock",
    "mtx_unlock",
    "pthread_cond_destroy",
    "pthread_cond_init",
    "pthread_condattr_destroy",
    "pthread_condattr_init",
    "pthread_condattr_setclock",
    "pthread_condattr_setpshared",
    "pthread_mutex_destroy",
    "pthread_mutex_init",
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "pthread_mutexattr_destroy",
    "pthread_mutexattr_init",
    "pthread_mutexattr_setprotocol",
    "pthread_mutexattr_setpshared",
    "pthread_mutexattr_setrobust",
    "pthread_mutexattr_settype",
    "pthread_rwlock_destroy",
    "pthread_rwlock_init",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_unlock",
    "pthread_rwlock_wrlock",
    "pthread_rwlockattr_destroy",
    "pthread_rwlockattr_init",
    "pthread_rwlockattr_setkind_np",
    "pthread_rwlockattr_setpshared",
    "pthread_spin_destroy",
    "pthread_spin_init",
    "pthread_spin_lock",
    "pthread_spin_unlock",
}

/// Where that function is, if it is linked in.
fn linked_in(name: &[u8]) -> Option<usize> {
    unsafe extern "C" {
        static cccp_linked_in: [usize; NAMES.len()];
    }
    let at = NAMES.iter().position(|one| one.as_bytes() == name)?;
    // SAFETY: a table of as many addresses, which the linker has filled in; 0 where there is no such function.
    let all = unsafe { &cccp_linked_in };
    // Read anew: nothing here shows that the linker changes it.
    let found = std::hint::black_box(all)[at];
    (found != 0).then_some(found)
}

/// Whether it is.
pub(super) fn is_linked_in(name: &str) -> bool {
    linked_in(name.as_bytes()).is_some()
}

/// The function of that name in what is loaded, or linked in.
///
/// # Safety
///
/// `F` is the type of a pointer to that function.
pub unsafe fn function<F>(name: &CStr) -> Option<F> {
    // SAFETY: looks for a name in what is loaded.
    let loaded = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) } as usize;
    let found = Some(loaded).filter(|one| *one != 0);
    let found = found.or_else(|| linked_in(name.to_bytes()))?;
    // SAFETY: the caller says of which type the function of that name is.
    Some(unsafe { std::mem::transmute_copy(&found) })
}
