//! A path is a checkpoint file or a directory of generations.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cccp::store::{Directory, FileSystem, Store};

use crate::outcome::Failure;

/// What a path leads to.
pub enum Place {
    /// A file; whether it is a checkpoint is not known yet.
    File(PathBuf),
    /// A directory that holds generations.
    Directory(Directory),
}

/// Looks at what a path leads to. A directory without any generation is a failure: nobody means that.
pub fn place(path: &Path) -> Result<Place, Failure> {
    match FileSystem.list(path) {
        Ok(_) => directory(path).map(Place::Directory),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            Ok(Place::File(path.to_path_buf()))
        }
        Err(error) => Err(Failure::said(format!("{}: {error}", path.display()))),
    }
}

/// A directory that holds generations.
pub fn directory(path: &Path) -> Result<Directory, Failure> {
    if let Err(error) = FileSystem.list(path) {
        return Err(Failure::said(format!("{}: {error}", path.display())));
    }
    let directory = Directory::new(Arc::new(FileSystem), path);
    match directory.generations()?.is_empty() {
        false => Ok(directory),
        true => Err(Failure::said(format!(
            "{}: no checkpoints are here; they lie in a directory <program>.cccp, which holds one directory per \
             generation",
            path.display()
        ))),
    }
}
