//! Which file of a directory is meant.

use std::path::{Path, PathBuf};

use clap::Args;

use cccp::store::{Directory, FileSystem, Store};

use super::complete::newest_complete;
use super::place::{Place, place};
use crate::outcome::Failure;

/// Which file of a directory of generations.
#[derive(Args, Clone, Debug, Default)]
pub struct Which {
    /// In a directory: this generation; otherwise the newest complete one
    #[arg(long, short, value_name = "NUMBER")]
    pub generation: Option<u64>,
    /// In a directory: the file of this rank; otherwise that of rank 0
    #[arg(long, short, value_name = "RANK")]
    pub rank: Option<u32>,
}

/// The file that is meant: the path itself, or one in the directory.
pub fn choose(path: &Path, which: &Which) -> Result<PathBuf, Failure> {
    match place(path)? {
        Place::File(path) => match (which.generation, which.rank) {
            (None, None) => Ok(path),
            _ => Err(Failure::said(format!(
                "{}: a file; --generation and --rank choose one in a directory",
                path.display()
            ))),
        },
        Place::Directory(directory) => {
            let generation = match which.generation {
                Some(generation) => generation,
                None => newest_complete(&directory)?.0,
            };
            let file = in_directory(&directory, generation, which.rank.unwrap_or(0))?;
            Ok(as_said(path, &directory, file))
        }
    }
}

/// A file of a directory, called as the user called the directory.
pub fn as_said(path: &Path, directory: &Directory, file: PathBuf) -> PathBuf {
    match file.strip_prefix(directory.path()) {
        Ok(below) => path.join(below),
        Err(_) => file,
    }
}

fn in_directory(directory: &Directory, generation: u64, rank: u32) -> Result<PathBuf, Failure> {
    let generations = directory.generations()?;
    let words = |numbers: Vec<String>| numbers.join(", ");
    let said = |reason: String| {
        Err(Failure::said(format!(
            "{}: {reason}",
            directory.path().display()
        )))
    };
    if !generations.contains(&generation) {
        let there = words(generations.iter().map(u64::to_string).collect());
        return said(format!(
            "there is no generation {generation}; there are {there}"
        ));
    }
    let ranks = directory.ranks(generation)?;
    if !ranks.contains(&rank) {
        let (count, last) = (ranks.len(), ranks.last().map_or(0, |last| *last));
        return said(format!(
            "generation {generation} has no file of rank {rank}; it has {count} files, up to rank {last}"
        ));
    }
    Ok(directory.file(generation, rank))
}

/// The only directory `<program>.cccp` below the working directory.
pub fn only_directory() -> Result<PathBuf, Failure> {
    let here = Path::new(".");
    let names = FileSystem
        .list(here)
        .map_err(|error| Failure::said(format!("the working directory: {error}")))?;
    let mut found: Vec<String> = names
        .into_iter()
        .filter(|name| name.ends_with(".cccp") && FileSystem.list(Path::new(name)).is_ok())
        .collect();
    found.sort();
    match &found[..] {
        [name] => Ok(PathBuf::from(name)),
        [] => Err(Failure::said(
            "no directory here is called <program>.cccp; say which one is meant",
        )),
        _ => Err(Failure::said(format!(
            "several directories could be meant: {}; say which one",
            found.join(", ")
        ))),
    }
}
