//! Files of MPI: what cccp.h calls `cccp_MPI_File_…` in programs that open them, and how they come back.
//!
//! MPI tells everything about an open file but its name, and where the pointer of all ranks is at a checkpoint nobody can
//! ask: some ranks have gone on by then. So the functions that open, close and set a view, and those that move the shared
//! pointer, go through here. What they move, each rank adds up; where all ranks stood at their checkpoints, the pointer is
//! where it was at first and the sum of these. A call that a rank makes alone (`MPI_File_write_shared`) leaves no such
//! place: what it wrote may lie before what another one wrote earlier.
//!
//! In: the program's calls; a view and a place as words in a checkpoint. Out: what MPI returns; on restart the file
//! open again. Which functions there are is written down in `cccp_grammar::FILES`, and a test compares. Those that all
//! ranks call together count as collective calls for `messages(counted)`. Not here: which file it is and how long it was
//! (`cccp::session`).

mod again;
mod calls;
mod opened;
mod view;

pub use again::{describe, open};
pub use view::{datatype, is_own, words};
