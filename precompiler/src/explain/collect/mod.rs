//! From what the analyses found to a report.
//!
//! In: the program and what is live, held and missing at its checkpoints. Out: [`Report`](super::report::Report). A
//! location that is live gets the row that the check decided on; of the rest in scope each gets the reason why it need
//! not be saved; items of registers that nothing needs get a row of their own. See [`report`].

mod amounts;
mod extents;
pub mod items;
mod live;
mod places;
mod report;
mod rest;
mod why_here;

pub use report::{Found, collect};
