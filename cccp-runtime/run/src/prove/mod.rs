//! Does this program restart correctly? It is run undisturbed, killed at checkpoints, restarted, and compared.
//!
//! In: a command. Out: a verdict: every restart ended like the undisturbed run; or the first differences, with the variable and
//! its register; or why it could not be tried. Each run has a copy of the working directory and checkpoints of its own.
//!
//! Two undisturbed runs come first: what a program does not repeat by itself no restart can repeat. Deaths are real
//! (`CCCP_KILL_AT`). When unsure it is different. Not here: how values are compared (`cccp_ckpt::compare`).

mod answer;
mod compare;
mod places;
mod plan;
mod reasons;
mod run;
mod text;
mod trial;
mod varying;

pub use run::{Options, run};
