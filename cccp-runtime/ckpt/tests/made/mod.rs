//! Checkpoints made for tests, as a program on some machine would have written them, and the tool to look at them with.
//!
//! The same values on every machine: a heat plate `u` with a struct array, pointers, bit-fields, letters and a
//! `long double`. Not here: what is expected of the tool.
#![allow(dead_code, reason = "each driver uses a part of it")]
#![allow(unused_imports, reason = "each driver uses a part of it")]

mod machines;
mod place;
mod program;

pub use machines::{i686, s390x, x86_64};
pub use place::{Place, golden};
pub use program::{CELL, Program};
