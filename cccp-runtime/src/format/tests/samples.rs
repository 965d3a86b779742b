//! Checkpoints for tests: small, but with every kind of thing in them.

use crate::format::model::*;
use crate::format::types::*;
use crate::format::{
    BlockKind, Plan, PlannedBlock, PlannedExtent, PlannedField, PlannedItem, PlannedLoop, encode,
    write,
};

pub(crate) fn scalar(name: &str, kind: Kind, size: u64) -> Type {
    Type {
        name: name.to_string(),
        kind,
        size,
        members: Vec::new(),
    }
}

pub(crate) fn member(name: &str, type_index: u32, offset: u64, count: u64) -> Member {
    Member {
        name: name.to_string(),
        type_index,
        offset,
        count,
        bits: None,
    }
}

/// A machine with 64 bits, for files that must not depend on where the tests run.
pub(crate) fn machine(big_endian: bool) -> Machine {
    Machine {
        big_endian,
        pointer: 8,
        long: 8,
        long_double: 16,
        long_double_format: if big_endian {
            LongDouble::Quad
        } else {
            LongDouble::X87
        },
        description: if big_endian {
            "s390x-linux"
        } else {
            "x86_64-linux"
        }
        .to_string(),
    }
}

/// A checkpoint with a field of doubles, an array of structs with pointers and bit-fields, text and a trace.
pub(crate) fn checkpoint(encoding: Encoding) -> Checkpoint {
    let machine = machine(false);
    let bits = |start, width, signed| {
        Some(BitField {
            start,
            width,
            signed,
        })
    };
    let types = vec![
        scalar("double", Kind::Double, 8),
        scalar("int", Kind::Int, 4),
        scalar("char", Kind::Char, 1),
        scalar("struct cell *", Kind::Pointer, 8),
        scalar("long double", Kind::LongDouble, 16),
        Type {
            members: vec![
                member("position", 0, 0, 3),
                member("next", 3, 24, 1),
                Member {
                    bits: bits(256, 5, true),
                    ..member("level", 1, 0, 1)
                },
                Member {
                    bits: bits(261, 11, false),
                    ..member("mask", 1, 0, 1)
                },
                member("tag", 2, 34, 6),
                member("id", 1, 40, 1),
            ],
            ..scalar("struct cell", Kind::Struct, 48)
        },
    ];
    let layout = Layout {
        types: &types,
        machine: &machine,
    };
    let encoded = |type_index: u32, memory: &[u8]| {
        let count = memory.len() as u64 / types[type_index as usize].size;
        let mut resolve = |address: u64, _| match address {
            0x1000..0x1090 => PointerValue::Register {
                id: 2,
                element: (address - 0x1000) / 48,
                leaf: 0,
                byte: 0,
            },
            _ => PointerValue::Unresolved { address },
        };
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
    let field: Vec<u8> = (0..300)
        .flat_map(|index| f64::from(index / 7).to_le_bytes())
        .collect();
    let mut cells = Vec::new();
    for index in 0..3u64 {
        (0..3).for_each(|axis| {
            cells.extend_from_slice(&(index as f64 + 0.1 * f64::from(axis)).to_le_bytes())
        });
        cells.extend_from_slice(&[0x1030u64, 0x1060, 0][index as usize].to_le_bytes());
        cells.extend_from_slice(&[0xfd, 0x7f]);
        cells.extend_from_slice(b"cell\0\0");
        cells.extend_from_slice(&(index as u32 + 7).to_le_bytes());
        cells.extend_from_slice(&[0; 4]);
    }
    let one = [0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f, 0, 0, 0, 0, 0, 0];
    let register = |id: u64, name: &str, type_index: u32, memory: &[u8], extents: Vec<u64>| {
        let size = types[type_index as usize].size;
        Register {
            id,
            name: name.to_string(),
            function: 0,
            line: 12,
            address: 0x1000 * id,
            element_size: size,
            elements: memory.len() as u64 / size,
            extents,
            first: 0,
            type_index,
            flags: 1,
            data: Data::Encoded(encoded(type_index, memory)),
        }
    };
    let sections = vec![
        Section {
            number: 0,
            registers: vec![
                register(1, "u", 0, &field, vec![30, 10]),
                register(2, "cells", 5, &cells, vec![3]),
            ],
        },
        Section {
            number: 1,
            registers: vec![register(3, "norm", 4, &one, vec![])],
        },
        Section {
            number: 2,
            registers: vec![],
        },
    ];
    let value = |name: &str, number: i32| Value {
        name: name.to_string(),
        type_index: 1,
        data: number.to_be_bytes().to_vec(),
    };
    let entry = |sequence, block, payload| Entry {
        sequence,
        block,
        dormant: false,
        instances: vec![1, 4],
        region: None,
        payload,
    };
    let link = |item, register| RegisterLink { item, register };
    let nodes = vec![
        Node {
            function: 0,
            arguments: vec![value("n", 30)],
            entries: vec![
                entry(
                    1,
                    2,
                    Payload::Register(vec![link(0, Some(1)), link(1, Some(2)), link(2, None)]),
                ),
                entry(2, 3, Payload::Execute(vec![value("rank", 1)])),
                Entry {
                    dormant: true,
                    ..entry(3, 4, Payload::Region(vec![value("width", -5)]))
                },
                Entry {
                    region: Some(3),
                    ..entry(4, 5, Payload::Call(1))
                },
            ],
            active: Some(3),
        },
        Node {
            function: 1,
            arguments: vec![],
            entries: vec![
                entry(5, 1, Payload::Register(vec![link(0, Some(3))])),
                entry(6, 2, Payload::Checkpoint),
            ],
            active: Some(1),
        },
    ];
    let function = |name: &str, line| Function {
        name: name.to_string(),
        file: "heat.c".to_string(),
        line,
        fingerprint: 0x0123_4567_89ab_cdef,
    };
    Checkpoint {
        header: Header {
            program: "heat".to_string(),
            fingerprint: 0xfeed_face_cafe_beef,
            arguments: vec![b"-n".to_vec(), b"30".to_vec(), vec![0xff, 0xfe]],
            rank: 1,
            size: 4,
            generation: 12,
            time: 1_700_000_000,
            machine: machine.clone(),
            encoding,
            site: Site {
                function: "step".to_string(),
                line: 44,
                name: Some("main_loop".to_string()),
            },
        },
        functions: vec![function("main", 10), function("step", 30)],
        plans: plans(),
        trace: Trace {
            nodes,
            roots: vec![0],
        },
        sections,
        types,
    }
}

/// What the text of the program says about `main` and `step`.
fn plans() -> Vec<Plan> {
    let block = |kind, line, name: Option<&str>| PlannedBlock {
        kind,
        line,
        in_loop: 0,
        region: 0,
        name: name.map(str::to_string),
        passed: 0,
        values: Vec::new(),
    };
    let field = |name: &str, flags| PlannedField {
        name: name.to_string(),
        type_index: 1,
        flags,
    };
    let extent = |text: &str, value| PlannedExtent {
        text: text.to_string(),
        value,
    };
    let item = |name: &str, block, type_index, extents| PlannedItem {
        name: name.to_string(),
        line: 12,
        flags: 1,
        block,
        type_index,
        first: extent("0", Some(0)),
        extents,
    };
    vec![
        Plan {
            blocks: vec![
                block(BlockKind::Init, 11, None),
                block(BlockKind::Register, 12, None),
                PlannedBlock {
                    values: vec![field("rank", 0)],
                    ..block(BlockKind::Execute, 14, None)
                },
                PlannedBlock {
                    in_loop: 2,
                    values: vec![field("width", 0)],
                    ..block(BlockKind::Region, 18, None)
                },
                PlannedBlock {
                    in_loop: 2,
                    region: 4,
                    passed: 5,
                    ..block(BlockKind::Call, 20, Some("step"))
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
                    counter: Some(1),
                    prunable: false,
                },
            ],
            items: vec![
                item(
                    "u",
                    2,
                    Some(0),
                    vec![extent("n", None), extent("WIDTH", Some(10))],
                ),
                item("cells", 2, Some(5), vec![extent("3", Some(3))]),
                item("old", 2, None, vec![]),
            ],
            parameters: vec![field("n", 1)],
        },
        Plan {
            blocks: vec![
                block(BlockKind::Register, 32, None),
                block(BlockKind::Checkpoint, 44, Some("main_loop")),
            ],
            items: vec![item("norm", 1, Some(4), vec![])],
            ..Plan::default()
        },
    ]
}

/// The bytes of a checkpoint.
pub(crate) fn bytes(checkpoint: &Checkpoint, compress: u32) -> Vec<u8> {
    let mut out = Vec::new();
    write(checkpoint, compress, &mut out).expect("a vector takes everything");
    out
}
