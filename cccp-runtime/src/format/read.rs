//! From the bytes of a file to a checkpoint.
//!
//! [`File::open`] first checks the CRC-32 of the whole file, and only then looks at what is inside; register data stay
//! in the file until [`File::load`], which checks them once more. Lengths are compared with what is left before
//! anything is allocated, so a file cannot ask for more memory than it has bytes (compressed data: than DEFLATE can
//! yield). Whatever does not add up is an error with its place: no data is better than wrong data.
//!
//! Not here: values (`decode`), which file (`store`).

use std::io;

use crc32fast::Hasher;

use super::FormatError;
use super::consistency;
use super::envelope::{CHUNK, LARGEST_GROWTH, MINOR, TRAILER, check_start};
use super::frames::Frames;
use super::header::{get_function, get_header, get_type};
use super::model::{Checkpoint, Data, Function, Header, REGISTER_FLAGS, Register, Section, Trace};
use super::plan::{Plan, get_plan};
use super::source::{Source, Window, read_at};
use super::trace::get_trace;
use super::types::Type;
use super::wire::{Cursor, padding};
use super::zeros;

/// A checkpoint file that has been verified.
pub struct File {
    /// What it says; the data of the registers are [`Data::InFile`].
    pub checkpoint: Checkpoint,
    /// Its minor version.
    pub minor: u32,
    /// Bytes of the whole file.
    pub length: u64,
    pub(super) source: Box<dyn Source>,
    /// Bytes per word of each register's data, by the register's number, in order.
    pub(super) widths: Vec<(u64, usize)>,
}

impl std::fmt::Debug for File {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("File")
            .field("checkpoint", &self.checkpoint)
            .finish_non_exhaustive()
    }
}

impl File {
    /// Verifies every byte and reads everything but the register data.
    pub fn open(source: Box<dyn Source>) -> Result<File, FormatError> {
        let file = Self::skim(source, |source, length| verify(source, length))?;
        consistency::check(&file.checkpoint)?;
        Ok(file)
    }

    /// Reads everything but the register data, of which a few bytes per mebibyte are looked at: for a look at what is small.
    /// What it says is verified by the checksums of its parts, and data when they are loaded; the rest may be damaged, so
    /// this is not enough for a restart.
    pub fn glance(source: Box<dyn Source>) -> Result<File, FormatError> {
        Self::skim(source, |_, _| Ok(()))
    }

    fn skim(
        source: Box<dyn Source>,
        verify: impl FnOnce(&dyn Source, u64) -> Result<(), FormatError>,
    ) -> Result<File, FormatError> {
        let storage = |error: io::Error| FormatError::Storage {
            offset: 0,
            reason: error.to_string(),
        };
        let length = source.length().map_err(storage)?;
        let mut start = vec![0; length.min(16) as usize];
        read_at(&*source, 0, &mut start)?;
        let (_, minor) = check_start(&start)?;
        verify(&*source, length)?;
        let end = length.saturating_sub(TRAILER);
        let window = Window::new(&*source, 0, end);
        let mut reader = Reader::new(window, minor, u64::MAX);
        let header = reader.header()?;
        let (types, functions, trace, plans) = reader.description()?;
        let mut widths = Vec::new();
        let sections = reader.sections(&mut widths)?;
        if reader.window.position() != end {
            return Err(reader
                .window
                .damaged("bytes between the last section and the trailer"));
        }
        widths.sort_unstable();
        let checkpoint = Checkpoint {
            header,
            types,
            functions,
            plans,
            trace,
            sections,
        };
        Ok(File {
            checkpoint,
            minor,
            length,
            source,
            widths,
        })
    }

    /// The encoded values of a register of this file, verified once more.
    pub fn load(&self, register: &Register) -> Result<Vec<u8>, FormatError> {
        let mut frames = match &register.data {
            Data::Encoded(data) => return Ok(data.clone()),
            Data::InFile { .. } => self.frames(register)?,
        };
        let length = frames.left();
        let offset = frames.position();
        let no_memory = || FormatError::Storage {
            offset,
            reason: format!("no memory for the {length} bytes of {}", register.name),
        };
        let whole = usize::try_from(length).map_err(|_| no_memory())?;
        // Compressed data grow as they really expand: a promise alone gets no memory.
        let first = whole.min(usize::try_from(frames.stored().saturating_mul(8)).unwrap_or(whole));
        Vec::<u8>::new()
            .try_reserve_exact(first)
            .map_err(|_| no_memory())?;
        // Zeros that nobody has touched, which zeros of the file leave as they are.
        let mut data = vec![0; first];
        let (mut chunk, mut end) = (Vec::new(), 0);
        while frames.next(&mut chunk)? {
            let start = end;
            end += chunk.len();
            if data.len() < end {
                data.try_reserve(end - start).map_err(|_| no_memory())?;
                data.resize(end, 0);
            }
            zeros::put(&chunk, &mut data[start..end], |from, to| {
                to.copy_from_slice(from);
            });
            chunk.clear();
        }
        data.truncate(end);
        Ok(data)
    }

    /// A register that is not in the file has the values of one that is, under a larger number than all others.
    pub fn copy(&mut self, register: u64, number: u64) {
        let known = self.widths.iter().find(|(id, _)| *id == register);
        let is_last = self.widths.last().is_none_or(|(id, _)| *id < number);
        if let Some(&(_, width)) = known.filter(|_| is_last) {
            self.widths.push((number, width));
        }
    }

    /// The chunks of a register of this file.
    pub(super) fn frames(&self, register: &Register) -> Result<Frames<'_>, FormatError> {
        let place = self
            .widths
            .binary_search_by_key(&register.id, |(id, _)| *id);
        place
            .ok()
            .and_then(|index| Frames::new(&*self.source, register, self.widths[index].1))
            .ok_or_else(|| FormatError::Damaged {
                offset: 0,
                reason: format!("{} is a register of another file", register.name),
            })
    }
}

/// Checks length and CRC-32 of the whole file.
pub(super) fn verify(source: &dyn Source, length: u64) -> Result<(), FormatError> {
    let damaged = |offset: u64, reason: String| Err(FormatError::Damaged { offset, reason });
    if length < 16 + TRAILER {
        return damaged(length, "the file is cut short".to_string());
    }
    let mut trailer = Window::new(source, length - TRAILER, length);
    let (announced, checksum) = (trailer.u64()?, trailer.u32()?);
    let mut hasher = Hasher::new();
    let mut buffer = vec![0; (1 << 20).min(length as usize)];
    let mut position = 0;
    while position < length - 4 {
        let size = (length - 4 - position).min(buffer.len() as u64) as usize;
        read_at(source, position, &mut buffer[..size])?;
        hasher.update(&buffer[..size]);
        position += size as u64;
    }
    let computed = hasher.finalize();
    if announced != length {
        return damaged(
            length - TRAILER,
            format!("the file has {length} bytes and no matching end: cut short or damaged"),
        );
    }
    if computed != checksum {
        return damaged(
            length - 4,
            format!("CRC-32 of the file is {computed:08x}, not {checksum:08x}"),
        );
    }
    Ok(())
}

pub(super) type Description = (Vec<Type>, Vec<Function>, Trace, Vec<Plan>);

/// Reads the parts of a file one after the other.
pub(super) struct Reader<'a> {
    pub(super) window: Window<'a>,
    /// No minor version newer than ours may have added anything.
    exact: bool,
    /// The minor version of the file.
    minor: u32,
    /// The longest part that may be held in memory.
    limit: u64,
}

impl<'a> Reader<'a> {
    pub(super) fn new(window: Window<'a>, minor: u32, limit: u64) -> Reader<'a> {
        Reader {
            window,
            exact: minor <= MINOR,
            minor,
            limit,
        }
    }

    pub(super) fn header(&mut self) -> Result<Header, FormatError> {
        let before = self.window.take(16)?.to_vec();
        self.part(before, get_header)
    }

    pub(super) fn description(&mut self) -> Result<Description, FormatError> {
        let (minor, exact) = (self.minor, self.exact);
        self.part(Vec::new(), |from| {
            let (types, functions) = (from.list(get_type)?, from.list(get_function)?);
            let trace = get_trace(from)?;
            let mut plans = match minor {
                0 => Vec::new(),
                _ => from.list(get_plan)?,
            };
            for plan in &mut plans {
                if plan.forget_unknown_flags() && exact {
                    return Err(from.damaged("unknown flags in a plan"));
                }
            }
            Ok((types, functions, trace, plans))
        })
    }

    /// A part of the head, verified against its CRC-32, which stands behind it.
    fn part<T>(
        &mut self,
        before: Vec<u8>,
        get: impl FnOnce(&mut Cursor) -> Result<T, FormatError>,
    ) -> Result<T, FormatError> {
        let (exact, length) = (self.exact, self.window.u64()?);
        let start = self.window.position();
        self.allow(length)?;
        let bytes = self.window.take(length.saturating_add(4))?;
        let (bytes, checksum) = bytes.split_at(bytes.len() - 4);
        let mut hasher = Hasher::new();
        hasher.update(&before);
        hasher.update(&length.to_be_bytes());
        hasher.update(bytes);
        let mut cursor = Cursor::new(bytes, start);
        if checksum != hasher.finalize().to_be_bytes() {
            return Err(cursor.damaged("CRC-32 of the part that begins here does not match"));
        }
        let value = get(&mut cursor)?;
        if exact && cursor.left() > 0 {
            return Err(cursor.damaged("bytes that this version of the format does not have"));
        }
        Ok(value)
    }

    fn allow(&self, length: u64) -> Result<(), FormatError> {
        match length <= self.limit {
            true => Ok(()),
            false => Err(self.window.damaged(format!("a part of {length} bytes"))),
        }
    }

    fn sections(&mut self, widths: &mut Vec<(u64, usize)>) -> Result<Vec<Section>, FormatError> {
        let count = self.window.u32()?;
        let mut sections = Vec::new();
        for _ in 0..count {
            let mut hasher = Hasher::new();
            let (number, registers) = (self.window.u64()?, self.window.u32()?);
            hasher.update(&number.to_be_bytes());
            hasher.update(&registers.to_be_bytes());
            let mut section = Section {
                number,
                registers: Vec::new(),
            };
            for _ in 0..registers {
                let (mut register, width) = self.register(&mut hasher)?;
                self.data(&mut register, &mut hasher)?;
                widths.push((register.id, width));
                section.registers.push(register);
            }
            if self.window.u32()? != hasher.finalize() {
                return Err(self
                    .window
                    .damaged(format!("CRC-32 of section {number} does not match")));
            }
            sections.push(section);
        }
        Ok(sections)
    }

    /// The head of a register, and the bytes per word of its data.
    pub(super) fn register(
        &mut self,
        hasher: &mut Hasher,
    ) -> Result<(Register, usize), FormatError> {
        let length = self.window.u32()?;
        self.allow(length.into())?;
        hasher.update(&length.to_be_bytes());
        let start = self.window.position();
        let head = self.window.take(u64::from(length).next_multiple_of(4))?;
        hasher.update(head);
        let (head, zeros) = head.split_at(length as usize);
        let mut cursor = Cursor::new(head, start);
        if zeros.iter().any(|byte| *byte != 0) {
            return Err(cursor.damaged("padding that is not zero"));
        }
        let (mut register, width) = get_register(&mut cursor)?;
        if self.exact && cursor.left() > 0 {
            return Err(cursor.damaged("bytes that this version of the format does not have"));
        }
        if self.exact && register.flags & !REGISTER_FLAGS != 0 {
            return Err(cursor.damaged(format!("unknown flags {:#x}", register.flags)));
        }
        // Those of a newer version mean nothing here, and must not be written as this version's.
        register.flags &= REGISTER_FLAGS;
        Ok((register, width))
    }

    /// Passes over the data of a register and notes where they are.
    pub(super) fn data(
        &mut self,
        register: &mut Register,
        hasher: &mut Hasher,
    ) -> Result<(), FormatError> {
        let offset = self.window.position();
        let (mut length, mut compressed) = (0u64, false);
        loop {
            let raw = u64::from(self.window.u32()?);
            if raw == 0 {
                break;
            }
            let size = u64::from(self.window.u32()?);
            if raw > CHUNK as u64 || size > raw || size.saturating_mul(LARGEST_GROWTH) < raw {
                return Err(self
                    .window
                    .damaged(format!("a chunk of {raw} bytes in {size}")));
            }
            self.window.skip(size)?;
            if self
                .window
                .take(padding(size))?
                .iter()
                .any(|byte| *byte != 0)
            {
                return Err(self.window.damaged("padding that is not zero"));
            }
            length += raw;
            compressed |= size < raw;
        }
        let stored = self.window.position() - offset;
        let checksum = self.window.u32()?;
        // The data themselves were verified with the whole file: their CRC-32 stands for them.
        hasher.combine(&Hasher::new_with_initial_len(checksum, stored));
        hasher.update(&checksum.to_be_bytes());
        register.data = Data::InFile {
            offset,
            stored,
            length,
            compressed,
            checksum,
        };
        Ok(())
    }
}

fn get_register(from: &mut Cursor) -> Result<(Register, usize), FormatError> {
    let register = Register {
        address: from.u64()?,
        element_size: from.u64()?,
        elements: from.u64()?,
        type_index: from.u32()?,
        name: from.string()?,
        id: from.u64()?,
        function: from.u32()?,
        line: from.u32()?,
        extents: from.list(Cursor::u64)?,
        first: from.u64()?,
        flags: from.u32()?,
        data: Data::Encoded(Vec::new()),
    };
    match from.u32()? {
        width @ 1..=16 => Ok((register, width as usize)),
        other => Err(from.damaged(format!("words of {other} bytes"))),
    }
}
