//! Open files of the program at a checkpoint.
//!
//! In: where the registers' elements are; the streams of the C library have been flushed. Out: what has to be kept of each
//! stream and descriptor that is registered, once for each; warnings about those that cannot come back. What the program
//! writes becomes durable with the checkpoint. Not here: the way back (`reopen`).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;

use crate::format::types::Stream;
use crate::format::{FILE, OpenFile, Type, removed_name, standard_name, types};
use crate::generation::Extent;
use crate::libraries;
use crate::memory::{closes_on_exec, duplicate, standard_streams};
use crate::registry::RegisterId;
use crate::store::{
    Refused, Which, examine, is_same_open_file, locks_of, removed_contents, removed_file,
    which_file,
};

use super::library::Kept;
use super::reach::Numbered;
use super::{Session, opened};

/// The register that says in which directory the program is: from where it was at `init`, when it lies there.
pub(super) const WORKING_DIRECTORY: &str = "working directory";

/// What is found of open files.
#[derive(Default)]
pub(super) struct OpenFiles {
    /// What the checkpoint keeps.
    pub kept: Vec<Kept>,
    /// Places in the list above, by the addresses of streams.
    pub streams: HashMap<usize, usize>,
    /// Streams that cannot come back.
    pub refused: HashMap<usize, Refused>,
    /// Descriptors that are kept, or cannot be.
    descriptors: BTreeMap<i32, Option<Refused>>,
    /// Descriptors of all that is kept.
    numbers: BTreeSet<i32>,
    /// Files that zlib reads by descriptors that cannot come back, by their addresses.
    pub inputs: BTreeMap<usize, Refused>,
    /// What the program writes to.
    pub written: Vec<OwnedFd>,
    /// Descriptors of regular files.
    open: Vec<(u32, Which, OwnedFd)>,
    /// The numbers of files that have no name any more, and their bytes.
    removed: BTreeMap<Which, (u64, Vec<u8>)>,
    /// What the user should know: the register, and why its file cannot come back.
    pub warnings: Vec<String>,
    /// A descriptor that is open and cannot come back: the program would use its number after a restart, and nothing would stop it.
    pub obstacle: Option<String>,
}

impl OpenFiles {
    fn keep(&mut self, file: &OpenFile, address: usize) -> usize {
        self.numbers.extend(i32::try_from(file.number));
        self.kept
            .push(Kept::text(file.name(), address, file.to_text()));
        self.kept.len() - 1
    }

    /// The number of a file without a name, whose bytes are kept once, whatever opens it.
    fn removed(
        &mut self,
        which: Which,
        copy: &OwnedFd,
        (file, most): (&OpenFile, u64),
    ) -> Result<u64, Refused> {
        if let Some((number, _)) = self.removed.get(&which) {
            return Ok(*number);
        }
        let bytes = removed_contents(copy, most).map_err(|reason| {
            let path = String::from_utf8_lossy(&file.path);
            let reason = format!("its file was removed ({path}), and {reason}");
            self.obstacle.get_or_insert_with(|| {
                format!("descriptor {} cannot be restored: {reason}", file.number)
            });
            reason
        })?;
        let number = self.removed.len() as u64 + 1;
        self.removed.insert(which, (number, bytes));
        Ok(number)
    }

    /// A descriptor of the same open file that was looked at before, with another number.
    fn shares(&mut self, number: u32, which: Which, copy: &OwnedFd) -> Option<u32> {
        let mut same = self.open.iter().filter(|one| one.1 == which);
        let is_standard = |one: &i32| {
            duplicate(*one).is_ok_and(|standard| {
                which_file(&standard) == Some(which) && is_same_open_file(&standard, copy)
            })
        };
        let shares = match same.clone().any(|one| one.0 == number) {
            true => None,
            false => (0..3).find(is_standard).map(|one| one as u32).or_else(|| {
                same.find(|one| is_same_open_file(&one.2, copy))
                    .map(|one| one.0)
            }),
        };
        if let (None, Ok(copy)) = (shares, copy.try_clone()) {
            self.open.push((number, which, copy));
        }
        shares
    }

    /// The bytes of files without a name, after all else.
    fn keep_removed(&mut self) {
        let mut all: Vec<_> = std::mem::take(&mut self.removed).into_values().collect();
        all.sort_by_key(|one| one.0);
        let all = all.into_iter();
        self.kept
            .extend(all.map(|(number, bytes)| Kept::text(removed_name(number), 0, bytes)));
    }
}

impl Session {
    /// Finds all streams and descriptors in registers, and in allocated blocks that items bring; `pointed` are streams in the fixed heap.
    pub(super) fn open_files(
        &self,
        extents: &BTreeMap<RegisterId, Extent>,
        reached: Option<&Numbered>,
        pointed: &[(u64, usize)],
    ) -> OpenFiles {
        let mut found = OpenFiles::default();
        self.given_streams(&mut found);
        let fixed = || "the fixed heap".to_string();
        for &(_, stream) in pointed {
            self.stream(stream, Stream::C, &fixed, &mut found);
        }
        for (id, extent) in extents {
            let register = self.registers.get(*id);
            let whom = || register.map_or_else(String::new, |one| one.described(&one.name));
            if register.is_some_and(|one| one.flags & FILE != 0) {
                self.descriptors(extent, &whom, &mut found);
            }
            let (start, elements) = (extent.start, extent.elements);
            let types = self.types.types();
            self.streams(types, extent.type_index, start, elements, &whom, &mut found);
        }
        let whom = || "allocated memory that an item brings".to_string();
        for pool in reached.iter().flat_map(|one| &one.reached.pools) {
            for &(start, elements) in &pool.blocks {
                let types = reached.map_or(&[][..], |one| &one.reached.kinds.types);
                let kind = pool.type_index;
                self.streams(types, kind, start, elements as usize, &whom, &mut found);
            }
        }
        self.early_files(&mut found);
        self.inputs_of_zlib(&mut found);
        self.locked_files(&mut found);
        self.working_directory(&mut found);
        found.keep_removed();
        opened::hold(found.open.iter().map(|one| one.1));
        found
    }

    /// Where the program is, when that is not where it was at `init`.
    fn working_directory(&self, found: &mut OpenFiles) {
        let now = std::env::current_dir().ok();
        let Some(now) = now.filter(|now| self.directory_at_init.as_ref() != Some(now)) else {
            return;
        };
        let begun = self.directory_at_init.as_deref();
        let below = begun.and_then(|begun| now.strip_prefix(begun).ok());
        let text = below.unwrap_or(&now).as_os_str().as_bytes().to_vec();
        let name = WORKING_DIRECTORY.to_string();
        found.kept.push(Kept::text(name, 0, text));
    }

    /// The streams that every process has, where the program has given them other files: a restart is given those of its own start, and
    /// the program uses them without a word.
    fn given_streams(&self, found: &mut OpenFiles) {
        for stream in opened::given() {
            match self.examine_stream(stream, found) {
                Ok(file) => {
                    let at = found.keep(&file, stream);
                    found.streams.insert(stream, at);
                }
                Err(reason) => {
                    let number = standard_streams().iter().position(|&one| one == stream);
                    let name = standard_name(number.unwrap_or(0) as u32);
                    found.obstacle.get_or_insert_with(|| {
                        format!(
                            "freopen has given {name} another file, which cannot be restored: {reason}. Give it a regular file or a \
                             device, or none: redirect it where the program is started (prog > file)"
                        )
                    });
                }
            }
        }
    }

    /// Whether the program has given a stream another file than it had at its start, before `init` or behind it.
    fn has_given(&self, stream: usize) -> bool {
        let early = || opened::early_files(&self.program).into_iter();
        opened::given().contains(&stream) || early().any(|(_, one)| one.stream == stream)
    }

    /// What every start opens before `init` has nobody to register it.
    fn early_files(&self, found: &mut OpenFiles) {
        for (place, one) in opened::early_files(&self.program) {
            let known = match one.stream {
                0 => found.descriptors.contains_key(&one.number),
                stream => found.streams.contains_key(&stream),
            };
            if known {
                continue;
            }
            let examined = self.examine_descriptor(one.number, found);
            let examined = examined.and_then(|file| match one.stream {
                0 => Ok(file),
                stream => self.as_stream(file, stream),
            });
            match examined {
                Ok(file) => {
                    let early = Some(place);
                    found.keep(&OpenFile { early, ..file }, 0);
                }
                Err(reason) => found.warnings.push(format!(
                    "warning: a file that was opened before init cannot be restored: {reason}; after a restart it is as it was \
                     opened. Close it before the checkpoint"
                )),
            }
        }
    }

    /// The streams in some elements.
    fn streams(
        &self,
        types: &[Type],
        type_index: u32,
        start: usize,
        elements: usize,
        whom: &dyn Fn() -> String,
        found: &mut OpenFiles,
    ) {
        let offsets = types::stream_offsets(types, type_index);
        let size = types
            .get(type_index as usize)
            .map_or(0, |one| one.size as usize);
        for element in 0..if offsets.is_empty() { 0 } else { elements } {
            for &(offset, whose) in &offsets {
                let place = start + element * size + offset as usize;
                self.stream(self.program.pointer(place), whose, whom, found);
            }
        }
    }

    fn stream(
        &self,
        address: usize,
        whose: Stream,
        whom: &dyn Fn() -> String,
        found: &mut OpenFiles,
    ) {
        if address == 0 || found.streams.contains_key(&address) {
            return;
        }
        if !found.refused.contains_key(&address) {
            let examined = match whose {
                Stream::C => self.examine_stream(address, found),
                Stream::Mpi => self.examine_file_of_mpi(address, found),
            };
            match examined {
                Ok(file) => {
                    let at = found.keep(&file, address);
                    found.streams.insert(address, at);
                    return;
                }
                Err(reason) => drop(found.refused.insert(address, reason)),
            }
        }
        let reason = &found.refused[&address];
        let what = match whose {
            Stream::C => "stream",
            Stream::Mpi => "file of MPI",
        };
        found.warnings.push(format!(
            "warning: {}: the {what} cannot be restored: {reason}. After a restart, using it will stop the program, unless an \
             execute on restart block opens it; unregister it, or set it to NULL, when it is closed",
            whom()
        ));
    }

    fn examine_stream(&self, address: usize, found: &mut OpenFiles) -> Result<OpenFile, Refused> {
        let standard = standard_streams().iter().position(|&one| one == address);
        let number = self.program.stream_descriptor(address);
        if let Some(standard) = standard
            && !self.has_given(address)
        {
            // It becomes itself; only where it reads is worth knowing.
            let known = number.and_then(|number| duplicate(number).ok());
            let known = known.and_then(|copy| examine(&copy, standard as u32, None).ok());
            let reads = known.filter(|one| standard == 0 && one.offset.is_some());
            let (ended, failed) = match reads {
                Some(_) => self.program.indicators(address),
                None => (false, false),
            };
            return Ok(OpenFile {
                stream: true,
                number: standard as u32,
                standard: true,
                close_on_exec: false,
                access: crate::format::Access {
                    read: standard == 0,
                    write: standard > 0,
                    append: false,
                },
                offset: reads.and_then(|_| self.program.stream_place(address)),
                pushed: match standard {
                    0 => self.program.pushed_back(address),
                    _ => Vec::new(),
                },
                ended,
                failed,
                path: format!("/dev/fd/{standard}").into_bytes(),
                ..OpenFile::default()
            });
        }
        let number = number.ok_or("it is closed, or has no file (fmemopen)")?;
        if standard.is_some_and(|standard| i32::try_from(standard) != Ok(number)) {
            return Err("it has another descriptor than it begins with".to_string());
        }
        let file = self.examine_descriptor(number, found)?;
        let file = self.as_stream(file, address)?;
        Ok(OpenFile {
            standard: standard.is_some(),
            given: standard.is_some(),
            ..file
        })
    }

    /// What is known of a descriptor, with what the stream knows that has it.
    fn as_stream(&self, file: OpenFile, stream: usize) -> Result<OpenFile, Refused> {
        let offset = match file.offset {
            Some(_) => Some(self.program.stream_place(stream).ok_or("it has no place")?),
            None => None,
        };
        let (ended, failed) = self.program.indicators(stream);
        Ok(OpenFile {
            stream: true,
            offset,
            ended,
            failed,
            pushed: self.program.pushed_back(stream),
            buffering: self.program.buffering(stream),
            ..file
        })
    }

    fn examine_descriptor(&self, number: i32, found: &mut OpenFiles) -> Result<OpenFile, Refused> {
        if self.directory.is_lock(number) {
            return Err(
                "it is the lock of cccp itself: the program opened no file under this number"
                    .to_string(),
            );
        }
        let copy = duplicate(number).map_err(|error| error.to_string())?;
        let file = examine(&copy, number as u32, self.directory_at_init.as_deref())?;
        // The first three become themselves, but those to which the program has given a file.
        let standard = usize::try_from(number).ok();
        let standard = standard.and_then(|number| standard_streams().get(number).copied());
        let is_own = standard.is_none_or(|stream| self.has_given(stream));
        let removed = match removed_file(&copy).filter(|_| is_own) {
            Some(which) => {
                Some(found.removed(which, &copy, (&file, self.settings.removed_files))?)
            }
            None => None,
        };
        let shares = which_file(&copy)
            .filter(|_| number > 2)
            .and_then(|which| found.shares(file.number, which, &copy));
        if file.access.write && file.offset.is_some() && removed.is_none() {
            found.written.push(copy);
        }
        Ok(OpenFile {
            close_on_exec: closes_on_exec(number),
            removed,
            shares,
            ..file
        })
    }

    /// The descriptors that zlib reads for the program: nobody else knows their numbers.
    fn inputs_of_zlib(&self, found: &mut OpenFiles) {
        for (input, number) in libraries::inputs() {
            if found.numbers.contains(&number) && number > 2 {
                continue;
            }
            match self.examine_descriptor(number, found) {
                Ok(file) => {
                    let unnamed = true;
                    // One of the three that every process has.
                    let shares = file.shares.or((number < 3).then_some(number as u32));
                    let file = OpenFile {
                        unnamed,
                        shares,
                        ..file
                    };
                    found.keep(&file, 0);
                }
                Err(reason) => drop(found.inputs.insert(input, reason)),
            }
        }
    }

    /// Files that the program has open and locked, though nothing that comes back knows them: the locks are there for others.
    fn locked_files(&self, found: &mut OpenFiles) {
        for number in opened::written() {
            if found.numbers.contains(&number) || locks_of(number).is_empty() {
                continue;
            }
            if let Ok(file) = self.examine_descriptor(number, found) {
                let unnamed = true;
                found.keep(&OpenFile { unnamed, ..file }, 0);
            }
        }
    }

    fn descriptors(&self, extent: &Extent, whom: &dyn Fn() -> String, found: &mut OpenFiles) {
        for element in 0..extent.elements {
            let place = extent.start + element * extent.size;
            let number = self.program.integer(place, extent.size) as i32;
            if number < 0 {
                continue;
            }
            if !found.descriptors.contains_key(&number) {
                let examined = self.examine_descriptor(number, found);
                let refused = match examined {
                    // These become themselves.
                    _ if number < 3 => None,
                    Ok(file) => {
                        found.keep(&file, 0);
                        None
                    }
                    Err(reason) => {
                        let is_own = !self.directory.is_lock(number) && duplicate(number).is_ok();
                        if is_own && found.obstacle.is_none() {
                            found.obstacle = Some(format!(
                                "{}: descriptor {number} cannot be restored: {reason}. Register a descriptor that can, let an execute \
                                 on restart block open it anew, or set it to -1 when it is closed",
                                whom()
                            ));
                        }
                        Some(reason)
                    }
                };
                found.descriptors.insert(number, refused);
            }
            if let Some(Some(reason)) = found.descriptors.get(&number) {
                found.warnings.push(format!(
                    "warning: {}: descriptor {number} cannot be restored: {reason}. After a restart it is closed, unless an \
                     execute on restart block opens it; unregister it, or set it to -1, when it is closed",
                    whom()
                ));
            }
        }
    }
}
