//! What leaves the tool: lines and JSON on the standard output, remarks and progress on the standard error.
//!
//! [`Manner`] is what the user said about the form; [`Output`] is handed to every command. Colours and progress go to
//! terminals only. This room and `cli` are the only ones that print. Not here: how things look (`render`).

mod file;
mod manner;
mod progress;
mod standard;

pub use file::{create, refuse_existing};
pub use manner::Manner;
pub use progress::Progress;
pub use standard::{Answer, Look, Output};
