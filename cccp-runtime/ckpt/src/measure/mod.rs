//! What the values of a register are like: least, largest, mean, how many are no numbers, and the first ones.
//!
//! In: a register of a file, of any size. Out: a [`Summary`] per member (all elements of an array member together). One
//! walk, a batch of values in memory. The result is given only when every value has been verified.

mod members;
mod register;
mod summary;

pub use register::{Measured, measure};
pub use summary::{Number, Summary};
