//! The program's memory, behind a small interface.
//!
//! In: addresses that the program handed over, directly or behind its pointers. Out: their bytes, and on restart new
//! memory from the C library, so that the program may `free` and `realloc` it.
//!
//! The one idea: whoever makes a [`Program`] promises that the addresses it will be asked about are the program's, as
//! cccp.h says; with that promise reading and writing them is safe, and no other room needs `unsafe`. Addresses of
//! the running program are `usize`; those of the run that wrote a checkpoint, perhaps on another machine, are `u64`.
//! When unsure whether memory is still there, ask [`Program::readable`], which never faults.
//!
//! Not here: what the bytes mean (`format`), whose they are (`registry`).

mod access;
mod allocate;
mod arguments;
pub mod blocks;
pub mod children;
pub mod clocks;
mod constants;
pub mod controls;
mod crew;
mod environment;
pub mod fixed;
mod floating;
mod gaps;
mod generators;
mod given;
mod guarded;
pub mod holders;
mod image;
mod linked_in;
mod locks;
mod lowest;
pub mod mapped;
mod nodes;
mod openmp;
mod pages;
mod past;
mod poison;
mod probe;
mod process;
mod regions;
mod room;
mod signals;
mod slab;
mod slabs;
pub mod stack;
mod streams;
mod table;
pub mod views;

pub use access::Program;
pub use allocate::{MemoryError, alignment_of};
pub use arguments::{ARGUMENT_VECTOR, Arguments};
pub use constants::{Libraries, LibraryPlace};
pub use crew::Crew;
pub use environment::{Variables, set_variable, variables};
pub use floating::Floating;
pub use generators::{
    DRAND48, RANDOM, Random, drand48_state, random_state, set_drand48_state, set_random_state,
};
pub use given::{keep_given, standard_error, standard_output};
pub use linked_in::function;
pub use locks::{
    has_holder, is_in_use, is_lock, length_of_lock, lock_of_number, lock_of_openmp,
    nested_lock_has_owner, number_of_lock,
};
pub use nodes::bring_near;
pub use openmp::{Team, TeamControls, cannot_be_asked, let_regions_nest, number_of};
pub use pages::{make_room, new_room};
pub use process::{
    computed, die, flush_streams, leave, on_one_stack, on_stack, without_signals,
    without_writing_signals,
};
pub use regions::{Regions, Span};
pub use room::Given;
pub use signals::{
    Action, SIGNALS, TIMERS, Timer, action, block_signals, blocked_signals, is_first_thread,
    pending_signals, raise_signals, set_action, set_blocked_signals, set_timer, this_thread, timer,
};
pub use streams::{
    become_file, closes_on_exec, duplicate, give_away, lock_file, near, renumber, standard_streams,
};
