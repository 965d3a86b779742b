//! The way back: which generation it starts from.
//!
//! In: what each rank has on its shelf. Out: the same decision on all ranks. When unsure nobody restarts.

mod agreement;
#[cfg(test)]
mod agreement_tests;

pub use agreement::{Agreement, Decision, Expected, Mode, Shelf, agree};
