//! The command line: what the user may say, and from that to the exit status.

mod options;
mod run;

pub use options::Options;
pub use run::main;
