//! Coming back: which checkpoint, and how the program gets there again.
//!
//! In: a verified file and the program's questions. Out: the program at the place of the checkpoint, with everything
//! registered as it was there. Not here: reading files (`format`), the raw frames of the program (`ffi`).

mod place;
mod replay;

pub use replay::{Next, Replay, Standing, Stop};
