//! Memory as the analyses see it: objects, and the cells they consist of. See [`model`].

pub mod model;

pub use model::*;
