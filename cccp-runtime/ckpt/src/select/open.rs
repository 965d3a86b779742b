//! Opening a file, with progress on a terminal.

use std::path::Path;
use std::sync::Arc;

use cccp::format::File;
use cccp::store::{FileSystem, StoreError, length, open_watched};

use crate::output::Output;

/// Opens and verifies a checkpoint file; a large one takes a while.
pub fn open_file(path: &Path, output: &Output) -> Result<File, StoreError> {
    let total = length(&FileSystem, path).unwrap_or(0);
    let progress = output.progress(format!("verifying {}", path.display()), total);
    // What is read later is another matter.
    let watch = Arc::downgrade(&progress);
    let advance = move |bytes| {
        if let Some(progress) = watch.upgrade() {
            progress.advance(bytes);
        }
    };
    open_watched(&FileSystem, path, Arc::new(advance))
}
