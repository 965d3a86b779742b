//! Values as a stream: the same as `decode` gives, in bounded memory, refused where `decode` refuses.

use super::random::{Random, fill, lay_out, shape};
use super::samples::{bytes, checkpoint, machine, member, scalar};
use super::values::{decoded, encoded, small};
use crate::format::*;

/// All scalars, with the pieces of unions put together again.
fn all(mut values: Values) -> Result<Vec<Scalar>, FormatError> {
    let (mut found, mut batch): (Vec<Scalar>, _) = (Vec::new(), Vec::new());
    let mut open = false;
    while values.next(&mut batch)? {
        assert!(batch.len() <= 1 << 20);
        for one in batch.drain(..) {
            let goes_on = matches!(one, Scalar::Bytes { more: true, .. });
            match (open, found.last_mut(), one) {
                (true, Some(Scalar::Bytes { bytes, .. }), Scalar::Bytes { bytes: next, .. }) => {
                    *bytes = [&bytes[..], &next[..]].concat().into();
                }
                (_, _, one) => found.push(one),
            }
            open = goes_on;
        }
    }
    assert!(!values.next(&mut batch)? && batch.is_empty());
    Ok(found)
}

/// Puts scalars into the memory of an element: the opposite of the stream, as simple as possible.
fn store(
    layout: Layout,
    index: u32,
    memory: &mut [u8],
    scalars: &mut impl Iterator<Item = Scalar>,
) {
    let kind = &layout.types[index as usize];
    let big = layout.machine.big_endian;
    match kind.kind {
        Kind::Struct => {
            for part in &kind.members {
                if let Some(bits) = part.bits {
                    match scalars.next() {
                        Some(Scalar::Signed(value)) => {
                            number::put_bits(value.into(), memory, bits, big)
                        }
                        Some(Scalar::Unsigned(value)) => {
                            number::put_bits(value.into(), memory, bits, big)
                        }
                        other => panic!("{other:?}"),
                    }
                    continue;
                }
                let size = layout.types[part.type_index as usize].size as usize;
                for element in 0..part.count as usize {
                    let place = &mut memory[part.offset as usize + element * size..][..size];
                    store(layout, part.type_index, place, scalars);
                }
            }
            return;
        }
        Kind::Handle => return,
        _ if memory.is_empty() => return,
        _ => {}
    }
    let half = memory.len() / 2;
    let put = |bits: u128, memory: &mut [u8]| number::put(bits as i128, big, memory);
    match scalars.next().expect("a scalar for every leaf") {
        Scalar::Bool(value) => memory[0] = u8::from(value),
        Scalar::Character(value) => memory[0] = value,
        Scalar::Signed(value) => put(i128::from(value) as u128, memory),
        Scalar::Unsigned(value) => put(value.into(), memory),
        Scalar::Float(value) => put(value.to_bits().into(), memory),
        Scalar::Double(value) => put(value.to_bits().into(), memory),
        Scalar::LongDouble(value) => value.wide().store(memory, layout.machine).unwrap(),
        Scalar::ComplexFloat(real, imaginary) => {
            put(real.to_bits().into(), &mut memory[..half]);
            put(imaginary.to_bits().into(), &mut memory[half..]);
        }
        Scalar::ComplexDouble(real, imaginary) => {
            put(real.to_bits().into(), &mut memory[..half]);
            put(imaginary.to_bits().into(), &mut memory[half..]);
        }
        Scalar::ComplexLongDouble(parts) => {
            for (part, memory) in parts.iter().zip(memory.chunks_exact_mut(half)) {
                part.wide().store(memory, layout.machine).unwrap();
            }
        }
        Scalar::Pointer(value) => match *value {
            PointerValue::Image { offset } => put(offset.into(), memory),
            PointerValue::Null => put(0, memory),
            other => panic!("{other:?}"),
        },
        Scalar::Bytes { bytes, more } => {
            assert!(!more);
            memory.copy_from_slice(&bytes);
        }
    }
}

/// Random elements of a random type: types, index, memory, count.
pub(super) fn random_elements(
    random: &mut Random,
    machine: &Machine,
) -> (Vec<Type>, u32, Vec<u8>, u64) {
    let shape = shape(random, 3, false);
    let mut types = Vec::new();
    let (index, _) = lay_out(&shape, machine, &mut types);
    let (size, count) = (types[index as usize].size, random.next(4));
    let mut memory = vec![0; (size * count) as usize];
    let layout = Layout {
        types: &types,
        machine,
    };
    for element in 0..count as usize {
        fill(
            layout,
            index,
            &mut memory[element * size as usize..][..size as usize],
            random,
        );
    }
    (types, index, memory, count)
}

#[test]
fn s23_a_stream_gives_the_values_that_decoding_gives() {
    let mut random = Random(11);
    let pair = Machine {
        long_double_format: LongDouble::DoubleDouble,
        ..machine(true)
    };
    for round in 0..4000 {
        let all_machines = [machine(false), machine(true), small(), pair.clone()];
        let there = &all_machines[round % 4];
        let (types, index, memory, count) = random_elements(&mut random, there);
        let layout = Layout {
            types: &types,
            machine: there,
        };
        for encoding in Encoding::ALL {
            let data = encoded(layout, index, &memory, count, encoding);
            let decoding = decoded((layout, layout), index, &data, count, encoding).unwrap();
            let scalars = all(Values::of_memory(layout, encoding, index, count, &data).unwrap());
            let scalars = scalars.unwrap();
            assert_eq!(
                scalars.len() as u64,
                count * scalar_count(&types, index),
                "{round}"
            );
            let mut again = vec![0; memory.len()];
            let mut scalars = scalars.into_iter();
            let size = types[index as usize].size.max(1) as usize;
            for element in again.chunks_exact_mut(size) {
                store(layout, index, element, &mut scalars);
            }
            assert_eq!(again, decoding, "{round} {encoding:?}");
        }
    }
}

#[test]
fn s25_a_stream_of_damaged_values_ends_and_refuses_what_decoding_refuses() {
    let mut random = Random(12);
    for _ in 0..3000 {
        let here = machine(false);
        let (types, index, memory, count) = random_elements(&mut random, &here);
        let layout = Layout {
            types: &types,
            machine: &here,
        };
        for encoding in Encoding::ALL {
            let mut data = encoded(layout, index, &memory, count, encoding);
            match random.next(3) {
                0 => data.truncate(random.next(data.len() as u64 + 1) as usize),
                1 => data.extend_from_slice(&[0; 4]),
                _ if !data.is_empty() => {
                    let place = random.next(data.len() as u64) as usize;
                    data[place] ^= 1 << random.next(8);
                }
                _ => {}
            }
            let streamed = Values::of_memory(layout, encoding, index, count, &data).and_then(all);
            let decoding = decoded((layout, layout), index, &data, count, encoding);
            // Where a pointer leads is the business of whoever decodes, and so is what his own numbers can hold.
            let placed = !matches!(&decoding, Err(FormatError::Value { reason, .. })
                if reason.contains('{') || reason.contains("Null") || reason.contains("address")
                || reason.contains("(rounded here)"));
            if placed {
                let sides = (streamed.err(), decoding.err());
                assert_eq!(sides.0.is_none(), sides.1.is_none(), "{sides:?}");
            }
        }
    }
}

#[test]
fn s23_registers_of_many_chunks_are_streamed_from_their_file() {
    // struct { double x; struct s *next; char tag[3]; } and a struct that is larger than a batch.
    for (encoding, compress) in [
        (Encoding::Xdr, 0),
        (Encoding::Xdr, 1),
        (Encoding::Native, 0),
        (Encoding::Native, 1),
    ] {
        let mut original = checkpoint(encoding);
        let here = original.header.machine.clone();
        original.types.push(scalar("void *", Kind::Pointer, 8));
        let pointer = original.types.len() as u32 - 1;
        original.types.push(Type {
            members: vec![
                member("x", 0, 0, 1),
                member("next", pointer, 8, 1),
                member("tag", 2, 16, 3),
            ],
            ..scalar("struct small", Kind::Struct, 24)
        });
        original.types.push(Type {
            members: vec![
                member("grid", 0, 0, 200_000),
                member("next", pointer, 1_600_000, 2),
                member("text", 2, 1_600_016, 100_001),
            ],
            ..scalar("struct large", Kind::Struct, 1_700_024)
        });
        let types = original.types.clone();
        let layout = Layout {
            types: &types,
            machine: &here,
        };
        for (index, count) in [(pointer + 1, 150_000u64), (pointer + 2, 3)] {
            let size = types[index as usize].size;
            let mut memory = vec![0; (size * count) as usize];
            let mut random = Random(5);
            for element in memory.chunks_exact_mut(size as usize) {
                fill(layout, index, element, &mut random);
            }
            let register = &mut original.sections[0].registers[0];
            register.data = Data::Encoded(encoded(layout, index, &memory, count, encoding));
            register.type_index = index;
            register.element_size = size;
            register.elements = count;
            register.extents = vec![count];
            let file = File::open(Box::new(bytes(&original, compress))).unwrap();
            let register = &file.checkpoint.sections[0].registers[0];
            let mut scalars = all(file.values(register).unwrap()).unwrap().into_iter();
            let mut again = vec![0; memory.len()];
            for element in again.chunks_exact_mut(size as usize) {
                store(layout, index, element, &mut scalars);
            }
            assert!(again == memory, "{encoding:?} {compress} {count}");
        }
    }
}

#[test]
fn a_scalar_has_the_name_that_a_user_would_write() {
    let types = &checkpoint(Encoding::Xdr).types;
    let names = |index| {
        let names = (0..).map_while(move |number| scalar_name(types, index, number));
        names.take(100).collect::<Vec<_>>()
    };
    assert_eq!(names(0), [""]);
    assert_eq!(
        names(5),
        [
            "position[0]",
            "position[1]",
            "position[2]",
            "next",
            "level",
            "mask",
            "tag[0]",
            "tag[1]",
            "tag[2]",
            "tag[3]",
            "tag[4]",
            "tag[5]",
            "id"
        ]
    );
    assert_eq!(scalar_count(types, 5), 13);
    let handle = [scalar("MPI_Comm", Kind::Handle, 8)];
    assert_eq!(scalar_name(&handle, 0, 0), None);
}
