//! Plan + the user's text → the text that is compiled. See [`edits`] and [`steps`].

pub mod calls;
pub mod descriptor;
pub mod edits;
pub mod entry;
pub mod file;
pub mod guard;
pub mod steps;

pub use file::{for_one_machine, rewrite_file};
