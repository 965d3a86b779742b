//! What people see of the library: its lines on standard error.
//!
//! In: one-line messages. Out: the same with `cccp: ` in front, so that they can be told from the program's own. This
//! is the only room that prints.

mod report;

pub use report::{print, say};
