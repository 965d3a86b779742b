//! The processes of a job, as far as a restart needs them: who am I, how many are we, and the
//! smallest of a number, or the sum.
//!
//! In: numbers of this rank. Out: the same on all ranks. One reduction is enough for the agreement on a generation.
//! While the program runs there are only reductions that nobody waits for, one at a time; all is called by one thread.
//! An error means that the ranks may not agree; then nobody restarts. Files that ranks opened together are also theirs.
//!
//! Here are the serial twin and two for tests, in which the ranks are threads or run one after the other. The one over
//! MPI is the crate `cccp-mpi`. Not here: what is agreed on (`generation`).

mod group;
mod handles;
#[cfg(test)]
pub(crate) mod in_turn;
mod launcher;
mod serial;
mod threads;

pub use group::{CommError, FileOfRanks, Group, Numbers, Reduced, brought};
pub use handles::{
    comes_back, handle_types, is_in_block, note_handles, notes_handles, null_handle, pass_block,
    remake_sends, some_come_back,
};
pub use launcher::one_of_several;
pub use serial::Serial;
pub use threads::{Threads, threads};
