//! A checkpoint file that lies anywhere: verified, its header alone, or what is left of it.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::error::StoreError;
use super::operations::Store;
use crate::format::{self, File, FormatError, Head, Remains, Source};

/// Opens and verifies a checkpoint file.
pub fn open(store: &dyn Store, path: &Path) -> Result<File, StoreError> {
    with_source(store, path, File::open)
}

/// The same; `watch` is told how many bytes were read each time.
pub fn open_watched(
    store: &dyn Store,
    path: &Path,
    watch: Arc<dyn Fn(u64) + Send + Sync>,
) -> Result<File, StoreError> {
    with_source(store, path, |source| {
        File::open(Box::new(Watched { source, watch }))
    })
}

/// Reads the header of a checkpoint file and nothing else.
pub fn head(store: &dyn Store, path: &Path) -> Result<Head, StoreError> {
    with_source(store, path, |source| Head::read(&*source))
}

/// Reads what is small in a checkpoint file: see [`File::glance`].
pub fn glance(store: &dyn Store, path: &Path) -> Result<File, StoreError> {
    with_source(store, path, File::glance)
}

/// Bytes of a file.
pub fn length(store: &dyn Store, path: &Path) -> Result<u64, StoreError> {
    let length = store.open(path).and_then(|source| source.length());
    length.map_err(|error| StoreError::system(path, error))
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

/// A source that tells how much is read from it.
struct Watched {
    source: Box<dyn Source>,
    watch: Arc<dyn Fn(u64) + Send + Sync>,
}

impl Source for Watched {
    fn length(&self) -> io::Result<u64> {
        self.source.length()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        (self.watch)(buffer.len() as u64);
        self.source.read_at(offset, buffer)
    }
}
