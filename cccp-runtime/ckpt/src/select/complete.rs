//! Which generation of a directory is meant.

use cccp::store::Directory;

use crate::outcome::Failure;

/// The newest generation of which all ranks have a file, and how many ranks that is.
pub fn newest_complete(directory: &Directory) -> Result<(u64, u32), Failure> {
    for generation in directory.generations()? {
        let Some(size) = job_size(directory, generation)? else {
            continue;
        };
        if directory.is_complete(generation, size)? {
            return Ok((generation, size));
        }
    }
    Err(Failure::said(format!(
        "{}: no generation is complete; cccp-ckpt list shows what is there",
        directory.path().display()
    )))
}

/// How many ranks the job had that wrote a generation; none when no file of it can be read.
pub fn job_size(directory: &Directory, generation: u64) -> Result<Option<u32>, Failure> {
    let mut heads = directory
        .ranks(generation)?
        .into_iter()
        .filter_map(|rank| directory.head(generation, rank).ok());
    Ok(heads.next().map(|head| head.header.size))
}
