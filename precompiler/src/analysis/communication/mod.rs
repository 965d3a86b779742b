//! Where no message is under way, on all ranks.
//!
//! In: steps, what pointers lead to, effects and the catalogue. Out: [`Communication`], which knows for every place of the
//! program whether a checkpoint may be taken there.
//!
//! A place is safe when every rank passes it the same number of times, every message sent before is received before, no
//! request is pending, no epoch of a window is open, and it is not inside an OpenMP region. A program without MPI is safe
//! outside of OpenMP regions.
//!
//! Errors fall on the side of *unsafe*.
//!
//! Not here: which places are worth a checkpoint (`load`).

mod dump;
mod model;
mod parallel;
mod safety;

pub use dump::dump;
pub use model::{Ranks, Safety};
pub use safety::Communication;
