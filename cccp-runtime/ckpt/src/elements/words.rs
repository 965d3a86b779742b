//! A value in words.

use std::fmt::Write as _;

use cccp::format::{LongDoubleValue, Scalar};

use super::targets::Targets;

/// Bytes of a union that are shown.
const SHOWN: usize = 16;

/// A value as C would write it, with as many digits as it takes to get the same number back.
pub fn spell(scalar: &Scalar, targets: &Targets) -> String {
    match scalar {
        Scalar::Bool(value) => value.to_string(),
        Scalar::Character(letter) if letter.is_ascii_graphic() || *letter == b' ' => {
            format!("'{}'", char::from(*letter))
        }
        Scalar::Character(letter) => format!("'\\x{letter:02x}'"),
        Scalar::Signed(value) => value.to_string(),
        Scalar::Unsigned(value) => value.to_string(),
        Scalar::Float(value) => float(*value),
        Scalar::Double(value) => double(*value),
        Scalar::LongDouble(value) => long_double(*value),
        Scalar::ComplexFloat(re, im) => complex(float(*re), float(*im)),
        Scalar::ComplexDouble(re, im) => complex(double(*re), double(*im)),
        Scalar::ComplexLongDouble(parts) => complex(long_double(parts[0]), long_double(parts[1])),
        Scalar::Pointer(pointer) => targets.spell(pointer),
        Scalar::Bytes { bytes, .. } => {
            let mut text = String::new();
            for byte in bytes.iter().take(SHOWN) {
                let _ = write!(text, "{byte:02x}");
            }
            if bytes.len() > SHOWN {
                text.push('…');
            }
            text
        }
    }
}

/// A number; of a NaN that is not the usual one its bits.
fn float(value: f32) -> String {
    match value.is_nan() && value.to_bits() != f32::NAN.to_bits() {
        true => format!("NaN({:#x})", value.to_bits()),
        false => format!("{value:?}"),
    }
}

fn double(value: f64) -> String {
    match value.is_nan() && value.to_bits() != f64::NAN.to_bits() {
        true => format!("NaN({:#x})", value.to_bits()),
        false => format!("{value:?}"),
    }
}

/// The nearest `double`; of a value that has more digits the bits, too.
fn long_double(value: LongDoubleValue) -> String {
    match value.to_exact_f64() {
        Some(exact) if !exact.is_nan() => double(exact),
        _ => {
            let bits = u128::from_be_bytes(value.bits());
            format!("{:?}({bits:#x})", value.to_f64())
        }
    }
}

fn complex(real: String, imaginary: String) -> String {
    let sign = if imaginary.starts_with('-') { "" } else { "+" };
    format!("{real}{sign}{imaginary}i")
}
