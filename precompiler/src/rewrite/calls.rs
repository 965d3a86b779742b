//! The one table of everything the generated code asks of the library.
//!
//! Nothing else in this crate spells a name of `cccp.h`: a test holds this table, the header and the symbols that
//! the libraries export equal. Names in small letters are the header's part 2.

/// Functions and variables of `cccp.h` that generated code uses.
pub const EMITTED: &[&str] = &[
    INIT,
    INIT_MPI,
    NEXT,
    REGISTER_BEGIN,
    REGISTER,
    UNREGISTER,
    EXECUTE,
    IN_BLOCK,
    VALUES,
    STRAY,
    ARGUMENT,
    HAS_ARGUMENT,
    TARGET,
    CALL_END,
    TICK,
    PASS,
    TEAM_BEGIN,
    TEAM_LINE,
    BARRIER,
    LOCK,
    SINGLE,
    MASKED,
    TEAM_AGAIN,
    TEAM_THREADS,
    TEAM_JOIN,
    TEAM_LEAVE,
    TEAM_END,
    CHECKPOINT,
    SAVE,
    AWAIT,
    RESUME,
    POISON,
    ENDS,
    SHUTDOWN,
    ANNOUNCE,
    RESIDE,
    GENERATORS,
    SUSPECTS,
    THREADS_LATER,
    FIXED_HEAP,
    FIXED_STACK,
    TEXT,
    REPLAYING,
    DUE,
    CALLS,
    TURNS,
    CALLING,
];

/// The line that declares all of them.
pub const HEADER: &str = "#include <cccp.h>\n";
/// Starts the library.
pub const INIT: &str = "cccp_init";
/// Starts the library in an MPI program.
pub const INIT_MPI: &str = "cccp_init_mpi";
/// The next block of this activation.
pub const NEXT: &str = "cccp_next";
/// A register block begins.
pub const REGISTER_BEGIN: &str = "cccp_register_begin";
/// One item.
pub const REGISTER: &str = "cccp_register";
/// The end of a register.
pub const UNREGISTER: &str = "cccp_unregister";
/// An execute or region block runs.
pub const EXECUTE: &str = "cccp_execute";
/// Its statements begin or end, in programs whose handles of MPI are noted.
pub const IN_BLOCK: &str = "cccp_in_block";
/// The values it had in the original run.
pub const VALUES: &str = "cccp_values";
/// It is not left, on restart, where the original run left it.
pub const STRAY: &str = "cccp_stray";
/// Whether the trace knows what an argument of the call due leads to.
pub const HAS_ARGUMENT: &str = "cccp_has_argument";
/// An argument of the original run.
pub const ARGUMENT: &str = "cccp_argument";
/// The function the original run called.
pub const TARGET: &str = "cccp_target";
/// A call has returned.
pub const CALL_END: &str = "cccp_call_end";
/// Is this the n-th call?
pub const TICK: &str = "cccp_tick";
/// The same where threads count for themselves.
pub const PASS: &str = "cccp_pass";
/// Before a parallel region.
pub const TEAM_BEGIN: &str = "cccp_team_begin";
/// Its threads come to checkpoints unequally often.
pub const TEAM_LINE: &str = "cccp_team_line";
/// A thread comes to a barrier.
pub const BARRIER: &str = "cccp_barrier";
/// A thread is about to take a lock.
pub const LOCK: &str = "cccp_lock";
/// Whether a thread executes a `single`.
pub const SINGLE: &str = "cccp_single";
/// Whether it executes a `masked` or `master`.
pub const MASKED: &str = "cccp_masked";
/// The same on restart.
pub const TEAM_AGAIN: &str = "cccp_team_again";
/// How many threads the region has.
pub const TEAM_THREADS: &str = "cccp_team_threads";
/// A thread begins with its part of the region.
pub const TEAM_JOIN: &str = "cccp_team_join";
/// It has come to its end.
pub const TEAM_LEAVE: &str = "cccp_team_leave";
/// Behind the region.
pub const TEAM_END: &str = "cccp_team_end";
/// What each thread counts: a variable of the program.
pub const THREAD: &str = "cccp_thread";
/// A checkpoint.
pub const CHECKPOINT: &str = "cccp_checkpoint";
/// The same where a thread may go on before all have come.
pub const SAVE: &str = "cccp_save";
/// It waits until the checkpoint is taken.
pub const AWAIT: &str = "cccp_await";
/// The end of a restart.
pub const RESUME: &str = "cccp_resume";
/// A variable that holds nothing after the restart.
pub const POISON: &str = "cccp_poison";
/// Whether the restart ends in the call due.
pub const ENDS: &str = "cccp_ends";
/// The end of the library.
pub const SHUTDOWN: &str = "cccp_shutdown";
/// The functions of a file, before `main`.
pub const ANNOUNCE: &str = "cccp_announce";
/// The resident items of a file, before `main`.
pub const RESIDE: &str = "cccp_reside";
/// The generators of random numbers that the program uses, before `main`.
pub const GENERATORS: &str = "cccp_generators";
/// A function of a library is there.
pub const NOTE: &str = "CCCP_NOTE";
/// Nothing before `init` depends on the number of threads, before `main`.
pub const THREADS_LATER: &str = "cccp_threads_later";
/// What a file says, as a number, before `main`.
pub const TEXT: &str = "cccp_text";
/// The program's blocks come from the fixed heap, before anything else.
pub const FIXED_HEAP: &str = "cccp_fixed_heap";
/// `main` goes to the fixed stack.
pub const FIXED_STACK: &str = "cccp_fixed_stack";
/// Values that every checkpoint looks at, before `main`.
pub const SUSPECTS: &str = "cccp_suspects";
/// A restart is in progress.
pub const REPLAYING: &str = "cccp_replaying";
/// The next checkpoint call has to ask the library.
pub const DUE: &str = "cccp_due";
/// How many checkpoints the program has passed.
pub const CALLS: &str = "cccp_calls";
/// How often it has met loops and conditions around checkpoints.
pub const TURNS: &str = "cccp_turns";
/// The frame that is about to call.
pub const CALLING: &str = "cccp_calling";
/// The same, if it means to call this function: a macro.
pub const CALLER: &str = "CCCP_CALLER";
