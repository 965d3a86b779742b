//! How many bytes encoded values take, known from their types alone.
//!
//! One pass over the list of types, members first, gives the length of one element of each. Nothing is spelt out: a
//! struct of structs of structs, a few bytes in a hostile file, costs as little here as it does there. Only pointers
//! have lengths that depend on the value; they are counted, and each takes at least its kind.
//!
//! Not here: the bytes themselves (`encode`).

use super::encode::is_wide;
use super::model::Encoding;
use super::types::{Kind, Layout, Member};

/// Bytes of a pointer that is NULL: its kind and nothing else.
const SHORTEST_POINTER: u64 = 4;

/// What values of some type take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Length {
    /// Bytes without the pointers.
    fixed: u64,
    /// How many pointers.
    pointers: u64,
}

impl Length {
    /// Whether values with this length can be `length` bytes long.
    pub(super) fn allows(self, length: u64) -> bool {
        match self.pointers {
            0 => length == self.fixed,
            count => count
                .checked_mul(SHORTEST_POINTER)
                .and_then(|pointers| pointers.checked_add(self.fixed))
                .is_some_and(|least| length >= least && length.is_multiple_of(4)),
        }
    }

    fn times(self, count: u64) -> Option<Length> {
        Some(Length {
            fixed: self.fixed.checked_mul(count)?,
            pointers: self.pointers.checked_mul(count)?,
        })
    }

    fn plus(self, other: Length) -> Option<Length> {
        Some(Length {
            fixed: self.fixed.checked_add(other.fixed)?,
            pointers: self.pointers.checked_add(other.pointers)?,
        })
    }
}

/// The lengths of all types of a checkpoint.
pub(super) struct Lengths<'a> {
    layout: Layout<'a>,
    encoding: Encoding,
    /// Of one element as XDR; none when it is more than a number can say.
    elements: Vec<Option<Length>>,
}

impl<'a> Lengths<'a> {
    /// Of types that have been checked.
    pub(super) fn new(layout: Layout<'a>, encoding: Encoding) -> Lengths<'a> {
        let mut lengths = Lengths {
            layout,
            encoding,
            elements: Vec::with_capacity(layout.types.len()),
        };
        for kind in layout.types {
            let element = match kind.kind {
                Kind::Struct => kind
                    .members
                    .iter()
                    .try_fold(Length::default(), |sum, one| sum.plus(lengths.member(one)?)),
                _ => Some(scalar(kind.kind, kind.size)),
            };
            lengths.elements.push(element);
        }
        lengths
    }

    /// Of `count` elements; none when it is more than a number can say, or there is no such type.
    pub(super) fn of(&self, type_index: u32, count: u64) -> Option<Length> {
        let xdr = self.xdr(type_index, count)?;
        match self.encoding {
            Encoding::Xdr => Some(xdr),
            Encoding::Native => {
                let size = self.layout.types.get(type_index as usize)?.size;
                Some(Length {
                    fixed: size.checked_mul(count)?.checked_next_multiple_of(4)?,
                    ..xdr
                })
            }
        }
    }

    /// The same when it does not depend on the values.
    pub(super) fn exactly(&self, type_index: u32, count: u64) -> Option<u64> {
        let length = self.of(type_index, count)?;
        (length.pointers == 0).then_some(length.fixed)
    }

    fn member(&self, member: &Member) -> Option<Length> {
        match member.bits {
            Some(bits) => Some(Length {
                fixed: if bits.width > 32 { 8 } else { 4 },
                pointers: 0,
            }),
            None => self.xdr(member.type_index, member.count),
        }
    }

    fn xdr(&self, type_index: u32, count: u64) -> Option<Length> {
        let kind = self.layout.types.get(type_index as usize)?;
        match kind.kind {
            // Opaque: all elements are padded together.
            Kind::Char | Kind::SignedChar | Kind::UnsignedChar | Kind::Bytes => Some(Length {
                fixed: kind.size.checked_mul(count)?.checked_next_multiple_of(4)?,
                pointers: 0,
            }),
            _ => (*self.elements.get(type_index as usize)?)?.times(count),
        }
    }
}

/// Of one scalar that is not opaque, as XDR.
fn scalar(kind: Kind, size: u64) -> Length {
    let (fixed, pointers) = match kind {
        Kind::Pointer | Kind::Function => (0, 1),
        Kind::Handle => (0, 0),
        Kind::Bool | Kind::Float => (4, 0),
        Kind::Double | Kind::ComplexFloat => (8, 0),
        Kind::LongDouble | Kind::ComplexDouble => (16, 0),
        Kind::ComplexLongDouble => (32, 0),
        _ if is_wide(kind, size) => (8, 0),
        _ => (4, 0),
    };
    Length { fixed, pointers }
}

/// Bytes of `count` encoded elements; none when that depends on the values (pointers).
pub fn encoded_length(
    layout: Layout,
    type_index: u32,
    count: u64,
    encoding: Encoding,
) -> Option<u64> {
    Lengths::new(layout, encoding).exactly(type_index, count)
}
