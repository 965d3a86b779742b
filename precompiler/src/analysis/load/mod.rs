//! Which loops do most of the work.
//!
//! In: the program, steps, what pointers lead to, the catalogue, and perhaps a profile. Out: [`Load`]: every loop with
//! its estimated share of the work, and those that are worth a checkpoint.
//!
//! Errors cost time or space, never a wrong result: wherever a checkpoint is put, a restart is right.
//!
//! Not here: where in the loop no message is under way (`communication`).

mod model;
mod profile;
mod stub;

pub use model::{Load, LoopLoad, SelectedLoop};
pub use profile::Profile;
