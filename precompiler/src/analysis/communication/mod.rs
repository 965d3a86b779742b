//! Where no message is in flight, on all ranks.
//!
//! In: steps, what pointers point to, effects and the catalogue. Out: [`Communication`], which knows for every place of the
//! program whether a checkpoint may be taken there.
//!
//! A place is safe when every rank passes it the same number of times, every message sent before is received before, no
//! request is pending, and no epoch of a window is open. Inside of an OpenMP region all threads of the team have to pass it equally
//! often, with no lock held and no task unfinished, and messages have to be those of one thread at a time (`master`, `masked`,
//! `single`): when all threads stand at their n-th passage, these constructs are behind all of them or before all of them, and what
//! has been sent is what one thread alone would have sent.
//!
//! The one idea (000 §4.1): walk through the program in the order of execution, all ranks together, with one component
//! per rank in every value, and a buffer of what has been sent and not been received; a place is safe when the buffer is
//! empty whenever control comes by. This is done for several numbers of ranks. When ranks depend on each other only by
//! what holds for all larger numbers as well ([`value`]: neighbours, rings, both ends, odd and even, grids), the answer is
//! for every number; otherwise for those that were tried, and the program has to make sure of it ([`Ranks`]).
//!
//! ```text
//! MPI_Sendrecv(…, (rank + 1) % size, …, (rank + size - 1) % size, …);     safe before and after, for every size
//! if (rank > 0) MPI_Send(…, rank - 1, …);                                  unsafe after it
//! if (rank < size - 1) MPI_Recv(…, rank + 1, …);                           safe again
//! MPI_Sendrecv(…, rank ^ mask, …, rank ^ mask, …);                         safe for 2, 4, 8, 16, 32 ranks
//! for (k = rank; k < n; k += size) work(k);                                safe alone
//! ```
//!
//! *Safe alone* is a place in a loop that ranks iterate differently often. Nothing is under way when they enter it, they do
//! not communicate in it, and they enter it once in a run: then any iteration of one rank goes with any iteration of
//! another, because no message crosses. So the n-th checkpoint of all ranks can be restarted from, whichever
//! iterations they are in, as long as all checkpoints of the program are taken in this loop. Elsewhere too, and the
//! n-th checkpoint of one rank might lie in the loop and that of another behind it.
//!
//! What is assumed of the program: errors of MPI end it (unless it installs a handler); memory can be had on all ranks or
//! on none; a number that comes from outside and is used as a rank is none of those that mean something else to MPI; one by
//! which ranks are divided is an extent of a grid of ranks: positive, and where it is larger than the number of ranks it does
//! not matter by how much. A place that no run comes to is not safe.
//!
//! Errors fall on the side of *unsafe*: what decides where a message goes, how often a loop iterates or which way control
//! takes and cannot be told for each rank makes everything behind it unsafe.
//!
//! Not here: which places are worth a checkpoint (`load`).

mod budget;
mod calls;
mod communicators;
mod dump;
mod endpoints;
mod evaluate;
mod everybody;
mod grids;
mod library;
mod loops;
mod messages;
mod model;
mod mpi;
mod parallel;
mod replaced;
mod run;
mod safety;
mod shared;
mod slots;
mod state;
mod statements;
mod steps;
mod sweep;
mod together;
mod traffic;
mod value;
mod varying;

pub use dump::dump;
pub use library::communicates;
pub(super) use library::{Kind, kind};
pub use library::{Library, is_mpi};
pub use model::{Ranks, Safety};
pub use parallel::Parallel;
pub use safety::Communication;
pub(super) use varying::Sources;
pub use varying::{ByRank, Varying};
