//! One process between `init` and `shutdown`: what it knows, and what happens in the normal course of the program.

mod record;
mod state;

pub use record::Handed;
pub use state::Session;
