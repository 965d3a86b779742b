//! One generation of checkpoints: from the live program to plain data, and from there to the disk.

mod collect;
mod pointers;

pub use collect::{Collected, Lost, Place, collect};
pub use pointers::Extent;
