//! One generation of checkpoints: from the live program to plain data, and from there to the disk.
//!
//! In: the session and the places where its activations stand. Out: a published file of this rank. Not here: when a
//! checkpoint is due (`trigger`), bytes (`format`), files (`store`).

mod collect;
mod pointers;
mod writer;

pub use collect::{Collected, Loss, Lost, Place, collect};
pub use pointers::Extent;
pub use writer::{Job, Outcome, Writer, perform};
