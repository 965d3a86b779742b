//! Messages between ranks, counted: whether any is under way where a checkpoint is taken.
//!
//! In: each message that this process sends or has received, each collective call, each request that is started and
//! completed. Out: one number, and how many requests are in flight.
//!
//! The one idea: a message adds a hash of its communicator, sender, receiver and tag to the number of its sender, and
//! takes the same away from that of its receiver. A collective call adds the hash of this member and takes away that of the
//! next one. So the numbers of all ranks have the sum 0 exactly when every message that was sent has been received, and
//! all members of each communicator made equally many collective calls; anything else comes to 0 once in 2^64 cases.
//!
//! What is not known counts as under way: then a generation is passed over, never restarted from wrongly. All this is of
//! the whole process, because the program may have threads and sends before `init`. Not here: MPI (`cccp-mpi`), what follows
//! from the number (`restore`, `session`).

mod none;
mod requests;
mod tally;

pub use none::{REQUEST_TYPE, no_request, set_no_request};
pub use requests::{Complete, Effect, Held, InFlight, Request, Requests, requests};
pub use tally::{
    Dropped, Member, Tally, count, counts, drop_requests, dropped_requests, mix, tally,
};
