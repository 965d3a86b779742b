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
    /// The sum of these of all ranks is 0 when no message was under way.
    pub number: u64,
    /// Requests of this rank that were not complete.
    pub in_flight: u64,
}

impl Messages {
    /// As the elements of the register.
    pub fn elements(&self) -> [u64; 2] {
        [self.number, self.in_flight]
    }

    /// Whether messages were under way over the checkpoints of all ranks of a generation.
    pub fn cross(all: &[Messages]) -> bool {
        let sum = all
            .iter()
            .fold(0u64, |sum, one| sum.wrapping_add(one.number));
        sum != 0 || all.iter().any(|one| one.in_flight > 0)
    }

    /// What a file says; nothing where the program did not count.
    pub fn of(file: &File) -> Result<Option<Messages>, FormatError> {
        let sections = file.checkpoint.sections.iter().rev();
        let mut registers = sections.flat_map(|section| section.registers.iter().rev());
        let is_it = |one: &&Register| one.flags & LIBRARY != 0 && one.name == MESSAGES;
        let Some(register) = registers.find(is_it) else {
            return Ok(None);
        };
        let kind = file.checkpoint.types.get(register.type_index as usize);
        let numbers = match kind.map(|one| (one.kind, one.size, register.elements)) {
            // More may be told one day.
            Some((Kind::UnsignedLongLong, 8, 2..=MOST)) => {
                file.numbers(register, Kind::UnsignedLongLong, 8)?
            }
            _ => Vec::new(),
        };
        match numbers[..] {
            [number, in_flight, ..] => Ok(Some(Messages { number, in_flight })),
            _ => Err(FormatError::Damaged {
                offset: 0,
                reason: format!("the register `{MESSAGES}` does not hold two numbers"),
            }),
        }
    }
}

impl File {
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
