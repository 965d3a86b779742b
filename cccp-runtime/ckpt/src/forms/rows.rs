//! A register as rows: what one row is, and how many there are in each direction.

use cccp::format::{LongDoubleValue, Register};

use crate::elements::Element;

/// Letters up to this number are one text; longer ones are a field of letters.
pub const LONGEST_TEXT: u64 = 1 << 16;

/// How the values of a register are arranged.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// Extents, row-major; empty for a single row.
    pub extents: Vec<u64>,
    /// What one row is.
    pub element: Element,
}

impl Rows {
    /// One row per element. The last direction of a field of letters becomes one text: C has no other strings.
    pub fn of(register: &Register, element: Element) -> Rows {
        let mut extents = register.extents.clone();
        let mut element = element;
        if let (Element::Letters(1), Some(1..=LONGEST_TEXT)) = (&element, extents.last()) {
            element = Element::Letters(extents.pop().unwrap_or(1));
        }
        Rows { extents, element }
    }

    /// How many rows.
    pub fn count(&self) -> u64 {
        self.extents.iter().product()
    }
}

/// What a form could not keep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Values of `long double` that lost digits or range.
    pub long_doubles: u64,
}

impl Losses {
    /// The nearest `double`, noted when it is another number.
    pub fn double(&mut self, value: LongDoubleValue) -> f64 {
        if value.to_exact_f64().is_none() {
            self.long_doubles += 1;
        }
        value.to_f64()
    }

    /// In words.
    pub fn words(&self) -> Option<String> {
        (self.long_doubles > 0).then(|| {
            format!(
                "{} of the long double values are no doubles; the nearest ones were written",
                self.long_doubles
            )
        })
    }
}
