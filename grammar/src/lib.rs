//! The languages cccp speaks, as pest grammars: plain data out, with byte ranges.
//!
//! `directives.pest`, beside this crate's `Cargo.toml`, is the definition of the directives; [`parse_directive`] reads
//! one. No C is understood here: expressions are balanced text. Bad input gives a [`SyntaxError`] that says what was
//! expected, never a panic.

mod directive;
mod error;
mod nearest;

pub use directive::{Bracket, Directive, Item, ItemPart, Text, parse_directive};
pub use error::{ErrorKind, SyntaxError};
pub use nearest::nearest;
