//! A command is started again until it is done.
//!
//! In: the command, how often and how soon. Out: an exit status, a log, and what it came to. A command that fails by itself
//! at the place at which it failed before is not started again: it would fail there for ever.

mod decide;
mod run;

pub use run::{Options, run};
