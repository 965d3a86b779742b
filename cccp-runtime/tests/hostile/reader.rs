//! Reads a file that may be hostile, and watches the reader: what it allocates, how much it reads, and whether what
//! it gives back is the file.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cccp::format::{
    Checkpoint, Data, Encoding, File, FormatError, Kind, Layout, PointerValue, Register, Scalar,
    Source, compatible, decode, encode, salvage,
};

use crate::memory::most_during;

/// A file that counts the bytes that are read of it.
struct Counted {
    bytes: Vec<u8>,
    read: Arc<AtomicU64>,
}

impl Source for Counted {
    fn length(&self) -> std::io::Result<u64> {
        self.bytes.length()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        self.read.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        self.bytes.read_at(offset, buffer)
    }
}

/// What the reader may hold beside the file: a window, a chunk, what the decompressor needs.
const BESIDE: usize = 4 << 20;
/// Fields grow when they become data: an empty text of 4 bytes is 24 bytes in memory, twice that while a list grows.
const PER_BYTE: usize = 24;

/// Opens a file and loads everything, with an eye on memory and reading.
pub fn examine(bytes: Vec<u8>) -> Result<Checkpoint, FormatError> {
    let length = bytes.len();
    let read = Arc::new(AtomicU64::new(0));
    let source = Counted {
        bytes,
        read: read.clone(),
    };
    let (opened, most) = most_during(|| File::open(Box::new(source)));
    assert!(
        most <= PER_BYTE * length + BESIDE,
        "{most} bytes allocated for a file of {length}"
    );
    let passes = read.swap(0, Ordering::Relaxed);
    assert!(
        passes <= 4 * length as u64 + (1 << 17),
        "{passes} bytes read of {length}"
    );
    let file = opened?;
    let mut checkpoint = file.checkpoint.clone();
    for register in registers(&mut checkpoint) {
        let promised = match &register.data {
            Data::InFile { length, .. } => *length as usize,
            Data::Encoded(_) => 0,
        };
        let (loaded, most) = most_during(|| file.load(register));
        let room = match &loaded {
            Ok(data) => 3 * data.len(),
            // What had expanded before the place where it goes wrong.
            Err(_) => 8 * length + 3 * promised.min(8 << 20),
        };
        assert!(
            most <= room + BESIDE,
            "{most} bytes allocated for {} of {promised}",
            register.name
        );
        let passes = read.swap(0, Ordering::Relaxed);
        assert!(passes <= 2 * length as u64, "{passes} bytes read again");
        stream(&file, register, length);
        read.store(0, Ordering::Relaxed);
        register.data = Data::Encoded(loaded?);
    }
    Ok(checkpoint)
}

/// Reads the values of a register one batch after the other: a chunk and a batch are in memory, whatever the types are.
fn stream(file: &File, register: &Register, length: usize) {
    let (result, most) = most_during(|| {
        let mut values = file.values(register)?;
        let (mut batch, mut given) = (Vec::new(), 0u64);
        while values.next(&mut batch)? {
            given += batch.iter().map(weight).sum::<u64>();
        }
        Ok::<u64, FormatError>(given)
    });
    let room = PER_BYTE * length + 3 * BESIDE;
    assert!(most <= room, "{most} bytes allocated for a stream");
    let (Ok(given), Data::InFile { length, .. }) = (result, &register.data) else {
        return;
    };
    let size = register.element_size.saturating_mul(register.elements);
    assert!(
        given <= size.saturating_mul(8).max(*length),
        "{given} scalars in {length} bytes"
    );
}

/// Scalars, where a piece of a union counts as its bytes.
fn weight(scalar: &Scalar) -> u64 {
    match scalar {
        Scalar::Bytes { bytes, .. } => bytes.len() as u64,
        _ => 1,
    }
}

/// Looks for what is left of a file. It may find something or not, but it stays within its bounds; and the registers it
/// calls sound can be read.
pub fn search(bytes: Vec<u8>) {
    let length = bytes.len();
    let read = Arc::new(AtomicU64::new(0));
    let source = Counted {
        bytes,
        read: read.clone(),
    };
    let (found, most) = most_during(|| salvage(Box::new(source)));
    assert!(
        most <= 2 * PER_BYTE * length + BESIDE,
        "{most} bytes allocated to search a file of {length}"
    );
    let passes = read.load(Ordering::Relaxed);
    assert!(
        passes <= 8 * length as u64 + (1 << 18),
        "{passes} bytes read of {length}"
    );
    let Some(file) = found.ok().and_then(|remains| remains.file) else {
        return;
    };
    let sections = file.checkpoint.sections.iter();
    for register in sections.flat_map(|section| &section.registers) {
        // Sealed compressed data that do not expand have a right checksum, and are an error all the same.
        let _ = file.load(register);
        stream(&file, register, length);
    }
}

/// All registers.
pub fn registers(checkpoint: &mut Checkpoint) -> impl Iterator<Item = &mut Register> {
    checkpoint
        .sections
        .iter_mut()
        .flat_map(|section| &mut section.registers)
}

/// Decodes every register into a program with the types of `original`. What comes out has to become the same bytes
/// again, where the types still are the same.
pub fn decode_all(found: &Checkpoint, original: &Checkpoint) {
    let file = Layout {
        types: &found.types,
        machine: &found.header.machine,
    };
    let program = Layout {
        types: &original.types,
        machine: &original.header.machine,
    };
    let same = found.types == original.types && found.header.machine == original.header.machine;
    let encoding = found.header.encoding;
    let all = original.sections.iter().flat_map(|one| &one.registers);
    let known: Vec<&Register> = all.collect();
    for register in found.sections.iter().flat_map(|one| &one.registers) {
        let Some(twin) = known.iter().find(|one| one.name == register.name) else {
            continue;
        };
        let Data::Encoded(data) = &register.data else {
            continue;
        };
        let size = program.types[twin.type_index as usize].size;
        let length = register.elements.saturating_mul(size);
        if length > 1 << 20 {
            continue;
        }
        let (from, to) = (register.type_index, twin.type_index);
        let fits = compatible(file, from, program, to).is_ok();
        let mut memory = vec![0; length as usize];
        let mut leads: Vec<PointerValue> = Vec::new();
        let mut place = |value: PointerValue| {
            let at = leads.iter().position(|known| *known == value);
            Ok(1 + at.unwrap_or_else(|| {
                leads.push(value);
                leads.len() - 1
            }) as u64)
        };
        let result = decode(
            file,
            from,
            program,
            to,
            encoding,
            data,
            register.elements,
            &mut place,
            &mut memory,
        );
        assert!(fits || result.is_err(), "{} does not fit", register.name);
        let kept = |kind: Kind| !matches!(kind, Kind::LongDouble | Kind::ComplexLongDouble);
        let exact = encoding == Encoding::Xdr && (kept(program.types[to as usize].kind));
        if result.is_ok() && same && exact && !has_wide(program, to) {
            let mut resolve = |address: u64, _| leads[address as usize - 1].clone();
            let mut again = Vec::new();
            encode(
                program,
                to,
                &memory,
                register.elements,
                encoding,
                &mut resolve,
                &mut again,
            )
            .expect("it was decoded");
            assert_eq!(
                &again, data,
                "{} came back as something else",
                register.name
            );
        }
    }
}

/// Whether there is a long double in it: a NaN of 128 bits has more bits than one of 80.
fn has_wide(layout: Layout, type_index: u32) -> bool {
    let kind = &layout.types[type_index as usize];
    matches!(kind.kind, Kind::LongDouble | Kind::ComplexLongDouble)
        || kind
            .members
            .iter()
            .any(|member| has_wide(layout, member.type_index))
}
