//! The scalars of a run from its bytes, as XDR or as the writer's memory.
//!
//! In: bytes of equal scalars in a row. Out: the scalars, appended. Not here: where the bytes come from (`stream`).

use super::FormatError;
use super::encode::is_wide;
use super::long_double::Wide;
use super::number;
use super::scalar::{LongDoubleValue, Scalar};
use super::types::{Kind, Layout};
use super::walk::Run;

/// Bytes of a scalar on the wire.
pub(super) fn wire_width(run: &Run) -> u64 {
    let number = |wide: bool| if wide { 8 } else { 4 };
    match (run.bits, run.kind) {
        (Some(bits), _) => number(bits.width > 32),
        (None, kind) if kind.is_character() => 1,
        (None, Kind::Bool | Kind::Float) => 4,
        (None, Kind::Double | Kind::ComplexFloat) => 8,
        (None, Kind::ComplexDouble | Kind::LongDouble) => 16,
        (None, Kind::ComplexLongDouble) => 32,
        (None, kind) => number(is_wide(kind, run.size)),
    }
}

/// An integer of the writer, which has at most 64 bits.
pub(super) fn integer(value: i128, signed: bool) -> Scalar {
    match signed {
        true => Scalar::Signed(value as i64),
        false => Scalar::Unsigned(value as u64),
    }
}

/// From XDR words of `width` bytes.
pub(super) fn from_wire(
    run: &Run,
    bytes: &[u8],
    width: usize,
    layout: Layout,
    into: &mut Vec<Scalar>,
) -> Result<(), FormatError> {
    let (signed, bits) = match run.bits {
        Some(field) => (field.signed, field.width),
        None => (run.kind.is_signed(), 8 * run.size.min(8) as u32),
    };
    let whole = bits as usize == 8 * width;
    if run.bits.is_some() || run.kind.is_integer() {
        for word in bytes.chunks_exact(width) {
            let value = number::integer(word, true, signed);
            if !whole && !number::fits(value, bits, signed) {
                let reason = format!("{value} does not fit into {bits} bits");
                let path = String::new();
                return Err(FormatError::Value { path, reason });
            }
            into.push(integer(value, signed));
        }
        return Ok(());
    }
    match run.kind {
        Kind::Bool => {
            for word in bytes.as_chunks::<4>().0 {
                into.push(Scalar::Bool(match u32::from_be_bytes(*word) {
                    0 => false,
                    1 => true,
                    other => {
                        let reason = format!("{other} is neither 0 nor 1");
                        let path = String::new();
                        return Err(FormatError::Value { path, reason });
                    }
                }));
            }
        }
        Kind::LongDouble | Kind::ComplexLongDouble => {
            let format = layout.machine.long_double_format;
            let values = bytes.as_chunks::<16>().0.iter();
            let values = values.map(|bytes| LongDoubleValue::new(Wide::from_wire(*bytes, format)));
            long_doubles(run.kind, values, into);
        }
        _ => plain(run.kind, bytes, true, into),
    }
    Ok(())
}

/// From the writer's memory.
pub(super) fn from_memory(run: &Run, bytes: &[u8], layout: Layout, into: &mut Vec<Scalar>) {
    let machine = layout.machine;
    if run.kind.is_integer() {
        let signed = run.kind.is_signed();
        let words = bytes.chunks_exact(run.size as usize);
        into.extend(
            words.map(|word| integer(number::integer(word, machine.big_endian, signed), signed)),
        );
        return;
    }
    match run.kind {
        Kind::Bool => into.extend(bytes.iter().map(|byte| Scalar::Bool(*byte != 0))),
        Kind::LongDouble | Kind::ComplexLongDouble => {
            let values = bytes.chunks_exact(machine.long_double as usize);
            let values = values.map(|bytes| LongDoubleValue::new(Wide::load(bytes, machine)));
            long_doubles(run.kind, values, into);
        }
        _ => plain(run.kind, bytes, machine.big_endian, into),
    }
}

fn long_doubles(
    kind: Kind,
    mut values: impl Iterator<Item = LongDoubleValue>,
    into: &mut Vec<Scalar>,
) {
    if kind == Kind::LongDouble {
        into.extend(values.map(Scalar::LongDouble));
        return;
    }
    while let (Some(real), Some(imaginary)) = (values.next(), values.next()) {
        into.push(Scalar::ComplexLongDouble(Box::new([real, imaginary])));
    }
}

/// Characters and floating-point numbers: the same words on the wire and in memory.
fn plain(kind: Kind, bytes: &[u8], big_endian: bool, into: &mut Vec<Scalar>) {
    let float = |bytes: &[u8; 4]| match big_endian {
        true => f32::from_be_bytes(*bytes),
        false => f32::from_le_bytes(*bytes),
    };
    let double = |bytes: &[u8; 8]| match big_endian {
        true => f64::from_be_bytes(*bytes),
        false => f64::from_le_bytes(*bytes),
    };
    let (fours, eights) = (bytes.as_chunks::<4>().0, bytes.as_chunks::<8>().0);
    match kind {
        Kind::Float => into.extend(fours.iter().map(|word| Scalar::Float(float(word)))),
        Kind::Double => into.extend(eights.iter().map(|word| Scalar::Double(double(word)))),
        Kind::ComplexFloat => into.extend(
            fours
                .as_chunks::<2>()
                .0
                .iter()
                .map(|[real, imaginary]| Scalar::ComplexFloat(float(real), float(imaginary))),
        ),
        Kind::ComplexDouble => {
            into.extend(
                eights.as_chunks::<2>().0.iter().map(|[real, imaginary]| {
                    Scalar::ComplexDouble(double(real), double(imaginary))
                }),
            )
        }
        Kind::SignedChar => into.extend(
            bytes
                .iter()
                .map(|byte| Scalar::Signed(i64::from(*byte as i8))),
        ),
        Kind::UnsignedChar => {
            into.extend(bytes.iter().map(|byte| Scalar::Unsigned(u64::from(*byte))))
        }
        _ => into.extend(bytes.iter().map(|byte| Scalar::Character(*byte))),
    }
}
