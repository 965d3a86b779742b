//! Two checkpoints value by value: what is the same, what is not, and by how much.
//!
//! Values are compared bit for bit, whatever encoding and machine they come from; the distance of two numbers is told
//! besides. [`pair`] finds which register belongs to which, [`compare`] streams two of them. When unsure two values are
//! different. Not here: files and what is said about them (`commands`).

mod distance;
mod finding;
mod likeness;
mod pairs;
mod values;

pub use distance::{Distance, Tolerance, distance};
pub use finding::{Difference, Finding, Largest};
pub use likeness::unlike;
pub use pairs::{Pair, Side, pair};
pub use values::compare;
