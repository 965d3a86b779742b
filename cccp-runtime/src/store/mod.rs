//! Checkpoint files on disk: the only room that opens files.
//!
//! In: generations and ranks, bytes. Out: files that appear under their final name only when they are complete and
//! durable. The operations on the disk are a trait ([`Store`]), so that tests can crash between any two of them; what
//! is done with them, in which order, is [`Directory`]. Errors carry the path and fall on the side of keeping: what
//! cannot be understood is neither read nor removed.
//!
//! Layout: `<directory>/<generation, 10 digits>/<rank, 6 digits>.cccp`, `<directory>/complete.<rank, 6 digits>`,
//! `<directory>/lock.<rank, 6 digits>`, `<directory>/whole.<rank, 6 digits>`, `<directory>/files.<rank, 6 digits>.<generation, 10 digits>`,
//! `<directory>/aside.<rank, 6 digits>.<generation, 10 digits>.<number>`,
//! `<directory>/history.jsonl`, `<directory>/places.<rank, 6 digits>`; names that end in `.tmp` are unfinished.
//!
//! Not here: what is in a file (`format`), when one is written (`generation`).

mod aside;
mod directory;
mod discard;
mod early;
mod error;
#[cfg(test)]
mod failures;
mod filesystem;
mod history;
mod holder;
mod journal;
mod lock;
mod mappings;
mod moment;
mod nodes;
mod open;
mod operations;
mod passed;
mod printed;
mod profile;
mod publish;
mod record_lock;
mod removed;
mod reopen;
mod tasks;
#[cfg(test)]
mod tests;
mod tree;
#[cfg(test)]
pub(crate) mod twin;
mod undo;

pub use aside::contents;
pub use directory::Directory;
pub use discard::Discarded;
pub use early::{Early, EarlyFile, Way, full_path, which_file};
pub use error::{Problem, StoreError};
pub use filesystem::FileSystem;
pub use history::{
    End, Event, History, Past, Started, Taken, Why, history, read as read_history, tell, told,
};
pub use holder::{Holder, holder};
pub use journal::{Change, Journal, Which};
pub use lock::{Lock, Refusal};
pub use mappings::{Details, Mappings};
pub use moment::{FileTime, moment};
pub use nodes::has_several_nodes;
pub use open::{head, length, open, open_watched, salvage};
pub use operations::{Hold, Locking, Output, Store};
pub use passed::{Passage, Passed, Seen, Whose};
pub use printed::{Again, Extent as PrintedExtent, Printed};
pub use profile::{NoProfile, Profile, Profiled};
pub use publish::{Point, publish_file};
pub use removed::{
    contents as removed_contents, fill, is_same_open_file, make as make_unnamed, open_unnamed,
    removed_file,
};
pub use reopen::{
    Found, Refused, beside, checksum, cut, descriptors_of, examine, find, identity, locks_of,
    make_durable, make_paths_durable, may_be_updated, open as open_again, path_of, place_of, which,
};
pub use tasks::blocked_by;
pub use tree::{KnownNode, NameChange, known_node};
pub use undo::{Grown, PARTS, Undo, known_file, named_file};
