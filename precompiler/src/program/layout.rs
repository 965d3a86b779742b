//! `sizeof` of the program's types, as the target's compiler has it.
//!
//! In: a type. Out: its size and alignment, or nothing where the text does not say it all: packed and aligned structs,
//! `#pragma pack`, types of the compiler, extents that are computed when the program runs. Structs follow the System V
//! ABI, which all supported targets share up to the alignment of eight-byte scalars.

use super::machine::Machine;
use super::model::Unit;
use super::types::{Extent, FloatKind, IntegerKind, Member, Record, TypeId, TypeKind};
use crate::source::Span;

/// How deep structs are followed: deeper ones are no C.
const DEPTH: usize = 200;

/// A size with its alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// As `sizeof` has it.
    pub bytes: u64,
    /// As `_Alignof` has it inside a struct.
    pub alignment: u64,
}

/// The types of one unit on its machine.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'a> {
    /// The unit.
    pub unit: &'a Unit,
    /// Its machine.
    pub machine: Machine,
}

impl<'a> Layout<'a> {
    /// The types of a unit.
    pub fn of(unit: &'a Unit) -> Layout<'a> {
        Layout {
            unit,
            machine: Machine::of(&unit.file),
        }
    }

    /// `sizeof(type)`, if it is known.
    pub fn bytes(&self, ty: TypeId) -> Option<u64> {
        self.size(ty, 0).map(|size| size.bytes)
    }

    fn scalar(&self, bytes: u64) -> Size {
        Size {
            bytes,
            alignment: bytes.min(self.machine.most_alignment),
        }
    }

    /// Size and alignment of a scalar, array, struct or union.
    pub fn size(&self, ty: TypeId, depth: usize) -> Option<Size> {
        if depth > DEPTH {
            return None;
        }
        Some(match self.unit.kind(ty) {
            TypeKind::Bool => self.scalar(1),
            TypeKind::Integer(kind) => self.scalar(self.integer(*kind)),
            TypeKind::Enum(number) => {
                let facts = self.unit.enumerations.get(number.0)?;
                facts.complete.then_some(())?;
                self.scalar(self.integer(facts.underlying))
            }
            TypeKind::Float(kind) => self.float(*kind)?,
            TypeKind::Complex(kind) => {
                let part = self.float(*kind)?;
                Size {
                    bytes: part.bytes * 2,
                    ..part
                }
            }
            TypeKind::ComplexInteger(kind) => {
                let part = self.scalar(self.integer(*kind));
                Size {
                    bytes: part.bytes * 2,
                    ..part
                }
            }
            TypeKind::Pointer(_) => self.scalar(self.machine.pointer),
            TypeKind::Array { element, extent } => {
                let one = self.size(*element, depth + 1)?;
                let count = match extent {
                    Extent::Constant(count) => *count,
                    Extent::Flexible => 0,
                    _ => return None,
                };
                Size {
                    bytes: one.bytes.checked_mul(count)?,
                    ..one
                }
            }
            TypeKind::Record(record) => self.record(self.unit.records.get(record.0)?, depth)?,
            _ => return None,
        })
    }

    fn integer(&self, kind: IntegerKind) -> u64 {
        kind.bytes(|| self.machine.long)
    }

    fn float(&self, kind: FloatKind) -> Option<Size> {
        match kind {
            FloatKind::Float => Some(self.scalar(4)),
            FloatKind::Double => Some(self.scalar(8)),
            FloatKind::LongDouble => {
                let bytes = self.machine.long_double;
                let alignment = if bytes == 12 { 4 } else { bytes };
                Some(Size { bytes, alignment })
            }
            FloatKind::Float128 => Some(self.scalar(16)),
            FloatKind::Other => None,
        }
    }

    fn record(&self, record: &Record, depth: usize) -> Option<Size> {
        let members = record.members.as_ref()?;
        if self.is_laid_out_by_hand(members) {
            return None;
        }
        let (mut bits, mut alignment, mut largest) = (0u64, 1, 0);
        for member in members {
            let own = self.size(member.ty, depth + 1)?;
            if record.is_union {
                bits = 0;
            }
            bits = self.after(bits, member, own)?;
            if !(member.is_bit_field && member.name.is_none()) {
                alignment = alignment.max(own.alignment);
            }
            largest = largest.max(bits);
        }
        let bytes = largest.div_ceil(8).checked_next_multiple_of(alignment)?;
        Some(Size { bytes, alignment })
    }

    /// Where a struct ends, in bits, after one more member.
    fn after(&self, bits: u64, member: &Member, own: Size) -> Option<u64> {
        if !member.is_bit_field {
            let start = bits.div_ceil(8).checked_next_multiple_of(own.alignment)?;
            return start.checked_add(own.bytes)?.checked_mul(8);
        }
        let (unit, width) = (own.bytes * 8, member.width?);
        if width == 0 {
            return bits.checked_next_multiple_of(unit);
        }
        // A bit-field does not cross the border between two places of its type.
        let first = own.alignment * 8;
        let crosses = bits % first + width > unit.max(first);
        let start = if crosses {
            bits.checked_next_multiple_of(first)?
        } else {
            bits
        };
        start.checked_add(width)
    }

    /// Whether attributes, `_Alignas` or a pragma may say how the struct with these members lies in memory.
    pub(super) fn is_laid_out_by_hand(&self, members: &[Member]) -> bool {
        let (Some(first), Some(last)) = (members.first(), members.last()) else {
            return false;
        };
        let text = &self.unit.file.preprocessed;
        let span = around(text, first.declared.start, last.declared.end);
        let own = self.unit.file.preprocessed_text(span);
        let pragmas = self.unit.file.pragmas();
        let packed = |one: &crate::source::markers::Pragma| {
            one.offset < span.end && one.text.trim_start().starts_with("pack")
        };
        has_attributes(own) || pragmas.iter().any(packed)
    }
}

/// Whether something in a declaration may say how its values lie in memory.
pub(super) fn has_attributes(text: &str) -> bool {
    let mut words = ["__attribute", "_Alignas", "alignas", "__declspec", "[["].iter();
    words.any(|word| text.contains(word))
}

/// From the specifiers before the brace that opens around a place to the semicolon behind the brace that closes it.
fn around(text: &str, first: usize, last: usize) -> Span {
    let bytes = text.as_bytes();
    let mut open = 0usize;
    let mut inside = true;
    let mut start = first.min(bytes.len());
    while start > 0 {
        match bytes[start - 1] {
            b'}' if inside => open += 1,
            b'{' if inside && open > 0 => open -= 1,
            b'{' if inside => inside = false,
            b';' | b'{' | b'}' if !inside => break,
            _ => {}
        }
        start -= 1;
    }
    let mut end = last.min(bytes.len());
    let (mut open, mut inside) = (0usize, true);
    while end < bytes.len() {
        match bytes[end] {
            b'{' if inside => open += 1,
            b'}' if inside && open > 0 => open -= 1,
            b'}' if inside => inside = false,
            b';' | b'{' | b'=' if !inside => break,
            _ => {}
        }
        end += 1;
    }
    Span::new(start, end)
}
