//! Messages for the user, as values. Every kind of message has a code with a page.
//!
//! No stage prints: it returns its result and the diagnostics beside it. `cli` renders them in the style of rustc.

pub mod code;
mod grouped;
pub mod message;
pub mod render;

pub use code::{Code, explain};
pub use grouped::grouped;
pub use message::{Diagnostic, Place, Severity, has_errors};
