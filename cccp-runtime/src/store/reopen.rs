//! Files of the program: what is known of an open one, and opening it again without harm.
//!
//! In: a descriptor, or what a checkpoint says of one. Out: what has to be kept; on restart, first whether the file is
//! there and long enough, with nothing changed, and only then the file open again, cut off and at its place. Files are
//! opened as they are: never made, never emptied.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::early::own_name;

use super::removed::former_path;
use super::undo::{Undo, known_file};
use crate::format::{Access, FileLock, OpenFile};

/// Why a restart could not open a file again, in words; what it would be called, when that is known.
pub type Refused = String;

/// The path of a file that is open.
pub fn path_of(descriptor: i32) -> io::Result<PathBuf> {
    std::fs::read_link(format!("/proc/self/fd/{descriptor}"))
}

/// Where the next read of a descriptor begins; none for what has no places.
pub fn place_of(copy: &OwnedFd) -> Option<u64> {
    File::from(copy.try_clone().ok()?).stream_position().ok()
}

/// The descriptors that are open for one of these files.
pub fn descriptors_of(files: [Option<&Path>; 2]) -> Vec<i32> {
    let known = |path: &Path| known_file(path).map(|(which, _)| which);
    let wanted = files.map(|path| path.and_then(known));
    let is_wanted = |path: &Path| known(path).is_some_and(|which| wanted.contains(&Some(which)));
    let all = std::fs::read_dir("/proc/self/fd").into_iter().flatten();
    let all = all.filter_map(|one| one.ok().filter(|one| is_wanted(&one.path())));
    let numbers = all.filter_map(|one| one.file_name().to_str()?.parse().ok());
    let mut numbers: Vec<i32> = numbers.collect();
    numbers.sort_unstable();
    numbers
}

/// The locks that the process holds on an open file.
pub fn locks_of(descriptor: i32) -> Vec<FileLock> {
    let told = std::fs::read_to_string(format!("/proc/self/fdinfo/{descriptor}"));
    let told = told.unwrap_or_default();
    told.lines().filter_map(FileLock::told).collect()
}

/// What has to be kept of an open file. `copy` is a descriptor of the same open file, `number` the program's own.
pub fn examine(copy: &OwnedFd, number: u32, directory: Option<&Path>) -> Result<OpenFile, Refused> {
    let system = |error: io::Error| error.to_string();
    let file = File::from(copy.try_clone().map_err(system)?);
    let known = file.metadata().map_err(system)?;
    let path =
        path_of(copy.as_raw_fd()).map_err(|error| format!("its path is not known ({error})"))?;
    let kind = known.file_type();
    if kind.is_fifo() {
        return Err("it is a pipe: what went through it is gone".to_string());
    }
    if kind.is_socket() {
        return Err("it is a connection: what went through it is gone".to_string());
    }
    let device = kind.is_char_device();
    if device && rustix::termios::isatty(copy) {
        return Err(format!("it is the terminal {}", path.display()));
    }
    if !device && !kind.is_file() {
        return Err(format!("{} is not a regular file", path.display()));
    }
    let path = match known.nlink() {
        0 => former_path(path),
        _ => path,
    };
    let flags = rustix::fs::fcntl_getfl(copy).map_err(|error| error.to_string())?;
    let mode = flags & rustix::fs::OFlags::ACCMODE;
    let below = directory.and_then(|directory| path.strip_prefix(directory).ok());
    Ok(OpenFile {
        stream: false,
        number,
        standard: false,
        given: false,
        close_on_exec: false,
        access: Access {
            read: mode != rustix::fs::OFlags::WRONLY,
            write: mode != rustix::fs::OFlags::RDONLY,
            append: flags.contains(rustix::fs::OFlags::APPEND),
        },
        offset: match device {
            true => None,
            false => (&file).stream_position().ok(),
        },
        length: if device { 0 } else { known.len() },
        modified: (known.mtime(), known.mtime_nsec() as u32),
        below: below.map(|below| below.as_os_str().as_bytes().to_vec()),
        path: path.into_os_string().into_vec(),
        locks: locks_of(copy.as_raw_fd()),
        ..OpenFile::default()
    })
}

/// Whether what is in a file may be read and then overwritten by this descriptor.
pub fn may_be_updated(copy: &OwnedFd) -> bool {
    use rustix::fs::OFlags;
    rustix::fs::fcntl_getfl(copy).is_ok_and(|flags| {
        flags & OFlags::ACCMODE == OFlags::RDWR && !flags.contains(OFlags::APPEND)
    })
}

/// The path of a file from the root, and which file is there: device and number.
pub fn which(path: &Path) -> Option<(PathBuf, (u64, u64))> {
    let path = std::fs::canonicalize(path).ok()?;
    let known = std::fs::metadata(&path).ok()?;
    Some((path, (known.dev(), known.ino())))
}

/// A descriptor of a file that somebody else has open, to look at it and to make it durable.
pub fn beside(path: &Path, access: Access) -> io::Result<OwnedFd> {
    let mut way = OpenOptions::new();
    let way = way.read(access.read).write(access.write);
    way.open(path).map(OwnedFd::from)
}

/// A number for what is in the first so many bytes of a file.
pub fn checksum(path: &Path, length: u64) -> io::Result<u32> {
    let mut file = File::open(path)?.take(length);
    let mut hasher = crc32fast::Hasher::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hasher.finalize()),
            length => hasher.update(&buffer[..length]),
        }
    }
}

/// A file that can be opened again.
#[derive(Debug)]
pub struct Found {
    /// Where it is.
    pub path: PathBuf,
    /// The same number for the same file, whoever looks, as long as nobody changes it.
    pub identity: u64,
    /// It is not what it was, though nobody of this program should have changed it.
    pub changed: bool,
}

impl Found {
    /// A file that has no name, whose contents the checkpoint has.
    pub fn unnamed(kept: &OpenFile) -> Found {
        Found {
            path: PathBuf::from(std::ffi::OsStr::from_bytes(&kept.path)),
            identity: 0,
            changed: false,
        }
    }
}

/// Whether a file is there and holds at least what it held. Changes nothing.
/// `later` is what the program did to its files after the checkpoint: what it removed, emptied or changed is in a copy.
pub fn find(kept: &OpenFile, directory: Option<&Path>, later: &Undo) -> Result<Found, Refused> {
    let place = place(kept, directory);
    let name = place.display();
    let aside = later.aside(&place);
    let path = match aside {
        Some(aside) => own_name(aside.origin),
        None => std::fs::canonicalize(&place).unwrap_or_else(|_| place.clone()),
    };
    let own = own_name(&place);
    let renamed = later.place(&own);
    let now = match aside {
        Some(aside) => aside.copy,
        None if renamed != own => renamed.as_path(),
        None => path.as_path(),
    };
    let known = std::fs::metadata(now).map_err(|error| {
        format!(
            "{name} was open at the checkpoint and cannot be opened again ({error}): put it back"
        )
    })?;
    if kept.offset.is_some() != known.is_file() {
        return Err(format!(
            "{name} was open at the checkpoint and is another kind of file now: put it back"
        ));
    }
    let may = |read: bool, write: bool| OpenOptions::new().read(read).write(write).open(now);
    if kept.offset.is_some() {
        may(kept.access.read, kept.access.write).map_err(|error| {
            format!("{name} was open at the checkpoint and cannot be opened again ({error})")
        })?;
        let needed = match kept.access.write || kept.together.is_some() {
            true => kept.length,
            false => kept.offset.unwrap_or(0).min(kept.length),
        };
        if known.len() < needed {
            return Err(format!(
                "{name} had {} bytes at the checkpoint and has {} now: data are lost. Put the file back as it was (what was \
                 written to it since does not harm), or start from the beginning: --cccp-restart=fresh. A program that opens \
                 its files in every start before init must not empty them",
                kept.length,
                known.len()
            ));
        }
    }
    let modified = (known.mtime(), known.mtime_nsec() as u32);
    // Other ranks may have it, too: what all of them see is the file itself.
    let there = aside.filter(|aside| aside.is_there);
    let known = there
        .and_then(|_| std::fs::metadata(&path).ok())
        .unwrap_or(known);
    Ok(Found {
        identity: number_of(&path, &known),
        changed: !kept.access.write
            && aside.is_none()
            && (known.len() != kept.length || modified != kept.modified),
        path,
    })
}

/// The number of a file that is there: see [`Found::identity`].
pub fn identity(path: &Path) -> Option<u64> {
    let path = std::fs::canonicalize(path).ok()?;
    let known = std::fs::metadata(&path).ok()?;
    Some(number_of(&path, &known))
}

fn number_of(path: &Path, known: &std::fs::Metadata) -> u64 {
    let mut words: Vec<u8> = path.as_os_str().as_bytes().to_vec();
    for number in [
        known.ino(),
        known.len(),
        known.mtime() as u64,
        known.mtime_nsec() as u64,
    ] {
        words.extend_from_slice(&number.to_be_bytes());
    }
    let (first, second) = words.split_at(words.len() / 2);
    u64::from(crc32fast::hash(first)) << 31 ^ u64::from(crc32fast::hash(second))
}

/// Where the file should be: in the working directory when it was there, so that a run can be moved.
fn place(kept: &OpenFile, directory: Option<&Path>) -> PathBuf {
    let path = |bytes: &[u8]| PathBuf::from(std::ffi::OsStr::from_bytes(bytes));
    let below = kept.below.as_deref().zip(directory);
    let below = below.map(|(below, directory)| directory.join(path(below)));
    below
        .filter(|below| below.exists())
        .unwrap_or_else(|| path(&kept.path))
}

/// Opens it. What lies beyond `length` is cut off when the program may write there.
pub fn open(kept: &OpenFile, found: &Found, length: u64) -> Result<OwnedFd, Refused> {
    let refused = |error: io::Error| {
        format!(
            "{} was open at the checkpoint and cannot be opened again ({error})",
            found.path.display()
        )
    };
    let flags = if kept.access.append {
        libc::O_APPEND
    } else {
        0
    };
    let mut file = OpenOptions::new()
        .read(kept.access.read)
        .write(kept.access.write)
        .custom_flags(flags | libc::O_NOCTTY)
        .open(&found.path)
        .map_err(refused)?;
    if let Some(offset) = kept.offset {
        if kept.access.write && file.metadata().map_err(refused)?.len() > length {
            file.set_len(length).map_err(refused)?;
        }
        file.seek(SeekFrom::Start(offset)).map_err(refused)?;
    }
    Ok(OwnedFd::from(file))
}

/// Cuts a file off at a length and goes to a place. False when it is shorter.
pub fn cut(copy: &OwnedFd, length: Option<u64>, place: Option<u64>) -> io::Result<bool> {
    let mut file = File::from(copy.try_clone()?);
    if let Some(length) = length {
        let now = file.metadata()?.len();
        if now > length {
            file.set_len(length)?;
        }
        return Ok(now >= length);
    }
    if let Some(place) = place {
        file.seek(SeekFrom::Start(place))?;
    }
    Ok(true)
}

/// Makes durable what the program has written.
pub fn make_durable(files: &[OwnedFd]) -> io::Result<()> {
    for file in files {
        match rustix::fs::fdatasync(file) {
            // A device has nothing to be made durable.
            Err(rustix::io::Errno::INVAL) | Ok(()) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Makes durable what the program has written and closed.
pub fn make_paths_durable(paths: &[PathBuf]) -> io::Result<()> {
    let mut devices = BTreeSet::new();
    for path in paths {
        // Removed since.
        let Ok(file) = File::open(path) else { continue };
        let done = match paths.len() > MANY {
            false => rustix::fs::fdatasync(&file),
            true if devices.insert(file.metadata()?.dev()) => rustix::fs::syncfs(&file),
            true => Ok(()),
        };
        match done {
            Err(rustix::io::Errno::INVAL) | Ok(()) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// So many files are made durable one by one; with more all of their file system are.
const MANY: usize = 64;
