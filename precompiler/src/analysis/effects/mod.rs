//! What every function does to memory, itself and through all that it calls.
//!
//! In: steps, what pointers point to, and the catalogue. Out: for every function its steps as [`Action`]s on cells, and a
//! [`Summary`]. The one idea: C, pointers and library functions end here; what comes after sees cells that may be read,
//! may be written or are surely written, and calls of functions with a summary.
//!
//! ```text
//! void next(struct list **at) { *at = (*at)->next; }      reads main::p, node.next; writes main::p
//! ```
//!
//! Errors fall on the side of doing more: what may be read is read, what is not surely written everywhere is not
//! overwritten. An unknown function reads and writes all that it can reach.
//!
//! Not here: in which order things happen across functions (`liveness`), what pointers point to (`points_to`).

mod backward;
mod blocks;
mod buffers;
mod calls;
mod cover;
mod dump;
mod extents;
mod formats;
mod fresh;
mod given;
mod kept;
mod library;
mod lists;
mod look;
mod lower;
mod model;
mod order;
mod persistent;
mod recent;
mod summarise;
mod tested;
mod through;
mod together;

pub use backward::{Backward, Later};
pub use blocks::{Block, Blocks, Edge};
pub use buffers::{buffers, moved};
pub use dump::dump;
pub use lower::owner_of_local;
pub use model::*;
pub use order::{all_leading, below, calls, groups, leading};
pub use summarise::blocks;
pub use together::Together;
