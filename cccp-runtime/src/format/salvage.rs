//! What is left of a damaged file.
//!
//! In: a file that `File::open` refuses. Out: which parts are sound by their own CRC-32, what is wrong with the others
//! and where, and a [`File`] with the registers whose values can still be read. The data of a register have a CRC-32
//! of their own, and so have header, description and the heads of each section; a part whose checksum is right says
//! what was written, whatever happened to the others.
//!
//! Never for a restart: a program continues from whole files only. Nothing is guessed: where a length is destroyed,
//! what follows is lost.

use std::collections::{BTreeMap, HashSet};

use crc32fast::Hasher;

use super::FormatError;
use super::consistency;
use super::envelope::TRAILER;
use super::head::{announced, start};
use super::lengths::Lengths;
use super::model::{Checkpoint, Data, Header, Register, Section};
use super::read::{Description, File, Reader, verify};
use super::source::{Source, Window, read_at};

/// The longest part that is held in memory: of a damaged file no length is believed.
const LONGEST_PART: u64 = 1 << 26;

/// What is left of a damaged file.
#[derive(Debug)]
pub struct Remains {
    /// Bytes of the file.
    pub length: u64,
    /// Version of the format: major, minor.
    pub version: (u32, u32),
    /// The header, if it is sound.
    pub header: Option<Header>,
    /// Header, description, and the registers whose values can be read; none when header or description are damaged.
    pub file: Option<File>,
    /// All registers that were found.
    pub registers: Vec<Remnant>,
    /// What is wrong, in the order of the file.
    pub damage: Vec<Damage>,
}

/// A register of a damaged file.
#[derive(Debug)]
pub struct Remnant {
    /// Number of its section.
    pub section: u64,
    /// Its head.
    pub register: Register,
    /// Whether the checksum of the section vouches for the head; it cannot when the file ends within the section.
    pub is_certain: bool,
    /// Whether its data are those that were written, and it is known what they are.
    pub data: Result<(), FormatError>,
    width: usize,
}

/// Something that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Which part of the file, in words.
    pub part: String,
    /// What is wrong, and where.
    pub error: FormatError,
}

/// Finds out what is left of a file. An error means: not a checkpoint file, of a newer version, or not readable.
pub fn salvage(source: Box<dyn Source>) -> Result<Remains, FormatError> {
    let (version, length) = start(&*source)?;
    // The end of a file that was cut short is not its end.
    let end = match announced(&*source, length)? {
        true => length - TRAILER,
        false => length,
    };
    let window = Window::new(&*source, 0, end);
    let mut walk = Walk {
        reader: Reader::new(window, version.1, LONGEST_PART),
        damage: Vec::new(),
        registers: Vec::new(),
    };
    let header = walk.part("header", 24, |reader| reader.header());
    let description = match header {
        Err(Lost::Way) => Err(Lost::Way),
        _ => walk.part("description", 8, |reader| reader.description()),
    };
    if !matches!(description, Err(Lost::Way)) {
        walk.sections(end);
    }
    let Walk {
        mut damage,
        mut registers,
        ..
    } = walk;
    for one in &mut registers {
        if one.data.is_ok()
            && let Err(error) = check_data(&*source, &one.register)
        {
            note(
                &mut damage,
                format!("register {}", one.register.name),
                &error,
            );
            one.data = Err(error);
        }
    }
    if damage.is_empty()
        && let Err(error) = verify(&*source, length)
    {
        note(&mut damage, "end of the file".to_string(), &error);
    }
    let header = header.ok();
    let file = match (&header, description.ok()) {
        (Some(header), Some(description)) => {
            assemble(header, description, &mut registers, &mut damage).map(|checkpoint| {
                let readable = registers.iter().filter(|one| one.data.is_ok());
                let mut widths: Vec<_> = readable.map(|one| (one.register.id, one.width)).collect();
                widths.sort_unstable();
                File {
                    checkpoint,
                    minor: version.1,
                    length,
                    source,
                    widths,
                }
            })
        }
        _ => None,
    };
    Ok(Remains {
        length,
        version,
        header,
        file,
        registers,
        damage,
    })
}

fn note(damage: &mut Vec<Damage>, part: String, error: &FormatError) {
    let error = error.clone();
    damage.push(Damage { part, error });
}

/// Why a part is not there.
enum Lost {
    /// It is damaged, but it is known where the next one begins.
    Part,
    /// Nobody knows where the next one begins.
    Way,
}

struct Walk<'a> {
    reader: Reader<'a>,
    damage: Vec<Damage>,
    registers: Vec<Remnant>,
}

impl<'a> Walk<'a> {
    /// A part of the head, whose length stands in its first `before` bytes.
    fn part<T>(
        &mut self,
        name: &str,
        before: u64,
        get: impl FnOnce(&mut Reader<'a>) -> Result<T, FormatError>,
    ) -> Result<T, Lost> {
        let start = self.reader.window.position();
        get(&mut self.reader).map_err(|error| {
            note(&mut self.damage, name.to_string(), &error);
            // The reader passes over a part before it looks at it, if the length can be.
            match self.reader.window.position() > start + before {
                true => Lost::Part,
                false => Lost::Way,
            }
        })
    }

    fn sections(&mut self, end: u64) {
        let mut place = "number of sections".to_string();
        if let Err(error) = self.try_sections(end, &mut place) {
            note(&mut self.damage, place, &error);
        }
    }

    fn try_sections(&mut self, end: u64, place: &mut String) -> Result<(), FormatError> {
        let count = self.reader.window.u32()?;
        for _ in 0..count {
            *place = "the next section".to_string();
            let mut hasher = Hasher::new();
            let (number, registers) = (self.reader.window.u64()?, self.reader.window.u32()?);
            hasher.update(&number.to_be_bytes());
            hasher.update(&registers.to_be_bytes());
            let first = self.registers.len();
            for index in 0..registers {
                *place = format!("section {number}, register {} of {registers}", index + 1);
                let (register, width) = self.reader.register(&mut hasher)?;
                *place = format!("section {number}, data of register {}", register.name);
                self.registers.push(Remnant {
                    section: number,
                    register,
                    is_certain: false,
                    data: Ok(()),
                    width,
                });
                let last = self.registers.len() - 1;
                let one = &mut self.registers[last];
                if let Err(error) = self.reader.data(&mut one.register, &mut hasher) {
                    one.data = Err(error.clone());
                    // What follows cannot be found.
                    return Err(error);
                }
            }
            *place = format!("section {number}");
            if self.reader.window.u32()? == hasher.finalize() {
                self.registers[first..]
                    .iter_mut()
                    .for_each(|one| one.is_certain = true);
            } else {
                let error = self
                    .reader
                    .window
                    .damaged(format!("CRC-32 of section {number} does not match"));
                // A head among them is wrong, and with it what its values would be taken for.
                for one in &mut self.registers[first..] {
                    one.data = Err(error.clone());
                }
                note(&mut self.damage, place.clone(), &error);
            }
        }
        *place = "end of the sections".to_string();
        match self.reader.window.position() == end {
            true => Ok(()),
            false => Err(self
                .reader
                .window
                .damaged("bytes between the last section and the end")),
        }
    }
}

/// Compares the data of a register with their CRC-32.
fn check_data(source: &dyn Source, register: &Register) -> Result<(), FormatError> {
    let Data::InFile {
        offset,
        stored,
        checksum,
        ..
    } = register.data
    else {
        return Ok(());
    };
    let mut hasher = Hasher::new();
    let mut buffer = vec![0; stored.min(1 << 20) as usize];
    let mut done = 0;
    while done < stored {
        let size = (stored - done).min(buffer.len() as u64) as usize;
        read_at(source, offset + done, &mut buffer[..size])?;
        hasher.update(&buffer[..size]);
        done += size as u64;
    }
    let computed = hasher.finalize();
    match computed == checksum {
        true => Ok(()),
        false => Err(FormatError::Damaged {
            offset,
            reason: format!(
                "CRC-32 of the {stored} bytes from here is {computed:08x}, not {checksum:08x}"
            ),
        }),
    }
}

/// A checkpoint of the parts that are sound and fit together.
fn assemble(
    header: &Header,
    (types, functions, trace, plans): Description,
    registers: &mut [Remnant],
    damage: &mut Vec<Damage>,
) -> Option<Checkpoint> {
    let mut checkpoint = Checkpoint {
        header: header.clone(),
        types,
        functions,
        plans,
        trace,
        sections: Vec::new(),
    };
    if let Err(error) = consistency::head(&checkpoint) {
        note(damage, "description".to_string(), &error);
        return None;
    }
    let lengths = Lengths::new(checkpoint.layout(), header.encoding);
    let (mut ids, mut sections) = (HashSet::new(), BTreeMap::<u64, Vec<Register>>::new());
    for one in registers.iter_mut().filter(|one| one.data.is_ok()) {
        let fits = match ids.insert(one.register.id) {
            true => consistency::one_register(&checkpoint, &lengths, &one.register),
            false => Err("another register has its number".to_string()),
        };
        if let Err(reason) = fits {
            let error = FormatError::Damaged { offset: 0, reason };
            note(damage, format!("register {}", one.register.name), &error);
            one.data = Err(error);
        }
        if one.data.is_ok() {
            let section = sections.entry(one.section).or_default();
            section.push(one.register.clone());
        }
    }
    ids.extend(registers.iter().map(|one| one.register.id));
    let traced = consistency::trace(&checkpoint, &ids);
    if registers.iter().all(|one| one.is_certain)
        && damage.is_empty()
        && let Err(error) = traced
    {
        note(damage, "trace".to_string(), &error);
        checkpoint.trace = Default::default();
    }
    checkpoint.sections = sections
        .into_iter()
        .map(|(number, registers)| Section { number, registers })
        .collect();
    Some(checkpoint)
}
