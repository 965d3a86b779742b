//! Is everything that a restarted program may read restored?
//!
//! In: what is live at every checkpoint, what functions do to memory, and the directives. Out: for every live location
//! what brings it back, or the read that goes wrong ([`CheckpointCheck`]); for every item of a register directive
//! what needs it ([`ItemCheck`]).
//!
//! A restart restores (S9 to S13, S26): what is registered; what blocks that run again set; what is done before
//! `init`; what was never changed after the program started; what is set up on first use, and that before `init`; what the next call of a function sets up anew; parameters that keep the value of their call; locals with
//! constant initialisers that never change.
//!
//! ```text
//! init   n = 5;   p = malloc(n);   register(p[n])   checkpoint   use(p, n);
//! `n`    live at the checkpoint, changed after init, in no register: missing      `p[n]`   registered
//! ```
//!
//! Not here: what is live (`liveness`), how it is told (`diagnostic`, `explain`).

mod allocations;
mod basis;
mod begun;
mod blocks;
mod bytes;
mod classes;
mod cover;
mod cures;
mod decide;
mod dump;
mod engine;
mod facts;
mod found;
mod held;
mod item_cells;
mod items;
mod later;
mod leaving;
mod lengths;
pub mod model;
mod names;
mod out_of_reach;
mod own;
mod places;
mod pointed;
mod registered;
mod running;
mod seen;
mod set_up;
mod shadows;
mod single;
mod sites;
mod spent;
mod state;
mod tell;
mod whole;

pub use dump::dump;
pub use lengths::declared;
pub use model::*;
pub use spent::Spent;
pub use tell::diagnostics;
