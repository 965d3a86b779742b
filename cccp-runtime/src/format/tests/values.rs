//! Values: exact bytes, other machines, and what must be refused.

use super::samples::{machine, member, scalar};
use crate::format::*;

pub(super) fn encoded(
    layout: Layout,
    index: u32,
    memory: &[u8],
    count: u64,
    encoding: Encoding,
) -> Vec<u8> {
    let mut out = Vec::new();
    let mut resolve = |address: u64, _| PointerValue::Image { offset: address };
    encode(
        layout,
        index,
        memory,
        count,
        encoding,
        &mut resolve,
        &mut out,
    )
    .unwrap();
    if let Some(length) = encoded_length(layout, index, count, encoding) {
        assert_eq!(length, out.len() as u64);
    }
    out
}

pub(super) fn decoded(
    (file, program): (Layout, Layout),
    index: u32,
    bytes: &[u8],
    count: u64,
    encoding: Encoding,
) -> Result<Vec<u8>, FormatError> {
    let mut memory = vec![0; (program.types[index as usize].size * count) as usize];
    let mut place = |value| match value {
        PointerValue::Image { offset } => Ok(offset),
        other => Err(format!("{other:?}")),
    };
    decode(
        file,
        index,
        program,
        index,
        encoding,
        bytes,
        count,
        &mut place,
        &mut memory,
    )?;
    Ok(memory)
}

/// A machine with 32 bits whose `long double` is a `double`.
pub(super) fn small() -> Machine {
    Machine {
        pointer: 4,
        long: 4,
        long_double: 8,
        long_double_format: LongDouble::Double,
        ..machine(false)
    }
}

#[test]
fn bytes_from_several_places_are_encoded_as_those_of_one_place() {
    let types = [scalar("unsigned char", Kind::UnsignedChar, 1)];
    let layout = Layout {
        types: &types,
        machine: &machine(false),
    };
    let memory: Vec<u8> = (1..=7).collect();
    for encoding in Encoding::ALL {
        for count in 0..memory.len() {
            let whole = encoded(layout, 0, &memory[..count], count as u64, encoding);
            let mut pieces = Vec::new();
            encode_bytes(memory[..count].chunks(2), encoding, &mut pieces);
            assert_eq!(pieces, whole, "{encoding:?}");
        }
    }
}

#[test]
fn s23_xdr_is_what_rfc_4506_says() {
    let here = machine(false);
    let exact = |kind: Kind, memory: &[u8], count: u64, expected: &[u8]| {
        let types = [scalar("x", kind, memory.len() as u64 / count)];
        let layout = Layout {
            types: &types,
            machine: &here,
        };
        assert_eq!(
            encoded(layout, 0, memory, count, Encoding::Xdr),
            expected,
            "{kind:?}"
        );
    };
    exact(
        Kind::Bool,
        &[1, 0, 7],
        3,
        &[0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1],
    );
    exact(Kind::Char, b"heat!", 5, b"heat!\0\0\0");
    exact(Kind::Bytes, b"\xff\x01\x02", 1, b"\xff\x01\x02\0");
    exact(
        Kind::Short,
        &(-2i16).to_le_bytes(),
        1,
        &(-2i32).to_be_bytes(),
    );
    exact(
        Kind::UnsignedShort,
        &65535u16.to_le_bytes(),
        1,
        &65535u32.to_be_bytes(),
    );
    exact(Kind::Int, &(-3i32).to_le_bytes(), 1, &(-3i32).to_be_bytes());
    exact(Kind::UnsignedInt, &[200], 1, &200u32.to_be_bytes());
    exact(
        Kind::Long,
        &(-4i64).to_le_bytes(),
        1,
        &(-4i64).to_be_bytes(),
    );
    exact(
        Kind::UnsignedLongLong,
        &5u64.to_le_bytes(),
        1,
        &5u64.to_be_bytes(),
    );
    exact(Kind::Float, &1.5f32.to_le_bytes(), 1, &1.5f32.to_be_bytes());
    exact(
        Kind::Double,
        &0.1f64.to_le_bytes(),
        1,
        &0.1f64.to_be_bytes(),
    );
    let signalling = 0x7ff0_0000_0000_0001u64;
    exact(
        Kind::Double,
        &signalling.to_le_bytes(),
        1,
        &signalling.to_be_bytes(),
    );
    exact(
        Kind::ComplexFloat,
        &[0, 0, 0x80, 0x3f, 0, 0, 0, 0x40],
        1,
        &[0x3f, 0x80, 0, 0, 0x40, 0, 0, 0],
    );
    exact(Kind::Handle, &[1, 2, 3, 4], 1, &[]);
    let pointer = [0x10, 0, 0, 0, 0, 0, 0, 0];
    exact(
        Kind::Pointer,
        &pointer,
        1,
        &[0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0x10],
    );
    exact(Kind::Pointer, &[0; 8], 1, &[0, 0, 0, 0]);
    let small = small();
    let types = [scalar("long", Kind::Long, 4)];
    let layout = Layout {
        types: &types,
        machine: &small,
    };
    let memory = (-4i32).to_le_bytes();
    assert_eq!(
        encoded(layout, 0, &memory, 1, Encoding::Xdr),
        (-4i64).to_be_bytes(),
        "a long is a hyper everywhere"
    );
}

#[test]
fn s23_native_data_of_a_big_endian_machine_are_read_here() {
    // struct { int step; double t; unsigned level : 3; unsigned mode : 9; short tag; } as s390x lays it out
    let of = |mode: BitField, level: BitField| {
        vec![
            scalar("int", Kind::Int, 4),
            scalar("double", Kind::Double, 8),
            scalar("unsigned int", Kind::UnsignedInt, 4),
            scalar("short", Kind::Short, 2),
            Type {
                members: vec![
                    member("step", 0, 0, 1),
                    member("t", 1, 8, 1),
                    Member {
                        bits: Some(level),
                        ..member("level", 2, 0, 1)
                    },
                    Member {
                        bits: Some(mode),
                        ..member("mode", 2, 0, 1)
                    },
                    member("tag", 3, 18, 1),
                ],
                ..scalar("struct state", Kind::Struct, 24)
            },
        ]
    };
    let mask = |bytes: &[u8], big| {
        let mut object = vec![0; 24];
        object[16..16 + bytes.len()].copy_from_slice(bytes);
        BitField::from_mask(&object, big, false).unwrap()
    };
    let (there, here) = (machine(true), machine(false));
    let theirs = of(mask(&[0x1f, 0xf0], true), mask(&[0xe0], true));
    let ours = of(mask(&[0xf8, 0x0f], false), mask(&[0x07], false));
    let mut memory = [0u8; 24];
    memory[..4].copy_from_slice(&(-7i32).to_be_bytes());
    memory[8..16].copy_from_slice(&2.5f64.to_be_bytes());
    memory[16..18].copy_from_slice(&(0b101u16 << 13 | 0x155 << 4).to_be_bytes());
    memory[18..20].copy_from_slice(&(-2i16).to_be_bytes());
    let (theirs, ours) = (
        Layout {
            types: &theirs,
            machine: &there,
        },
        Layout {
            types: &ours,
            machine: &here,
        },
    );
    let mut expected = [0u8; 24];
    expected[..4].copy_from_slice(&(-7i32).to_le_bytes());
    expected[8..16].copy_from_slice(&2.5f64.to_le_bytes());
    expected[16..18].copy_from_slice(&(0b101u16 | 0x155 << 3).to_le_bytes());
    expected[18..20].copy_from_slice(&(-2i16).to_le_bytes());
    assert_eq!(
        decoded((theirs, ours), 4, &memory, 1, Encoding::Native).unwrap(),
        expected
    );
    let wire = encoded(theirs, 4, &memory, 1, Encoding::Xdr);
    assert_eq!(
        wire,
        encoded(ours, 4, &expected, 1, Encoding::Xdr),
        "XDR is the same from every machine"
    );
}

#[test]
fn padding_handles_and_other_bits_keep_what_they_had() {
    let here = machine(false);
    let types = vec![
        scalar("char", Kind::Char, 1),
        scalar("MPI_Comm", Kind::Handle, 4),
        scalar("int", Kind::Int, 4),
        Type {
            members: vec![
                member("c", 0, 0, 1),
                member("comm", 1, 4, 1),
                Member {
                    bits: Some(BitField {
                        start: 64,
                        width: 4,
                        signed: false,
                    }),
                    ..member("b", 2, 0, 1)
                },
            ],
            ..scalar("struct s", Kind::Struct, 12)
        },
    ];
    let layout = Layout {
        types: &types,
        machine: &here,
    };
    for encoding in Encoding::ALL {
        let bytes = encoded(layout, 3, &[7; 12], 1, encoding);
        let mut memory = [0xee; 12];
        decode(
            layout,
            3,
            layout,
            3,
            encoding,
            &bytes,
            1,
            &mut |_| Ok(0),
            &mut memory,
        )
        .unwrap();
        assert_eq!(
            memory,
            [
                7, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xe7, 0xee, 0xee, 0xee
            ]
        );
    }
}
