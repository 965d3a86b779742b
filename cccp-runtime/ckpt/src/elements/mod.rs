//! What an element of a register looks like, and its values one after the other.
//!
//! [`Element`] is the tree of a type, [`Scalars`] the values in the order of that tree, [`Grid`] turns a position into the
//! indices that C uses. Not here: bytes (`cccp::format`), what is done with the values (`compare`, `forms`).

mod grid;
mod scalars;
mod targets;
mod tree;
mod words;

pub use grid::Grid;
pub use scalars::Scalars;
pub use targets::Targets;
pub use tree::{Element, Field, Number};
pub use words::spell;
