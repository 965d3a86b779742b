//! Types and registers in the words of C.

use cccp::format::{Kind, Member, Register, Type};

use super::header::printable;

/// The shape of a register: `[30][10]`, `[20:50]` for elements from 20 on, nothing for a single object.
pub fn shape(register: &Register) -> String {
    let mut text = String::new();
    for (place, extent) in register.extents.iter().enumerate() {
        // What was left out before the first element belongs to the first index.
        let inner = register.extents[1..]
            .iter()
            .fold(1u64, |inner, extent| inner.saturating_mul(*extent));
        match (place, register.first) {
            (0, first) if first > 0 => {
                text.push_str(&format!("[{}:{extent}]", first / inner.max(1)));
            }
            _ => text.push_str(&format!("[{extent}]")),
        }
    }
    text
}

/// A line of a layout: offset and size in bytes (bits of a bit-field after a point), and the member in C.
pub struct LayoutLine {
    /// Byte from the start of the struct.
    pub offset: u64,
    /// Its first bit and how many, for a bit-field.
    pub bits: Option<(u64, u32)>,
    /// Bytes.
    pub size: u64,
    /// In C.
    pub declaration: String,
}

/// The members of a struct, in their order; nothing for other types.
pub fn layout(types: &[Type], type_index: u32) -> Vec<LayoutLine> {
    let members = types
        .get(type_index as usize)
        .map_or(&[][..], |kind| &kind.members[..]);
    members.iter().map(|member| line(types, member)).collect()
}

fn line(types: &[Type], member: &Member) -> LayoutLine {
    let kind = &types[member.type_index as usize];
    let mut declaration = declare(&printable(&kind.name), &printable(&member.name));
    match (member.bits, member.count) {
        (Some(bits), _) => declaration.push_str(&format!(" : {}", bits.width)),
        (None, 1) => {}
        (None, 0) => declaration.push_str("[]"),
        (None, count) => declaration.push_str(&format!("[{count}]")),
    }
    if kind.kind == Kind::Bytes {
        declaration.push_str("  (bytes)");
    }
    if kind.kind == Kind::Handle {
        declaration.push_str("  (not saved)");
    }
    LayoutLine {
        offset: member.bits.map_or(member.offset, |bits| bits.start / 8),
        bits: member.bits.map(|bits| (bits.start % 8, bits.width)),
        size: match member.bits {
            Some(bits) => (bits.start % 8 + u64::from(bits.width)).div_ceil(8),
            None => kind.size.saturating_mul(member.count),
        },
        declaration,
    }
}

/// The kind of a type in one word, the same in JSON.
pub fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "bool",
        Kind::Char => "char",
        Kind::SignedChar => "signed char",
        Kind::UnsignedChar => "unsigned char",
        Kind::Short => "short",
        Kind::UnsignedShort => "unsigned short",
        Kind::Int => "int",
        Kind::UnsignedInt => "unsigned int",
        Kind::Long => "long",
        Kind::UnsignedLong => "unsigned long",
        Kind::LongLong => "long long",
        Kind::UnsignedLongLong => "unsigned long long",
        Kind::Float => "float",
        Kind::Double => "double",
        Kind::LongDouble => "long double",
        Kind::ComplexFloat => "complex float",
        Kind::ComplexDouble => "complex double",
        Kind::ComplexLongDouble => "complex long double",
        Kind::Pointer => "pointer",
        Kind::Function => "function",
        Kind::Struct => "struct",
        Kind::Bytes => "bytes",
        Kind::Handle => "handle",
    }
}

/// `char *name`, `double x`; an anonymous member is its type alone.
fn declare(kind: &str, name: &str) -> String {
    match (name.is_empty(), kind.ends_with('*')) {
        (true, _) => kind.to_string(),
        (false, true) => format!("{kind}{name}"),
        (false, false) => format!("{kind} {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cccp::format::Data;

    #[test]
    fn a_shape_is_written_as_in_the_mark() {
        let register = |extents: &[u64], first| Register {
            id: 1,
            name: "u".to_string(),
            function: 0,
            line: 1,
            address: 0,
            element_size: 8,
            elements: extents.iter().product(),
            extents: extents.to_vec(),
            first,
            type_index: 0,
            flags: 0,
            data: Data::Encoded(Vec::new()),
        };
        assert_eq!(shape(&register(&[], 0)), "");
        assert_eq!(shape(&register(&[30, 10], 0)), "[30][10]");
        assert_eq!(shape(&register(&[50], 20)), "[20:50]");
        assert_eq!(shape(&register(&[5, 10], 30)), "[3:5][10]");
    }
}
