//! Decisions: what each client function turns into. See [`data`] for the Plan itself.

pub mod data;

pub use data::*;
