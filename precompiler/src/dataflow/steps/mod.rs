//! The program as steps: what every statement reads, writes and calls, and which values go from one to the other. See
//! [`model`].

mod assembly;
mod calls;
mod declare;
mod dump;
mod evaluate;
mod initialise;
mod inner;
mod lower;
pub mod model;
mod order;
mod places;
mod query;
mod regions;
mod texts;
mod threads;
mod variables;
mod verify;

use crate::program::Expression;

/// Which expressions of a unit are calls of client functions.
pub type IsClientCall<'a> = &'a dyn Fn(usize, &Expression) -> bool;

pub use dump::dump;
pub use model::*;
pub use verify::faults;
