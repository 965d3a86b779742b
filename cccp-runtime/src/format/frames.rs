//! The chunks of a register's data, one after the other.
//!
//! In: where they stand in the file. Out: the encoded values, chunk by chunk, and at the end whether their CRC-32 is
//! right. One chunk is in memory at a time. Not here: what the values mean (`stream`), how a chunk shrinks (`chunks`).

use crc32fast::Hasher;

use super::FormatError;
use super::chunks::expand;
use super::envelope::CHUNK;
use super::model::{Data, Register};
use super::source::{Source, read_at};
use super::wire::padding;

/// Walks over the chunks of a register.
pub(super) struct Frames<'a> {
    source: &'a dyn Source,
    name: String,
    /// Where the first chunk is.
    first: u64,
    /// The next chunk.
    position: u64,
    /// After the last one.
    end: u64,
    /// Encoded bytes that are still to come.
    left: u64,
    checksum: u32,
    width: usize,
    hasher: Hasher,
    compressed: Vec<u8>,
    scratch: Vec<u8>,
}

impl<'a> Frames<'a> {
    /// The chunks of `register`, whose words have `width` bytes; none when its data are not in a file.
    pub(super) fn new(
        source: &'a dyn Source,
        register: &Register,
        width: usize,
    ) -> Option<Frames<'a>> {
        let Data::InFile {
            offset,
            stored,
            length,
            checksum,
            ..
        } = register.data
        else {
            return None;
        };
        Some(Frames {
            source,
            name: register.name.clone(),
            first: offset,
            position: offset,
            end: offset.saturating_add(stored),
            left: length,
            checksum,
            width,
            hasher: Hasher::new(),
            compressed: Vec::new(),
            scratch: Vec::new(),
        })
    }

    /// Where the next chunk stands.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Encoded bytes that are still to come.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Bytes in the file from the next chunk on.
    pub(super) fn stored(&self) -> u64 {
        self.end.saturating_sub(self.position)
    }

    fn damaged(&self, reason: impl Into<String>) -> FormatError {
        FormatError::Damaged {
            offset: self.position,
            reason: reason.into(),
        }
    }

    /// Raw and stored length of the next chunk; none after the last one.
    fn head(&mut self) -> Result<Option<(u64, u64)>, FormatError> {
        let mut words = [0u8; 8];
        let room = self.end.saturating_sub(self.position).min(8) as usize;
        if room < 4 {
            return Err(self.damaged("the chunks do not end"));
        }
        read_at(self.source, self.position, &mut words[..room])?;
        let [raw, size] = [&words[..4], &words[4..]].map(|bytes| {
            bytes
                .iter()
                .fold(0u64, |value, byte| value << 8 | u64::from(*byte))
        });
        if raw == 0 {
            self.hasher.update(&words[..4]);
            return Ok(None);
        }
        if raw > CHUNK as u64 || size > raw || raw > self.left || room == 4 {
            return Err(self.damaged("a chunk that was not there before"));
        }
        self.hasher.update(&words);
        Ok(Some((raw, size)))
    }

    /// Appends the next chunk to `out`. After the last one gives false: then all of them have been verified.
    pub(super) fn next(&mut self, out: &mut Vec<u8>) -> Result<bool, FormatError> {
        let Some((raw, size)) = self.head()? else {
            return self.finish().map(|()| false);
        };
        let before = out.len();
        out.try_reserve(raw as usize)
            .map_err(|_| FormatError::Storage {
                offset: self.position,
                reason: format!("no memory for {raw} more bytes of {}", self.name),
            })?;
        out.resize(before + raw as usize, 0);
        let chunk = &mut out[before..];
        if size == raw {
            read_at(self.source, self.position + 8, chunk)?;
            self.hasher.update(chunk);
        } else {
            self.compressed.resize(size as usize, 0);
            read_at(self.source, self.position + 8, &mut self.compressed)?;
            self.hasher.update(&self.compressed);
            if !expand(&self.compressed, self.width, chunk, &mut self.scratch) {
                return Err(self.damaged("compressed data that do not expand to what was stored"));
            }
        }
        let pad = padding(size) as usize;
        let mut zeros = [0u8; 4];
        read_at(self.source, self.position + 8 + size, &mut zeros[..pad])?;
        if zeros != [0; 4] {
            return Err(self.damaged("padding that is not zero"));
        }
        self.hasher.update(&zeros[..pad]);
        self.pass(raw, size);
        Ok(true)
    }

    /// Passes over the next chunk if it ends at or before `bytes` from here; gives its raw length. What is passed over
    /// is not verified, so [`Frames::next`] must not be called to the end then.
    pub(super) fn skip(&mut self, bytes: u64) -> Result<Option<u64>, FormatError> {
        match self.head()? {
            Some((raw, size)) if raw <= bytes => {
                self.pass(raw, size);
                Ok(Some(raw))
            }
            _ => Ok(None),
        }
    }

    fn pass(&mut self, raw: u64, size: u64) {
        self.left -= raw;
        self.position += 8 + size + padding(size);
    }

    fn finish(&mut self) -> Result<(), FormatError> {
        let hasher = std::mem::take(&mut self.hasher);
        if hasher.finalize() == self.checksum && self.left == 0 {
            return Ok(());
        }
        Err(FormatError::Damaged {
            offset: self.first,
            reason: format!(
                "the data of {} changed since the file was opened",
                self.name
            ),
        })
    }
}
