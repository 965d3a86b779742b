//! A program that was changed since the checkpoint: what is different, and what of that a restart can live with.
//!
//! In: a verified checkpoint with the plans of its functions, and the functions of the program. Out: every difference as
//! a [`Row`] with both sides, and, when the user accepts them, the checkpoint in the words of the new program: its blocks
//! and items renumbered, registers dropped, others to be made anew. The way back itself knows nothing of this.
//!
//! The one idea: blocks and items find each other by kind and name, in order; where that is not unambiguous, or where a
//! value could not keep its meaning, the row says why it cannot be accepted. When unsure a row is refused.
//!
//! Steps: `align` pairs two lists · `blocks` the blocks of a function · `items` what its directives name · `function`
//! all of it · `program` every function · `translate` renumbers · `row` is the table for people.

mod align;
mod blocks;
mod function;
mod items;
mod program;
mod row;
#[cfg(test)]
mod tests;
mod translate;
mod usage;

pub use program::{Changes, Known, find};
pub use row::{Row, table};
pub use translate::{Adopted, translate};
