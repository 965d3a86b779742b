//! Files of the program that are open and have no name any more: `tmpfile`, or `unlink` behind `open`.
//!
//! In: a descriptor of such a file. Out: which file it is, and its bytes, which a checkpoint keeps because nobody else does; on
//! restart a new file without a name, and descriptors of it. It comes to be where the old one was, or else where there is room
//! for files of that kind. When one place cannot take it, the next one is tried.
//!
//! Not here: what else is kept of an open file (`reopen`), which descriptors are one open file of the program (`session`).

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::journal::Which;
use super::reopen::Refused;
use crate::format::OpenFile;

/// What the system writes behind the path of a file that has no name.
const SUFFIX: &str = " (deleted)";

/// Which file it is, when it is one without a name.
pub fn removed_file(copy: &OwnedFd) -> Option<Which> {
    let known = File::from(copy.try_clone().ok()?).metadata().ok()?;
    (known.is_file() && known.nlink() == 0).then(|| (known.dev(), known.ino()))
}

/// The path that such a file had, out of what the system says.
pub(super) fn former_path(path: PathBuf) -> PathBuf {
    let former = path.to_str().and_then(|text| text.strip_suffix(SUFFIX));
    former.map_or(path.clone(), PathBuf::from)
}

/// Whether two descriptors are one open file, with one place in it. The flag that shows it means nothing for regular files.
pub fn is_same_open_file(one: &OwnedFd, other: &OwnedFd) -> bool {
    let flag = rustix::fs::OFlags::NONBLOCK;
    let both = (rustix::fs::fcntl_getfl(one), rustix::fs::fcntl_getfl(other));
    let (Ok(before), Ok(same)) = both else {
        return false;
    };
    if before != same || rustix::fs::fcntl_setfl(one, before ^ flag).is_err() {
        return false;
    }
    let after = rustix::fs::fcntl_getfl(other);
    let back = rustix::fs::fcntl_setfl(one, before);
    back.is_ok() && after.is_ok_and(|after| after != before)
}

/// A descriptor of the same file for other uses.
fn again(file: &OwnedFd, how: &OpenOptions) -> io::Result<File> {
    how.open(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// The bytes of a file without a name: at most so many.
pub fn contents(copy: &OwnedFd, most: u64) -> Result<Vec<u8>, Refused> {
    let refused = |error: io::Error| format!("its contents cannot be read ({error})");
    let mut file = again(copy, OpenOptions::new().read(true)).map_err(refused)?;
    let length = file.metadata().map_err(refused)?.len();
    if length > most {
        return Err(format!(
            "it has {length} bytes, and a checkpoint holds files that were removed up to {most} bytes: the setting removed_files sets \
             that limit"
        ));
    }
    let mut bytes = Vec::new();
    let room = usize::try_from(length).unwrap_or(usize::MAX);
    bytes
        .try_reserve_exact(room)
        .map_err(|_| format!("there is no memory for its {length} bytes"))?;
    file.read_to_end(&mut bytes).map_err(refused)?;
    Ok(bytes)
}

/// A new file without a name that has these bytes: in the directory of the old one, or in another of these.
pub fn make(kept: &OpenFile, bytes: &[u8], others: &[PathBuf]) -> io::Result<OwnedFd> {
    let path = path_of(kept);
    let root = Path::new("/");
    // A file of memory alone says that it is at the root.
    let own = path.parent().filter(|own| *own != root);
    let mut failure = io::Error::from_raw_os_error(libc::ENOENT);
    for place in own.into_iter().chain(others.iter().map(PathBuf::as_path)) {
        match make_in(place, bytes) {
            Ok(file) => return Ok(file),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

fn path_of(kept: &OpenFile) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(&kept.path))
}

fn make_in(place: &Path, bytes: &[u8]) -> io::Result<OwnedFd> {
    let mut how = OpenOptions::new();
    how.read(true).write(true).mode(0o600);
    let unnamed = how.clone().custom_flags(libc::O_TMPFILE).open(place);
    let mut file = match unnamed {
        Ok(file) => file,
        // Not every file system can do that.
        Err(_) => {
            let path = place.join(format!(".cccp-{}-removed", std::process::id()));
            let file = how.create_new(true).open(&path)?;
            std::fs::remove_file(&path)?;
            file
        }
    };
    file.write_all(bytes)?;
    Ok(OwnedFd::from(file))
}

/// Gives a file the bytes that it had, whatever was written to it.
pub fn fill(file: &OwnedFd, bytes: &[u8]) -> io::Result<()> {
    let mut file = again(file, OpenOptions::new().write(true))?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)
}

/// Opens such a file as the program had it.
pub fn open_unnamed(kept: &OpenFile, file: &OwnedFd) -> Result<OwnedFd, Refused> {
    let refused = |error: io::Error| {
        format!(
            "{}, which was removed while it was open, cannot be made again ({error})",
            path_of(kept).display()
        )
    };
    let flags = if kept.access.append {
        libc::O_APPEND
    } else {
        0
    };
    let mut how = OpenOptions::new();
    how.read(kept.access.read).write(kept.access.write);
    let mut file = again(file, how.custom_flags(flags)).map_err(refused)?;
    if let Some(offset) = kept.offset {
        file.seek(SeekFrom::Start(offset)).map_err(refused)?;
    }
    Ok(OwnedFd::from(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s16_a_file_without_a_name_is_made_anew_with_its_bytes() {
        let place = std::env::temp_dir();
        let kept = OpenFile {
            path: b"/no such directory/x".to_vec(),
            offset: Some(3),
            access: crate::format::Access {
                read: true,
                ..Default::default()
            },
            ..OpenFile::default()
        };
        let file = make(&kept, b"abcdef", std::slice::from_ref(&place)).unwrap();
        assert!(removed_file(&file).is_some());
        assert_eq!(contents(&file, 6).unwrap(), b"abcdef");
        assert!(contents(&file, 5).unwrap_err().contains("has 6 bytes"));
        let mut again = File::from(open_unnamed(&kept, &file).unwrap());
        let mut rest = String::new();
        again.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "def");
        assert!(again.write_all(b"x").is_err(), "it was open for reading");
        fill(&file, b"abc").unwrap();
        assert_eq!(contents(&file, 6).unwrap(), b"abc");
        assert!(make(&kept, b"", &[]).is_err());
    }

    #[test]
    fn s16_two_descriptors_of_one_open_file_are_told_from_two_open_files() {
        let place = std::env::temp_dir();
        let file = make_in(&place, b"abc").unwrap();
        let copy = file.try_clone().unwrap();
        let other = again(&file, OpenOptions::new().read(true).write(true)).unwrap();
        let other = OwnedFd::from(other);
        assert!(is_same_open_file(&file, &copy) && is_same_open_file(&copy, &file));
        assert!(!is_same_open_file(&file, &other));
        let flags = rustix::fs::fcntl_getfl(&file).unwrap();
        assert!(!flags.contains(rustix::fs::OFlags::NONBLOCK));
    }

    #[test]
    fn s16_the_path_of_a_removed_file_is_the_one_that_it_had() {
        let former = |path: &str| former_path(PathBuf::from(path));
        assert_eq!(former("/tmp/x (deleted)"), PathBuf::from("/tmp/x"));
        assert_eq!(former("/tmp/x"), PathBuf::from("/tmp/x"));
    }
}
