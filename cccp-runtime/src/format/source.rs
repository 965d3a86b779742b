//! Where the bytes of a file come from, and a window that walks over them.

use std::io;

use super::FormatError;

/// Bytes that can be read at any place. `store` has one for files; vectors are sources too.
pub trait Source: Send + Sync {
    /// How many bytes there are.
    fn length(&self) -> io::Result<u64>;
    /// Fills the whole buffer from the bytes at `offset`.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

impl Source for Vec<u8> {
    fn length(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let end = usize::try_from(offset)
            .ok()
            .and_then(|start| Some(start..start.checked_add(buffer.len())?));
        let bytes = end
            .and_then(|range| self.get(range))
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(bytes);
        Ok(())
    }
}

/// Reads at a place; the error says where.
pub(super) fn read_at(
    source: &dyn Source,
    offset: u64,
    buffer: &mut [u8],
) -> Result<(), FormatError> {
    source
        .read_at(offset, buffer)
        .map_err(|error| FormatError::Storage {
            offset,
            reason: error.to_string(),
        })
}

/// Walks from one place of a source to another. Small reads are served from a buffer.
pub(super) struct Window<'a> {
    source: &'a dyn Source,
    position: u64,
    end: u64,
    buffer: Vec<u8>,
    start: u64,
}

const WINDOW: u64 = 1 << 16;

impl<'a> Window<'a> {
    pub(super) fn new(source: &'a dyn Source, position: u64, end: u64) -> Window<'a> {
        Window {
            source,
            position,
            end,
            buffer: Vec::new(),
            start: 0,
        }
    }

    pub(super) fn position(&self) -> u64 {
        self.position
    }

    pub(super) fn damaged(&self, reason: impl Into<String>) -> FormatError {
        FormatError::Damaged {
            offset: self.position,
            reason: reason.into(),
        }
    }

    /// The next bytes.
    pub(super) fn take(&mut self, length: u64) -> Result<&[u8], FormatError> {
        let from = self.position;
        self.skip(length)?;
        let inside = from >= self.start && self.position - self.start <= self.buffer.len() as u64;
        if !inside {
            let size = length.max(WINDOW.min(self.end - from));
            self.buffer.clear();
            // After a failure the buffer holds nothing.
            self.start = from;
            let room = usize::try_from(size).unwrap_or(usize::MAX);
            self.buffer
                .try_reserve(room)
                .map_err(|_| FormatError::Storage {
                    offset: from,
                    reason: format!("no memory for {size} bytes"),
                })?;
            self.buffer.resize(room, 0);
            read_at(self.source, from, &mut self.buffer)?;
        }
        Ok(&self.buffer[(from - self.start) as usize..][..length as usize])
    }

    /// Passes over bytes.
    pub(super) fn skip(&mut self, length: u64) -> Result<(), FormatError> {
        if length > self.end - self.position {
            return Err(self.damaged(format!(
                "{length} bytes are needed, {} are left",
                self.end - self.position
            )));
        }
        self.position += length;
        Ok(())
    }

    pub(super) fn u32(&mut self) -> Result<u32, FormatError> {
        let bytes = self.take(4)?;
        Ok(bytes
            .iter()
            .fold(0, |value, byte| value << 8 | u32::from(*byte)))
    }

    pub(super) fn u64(&mut self) -> Result<u64, FormatError> {
        Ok(u64::from(self.u32()?) << 32 | u64::from(self.u32()?))
    }
}
