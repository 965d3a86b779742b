//! Directives in their places: read from the pragma lines, their C expressions parsed, their positions checked.
//!
//! In: the file and its syntax tree. Out: [`Placed`] directives in the order of the text, and what is wrong with the
//! others. Names are not looked at here.

mod place;
mod read;
mod report;

pub use read::{Clause, Placed, base_text, read_directives};
