//! One generation of checkpoints: what pointers mean in it, and its way to the disk.
//!
//! In: where everything registered lies; a checkpoint whose values are copies. Out: pointers that mean the same in
//! another process; a published file of this rank. Not here: what a checkpoint holds (`session`), bytes (`format`),
//! files (`store`).

mod crossed;
mod pointers;
mod writer;

pub use crossed::{Crossings, Found};
pub use pointers::{Ahead, Blocks, Extent, Map, only_name};
pub use writer::{Job, Note, Outcome, Writer, perform, publish};
