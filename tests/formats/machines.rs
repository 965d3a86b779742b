//! Checkpoints of machines that nobody has: random memory in either byte order, with each representation of long
//! double, all kinds, bit-fields that begin at odd bits, structs in structs, pointers of every form.
//!
//! In: a seed, a machine, an encoding. Out: a checkpoint to write. For one seed and machine the values are the same in
//! both encodings.

use cccp::format::{
    BitField, Checkpoint, Data, Encoding, FormatError, Function, Header, Kind, Layout, LongDouble,
    Machine, Member, PointerValue, Register, Section, Site, Trace, Type, encode,
};

/// Elements of each register.
const ELEMENTS: u64 = 12;

/// Both byte orders with each representation and size of long double that goes with them; pointers and longs of both sizes.
pub fn machines() -> Vec<Machine> {
    let formats = [
        (LongDouble::Double, 8),
        (LongDouble::X87, 12),
        (LongDouble::X87, 16),
        (LongDouble::Quad, 16),
        (LongDouble::DoubleDouble, 16),
    ];
    let mut machines = Vec::new();
    for big_endian in [false, true] {
        for (number, (long_double_format, long_double)) in formats.into_iter().enumerate() {
            // The x87 belongs to little-endian machines.
            if big_endian && long_double_format == LongDouble::X87 {
                continue;
            }
            machines.push(Machine {
                big_endian,
                pointer: if number % 2 == 0 { 8 } else { 4 },
                long: if number % 3 == 0 { 4 } else { 8 },
                long_double,
                long_double_format,
                description: "nobody's".to_owned(),
            });
        }
    }
    machines
}

/// A register of random values for each type.
pub fn checkpoint(
    seed: u64,
    machine: &Machine,
    encoding: Encoding,
) -> Result<Checkpoint, FormatError> {
    let mut random = Random(seed);
    let types = types(machine);
    let layout = Layout {
        types: &types,
        machine,
    };
    let mut registers = Vec::new();
    for (index, one) in types.iter().enumerate() {
        let memory = random.memory(one, machine);
        let mut data = Vec::new();
        encode(
            layout,
            index as u32,
            &memory,
            ELEMENTS,
            encoding,
            &mut pointer,
            &mut data,
        )?;
        registers.push(Register {
            id: index as u64,
            name: format!("register_{index}"),
            function: 0,
            line: 2,
            address: 4096 * index as u64,
            element_size: one.size,
            elements: ELEMENTS,
            extents: vec![ELEMENTS / 4, 4],
            first: 0,
            type_index: index as u32,
            flags: (index % 32) as u32,
            data: Data::Encoded(data),
        });
    }
    let header = Header {
        program: "nobody".to_owned(),
        fingerprint: seed,
        arguments: vec![b"-x".to_vec()],
        rank: 0,
        size: 1,
        generation: 1,
        time: 0,
        machine: machine.clone(),
        encoding,
        site: Site::default(),
    };
    let function = Function {
        name: "main".to_owned(),
        file: "nobody.c".to_owned(),
        line: 1,
        fingerprint: 0,
    };
    Ok(Checkpoint {
        header,
        types,
        functions: vec![function],
        trace: Trace::default(),
        plans: Vec::new(),
        sections: vec![Section {
            number: 0,
            registers,
        }],
    })
}

/// Where a pointer leads, whose raw bits are random: each form for some.
fn pointer(raw: u64, _kind: Kind) -> PointerValue {
    match raw % 7 {
        0 => PointerValue::Null,
        1 => PointerValue::Register {
            id: 1,
            element: raw / 7 % ELEMENTS,
            leaf: 0,
            byte: raw % 1000,
        },
        2 => PointerValue::Argument {
            index: (raw / 7 % 2) as u32,
            offset: raw / 14 % 3,
        },
        3 => PointerValue::Argument {
            index: u32::MAX,
            offset: 1,
        },
        4 => PointerValue::Function {
            name: "x".repeat((raw / 7 % 6) as usize),
        },
        5 => PointerValue::Image { offset: raw },
        _ => PointerValue::Unresolved { address: raw },
    }
}

/// All kinds in all their sizes, then structs of them.
fn types(machine: &Machine) -> Vec<Type> {
    let mut types = Vec::new();
    for kind in Kind::ALL {
        for &size in sizes(kind, machine) {
            types.push(Type {
                name: format!("{kind:?} of {size}"),
                kind,
                size,
                members: Vec::new(),
            });
        }
    }
    let integer = types.iter().position(|one| one.kind == Kind::Int);
    let integer = integer.expect("an int") as u32;
    // Each scalar once and three times, without any alignment, and a flexible array at the end.
    let mut members = Vec::new();
    let mut size = 0;
    for count in [1, 3] {
        for (index, one) in types.iter().enumerate() {
            members.push(member(
                &format!("m{count}_{index}"),
                index as u32,
                size,
                count,
            ));
            size += count * one.size;
        }
    }
    members.push(member("flexible", integer, size, 0));
    types.push(structure("scalars", size, members));
    // Bit-fields of all widths, one right behind the other.
    let mut members = Vec::new();
    let mut start = 3;
    for width in 1..=64 {
        let mut one = member(&format!("b{width}"), integer, 0, 1);
        one.bits = Some(BitField {
            start,
            width,
            signed: width % 2 == 0,
        });
        members.push(one);
        start += u64::from(width);
    }
    types.push(structure("bits", start / 8 + 1, members));
    // Both in a struct, one of them anonymous.
    let (scalars, bits) = (types.len() as u32 - 2, types.len() as u32 - 1);
    let bits_size = types[bits as usize].size;
    let members = vec![
        member("", bits, 1, 1),
        member("twice", scalars, 1 + bits_size, 2),
    ];
    types.push(structure("both", 1 + bits_size + 2 * size, members));
    types
}

fn structure(name: &str, size: u64, members: Vec<Member>) -> Type {
    Type {
        name: format!("struct {name}"),
        kind: Kind::Struct,
        size,
        members,
    }
}

fn member(name: &str, type_index: u32, offset: u64, count: u64) -> Member {
    Member {
        name: name.to_owned(),
        type_index,
        offset,
        count,
        bits: None,
    }
}

fn sizes(kind: Kind, machine: &Machine) -> &'static [u64] {
    match kind {
        Kind::Bool | Kind::Char | Kind::SignedChar | Kind::UnsignedChar => &[1],
        Kind::Short | Kind::UnsignedShort => &[2],
        Kind::Int | Kind::UnsignedInt => &[1, 2, 4, 8],
        Kind::Long | Kind::UnsignedLong if machine.long == 4 => &[4],
        Kind::Float => &[4],
        Kind::Long | Kind::UnsignedLong | Kind::LongLong | Kind::UnsignedLongLong => &[8],
        Kind::Double | Kind::ComplexFloat => &[8],
        Kind::ComplexDouble => &[16],
        Kind::LongDouble if machine.long_double == 8 => &[8],
        Kind::LongDouble if machine.long_double == 12 => &[12],
        Kind::LongDouble => &[16],
        Kind::ComplexLongDouble if machine.long_double == 8 => &[16],
        Kind::ComplexLongDouble if machine.long_double == 12 => &[24],
        Kind::ComplexLongDouble => &[32],
        Kind::Pointer | Kind::Function if machine.pointer == 4 => &[4],
        Kind::Pointer | Kind::Function => &[8],
        Kind::Bytes => &[7],
        Kind::Handle => &[5],
        Kind::Struct => &[],
    }
}

/// Steele, Lea and Flood's splitmix.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        value ^ (value >> 31)
    }

    /// Memory of all elements of a type. Wherever a floating-point number may begin the rare ones are frequent: zero,
    /// infinity, NaN, subnormal.
    fn memory(&mut self, one: &Type, machine: &Machine) -> Vec<u8> {
        let mut memory = Vec::new();
        let half = match one.kind {
            Kind::ComplexFloat | Kind::ComplexDouble | Kind::ComplexLongDouble => one.size / 2,
            _ => one.size,
        } as usize;
        let wide = matches!(one.kind, Kind::LongDouble | Kind::ComplexLongDouble);
        while half > 0 && memory.len() < (ELEMENTS * one.size) as usize {
            let mut piece: Vec<u8> = (0..half).map(|_| self.next() as u8).collect();
            // The number itself, its sign and exponent last, as a little-endian machine has it.
            let length = match machine.long_double_format {
                LongDouble::X87 if wide => 10,
                LongDouble::DoubleDouble if wide => 8,
                _ => half,
            };
            let number = &mut piece[..length];
            let choice = self.next();
            if choice & 1 == 0 {
                let exponent =
                    [0, 0x8000, 0x7F80, 0x7FF0, 0x7FFF, 0xFFFF, 0x3FFF][choice as usize / 2 % 7];
                let fill = [0, 0xFF, 1][choice as usize / 32 % 3];
                let top = length.saturating_sub(2);
                number[..top].fill(fill);
                number[top..].copy_from_slice(&u16::to_le_bytes(exponent)[..length - top]);
                // The x87 has the bit before the point in its own place.
                if length == 10 && choice & 128 == 0 {
                    number[7] ^= 0x80;
                }
            }
            if machine.big_endian {
                number.reverse();
            }
            memory.extend(piece);
        }
        memory
    }
}
