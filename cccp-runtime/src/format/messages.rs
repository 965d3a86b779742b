//! What a rank had counted of its messages at a checkpoint, and other numbers that the library keeps in registers.
//!
//! In: a file. Out: numbers. What they mean for a restart is decided elsewhere (`restore`).

use super::decode::decode;
use super::error::FormatError;
use super::model::{LIBRARY, Register};
use super::read::File;
use super::types::{Kind, Layout, Machine, Type};

/// The register's name.
pub const MESSAGES: &str = "messages";

/// No register of this name has more elements.
const MOST: u64 = 1024;

/// The numbers of the register [`MESSAGES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    /// The sum of these of all ranks is 0 when no message was in flight.
    pub number: u64,
    /// Requests of this rank that were not complete.
    pub in_flight: u64,
}

impl Messages {
    /// As the elements of the register.
    pub fn elements(&self) -> [u64; 2] {
        [self.number, self.in_flight]
    }

    /// Whether messages were in flight over the checkpoints of all ranks of a generation.
    pub fn cross(all: &[Messages]) -> bool {
        let sum = all
            .iter()
            .fold(0u64, |sum, one| sum.wrapping_add(one.number));
        sum != 0 || all.iter().any(|one| one.in_flight > 0)
    }

    /// What a file says; nothing where the program did not count.
    pub fn of(file: &File) -> Result<Option<Messages>, FormatError> {
        let numbers = kept::<2>(file, MESSAGES)?;
        Ok(numbers.map(|[number, in_flight]| Messages { number, in_flight }))
    }
}

/// The name of the register that says how often the program had met loops and conditions around checkpoints.
pub const TURNS: &str = "turns";

/// What a file says about that; nothing where the program did not count.
pub fn turns(file: &File) -> Result<Option<u64>, FormatError> {
    Ok(kept::<1>(file, TURNS)?.map(|[turns]| turns))
}

/// The name of the register that says what handles of MPI stand for, and where they are.
pub const HANDLES: &str = "handles of MPI";

/// The name of the register that says what makes objects of libraries again, and where they are.
pub const OBJECTS: &str = "objects of libraries";

/// The name of the register with a number of what the program's text says.
pub const TEXT: &str = "text of the program";

/// What a file says about that; nothing where the program did not tell.
pub fn text(file: &File) -> Result<Option<u64>, FormatError> {
    Ok(kept::<1>(file, TEXT)?.map(|[text]| text))
}

/// The name of the register that says which file standard output was, and how long.
pub const PRINTED: &str = "standard output";

/// The name of the register with the `errno` of each thread that had another one than 0.
pub const ERRORS: &str = "latest errors";

/// What a file says about that: device, number and length; nothing where it was no file.
pub fn printed(file: &File) -> Result<Option<[u64; 3]>, FormatError> {
    kept::<3>(file, PRINTED)
}

/// The first numbers of a register of the library; nothing where there is none.
fn kept<const N: usize>(file: &File, name: &str) -> Result<Option<[u64; N]>, FormatError> {
    let sections = file.checkpoint.sections.iter().rev();
    let mut registers = sections.flat_map(|section| section.registers.iter().rev());
    let is_it = |one: &&Register| one.flags & LIBRARY != 0 && one.name == name;
    let Some(register) = registers.find(is_it) else {
        return Ok(None);
    };
    let kind = file.checkpoint.types.get(register.type_index as usize);
    let numbers = match kind.map(|one| (one.kind, one.size, register.elements)) {
        // More may be told one day.
        Some((Kind::UnsignedLongLong, 8, 1..=MOST)) => {
            file.numbers(register, Kind::UnsignedLongLong, 8)?
        }
        _ => Vec::new(),
    };
    match numbers.first_chunk() {
        Some(numbers) => Ok(Some(*numbers)),
        None => Err(FormatError::Damaged {
            offset: 0,
            reason: format!("the register `{name}` does not hold as many numbers as it should"),
        }),
    }
}

impl File {
    /// The characters in a register of the library.
    pub fn characters(&self, register: &Register) -> Result<Vec<u8>, FormatError> {
        let kind = self.checkpoint.types.get(register.type_index as usize);
        if kind.is_none_or(|one| (one.kind, one.size) != (Kind::Char, 1)) {
            return Err(FormatError::Damaged {
                offset: 0,
                reason: format!("the register `{}` does not hold characters", register.name),
            });
        }
        let mut bytes = self.load(register)?;
        bytes.truncate(usize::try_from(register.elements).unwrap_or(usize::MAX));
        Ok(bytes)
    }

    /// The elements of a register of the library, as integers of this kind and size.
    pub fn numbers(
        &self,
        register: &Register,
        kind: Kind,
        size: u64,
    ) -> Result<Vec<u64>, FormatError> {
        let bytes = self.load(register)?;
        let own = [Type {
            name: String::new(),
            kind,
            size,
            members: Vec::new(),
        }];
        let program = Layout {
            types: &own,
            machine: &Machine::host(),
        };
        let mut memory = vec![0u8; (register.elements * size) as usize];
        decode(
            self.checkpoint.layout(),
            register.type_index,
            program,
            0,
            self.checkpoint.header.encoding,
            &bytes,
            register.elements,
            &mut |_| Ok(0),
            &mut memory,
        )?;
        let number = |one: &[u8]| match *one {
            [a] => u64::from(a),
            [a, b] => u64::from(u16::from_ne_bytes([a, b])),
            [a, b, c, d] => u64::from(u32::from_ne_bytes([a, b, c, d])),
            _ => one.try_into().map_or(0, u64::from_ne_bytes),
        };
        Ok(memory.chunks_exact(size as usize).map(number).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::tests::samples::{bytes, checkpoint, scalar};
    use crate::format::{Data, Encoding};

    const COUNTED: Messages = Messages {
        number: 0x0123_4567_89ab_cdef,
        in_flight: 3,
    };

    /// A file that holds what was counted.
    fn file() -> Vec<u8> {
        let mut sample = checkpoint(Encoding::Xdr);
        let kind = scalar("unsigned long long", Kind::UnsignedLongLong, 8);
        sample.types.push(kind);
        let last = sample.sections.last_mut().unwrap();
        last.registers.push(Register {
            id: 99,
            name: MESSAGES.to_string(),
            function: 0,
            line: 7,
            address: 0,
            element_size: 8,
            elements: 2,
            extents: vec![2],
            first: 0,
            type_index: sample.types.len() as u32 - 1,
            flags: LIBRARY,
            data: Data::Encoded(
                COUNTED
                    .elements()
                    .into_iter()
                    .flat_map(u64::to_be_bytes)
                    .collect(),
            ),
        });
        bytes(&sample, 0)
    }

    #[test]
    fn s17_what_was_counted_is_read_without_reading_the_whole_file() {
        for open in [File::open, File::glance] {
            let file = open(Box::new(file())).unwrap();
            assert_eq!(Messages::of(&file).unwrap(), Some(COUNTED));
        }
        let other = bytes(&checkpoint(Encoding::Native), 6);
        let other = File::glance(Box::new(other)).unwrap();
        assert_eq!(Messages::of(&other).unwrap(), None);
    }

    #[test]
    fn s24_whichever_bit_is_flipped_a_glance_finds_what_was_counted_or_an_error() {
        let good = file();
        for place in 0..good.len() * 8 {
            let mut bad = good.clone();
            bad[place / 8] ^= 1 << (place % 8);
            if let Ok(found) = File::glance(Box::new(bad)).and_then(|file| Messages::of(&file)) {
                assert_eq!(found, Some(COUNTED), "bit {place}");
            }
        }
    }

    #[test]
    fn s17_messages_cross_when_the_sum_is_not_zero_or_a_request_is_in_flight() {
        let one = |number, in_flight| Messages { number, in_flight };
        assert!(!Messages::cross(&[one(7, 0), one(7u64.wrapping_neg(), 0)]));
        assert!(Messages::cross(&[one(7, 0), one(8u64.wrapping_neg(), 0)]));
        assert!(Messages::cross(&[one(0, 0), one(0, 1)]));
    }
}
