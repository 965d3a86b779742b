//! The fixed points of a file: magic, version, limits. FORMAT.md says the same; a test compares.

use super::FormatError;

/// The first bytes of every file. The eighth bit, both line ends and the end-of-text character make sure that a copy
/// in text mode does not pass for the original.
pub const MAGIC: [u8; 8] = *b"\x89CCP\r\n\x1a\n";
/// Changes when old readers cannot read new files.
pub const MAJOR: u32 = 1;
/// Changes when something was added that old readers may skip.
pub const MINOR: u32 = 6;
/// Most bytes of values in one chunk.
pub const CHUNK: usize = 1 << 20;
/// Bytes of the trailer: total length, CRC-32.
pub(super) const TRAILER: u64 = 12;
/// No DEFLATE stream grows by more than this factor.
pub(super) const LARGEST_GROWTH: u64 = 1040;

/// Looks at the first bytes of a file; gives the version.
pub(super) fn check_start(start: &[u8]) -> Result<(u32, u32), FormatError> {
    let foreign = |reason: &str| {
        Err(FormatError::Foreign {
            reason: reason.to_string(),
        })
    };
    let Some((magic, rest)) = start.split_first_chunk::<8>() else {
        return match start.len() {
            0 => foreign("it is empty"),
            _ => foreign("it is shorter than the first words of one"),
        };
    };
    if *magic != MAGIC {
        let letters = magic[1..4] == MAGIC[1..4];
        return match letters {
            true if magic[0] == MAGIC[0] => {
                foreign("its line ends were changed; copy it in binary mode")
            }
            true => foreign("its first byte lost a bit; copy it in binary mode"),
            false => foreign("it begins with other bytes"),
        };
    }
    let Some((version, _)) = rest.split_first_chunk::<8>() else {
        return Err(FormatError::Damaged {
            offset: 8,
            reason: "the file ends within its version".to_string(),
        });
    };
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .fold(0, |value, byte| value << 8 | u32::from(*byte))
    };
    let (major, minor) = (number(&version[..4]), number(&version[4..]));
    match major {
        MAJOR => Ok((major, minor)),
        0 => Err(FormatError::Damaged {
            offset: 8,
            reason: "there is no version 0".to_string(),
        }),
        _ => Err(FormatError::Newer { major, minor }),
    }
}
