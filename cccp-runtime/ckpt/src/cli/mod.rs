//! The command line: which commands there are, and from what they give to the exit status.
//!
//! Here and in `output` things are printed. Whatever needs the description of all commands at once lies here, too.

mod completions;
mod manual;
mod options;
mod run;

pub use options::{Command, Options};
pub use run::main;
