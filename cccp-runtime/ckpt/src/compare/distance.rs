//! How far two values are apart.

use std::str::FromStr;

use cccp::format::Scalar;

/// How far two numbers are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The absolute value of the difference.
    pub absolute: f64,
    /// The same, as a part of the larger of the two.
    pub relative: f64,
    /// Floating-point numbers between the two, the second one included; none for other values.
    pub steps: Option<u64>,
}

/// What still counts as the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// Relative difference.
    pub relative: f64,
    /// Absolute difference.
    pub absolute: f64,
}

impl Tolerance {
    /// Whether two floating-point values that differ are near enough. Integers and pointers never are.
    pub fn covers(&self, one: &Scalar, other: &Scalar) -> bool {
        if *self == Tolerance::default() || !is_floating(one) {
            return false;
        }
        let alike = |(one, other): (&f64, &f64)| one == other || one.is_nan() && other.is_nan();
        let pair = parts(one).zip(parts(other));
        if pair.is_some_and(|(one, other)| one.iter().zip(&other).all(alike)) {
            return true;
        }
        distance(one, other).is_some_and(|distance| {
            distance.absolute <= self.absolute || distance.relative <= self.relative
        })
    }
}

impl FromStr for Tolerance {
    type Err = String;

    fn from_str(text: &str) -> Result<Tolerance, String> {
        let (relative, absolute) = text.split_once(',').unwrap_or((text, "0"));
        let number = |text: &str| {
            let number: Option<f64> = text.trim().parse().ok();
            number
                .filter(|number| *number >= 0.0 && number.is_finite())
                .ok_or_else(|| format!("{text} is no tolerance; 1e-12 or 1e-12,1e-300 are"))
        };
        Ok(Tolerance {
            relative: number(relative)?,
            absolute: number(absolute)?,
        })
    }
}

/// How far two values are apart; none where one of them is no number.
pub fn distance(one: &Scalar, other: &Scalar) -> Option<Distance> {
    if let (Some(one), Some(other)) = (whole(one), whole(other)) {
        let absolute = (one - other).unsigned_abs() as f64;
        let larger = one.unsigned_abs().max(other.unsigned_abs()) as f64;
        return Some(Distance {
            absolute,
            relative: part(absolute, larger),
            steps: None,
        });
    }
    let (a, b) = (parts(one)?, parts(other)?);
    let length = |parts: [f64; 2]| parts[0].hypot(parts[1]);
    let absolute = match a == b {
        // Two infinities of the same sign, two zeros of different sign.
        true => 0.0,
        false => length([a[0] - b[0], a[1] - b[1]]),
    };
    if absolute.is_nan() {
        return None;
    }
    Some(Distance {
        absolute,
        relative: part(absolute, length(a).max(length(b))),
        steps: steps(one, other),
    })
}

fn part(absolute: f64, larger: f64) -> f64 {
    match absolute {
        0.0 => 0.0,
        absolute if absolute.is_infinite() => f64::INFINITY,
        absolute => absolute / larger,
    }
}

fn is_floating(scalar: &Scalar) -> bool {
    parts(scalar).is_some()
}

/// The value of an integer.
fn whole(scalar: &Scalar) -> Option<i128> {
    match scalar {
        Scalar::Bool(value) => Some(i128::from(*value)),
        Scalar::Character(value) => Some(i128::from(*value)),
        Scalar::Signed(value) => Some(i128::from(*value)),
        Scalar::Unsigned(value) => Some(i128::from(*value)),
        _ => None,
    }
}

/// Real and imaginary part of a floating-point value.
fn parts(scalar: &Scalar) -> Option<[f64; 2]> {
    Some(match scalar {
        Scalar::Float(value) => [f64::from(*value), 0.0],
        Scalar::Double(value) => [*value, 0.0],
        Scalar::LongDouble(value) => [value.to_f64(), 0.0],
        Scalar::ComplexFloat(re, im) => [f64::from(*re), f64::from(*im)],
        Scalar::ComplexDouble(re, im) => [*re, *im],
        Scalar::ComplexLongDouble(parts) => parts.map(|part| part.to_f64()),
        _ => return None,
    })
}

/// Floating-point numbers from one to the other. The two zeros count as one.
fn steps(one: &Scalar, other: &Scalar) -> Option<u64> {
    fn between(one: u64, other: u64, sign: u32) -> u64 {
        let place = |bits: u64| {
            let size = (bits & !(1 << sign)) as i128;
            if bits >> sign & 1 == 1 { -size } else { size }
        };
        place(one).abs_diff(place(other)) as u64
    }
    let double = |one: f64, other: f64| between(one.to_bits(), other.to_bits(), 63);
    let float =
        |one: f32, other: f32| between(u64::from(one.to_bits()), u64::from(other.to_bits()), 31);
    match (one, other) {
        (Scalar::Float(one), Scalar::Float(other)) => Some(float(*one, *other)),
        (Scalar::Double(one), Scalar::Double(other)) => Some(double(*one, *other)),
        (Scalar::ComplexFloat(a, b), Scalar::ComplexFloat(c, d)) => {
            Some(float(*a, *c).max(float(*b, *d)))
        }
        (Scalar::ComplexDouble(a, b), Scalar::ComplexDouble(c, d)) => {
            Some(double(*a, *c).max(double(*b, *d)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubles(one: f64, other: f64) -> Option<Distance> {
        distance(&Scalar::Double(one), &Scalar::Double(other))
    }

    #[test]
    fn neighbours_are_one_step_apart_even_across_zero() {
        let steps = |one, other| doubles(one, other).and_then(|distance| distance.steps);
        assert_eq!(steps(1.0, 1.0 + f64::EPSILON), Some(1));
        assert_eq!(steps(5e-324, -5e-324), Some(2));
        assert_eq!(steps(0.0, -0.0), Some(0));
        assert_eq!(steps(f64::MAX, f64::MIN), Some(2 * f64::MAX.to_bits()));
        let floats = distance(&Scalar::Float(-1.0), &Scalar::Float(-1.0 - f32::EPSILON));
        assert_eq!(floats.and_then(|distance| distance.steps), Some(1));
    }

    #[test]
    fn differences_are_absolute_and_relative_to_the_larger_one() {
        let distance = doubles(3.0, -1.0).unwrap();
        assert_eq!((distance.absolute, distance.relative), (4.0, 4.0 / 3.0));
        let infinite = doubles(f64::INFINITY, 1.0).unwrap();
        assert_eq!(
            (infinite.absolute, infinite.relative),
            (f64::INFINITY, f64::INFINITY)
        );
        assert_eq!(doubles(f64::NAN, 1.0), None);
        let whole = super::distance(&Scalar::Signed(-1), &Scalar::Unsigned(u64::MAX)).unwrap();
        assert_eq!(whole.absolute, 2f64.powi(64));
        let complex = super::distance(
            &Scalar::ComplexDouble(3.0, 0.0),
            &Scalar::ComplexDouble(0.0, 4.0),
        );
        assert_eq!(complex.unwrap().absolute, 5.0);
    }

    #[test]
    fn a_tolerance_is_for_floating_point_numbers_only() {
        let near: Tolerance = "1e-10,1e-3".parse().unwrap();
        let covers = |one, other| near.covers(&Scalar::Double(one), &Scalar::Double(other));
        assert!(covers(1e20, 1e20 * (1.0 + 1e-12)) && covers(1e-4, -1e-4));
        assert!(!covers(1.0, 1.1) && !covers(1.0, f64::NAN) && covers(f64::NAN, -f64::NAN));
        assert!(!near.covers(
            &Scalar::Signed(1_000_000_000_000),
            &Scalar::Signed(1_000_000_000_001)
        ));
        assert!("-1".parse::<Tolerance>().is_err() && "x".parse::<Tolerance>().is_err());
    }
}
