//! What a restarted program may still read, at every checkpoint, in the whole program.
//!
//! In: the actions of all functions and their summaries. Out: for every checkpoint directive the cells that are live
//! right after it. The one idea is that of live variables across procedures (Rodríguez et al., §4.3): backwards within a
//! function, with the summaries of what it calls; what is live when it returns is what is live after any call of it.
//!
//! ```text
//! a = 1; b = 2;
//! #pragma cccp checkpoint          live: a (read at line 4); dead: b (overwritten at line 3)
//! b = 3;
//! printf("%d %d", a, b);
//! ```
//!
//! Errors fall on the side of *live*: a cell is dead only when on every way it is surely overwritten before it may be
//! read, or never read again, or does not exist yet.
//!
//! Not here: whether what is live is registered (`completeness`).

mod before;
mod conservative;
mod downward;
mod dump;
mod follow;
mod handed;
mod look;
mod model;
mod scan;
mod unread;
mod why;

pub use dump::dump;

pub use model::*;
pub use unread::Unread;
