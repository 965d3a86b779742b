//! How many bytes a value becomes in a checkpoint, as the runtime's FORMAT.md says for XDR.
//!
//! In: a type and a number of elements. Out: bytes of data, and what `cccp-ckpt show` calls *stored*: the data with the
//! lengths of their chunks. Values of pointers differ in length by what they lead to; they are counted as if each led
//! to a register, and the answer says that it is no more than that.

use crate::analysis::handles::{handle, is_remade, is_stream};
use crate::catalog::Catalogue;
use crate::program::Layout;
use crate::program::{Extent, FloatKind, IntegerKind, Member, TypeId, TypeKind, Unit};

/// Most bytes of values in one chunk.
const CHUNK: u64 = 1 << 20;
/// Lengths before the bytes of a chunk.
const CHUNK_HEAD: u64 = 8;
/// The length 0 behind the last chunk.
const CHUNK_END: u64 = 4;
/// A pointer that points to a register.
const POINTER: u64 = 36;

/// What one element becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Bytes of one element.
    pub bytes: u64,
    /// All elements together are padded, not each by itself.
    pub together: bool,
    /// It holds pointers: the bytes are those of pointers that point to registers.
    pub pointers: bool,
}

impl Stored {
    fn words(bytes: u64) -> Stored {
        Stored {
            bytes,
            together: false,
            pointers: false,
        }
    }

    /// Bytes of so many elements.
    pub fn data(self, count: u64) -> Option<u64> {
        let bytes = self.bytes.checked_mul(count)?;
        if self.together {
            bytes.checked_next_multiple_of(4)
        } else {
            Some(bytes)
        }
    }

    /// The same with the lengths of the chunks: what stands in the file.
    pub fn in_file(self, count: u64) -> Option<u64> {
        let data = self.data(count)?;
        let heads = data.div_ceil(CHUNK).checked_mul(CHUNK_HEAD)?;
        data.checked_add(heads)?.checked_add(CHUNK_END)
    }
}

/// What one element of a type becomes, if that is known.
pub fn stored(layout: &Layout, catalogue: &Catalogue, ty: TypeId, depth: usize) -> Option<Stored> {
    let unit = layout.unit;
    if depth > 200 {
        return None;
    }
    if (!is_stream(unit, ty) || is_remade(unit, ty)) && handle(catalogue, unit, ty).is_some() {
        return Some(Stored::words(0));
    }
    let opaque = |bytes| Stored {
        bytes,
        together: true,
        pointers: false,
    };
    Some(match unit.kind(ty) {
        TypeKind::Bool => Stored::words(4),
        TypeKind::Integer(kind) => integer(*kind)?,
        TypeKind::Enum(number) => integer(unit.enumerations.get(number.0)?.underlying)?,
        TypeKind::Float(FloatKind::Float128) => OPAQUE_128,
        TypeKind::Float(kind) => Stored::words(float(*kind)?),
        TypeKind::Complex(kind) => Stored::words(2 * float(*kind)?),
        TypeKind::ComplexInteger(kind) => {
            let part = integer(*kind)?;
            Stored {
                bytes: 2 * part.bytes,
                ..part
            }
        }
        TypeKind::Pointer(_) => Stored {
            pointers: true,
            ..Stored::words(POINTER)
        },
        TypeKind::Record(number) => {
            let record = unit.records.get(number.0)?;
            if record.is_union {
                opaque(layout.bytes(ty)?)
            } else {
                members(layout, catalogue, record.members.as_ref()?, depth + 1)?
            }
        }
        _ => return None,
    })
}

/// A number of the compiler with 128 bits: its bytes as they are.
const OPAQUE_128: Stored = Stored {
    bytes: 16,
    together: true,
    pointers: false,
};

fn integer(kind: IntegerKind) -> Option<Stored> {
    Some(match kind {
        IntegerKind::Char | IntegerKind::SignedChar | IntegerKind::UnsignedChar => Stored {
            bytes: 1,
            together: true,
            pointers: false,
        },
        IntegerKind::Short
        | IntegerKind::UnsignedShort
        | IntegerKind::Int
        | IntegerKind::UnsignedInt => Stored::words(4),
        IntegerKind::Long
        | IntegerKind::UnsignedLong
        | IntegerKind::LongLong
        | IntegerKind::UnsignedLongLong => Stored::words(8),
        IntegerKind::Int128 | IntegerKind::UnsignedInt128 => OPAQUE_128,
    })
}

fn float(kind: FloatKind) -> Option<u64> {
    match kind {
        FloatKind::Float => Some(4),
        FloatKind::Double => Some(8),
        FloatKind::LongDouble => Some(16),
        FloatKind::Float128 | FloatKind::Other => None,
    }
}

fn members(
    layout: &Layout,
    catalogue: &Catalogue,
    members: &[Member],
    depth: usize,
) -> Option<Stored> {
    let mut all = Stored::words(0);
    for member in members {
        let one = match (&member.name, member.is_bit_field) {
            // Padding.
            (None, true) => continue,
            (Some(_), true) => Stored::words(if member.width? > 32 { 8 } else { 4 }),
            (name, false) => {
                let (element, count) = flat(layout.unit, member.ty)?;
                let own = match anonymous_union(layout.unit, name.is_none(), element) {
                    // As large as its largest member.
                    Some(inside) => Stored {
                        bytes: inside
                            .iter()
                            .map(|one| layout.bytes(one.ty))
                            .max()
                            .flatten()?,
                        together: true,
                        pointers: false,
                    },
                    None => stored(layout, catalogue, element, depth)?,
                };
                Stored {
                    bytes: own.data(count)?,
                    ..own
                }
            }
        };
        all.bytes = all.bytes.checked_add(one.bytes)?;
        all.pointers |= one.pointers;
    }
    Some(all)
}

fn anonymous_union(unit: &Unit, unnamed: bool, ty: TypeId) -> Option<&[Member]> {
    match unit.kind(ty) {
        TypeKind::Record(number) if unnamed => {
            let record = unit.records.get(number.0)?;
            record.members.as_deref().filter(|_| record.is_union)
        }
        _ => None,
    }
}

/// The element below all dimensions of a type, and how many there are.
pub fn flat(unit: &Unit, mut ty: TypeId) -> Option<(TypeId, u64)> {
    let mut count = 1u64;
    while let TypeKind::Array { element, extent } = unit.kind(ty) {
        count = match extent {
            Extent::Constant(more) => count.checked_mul(*more)?,
            Extent::Flexible => 0,
            _ => return None,
        };
        ty = *element;
    }
    Some((ty, count))
}
