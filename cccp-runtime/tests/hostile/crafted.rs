//! Files made to hurt: each is small, has right checksums, and asks for far more than it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cccp::format::{
    Checkpoint, Data, Encoding, File, Kind, Register, Section, Source, Type, Value, compatible,
    types,
};

use crate::anatomy::{Role, Seal, assemble, dissect};
use crate::everything::everything;
use crate::memory::most_during;
use crate::reader::{examine, search};
use crate::samples::{bytes, checkpoint, member, scalar};

/// Structs of two structs of two structs: every one doubles the members when they are spelt out.
fn doubling(levels: u32) -> Vec<Type> {
    let mut types = vec![scalar("char", Kind::Char, 1)];
    for level in 0..levels {
        let half = 1u64 << level;
        types.push(Type {
            members: vec![member("a", level, 0, 1), member("b", level, half, 1)],
            ..scalar("struct s", Kind::Struct, 2 * half)
        });
    }
    types
}

fn with_types(types: Vec<Type>) -> Checkpoint {
    Checkpoint {
        types,
        trace: Default::default(),
        plans: Vec::new(),
        sections: Vec::new(),
        ..checkpoint(Encoding::Xdr)
    }
}

#[test]
fn s25_types_that_grow_when_spelt_out_cost_what_they_are_on_disk() {
    let deepest = doubling(15);
    let mut hostile = with_types(deepest);
    // A value of the largest type, which nobody may spell out a thousand times.
    let value = Value {
        name: String::new(),
        type_index: 15,
        data: vec![0; 4 << 15],
    };
    let original = checkpoint(Encoding::Xdr);
    hostile.trace = original.trace;
    for node in &mut hostile.trace.nodes {
        node.arguments.clear();
        node.entries.retain(|_| false);
        node.active = None;
    }
    hostile.trace.roots = vec![0, 1];
    hostile.trace.nodes[0].arguments = vec![value; 100];
    assert_eq!(
        examine(bytes(&hostile, 0)).map(|found| found.types.len()),
        Ok(16)
    );
    let refused = examine(bytes(&with_types(doubling(40)), 0)).unwrap_err();
    assert!(refused.to_string().contains("members"), "{refused}");
}

#[test]
fn s25_a_type_of_the_file_is_spelt_out_no_further_than_that_of_the_program() {
    let machine = checkpoint(Encoding::Xdr).header.machine;
    let (file, program) = (doubling(15), doubling(3));
    let layout = |types| cccp::format::Layout {
        types,
        machine: &machine,
    };
    let (result, most) = most_during(|| compatible(layout(&file), 15, layout(&program), 3));
    assert!(result.is_err());
    assert!(most < 1 << 16, "{most} bytes");
    assert_eq!(types::leaf_count(&file, 15), 1 << 15);
}

#[test]
fn s25_many_small_things_are_read_once() {
    let mut sections = everything(Encoding::Xdr);
    sections.trace = Default::default();
    let empty = |number| Section {
        number,
        registers: Vec::new(),
    };
    sections.sections = (0..60_000).map(empty).collect();
    assert!(examine(bytes(&sections, 0)).is_ok_and(|found| found.sections.len() == 60_000));

    let mut arguments = everything(Encoding::Xdr);
    arguments.header.arguments = vec![Vec::new(); 200_000];
    assert!(examine(bytes(&arguments, 0)).is_ok());

    let mut registers = everything(Encoding::Native);
    registers.trace = Default::default();
    let all = registers.sections[2].registers[1].clone();
    registers.sections = vec![empty(0)];
    let register = |id| Register {
        id,
        name: String::new(),
        ..all.clone()
    };
    registers.sections[0].registers = (0..20_000).map(register).collect();
    assert!(examine(bytes(&registers, 0)).is_ok());
}

#[test]
fn s25_a_promise_gets_no_memory() {
    // 64 chunks of a few bytes, each of which promises a mebibyte and expands to nothing of the kind.
    let mut original = everything(Encoding::Xdr);
    original.trace = Default::default();
    let mut register = original.sections[0].registers[1].clone();
    register.elements = 64 << 17;
    register.extents = vec![register.elements];
    register.data = Data::Encoded(Vec::new());
    original.sections = vec![Section {
        number: 0,
        registers: vec![register],
    }];
    let mut fields = dissect(&bytes(&original, 0));
    let end = fields.iter().position(|field| field.what == "raw length");
    let end = end.expect("the register has no chunks");
    let stored = 1020u32;
    let chunk = [
        &(1u32 << 20).to_be_bytes()[..],
        &stored.to_be_bytes(),
        &vec![0x55; stored as usize],
    ];
    let mut chunks = fields[end].clone();
    fields[end].begins = None;
    chunks.role = Role::Content;
    chunks.bytes = std::rc::Rc::new(chunk.concat().repeat(64));
    fields.insert(end, chunks);
    let file = assemble(&fields, Seal::Lengths);
    let length = file.len();
    let opened = File::open(Box::new(file.clone())).expect("everything adds up");
    let register = &opened.checkpoint.sections[0].registers[0];
    let (result, most) = most_during(|| opened.load(register));
    assert!(result.is_err());
    assert!(
        most < 8 * length + (4 << 20),
        "{most} bytes for a promise of 64 MiB"
    );
    assert!(examine(file.clone()).is_err());
    search(file);
}

/// A file that can fail or change after a number of reads.
struct Fickle {
    bytes: Vec<u8>,
    reads: Arc<AtomicU64>,
    /// Reads that succeed.
    good: u64,
    /// What happens then: an error, or another bit.
    fails: bool,
}

impl Source for Fickle {
    fn length(&self) -> std::io::Result<u64> {
        self.bytes.length()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        self.bytes.read_at(offset, buffer)?;
        if self.reads.fetch_add(1, Ordering::Relaxed) < self.good {
            return Ok(());
        }
        if self.fails {
            return Err(std::io::Error::other("input/output error"));
        }
        if let Some(byte) = buffer.last_mut() {
            *byte ^= 4;
        }
        Ok(())
    }
}

#[test]
fn s25_a_disk_that_fails_or_forgets_between_two_reads_is_an_error_and_never_other_values() {
    for (encoding, compress) in [(Encoding::Xdr, 0), (Encoding::Native, 6)] {
        let original = everything(encoding);
        let good = bytes(&original, compress);
        for fails in [true, false] {
            for after in 0.. {
                let reads = Arc::new(AtomicU64::new(0));
                let source = Fickle {
                    bytes: good.clone(),
                    reads: reads.clone(),
                    good: after,
                    fails,
                };
                let read = File::open(Box::new(source)).and_then(|file| {
                    let mut found = file.checkpoint.clone();
                    for register in crate::reader::registers(&mut found) {
                        register.data = Data::Encoded(file.load(register)?);
                    }
                    Ok(found)
                });
                if reads.load(Ordering::Relaxed) <= after {
                    assert!(read.is_ok_and(|found| found == original));
                    break;
                }
                assert!(
                    read.is_err(),
                    "{encoding:?}: read {after} of the file was wrong"
                );
            }
        }
    }
}
