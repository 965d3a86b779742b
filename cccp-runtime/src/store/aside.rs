//! Copies of files that were open at a checkpoint, made before the program removes, replaces or empties them: a restart from there opens
//! them again.
//!
//! In: a file, and where its copy is to lie, beside the generations: `aside.<rank>.<generation>.<number>`. Out: the copy, durable before
//! the program goes on; and the file again with the contents of its copy, complete or not at all. A copy is always made, even
//! where another name would do: what has no name left is known by that. Not here: which copies a restart needs (`journal`).

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::directory::digits;

/// The name of a copy.
pub fn aside_name(rank: u32, generation: u64, number: usize) -> String {
    format!("aside.{rank:06}.{generation:010}.{number}")
}

/// The generation of a copy of this rank, by its name.
pub fn aside_of(name: &str, rank: u32) -> Option<u64> {
    let (own, rest) = name.strip_prefix("aside.")?.split_once('.')?;
    let (generation, number) = rest.split_once('.')?;
    number.parse::<u32>().ok()?;
    (digits(own, 6)? == u64::from(rank)).then(|| digits(generation, 10))?
}

/// Copies a file.
pub fn copy(file: &Path, copy: &Path) -> io::Result<()> {
    fs::copy(file, copy)?;
    File::open(copy)?.sync_all()
}

/// Gives a file the contents of its copy. An unfinished one has another name.
pub fn put_back(copy: &Path, file: &Path) -> io::Result<()> {
    let mut name = file.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".cccp.{}.tmp", std::process::id()));
    let unfinished = file.with_file_name(name);
    fs::copy(copy, &unfinished)?;
    File::open(&unfinished)?.sync_all()?;
    fs::rename(unfinished, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_copy_says_whose_it_is() {
        let name = aside_name(3, 17, 2);
        assert_eq!(name, "aside.000003.0000000017.2");
        assert_eq!(aside_of(&name, 3), Some(17));
        assert_eq!(aside_of(&name, 2), None);
        assert_eq!(aside_of("aside.000003.0000000017", 3), None);
        assert_eq!(aside_of("aside.000003.0000000017.x", 3), None);
    }
}
