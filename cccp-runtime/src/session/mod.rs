//! One process between `init` and `shutdown`: what it knows, and what happens in the normal course of the program.

mod checkpoint;
mod kill;
mod record;
mod start;
mod state;

pub use record::Handed;
pub use start::Start;
pub use state::Session;
