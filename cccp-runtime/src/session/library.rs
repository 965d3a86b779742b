//! What the library keeps for the program beside its items, as registers of a checkpoint.
//!
//! In: numbers in the order of this machine. Out: a register with the flag `LIBRARY` for each, which no directive names, and
//! the numbers back from a checkpoint of any machine. Not here: what they mean (`generators`).

use crate::format::{self, Data, FormatError, Kind, LIBRARY, PointerValue, Register, Type};
use crate::restore::Replay;

use super::Session;

/// What a checkpoint keeps of something.
pub(super) struct Kept {
    /// Of the register.
    pub name: String,
    /// Where the C library has it.
    pub address: usize,
    /// Of one element.
    pub kind: Kind,
    /// C's name of it.
    pub kind_name: &'static str,
    /// Bytes of one element.
    pub size: usize,
    /// In the order of this machine.
    pub bytes: Vec<u8>,
}

impl Kept {
    /// One number.
    pub(super) fn number(name: &str, number: u64) -> Kept {
        Kept::numbers(name, &[number])
    }

    /// Some numbers.
    pub(super) fn numbers(name: &str, numbers: &[u64]) -> Kept {
        Kept {
            name: name.to_string(),
            address: 0,
            kind: Kind::UnsignedLongLong,
            kind_name: "unsigned long long",
            size: 8,
            bytes: numbers.iter().flat_map(|one| one.to_ne_bytes()).collect(),
        }
    }

    /// A text, about what the C library has at an address.
    pub(super) fn text(name: String, address: usize, bytes: Vec<u8>) -> Kept {
        Kept {
            name,
            address,
            kind: Kind::Char,
            kind_name: "char",
            size: 1,
            bytes,
        }
    }
}

/// What the library keeps for the program, as registers from the number `next` on.
pub(super) fn library_registers(
    session: &Session,
    types: &mut Vec<Type>,
    kept: Vec<Kept>,
    next: u64,
    function: u32,
    line: u32,
) -> Result<Vec<Register>, FormatError> {
    let mut registers = Vec::with_capacity(kept.len());
    for (one, id) in kept.into_iter().zip(next..) {
        let found = Type {
            name: one.kind_name.to_string(),
            kind: one.kind,
            size: one.size as u64,
            members: Vec::new(),
        };
        let at = types.iter().position(|known| *known == found);
        let type_index = at.unwrap_or_else(|| {
            types.push(found);
            types.len() - 1
        }) as u32;
        let layout = format::Layout {
            types,
            machine: session.types.machine(),
        };
        let elements = (one.bytes.len() / one.size) as u64;
        let mut data = Vec::new();
        let mut resolve = |raw, _| PointerValue::Unresolved { address: raw };
        let encoding = session.encoding();
        format::encode(
            layout,
            type_index,
            &one.bytes,
            elements,
            encoding,
            &mut resolve,
            &mut data,
        )?;
        registers.push(Register {
            id,
            name: one.name,
            function,
            line,
            address: one.address as u64,
            element_size: one.size as u64,
            elements,
            extents: vec![elements],
            first: 0,
            type_index,
            flags: LIBRARY,
            data: Data::Encoded(data),
        });
    }
    Ok(registers)
}

impl Session {
    /// The numbers that a checkpoint keeps under a name; none where it keeps nothing of that name.
    pub(super) fn library_numbers(
        &self,
        replay: &mut Replay,
        name: &str,
    ) -> Result<Option<Vec<u64>>, String> {
        let saved = named(replay, name);
        let values =
            saved.map(|saved| self.library_values(replay, &saved, Kind::UnsignedLongLong, 8));
        values.transpose()
    }

    /// The same for a text.
    pub(super) fn library_text(
        &self,
        replay: &mut Replay,
        name: &str,
    ) -> Result<Option<Vec<u8>>, String> {
        let saved = named(replay, name);
        let text = saved.map(|saved| self.text_of(replay, &saved));
        text.transpose()
    }

    /// The text in a register of the library.
    pub(super) fn text_of(&self, replay: &mut Replay, saved: &Register) -> Result<Vec<u8>, String> {
        let values = self.library_values(replay, saved, Kind::Char, 1)?;
        Ok(values.into_iter().map(|one| one as u8).collect())
    }

    /// The elements of a register of the library.
    pub(super) fn library_values(
        &self,
        replay: &mut Replay,
        saved: &Register,
        kind: Kind,
        size: u64,
    ) -> Result<Vec<u64>, String> {
        let numbers = replay.file.numbers(saved, kind, size);
        numbers.map_err(|error| format!("{}: {error}", saved.name))
    }
}

/// The register of the library with a name.
fn named(replay: &Replay, name: &str) -> Option<Register> {
    replay.library.iter().find(|one| one.name == name).cloned()
}
