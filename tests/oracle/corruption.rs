//! One register of a checkpoint file with other values, under right checksums: a file that a restart takes.
//!
//! The file has to be native: its data are the writer's memory, so a scalar is found by its offset, and all pointers follow
//! in one list. Registers of one name (activations of a recursion, a register that was renewed) are changed
//! together. Not here: what a restart makes of it.

use std::path::Path;

use cccp::format::{
    Checkpoint, Data, ERRORS, Encoding, Kind, Machine, PRINTED, Register, TEXT, TURNS, Type, write,
};
use cccp::store::{FileSystem, open};

/// What values become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Something that might be a value: one more, one and a half times as much and one more, another object.
    Another,
    /// Zero, no pointer.
    Nothing,
    /// All bits the other way round; no pointer.
    Flipped,
}

impl Change {
    /// The gentlest first: what gives itself away early saves the runs that might hang.
    pub const ALL: [Change; 3] = [Change::Another, Change::Nothing, Change::Flipped];
}

/// A register, or a member of one that is a struct.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// That registered it.
    pub function: String,
    /// The item as the user wrote it.
    pub register: String,
    /// Without the indices of arrays; empty when the elements are scalars.
    pub member: String,
}

impl std::fmt::Display for Part {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}:{}", self.function, self.register)?;
        match self.member.as_str() {
            "" => Ok(()),
            member => write!(out, " .{member}"),
        }
    }
}

/// Reads a checkpoint with all its data.
pub fn read(path: &Path) -> Checkpoint {
    let file = open(&FileSystem, path).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(file.checkpoint.header.encoding, Encoding::Native);
    let mut checkpoint = file.checkpoint.clone();
    for section in &mut checkpoint.sections {
        for register in &mut section.registers {
            register.data = Data::Encoded(file.load(register).expect("sound data"));
        }
    }
    checkpoint
}

/// Writes it.
pub fn put(checkpoint: &Checkpoint, path: &Path) {
    let mut bytes = Vec::new();
    write(checkpoint, 0, &mut bytes).expect("a checkpoint");
    let directory = path.parent().expect("a directory");
    std::fs::create_dir_all(directory).expect("the directory of a generation");
    std::fs::write(path, bytes).expect("a checkpoint file");
}

/// What can be changed, each once.
pub fn parts(checkpoint: &Checkpoint) -> Vec<Part> {
    let mut parts = Vec::new();
    let registers = checkpoint.sections.iter().flat_map(|one| &one.registers);
    // What a run has printed, how often it has met its loops, and what the program says, is no state; `errno` is hardly ever read.
    for register in
        registers.filter(|one| ![PRINTED, TEXT, TURNS, ERRORS].contains(&one.name.as_str()))
    {
        for leaf in leaves(&checkpoint.types, register) {
            let part = Part {
                function: checkpoint.functions[register.function as usize]
                    .name
                    .clone(),
                register: register.name.clone(),
                member: leaf.member,
            };
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
    }
    parts
}

/// Changes a part wherever it occurs. Whether anything is different now.
pub fn corrupt(checkpoint: &mut Checkpoint, part: &Part, change: Change) -> bool {
    let machine = checkpoint.header.machine.clone();
    let all = checkpoint.sections.iter().flat_map(|one| &one.registers);
    let target = all.map(|register| register.id).min().unwrap_or(0);
    let mut different = false;
    for register in checkpoint
        .sections
        .iter_mut()
        .flat_map(|one| &mut one.registers)
    {
        let function = &checkpoint.functions[register.function as usize].name;
        if *function != part.function || register.name != part.register {
            continue;
        }
        let leaves = leaves(&checkpoint.types, register);
        let Data::Encoded(data) = &mut register.data else {
            panic!("data that were not read");
        };
        let before = data.clone();
        let memory = (register.element_size * register.elements).next_multiple_of(4) as usize;
        let mut pointers = pointers(&data[memory..]);
        let per_element = leaves.iter().filter(|leaf| leaf.is_pointer()).count();
        for element in 0..register.elements as usize {
            let place = element * register.element_size as usize;
            let mut pointer = element * per_element;
            for leaf in &leaves {
                let meant = leaf.member == part.member;
                if leaf.is_pointer() {
                    if meant {
                        pointers[pointer] = redirected(&pointers[pointer], leaf, change, target);
                    }
                    pointer += 1;
                } else if meant {
                    leaf.change(&mut data[place..memory], change, &machine);
                }
            }
        }
        data.truncate(memory);
        data.extend(pointers.concat());
        different |= *data != before;
    }
    different
}

/// A scalar of an element.
struct Leaf {
    member: String,
    kind: Kind,
    offset: usize,
    size: usize,
    bits: Option<(u64, u32)>,
}

impl Leaf {
    fn is_pointer(&self) -> bool {
        matches!(self.kind, Kind::Pointer | Kind::Function)
    }

    fn change(&self, memory: &mut [u8], change: Change, machine: &Machine) {
        assert!(!machine.big_endian, "memory of this machine");
        if let Some((start, width)) = self.bits {
            return bits(memory, start, width, change);
        }
        let bytes = &mut memory[self.offset..self.offset + self.size];
        match (change, self.kind) {
            (_, Kind::Bool) => bytes[0] ^= u8::from(change != Change::Nothing || bytes[0] == 1),
            (Change::Nothing, _) => bytes.fill(0),
            (Change::Flipped, _) => bytes.iter_mut().for_each(|byte| *byte = !*byte),
            (_, Kind::Float | Kind::ComplexFloat) => {
                for word in bytes.chunks_exact_mut(4) {
                    let value = f32::from_le_bytes(word.try_into().expect("four bytes"));
                    word.copy_from_slice(&(value * 1.5 + 1.0).to_le_bytes());
                }
            }
            (_, Kind::Double | Kind::ComplexDouble) => {
                for word in bytes.chunks_exact_mut(8) {
                    let value = f64::from_le_bytes(word.try_into().expect("eight bytes"));
                    word.copy_from_slice(&(value * 1.5 + 1.0).to_le_bytes());
                }
            }
            // The sign.
            (_, Kind::LongDouble | Kind::ComplexLongDouble) => bytes[9] ^= 0x80,
            (_, Kind::Bytes) => bytes[0] = bytes[0].wrapping_add(1),
            _ => {
                for byte in bytes.iter_mut() {
                    *byte = byte.wrapping_add(1);
                    if *byte != 0 {
                        break;
                    }
                }
            }
        }
    }
}

fn bits(memory: &mut [u8], start: u64, width: u32, change: Change) {
    let places = (start..start + u64::from(width)).map(|bit| (bit as usize / 8, 1u8 << (bit % 8)));
    for (byte, mask) in places {
        match change {
            Change::Nothing => memory[byte] &= !mask,
            Change::Flipped => memory[byte] ^= mask,
            Change::Another => {
                memory[byte] ^= mask;
                // No carry.
                if memory[byte] & mask != 0 {
                    break;
                }
            }
        }
    }
}

/// The scalars of one element, in order.
fn leaves(types: &[Type], register: &Register) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    descend(
        types,
        register.type_index as usize,
        String::new(),
        0,
        &mut leaves,
    );
    leaves
}

fn descend(types: &[Type], index: usize, path: String, offset: usize, into: &mut Vec<Leaf>) {
    let own = &types[index];
    match own.kind {
        Kind::Handle => {}
        Kind::Struct => {
            for member in &own.members {
                let name = match (path.as_str(), member.name.as_str()) {
                    ("", name) => name.to_owned(),
                    (path, "") => path.to_owned(),
                    (path, name) => format!("{path}.{name}"),
                };
                let inner = &types[member.type_index as usize];
                if let Some(bits) = member.bits {
                    into.push(Leaf {
                        member: name,
                        kind: inner.kind,
                        offset,
                        size: 0,
                        bits: Some((offset as u64 * 8 + bits.start, bits.width)),
                    });
                    continue;
                }
                for place in 0..member.count {
                    let at = offset + (member.offset + place * inner.size) as usize;
                    descend(types, member.type_index as usize, name.clone(), at, into);
                }
            }
        }
        kind => into.push(Leaf {
            member: path,
            kind,
            offset,
            size: own.size as usize,
            bits: None,
        }),
    }
}

/// The pointers behind the memory, each with its bytes.
fn pointers(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let word = |bytes: &[u8], place: usize| {
        u32::from_be_bytes(bytes[place..place + 4].try_into().expect("four bytes"))
    };
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let length = match word(bytes, 0) {
            0 => 4,
            1 => 4 + 4 * 8,
            2 => 4 + 4 + 8,
            3 => 8 + word(bytes, 4).next_multiple_of(4) as usize,
            4 | 5 => 4 + 8,
            other => panic!("{other} is no kind of pointer"),
        };
        let (one, rest) = bytes.split_at(length);
        found.push(one.to_vec());
        bytes = rest;
    }
    found
}

/// Another pointer: to the first object of register `target`, or to nothing.
fn redirected(old: &[u8], leaf: &Leaf, change: Change, target: u64) -> Vec<u8> {
    let null = vec![0; 4];
    let mut other = vec![0, 0, 0, 1];
    other.extend(target.to_be_bytes());
    other.extend([0; 24]);
    match change {
        Change::Another if leaf.kind == Kind::Pointer && old != other => other,
        _ => null,
    }
}
