//! The function catalogue: what functions of libraries do with the memory of a program.
//!
//! In: the text of an entry, or of a file of entries. Out: [`Entry`] with byte ranges into that text. `catalogue.pest`
//! says what an entry looks like. Whether names mean something is not looked at here: the precompiler does that.

mod entry;
mod heads;
mod read;

pub use entry::{
    Amount, CatalogueError, Clause, Condition, Entry, Extent, FunctionEntry, Measure, Place, Root,
    Value,
};
pub use heads::{Head, HeadKind, catalogue_entries, catalogue_heads};
pub use read::parse_catalogue_entry;
