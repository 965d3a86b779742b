//! Whether files are what they were when they were written: every checksum, completeness, and that ranks agree.
//!
//! In: files and directories. Out: a [`Verdict`] per file, with what is wrong and where. A file that is missing has a
//! verdict, too. Not here: who asks (`verify`, `prune`), how it is said (`commands`).

mod files;
mod verdict;

pub use files::{check_file, check_generation};
pub use verdict::{State, Verdict, crossed};
