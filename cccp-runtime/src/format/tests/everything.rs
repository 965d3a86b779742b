//! A small checkpoint in which everything occurs that the format has: every kind of type, of pointer and of entry, both
//! kinds of bit-fields, an empty section, a register without elements, one of an empty struct, a flexible array.
//!
//! Written by a machine with the layout of x86-64 Linux, so that its bytes are the same wherever the tests run.

use super::samples::{machine, member, scalar};
use crate::format::model::*;
use crate::format::types::*;
use crate::format::{
    BlockKind, Plan, PlannedBlock, PlannedExtent, PlannedField, PlannedItem, PlannedLoop, encode,
};

/// Index of the struct with a member of every kind.
const ALL: u32 = 24;
/// Old addresses: the registers `u` and `name`.
const U: u64 = 0x2000;
const NAME: u64 = 0x3000;

/// One member after the other, each at a multiple of its size.
fn packed(name: &str, members: &[(&str, u32, u64)], types: &[Type]) -> Type {
    let (mut end, mut widest, mut laid) = (0u64, 1, Vec::new());
    for (name, type_index, count) in members {
        let size = types[*type_index as usize].size;
        let alignment = if size.is_power_of_two() {
            size.min(16)
        } else {
            4
        };
        let offset = end.next_multiple_of(alignment);
        laid.push(member(name, *type_index, offset, *count));
        end = offset + count * size;
        widest = widest.max(alignment);
    }
    Type {
        members: laid,
        ..scalar(name, Kind::Struct, end.next_multiple_of(widest))
    }
}

fn types() -> Vec<Type> {
    let mut types: Vec<Type> = [
        ("_Bool", 1),
        ("char", 1),
        ("signed char", 1),
        ("unsigned char", 1),
        ("short", 2),
        ("unsigned short", 2),
        ("int", 4),
        ("unsigned int", 4),
        ("long", 8),
        ("unsigned long", 8),
        ("long long", 8),
        ("unsigned long long", 8),
        ("float", 4),
        ("double", 8),
        ("long double", 16),
        ("float _Complex", 8),
        ("double _Complex", 16),
        ("long double _Complex", 32),
        ("double *", 8),
        ("void (*)(void)", 8),
        ("struct bits", 16),
        ("union number", 12),
        ("FILE *", 8),
    ]
    .iter()
    .zip(Kind::ALL)
    .map(|((name, size), kind)| scalar(name, kind, *size))
    .collect();
    let field = |name: &str, type_index, start, width, signed| Member {
        bits: Some(BitField {
            start,
            width,
            signed,
        }),
        ..member(name, type_index, 0, 1)
    };
    types[20].members = vec![
        field("level", 6, 0, 5, true),
        field("mask", 7, 5, 11, false),
        field("wide", 10, 64, 40, true),
        field("on", 0, 104, 1, false),
    ];
    types.push(scalar("enum colour", Kind::UnsignedInt, 1));
    let names: Vec<String> = (0..24).map(|index| format!("m{index}")).collect();
    let members: Vec<(&str, u32, u64)> = (0..24u32)
        .map(|index| {
            let count = match Kind::from_number(index + 1) {
                Some(Kind::Pointer) => 4,
                Some(Kind::Char) => 3,
                Some(Kind::Short | Kind::Struct) => 2,
                _ => 1,
            };
            (names[index as usize].as_str(), index, count)
        })
        .collect();
    let all = packed("struct all", &members, &types);
    types.push(all);
    let flexible = packed("struct list", &[("n", 6, 1), ("tail", 13, 0)], &types);
    types.push(flexible);
    types.push(scalar("struct empty", Kind::Struct, 0));
    types
}

/// Fills an element: every bit pattern is a value, but for the kinds below.
fn fill(types: &[Type], type_index: u32, seed: &mut u8, memory: &mut [u8]) {
    let kind = &types[type_index as usize];
    let pointers = [0, U + 8, 0x9000, 0xa000, 0xdead, NAME + 5];
    let mut next = || {
        *seed = seed.wrapping_mul(5).wrapping_add(37);
        *seed
    };
    let one = [0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f, 0, 0, 0, 0, 0, 0];
    match kind.kind {
        Kind::Bool => memory[0] = next() % 2,
        Kind::LongDouble => memory.copy_from_slice(&one),
        Kind::ComplexLongDouble => memory.copy_from_slice(&[one, one].concat()),
        Kind::Pointer => {
            let address: u64 = pointers[usize::from(next()) % pointers.len()];
            memory.copy_from_slice(&address.to_le_bytes());
        }
        Kind::Function => memory.copy_from_slice(&0xb000u64.to_le_bytes()),
        Kind::Handle => {}
        Kind::Struct if kind.members.iter().all(|member| member.bits.is_none()) => {
            for part in &kind.members {
                let size = types[part.type_index as usize].size as usize;
                for element in 0..part.count as usize {
                    let start = part.offset as usize + element * size;
                    fill(types, part.type_index, seed, &mut memory[start..][..size]);
                }
            }
        }
        // Bit-fields; the last byte is padding.
        Kind::Struct => memory[..14].fill_with(|| next() % 128),
        _ => memory.fill_with(next),
    }
}

fn resolve(address: u64, kind: Kind) -> PointerValue {
    match address {
        _ if kind == Kind::Function => PointerValue::Function {
            name: "step".to_string(),
        },
        U..0x2060 => PointerValue::Register {
            id: 2,
            element: (address - U) / 8,
            leaf: 0,
            byte: (address - U) % 8,
        },
        // One past its last character.
        _ if address == NAME + 5 => PointerValue::Register {
            id: 3,
            element: 5,
            leaf: 0,
            byte: 0,
        },
        0x9000 => PointerValue::Argument {
            index: 1,
            offset: 1,
        },
        0xa000 => PointerValue::Image { offset: 0x40 },
        _ => PointerValue::Unresolved { address },
    }
}

/// The checkpoint, with its values in this encoding.
pub(crate) fn everything(encoding: Encoding) -> Checkpoint {
    let machine = machine(false);
    let types = types();
    let layout = Layout {
        types: &types,
        machine: &machine,
    };
    let encoded = |type_index: u32, memory: &[u8], count: u64, encoding: Encoding| {
        let mut out = Vec::new();
        encode(
            layout,
            type_index,
            memory,
            count,
            encoding,
            &mut resolve,
            &mut out,
        )
        .expect("the sizes are right");
        out
    };
    let values = |type_index: u32, count: u64| {
        let size = types[type_index as usize].size as usize;
        let mut memory = vec![0; size * count as usize];
        let mut seed = 11;
        for element in 0..count as usize {
            fill(
                &types,
                type_index,
                &mut seed,
                &mut memory[element * size..][..size],
            );
        }
        memory
    };
    let register = |id: u64, name: &str, type_index: u32, memory: &[u8], extents: &[u64]| {
        let elements = extents.iter().product();
        Register {
            id,
            name: name.to_string(),
            function: 0,
            line: 12,
            address: 0x1000 * id,
            element_size: types[type_index as usize].size,
            elements,
            extents: extents.to_vec(),
            first: 0,
            type_index,
            flags: 1,
            data: Data::Encoded(encoded(type_index, memory, elements, encoding)),
        }
    };
    let smooth: Vec<u8> = (0..12)
        .flat_map(|index| f64::from(index / 5).to_le_bytes())
        .collect();
    let sections = vec![
        Section {
            number: 0,
            registers: vec![
                register(1, "all", ALL, &values(ALL, 2), &[2]),
                Register {
                    first: 2,
                    flags: 5,
                    ..register(2, "u", 13, &smooth, &[4, 3])
                },
                register(3, "name", 1, b"heat!", &[5]),
            ],
        },
        Section {
            number: 1,
            registers: vec![],
        },
        Section {
            number: 4,
            registers: vec![
                Register {
                    flags: 2,
                    function: 1,
                    ..register(7, "norm", 14, &values(14, 1), &[])
                },
                register(8, "none", 13, &[], &[0]),
                Register {
                    flags: 8,
                    ..register(9, "s->list", 25, &values(25, 1), &[])
                },
                Register {
                    flags: LIBRARY,
                    ..register(10, "nothing", 26, &[], &[3])
                },
            ],
        },
    ];
    let value = |name: &str, type_index: u32| Value {
        name: name.to_string(),
        type_index,
        data: encoded(type_index, &values(type_index, 1), 1, Encoding::Xdr),
    };
    let entry = |sequence, block, instances: &[u64], payload| Entry {
        sequence,
        block,
        dormant: false,
        instances: instances.to_vec(),
        region: None,
        payload,
    };
    let link = |item, register| RegisterLink { item, register };
    let links = vec![link(0, Some(1)), link(1, Some(2)), link(2, None)];
    let nodes = vec![
        Node {
            function: 0,
            arguments: vec![value("argc", 6), value("p", 18)],
            entries: vec![
                entry(1, 2, &[], Payload::Register(links)),
                entry(2, 3, &[4], Payload::Execute(vec![value("rank", 6)])),
                Entry {
                    dormant: true,
                    ..entry(3, 4, &[1, 4], Payload::Region(vec![value("x", 14)]))
                },
                Entry {
                    region: Some(3),
                    ..entry(4, 5, &[1, 4], Payload::Call(1))
                },
            ],
            active: Some(3),
        },
        Node {
            function: 1,
            arguments: vec![],
            entries: vec![
                entry(5, 1, &[], Payload::Register(vec![link(0, Some(7))])),
                entry(6, 2, &[], Payload::Checkpoint),
            ],
            active: Some(1),
        },
        Node {
            function: 1,
            arguments: vec![],
            entries: vec![],
            active: None,
        },
    ];
    let function = |name: &str, line| Function {
        name: name.to_string(),
        file: "all.c".to_string(),
        line,
        fingerprint: 0x0123_4567_89ab_cdef,
    };
    Checkpoint {
        header: Header {
            program: "everything".to_string(),
            fingerprint: 0xfeed_face_cafe_beef,
            arguments: vec![b"-n".to_vec(), vec![0xff, 0xfe], vec![]],
            rank: 2,
            size: 5,
            generation: 12,
            time: 1_700_000_000,
            machine: machine.clone(),
            encoding,
            site: Site {
                function: "step".to_string(),
                line: 44,
                name: Some("loop".to_string()),
            },
        },
        functions: vec![function("main", 10), function("step", 30)],
        plans: plans(),
        trace: Trace {
            nodes,
            roots: vec![0, 2],
        },
        sections,
        types,
    }
}

/// What the text says about `main` and `step`.
fn plans() -> Vec<Plan> {
    let block = |kind, name: Option<&str>| PlannedBlock {
        kind,
        line: 11,
        in_loop: 0,
        region: 0,
        name: name.map(str::to_string),
        passed: 0,
        values: Vec::new(),
    };
    let field = |name: &str, type_index, flags| PlannedField {
        name: name.to_string(),
        type_index,
        flags,
    };
    let extent = |text: &str, value| PlannedExtent {
        text: text.to_string(),
        value,
    };
    let main = Plan {
        blocks: vec![
            block(BlockKind::Init, None),
            block(BlockKind::Register, None),
            PlannedBlock {
                values: vec![field("rank", 6, 1)],
                ..block(BlockKind::Execute, None)
            },
            block(BlockKind::Region, None),
            PlannedBlock {
                in_loop: 2,
                region: 4,
                passed: 5,
                ..block(BlockKind::Call, Some("step"))
            },
        ],
        loops: vec![
            PlannedLoop {
                parent: 0,
                counter: None,
                prunable: true,
            },
            PlannedLoop {
                parent: 1,
                counter: Some(0),
                prunable: false,
            },
        ],
        items: vec![PlannedItem {
            name: "u".to_string(),
            line: 12,
            flags: 5,
            block: 2,
            type_index: Some(13),
            first: extent("2", Some(2)),
            extents: vec![extent("n", None), extent("3", Some(3))],
        }],
        parameters: vec![field("argc", 6, 0), field("p", 18, 1)],
    };
    let step = Plan {
        blocks: vec![
            block(BlockKind::Register, None),
            block(BlockKind::Checkpoint, Some("loop")),
        ],
        ..Plan::default()
    };
    vec![main, step]
}
