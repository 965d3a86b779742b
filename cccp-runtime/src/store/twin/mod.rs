//! A disk that crashes: the twin of the real one for tests.
//!
//! [`Twin`] behaves like a disk and writes a journal of what was done to it. [`Crashes`] goes through such a journal
//! and gives, for every place in it, every disk that a power failure there may leave behind ([`Tree`]). The run itself
//! happens only once: up to the crash it is the same whatever comes after.
//!
//! What a disk may do is what POSIX does not forbid:
//! - what was written to a file since its last fsync may be there or not, block by block: as written, as it was before,
//!   zeros, or garbage; the length may be that before, after, or at any write or block between (lost, kept, torn,
//!   reordered, longer than what is in it). A write that is cut in the middle is one of these;
//! - what was done to the names in a directory since its last fsync (create, rename, unlink, mkdir, rmdir) may be there
//!   or not, each on its own, in every combination, in all directories independently: 2^n for n of them;
//! - a rename is atomic, and may be on disk before the contents of the file;
//! - two changes of the same name do not change their order;
//! - an fsync that failed has made nothing durable, and a later one of the same file does not repair that.
//!
//! One reduction: contents under a name that ends in `.tmp` are not varied, only whether the name is there. Nobody
//! reads them: opening such a name is a panic here. Outcomes that are the same disk are counted once.

mod contents;
mod crashes;
mod disk;
mod journal;
#[cfg(test)]
mod tests;
mod tree;
mod turns;

pub(crate) use disk::{Flaw, Twin};
pub(crate) use tree::{Content, Tree};
pub(crate) use turns::Turns;
