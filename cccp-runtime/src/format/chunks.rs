//! Values in chunks of at most one mebibyte, compressed or not.
//!
//! Compression first puts the first bytes of all words together, then the second ones and so on (neighbouring numbers
//! differ in their low bytes only), then runs DEFLATE. A chunk that does not shrink is stored as it is, so nothing
//! ever grows, and memory stays bounded by the size of a chunk.

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

use super::encode::words_of;
use super::model::Encoding;
use super::types::{Kind, Layout};

/// Compresses chunk after chunk with the same memory.
pub(super) struct Squeezer {
    deflate: Compress,
    shuffled: Vec<u8>,
    squeezed: Vec<u8>,
}

impl Squeezer {
    /// Level 1 (fast) to 9 (small).
    pub(super) fn new(level: u32) -> Squeezer {
        Squeezer {
            deflate: Compress::new(Compression::new(level.min(9)), false),
            shuffled: Vec::new(),
            squeezed: Vec::new(),
        }
    }

    /// The compressed chunk, when it is smaller.
    pub(super) fn squeeze(&mut self, chunk: &[u8], width: usize) -> Option<&[u8]> {
        shuffle(chunk, width, &mut self.shuffled);
        self.squeezed.resize(chunk.len().saturating_sub(1), 0);
        self.deflate.reset();
        let status =
            self.deflate
                .compress(&self.shuffled, &mut self.squeezed, FlushCompress::Finish);
        match status {
            Ok(Status::StreamEnd) => Some(&self.squeezed[..self.deflate.total_out() as usize]),
            _ => None,
        }
    }
}

/// Fills `chunk` from compressed bytes; says whether they were exactly that chunk.
pub(super) fn expand(
    stored: &[u8],
    width: usize,
    chunk: &mut [u8],
    shuffled: &mut Vec<u8>,
) -> bool {
    let mut inflate = Decompress::new(false);
    shuffled.resize(chunk.len(), 0);
    let status = inflate.decompress(stored, shuffled, FlushDecompress::Finish);
    let whole = matches!(status, Ok(Status::StreamEnd))
        && inflate.total_out() == chunk.len() as u64
        && inflate.total_in() == stored.len() as u64;
    if whole {
        unshuffle(shuffled, width, chunk);
    }
    whole
}

/// Bytes per word when the values of a type are shuffled; 1 leaves them as they are.
pub(super) fn shuffle_width(layout: Layout, type_index: u32, encoding: Encoding) -> usize {
    let kind = &layout.types[type_index as usize];
    if let Some((_, width)) = words_of(kind.kind, kind.size) {
        return width as usize;
    }
    match (kind.kind, encoding) {
        (Kind::Char | Kind::SignedChar | Kind::UnsignedChar | Kind::Bytes | Kind::Bool, _) => 1,
        (Kind::LongDouble | Kind::ComplexLongDouble, Encoding::Xdr) => 16,
        (Kind::LongDouble | Kind::ComplexLongDouble, Encoding::Native) => {
            layout.machine.long_double as usize
        }
        (Kind::Struct, _) => {
            // The most frequent width counts; a struct of doubles with one int is a struct of doubles.
            let words = |width: u64| -> u64 {
                let members = kind.members.iter().filter(|member| {
                    let part = &layout.types[member.type_index as usize];
                    words_of(part.kind, part.size).is_some_and(|(_, own)| own == width)
                });
                members
                    .map(|member| member.count.saturating_mul(width))
                    .fold(0, u64::saturating_add)
            };
            if words(8) > words(4) { 8 } else { 4 }
        }
        (_, Encoding::Xdr) => 4,
        (_, Encoding::Native) => (kind.size as usize).clamp(1, 16),
    }
}

fn shuffle(bytes: &[u8], width: usize, out: &mut Vec<u8>) {
    out.resize(bytes.len(), 0);
    let count = bytes.len() / width;
    for (place, row) in out[..count * width]
        .chunks_exact_mut(count.max(1))
        .enumerate()
    {
        for (target, word) in row.iter_mut().zip(bytes.chunks_exact(width)) {
            *target = word[place];
        }
    }
    out[count * width..].copy_from_slice(&bytes[count * width..]);
}

fn unshuffle(bytes: &[u8], width: usize, out: &mut [u8]) {
    let count = bytes.len() / width;
    for (place, row) in bytes[..count * width]
        .chunks_exact(count.max(1))
        .enumerate()
    {
        for (source, word) in row.iter().zip(out.chunks_exact_mut(width)) {
            word[place] = *source;
        }
    }
    out[count * width..].copy_from_slice(&bytes[count * width..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_come_back_for_every_width_and_length() {
        let mut squeezer = Squeezer::new(1);
        let mut scratch = Vec::new();
        for width in [1, 2, 3, 4, 8, 12, 16] {
            for length in [1usize, 7, 64, 1000, 4096, 65537] {
                let chunk: Vec<u8> = (0..length).map(|index| (index / 9) as u8).collect();
                let Some(stored) = squeezer.squeeze(&chunk, width) else {
                    continue;
                };
                assert!(stored.len() < chunk.len());
                let mut back = vec![0; length];
                assert!(
                    expand(stored, width, &mut back, &mut scratch),
                    "{width} {length}"
                );
                assert_eq!(back, chunk);
                assert!(!expand(
                    &stored[..stored.len() - 1],
                    width,
                    &mut back,
                    &mut scratch
                ));
                assert!(!expand(stored, width, &mut back[1..], &mut scratch));
                let mut longer = vec![0; length + 1];
                assert!(!expand(stored, width, &mut longer, &mut scratch));
            }
        }
    }

    #[test]
    fn what_does_not_shrink_is_left_alone() {
        let mut state = 1u64;
        let noise: Vec<u8> = (0..5000)
            .map(|_| {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                (state >> 56) as u8
            })
            .collect();
        assert_eq!(Squeezer::new(9).squeeze(&noise, 8), None);
    }
}
