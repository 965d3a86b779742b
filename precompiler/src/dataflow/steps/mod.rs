//! The program as steps: what every statement reads, writes and calls, and which values go from one to the other. See
//! [`model`].

pub mod model;

pub use model::*;
