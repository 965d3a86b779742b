//! From a checkpoint to the bytes of a file.
//!
//! [`Writer`] streams: head, then section by section and register by register, then the trailer. Register data go
//! from the caller's buffer to the output without another copy; everything small is gathered first. [`write`] does all
//! of it for a checkpoint that is in memory.
//!
//! Not here: values (`encode`), the file's name and durability (`store`).

use std::io::Write;

use crc32fast::Hasher;

use super::FormatError;
use super::chunks::{Squeezer, shuffle_width};
use super::envelope::{CHUNK, MAGIC, MAJOR, MINOR, TRAILER};
use super::header::{put_function, put_header, put_type};
use super::model::{Checkpoint, Data, Encoding, Register};
use super::plan::put_plan;
use super::trace::put_trace;
use super::types::{Layout, Machine, Type};
use super::wire::{padding, put_bytes, put_list, put_u32, put_u64};

/// Writes a whole checkpoint whose data are in memory. `compress` is 0 (off) or a level from 1 to 9. Gives the number
/// of bytes.
pub fn write(
    checkpoint: &Checkpoint,
    compress: u32,
    out: &mut dyn Write,
) -> Result<u64, FormatError> {
    walk(
        checkpoint,
        compress,
        out,
        |writer, register| match &register.data {
            Data::Encoded(data) => writer.register(register, data),
            Data::InFile { offset, .. } => Err(FormatError::Storage {
                offset: *offset,
                reason: format!("the data of {} are in another file", register.name),
            }),
        },
    )
}

/// The same for data that `values` encodes when their turn comes: one register's values are in memory at a time.
/// `values` puts them into the buffer in the place of what is there.
pub fn write_in_turn(
    checkpoint: &Checkpoint,
    compress: u32,
    out: &mut dyn Write,
    mut values: impl FnMut(&Register, &mut Vec<u8>) -> Result<(), FormatError>,
) -> Result<u64, FormatError> {
    let mut buffer = Vec::new();
    walk(checkpoint, compress, out, |writer, register| {
        values(register, &mut buffer)?;
        writer.register(register, &buffer)
    })
}

fn walk(
    checkpoint: &Checkpoint,
    compress: u32,
    out: &mut dyn Write,
    mut write_register: impl FnMut(&mut Writer<'_>, &Register) -> Result<(), FormatError>,
) -> Result<u64, FormatError> {
    let sections = &checkpoint.sections;
    let mut writer = Writer::new(out, checkpoint, sections.len() as u32, compress)?;
    for section in sections {
        writer.section(section.number, section.registers.len() as u32)?;
        for register in &section.registers {
            write_register(&mut writer, register)?;
        }
    }
    writer.finish()
}

/// Writes a file piece by piece. The pieces must be those that were announced.
pub struct Writer<'a> {
    out: &'a mut dyn Write,
    types: &'a [Type],
    machine: &'a Machine,
    encoding: Encoding,
    squeezer: Option<Squeezer>,
    /// Small pieces that are not written yet.
    pending: Vec<u8>,
    written: u64,
    file: Hasher,
    section: Hasher,
    register: Hasher,
    sections_left: u32,
    registers_left: u32,
    in_section: bool,
    /// The register whose values come in pieces: bytes per word, the values that do not fill a chunk yet.
    gathered: Option<(usize, Vec<u8>)>,
}

impl<'a> Writer<'a> {
    /// Writes the head of the file: everything of the checkpoint but its sections. `sections` calls of
    /// [`Writer::section`] follow.
    pub fn new(
        out: &'a mut dyn Write,
        checkpoint: &'a Checkpoint,
        sections: u32,
        compress: u32,
    ) -> Result<Writer<'a>, FormatError> {
        let Checkpoint {
            header,
            types,
            functions,
            plans,
            trace,
            ..
        } = checkpoint;
        let mut writer = Writer {
            out,
            types,
            machine: &header.machine,
            encoding: header.encoding,
            squeezer: (compress > 0).then(|| Squeezer::new(compress)),
            pending: Vec::new(),
            written: 0,
            file: Hasher::new(),
            section: Hasher::new(),
            register: Hasher::new(),
            sections_left: sections,
            registers_left: 0,
            in_section: false,
            gathered: None,
        };
        let mut start = MAGIC.to_vec();
        put_u32(MAJOR, &mut start);
        put_u32(MINOR, &mut start);
        writer.part(start, |out| put_header(header, out))?;
        writer.part(Vec::new(), |out| {
            put_list(types, out, put_type);
            put_list(functions, out, put_function);
            put_trace(trace, out);
            put_list(plans, out, put_plan);
        })?;
        put_u32(sections, &mut writer.pending);
        writer.flush()?;
        Ok(writer)
    }

    /// Begins a section; `registers` calls of [`Writer::register`] follow.
    pub fn section(&mut self, number: u64, registers: u32) -> Result<(), FormatError> {
        self.end_section()?;
        self.sections_left = self
            .sections_left
            .checked_sub(1)
            .ok_or_else(|| self.misused("a section too many"))?;
        self.registers_left = registers;
        self.in_section = true;
        self.section = Hasher::new();
        put_u64(number, &mut self.pending);
        put_u32(registers, &mut self.pending);
        Ok(())
    }

    /// Writes a register with its encoded data; what `register.data` says does not matter.
    pub fn register(&mut self, register: &Register, data: &[u8]) -> Result<(), FormatError> {
        let width = self.head(register)?;
        for chunk in data.chunks(CHUNK) {
            self.chunk(chunk, width)?;
        }
        self.end_data()
    }

    /// The same for encoded data that come piece by piece: any number of [`Writer::values`] and one
    /// [`Writer::end_register`] follow. Memory for one chunk is needed.
    pub fn begin_register(&mut self, register: &Register) -> Result<(), FormatError> {
        let width = self.head(register)?;
        self.gathered = Some((width, Vec::new()));
        Ok(())
    }

    /// The next encoded data of the register that was begun.
    pub fn values(&mut self, mut data: &[u8]) -> Result<(), FormatError> {
        let Some((width, mut gathered)) = self.gathered.take() else {
            return Err(self.misused("values without a register"));
        };
        while gathered.len() + data.len() >= CHUNK {
            let (now, later) = data.split_at(CHUNK - gathered.len());
            gathered.extend_from_slice(now);
            self.chunk(&gathered, width)?;
            gathered.clear();
            data = later;
        }
        gathered.extend_from_slice(data);
        self.gathered = Some((width, gathered));
        Ok(())
    }

    /// Ends the register that was begun.
    pub fn end_register(&mut self) -> Result<(), FormatError> {
        let Some((width, gathered)) = self.gathered.take() else {
            return Err(self.misused("the end of no register"));
        };
        if !gathered.is_empty() {
            self.chunk(&gathered, width)?;
        }
        self.end_data()
    }

    /// Writes the head of a register; gives the bytes per word of its values.
    fn head(&mut self, register: &Register) -> Result<usize, FormatError> {
        if self.gathered.is_some() {
            return Err(self.misused("a register within another"));
        }
        self.registers_left = self
            .registers_left
            .checked_sub(1)
            .ok_or_else(|| self.misused("a register too many"))?;
        let layout = Layout {
            types: self.types,
            machine: self.machine,
        };
        let width = shuffle_width(layout, register.type_index, self.encoding);
        let mut head = Vec::new();
        put_register(register, width as u32, &mut head);
        put_bytes(&head, &mut self.pending);
        self.flush()?;
        self.register = Hasher::new();
        Ok(width)
    }

    /// Writes a chunk, compressed when that makes it smaller.
    fn chunk(&mut self, chunk: &[u8], width: usize) -> Result<(), FormatError> {
        let mut squeezer = self.squeezer.take();
        let squeezed = squeezer
            .as_mut()
            .and_then(|squeezer| squeezer.squeeze(chunk, width));
        let stored = squeezed.unwrap_or(chunk);
        put_u32(chunk.len() as u32, &mut self.pending);
        put_u32(stored.len() as u32, &mut self.pending);
        let written = self.piece(stored);
        self.squeezer = squeezer;
        written
    }

    /// The end of the chunks, and their CRC-32.
    fn end_data(&mut self) -> Result<(), FormatError> {
        put_u32(0, &mut self.pending);
        self.flush()?;
        let checksum = self.register.clone().finalize();
        put_u32(checksum, &mut self.pending);
        Ok(())
    }

    /// Writes the trailer and gives the length of the file. Durability is the caller's.
    pub fn finish(mut self) -> Result<u64, FormatError> {
        self.end_section()?;
        if self.sections_left > 0 {
            return Err(self.misused("a section too few"));
        }
        self.flush()?;
        put_u64(self.written + TRAILER, &mut self.pending);
        self.flush()?;
        let checksum = self.file.clone().finalize();
        put_u32(checksum, &mut self.pending);
        self.flush()?;
        self.out.flush().map_err(|error| self.storage(&error))?;
        Ok(self.written)
    }

    /// A part of the head: what comes before it, its length, its bytes, the CRC-32 of all that.
    fn part(
        &mut self,
        mut bytes: Vec<u8>,
        put: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), FormatError> {
        let mut body = Vec::new();
        put(&mut body);
        put_u64(body.len() as u64, &mut bytes);
        bytes.append(&mut body);
        put_u32(crc32fast::hash(&bytes), &mut bytes);
        self.pending = bytes;
        self.flush()
    }

    fn end_section(&mut self) -> Result<(), FormatError> {
        if self.registers_left > 0 || self.gathered.is_some() {
            return Err(self.misused("a register too few"));
        }
        if self.in_section {
            self.flush()?;
            let checksum = self.section.clone().finalize();
            put_u32(checksum, &mut self.pending);
            self.flush()?;
            self.in_section = false;
        }
        Ok(())
    }

    /// Register data: written from where they are, then padded.
    fn piece(&mut self, bytes: &[u8]) -> Result<(), FormatError> {
        if bytes.len() < 4096 {
            self.pending.extend_from_slice(bytes);
        } else {
            self.flush()?;
            self.emit(bytes)?;
        }
        self.pending
            .resize(self.pending.len() + padding(bytes.len() as u64) as usize, 0);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), FormatError> {
        let pending = std::mem::take(&mut self.pending);
        self.emit(&pending)?;
        self.pending = pending;
        self.pending.clear();
        Ok(())
    }

    fn emit(&mut self, bytes: &[u8]) -> Result<(), FormatError> {
        self.out
            .write_all(bytes)
            .map_err(|error| self.storage(&error))?;
        let all = [&mut self.file, &mut self.section, &mut self.register];
        if bytes.len() < 1 << 16 {
            all.into_iter().for_each(|hasher| hasher.update(bytes));
        } else {
            // One look at the bytes serves all three.
            let mut piece = Hasher::new();
            piece.update(bytes);
            all.into_iter().for_each(|hasher| hasher.combine(&piece));
        }
        self.written += bytes.len() as u64;
        Ok(())
    }

    fn storage(&self, error: &std::io::Error) -> FormatError {
        FormatError::Storage {
            offset: self.written,
            reason: error.to_string(),
        }
    }

    fn misused(&self, what: &str) -> FormatError {
        FormatError::Storage {
            offset: self.written,
            reason: format!("{what} was written"),
        }
    }
}

/// The head of a register, in the order of the paper's Figure 3, then what we add.
fn put_register(register: &Register, width: u32, out: &mut Vec<u8>) {
    put_u64(register.address, out);
    put_u64(register.element_size, out);
    put_u64(register.elements, out);
    put_u32(register.type_index, out);
    put_bytes(register.name.as_bytes(), out);
    put_u64(register.id, out);
    put_u32(register.function, out);
    put_u32(register.line, out);
    put_list(&register.extents, out, |extent, out| put_u64(*extent, out));
    put_u64(register.first, out);
    put_u32(register.flags, out);
    put_u32(width, out);
}
