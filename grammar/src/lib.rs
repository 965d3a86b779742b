//! The languages cccp speaks, as pest grammars: plain data out, with byte ranges.
//!
//! `directives.pest`, beside this crate's `Cargo.toml`, is the definition of the directives; [`parse_directive`] reads
//! one. `openmp.pest` is that of the directives of OpenMP, read by [`openmp`]. `catalogue.pest` is that of the function catalogue; [`parse_catalogue_entry`] reads one entry. No C is understood here: expressions are balanced text. Bad input gives a [`SyntaxError`] that says what was
//! expected, never a panic. Beside them the names of MPI, of [messages](COUNTED),
//! of [files](FILES) and of [handles](HANDLES), and those of [objects of other libraries](makes_again), that the precompiler and the runtime agree on.

mod catalogue;
mod containers;
mod counted;
mod directive;
mod error;
mod files;
mod handles;
mod nearest;
pub mod openmp;
mod remade;

pub use catalogue::{
    Amount, CatalogueError, Clause, Condition, Entry, Extent, FunctionEntry, Head, HeadKind,
    Measure, Place, Root, Value, catalogue_entries, catalogue_heads, parse_catalogue_entry,
};
pub use containers::{ERROR_OF_CONTAINERS, MEMORY_OF_GMP, OF_CONTAINERS, OF_GMP};
pub use counted::COUNTED;
pub use directive::{Bracket, Brings, Directive, Item, ItemPart, Stands, Text, parse_directive};
pub use error::{ErrorKind, SyntaxError};
pub use files::FILES;
pub use handles::{HANDLE_TYPES, HANDLES, LOCK_TYPES};
pub use nearest::nearest;
pub use remade::{
    GENERATOR_TYPE, OF_GENERATORS, OF_PLANS, OF_ZLIB, OPENING, OPENING_ZLIB, PLAN_TYPES, PLANS,
    READING_ZLIB, STATE_OF_GENERATORS, STATE_OF_ZLIB, WISDOM, ZLIB_TYPE, is_seen, makes_again,
    makes_plan, of_fftw,
};
