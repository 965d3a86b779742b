//! What the tool can do, one file per command.
//!
//! Each has its `Arguments` (clap's description is the user's help) and `run(&Arguments, &mut Output)`, which gives a
//! `Status` or a `Failure`. Not here: the list of commands itself (`cli`).

pub mod convert;
pub mod diff;
pub mod export;
pub mod list;
pub mod prune;
pub mod show;
pub mod verify;
