//! Numbers one after the other, and what they are like as a whole.

use std::cmp::Ordering;

use cccp::format::Scalar;

/// An integer or a floating-point number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Whole(i128),
    /// A floating-point number.
    Real(f64),
}

impl Number {
    /// The number that a scalar is; none for pointers, characters, complex numbers and unions.
    pub fn of(scalar: &Scalar) -> Option<Number> {
        Some(match scalar {
            Scalar::Bool(value) => Number::Whole(i128::from(*value)),
            Scalar::Signed(value) => Number::Whole(i128::from(*value)),
            Scalar::Unsigned(value) => Number::Whole(i128::from(*value)),
            Scalar::Float(value) => Number::Real(f64::from(*value)),
            Scalar::Double(value) => Number::Real(*value),
            Scalar::LongDouble(value) => Number::Real(value.to_f64()),
            _ => return None,
        })
    }

    /// The nearest `double`.
    pub fn to_f64(self) -> f64 {
        match self {
            Number::Whole(value) => value as f64,
            Number::Real(value) => value,
        }
    }

    /// Whether two bounds of its own kind lie around it: true for nearly all numbers of a register, and quickly known.
    fn is_between(self, least: Option<Number>, largest: Option<Number>) -> bool {
        match (self, least, largest) {
            (Number::Real(value), Some(Number::Real(least)), Some(Number::Real(largest))) => {
                least < value && value < largest
            }
            (Number::Whole(value), Some(Number::Whole(least)), Some(Number::Whole(largest))) => {
                least <= value && value <= largest
            }
            _ => false,
        }
    }

    /// Integers are compared as integers: a `double` does not hold all of them.
    fn order(self, other: Number) -> Ordering {
        match (self, other) {
            (Number::Whole(one), Number::Whole(other)) => one.cmp(&other),
            (one, other) => one.to_f64().total_cmp(&other.to_f64()),
        }
    }
}

/// What numbers are like as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// How many there were, those that are no numbers or infinite included.
    pub count: u64,
    /// Values that are no numbers.
    pub nan: u64,
    /// Infinite ones.
    pub infinite: u64,
    /// The least finite one.
    pub least: Option<Number>,
    /// The largest finite one.
    pub largest: Option<Number>,
    mean: f64,
    /// What the numbers of the block add up to, and how many there are in it.
    block: (f64, u64),
}

/// Numbers whose mean is joined to that of those before. Blocks keep rounding errors and costs small.
const BLOCK: u64 = 256;

impl Summary {
    /// One more number.
    pub fn add(&mut self, number: Number) {
        self.count += 1;
        let value = number.to_f64();
        if !value.is_finite() {
            match value.is_nan() {
                true => self.nan += 1,
                false => self.infinite += 1,
            }
            return;
        }
        if !number.is_between(self.least, self.largest) {
            self.widen(number);
        }
        // Sums of halves of blocks would overflow only where the mean itself nearly does.
        self.block.0 += value / BLOCK as f64;
        self.block.1 += 1;
        if self.block.1 == BLOCK {
            self.mean = self.joined();
            self.block = (0.0, 0);
        }
    }

    /// Takes a finite number into the range.
    fn widen(&mut self, number: Number) {
        if self.least.is_none_or(|least| number.order(least).is_lt()) {
            self.least = Some(number);
        }
        if self
            .largest
            .is_none_or(|largest| number.order(largest).is_gt())
        {
            self.largest = Some(number);
        }
    }

    /// Finite numbers.
    pub fn finite(&self) -> u64 {
        self.count - self.nan - self.infinite
    }

    /// The mean of the finite numbers.
    pub fn mean(&self) -> Option<f64> {
        (self.finite() > 0).then(|| self.joined())
    }

    /// The mean of all numbers so far, the block included.
    fn joined(&self) -> f64 {
        let (sum, here) = (self.block.0, self.block.1 as f64);
        if here == 0.0 {
            return self.mean;
        }
        let all = self.finite() as f64;
        let own = sum * (BLOCK as f64 / here);
        self.mean + (own - self.mean) * (here / all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: impl IntoIterator<Item = f64>) -> Summary {
        let mut summary = Summary::default();
        values
            .into_iter()
            .for_each(|value| summary.add(Number::Real(value)));
        summary
    }

    #[test]
    fn the_mean_is_that_of_the_finite_values() {
        let summary =
            of((0..1000)
                .map(f64::from)
                .chain([f64::NAN, f64::INFINITY, f64::NEG_INFINITY]));
        assert_eq!((summary.count, summary.nan, summary.infinite), (1003, 1, 2));
        assert_eq!(summary.least, Some(Number::Real(0.0)));
        assert_eq!(summary.largest, Some(Number::Real(999.0)));
        let mean = summary.mean().expect("finite numbers");
        assert!((mean - 499.5).abs() < 1e-9, "{mean}");
        assert_eq!(of([]).mean(), None);
        assert_eq!(of([f64::NAN]).mean(), None);
    }

    #[test]
    fn a_million_equal_values_have_that_value_as_their_mean() {
        for value in [0.1, 1e300, -1e-300, f64::MAX] {
            let mean = of(std::iter::repeat_n(value, 1_000_000)).mean();
            let mean = mean.expect("finite numbers");
            assert!((mean / value - 1.0).abs() < 1e-12, "{mean} {value}");
        }
    }

    #[test]
    fn integers_that_no_double_holds_keep_their_last_digit() {
        let mut summary = Summary::default();
        for value in [u64::MAX - 1, u64::MAX] {
            summary.add(Number::Whole(value.into()));
        }
        assert_eq!(summary.least, Some(Number::Whole(u64::MAX as i128 - 1)));
        assert_eq!(summary.largest, Some(Number::Whole(u64::MAX.into())));
    }
}
