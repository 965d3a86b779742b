//! Where control may go: within a function, around its loops, and through the whole program.
//!
//! See [`graph`], [`loops`] and [`control`].

pub mod calls;
pub mod certain;
pub mod check;
pub mod control;
mod decisions;
pub mod graph;
pub mod loops;
mod lowering;
#[cfg(test)]
mod mini;
mod started;
pub mod steps;

pub use calls::{CallGraph, CallSite, Callee, FunctionRef, called_name, innermost};
pub use certain::is_whole;
pub use check::check_program;
pub use control::{Control, ControlCall, Others, Reached, RoundTrips};
pub use decisions::Decisions;
pub use graph::{Flow, Node, NodeId};
pub use loops::{Loop, Loops};
pub use lowering::Work;
