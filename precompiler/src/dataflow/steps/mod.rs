//! The program as steps: what every statement reads, writes and calls, and which values go from one to the other. See
//! [`model`].

mod lower;
pub mod model;
mod query;
mod variables;

pub use model::*;
