//! Bytes of the header, the types and the functions.

use super::FormatError;
use super::model::{Encoding, Function, Header, Site};
use super::types::{BitField, Kind, LongDouble, Machine, Member, Type};
use super::wire::{Cursor, put_bytes, put_list, put_u32, put_u64};

pub(super) fn put_header(header: &Header, out: &mut Vec<u8>) {
    put_bytes(header.program.as_bytes(), out);
    put_u64(header.fingerprint, out);
    put_list(&header.arguments, out, |argument, out| {
        put_bytes(argument, out)
    });
    put_u32(header.rank, out);
    put_u32(header.size, out);
    put_u64(header.generation, out);
    put_u64(header.time, out);
    let machine = &header.machine;
    put_u32(u32::from(machine.big_endian), out);
    put_u32(machine.pointer, out);
    put_u32(machine.long, out);
    put_u32(machine.long_double, out);
    put_u32(machine.long_double_format as u32, out);
    put_bytes(machine.description.as_bytes(), out);
    put_u32(header.encoding as u32, out);
    put_bytes(header.site.function.as_bytes(), out);
    put_u32(header.site.line, out);
    put_list(header.site.name.as_slice(), out, |name, out| {
        put_bytes(name.as_bytes(), out)
    });
}

pub(super) fn get_header(from: &mut Cursor) -> Result<Header, FormatError> {
    Ok(Header {
        program: from.string()?,
        fingerprint: from.u64()?,
        arguments: from.list(|from| from.bytes().map(<[u8]>::to_vec))?,
        rank: from.u32()?,
        size: from.u32()?,
        generation: from.u64()?,
        time: from.u64()?,
        machine: get_machine(from)?,
        encoding: {
            let number = from.u32()?;
            Encoding::from_number(number)
                .ok_or_else(|| from.damaged(format!("{number} is no encoding")))?
        },
        site: Site {
            function: from.string()?,
            line: from.u32()?,
            name: {
                let mut names = from.list(|from| from.string())?;
                if names.len() > 1 {
                    return Err(from.damaged("a place with several names"));
                }
                names.pop()
            },
        },
    })
}

fn get_machine(from: &mut Cursor) -> Result<Machine, FormatError> {
    let big_endian = from.flag()?;
    let pointer = size(from, &[4, 8])?;
    let long = size(from, &[4, 8])?;
    let long_double = size(from, &[8, 12, 16])?;
    let number = from.u32()?;
    let long_double_format = LongDouble::from_number(number)
        .filter(|format| format.sizes().contains(&long_double))
        // Nobody says where a big-endian machine pads its 80 bits.
        .filter(|format| !(big_endian && *format == LongDouble::X87))
        .ok_or_else(|| {
            from.damaged(format!(
                "{number} is no representation of a long double of {long_double} bytes"
            ))
        })?;
    Ok(Machine {
        big_endian,
        pointer,
        long,
        long_double,
        long_double_format,
        description: from.string()?,
    })
}

/// The size of a scalar.
fn size(from: &mut Cursor, known: &[u32]) -> Result<u32, FormatError> {
    let size = from.u32()?;
    if known.contains(&size) {
        Ok(size)
    } else {
        Err(from.damaged(format!("a scalar of {size} bytes")))
    }
}

pub(super) fn put_type(kind: &Type, out: &mut Vec<u8>) {
    put_bytes(kind.name.as_bytes(), out);
    put_u32(kind.kind as u32, out);
    put_u64(kind.size, out);
    put_list(&kind.members, out, |member, out| {
        put_bytes(member.name.as_bytes(), out);
        put_u32(member.type_index, out);
        put_u64(member.offset, out);
        put_u64(member.count, out);
        put_list(member.bits.as_slice(), out, |bits, out| {
            put_u64(bits.start, out);
            put_u32(bits.width, out);
            put_u32(u32::from(bits.signed), out);
        });
    });
}

pub(super) fn get_type(from: &mut Cursor) -> Result<Type, FormatError> {
    Ok(Type {
        name: from.string()?,
        kind: {
            let number = from.u32()?;
            Kind::from_number(number)
                .ok_or_else(|| from.damaged(format!("{number} is no kind of type")))?
        },
        size: from.u64()?,
        members: from.list(|from| {
            Ok(Member {
                name: from.string()?,
                type_index: from.u32()?,
                offset: from.u64()?,
                count: from.u64()?,
                bits: {
                    let mut bits = from.list(|from| {
                        Ok(BitField {
                            start: from.u64()?,
                            width: from.u32()?,
                            signed: from.flag()?,
                        })
                    })?;
                    if bits.len() > 1 {
                        return Err(from.damaged("a member in several places"));
                    }
                    bits.pop()
                },
            })
        })?,
    })
}

pub(super) fn put_function(function: &Function, out: &mut Vec<u8>) {
    put_bytes(function.name.as_bytes(), out);
    put_bytes(function.file.as_bytes(), out);
    put_u32(function.line, out);
    put_u64(function.fingerprint, out);
}

pub(super) fn get_function(from: &mut Cursor) -> Result<Function, FormatError> {
    Ok(Function {
        name: from.string()?,
        file: from.string()?,
        line: from.u32()?,
        fingerprint: from.u64()?,
    })
}
