//! The functions of MPI that count: what cccp.h calls `cccp_MPI_…` in programs with `messages(counted)`.
//!
//! In: the program's calls, with MPI's own parameters. Out: what MPI returns, and the number of this process
//! (`cccp::messages`). Each function calls MPI first and counts what succeeded: an error counts nothing, so that a message
//! whose fate nobody knows is one under way. There is no communication besides the program's, but for the name of a
//! new communicator, by which [handles](crate::handles) know it, too. Which functions there are is written down in `cccp_grammar::COUNTED`, and a test compares.

mod collectives;
mod communicators;
mod point_to_point;
mod requests;

pub use communicators::{call_again, last_number, numbers_from};
pub use point_to_point::prepare;
pub use requests::{complete, complete_send, is_sent};
