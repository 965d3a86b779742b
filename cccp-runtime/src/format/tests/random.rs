//! Random types and values, on machines of both byte orders and sizes.

use super::samples::{machine, member, scalar};
use super::values::{decoded, encoded, small};
use crate::format::*;

/// Deterministic random numbers.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % below
    }
}

/// A member: its shape, how many, and width and sign when it is a bit-field.
pub(super) type Part = (Shape, u64, Option<(u32, bool)>);

/// A type without sizes; those come from a machine.
pub(super) enum Shape {
    Scalar(Kind),
    Struct(Vec<Part>),
}

pub(super) fn shape(random: &mut Random, depth: u32, portable: bool) -> Shape {
    if depth > 0 && random.next(3) > 0 {
        let members = (0..=random.next(6)).map(|_| match random.next(8) {
            0 => (
                Shape::Scalar(Kind::Int),
                1,
                Some((1 + random.next(31) as u32, true)),
            ),
            1 => (
                Shape::Scalar(Kind::UnsignedLongLong),
                1,
                Some((1 + random.next(63) as u32, false)),
            ),
            _ => (shape(random, depth - 1, portable), random.next(4), None),
        });
        return Shape::Struct(members.collect());
    }
    let kind = Kind::ALL[random.next(23) as usize];
    match kind {
        Kind::Struct => Shape::Scalar(Kind::Double),
        Kind::Bytes if portable => Shape::Scalar(Kind::Char),
        kind => Shape::Scalar(kind),
    }
}

/// Lays a shape out as a compiler would (bit-fields packed after whole bytes). Gives index and alignment.
pub(super) fn lay_out(shape: &Shape, machine: &Machine, types: &mut Vec<Type>) -> (u32, u64) {
    let size = match shape {
        Shape::Scalar(kind) => match kind {
            Kind::Bool | Kind::Char | Kind::SignedChar | Kind::UnsignedChar => 1,
            Kind::Short | Kind::UnsignedShort => 2,
            Kind::Int | Kind::UnsignedInt | Kind::Float | Kind::Handle => 4,
            Kind::Long | Kind::UnsignedLong => u64::from(machine.long),
            Kind::LongDouble => u64::from(machine.long_double),
            Kind::ComplexLongDouble => 2 * u64::from(machine.long_double),
            Kind::Pointer | Kind::Function => u64::from(machine.pointer),
            Kind::ComplexDouble => 16,
            Kind::Bytes => 13,
            _ => 8,
        },
        Shape::Struct(members) => {
            let (mut bit, mut widest, mut laid) = (0u64, 1, Vec::new());
            for (index, (shape, count, bits)) in members.iter().enumerate() {
                let (type_index, alignment) = lay_out(shape, machine, types);
                let name = format!("m{index}");
                if let Some((width, signed)) = *bits {
                    let field = Some(BitField {
                        start: bit,
                        width,
                        signed,
                    });
                    laid.push(Member {
                        bits: field,
                        ..member(&name, type_index, 0, 1)
                    });
                    bit += u64::from(width);
                } else {
                    let offset = bit.div_ceil(8).next_multiple_of(alignment);
                    laid.push(member(&name, type_index, offset, *count));
                    bit = (offset + count * types[type_index as usize].size) * 8;
                    widest = widest.max(alignment);
                }
            }
            let size = bit.div_ceil(8).next_multiple_of(widest);
            types.push(Type {
                members: laid,
                ..scalar("struct s", Kind::Struct, size)
            });
            return (types.len() as u32 - 1, widest);
        }
    };
    let Shape::Scalar(kind) = shape else {
        unreachable!("structs are laid out above")
    };
    types.push(scalar("scalar", *kind, size));
    (
        types.len() as u32 - 1,
        if size.is_power_of_two() {
            size.min(8)
        } else {
            1
        },
    )
}

/// Fills an element with values that every machine has; padding and handles stay zero.
pub(super) fn fill(layout: Layout, index: u32, memory: &mut [u8], random: &mut Random) {
    let kind = &layout.types[index as usize];
    let big = layout.machine.big_endian;
    let wide = |memory: &mut [u8], random: &mut Random| {
        let value = random.next(1 << 31) as f64 / 7.0 - 1e8;
        let bits = long_double::Wide::load(
            &value.to_be_bytes(),
            &Machine {
                big_endian: true,
                ..small()
            },
        );
        bits.store(memory, layout.machine).unwrap();
    };
    match kind.kind {
        Kind::Struct => {
            for part in &kind.members {
                if let Some(bits) = part.bits {
                    let value = random.next(1 << bits.width.min(30)) as i128;
                    let half = if bits.signed {
                        1 << (bits.width - 1)
                    } else {
                        0
                    };
                    number::put_bits(value - half, memory, bits, big);
                    continue;
                }
                let size = layout.types[part.type_index as usize].size as usize;
                for element in 0..part.count as usize {
                    fill(
                        layout,
                        part.type_index,
                        &mut memory[part.offset as usize + element * size..][..size],
                        random,
                    );
                }
            }
        }
        Kind::Handle => {}
        Kind::Bool => memory[0] = random.next(2) as u8,
        Kind::LongDouble => wide(memory, random),
        Kind::ComplexLongDouble => {
            let (real, imaginary) = memory.split_at_mut(layout.machine.long_double as usize);
            wide(real, random);
            wide(imaginary, random);
        }
        Kind::Pointer | Kind::Function => number::put(random.next(1 << 30).into(), big, memory),
        kind if kind.is_integer() => {
            let bits = memory.len().min(4) as u32 * 8;
            let half = if kind.is_signed() {
                1i128 << (bits - 1)
            } else {
                0
            };
            number::put(
                i128::from(random.next(1 << bits.min(30))) - half,
                big,
                memory,
            );
        }
        _ => memory
            .iter_mut()
            .for_each(|byte| *byte = random.next(256) as u8),
    }
}

#[test]
fn s15_every_type_comes_back_bit_for_bit_in_both_encodings() {
    let mut random = Random(1);
    for round in 0..3000 {
        let here = [machine(false), machine(true), small()][round % 3].clone();
        let shape = shape(&mut random, 3, false);
        let mut types = Vec::new();
        let (index, _) = lay_out(&shape, &here, &mut types);
        types::check(&types, &here).unwrap();
        let layout = Layout {
            types: &types,
            machine: &here,
        };
        let (size, count) = (types[index as usize].size, random.next(4));
        let mut memory = vec![0; (size * count) as usize];
        for element in 0..count as usize {
            fill(
                layout,
                index,
                &mut memory[element * size as usize..][..size as usize],
                &mut random,
            );
        }
        for encoding in Encoding::ALL {
            let bytes = encoded(layout, index, &memory, count, encoding);
            assert_eq!(
                decoded((layout, layout), index, &bytes, count, encoding).unwrap(),
                memory,
                "{round}"
            );
            if !bytes.is_empty() {
                let short = &bytes[..bytes.len() - 1];
                assert!(decoded((layout, layout), index, short, count, encoding).is_err());
            }
            let longer = [&bytes[..], &[0; 4]].concat();
            assert!(decoded((layout, layout), index, &longer, count, encoding).is_err());
        }
    }
}

#[test]
fn s23_both_encodings_are_read_on_every_machine() {
    let mut random = Random(2);
    for round in 0..3000 {
        let all = [
            machine(false),
            machine(true),
            small(),
            Machine {
                big_endian: true,
                ..small()
            },
        ];
        let (here, there) = (&all[round % 4], &all[random.next(4) as usize]);
        let shape = shape(&mut random, 3, true);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let (index, _) = lay_out(&shape, here, &mut ours);
        lay_out(&shape, there, &mut theirs);
        let (ours, theirs) = (
            Layout {
                types: &ours,
                machine: here,
            },
            Layout {
                types: &theirs,
                machine: there,
            },
        );
        let (size, count) = (ours.types[index as usize].size, random.next(4));
        let mut memory = vec![0; (size * count) as usize];
        for element in 0..count as usize {
            fill(
                ours,
                index,
                &mut memory[element * size as usize..][..size as usize],
                &mut random,
            );
        }
        for encoding in Encoding::ALL {
            let bytes = encoded(ours, index, &memory, count, encoding);
            let away = decoded((ours, theirs), index, &bytes, count, encoding).unwrap();
            let bytes = encoded(theirs, index, &away, count, encoding);
            assert_eq!(
                decoded((theirs, ours), index, &bytes, count, encoding).unwrap(),
                memory,
                "{round}"
            );
        }
    }
}

#[test]
fn s25_random_bytes_never_crash_the_decoder() {
    let mut random = Random(3);
    for _ in 0..3000 {
        let here = machine(false);
        let shape = shape(&mut random, 3, false);
        let mut types = Vec::new();
        let (index, _) = lay_out(&shape, &here, &mut types);
        let layout = Layout {
            types: &types,
            machine: &here,
        };
        let bytes: Vec<u8> = (0..random.next(200))
            .map(|_| random.next(256) as u8 & random.next(256) as u8)
            .collect();
        for encoding in Encoding::ALL {
            let _ = decoded((layout, layout), index, &bytes, random.next(4), encoding);
        }
    }
}

#[test]
fn s13_a_place_in_an_element_survives_a_change_of_layout() {
    let mut random = Random(4);
    for _ in 0..500 {
        let here = machine(false);
        let shape = shape(&mut random, 3, true);
        let mut types = Vec::new();
        let (index, _) = lay_out(&shape, &here, &mut types);
        for offset in 0..types[index as usize].size {
            let (leaf, byte) = types::leaf_at(&types, index, offset);
            assert_eq!(types::offset_of(&types, index, leaf, byte), Some(offset));
        }
        assert_eq!(
            types::offset_of(&types, index, types::leaf_count(&types, index) + 1, 0),
            None
        );
    }
}
