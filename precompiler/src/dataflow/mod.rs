//! Where control may go: within a function, around its loops, and after it has returned.
//!
//! See [`graph`], [`loops`] and [`ending`].

pub mod ending;
pub mod graph;
pub mod loops;
mod lowering;
#[cfg(test)]
mod mini;

pub use ending::{CallFact, FunctionFacts, followed_by_checkpoint, is_prunable};
pub use graph::{Flow, Node, NodeId};
pub use loops::{Loop, Loops};
