//! The bytes of a checkpoint: pure functions between memory, plain data and bytes.
//!
//! In: descriptions of types, the program's memory as byte slices, files as byte sources. Out: a [`Checkpoint`], or
//! its bytes, or a [`FormatError`]. FORMAT.md beside this crate says what every byte means; a test holds both equal.
//! When unsure a file is refused: no data is better than wrong data.
//!
//! Not here: opening files (`store`), the program's memory (`memory`), what is saved and when (`registry`).

mod error;
pub mod model;
pub mod types;

pub use error::FormatError;
pub use model::*;
pub use types::{BitField, Kind, Layout, LongDouble, Machine, Member, Type};
