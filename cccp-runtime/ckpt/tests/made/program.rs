//! A program's state, laid out as its machine lays it out.

use std::path::Path;

use cccp::format::{
    BitField, Checkpoint, Data, Encoding, Function, Header, Kind, LIBRARY, Layout, LongDouble,
    MESSAGES, Machine, Member, PointerValue, Register, Section, Site, Trace, Type, encode, write,
};

/// Indices of the types.
pub const DOUBLE: u32 = 0;
pub const INT: u32 = 1;
pub const CHAR: u32 = 2;
pub const POINTER: u32 = 3;
pub const LONG_DOUBLE: u32 = 4;
pub const LONG: u32 = 5;
pub const CELL: u32 = 6;
pub const FLOAT: u32 = 7;
/// Where things lie in the writer's memory.
const U: u64 = 0x1000;
const CELLS: u64 = 0x8000;

/// A program at a checkpoint.
pub struct Program {
    pub checkpoint: Checkpoint,
    memories: Vec<Vec<u8>>,
}

fn scalar(name: &str, kind: Kind, size: u32) -> Type {
    Type {
        name: name.to_string(),
        kind,
        size: u64::from(size),
        members: Vec::new(),
    }
}

impl Program {
    /// With nothing registered.
    pub fn new(machine: Machine, encoding: Encoding) -> Program {
        // On i686 a double is aligned to four bytes only; so is the struct around it.
        let pointer = u64::from(machine.pointer);
        let bits = 24 + pointer;
        let member = |name: &str, type_index, offset, count| Member {
            name: name.to_string(),
            type_index,
            offset,
            count,
            bits: None,
        };
        let field = |name: &str, start, width, signed| Member {
            bits: Some(BitField {
                start: 8 * bits + start,
                width,
                signed,
            }),
            ..member(name, INT, 0, 1)
        };
        let types = vec![
            scalar("double", Kind::Double, 8),
            scalar("int", Kind::Int, 4),
            scalar("char", Kind::Char, 1),
            scalar("struct cell *", Kind::Pointer, machine.pointer),
            scalar("long double", Kind::LongDouble, machine.long_double),
            scalar("long", Kind::Long, machine.long),
            Type {
                members: vec![
                    member("position", DOUBLE, 0, 3),
                    member("next", POINTER, 24, 1),
                    field("level", 0, 5, true),
                    field("mask", 5, 11, false),
                    member("tag", CHAR, bits + 2, 6),
                    member("id", INT, bits + 8, 1),
                ],
                ..scalar(
                    "struct cell",
                    Kind::Struct,
                    machine.pointer + 40 - machine.pointer % 8,
                )
            },
            scalar("float", Kind::Float, 4),
        ];
        let function = |name: &str, line| Function {
            name: name.to_string(),
            file: "heat.c".to_string(),
            line,
            fingerprint: 1,
        };
        let checkpoint = Checkpoint {
            header: Header {
                program: "heat".to_string(),
                fingerprint: 0xfeed,
                arguments: vec![b"-n".to_vec(), b"30".to_vec()],
                rank: 0,
                size: 1,
                generation: 10,
                time: 1_700_000_000,
                machine,
                encoding,
                site: Site {
                    function: "main".to_string(),
                    line: 44,
                    name: None,
                },
            },
            types,
            functions: vec![function("main", 10), function("step", 30)],
            plans: Vec::new(),
            trace: Trace::default(),
            sections: vec![Section {
                number: 0,
                registers: Vec::new(),
            }],
        };
        Program {
            checkpoint,
            memories: Vec::new(),
        }
    }

    /// A heat plate: `main:step`, `main:u[4][5]`, `main:cells[3]`, `main:norm`, `main:spot`, `step:name`.
    pub fn heat(machine: Machine, encoding: Encoding) -> Program {
        let mut program = Program::new(machine, encoding);
        let plate: Vec<f64> = (0..20).map(|place| f64::from(place) / 8.0).collect();
        let step = program.integer(7, LONG);
        let norm = program.long_double();
        let spot = program.address(U + 13 * 8);
        let cells: Vec<u8> = (0..3).flat_map(|index| program.cell(index)).collect();
        program.add(0, "step", LONG, &[], step);
        program.doubles("u", &[4, 5], &plate);
        program.add(0, "cells", CELL, &[3], cells);
        program.add(0, "norm", LONG_DOUBLE, &[], norm);
        program.add(0, "spot", POINTER, &[], spot);
        program.add(1, "name", CHAR, &[2, 4], b"one\0two\0".to_vec());
        program
    }

    /// What the library counted of messages, and requests in flight.
    pub fn counted(&mut self, numbers: [u64; 2]) {
        let types = &mut self.checkpoint.types;
        types.push(scalar("unsigned long long", Kind::UnsignedLongLong, 8));
        let type_index = types.len() as u32 - 1;
        let memory = numbers.map(|one| self.number(one, 8)).concat();
        self.add(0, MESSAGES, type_index, &[2], memory);
        self.register(MESSAGES).flags = LIBRARY;
    }

    /// Registers doubles in `main`.
    pub fn doubles(&mut self, name: &str, extents: &[u64], values: &[f64]) {
        let memory = values
            .iter()
            .flat_map(|value| self.ordered(value.to_le_bytes()));
        let memory = memory.collect();
        self.add(0, name, DOUBLE, extents, memory);
    }

    /// Registers floats in `main`.
    pub fn floats(&mut self, name: &str, extents: &[u64], values: &[f32]) {
        let memory = values
            .iter()
            .flat_map(|value| self.ordered(value.to_le_bytes()));
        let memory = memory.collect();
        self.add(0, name, FLOAT, extents, memory);
    }

    /// Registers memory.
    pub fn add(
        &mut self,
        function: u32,
        name: &str,
        type_index: u32,
        extents: &[u64],
        memory: Vec<u8>,
    ) {
        let size = self.checkpoint.types[type_index as usize].size;
        let registers = &mut self.checkpoint.sections[0].registers;
        registers.push(Register {
            id: registers
                .iter()
                .map(|register| register.id)
                .max()
                .unwrap_or(0)
                + 1,
            name: name.to_string(),
            function,
            line: 12,
            address: 0,
            element_size: size,
            elements: extents.iter().product(),
            extents: extents.to_vec(),
            first: 0,
            type_index,
            flags: 1,
            data: Data::Encoded(Vec::new()),
        });
        self.memories.push(memory);
    }

    /// Another value of a double.
    pub fn set(&mut self, name: &str, place: usize, value: f64) {
        let bytes = self.ordered(value.to_le_bytes());
        self.memory(name)[8 * place..][..8].copy_from_slice(&bytes);
    }

    /// The memory of a register.
    pub fn memory(&mut self, name: &str) -> &mut Vec<u8> {
        let place = self.place(name);
        &mut self.memories[place]
    }

    /// What is said about a register.
    pub fn register(&mut self, name: &str) -> &mut Register {
        let place = self.place(name);
        &mut self.checkpoint.sections[0].registers[place]
    }

    /// Forgets a register.
    pub fn remove(&mut self, name: &str) {
        let place = self.place(name);
        self.checkpoint.sections[0].registers.remove(place);
        self.memories.remove(place);
    }

    fn place(&self, name: &str) -> usize {
        let mut registers = self.checkpoint.sections[0].registers.iter();
        registers
            .position(|register| register.name == name)
            .expect("a register")
    }

    /// The pointer with this address in the memory of the writer.
    pub fn address(&self, address: u64) -> Vec<u8> {
        self.number(address, self.checkpoint.header.machine.pointer)
    }

    fn integer(&self, value: i64, type_index: u32) -> Vec<u8> {
        self.number(
            value as u64,
            self.checkpoint.types[type_index as usize].size as u32,
        )
    }

    fn number(&self, value: u64, size: u32) -> Vec<u8> {
        let low = &value.to_le_bytes()[..size as usize];
        match self.checkpoint.header.machine.big_endian {
            true => low.iter().rev().copied().collect(),
            false => low.to_vec(),
        }
    }

    fn ordered<const N: usize>(&self, mut bytes: [u8; N]) -> [u8; N] {
        if self.checkpoint.header.machine.big_endian {
            bytes.reverse();
        }
        bytes
    }

    /// One and a half.
    fn long_double(&self) -> Vec<u8> {
        let machine = &self.checkpoint.header.machine;
        let mut bytes = match machine.long_double_format {
            LongDouble::X87 => vec![0, 0, 0, 0, 0, 0, 0, 0xc0, 0xff, 0x3f],
            _ => vec![0x3f, 0xff, 0x80],
        };
        bytes.resize(machine.long_double as usize, 0);
        bytes
    }

    fn cell(&self, index: u64) -> Vec<u8> {
        let mut memory = Vec::new();
        for axis in 0..3u64 {
            let value = index as f64 + axis as f64 / 8.0;
            memory.extend(self.ordered(value.to_le_bytes()));
        }
        let size = self.checkpoint.types[CELL as usize].size;
        // The last one leads nowhere.
        let next = if index < 2 {
            CELLS + size * (index + 1)
        } else {
            0
        };
        memory.extend(self.address(next));
        // level is -3, mask is 1023.
        let bits: u16 = match self.checkpoint.header.machine.big_endian {
            true => 0b11101 << 11 | 1023,
            false => 0b11101 | 1023 << 5,
        };
        memory.extend(self.ordered(bits.to_le_bytes()));
        memory.extend(b"cell\0\0");
        memory.extend(self.ordered((index as u32 + 7).to_le_bytes()));
        memory.resize(size as usize, 0);
        memory
    }

    /// Writes the file, and the directories above it. `compress` is a level, or 0.
    pub fn write(&self, path: &Path, compress: u32) {
        let mut checkpoint = self.checkpoint.clone();
        let Checkpoint { header, types, .. } = &self.checkpoint;
        let machine = &header.machine;
        let layout = Layout { types, machine };
        let registers = &mut checkpoint.sections[0].registers;
        let id = |name: &str| {
            let mut registers = self.checkpoint.sections[0].registers.iter();
            registers
                .find(|register| register.name == name)
                .map_or(0, |register| register.id)
        };
        let cell = types[CELL as usize].size;
        let mut resolve = |address: u64, _: Kind| match address {
            U..0x2000 => PointerValue::Register {
                id: id("u"),
                element: (address - U) / 8,
                leaf: 0,
                byte: 0,
            },
            CELLS..0x9000 => PointerValue::Register {
                id: id("cells"),
                element: (address - CELLS) / cell,
                leaf: 0,
                byte: 0,
            },
            _ => PointerValue::Unresolved { address },
        };
        for (register, memory) in registers.iter_mut().zip(&self.memories) {
            let mut data = Vec::new();
            let (kind, count) = (register.type_index, register.elements);
            encode(
                layout,
                kind,
                memory,
                count,
                header.encoding,
                &mut resolve,
                &mut data,
            )
            .expect("the sizes are right");
            register.data = Data::Encoded(data);
        }
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("directories");
        let mut bytes = Vec::new();
        write(&checkpoint, compress, &mut bytes).expect("a vector takes everything");
        std::fs::write(path, bytes).expect("the file");
    }

    /// Writes it as a rank's file of a generation in a directory.
    pub fn publish(&mut self, directory: &Path, generation: u64, rank: u32, size: u32) {
        let header = &mut self.checkpoint.header;
        (header.generation, header.rank, header.size) = (generation, rank, size);
        let path = directory.join(format!("{generation:010}/{rank:06}.cccp"));
        self.write(&path, 0);
    }
}
