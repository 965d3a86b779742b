//! Values without pointers in pieces, so that several threads encode them.
//!
//! In: the memory of elements of one type, whole or in blocks. Out: pieces, each with its part of the memory and of the encoded
//! bytes, which are those of all elements in one go. The one idea: what has no pointers has a length that its type tells, so
//! where each piece begins is known before any of them is encoded.

use super::FormatError;
use super::encode::encode_to;
use super::lengths::Lengths;
use super::model::Encoding;
use super::types::Layout;
use super::zeros;

/// Bytes of memory in a piece, about.
const PIECE: usize = 1 << 19;
/// XDR fills up to so many bytes; a piece of as many elements, or a multiple, needs no filling, whatever the element.
const ALIGNED: usize = 4;

/// Elements of one type, all or some of their blocks.
#[derive(Clone, Copy)]
pub struct Elements<'a> {
    /// The types.
    pub layout: Layout<'a>,
    /// That of the elements.
    pub type_index: u32,
    /// How they are encoded.
    pub encoding: Encoding,
}

/// Some of them, in blocks, and where their encoded bytes go.
#[derive(Debug)]
pub struct Piece<'a> {
    from: Vec<&'a [u8]>,
    to: &'a mut [u8],
}

impl<'a> Elements<'a> {
    fn size(self) -> usize {
        let kind = self.layout.types.get(self.type_index as usize);
        kind.map_or(0, |kind| kind.size as usize)
    }

    /// The encoded bytes of these blocks; none where pieces are not encoded as the whole is: with pointers, or where bytes of
    /// blocks are filled up together.
    pub fn length(self, blocks: &[&[u8]]) -> Option<usize> {
        let size = self.size();
        if size == 0 {
            return None;
        }
        let lengths = Lengths::new(self.layout, self.encoding);
        let of = |count: usize| lengths.exactly(self.type_index, count as u64);
        // Only behind the last one something may be filled up: of as many elements four times no more is.
        let (_, others) = blocks.split_last()?;
        let is_filled = |block: &&[u8]| {
            let count = block.len() / size;
            of(count * ALIGNED) != of(count).map(|length| length * ALIGNED as u64)
        };
        if others.iter().any(is_filled) {
            return None;
        }
        let bytes: usize = blocks.iter().map(|block| block.len()).sum();
        usize::try_from(of(bytes / size)?).ok()
    }

    /// Cuts blocks into pieces; `to` is as long as [`Elements::length`] says.
    pub fn cut(self, blocks: &[&'a [u8]], mut to: &'a mut [u8]) -> Vec<Piece<'a>> {
        let size = self.size().max(1);
        let lengths = Lengths::new(self.layout, self.encoding);
        let longest = (PIECE / size).next_multiple_of(ALIGNED).max(ALIGNED) * size;
        let mut pieces = Vec::new();
        let (mut from, mut held, mut encoded) = (Vec::new(), 0, 0);
        let mut end = |from: &mut Vec<&'a [u8]>, encoded: &mut usize| {
            let (now, later) = std::mem::take(&mut to).split_at_mut(std::mem::take(encoded));
            to = later;
            let from = std::mem::take(from);
            pieces.push(Piece { from, to: now });
        };
        for part in blocks.iter().flat_map(|block| block.chunks(longest)) {
            let length = lengths.exactly(self.type_index, (part.len() / size) as u64);
            from.push(part);
            held += part.len();
            encoded += length.map_or(0, |length| length as usize);
            if held >= longest {
                end(&mut from, &mut encoded);
                held = 0;
            }
        }
        if !from.is_empty() {
            end(&mut from, &mut encoded);
        }
        pieces
    }

    /// Encodes one. Zeros are zeros in every encoding; where they are already nobody writes.
    pub fn encode(self, piece: &mut Piece<'_>) -> Result<(), FormatError> {
        let size = self.size().max(1);
        let some = (zeros::RUN / size).next_multiple_of(ALIGNED).max(ALIGNED) * size;
        let lengths = Lengths::new(self.layout, self.encoding);
        let mut to = &mut *piece.to;
        for block in &piece.from {
            let mut block = *block;
            while !block.is_empty() {
                let (length, is_zero) = zeros::first_run(block, some);
                let (run, rest) = block.split_at(length);
                block = rest;
                let count = (run.len() / size) as u64;
                let length = lengths.exactly(self.type_index, count).unwrap_or(0) as usize;
                let (now, later) = to.split_at_mut(length);
                to = later;
                match is_zero {
                    true => zeros::clear(now),
                    false => {
                        encode_to(self.layout, self.type_index, run, count, self.encoding, now)?
                    }
                }
            }
        }
        Ok(())
    }

    /// Encodes all of them into `to`, which is as long as [`Elements::length`] says.
    pub fn encode_all(self, blocks: &[&[u8]], to: &mut [u8]) -> Result<(), FormatError> {
        let from = blocks.to_vec();
        self.encode(&mut Piece { from, to })
    }
}

#[cfg(test)]
mod tests {
    use super::super::types::{Kind, Machine, Member, Type};
    use super::*;
    use crate::format::{PointerValue, encode};

    fn types() -> Vec<Type> {
        let scalar = |name: &str, kind, size| Type {
            name: name.to_string(),
            kind,
            size,
            members: Vec::new(),
        };
        let member = |type_index, offset| Member {
            name: String::new(),
            type_index,
            offset,
            count: 1,
            bits: None,
        };
        vec![
            scalar("double", Kind::Double, 8),
            scalar("int", Kind::Int, 4),
            scalar("char", Kind::Char, 1),
            scalar("short", Kind::Short, 2),
            Type {
                members: vec![member(0, 0), member(1, 8), member(2, 12)],
                ..scalar("struct cell", Kind::Struct, 16)
            },
            scalar("char *", Kind::Pointer, 8),
        ]
    }

    #[test]
    fn pieces_are_encoded_as_the_whole_is() {
        let (types, machine) = (types(), Machine::host());
        let layout = Layout {
            types: &types,
            machine: &machine,
        };
        let memory: Vec<u8> = (0..3 * PIECE + 16 * 77)
            .map(|index| (index * 31 % 253) as u8)
            .collect();
        let (first, rest) = memory.split_at(2 * PIECE + 16 * 5);
        for encoding in Encoding::ALL {
            for type_index in 0..5 {
                for blocks in [vec![&memory[..]], vec![first, rest]] {
                    let elements = Elements {
                        layout,
                        type_index,
                        encoding,
                    };
                    let count = memory.len() as u64 / types[type_index as usize].size;
                    let mut whole = Vec::new();
                    let mut resolve = |address, _| PointerValue::Unresolved { address };
                    encode(
                        layout,
                        type_index,
                        &memory,
                        count,
                        encoding,
                        &mut resolve,
                        &mut whole,
                    )
                    .unwrap();
                    let length = elements.length(&blocks);
                    assert_eq!(length, Some(whole.len()));
                    let mut to = vec![7; whole.len()];
                    let mut pieces = elements.cut(&blocks, &mut to);
                    assert!(pieces.len() >= 4, "{}", pieces.len());
                    // In any order.
                    for piece in pieces.iter_mut().rev() {
                        elements.encode(piece).unwrap();
                    }
                    assert!(to == whole, "type {type_index}, {encoding:?}");
                }
            }
        }
    }

    #[test]
    fn zeros_are_zeros_in_every_encoding_and_what_was_there_is_gone() {
        let (types, machine) = (types(), Machine::host());
        let layout = Layout {
            types: &types,
            machine: &machine,
        };
        // Zeros in the middle, longer than what is looked at in one go; then all of it.
        for values in [3, 0] {
            let mut memory = vec![0u8; 6 * zeros::RUN];
            for at in (0..zeros::RUN / 2).chain(5 * zeros::RUN..5 * zeros::RUN + 64) {
                memory[at] = (at as u8 % 7) * values;
            }
            for encoding in Encoding::ALL {
                for type_index in 0..5 {
                    let elements = Elements {
                        layout,
                        type_index,
                        encoding,
                    };
                    let count = memory.len() as u64 / types[type_index as usize].size;
                    let mut whole = Vec::new();
                    let mut resolve = |address, _| PointerValue::Unresolved { address };
                    let layout = elements.layout;
                    encode(
                        layout,
                        type_index,
                        &memory,
                        count,
                        encoding,
                        &mut resolve,
                        &mut whole,
                    )
                    .unwrap();
                    assert!(values != 0 || zeros::is_zero(&whole));
                    let mut to = vec![7; whole.len()];
                    elements.encode_all(&[&memory], &mut to).unwrap();
                    assert!(to == whole, "type {type_index}, {encoding:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_filled_up_together_or_has_pointers_is_not_cut() {
        let (types, machine) = (types(), Machine::host());
        let layout = Layout {
            types: &types,
            machine: &machine,
        };
        let elements = |type_index| Elements {
            layout,
            type_index,
            encoding: Encoding::Xdr,
        };
        let bytes = [0; 24];
        assert_eq!(elements(2).length(&[&bytes[..5], &bytes[5..8]]), None);
        assert_eq!(elements(2).length(&[&bytes[..5]]), Some(8));
        // What is filled up behind each is as much as behind all, by chance.
        assert_eq!(elements(2).length(&[&bytes[..7], &bytes[7..14]]), None);
        assert_eq!(elements(2).length(&[&bytes[..8], &bytes[8..15]]), Some(16));
        assert_eq!(elements(5).length(&[&bytes]), None);
    }
}
