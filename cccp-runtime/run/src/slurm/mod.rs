//! Batch jobs of Slurm that go on over time limits, preemptions and failures of nodes.
//!
//! In: a batch script with the options and arguments that one would give to `sbatch`. Out: a submitted job, which runs the script
//! under this tool. When the script has ended and the computation has not, the job is queued again, and the program goes on
//! from its checkpoint.
//!
//! The script stays as it is: what is submitted begins with its options (`#SBATCH`), then this tool takes over and runs the
//! script's own text with its own interpreter. Slurm signals this tool before a time limit or a preemption, and the tool asks the
//! programs that have checkpoints to leave. When unsure a job is not queued again: a job that ends too early can be
//! submitted again, one that never ends uses up an account.

mod after;
mod command;
mod controller;
mod job;
mod submit;
mod wrap;

pub use job::{Options as JobOptions, run as job};
pub use submit::{Options, run as submit};
