//! A checkpoint file in another encoding, however large: value by value, with a batch in memory.
//!
//! In: a file that was verified. Out: the same checkpoint, its register data in the encoding that is wanted, as if the
//! writer's machine had written it so: sizes, offsets and byte order stay those of the file. The values of the trace
//! are XDR in every file. Native data that come from XDR have zeros where padding, pointers and handles were in memory.
//! Data that have the encoding already are passed on as they are.
//!
//! Not here: reading values (`stream`), chunks and compression (`write`), names and durability (`store`).

use std::io::Write;

use super::FormatError;
use super::model::{Encoding, Register};
use super::number;
use super::read::File;
use super::run::wire_width;
use super::scalar::Scalar;
use super::stream::Values;
use super::types::{BitField, Kind, Machine};
use super::walk::{Run, Walk};
use super::wire::{padding, put_pointer};
use super::write::Writer;

/// Bytes that are gathered before they are passed on; elements up to this size may have their members in any order.
const BATCH: u64 = 1 << 16;

/// Writes the checkpoint of `file` with `encoding`; `compress` is 0 (off) or a level from 1 to 9. `advance` is told the
/// number of elements of each register that is done. Gives the number of bytes.
pub fn rewrite(
    file: &File,
    encoding: Encoding,
    compress: u32,
    out: &mut dyn Write,
    advance: &mut dyn FnMut(u64),
) -> Result<u64, FormatError> {
    let mut checkpoint = file.checkpoint.clone();
    checkpoint.header.encoding = encoding;
    let mut writer = Writer::new(out, &checkpoint, checkpoint.sections.len() as u32, compress)?;
    for section in &checkpoint.sections {
        writer.section(section.number, section.registers.len() as u32)?;
        for register in &section.registers {
            writer.begin_register(register)?;
            recode(file, register, encoding, &mut |bytes| writer.values(bytes))?;
            writer.end_register()?;
            advance(register.elements);
        }
    }
    writer.finish()
}

/// The encoded values of a register, piece by piece.
fn recode(
    file: &File,
    register: &Register,
    encoding: Encoding,
    put: &mut dyn FnMut(&[u8]) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    let mut out = Pieces {
        put,
        buffer: Vec::new(),
    };
    if encoding == file.checkpoint.header.encoding {
        let mut frames = file.frames(register)?;
        while frames.next(&mut out.buffer)? {
            out.pass_on(0)?;
        }
        return out.pass_on(0);
    }
    let mut source = One::new(file, register)?;
    let walk = Walk::new(
        &file.checkpoint.types,
        register.type_index,
        register.elements,
    );
    match encoding {
        Encoding::Xdr => xdr(walk, &mut source, &mut out)?,
        Encoding::Native => {
            let has_pointers = walk.meets_pointers();
            let mut image = Image {
                machine: &file.checkpoint.header.machine,
                element: register.element_size,
                start: 0,
                out,
            };
            for run in walk {
                image.run(&run, &mut source)?;
            }
            let size = register.element_size * register.elements;
            image.reach(size.next_multiple_of(4))?;
            out = image.out;
            if has_pointers {
                source.finish()?;
                source = One::new(file, register)?;
                while let Some(scalar) = source.next()? {
                    if let Scalar::Pointer(pointer) = scalar {
                        put_pointer(&pointer, &mut out.buffer);
                        out.pass_on(BATCH)?;
                    }
                }
            }
        }
    }
    source.finish()?;
    out.pass_on(0)
}

/// Bytes on their way.
struct Pieces<'a> {
    put: &'a mut dyn FnMut(&[u8]) -> Result<(), FormatError>,
    buffer: Vec<u8>,
}

impl Pieces<'_> {
    /// Passes on what was gathered, if it is at least so much.
    fn pass_on(&mut self, least: u64) -> Result<(), FormatError> {
        if self.buffer.len() as u64 >= least {
            (self.put)(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }
}

/// The values of a register one by one.
struct One<'a> {
    values: Values<'a>,
    batch: std::vec::IntoIter<Scalar>,
}

impl<'a> One<'a> {
    fn new(file: &'a File, register: &Register) -> Result<One<'a>, FormatError> {
        Ok(One {
            values: file.values(register)?,
            batch: Vec::new().into_iter(),
        })
    }

    fn next(&mut self) -> Result<Option<Scalar>, FormatError> {
        if self.batch.as_slice().is_empty() {
            let mut batch = Vec::new();
            self.values.next(&mut batch)?;
            self.batch = batch.into_iter();
        }
        Ok(self.batch.next())
    }

    fn take(&mut self) -> Result<Scalar, FormatError> {
        self.next()?.ok_or_else(|| FormatError::Damaged {
            offset: 0,
            reason: "the values end too early".to_string(),
        })
    }

    /// After the last value: all of them have been verified.
    fn finish(&mut self) -> Result<(), FormatError> {
        match self.next()? {
            None => Ok(()),
            Some(_) => Err(FormatError::Damaged {
                offset: 0,
                reason: "more values than the type has".to_string(),
            }),
        }
    }
}

fn xdr(walk: Walk, source: &mut One, out: &mut Pieces) -> Result<(), FormatError> {
    for run in walk {
        let width = wire_width(&run) as usize;
        let mut left = run.count;
        while left > 0 {
            let last = put_wire(&source.take()?, width, &mut out.buffer);
            left -= u64::from(last);
            out.pass_on(BATCH)?;
        }
        let opaque = run.kind == Kind::Bytes || run.kind.is_character() && run.bits.is_none();
        if opaque {
            let zeros = padding(run.count.wrapping_mul(run.size)) as usize;
            out.buffer.resize(out.buffer.len() + zeros, 0);
        }
    }
    Ok(())
}

/// Appends a value as XDR; false when another piece of it follows.
fn put_wire(scalar: &Scalar, width: usize, out: &mut Vec<u8>) -> bool {
    let integer = |value: i128, out: &mut Vec<u8>| {
        out.extend_from_slice(&value.to_be_bytes()[16 - width..]);
    };
    match scalar {
        Scalar::Bool(value) => integer(i128::from(*value), out),
        Scalar::Character(value) => out.push(*value),
        Scalar::Signed(value) => integer(i128::from(*value), out),
        Scalar::Unsigned(value) => integer(i128::from(*value), out),
        Scalar::Float(value) => out.extend_from_slice(&value.to_be_bytes()),
        Scalar::Double(value) => out.extend_from_slice(&value.to_be_bytes()),
        Scalar::LongDouble(value) => out.extend_from_slice(&value.bits()),
        Scalar::ComplexFloat(re, im) => {
            out.extend_from_slice(&re.to_be_bytes());
            out.extend_from_slice(&im.to_be_bytes());
        }
        Scalar::ComplexDouble(re, im) => {
            out.extend_from_slice(&re.to_be_bytes());
            out.extend_from_slice(&im.to_be_bytes());
        }
        Scalar::ComplexLongDouble(parts) => {
            parts
                .iter()
                .for_each(|part| out.extend_from_slice(&part.bits()));
        }
        Scalar::Pointer(pointer) => put_pointer(pointer, out),
        Scalar::Bytes { bytes, more } => {
            out.extend_from_slice(bytes);
            return !more;
        }
    }
    true
}

/// The memory of the elements, as far as it is not passed on.
struct Image<'a> {
    machine: &'a Machine,
    /// Bytes of an element.
    element: u64,
    /// Where the buffer begins, from the first element on.
    start: u64,
    out: Pieces<'a>,
}

impl Image<'_> {
    /// Puts the values of a run where they belong.
    fn run(&mut self, run: &Run, source: &mut One) -> Result<(), FormatError> {
        if let Some(bits) = run.bits {
            let first = bits.start / 8;
            let own = BitField {
                start: bits.start % 8,
                ..bits
            };
            let length = (own.start + u64::from(own.width)).div_ceil(8);
            let value = match source.take()? {
                Scalar::Signed(value) => i128::from(value),
                Scalar::Unsigned(value) => i128::from(value),
                Scalar::Bool(value) => i128::from(value),
                _ => 0,
            };
            let big = self.machine.big_endian;
            let memory = self.at(run.offset + first, length)?;
            number::put_bits(value, memory, own, big);
            return Ok(());
        }
        for index in 0..run.count {
            let place = run.offset + index * run.size;
            let mut inside = 0;
            // A union comes in pieces.
            loop {
                let scalar = source.take()?;
                let Scalar::Bytes { bytes, more } = &scalar else {
                    self.put(place, run, &scalar)?;
                    break;
                };
                let length = bytes.len() as u64;
                self.at(place + inside, length)?.copy_from_slice(bytes);
                inside += length;
                if !more {
                    break;
                }
            }
        }
        Ok(())
    }

    fn put(&mut self, place: u64, run: &Run, scalar: &Scalar) -> Result<(), FormatError> {
        let machine = self.machine;
        let big = machine.big_endian;
        let memory = self.at(place, run.size)?;
        let refuse = |reason| FormatError::Value {
            path: String::new(),
            reason,
        };
        match scalar {
            Scalar::Bool(value) => number::put(i128::from(*value), big, memory),
            Scalar::Character(value) => memory.fill(*value),
            Scalar::Signed(value) => number::put(i128::from(*value), big, memory),
            Scalar::Unsigned(value) => number::put(i128::from(*value), big, memory),
            Scalar::Float(value) => number::put(i128::from(value.to_bits()), big, memory),
            Scalar::Double(value) => number::put(i128::from(value.to_bits()), big, memory),
            Scalar::LongDouble(value) => value.wide().store(memory, machine).map_err(refuse)?,
            Scalar::ComplexFloat(re, im) => {
                let (one, other) = memory.split_at_mut(4);
                number::put(i128::from(re.to_bits()), big, one);
                number::put(i128::from(im.to_bits()), big, other);
            }
            Scalar::ComplexDouble(re, im) => {
                let (one, other) = memory.split_at_mut(8);
                number::put(i128::from(re.to_bits()), big, one);
                number::put(i128::from(im.to_bits()), big, other);
            }
            Scalar::ComplexLongDouble(parts) => {
                let half = memory.len() / 2;
                for (part, memory) in parts.iter().zip(memory.chunks_exact_mut(half)) {
                    part.wide().store(memory, machine).map_err(refuse)?;
                }
            }
            // After the elements, and in `run`.
            Scalar::Pointer(_) | Scalar::Bytes { .. } => {}
        }
        Ok(())
    }

    /// The memory at a place. What lies before the element is passed on; of a large element, what lies before the
    /// place.
    fn at(&mut self, place: u64, length: u64) -> Result<&mut [u8], FormatError> {
        let keep = match self.element {
            0 => 0,
            element if element <= BATCH => place / element * element,
            _ => place,
        };
        if place < self.start {
            return Err(FormatError::Types {
                name: "struct".to_string(),
                reason: "its members do not lie in their order, and it is too large to be held in memory".to_string(),
            });
        }
        if keep >= self.start + BATCH {
            self.reach(keep)?;
        }
        let from = (place - self.start) as usize;
        let end = from + length as usize;
        if self.out.buffer.len() < end {
            self.out.buffer.resize(end, 0);
        }
        Ok(&mut self.out.buffer[from..end])
    }

    /// Passes on everything before a place: nothing more is put there.
    fn reach(&mut self, place: u64) -> Result<(), FormatError> {
        while self.start < place {
            let step = (place - self.start).min(BATCH) as usize;
            if self.out.buffer.len() < step {
                self.out.buffer.resize(step, 0);
            }
            let later = self.out.buffer.split_off(step);
            self.out.pass_on(0)?;
            self.out.buffer = later;
            self.start += step as u64;
        }
        Ok(())
    }
}
