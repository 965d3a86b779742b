//! Which loops do most of the work.
//!
//! In: the program, steps, what pointers point to, the catalogue, and perhaps a profile. Out: [`Load`]: every loop with
//! its estimated share of the work, and those that are worth a checkpoint.
//!
//! The one idea (000 §4.2): what a loop costs is what is written in it and in all that it calls, each statement as often as
//! the bounds of the loops around it say, the alternatives of a condition by their average, a branch that a counter opens as often as it runs
//! out, one that gives a full table more room as seldom. A profile takes the place of this estimate where there is one.
//!
//! ```text
//! for (step = 0; step < steps; step++) { exchange(u); relax(u); }      selected: nearly all the work
//! for (i = 0; i < n; i++) sum += u[i];                                 outermost, but little work
//! ```
//!
//! Errors cost time or space, never a wrong result: wherever a checkpoint is put, a restart is right.
//!
//! Not here: where in the loop no message is in flight (`communication`).

mod alternatives;
mod aside;
mod dump;
mod growth;
mod halving;
mod iterations;
mod judge;
mod lookups;
mod model;
mod passes;
mod phases;
mod profile;
mod refills;
mod repeats;
mod routine;
mod select;
mod shares;
mod sweeps;

pub use dump::dump;
pub use model::{Load, LoopLoad, SelectedLoop};
pub use profile::Profile;
pub use select::{SMALL, percent};
