//! Where control may go: within a function, around its loops, and after it has returned.
//!
//! See [`graph`], [`loops`] and [`ending`].

pub mod calls;
pub mod certain;
pub mod check;
mod decisions;
mod ending;
pub mod graph;
pub mod loops;
mod lowering;
#[cfg(test)]
mod mini;
mod started;
pub mod steps;

pub use calls::{CallGraph, CallSite, Callee, FunctionRef, called_name};
pub use certain::is_whole;
pub use check::check_program;
pub use decisions::Decisions;
pub use ending::{CallFact, FunctionFacts, followed_by_checkpoint, is_prunable};
pub use graph::{Flow, Node, NodeId};
pub use loops::{Loop, Loops};
pub use lowering::Work;
