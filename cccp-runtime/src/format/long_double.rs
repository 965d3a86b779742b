//! `long double` between machines.
//!
//! On disk a value is an IEEE binary128 number (the quadruple of RFC 4506), which holds every `double` and every x87
//! number exactly, or, from a machine whose `long double` is a pair of doubles, that pair: its sum may need more than
//! 113 bits. Coming back, a value that the reader's representation cannot hold exactly is an error; a NaN stays a NaN.

use super::number;
use super::types::{LongDouble, Machine};

/// A value as it is on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wide {
    /// Bits of a binary128 number.
    Quad(u128),
    /// Bits of two doubles, the larger one first.
    Pair(u64, u64),
}

const QUAD_INFINITY: u128 = 0x7fff << 112;
const QUAD_NAN: u128 = 0x7fff8 << 108;
const QUAD_FRACTION: u128 = (1 << 112) - 1;

impl Wide {
    /// From the memory of a machine.
    pub(super) fn load(memory: &[u8], machine: &Machine) -> Wide {
        let big = machine.big_endian;
        match machine.long_double_format {
            LongDouble::Double => Wide::Quad(quad_from_double(number::unsigned(&memory[..8], big))),
            LongDouble::X87 => Wide::Quad(quad_from_x87(
                number::unsigned(&memory[..8], big),
                number::unsigned(&memory[8..10], big) as u16,
            )),
            LongDouble::Quad => {
                let (first, second) = (
                    number::unsigned(&memory[..8], big),
                    number::unsigned(&memory[8..16], big),
                );
                let (high, low) = if big {
                    (first, second)
                } else {
                    (second, first)
                };
                Wide::Quad(u128::from(high) << 64 | u128::from(low))
            }
            LongDouble::DoubleDouble => Wide::Pair(
                number::unsigned(&memory[..8], big),
                number::unsigned(&memory[8..16], big),
            ),
        }
    }

    /// Into the memory of a machine.
    pub(super) fn store(self, memory: &mut [u8], machine: &Machine) -> Result<(), String> {
        let big = machine.big_endian;
        let quad = || match self {
            Wide::Quad(bits) => Some(bits),
            Wide::Pair(high, low) if low << 1 == 0 => Some(quad_from_double(high)),
            Wide::Pair(..) => None,
        };
        let refuse = || {
            format!(
                "{:.17e} (rounded here) does not fit into `long double`, which has fewer digits or less range on {}",
                self.to_f64(),
                machine.description
            )
        };
        match machine.long_double_format {
            LongDouble::Double => {
                let bits = quad().and_then(double_from_quad).ok_or_else(refuse)?;
                number::put(i128::from(bits), big, &mut memory[..8]);
            }
            LongDouble::X87 => {
                let (mantissa, exponent) = quad().and_then(x87_from_quad).ok_or_else(refuse)?;
                number::put(i128::from(mantissa), big, &mut memory[..8]);
                number::put(i128::from(exponent), big, &mut memory[8..10]);
            }
            LongDouble::Quad => {
                let bits = quad().ok_or_else(refuse)?;
                let bytes = if big {
                    bits.to_be_bytes()
                } else {
                    bits.to_le_bytes()
                };
                memory[..16].copy_from_slice(&bytes);
            }
            LongDouble::DoubleDouble => {
                let (high, low) = match self {
                    Wide::Pair(high, low) => (high, low),
                    Wide::Quad(bits) => (double_from_quad(bits).ok_or_else(refuse)?, 0),
                };
                number::put(i128::from(high), big, &mut memory[..8]);
                number::put(i128::from(low), big, &mut memory[8..16]);
            }
        }
        Ok(())
    }

    /// The nearest `double`; of two equally near ones the even one.
    pub(super) fn to_f64(self) -> f64 {
        match self {
            Wide::Quad(bits) => f64::from_bits(nearest_double(bits)),
            Wide::Pair(high, low) => {
                let (high, low) = (f64::from_bits(high), f64::from_bits(low));
                // Where the sum is no number the larger one says why.
                if high.is_finite() { high + low } else { high }
            }
        }
    }

    /// The same value as a `double`, when there is one. A NaN stays one.
    pub(super) fn exactly(self) -> Option<f64> {
        match self {
            Wide::Quad(bits) => double_from_quad(bits).map(f64::from_bits),
            Wide::Pair(high, low) => (low << 1 == 0).then(|| f64::from_bits(high)),
        }
    }

    /// As sixteen bytes on disk.
    pub(super) fn to_wire(self) -> [u8; 16] {
        match self {
            Wide::Quad(bits) => bits.to_be_bytes(),
            Wide::Pair(high, low) => (u128::from(high) << 64 | u128::from(low)).to_be_bytes(),
        }
    }

    /// From sixteen bytes on disk, written on a machine with this representation.
    pub(super) fn from_wire(bytes: [u8; 16], format: LongDouble) -> Wide {
        let bits = u128::from_be_bytes(bytes);
        match format {
            LongDouble::DoubleDouble => Wide::Pair((bits >> 64) as u64, bits as u64),
            _ => Wide::Quad(bits),
        }
    }
}

fn quad_from_double(bits: u64) -> u128 {
    let sign = u128::from(bits >> 63) << 127;
    let exponent = bits >> 52 & 0x7ff;
    let fraction = bits & ((1 << 52) - 1);
    sign | match (exponent, fraction) {
        (0, 0) => 0,
        (0, _) => {
            // A subnormal double is a normal quadruple: move its first one to the place of the hidden bit.
            let shift = fraction.leading_zeros() - 11;
            let fraction = fraction << shift & ((1 << 52) - 1);
            u128::from(16383 - 1022 - shift) << 112 | u128::from(fraction) << 60
        }
        (0x7ff, _) => QUAD_INFINITY | u128::from(fraction) << 60,
        _ => u128::from(exponent + 16383 - 1023) << 112 | u128::from(fraction) << 60,
    }
}

fn double_from_quad(bits: u128) -> Option<u64> {
    let sign = (bits >> 127) as u64 * (1 << 63);
    let exponent = (bits >> 112 & 0x7fff) as i32;
    let fraction = bits & QUAD_FRACTION;
    if exponent == 0x7fff {
        let top = (fraction >> 60) as u64;
        let quiet = if fraction != 0 && top == 0 {
            1 << 51
        } else {
            0
        };
        return Some(sign | 0x7ff << 52 | top | quiet);
    }
    if exponent == 0 {
        return (fraction == 0).then_some(sign);
    }
    let own = exponent - 16383 + 1023;
    if own >= 1 {
        let exact = fraction.trailing_zeros() >= 60 && own < 0x7ff;
        return exact.then_some(sign | (own as u64) << 52 | (fraction >> 60) as u64);
    }
    let shift = (60 + 1 - own) as u32;
    let whole = 1 << 112 | fraction;
    (shift <= 112 && whole.trailing_zeros() >= shift).then(|| sign | (whole >> shift) as u64)
}

fn nearest_double(bits: u128) -> u64 {
    let sign = (bits >> 127) as u64 * (1 << 63);
    let exponent = (bits >> 112 & 0x7fff) as i32 - 16383;
    if let Some(exact) = double_from_quad(bits) {
        return exact;
    }
    if exponent > 1023 {
        return sign | 0x7ff << 52;
    }
    let normal = exponent >= -1022;
    let shift = if normal { 60 } else { 60 - 1022 - exponent };
    if shift > 114 {
        return sign;
    }
    let whole = 1 << 112 | bits & QUAD_FRACTION;
    let (kept, rest, half) = (
        (whole >> shift) as u64,
        whole & ((1 << shift) - 1),
        1u128 << (shift - 1),
    );
    let rounded = kept + u64::from(rest > half || rest == half && kept & 1 == 1);
    // A fraction that is rounded up to the next power of two carries into the exponent, up to infinity.
    let base = if normal {
        ((exponent + 1022) as u64) << 52
    } else {
        0
    };
    sign | (base + rounded)
}

fn quad_from_x87(mantissa: u64, exponent: u16) -> u128 {
    let sign = u128::from(exponent >> 15) << 127;
    let exponent = exponent & 0x7fff;
    let hidden = mantissa >> 63 == 1;
    let fraction = u128::from(mantissa & !(1 << 63)) << 49;
    sign | match (exponent, hidden) {
        (0x7fff, true) => QUAD_INFINITY | fraction,
        // Numbers that the processor itself refuses: uninitialised memory holds them.
        (0x7fff, false) => QUAD_NAN,
        (0, true) => 1 << 112 | fraction,
        (0, false) => fraction,
        (_, true) => u128::from(exponent) << 112 | fraction,
        (_, false) => QUAD_NAN,
    }
}

fn x87_from_quad(bits: u128) -> Option<(u64, u16)> {
    let head = (bits >> 112) as u16;
    let fraction = bits & QUAD_FRACTION;
    let top = (fraction >> 49) as u64;
    match head & 0x7fff {
        0x7fff => {
            let quiet = if fraction != 0 && top == 0 {
                1 << 62
            } else {
                0
            };
            Some((1 << 63 | top | quiet, head))
        }
        _ if fraction != 0 && fraction.trailing_zeros() < 49 => None,
        0 => Some((top, head)),
        _ => Some((1 << 63 | top, head)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(format: LongDouble, big_endian: bool) -> Machine {
        Machine {
            big_endian,
            long_double_format: format,
            long_double: 16,
            ..Machine::host()
        }
    }

    #[test]
    fn s23_every_double_survives_every_representation() {
        let samples = [
            0.0,
            -0.0,
            1.0,
            -1.5,
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
            1e-310,
            f64::INFINITY,
            0.1,
            -1e300,
        ];
        for value in samples {
            for format in [
                LongDouble::Double,
                LongDouble::X87,
                LongDouble::Quad,
                LongDouble::DoubleDouble,
            ] {
                for big_endian in [false, true] {
                    let (here, there) = (
                        machine(LongDouble::Double, false),
                        machine(format, big_endian),
                    );
                    let mut memory = [0u8; 16];
                    Wide::load(&value.to_le_bytes(), &here)
                        .store(&mut memory, &there)
                        .unwrap();
                    let mut back = [0u8; 8];
                    let wire = Wide::load(&memory, &there).to_wire();
                    Wide::from_wire(wire, format)
                        .store(&mut back, &here)
                        .unwrap();
                    assert_eq!(
                        f64::from_le_bytes(back).to_bits(),
                        value.to_bits(),
                        "{value} {format:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn s15_the_number_one_has_the_bits_that_the_standards_say() {
        let x87 = [0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f, 9, 9, 9, 9, 9, 9];
        let wide = Wide::load(&x87, &machine(LongDouble::X87, false));
        assert_eq!(wide, Wide::Quad(0x3fff << 112));
        let mut memory = [0u8; 16];
        wide.store(&mut memory, &machine(LongDouble::X87, false))
            .unwrap();
        assert_eq!(memory[..10], x87[..10]);
        assert_eq!(wide.to_wire()[..3], [0x3f, 0xff, 0]);
    }

    #[test]
    fn s23_a_long_double_that_does_not_fit_is_an_error() {
        let third = Wide::Quad(0x3ffd_5555_5555_5555_5555_5555_5555_5555);
        assert!(
            third
                .store(&mut [0; 16], &machine(LongDouble::X87, false))
                .is_err()
        );
        assert!(
            third
                .store(&mut [0; 8], &machine(LongDouble::Double, true))
                .is_err()
        );
        assert!(
            Wide::Pair(1.0f64.to_bits(), 1e-30f64.to_bits())
                .store(&mut [0; 16], &machine(LongDouble::Quad, true))
                .is_err()
        );
        let huge = Wide::Quad(0x7ffe << 112);
        assert!(
            huge.store(&mut [0; 16], &machine(LongDouble::X87, false))
                .is_ok()
        );
        assert!(
            huge.store(&mut [0; 8], &machine(LongDouble::Double, false))
                .is_err()
        );
        assert!(
            Wide::Quad(1)
                .store(&mut [0; 8], &machine(LongDouble::Double, false))
                .is_err()
        );
    }

    #[test]
    fn s23_the_nearest_double_is_found_for_every_long_double() {
        let quad = |exponent: i32, fraction: u128| {
            Wide::Quad(((exponent + 16383) as u128) << 112 | fraction).to_f64()
        };
        assert_eq!(quad(-2, 0x5555_5555_5555_5555_5555_5555_5555), 1.0 / 3.0);
        assert_eq!(quad(0, 1), 1.0);
        assert_eq!(quad(0, 1 << 59), 1.0, "half-way goes to the even one");
        assert_eq!(quad(0, 3 << 59), 1.0 + 2.0 * f64::EPSILON);
        assert_eq!(quad(0, 1 << 59 | 1), 1.0 + f64::EPSILON);
        assert_eq!(quad(0, QUAD_FRACTION), 2.0);
        assert_eq!(quad(1023, QUAD_FRACTION), f64::INFINITY);
        assert_eq!(quad(2000, 5), f64::INFINITY);
        assert_eq!(quad(-1022, 1), f64::MIN_POSITIVE);
        assert_eq!(quad(-1023, QUAD_FRACTION), f64::MIN_POSITIVE);
        assert_eq!(quad(-1074, 1), 5e-324);
        assert_eq!(quad(-1075, 0), 0.0);
        assert_eq!(quad(-1075, 1), 5e-324);
        assert_eq!(quad(-1076, QUAD_FRACTION), 0.0);
        assert_eq!(quad(-16383, 1), 0.0);
        assert!(quad(16384, 1).is_nan());
        assert_eq!(
            Wide::Pair((-1.0f64).to_bits(), 1e-30f64.to_bits()).to_f64(),
            -1.0
        );
    }

    #[test]
    fn a_nan_stays_a_nan() {
        for bits in [
            QUAD_INFINITY | 1,
            QUAD_NAN,
            QUAD_INFINITY | 1 << 127 | 7 << 50,
        ] {
            let double = f64::from_bits(double_from_quad(bits).unwrap());
            assert!(double.is_nan());
            let (mantissa, _) = x87_from_quad(bits).unwrap();
            assert!(mantissa << 1 != 0);
        }
    }
}
