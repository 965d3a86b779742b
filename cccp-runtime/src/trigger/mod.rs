//! Whether a checkpoint is due, and why.
//!
//! In: what the user set, the time now, what checkpoints have cost, what was asked from outside. Out: a reason to take one
//! at this call, or none. All times are seconds of one clock that the caller brings, so that nothing here waits, and tests
//! decide what time it is.
//!
//! The rule without any setting: the first checkpoint when its cost, estimated from what is registered, is 1 % of the time
//! so far, at the latest after a minute; from then on at the interval of Young and Daly for the measured cost, but never
//! so often that all of them together take more than that share.
//!
//! Errors fall on the side of fewer checkpoints by time, and of leaving early at the end of a batch job.
//! What is due by time or asked for is agreed by all ranks (`agreement`), without stopping them. Threads of a parallel region
//! meet for it (`gathering`), or stop where they are next (`line`).
//! Not here: counting calls (`ffi`).

mod agreement;
#[cfg(test)]
mod agreement_tests;
mod asked;
mod choice;
mod cost;
mod failures;
mod gathering;
#[cfg(test)]
mod gathering_tests;
mod interval;
mod line;
#[cfg(test)]
mod line_tests;
mod member;
mod progress;
mod walltime;

pub use agreement::{Agreement, Verdict};
pub use asked::{ASKED, INTERRUPT, LEAVE, TAKE};
pub use choice::{choose, longest};
pub use failures::time_between_failures;
pub use gathering::{Counter, Gathering, Meeting, Missed};
pub use interval::Trigger;
pub use line::{Line, Stop, Walker};
pub use member::{Inside, name};
pub use progress::{PROGRESS, Progress, Reached};
pub use walltime::end_of_job;
