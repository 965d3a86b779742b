//! Decisions: what each client function turns into. See [`data`] for the Plan itself, [`builder`] for how it is made.

mod allocations;
pub mod arguments;
pub mod builder;
pub mod calls;
pub mod constants;
pub mod data;
pub mod declarations;
mod declared_before;
pub mod described;
pub mod directives;
pub mod entries;
pub mod file;
pub mod flatten;
pub mod hoist;
mod line;
pub mod loop_forms;
pub mod loops;
pub mod opens;
mod own_names;
pub mod parallel;
pub mod pointers;
mod poison;
pub mod raw;
pub mod shadows;
mod sizes;
pub mod statements;
pub mod table;
pub mod text;
mod turns;
pub mod types;
pub mod values;

pub use data::*;
pub use described::DescribedUnit;
pub use file::{Planned, plan_program};
pub use own_names::{NEEDED, OwnName};
pub use table::*;
