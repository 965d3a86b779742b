//! From the bytes of a checkpoint to the program's memory.
//!
//! The types are compared first (`matching`); only when they agree is memory touched. Padding, handles and the bits
//! around a bit-field keep what they had. A value that the program's type cannot hold stops with the path to it; the
//! memory before it has been filled by then, so the caller must not go on.
//!
//! Not here: where a pointer leads (the caller's `place`), chunks and compression (`chunks`).

use super::FormatError;
use super::long_double::Wide;
use super::matching::{Fit, match_types};
use super::model::{Encoding, PointerValue};
use super::number;
use super::step::{Step, Work};
use super::types::Layout;
use super::wire::Cursor;
use super::words::{unpack4, unpack8};
use super::zeros;

/// Fills `memory`, which holds exactly `count` elements of the program's type, from the encoded `bytes`. `place` says
/// where a pointer leads in this process, or why it leads nowhere.
#[expect(
    clippy::too_many_arguments,
    reason = "two sides, each with its type, and the way between them"
)]
pub fn decode(
    file: Layout,
    file_type: u32,
    program: Layout,
    program_type: u32,
    encoding: Encoding,
    bytes: &[u8],
    count: u64,
    place: &mut dyn FnMut(PointerValue) -> Result<u64, String>,
    memory: &mut [u8],
) -> Result<(), FormatError> {
    decode_fitting(
        Fit::Whole,
        file,
        file_type,
        program,
        program_type,
        encoding,
        bytes,
        count,
        place,
        memory,
    )
}

/// The same for types that may differ more.
#[expect(
    clippy::too_many_arguments,
    reason = "two sides, each with its type, and the way between them"
)]
pub fn decode_fitting(
    fit: Fit,
    file: Layout,
    file_type: u32,
    program: Layout,
    program_type: u32,
    encoding: Encoding,
    bytes: &[u8],
    count: u64,
    place: &mut dyn FnMut(PointerValue) -> Result<u64, String>,
    memory: &mut [u8],
) -> Result<(), FormatError> {
    let size =
        |layout: Layout, index: u32| layout.types.get(index as usize).map_or(0, |kind| kind.size);
    let expected = count.checked_mul(size(program, program_type));
    let stored = count.checked_mul(size(file, file_type));
    let (Some(stored), true) = (stored, expected == Some(memory.len() as u64)) else {
        let reason = format!("{count} elements do not have {} bytes", memory.len());
        return Err(FormatError::Mismatch {
            path: String::new(),
            reason,
        });
    };
    let step = match_types(file, file_type, program, program_type, encoding, count, fit)?;
    let mut cursor = Cursor::new(bytes, 0);
    let native = match encoding {
        Encoding::Xdr => None,
        Encoding::Native => Some(cursor.opaque(stored)?),
    };
    let mut decoder = Decoder {
        file,
        program,
        cursor,
        place,
    };
    decoder.run(&step, native, memory)?;
    match decoder.cursor.left() {
        0 => Ok(()),
        left => Err(decoder
            .cursor
            .damaged(format!("{left} bytes more than the type has"))),
    }
}

struct Decoder<'a> {
    file: Layout<'a>,
    program: Layout<'a>,
    cursor: Cursor<'a>,
    place: &'a mut dyn FnMut(PointerValue) -> Result<u64, String>,
}

/// Elements behind one that became zero.
struct Ahead {
    /// Of the first of them.
    index: usize,
    left: usize,
    /// Bytes that the last one took in the file.
    length: usize,
}

/// An error at the value number `index` of a step.
fn wrong(step: &Step, index: u64, reason: String) -> FormatError {
    let path = if step.count > 1 {
        format!("{}[{index}]", step.path)
    } else {
        step.path.clone()
    };
    FormatError::Value { path, reason }
}

/// A number that the file's own type cannot hold.
#[cold]
fn no_value(step: &Step, index: u64, value: i128, bits: u64) -> FormatError {
    let reason = format!("{value} is no value of its type, which has {bits} bits");
    wrong(step, index, reason)
}

#[cold]
fn too_large(step: &Step, index: u64, value: i128, name: &str, size: u64) -> FormatError {
    let reason = format!("{value} does not fit into `{name}`, which has {size} bytes here");
    wrong(step, index, reason)
}

#[cold]
fn too_large_bits(step: &Step, value: i128, width: u32) -> FormatError {
    let reason = format!("{value} does not fit into a bit-field of {width} bits");
    wrong(step, 0, reason)
}

impl Decoder<'_> {
    /// Does a step: `from` is the element of native data, `to` that of the program.
    fn run(&mut self, step: &Step, from: Option<&[u8]>, to: &mut [u8]) -> Result<(), FormatError> {
        if step.count == 0 {
            return Ok(());
        }
        let from = from.map(|from| &from[step.from as usize..]);
        let to = &mut to[step.to as usize..];
        let big = self.program.machine.big_endian;
        match &step.work {
            Work::Nothing => {}
            Work::Zero => to[..step.count as usize].fill(0),
            Work::ZeroBits(target) => number::put_bits(0, to, *target, big),
            Work::Skip { step: inner, size } => self.skip(inner, *size, from)?,
            Work::Copy | Work::Opaque => {
                let bytes = match from {
                    Some(from) => &from[..step.count as usize],
                    None => self.cursor.opaque(step.count)?,
                };
                zeros::put(bytes, &mut to[..bytes.len()], |from, to| {
                    to.copy_from_slice(from)
                });
            }
            Work::Words(width) => {
                let length = step.count.saturating_mul(*width);
                match from {
                    Some(from) => self.words(*width as usize, &from[..length as usize], to),
                    None => self.words_of_file(*width, length, to)?,
                }
            }
            Work::Bool => {
                for index in 0..step.count as usize {
                    to[index] = match from {
                        Some(from) => u8::from(from[index] != 0),
                        None => u8::from(self.cursor.flag()?),
                    };
                }
            }
            Work::Integer {
                from: size,
                from_signed,
                wide,
                to: to_size,
                to_signed,
                name,
            } => {
                for index in 0..step.count {
                    let value = match from {
                        Some(from) => {
                            let bytes = &from[(index * size) as usize..][..*size as usize];
                            number::integer(bytes, self.file.machine.big_endian, *from_signed)
                        }
                        None => self.integer(*wide, *from_signed)?,
                    };
                    let target = &mut to[(index * to_size) as usize..][..*to_size as usize];
                    if !number::fits(value, *size as u32 * 8, *from_signed) {
                        return Err(no_value(step, index, value, *size * 8));
                    }
                    if !number::fits(value, *to_size as u32 * 8, *to_signed) {
                        return Err(too_large(step, index, value, name, *to_size));
                    }
                    number::put(value, big, target);
                }
            }
            Work::Bits {
                from: source,
                to: target,
            } => {
                let value = match from {
                    Some(from) => number::bits(from, *source, self.file.machine.big_endian),
                    None => self.integer(source.width > 32, source.signed)?,
                };
                if !number::fits(value, source.width, source.signed) {
                    return Err(no_value(step, 0, value, source.width.into()));
                }
                if !number::fits(value, target.width, target.signed) {
                    return Err(too_large_bits(step, value, target.width));
                }
                number::put_bits(value, to, *target, big);
            }
            Work::LongDouble => {
                let (here, there) = (self.program.machine, self.file.machine);
                let (size, file_size) = (here.long_double as usize, there.long_double as usize);
                for index in 0..step.count as usize {
                    let value = match from {
                        Some(from) => Wide::load(&from[index * file_size..], there),
                        None => Wide::from_wire(self.cursor.quad()?, there.long_double_format),
                    };
                    value
                        .store(&mut to[index * size..], here)
                        .map_err(|reason| wrong(step, index as u64, reason))?;
                }
            }
            Work::Pointer { to: size } => {
                for index in 0..step.count {
                    let address = match self.cursor.pointer()? {
                        PointerValue::Null => 0,
                        value => {
                            (self.place)(value).map_err(|reason| wrong(step, index, reason))?
                        }
                    };
                    if !number::fits(i128::from(address), *size as u32 * 8, false) {
                        return Err(wrong(
                            step,
                            index,
                            format!("{address:#x} is no address here"),
                        ));
                    }
                    number::put(
                        i128::from(address),
                        big,
                        &mut to[(index * size) as usize..][..*size as usize],
                    );
                }
            }
            Work::Group {
                steps,
                from: from_stride,
                to: to_stride,
            } => {
                let is_large = step.count.saturating_mul(*to_stride) >= zeros::RUN as u64;
                let some = zeros::RUN as u64 / (*to_stride).max(1);
                let (mut index, mut look_at) = (0, 0);
                while index < step.count {
                    let place = self.cursor.offset();
                    let element = from.map(|from| &from[(index * from_stride) as usize..]);
                    let inside_to = &mut to[(index * to_stride) as usize..][..*to_stride as usize];
                    for inner in steps {
                        // What most members are goes without the call: it would take longer than the copy.
                        let done = match inner.work {
                            Work::Words(width) if from.is_none() => self.words_of_file(
                                width,
                                inner.count.saturating_mul(width),
                                &mut inside_to[inner.to as usize..],
                            ),
                            _ => self.run(inner, element, inside_to),
                        };
                        done.map_err(|error| inside(step, index, error))?;
                    }
                    index += 1;
                    if !is_large || index < look_at || !zeros::is_zero(inside_to) {
                        continue;
                    }
                    let taken = self.cursor.since(place);
                    if zeros::is_zero(taken) {
                        let from = from.map(|from| (from, *from_stride as usize));
                        let ahead = Ahead {
                            index: index as usize,
                            left: (step.count - index) as usize,
                            length: taken.len(),
                        };
                        index += self.zeros(ahead, from, (to, *to_stride as usize))? as u64;
                        // Some of the next are not zero: nobody looks at them again and again.
                        look_at = index + some;
                    }
                }
            }
        }
        Ok(())
    }

    /// Passes over elements that are zero in the file and in memory: to decode them would change nothing, and touch what nobody has
    /// touched. Gives their number.
    fn zeros(
        &mut self,
        ahead: Ahead,
        from: Option<(&[u8], usize)>,
        (to, size): (&[u8], usize),
    ) -> Result<usize, FormatError> {
        let Ahead {
            index,
            left,
            length,
        } = ahead;
        let some = (zeros::RUN / size.max(1)).max(1);
        let part = |bytes: &[u8], size: usize, index: usize, count: usize| {
            bytes
                .get(index * size..(index + count) * size)
                .is_some_and(zeros::is_zero)
        };
        let mut passed = 0;
        while passed + some <= left {
            let index = index + passed;
            // What an element without any value takes in the file is the same for each.
            let is_zero = part(to, size, index, some)
                && from.is_none_or(|(from, stride)| part(from, stride, index, some))
                && part(self.cursor.rest(), length, 0, some);
            if !is_zero {
                break;
            }
            self.cursor.take((some * length) as u64)?;
            passed += some;
        }
        Ok(passed)
    }

    /// Passes over a member that the program does not have, of `size` bytes in the writer's memory.
    #[inline(never)]
    fn skip(&mut self, step: &Step, size: u64, from: Option<&[u8]>) -> Result<(), FormatError> {
        // Padding and handles take no bytes in the file, but no honest struct consists of them alone.
        let bytes = self.cursor.left() + from.map_or(0, <[u8]>::len);
        if size > (1 << 20) + 64 * bytes as u64 {
            let reason = format!("a member of {size} bytes in a file of fewer");
            return Err(wrong(step, 0, reason));
        }
        let mut scratch = vec![0; size as usize];
        let mut nowhere = |_| Ok(0);
        let mut reader = Decoder {
            file: self.file,
            program: self.file,
            cursor: self.cursor.clone(),
            place: &mut nowhere,
        };
        reader.run(step, from, &mut scratch)?;
        let read = self.cursor.left() - reader.cursor.left();
        self.cursor.take(read as u64).map(|_| ())
    }

    fn integer(&mut self, wide: bool, signed: bool) -> Result<i128, FormatError> {
        Ok(match (wide, signed) {
            (false, false) => i128::from(self.cursor.u32()?),
            (false, true) => i128::from(self.cursor.u32()? as i32),
            (true, false) => i128::from(self.cursor.u64()?),
            (true, true) => i128::from(self.cursor.u64()? as i64),
        })
    }

    /// XDR words of this many bytes.
    #[inline]
    fn words_of_file(&mut self, width: u64, length: u64, to: &mut [u8]) -> Result<(), FormatError> {
        let bytes = self.cursor.take(length)?;
        let unpack = if width == 4 { unpack4 } else { unpack8 };
        let big = self.program.machine.big_endian;
        zeros::put(bytes, &mut to[..bytes.len()], |from, to| {
            unpack(from, big, to)
        });
        Ok(())
    }

    /// Native words of another byte order (or of the same order on a machine that differs otherwise).
    fn words(&self, width: usize, from: &[u8], to: &mut [u8]) {
        let turns = self.file.machine.big_endian != self.program.machine.big_endian;
        zeros::put(from, &mut to[..from.len()], |from, to| {
            to.copy_from_slice(from);
            if turns {
                to.chunks_exact_mut(width).for_each(<[u8]>::reverse);
            }
        });
    }
}

/// An error in element `index` of an array of structs: the index goes between the array's path and the member's.
fn inside(step: &Step, index: u64, error: FormatError) -> FormatError {
    let extend = |path: String| {
        let rest = path.strip_prefix(step.path.as_str()).unwrap_or(&path);
        if step.count > 1 {
            format!("{}[{index}]{rest}", step.path)
        } else {
            path.clone()
        }
    };
    match error {
        FormatError::Value { path, reason } => FormatError::Value {
            path: extend(path),
            reason,
        },
        other => other,
    }
}
