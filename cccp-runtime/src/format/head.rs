//! What a file says about itself, without reading the rest of it.
//!
//! In: a file of any size. Out: its header, verified by the header's own CRC-32, and whether the file has the length
//! that its end announces: a few kilobytes are read. Whether the rest is sound only [`super::File::open`] knows.

use super::FormatError;
use super::envelope::{TRAILER, check_start};
use super::model::Header;
use super::read::Reader;
use super::source::{Source, Window, read_at};

/// No header is longer: it holds the arguments of a program.
pub(super) const LONGEST_HEADER: u64 = 1 << 24;

/// The header of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Who wrote the file, when and where.
    pub header: Header,
    /// Version of the format: major, minor.
    pub version: (u32, u32),
    /// Bytes of the file.
    pub length: u64,
    /// Whether the end of the file announces this length: a file that was cut short does not.
    pub is_whole: bool,
}

impl Head {
    /// Reads the header of a file.
    pub fn read(source: &dyn Source) -> Result<Head, FormatError> {
        let (version, length) = start(source)?;
        let window = Window::new(source, 0, length);
        let header = Reader::new(window, version.1, LONGEST_HEADER).header()?;
        Ok(Head {
            header,
            version,
            length,
            is_whole: announced(source, length)?,
        })
    }
}

/// Version and length of a checkpoint file.
pub(super) fn start(source: &dyn Source) -> Result<((u32, u32), u64), FormatError> {
    let length = source.length().map_err(|error| FormatError::Storage {
        offset: 0,
        reason: error.to_string(),
    })?;
    let mut start = vec![0; length.min(16) as usize];
    read_at(source, 0, &mut start)?;
    Ok((check_start(&start)?, length))
}

/// Whether the end of the file announces its length.
pub(super) fn announced(source: &dyn Source, length: u64) -> Result<bool, FormatError> {
    match length.checked_sub(TRAILER) {
        Some(place) => Ok(Window::new(source, place, length).u64()? == length),
        None => Ok(false),
    }
}
