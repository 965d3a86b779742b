//! A value in words.

use std::fmt::Write as _;

use cccp::format::Scalar;

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
        Scalar::Float(value) => format!("{value:?}"),
        Scalar::Double(value) => format!("{value:?}"),
        Scalar::LongDouble(value) => format!("{:?}", value.to_f64()),
        Scalar::ComplexFloat(re, im) => format!("{re:?}{im:+?}i"),
        Scalar::ComplexDouble(re, im) => format!("{re:?}{im:+?}i"),
        Scalar::ComplexLongDouble(parts) => {
            format!("{:?}{:+?}i", parts[0].to_f64(), parts[1].to_f64())
        }
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
