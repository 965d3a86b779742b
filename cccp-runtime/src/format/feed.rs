//! Encoded values as they are needed: a window that moves forward over the chunks of a register.
//!
//! At most one chunk and what was asked for is in memory. What lies before the last place asked for is gone: a feed
//! goes forward only. Not here: what the bytes mean (`stream`).

use super::FormatError;
use super::envelope::CHUNK;
use super::frames::Frames;
use super::model::PointerValue;
use super::wire::{Cursor, padding};

/// Where encoded values come from.
pub(super) struct Feed<'a> {
    frames: Option<Frames<'a>>,
    /// Encoded bytes of the window and of what was before it.
    buffer: Vec<u8>,
    /// First byte of the buffer that is still needed.
    head: usize,
    /// Its place in the encoded data.
    start: u64,
    /// Bytes of the encoded data.
    length: u64,
}

impl<'a> Feed<'a> {
    /// From the chunks of a file.
    pub(super) fn of_file(frames: Frames<'a>) -> Feed<'a> {
        Feed {
            length: frames.left(),
            frames: Some(frames),
            buffer: Vec::new(),
            head: 0,
            start: 0,
        }
    }

    /// From memory: a value of the trace.
    pub(super) fn of_memory(bytes: &[u8]) -> Feed<'a> {
        Feed {
            length: bytes.len() as u64,
            frames: None,
            buffer: bytes.to_vec(),
            head: 0,
            start: 0,
        }
    }

    pub(super) fn damaged(&self, reason: impl Into<String>) -> FormatError {
        FormatError::Damaged {
            offset: self.frames.as_ref().map_or(self.start, Frames::position),
            reason: reason.into(),
        }
    }

    /// The place of the next byte in the encoded data.
    pub(super) fn position(&self) -> u64 {
        self.start
    }

    /// Bytes that were not taken yet.
    pub(super) fn left(&self) -> u64 {
        self.length.saturating_sub(self.start)
    }

    /// Gives `length` bytes from `place` on, which must not lie before the last place that was asked for.
    pub(super) fn at(&mut self, place: u64, length: u64) -> Result<&[u8], FormatError> {
        let end = place.checked_add(length);
        if length > CHUNK as u64 || place < self.start || end.is_none_or(|end| end > self.length) {
            return Err(self.damaged(format!(
                "{length} bytes are needed, {} are left",
                self.left()
            )));
        }
        self.move_to(place)?;
        while ((self.buffer.len() - self.head) as u64) < length {
            self.fill()?;
        }
        Ok(&self.buffer[self.head..][..length as usize])
    }

    /// Passes over everything before `place`.
    fn move_to(&mut self, place: u64) -> Result<(), FormatError> {
        loop {
            let step = (place - self.start).min((self.buffer.len() - self.head) as u64);
            self.head += step as usize;
            self.start += step;
            if self.start == place {
                return Ok(());
            }
            self.fill()?;
        }
    }

    /// Gets the next chunk.
    fn fill(&mut self) -> Result<(), FormatError> {
        self.buffer.drain(..self.head);
        self.head = 0;
        let more = match &mut self.frames {
            Some(frames) => frames.next(&mut self.buffer)?,
            None => false,
        };
        match more {
            true => Ok(()),
            false => Err(self.damaged("the values end too early")),
        }
    }

    /// Passes over whole chunks without reading them; afterwards the data cannot be verified by this feed any more.
    pub(super) fn leap(&mut self, place: u64) -> Result<(), FormatError> {
        if let Some(frames) = &mut self.frames {
            while place > self.start && self.buffer.len() == self.head {
                match frames.skip(place - self.start)? {
                    Some(raw) => self.start += raw,
                    None => break,
                }
            }
        }
        self.at(place, 0).map(|_| ())
    }

    /// The next bytes.
    pub(super) fn take(&mut self, length: u64) -> Result<&[u8], FormatError> {
        let place = self.start;
        self.at(place, length)?;
        self.head += length as usize;
        self.start += length;
        Ok(&self.buffer[self.head - length as usize..self.head])
    }

    /// The zeros after `length` bytes of opaque data.
    pub(super) fn zeros(&mut self, length: u64) -> Result<(), FormatError> {
        if self.take(padding(length))?.iter().any(|byte| *byte != 0) {
            return Err(self.damaged("padding that is not zero"));
        }
        Ok(())
    }

    /// The next pointer.
    pub(super) fn pointer(&mut self) -> Result<PointerValue, FormatError> {
        let number = |bytes: &[u8]| {
            bytes
                .iter()
                .fold(0u64, |value, byte| value << 8 | u64::from(*byte))
        };
        let start = self.start;
        let length = match number(self.at(start, 4)?) {
            1 => 36,
            2 => 16,
            3 => {
                let name = number(&self.at(start, 8)?[4..]);
                8 + name + padding(name)
            }
            4 | 5 => 12,
            _ => 4,
        };
        let mut cursor = Cursor::new(self.take(length)?, start);
        cursor.pointer()
    }

    /// Passes over what is left and verifies it all.
    pub(super) fn finish(&mut self) -> Result<(), FormatError> {
        let Some(frames) = &mut self.frames else {
            return Ok(());
        };
        loop {
            self.buffer.clear();
            self.head = 0;
            if !frames.next(&mut self.buffer)? {
                self.start = self.length;
                return Ok(());
            }
        }
    }
}
