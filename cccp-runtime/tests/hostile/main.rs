//! The reader and its enemies: damage, hostile files and bombs.
//!
//! A binary of its own because it counts every allocation. tests/README.md at the top says how to let it look for more.

mod anatomy;
mod crafted;
#[path = "../../src/format/tests/everything.rs"]
mod everything;
mod flips;
mod fuzz;
mod large;
mod memory;
mod mutations;
mod reader;
#[path = "../../src/format/tests/samples.rs"]
mod samples;

// `everything` and `samples` are shared with the unit tests of the crate, where the format is `crate::format`.
use cccp::format;

#[global_allocator]
static MEMORY: memory::Counting = memory::Counting;
