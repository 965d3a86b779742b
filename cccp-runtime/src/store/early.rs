//! Files that the program opens before `init`, where it is not known yet whether this is a restart.
//!
//! In: what the program asks for. Out: where a restart may follow, a *scratch* file in the place of each file that is opened for
//! writing: it holds what the program would find there, and takes what it writes. Nothing on disk changes: nothing is made,
//! emptied, renamed or removed. When all ranks have decided, either everything is done as the program has asked for it
//! (`afresh`), or the program's descriptors become the files as they were at the checkpoint (`take`), and what was written
//! before `init` is dropped, because the file has it already. When unsure whether a restart may follow, files are held back.
//!
//! Not here: streams and numbers of descriptors (`memory`), what a checkpoint says of a file (`format`).

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Error, Seek, SeekFrom};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// What is known of the files that were opened before `init`.
#[derive(Default)]
pub struct Early {
    files: Vec<EarlyFile>,
    names: BTreeMap<PathBuf, Name>,
    scratches: Vec<Scratch>,
    /// The first change of a file that was made before `init`, as no restart was to follow.
    changed: Option<PathBuf>,
}

/// A file that was opened before `init`.
#[derive(Clone, Debug)]
pub struct EarlyFile {
    /// The descriptor.
    pub number: i32,
    /// The address of the stream; 0 where it is a descriptor only.
    pub stream: usize,
    path: PathBuf,
    flags: i32,
    scratch: Option<usize>,
    which: Option<(u64, u64)>,
    taken: bool,
}

/// What a name means to the program.
#[derive(Clone, Debug)]
enum Name {
    Scratch(usize),
    /// A file that really has this name still.
    Moved(PathBuf),
    Gone,
}

struct Scratch {
    file: File,
    /// Its name, if it has one.
    own: Option<PathBuf>,
    mode: u32,
    /// Where the file's own bytes end, which are not there: only what comes after them is new.
    after: Option<u64>,
}

/// How to open a file.
pub enum Way {
    /// As the program says.
    Real,
    /// There, instead: a path, and which scratch file it is.
    Instead(PathBuf, Option<usize>),
}

fn system(number: i32) -> Error {
    Error::from_raw_os_error(number)
}

/// A path from the root, also of a file that is not there. Links are followed.
pub fn full_path(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| own_name(path))
}

/// The same of the name itself: a link is not followed.
pub fn own_name(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    match (whole.parent().map(std::fs::canonicalize), whole.file_name()) {
        (Some(Ok(parent)), Some(name)) => parent.join(name),
        _ => whole,
    }
}

/// Which file a descriptor is: device and number; none when it is no regular file.
pub fn which_file(descriptor: impl AsFd) -> Option<(u64, u64)> {
    let copy = descriptor.as_fd().try_clone_to_owned().ok()?;
    let known = File::from(copy).metadata().ok()?;
    known.is_file().then(|| (known.dev(), known.ino()))
}

fn writes(flags: i32) -> bool {
    flags & libc::O_ACCMODE != libc::O_RDONLY || flags & libc::O_TRUNC != 0
}

impl Early {
    /// How a file is to be opened while everything is held back. A library may need a file with a name: it gets one in the directory `named`.
    pub fn open(
        &mut self,
        path: &Path,
        (flags, mode): (i32, u32),
        named: Option<&Path>,
    ) -> io::Result<Way> {
        let name = match self.names.contains_key(&own_name(path)) {
            true => own_name(path),
            false => full_path(path),
        };
        let real = match self.names.get(&name) {
            Some(Name::Scratch(at)) => {
                let both = libc::O_CREAT | libc::O_EXCL;
                if flags & both == both {
                    return Err(system(libc::EEXIST));
                }
                if flags & libc::O_TRUNC != 0 {
                    self.scratches[*at].after = None;
                }
                return Ok(Way::Instead(self.scratches[*at].path(), Some(*at)));
            }
            Some(Name::Moved(real)) => Some(real.clone()),
            Some(Name::Gone) => None,
            None => Some(name.clone()),
        };
        let known = real.as_ref().and_then(|real| std::fs::metadata(real).ok());
        if known.as_ref().is_some_and(|known| !known.is_file()) {
            return Ok(Way::Real);
        }
        if !writes(flags) {
            return match (known.is_some(), real, flags & libc::O_CREAT) {
                (true, Some(real), _) if real != name => Ok(Way::Instead(real, None)),
                (true, ..) => Ok(Way::Real),
                (false, _, 0) => Err(system(libc::ENOENT)),
                _ => self.scratch(name, None, (flags, mode), named),
            };
        }
        match &known {
            Some(_) if flags & libc::O_EXCL != 0 => return Err(system(libc::EEXIST)),
            None if flags & libc::O_CREAT == 0 => return Err(system(libc::ENOENT)),
            None if !name.parent().is_some_and(Path::is_dir) => return Err(system(libc::ENOENT)),
            _ => {}
        }
        let real = real.filter(|_| known.is_some());
        self.scratch(name, real, (flags, mode), named)
    }

    /// A new scratch file, with what the program finds in it.
    fn scratch(
        &mut self,
        name: PathBuf,
        real: Option<PathBuf>,
        (flags, mode): (i32, u32),
        named: Option<&Path>,
    ) -> io::Result<Way> {
        let at = self.scratches.len();
        let (made, own) = match named {
            None => {
                let flags = rustix::fs::MemfdFlags::CLOEXEC;
                (rustix::fs::memfd_create("cccp-scratch", flags)?, None)
            }
            Some(named) => named_scratch(named).map(|(made, own)| (made, Some(own)))?,
        };
        let far = rustix::io::fcntl_dupfd_cloexec(&made, FAR).unwrap_or(made);
        let mut file = File::from(far);
        let mut after = None;
        if let Some(real) = real {
            // The program would be refused as well.
            let mut source = OpenOptions::new()
                .read(flags & libc::O_ACCMODE == libc::O_RDWR)
                .write(true)
                .open(&real)?;
            let appends = flags & (libc::O_ACCMODE | libc::O_APPEND);
            if flags & libc::O_TRUNC != 0 {
            } else if appends == libc::O_WRONLY | libc::O_APPEND {
                let length = source.metadata()?.len();
                file.set_len(length)?;
                after = Some(length);
            } else {
                source = File::open(&real)?;
                io::copy(&mut source, &mut file)?;
            }
        }
        let scratch = Scratch {
            file,
            own,
            mode,
            after,
        };
        let path = scratch.path();
        self.scratches.push(scratch);
        self.names.insert(name, Name::Scratch(at));
        Ok(Way::Instead(path, Some(at)))
    }

    /// A file was opened. What is no regular file is left alone.
    pub fn opened(
        &mut self,
        copy: OwnedFd,
        number: i32,
        stream: usize,
        path: &Path,
        flags: i32,
        scratch: Option<usize>,
    ) {
        let Some(which) = which_file(&copy) else {
            return;
        };
        let path = full_path(path);
        if scratch.is_none() && writes(flags) {
            self.changed.get_or_insert_with(|| path.clone());
        }
        self.files.push(EarlyFile {
            number,
            stream,
            path,
            flags,
            scratch,
            which: Some(which),
            taken: false,
        });
    }

    /// A file was renamed or removed, as no restart was to follow.
    pub fn changed(&mut self, path: &Path) {
        self.changed.get_or_insert_with(|| own_name(path));
    }

    /// The first file that was changed before `init`.
    pub fn first_change(&self) -> Option<&Path> {
        self.changed.as_deref()
    }

    /// Lets a file have another name, for the program.
    pub fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let (from, to) = (own_name(from), own_name(to));
        let meant = match self.names.get(&from) {
            Some(Name::Gone) => return Err(system(libc::ENOENT)),
            Some(other) => other.clone(),
            None => {
                std::fs::symlink_metadata(&from)?;
                Name::Moved(from.clone())
            }
        };
        for one in &mut self.files {
            if one.path == from {
                one.path.clone_from(&to);
            }
        }
        self.names.insert(from, Name::Gone);
        self.names.insert(to, meant);
        Ok(())
    }

    /// Lets a file be gone, for the program.
    pub fn remove(&mut self, path: &Path) -> io::Result<()> {
        let name = own_name(path);
        match self.names.get(&name) {
            Some(Name::Gone) => return Err(system(libc::ENOENT)),
            Some(_) => {}
            None if std::fs::symlink_metadata(&name)?.is_dir() => return Err(system(libc::EISDIR)),
            None => {}
        }
        self.names.insert(name, Name::Gone);
        Ok(())
    }

    /// Does what was held back: this is no restart. Gives what the program's descriptors have to become.
    /// `copy` gives another descriptor of the same open file.
    pub fn afresh(
        &mut self,
        copy: &dyn Fn(i32) -> Option<OwnedFd>,
    ) -> Result<Vec<(i32, OwnedFd)>, String> {
        let names = std::mem::take(&mut self.names);
        let refused = |path: &Path| {
            let name = path.display().to_string();
            move |error: Error| format!("{name} ({error})")
        };
        for (to, name) in &names {
            if let Name::Moved(from) = name {
                std::fs::rename(from, to).map_err(refused(to))?;
            }
        }
        for (path, name) in &names {
            match name {
                Name::Gone => drop(std::fs::remove_file(path)),
                Name::Scratch(at) => {
                    self.scratches[*at].pour(path).map_err(refused(path))?;
                    for one in &mut self.files {
                        if one.scratch == Some(*at) {
                            one.path.clone_from(path);
                        }
                    }
                }
                Name::Moved(_) => {}
            }
        }
        let mut found = Vec::new();
        for one in &mut self.files {
            let Some(at) = one.scratch else { continue };
            let mut now = match copy(one.number) {
                Some(now) if which_file(&now) == one.which => File::from(now),
                // It was closed.
                _ => continue,
            };
            let is_there = |name: &Name| matches!(name, Name::Scratch(other) if *other == at);
            if !names.values().any(is_there) {
                continue;
            }
            let access = one.flags & libc::O_ACCMODE;
            let mut real = OpenOptions::new()
                .read(access != libc::O_WRONLY)
                .write(access != libc::O_RDONLY)
                .custom_flags(one.flags & (libc::O_APPEND | libc::O_SYNC | libc::O_NONBLOCK))
                .open(&one.path)
                .map_err(refused(&one.path))?;
            let place = now.stream_position().map_err(refused(&one.path))?;
            real.seek(SeekFrom::Start(place))
                .map_err(refused(&one.path))?;
            one.which = which_file(&real);
            found.push((one.number, OwnedFd::from(real)));
        }
        self.scratches.clear();
        Ok(found)
    }

    /// The file that a checkpoint speaks of, if the program has opened it before `init` and it was not taken: the one with
    /// this place in the order of opening, or else the first with this path that fits.
    pub fn take(
        &mut self,
        place: Option<u32>,
        path: &Path,
        fits: &dyn Fn(&EarlyFile) -> bool,
    ) -> Option<EarlyFile> {
        let named = |one: &EarlyFile| !one.taken && one.path == path;
        let at = match place {
            Some(place) => {
                let place = place as usize;
                self.files
                    .get(place)
                    .filter(|one| named(one))
                    .map(|_| place)
            }
            None => self.files.iter().position(|one| named(one) && fits(one)),
        }?;
        let one = &mut self.files[at];
        one.taken = true;
        Some(one.clone())
    }

    /// Whether this stream was opened, whatever file it has now.
    pub fn has_stream(&self, stream: usize) -> bool {
        self.files.iter().any(|one| one.stream == stream)
    }

    /// A descriptor has become another file.
    pub fn became(&mut self, number: i32, real: &OwnedFd) {
        let mut files = self.files.iter_mut().rev();
        if let Some(one) = files.find(|one| one.number == number && one.taken) {
            one.which = which_file(real);
            one.scratch = None;
        }
    }

    /// What is open for writing under its own name.
    pub fn written(&self) -> Vec<(i32, PathBuf, (u64, u64))> {
        let own = self
            .files
            .iter()
            .filter(|one| one.scratch.is_none() && writes(one.flags));
        own.filter_map(|one| Some((one.number, one.path.clone(), one.which?)))
            .collect()
    }

    /// Forgets what was held back: this is a restart.
    pub fn forget(&mut self) {
        self.names.clear();
        self.scratches.clear();
    }

    /// The files that are still open, with their places in the order of opening. `look` gives a descriptor of one.
    pub fn still_open(
        &self,
        look: &dyn Fn(&EarlyFile) -> Option<OwnedFd>,
    ) -> Vec<(u32, EarlyFile)> {
        let all = self.files.iter().enumerate();
        let open = all.filter(|(_, one)| {
            one.scratch.is_none() && look(one).and_then(|copy| which_file(&copy)) == one.which
        });
        open.map(|(at, one)| (at as u32, one.clone())).collect()
    }
}

/// Descriptors of ours are above this number where that is allowed.
pub(super) const FAR: i32 = 500;

/// A new file in this directory, which processes of other machines may use as well.
fn named_scratch(directory: &Path) -> io::Result<(OwnedFd, PathBuf)> {
    let process = std::process::id();
    let paths = (0..).map(|number| directory.join(format!("scratch.{number}.{process}.tmp")));
    let mut made = paths.map(|path| {
        let mut way = OpenOptions::new();
        let file = way.read(true).write(true).create_new(true).open(&path);
        file.map(|file| (OwnedFd::from(file), path))
    });
    let is_taken = |error: &Error| error.kind() == io::ErrorKind::AlreadyExists;
    let first = made.find(|one| !one.as_ref().is_err_and(is_taken));
    first.unwrap_or_else(|| Err(system(libc::EEXIST)))
}

impl Scratch {
    /// How it is opened: by its name, or by its descriptor.
    fn path(&self) -> PathBuf {
        let number = self.file.as_raw_fd();
        let own = self.own.clone();
        own.unwrap_or_else(|| PathBuf::from(format!("/proc/self/fd/{number}")))
    }

    /// What the program has written comes into the file.
    fn pour(&mut self, path: &Path) -> io::Result<()> {
        let mut way = OpenOptions::new();
        let way = way.write(true).create(true).truncate(self.after.is_none());
        let mut real = way.mode(self.mode).open(path)?;
        let begin = self.after.unwrap_or(0);
        real.seek(SeekFrom::Start(begin))?;
        // A description of its own: the place of the program's stays.
        let mut all = File::open(self.path())?;
        all.seek(SeekFrom::Start(begin))?;
        io::copy(&mut all, &mut real).map(drop)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(own) = &self.own {
            let _ = std::fs::remove_file(own);
        }
    }
}
