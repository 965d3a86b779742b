//! The command that is run: started, waited for, and handed the signals that come.
//!
//! In: words and variables. Out: how it ended, and which signal asked for the end meanwhile. A signal goes to the processes
//! that have the checkpoints, when they are on this machine: a launcher such as mpirun passes on only some signals, and ends
//! its ranks after one second when it is told to end itself. Otherwise, and from the second one on, it goes to the command. What
//! a terminal sends reaches all processes by itself.

mod ending;
mod wait;

pub use ending::{CANNOT_RESTART, CHECKPOINTED, Ending};
pub use wait::{Asked, Child, Signals, end_with_all, here, now, send};
