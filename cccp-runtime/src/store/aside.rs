//! Copies of files as they were at a checkpoint, made before the program removes, replaces, empties or overwrites them.
//!
//! In: a file, and where its copy is to lie, beside the generations: `aside.<rank>.<generation>.<number>`. Out: the copy, durable before
//! the program goes on; and the file again with the contents of its copy. Where it is gone that is complete or not at all; where it is
//! there it is the same file afterwards, and whatever interrupts that, the next restart does it again. Of a file that is open a copy is
//! made, even where another name would do (`Journal::rename_aside`): what has no name left is known by that. Not here: which copies a
//! restart needs (`journal`).

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader};
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

/// Copies a file. Where an earlier copy is like it, that one gets a second name instead.
pub fn copy(file: &Path, copy: &Path, earlier: Option<&Path>) -> io::Result<()> {
    match fs::remove_file(copy) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    if let Some(earlier) = earlier
        && are_alike(file, earlier).unwrap_or(false)
        && fs::hard_link(earlier, copy).is_ok()
    {
        return Ok(());
    }
    fs::copy(file, copy)?;
    File::open(copy)?.sync_all()
}

fn are_alike(one: &Path, other: &Path) -> io::Result<bool> {
    let (one, other) = (File::open(one)?, File::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let buffered = |file| BufReader::with_capacity(1 << 16, file);
    let (mut one, mut other) = (buffered(one), buffered(other));
    loop {
        let (here, there) = (one.fill_buf()?, other.fill_buf()?);
        let length = here.len().min(there.len());
        if here[..length] != there[..length] {
            return Ok(false);
        }
        if length == 0 {
            return Ok(here.len() == there.len());
        }
        one.consume(length);
        other.consume(length);
    }
}

/// A number that copies of the same contents have.
pub fn contents(copy: &Path) -> io::Result<u64> {
    let mut file = BufReader::with_capacity(1 << 16, File::open(copy)?);
    let mut hasher = crc32fast::Hasher::new();
    let mut length = 0;
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            return Ok(u64::from(hasher.finalize()) << 31 ^ length);
        }
        hasher.update(bytes);
        let some = bytes.len();
        length += some as u64;
        file.consume(some);
    }
}

/// Gives a file that is there the contents of its copy.
pub fn put_back_into(copy: &Path, file: &Path) -> io::Result<()> {
    let mut from = File::open(copy)?;
    let mut into = OpenOptions::new().write(true).open(file)?;
    let length = io::copy(&mut from, &mut into)?;
    into.set_len(length)?;
    into.sync_all()
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
    use std::os::unix::fs::MetadataExt;

    use super::*;

    #[test]
    fn s35_a_copy_that_is_like_an_earlier_one_takes_no_room_and_is_never_written_to() {
        let place = std::env::temp_dir().join(format!("cccp-aside-{}", std::process::id()));
        fs::create_dir_all(&place).unwrap();
        let at = |name: &str| place.join(name);
        let nodes = |name: &str| fs::metadata(at(name)).map(|one| (one.ino(), one.nlink()));
        fs::write(at("file"), "one").unwrap();
        copy(&at("file"), &at("first"), None).unwrap();
        copy(&at("file"), &at("second"), Some(&at("first"))).unwrap();
        assert_eq!(nodes("first").unwrap(), nodes("second").unwrap());
        assert_eq!(
            contents(&at("first")).unwrap(),
            contents(&at("file")).unwrap()
        );
        fs::write(at("file"), "two").unwrap();
        copy(&at("file"), &at("second"), Some(&at("first"))).unwrap();
        assert_eq!(fs::read_to_string(at("first")).unwrap(), "one");
        assert_eq!(nodes("second").unwrap().1, 1);
        assert_ne!(
            contents(&at("first")).unwrap(),
            contents(&at("second")).unwrap()
        );
        put_back_into(&at("first"), &at("file")).unwrap();
        assert_eq!(fs::read_to_string(at("file")).unwrap(), "one");
        fs::remove_dir_all(place).unwrap();
    }

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
