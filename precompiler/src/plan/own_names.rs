//! Functions and variables of the program that have names which the library needs for itself: `read`, `signal`, `round`.
//!
//! A linker knows one thing by each name. A program may define a function `read` that has nothing to do with that of POSIX, and the C
//! library never notices, because it calls its own by another name. But libcccp would call the one of the program. So what the
//! program defines gets another name in the object files; in the source, in `__func__` and for everybody who reads it, it keeps its own.
//!
//! In: all files. Out: for each file the names to change, and where a function has to be declared for that before it is defined (gcc
//! changes names of declarations only). Not here: allocation, the clock, and what compilers call on their own (`memcpy`): whoever defines
//! that means it for the whole program.

use super::data::PlannedEdit;
use super::declared_before;
use crate::program::{Directive, Function, Program, Storage, SymbolKind, Unit};

/// What libcccp calls of the C library on any machine or asks for by its name, and what it defines in its place, in the order of the
/// alphabet.
pub const NEEDED: [&str; 246] = [
    "accept4",
    "bind",
    "ceil",
    "chdir",
    "chmod",
    "chown",
    "chroot",
    "clock_nanosleep",
    "close",
    "closedir",
    "cnd_destroy",
    "cnd_init",
    "connect",
    "copy_file_range",
    "dirfd",
    "dl_iterate_phdr",
    "dladdr",
    "dlsym",
    "dup",
    "dup2",
    "dup3",
    "execvp",
    "fchmod",
    "fchown",
    "fclose",
    "fcntl",
    "fdatasync",
    "fdopen",
    "fdopendir",
    "feof",
    "ferror",
    "fflush",
    "fileno",
    "flock",
    "floor",
    "fmod",
    "fopen",
    "fopen64",
    "fork",
    "freeaddrinfo",
    "freopen",
    "freopen64",
    "fseeko",
    "fstat",
    "fstat64",
    "fstatat",
    "fstatat64",
    "fsync",
    "ftello",
    "ftruncate",
    "ftruncate64",
    "futimens",
    "gai_strerror",
    "getaddrinfo",
    "getauxval",
    "getcontext",
    "getcwd",
    "getdelim",
    "getenv",
    "gethostname",
    "getitimer",
    "getpeername",
    "getpgrp",
    "getpid",
    "getppid",
    "getpwuid_r",
    "getrandom",
    "getrlimit",
    "getrusage",
    "getsockname",
    "getsockopt",
    "gettid",
    "getuid",
    "gnu_get_libc_version",
    "ioctl",
    "kill",
    "lchown",
    "linkat",
    "listen",
    "log10",
    "lseek",
    "lseek64",
    "lstat",
    "lstat64",
    "madvise",
    "makecontext",
    "malloc_usable_size",
    "mkdir",
    "mkdirat",
    "mkdtemp",
    "mkfifo",
    "mkfifoat",
    "mkostemps64",
    "mmap",
    "mmap64",
    "mprotect",
    "mremap",
    "mtx_destroy",
    "mtx_init",
    "mtx_lock",
    "mtx_unlock",
    "munmap",
    "open",
    "open64",
    "openat",
    "openat64",
    "opendir",
    "pause",
    "pidfd_getpid",
    "pidfd_spawnp",
    "pipe2",
    "poll",
    "popen",
    "posix_spawn_file_actions_addchdir",
    "posix_spawn_file_actions_addchdir_np",
    "posix_spawn_file_actions_adddup2",
    "posix_spawn_file_actions_destroy",
    "posix_spawn_file_actions_init",
    "posix_spawnattr_destroy",
    "posix_spawnattr_init",
    "posix_spawnattr_setflags",
    "posix_spawnattr_setpgroup",
    "posix_spawnattr_setsigdefault",
    "posix_spawnp",
    "pow",
    "pread",
    "pread64",
    "preadv",
    "pthread_atfork",
    "pthread_attr_destroy",
    "pthread_attr_getguardsize",
    "pthread_attr_getstack",
    "pthread_attr_init",
    "pthread_attr_setstacksize",
    "pthread_cond_destroy",
    "pthread_cond_init",
    "pthread_condattr_destroy",
    "pthread_condattr_init",
    "pthread_condattr_setclock",
    "pthread_condattr_setpshared",
    "pthread_create",
    "pthread_detach",
    "pthread_getattr_np",
    "pthread_join",
    "pthread_key_create",
    "pthread_key_delete",
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
    "pthread_self",
    "pthread_setname_np",
    "pthread_setspecific",
    "pthread_sigmask",
    "pthread_spin_destroy",
    "pthread_spin_init",
    "pthread_spin_lock",
    "pthread_spin_unlock",
    "putenv",
    "pwrite",
    "pwrite64",
    "pwritev",
    "raise",
    "rand",
    "random",
    "read",
    "readdir",
    "readdir64",
    "readlink",
    "readv",
    "realpath",
    "recv",
    "recvfrom",
    "recvmsg",
    "remove",
    "rename",
    "renameat",
    "rmdir",
    "round",
    "sbrk",
    "sched_getaffinity",
    "sched_yield",
    "send",
    "sendfile",
    "sendfile64",
    "sendmsg",
    "sendto",
    "setenv",
    "setgid",
    "setgroups",
    "setitimer",
    "setpgid",
    "setsid",
    "setsockopt",
    "setuid",
    "setvbuf",
    "shutdown",
    "sigaction",
    "sigaddset",
    "sigaltstack",
    "sigdelset",
    "sigemptyset",
    "sigfillset",
    "sigismember",
    "signal",
    "sigpending",
    "sigtimedwait",
    "socket",
    "socketpair",
    "splice",
    "ssignal",
    "stat",
    "stat64",
    "statx",
    "swapcontext",
    "symlink",
    "symlinkat",
    "syscall",
    "sysconf",
    "times",
    "truncate64",
    "ungetc",
    "unlink",
    "unlinkat",
    "unsetenv",
    "utimensat",
    "vasprintf",
    "waitid",
    "waitpid",
    "write",
    "writev",
];

/// Which of the names a program with `init` defines for itself.
pub fn own_names(program: &Program) -> Vec<&'static str> {
    let mut directives = program.units.iter().flat_map(|unit| &unit.directives);
    if !directives.any(|one| matches!(one.directive, Directive::Init { .. })) {
        return Vec::new();
    }
    let is_defined = |unit: &Unit, name: &str| {
        let mut functions = unit.functions.iter();
        let mut variables = unit.symbols.iter();
        functions.any(|one| one.name == name && is_external(one))
            || variables.any(|one| {
                one.name == name
                    && one.kind == SymbolKind::Variable
                    && one.function.is_none()
                    && one.is_defined
                    && one.storage != Storage::Static
            })
    };
    let all = NEEDED.iter().copied();
    all.filter(|name| program.units.iter().any(|unit| is_defined(unit, name)))
        .collect()
}

/// How a file says that a name is another one in the object file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnName {
    /// The name.
    pub name: &'static str,
    /// As a macro: its definition comes from an included file and is its first declaration.
    pub is_macro: bool,
}

/// The names that a file mentions, and declarations that have to come before definitions.
pub fn in_file(unit: &Unit, names: &[&'static str]) -> (Vec<OwnName>, Vec<PlannedEdit>) {
    let text = &unit.file.preprocessed;
    let (mut own, mut edits) = (Vec::new(), Vec::new());
    for &name in names.iter().filter(|name| text.contains(**name)) {
        let mut functions = unit.functions.iter();
        let first = functions.find(|one| {
            let declared = unit.symbols[one.symbol.0].declared;
            one.name == name && is_external(one) && declared.start >= one.span.start
        });
        let edit = first.map(|one| declared_before::declaration(unit, one));
        own.push(OwnName {
            name,
            is_macro: matches!(edit, Some(None)),
        });
        edits.extend(edit.flatten());
    }
    (own, edits)
}

fn is_external(function: &Function) -> bool {
    !function.is_static && !function.is_inline
}
