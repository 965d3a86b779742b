//! Reading the user's file. See [`file`] and [`position`].

pub mod file;
pub mod position;

pub use file::{Encoding, SourceFile};
pub use position::{SourceRange, Span};
