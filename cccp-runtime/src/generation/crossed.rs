//! Whether messages cross a generation that all ranks have written, found out by one of them.
//!
//! In: the files of all ranks, as far as this one sees them. Out: yes, no, or nothing when that is not known. It is for a
//! warning only: a few small reads per file, given up when they take long.

use std::time::{Duration, Instant};

use crate::format::Messages;
use crate::store::Directory;

/// The next checkpoint may wait for the writer so long at most because of this.
const LONGEST: Duration = Duration::from_secs(1);

/// Whether messages were under way when a generation was taken; nothing when not all files can be read soon.
pub(super) fn is_crossed(directory: &Directory, generation: u64, size: u32) -> Option<bool> {
    let begun = Instant::now();
    if !directory.is_complete(generation, size).ok()? {
        return None;
    }
    let mut all = Vec::new();
    for rank in 0..size {
        if begun.elapsed() > LONGEST {
            return None;
        }
        let file = directory.glance(generation, rank).ok()?;
        let header = &file.checkpoint.header;
        if (header.generation, header.rank, header.size) != (generation, rank, size) {
            return None;
        }
        all.push(Messages::of(&file).ok()??);
    }
    Some(Messages::cross(&all))
}
