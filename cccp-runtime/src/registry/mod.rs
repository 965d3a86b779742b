//! What is registered and what ran on the way.
//!
//! In: the descriptors of client functions and the blocks as they run. Out: for a checkpoint, the live registers and
//! the trace; for a restart, the same structures built anew. Pure data: no memory of the program is read here, no file
//! written.

mod descriptor;
mod ranks;
mod registers;
mod superseded;
mod trace;
#[cfg(test)]
mod trace_tests;
mod types;
mod way;

pub use descriptor::{
    BEHIND, BLOCKS, Block, BlockKind, FOLLOW, Field, Function, HEAP, Holds, INDIRECT, Item, LOCAL,
    LOCAL_POINTER, Loop, UNSET_POINTER, WHOLE,
};
pub use ranks::RankSet;
pub use registers::{Register, Registers};
pub use trace::{Execution, Left, Node, NodeId, RegisterId, Trace};
pub use types::{Lead, MADE, TypeTable};
