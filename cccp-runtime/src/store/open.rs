//! A checkpoint file that lies anywhere: verified, its header alone, or what is left of it.

use std::path::Path;

use super::error::StoreError;
use super::operations::Store;
use crate::format::{self, File, FormatError, Head, Remains, Source};

/// Opens and verifies a checkpoint file.
pub fn open(store: &dyn Store, path: &Path) -> Result<File, StoreError> {
    with_source(store, path, File::open)
}

/// Reads the header of a checkpoint file and nothing else.
pub fn head(store: &dyn Store, path: &Path) -> Result<Head, StoreError> {
    with_source(store, path, |source| Head::read(&*source))
}

/// Finds out what is left of a damaged checkpoint file.
pub fn salvage(store: &dyn Store, path: &Path) -> Result<Remains, StoreError> {
    with_source(store, path, format::salvage)
}

fn with_source<T>(
    store: &dyn Store,
    path: &Path,
    read: impl FnOnce(Box<dyn Source>) -> Result<T, FormatError>,
) -> Result<T, StoreError> {
    let source = store
        .open(path)
        .map_err(|error| StoreError::system(path, error))?;
    read(source).map_err(|error| StoreError::contents(path, error))
}
