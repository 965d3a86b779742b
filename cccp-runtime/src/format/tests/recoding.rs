//! A file in another encoding says the same.

use super::random::{Random, fill};
use super::samples::{bytes, checkpoint, machine, member, scalar};
use super::streams::random_elements;
use super::values::{encoded, small};
use crate::format::*;

/// The file in another encoding.
fn rewritten(file: &[u8], encoding: Encoding, compress: u32) -> Vec<u8> {
    let file = File::open(Box::new(file.to_vec())).unwrap();
    let (mut out, mut done) = (Vec::new(), 0);
    let length = rewrite(&file, encoding, compress, &mut out, &mut |elements| {
        done += elements
    });
    assert_eq!(length.unwrap(), out.len() as u64);
    let sections = file.checkpoint.sections.iter();
    let elements = sections.flat_map(|section| &section.registers);
    assert_eq!(done, elements.map(|register| register.elements).sum());
    out
}

/// From data in any encoding come the XDR data that the writer would have written, and the way back changes no value.
fn there_and_back(all: &[Checkpoint], compress: u32) {
    let is_xdr = |one: &&Checkpoint| one.header.encoding == Encoding::Xdr;
    let xdr = all.iter().find(is_xdr).unwrap();
    let xdr = bytes(xdr, compress);
    assert!(rewritten(&xdr, Encoding::Xdr, compress) == xdr, "untouched");
    for made in all {
        let encoding = made.header.encoding;
        let own = bytes(made, 0);
        assert!(
            rewritten(&own, Encoding::Xdr, compress) == xdr,
            "{encoding:?}"
        );
        let again = rewritten(&xdr, encoding, compress);
        assert!(
            rewritten(&again, Encoding::Xdr, compress) == xdr,
            "{encoding:?}"
        );
        assert!(rewritten(&own, encoding, 0) == own, "untouched");
    }
}

/// A checkpoint with one register, in each encoding.
fn in_each(
    there: &Machine,
    types: &[Type],
    index: u32,
    memory: &[u8],
    count: u64,
) -> Vec<Checkpoint> {
    Encoding::ALL
        .map(|encoding| {
            let mut made = checkpoint(encoding);
            let layout = Layout {
                types,
                machine: there,
            };
            made.header.machine = there.clone();
            made.types = types.to_vec();
            (made.trace, made.plans) = (Trace::default(), Vec::new());
            let mut register = made.sections.swap_remove(0).registers.swap_remove(0);
            register.type_index = index;
            register.element_size = types[index as usize].size;
            (register.elements, register.extents) = (count, vec![count]);
            register.data = Data::Encoded(encoded(layout, index, memory, count, encoding));
            made.sections = vec![Section {
                number: 0,
                registers: vec![register],
            }];
            made
        })
        .to_vec()
}

#[test]
fn s23_a_file_in_another_encoding_says_the_same() {
    let trace = checkpoint(Encoding::Xdr).trace;
    let mut all = Encoding::ALL.map(checkpoint);
    // The values of the trace are XDR in every file.
    all.iter_mut().for_each(|one| one.trace = trace.clone());
    for compress in [0, 6] {
        there_and_back(&all, compress);
    }
}

#[test]
fn s23_every_type_of_every_machine_keeps_its_values_in_each_encoding() {
    let mut random = Random(21);
    let pair = Machine {
        long_double_format: LongDouble::DoubleDouble,
        ..machine(true)
    };
    for round in 0..800 {
        let there = &[machine(false), machine(true), small(), pair.clone()][round % 4];
        let (types, index, memory, count) = random_elements(&mut random, there);
        let all = in_each(there, &types, index, &memory, count);
        there_and_back(&all, 0);
    }
}

#[test]
fn s23_large_registers_are_recoded_in_pieces() {
    let here = machine(false);
    // A struct larger than a batch, with letters whose padding is in the middle, pointers at the end and bits between.
    let mut bits = member("low", 3, 0, 1);
    bits.bits = Some(BitField {
        start: 8 * 260_020,
        width: 5,
        signed: true,
    });
    let mut more = bits.clone();
    more.name = "high".to_string();
    more.bits = Some(BitField {
        start: 8 * 260_020 + 5,
        width: 9,
        signed: false,
    });
    let types = [
        scalar("double", Kind::Double, 8),
        scalar("void *", Kind::Pointer, 8),
        scalar("char", Kind::Char, 1),
        scalar("int", Kind::Int, 4),
        scalar("union", Kind::Bytes, 99_999),
        Type {
            members: vec![
                member("grid", 0, 0, 20_000),
                member("text", 2, 160_000, 1),
                member("either", 4, 160_001, 1),
                member("next", 1, 260_000, 2),
                bits,
                more,
            ],
            ..scalar("struct large", Kind::Struct, 260_024)
        },
    ];
    let layout = Layout {
        types: &types,
        machine: &here,
    };
    for (index, count) in [
        (5u32, 3u64),
        (4, 7),
        (2, 1_000_001),
        (0, 300_000),
        (1, 9000),
    ] {
        let size = types[index as usize].size;
        let mut memory = vec![0; (size * count) as usize];
        let mut random = Random(8);
        for element in memory.chunks_exact_mut(size as usize) {
            fill(layout, index, element, &mut random);
        }
        let all = in_each(&here, &types, index, &memory, count);
        there_and_back(&all, 1);
    }
}
