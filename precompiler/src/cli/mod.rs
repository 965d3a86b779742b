//! The command line of `cccp-pp`: the only room that prints, and the one that writes files.

pub mod analyses;
pub mod annotate;
pub mod auto;
pub mod clock;
pub mod depends;
pub mod emit;
pub mod exhausted;
pub mod explain;
pub mod flags;
pub mod inferred;
pub mod manual;
pub mod options;
pub mod outputs;
pub mod planned;
pub mod profile;
pub mod progress;
pub mod run;
pub mod words;

pub use run::main;
