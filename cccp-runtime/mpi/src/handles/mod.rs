//! Communicators, groups, datatypes, operations and persistent requests of the program: which there are, and how they come back.
//!
//! What they are MPI tells itself at a checkpoint, without asking other ranks: the ranks of a communicator and its topology,
//! how a datatype was made. Only which handles there are it does not tell, and a value that is none must not be asked about. So
//! the functions that make handles and free them go through here. A restart needs nothing of how a handle came about: a
//! communicator is made again from its ranks, by its members alone, and what it was split from may be gone. All ranks go through
//! their communicators in the order of numbers that all members know (`counted::communicators` gives them), so nobody
//! waits for a rank that waits for him. As `MPI_Comm_free` is a collective call, a communicator is there on all its members or on
//! none where a checkpoint is safe; where that is not so, the restart stops and says so. Of a persistent request MPI tells nothing:
//! its call is noted. It is made again last, when its buffer has its place.
//!
//! In: the program's calls; a handle in a register. Out: what MPI returns; words for a checkpoint, and handles from words. Which
//! functions there are is written down in `cccp_grammar::HANDLES`, and a test compares. What a block makes that every restart
//! executes is left to the block. Not here: where handles lie (`cccp::session`).

mod again;
mod calls;
mod known;
mod predefined;
mod prepared;
mod topology;

pub use again::{Asking, lines, make};
pub use known::{Class, forget, handle, handle_of, note_communicator, number, word};
pub use predefined::predefined_type;
pub use prepared::{Arguments, forget_request, make_request, note_request};
