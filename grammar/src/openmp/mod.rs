//! The directives of OpenMP: what stands after `#pragma omp`, as plain data with byte ranges.
//!
//! `openmp.pest`, beside this crate's `Cargo.toml`, is the definition. [`Construct::read`] takes any text and never fails: what
//! is no known directive or clause is kept as unknown, with its words, and whoever asks assumes the worst of it.
//!
//! ```text
//! parallel for private(i, j) reduction(+ : sum) schedule(static, 4) nowait
//! [Parallel, For]  Private [i, j]  Reduction + [sum]  Schedule static, 4  Nowait
//! ```
//!
//! Not here: what the names mean. C expressions are balanced text.

mod construct;
mod names;
mod questions;
mod read;

pub use construct::{Clause, Construct, Content, ListItem, Section};
pub use names::{ClauseKind, DirectiveName};
