//! Facts about the program that plans rest on. No decision is taken here.

mod analysed;
pub mod assumed;
pub mod called_back;
pub mod clients;
pub mod communication;
pub mod completeness;
pub mod constants;
pub mod counted;
pub mod coverage;
pub mod datatypes;
pub mod effects;
pub mod execute;
pub mod finding;
mod first_use;
pub mod following;
pub mod generators;
pub mod handles;
pub mod kept_states;
pub mod lasting;
pub mod leads;
pub mod liveness;
pub mod load;
pub mod memory;
pub mod origins;
pub mod picture;
pub mod points_to;
pub mod residents;
mod threads;
pub mod unknown;
pub mod uses;
pub mod ways;

pub use analysed::{Analysed, Proven, analyse};
pub use clients::{Callee, Clients, FunctionKey};
pub use finding::Finding;
pub use picture::Picture;
pub use residents::Residents;
