//! The bytes of a checkpoint: pure functions between memory, plain data and bytes.
//!
//! In: descriptions of types, the program's memory as byte slices, files as byte sources. Out: a [`Checkpoint`], or
//! its bytes, or a [`FormatError`]. FORMAT.md beside this crate says what every byte means; a test holds both equal.
//! When unsure a file is refused: no data is better than wrong data.
//!
//! Not here: opening files (`store`), the program's memory (`memory`), what is saved and when (`registry`).

mod amounts;
mod chunks;
mod consistency;
mod decode;
mod differences;
mod encode;
mod envelope;
mod error;
mod feed;
mod file_lock;
mod frames;
mod head;
mod header;
mod leaves;
mod lengths;
mod long_double;
mod matching;
mod messages;
pub mod model;
mod moments;
mod number;
mod open_file;
mod pieces;
pub mod plan;
mod read;
mod recode;
mod run;
mod salvage;
mod scalar;
mod source;
mod step;
mod stream;
#[cfg(test)]
pub(crate) mod tests;
mod together;
mod trace;
pub mod types;
mod walk;
mod wire;
mod words;
mod write;
mod zeros;

pub use amounts::amount;
pub use decode::{decode, decode_fitting};
pub use differences::{Difference, Subject, differences};
pub use encode::{encode, encode_bytes};
pub use envelope::{CHUNK, MAGIC, MAJOR, MINOR};
pub use error::FormatError;
pub use file_lock::{FileLock, LockOwner};
pub use head::Head;
pub use lengths::encoded_length;
pub use matching::{Fit, compatible, fits};
pub use messages::{
    ERRORS, HANDLES, MESSAGES, Messages, OBJECTS, PRINTED, TEXT, TURNS, printed, text, turns,
};
pub use model::*;
pub use moments::{age, date, span};
pub use open_file::{
    Access, Buffering, DESCRIPTOR, MPI_FILE, OpenFile, STREAM, removed_name, standard_name,
};
pub use pieces::{Elements, Piece};
pub use plan::{
    BlockKind, Plan, PlannedBlock, PlannedExtent, PlannedField, PlannedItem, PlannedLoop,
};
pub use read::File;
pub use recode::rewrite;
pub use salvage::{Damage, Remains, Remnant, salvage};
pub use scalar::{LongDoubleValue, Scalar, scalar_count, scalar_name};
pub use source::Source;
pub use stream::Values;
pub use together::Together;
pub use types::{BitField, Kind, Layout, LongDouble, Machine, Member, Type};
pub use write::{Writer, write, write_in_turn};
pub use zeros::{RUN as ZEROS, first_run};
