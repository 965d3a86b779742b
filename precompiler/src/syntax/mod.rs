//! From text to a syntax tree. The only room that knows the C parser. See [`tree`].

pub mod tree;

mod assembly;
mod convert;
mod convert_expression;
mod literal;
mod parse;

pub use parse::{ParseFailure, parse, parse_expressions, with_stack};
