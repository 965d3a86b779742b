//! What leaves the tool: its lines on the standard error, answers on the standard output, the log, and copies of directories.
//!
//! The program that is run has the standard output for itself, so whatever is said beside it goes to the standard error.
//! This room and `cli` are the only ones that print; files are opened here only.

mod files;
mod speak;

pub use files::{
    Scratch, bytes_of, contents, copy, create_file, input_file, is_program, left_behind, move_to,
    remove, remove_file, text_of, write_file,
};
pub use speak::{Log, appended, json, print, say};
