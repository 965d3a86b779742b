//! The language-neutral picture of the program. See [`model`].

pub mod model;
pub mod spelling;
pub mod types;
pub mod walk;

pub use model::*;
pub use types::*;
