//! One value of a checkpoint, as something this machine can work with, and its name.
//!
//! Every bit of a number is kept: floating-point numbers of the writer are those of any machine, and a `long double`
//! stays as it is on disk until somebody is content with a `double`.

use super::long_double::Wide;
use super::model::PointerValue;
use super::types::{Kind, Type};

/// A scalar of an element. Handles are never saved, so they have none.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// `_Bool`
    Bool(bool),
    /// `char`, whatever its sign.
    Character(u8),
    /// Signed integers from `signed char` to `long long`, signed enums and bit-fields.
    Signed(i64),
    /// Unsigned integers, enums and bit-fields.
    Unsigned(u64),
    /// `float`
    Float(f32),
    /// `double`
    Double(f64),
    /// `long double`
    LongDouble(LongDoubleValue),
    /// `float _Complex`: real part, imaginary part.
    ComplexFloat(f32, f32),
    /// `double _Complex`
    ComplexDouble(f64, f64),
    /// `long double _Complex`
    ComplexLongDouble(Box<[LongDoubleValue; 2]>),
    /// A pointer to an object or function.
    Pointer(Box<PointerValue>),
    /// A union, or memory of unknown shape. A long one comes in several pieces; they are cut at the same places in
    /// every encoding.
    Bytes {
        /// The piece.
        bytes: Box<[u8]>,
        /// The next scalar is another piece of this one.
        more: bool,
    },
}

/// A `long double` with all its bits, as they are on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LongDoubleValue {
    bits: [u8; 16],
    pair: bool,
}

impl LongDoubleValue {
    pub(super) fn new(wide: Wide) -> LongDoubleValue {
        LongDoubleValue {
            bits: wide.to_wire(),
            pair: matches!(wide, Wide::Pair(..)),
        }
    }

    /// The sixteen bytes on disk: a binary128 number, or two doubles.
    pub fn bits(self) -> [u8; 16] {
        self.bits
    }

    /// Whether it is two doubles whose sum is the value, the larger one first.
    pub fn is_pair(self) -> bool {
        self.pair
    }

    pub(super) fn wide(self) -> Wide {
        let bits = u128::from_be_bytes(self.bits);
        match self.pair {
            true => Wide::Pair((bits >> 64) as u64, bits as u64),
            false => Wide::Quad(bits),
        }
    }

    /// The nearest `double`.
    pub fn to_f64(self) -> f64 {
        self.wide().to_f64()
    }

    /// The same value as a `double`, when there is one.
    pub fn to_exact_f64(self) -> Option<f64> {
        self.wide().exactly()
    }
}

/// The name of a scalar, counted from 0 in the order in which `Values` gives the scalars of an element: `position[2].x`.
/// Empty when the element is a scalar itself; none when there are not so many.
pub fn scalar_name(types: &[Type], type_index: u32, number: u64) -> Option<String> {
    let mut name = String::new();
    let mut kind = types.get(type_index as usize)?;
    let mut left = number;
    'deeper: while kind.kind == Kind::Struct {
        for member in &kind.members {
            let count = if member.bits.is_some() {
                1
            } else {
                scalar_count(types, member.type_index)
            };
            let all = count.saturating_mul(member.count);
            if left >= all {
                left -= all;
                continue;
            }
            if !name.is_empty() && !member.name.is_empty() {
                name.push('.');
            }
            name.push_str(&member.name);
            if member.count != 1 {
                name.push_str(&format!("[{}]", left / count));
            }
            if member.bits.is_some() {
                return Some(name);
            }
            left %= count;
            kind = &types[member.type_index as usize];
            continue 'deeper;
        }
        return None;
    }
    (left == 0 && kind.kind != Kind::Handle && kind.size > 0).then_some(name)
}

/// How many scalars an element has; handles do not count.
pub fn scalar_count(types: &[Type], type_index: u32) -> u64 {
    let mut counts: Vec<u64> = Vec::new();
    // A struct stands after the types of its members.
    for kind in types.iter().take(type_index as usize + 1) {
        counts.push(match kind.kind {
            Kind::Handle => 0,
            Kind::Struct => kind.members.iter().fold(0u64, |sum, member| {
                let one = match member.bits {
                    Some(_) => 1,
                    None => counts[member.type_index as usize],
                };
                sum.saturating_add(one.saturating_mul(member.count))
            }),
            _ => u64::from(kind.size > 0),
        });
    }
    counts.pop().unwrap_or(0)
}
