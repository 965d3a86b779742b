//! Checkpoints that other machines wrote: `v1.0-s390x-native.cccp` and `v1.0-i686-native.cccp` in `tests/formats`, made by
//! the program `tests/foreign/golden.c` under qemu. Their values are read into the memory of an x86-64 program.

use std::collections::HashMap;
use std::path::PathBuf;

use super::samples::{machine, member, scalar};
use crate::format::*;

const PARTICLE: u32 = 10;

/// The types of the program as x86-64 lays them out.
fn types() -> Vec<Type> {
    let bits = |name: &str, type_index, start, width, signed| Member {
        bits: Some(BitField {
            start,
            width,
            signed,
        }),
        ..member(name, type_index, 0, 1)
    };
    let particle = vec![
        member("kind", 2, 0, 1),
        member("mass", 3, 8, 1),
        member("charge", 4, 16, 1),
        member("number", 5, 24, 1),
        bits("alive", 6, 256, 1, false),
        bits("spin", 0, 257, 5, true),
        bits("seed", 7, 262, 40, false),
        member("weight", 8, 48, 1),
        member("next", 1, 64, 1),
        member("length", 9, 72, 1),
    ];
    vec![
        scalar("int", Kind::Int, 4),
        scalar("void *", Kind::Pointer, 8),
        scalar("char", Kind::Char, 1),
        scalar("double", Kind::Double, 8),
        scalar("short", Kind::Short, 2),
        scalar("long long", Kind::LongLong, 8),
        scalar("unsigned int", Kind::UnsignedInt, 4),
        scalar("unsigned long long", Kind::UnsignedLongLong, 8),
        scalar("long double", Kind::LongDouble, 16),
        scalar("unsigned long", Kind::UnsignedLong, 8),
        Type {
            members: particle,
            ..scalar("struct particle", Kind::Struct, 80)
        },
        scalar("void (*)(void)", Kind::Function, 8),
        scalar("long", Kind::Long, 8),
        scalar("float _Complex", Kind::ComplexFloat, 8),
        scalar("_Bool", Kind::Bool, 1),
    ]
}

/// The memory of every register in a program of x86-64, and where its pointers lead.
fn read(name: &str) -> (HashMap<String, Vec<u8>>, Vec<PointerValue>) {
    let top = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/formats");
    let bytes = std::fs::read(top.join(format!("{name}.cccp"))).unwrap();
    let file = File::open(Box::new(bytes)).unwrap();
    let here = machine(false);
    let types = types();
    let of = |name: &str| match name {
        "particles" => PARTICLE,
        "first" | "inside" | "word" => 1,
        "compare" => 11,
        "counts" => 12,
        "size" => 9,
        "big" => 12,
        "numbers" => 3,
        "spectrum" => 13,
        "colour" => 6,
        "ready" => 14,
        "text" => 2,
        _ => 0,
    };
    let checkpoint = &file.checkpoint;
    let (theirs, ours) = (
        Layout {
            types: &checkpoint.types,
            machine: &checkpoint.header.machine,
        },
        Layout {
            types: &types,
            machine: &here,
        },
    );
    let mut pointers = Vec::new();
    let mut registers = HashMap::new();
    for register in checkpoint.sections.iter().flat_map(|one| &one.registers) {
        let program_type = of(&register.name);
        let size = types[program_type as usize].size * register.elements;
        let mut memory = vec![0; size as usize];
        decode(
            theirs,
            register.type_index,
            ours,
            program_type,
            checkpoint.header.encoding,
            &file.load(register).unwrap(),
            register.elements,
            &mut |pointer| {
                pointers.push(pointer);
                Ok(pointers.len() as u64)
            },
            &mut memory,
        )
        .unwrap_or_else(|error| panic!("{name}: {}: {error}", register.name));
        registers.insert(register.name.clone(), memory);
    }
    (registers, pointers)
}

fn number<const N: usize>(memory: &[u8], at: usize) -> [u8; N] {
    memory[at..at + N].try_into().unwrap()
}

#[test]
fn s15_s23_checkpoints_that_other_machines_wrote_are_read_with_every_value() {
    for name in ["v1.0-s390x-native", "v1.0-i686-native"] {
        let (registers, pointers) = read(name);
        for index in 0..2 {
            let one = &registers["particles"][80 * index..80 * (index + 1)];
            let nth = index as i64;
            assert_eq!(one[0], b'a' + index as u8, "{name}");
            assert_eq!(f64::from_le_bytes(number(one, 8)), 1.25 + index as f64);
            assert_eq!(i16::from_le_bytes(number(one, 16)), -3 * (index as i16 + 1));
            assert_eq!(i64::from_le_bytes(number(one, 24)), -5_000_000_000 - nth);
            let bits = u64::from_le_bytes(number(one, 32));
            let spin = (-7 + nth) as u64 & 31;
            let seed = 0x00ab_cdef_0123 + index as u64;
            assert_eq!(bits, u64::from(index == 0) | spin << 1 | seed << 6);
            let x87 = i128::from_le_bytes(number(one, 48)) & ((1 << 80) - 1);
            let halves = [0xbffe_8000_0000_0000_0000_i128, 0xbfff_c000_0000_0000_0000];
            assert_eq!(x87, halves[index], "-0.5 and -1.5");
            assert_eq!(
                u64::from_le_bytes(number(one, 72)),
                4_000_000_000 + index as u64
            );
        }
        assert_eq!(i32::from_le_bytes(number(&registers["step"], 0)), 7);
        let counts = [0, 8, 16].map(|at| i64::from_le_bytes(number(&registers["counts"], at)));
        assert_eq!(counts, [-2_147_483_648, 0, 2_147_483_647]);
        assert_eq!(
            u64::from_le_bytes(number(&registers["size"], 0)),
            4_000_000_000
        );
        assert_eq!(i64::from_le_bytes(number(&registers["big"], 0)), i64::MIN);
        let numbers = [0, 8, 16].map(|at| u64::from_le_bytes(number(&registers["numbers"], at)));
        let expected = [(-0.0f64).to_bits(), 0.1f64.to_bits(), 0x7ff8_dead_0000_beef];
        assert_eq!(numbers, expected, "the payload of a NaN, too");
        let spectrum = [0, 4].map(|at| f32::from_le_bytes(number(&registers["spectrum"], at)));
        assert_eq!(spectrum, [1.5, -2.5]);
        assert_eq!(u32::from_le_bytes(number(&registers["colour"], 0)), 70_000);
        assert_eq!(registers["ready"], [1]);
        assert_eq!(registers["text"], b"h\xe9ll\0\0");
        // In the order of the directive: particles[0].next, first, inside, compare, word.
        let second = |pointer: &PointerValue| {
            matches!(
                pointer,
                PointerValue::Register {
                    element: 1,
                    leaf: 0,
                    byte: 0,
                    ..
                }
            )
        };
        assert!(second(&pointers[0]) && second(&pointers[1]), "{pointers:?}");
        assert!(
            matches!(
                pointers[2],
                PointerValue::Register {
                    element: 0,
                    leaf: 1,
                    byte: 0,
                    ..
                }
            ),
            "{pointers:?}"
        );
        let compare = PointerValue::Function {
            name: "smaller".to_string(),
        };
        assert_eq!(pointers[3], compare);
        let word = PointerValue::Argument {
            index: 1,
            offset: 1,
        };
        assert_eq!(pointers[4..], [word]);
    }
}
