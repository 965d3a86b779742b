//! The language-neutral picture of the program. See [`model`].

pub mod dump;
pub mod model;
pub mod spelling;
pub mod types;
pub mod walk;

mod body;
mod builder;
mod declare;
mod facts;
mod fold;
mod load;
mod resolve;
mod typing;
mod uses;

pub use load::{load_program, load_unit};
pub use model::*;
pub use types::*;
