//! From the program's memory to the bytes of a checkpoint.
//!
//! A type is first flattened into a list of [`Part`]s, in which neighbouring words are merged: an array of structs of
//! doubles becomes one run of words and is written at the speed of an array of doubles. XDR follows RFC 4506; native
//! data are the memory as it is, followed by the pointers in symbolic form. Nothing here can fail once the memory has
//! the size that the type says.
//!
//! Not here: the way back (`decode`), what a pointer means (the caller's `resolve`).

use super::FormatError;
use super::long_double::Wide;
use super::model::{Encoding, PointerValue};
use super::number;
use super::types::{BitField, Kind, Layout};
use super::wire::{padding, put_opaque, put_pointer, put_u32, put_u64};
use super::words::{pack4, pack8, unpack4, unpack8};

/// Bytes that stay in the fastest memory.
const CACHED: u64 = 1 << 14;

/// A run of equal things in an element.
#[derive(Debug)]
struct Part {
    offset: u64,
    count: u64,
    action: Action,
}

#[derive(Debug)]
enum Action {
    /// Words of 4 or 8 bytes, as large on the wire as in memory.
    Words(u64),
    /// Bytes, padded together.
    Opaque(u64),
    Bool,
    /// An integer that has another size on the wire.
    Integer {
        size: u64,
        signed: bool,
        wide: bool,
    },
    LongDouble,
    Pointer(Kind, u64),
    Bits(BitField),
    Group {
        parts: Vec<Part>,
        stride: u64,
    },
}

/// Appends `count` elements to `out`. `memory` holds exactly these; `resolve` says what a pointer points to.
pub fn encode(
    layout: Layout,
    type_index: u32,
    memory: &[u8],
    count: u64,
    encoding: Encoding,
    resolve: &mut dyn FnMut(u64, Kind) -> PointerValue,
    out: &mut Vec<u8>,
) -> Result<(), FormatError> {
    let kind = layout
        .types
        .get(type_index as usize)
        .ok_or_else(|| FormatError::Types {
            name: type_index.to_string(),
            reason: "there is no such type".to_string(),
        })?;
    if count.checked_mul(kind.size) != Some(memory.len() as u64) {
        return Err(FormatError::Types {
            name: kind.name.clone(),
            reason: format!(
                "{count} elements of {} bytes are not {} bytes",
                kind.size,
                memory.len()
            ),
        });
    }
    let part = part_of(layout, type_index, 0, count);
    let mut encoder = Encoder {
        layout,
        resolve,
        out,
    };
    match encoding {
        Encoding::Xdr => encoder.xdr(&part, memory),
        Encoding::Native => {
            put_opaque(memory, encoder.out);
            if part.has_pointers() {
                encoder.pointers(&part, memory);
            }
        }
    }
    Ok(())
}

/// Appends elements of one byte that are copied, never converted, from several places, as [`encode`] does.
pub fn encode_bytes<'a>(
    pieces: impl Iterator<Item = &'a [u8]>,
    encoding: Encoding,
    out: &mut Vec<u8>,
) {
    let before = out.len();
    pieces.for_each(|piece| out.extend_from_slice(piece));
    let length = (out.len() - before) as u64;
    let filled = match encoding {
        Encoding::Xdr | Encoding::Native => padding(length),
    };
    out.resize(out.len() + filled as usize, 0);
}

/// The same for elements without pointers, whose encoded bytes fill `out`.
pub(super) fn encode_to(
    layout: Layout,
    type_index: u32,
    memory: &[u8],
    count: u64,
    encoding: Encoding,
    out: &mut [u8],
) -> Result<(), FormatError> {
    let part = part_of(layout, type_index, 0, count);
    let big = layout.machine.big_endian;
    match (encoding, &part.action) {
        (Encoding::Xdr, Action::Words(4)) => unpack4(memory, big, out),
        (Encoding::Xdr, Action::Words(_)) => unpack8(memory, big, out),
        (Encoding::Native, _) | (Encoding::Xdr, Action::Opaque(_)) => {
            let (bytes, padding) = out.split_at_mut(memory.len());
            bytes.copy_from_slice(memory);
            padding.fill(0);
        }
        _ => {
            // As many elements at a time as stay in the fastest memory.
            let size = (memory.len() as u64 / count.max(1)).max(1);
            let some = (CACHED / size).max(1);
            let (mut encoded, mut out) = (Vec::new(), out);
            for memory in memory.chunks((some * size) as usize) {
                encoded.clear();
                encode(
                    layout,
                    type_index,
                    memory,
                    memory.len() as u64 / size,
                    encoding,
                    &mut |address, _| PointerValue::Unresolved { address },
                    &mut encoded,
                )?;
                let (now, later) = out.split_at_mut(encoded.len());
                now.copy_from_slice(&encoded);
                out = later;
            }
        }
    }
    Ok(())
}

/// Bytes on the wire of an integer: 4, or 8 when `true`.
pub(super) fn is_wide(kind: Kind, size: u64) -> bool {
    match kind {
        Kind::Short | Kind::UnsignedShort => false,
        Kind::Int | Kind::UnsignedInt => size > 4,
        _ => true,
    }
}

/// Words per scalar and their width, for kinds whose memory consists of the words on the wire.
pub(super) fn words_of(kind: Kind, size: u64) -> Option<(u64, u64)> {
    match (kind, size) {
        (Kind::Int | Kind::UnsignedInt | Kind::Float, 4) => Some((1, 4)),
        (
            Kind::Long
            | Kind::UnsignedLong
            | Kind::LongLong
            | Kind::UnsignedLongLong
            | Kind::Double,
            8,
        ) => Some((1, 8)),
        (Kind::ComplexFloat, 8) => Some((2, 4)),
        (Kind::ComplexDouble, 16) => Some((2, 8)),
        _ => None,
    }
}

fn part_of(layout: Layout, type_index: u32, offset: u64, count: u64) -> Part {
    let kind = &layout.types[type_index as usize];
    if let Some((per_scalar, width)) = words_of(kind.kind, kind.size) {
        return Part {
            offset,
            count: count * per_scalar,
            action: Action::Words(width),
        };
    }
    let (count, action) = match kind.kind {
        Kind::Bool => (count, Action::Bool),
        Kind::Char | Kind::SignedChar | Kind::UnsignedChar | Kind::Bytes => {
            (1, Action::Opaque(kind.size * count))
        }
        Kind::LongDouble => (count, Action::LongDouble),
        Kind::ComplexLongDouble => (2 * count, Action::LongDouble),
        Kind::Pointer | Kind::Function => (count, Action::Pointer(kind.kind, kind.size)),
        Kind::Handle => (0, Action::Opaque(0)),
        Kind::Struct => return struct_part(layout, type_index, offset, count),
        _ => {
            let (signed, wide) = (kind.kind.is_signed(), is_wide(kind.kind, kind.size));
            (
                count,
                Action::Integer {
                    size: kind.size,
                    signed,
                    wide,
                },
            )
        }
    };
    Part {
        offset,
        count,
        action,
    }
}

fn struct_part(layout: Layout, type_index: u32, offset: u64, count: u64) -> Part {
    let kind = &layout.types[type_index as usize];
    let mut parts: Vec<Part> = Vec::new();
    for member in &kind.members {
        let part = match member.bits {
            Some(bits) => Part {
                offset: 0,
                count: 1,
                action: Action::Bits(bits),
            },
            None => part_of(layout, member.type_index, member.offset, member.count),
        };
        match part.action {
            _ if part.is_empty() => {}
            Action::Group { parts: inner, .. } if part.count == 1 => {
                for mut inside in inner {
                    match &mut inside.action {
                        // Its place is counted in bits.
                        Action::Bits(bits) => bits.start += part.offset * 8,
                        _ => inside.offset += part.offset,
                    }
                    push(&mut parts, inside);
                }
            }
            _ => push(&mut parts, part),
        }
    }
    if let [
        Part {
            offset: 0,
            count: words,
            action: Action::Words(width),
        },
    ] = parts[..]
        && words * width == kind.size
    {
        return Part {
            offset,
            count: count * words,
            action: Action::Words(width),
        };
    }
    if parts.is_empty() {
        return Part {
            offset,
            count: 0,
            action: Action::Opaque(0),
        };
    }
    Part {
        offset,
        count,
        action: Action::Group {
            parts,
            stride: kind.size,
        },
    }
}

/// Adds a part, merged with the one before it when both are words in a row.
fn push(parts: &mut Vec<Part>, part: Part) {
    if let (Some(last), Action::Words(width)) = (parts.last_mut(), &part.action)
        && matches!(last.action, Action::Words(before) if before == *width)
        && last.offset + last.count * width == part.offset
    {
        last.count += part.count;
        return;
    }
    parts.push(part);
}

impl Part {
    fn is_empty(&self) -> bool {
        self.count == 0 || matches!(self.action, Action::Opaque(0))
    }

    fn has_pointers(&self) -> bool {
        match &self.action {
            Action::Pointer(..) => self.count > 0,
            Action::Group { parts, .. } => parts.iter().any(Part::has_pointers),
            _ => false,
        }
    }
}

struct Encoder<'a> {
    layout: Layout<'a>,
    resolve: &'a mut dyn FnMut(u64, Kind) -> PointerValue,
    out: &'a mut Vec<u8>,
}

impl Encoder<'_> {
    /// Encodes a part of the element that begins where `element` begins.
    fn xdr(&mut self, part: &Part, element: &[u8]) {
        let machine = self.layout.machine;
        let big = machine.big_endian;
        let at = &element[part.offset as usize..];
        match &part.action {
            _ if part.is_empty() => {}
            Action::Words(4) => pack4(&at[..part.count as usize * 4], big, self.out),
            Action::Words(_) => pack8(&at[..part.count as usize * 8], big, self.out),
            Action::Opaque(length) => put_opaque(&at[..*length as usize], self.out),
            Action::Bool => {
                at[..part.count as usize]
                    .iter()
                    .for_each(|byte| put_u32(u32::from(*byte != 0), self.out));
            }
            Action::Integer { size, signed, wide } => {
                for bytes in at[..(part.count * size) as usize].chunks_exact(*size as usize) {
                    self.integer(number::integer(bytes, big, *signed), *wide);
                }
            }
            Action::LongDouble => {
                let size = machine.long_double as usize;
                for bytes in at[..part.count as usize * size].chunks_exact(size) {
                    self.out
                        .extend_from_slice(&Wide::load(bytes, machine).to_wire());
                }
            }
            Action::Pointer(kind, size) => {
                for bytes in at[..(part.count * size) as usize].chunks_exact(*size as usize) {
                    self.pointer(number::unsigned(bytes, big), *kind);
                }
            }
            Action::Bits(bits) => self.integer(number::bits(at, *bits, big), bits.width > 32),
            Action::Group { parts, stride } => {
                for inner in at[..(part.count * stride) as usize].chunks_exact(*stride as usize) {
                    parts.iter().for_each(|part| self.xdr(part, inner));
                }
            }
        }
    }

    /// The pointers among native data.
    fn pointers(&mut self, part: &Part, element: &[u8]) {
        let at = &element[part.offset as usize..];
        match &part.action {
            Action::Pointer(kind, size) => {
                for bytes in at[..(part.count * size) as usize].chunks_exact(*size as usize) {
                    self.pointer(
                        number::unsigned(bytes, self.layout.machine.big_endian),
                        *kind,
                    );
                }
            }
            Action::Group { parts, stride } => {
                for inner in at[..(part.count * stride) as usize].chunks_exact(*stride as usize) {
                    parts
                        .iter()
                        .filter(|part| part.has_pointers())
                        .for_each(|part| self.pointers(part, inner));
                }
            }
            _ => {}
        }
    }

    fn integer(&mut self, value: i128, wide: bool) {
        if wide {
            put_u64(value as u64, self.out)
        } else {
            put_u32(value as u32, self.out)
        }
    }

    fn pointer(&mut self, address: u64, kind: Kind) {
        let value = if address == 0 {
            PointerValue::Null
        } else {
            (self.resolve)(address, kind)
        };
        put_pointer(&value, self.out);
    }
}
