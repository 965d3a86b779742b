//! What came out of comparing the values of two registers.

use cccp::format::Scalar;

/// Two values that differ, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Which element, from 0.
    pub element: u64,
    /// Which of its values, from 0.
    pub scalar: u64,
    /// The values of the two sides.
    pub values: [Scalar; 2],
}

/// The largest of something, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Largest {
    /// How large.
    pub distance: f64,
    /// Where.
    pub at: Difference,
}

/// What came out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// Values compared.
    pub values: u64,
    /// Those whose bits differ.
    pub different: u64,
    /// Those of them that no tolerance covers.
    pub beyond: u64,
    /// The first of those beyond the tolerance, else the first that differs.
    pub first: Option<Difference>,
    /// The largest absolute difference.
    pub absolute: Option<Largest>,
    /// The largest relative difference.
    pub relative: Option<Largest>,
    /// The largest number of floating-point numbers in between.
    pub steps: Option<u64>,
    /// Differences without a distance: one side is no number, or it is a pointer or bytes.
    pub without_distance: u64,
    /// Pointers that mean something in their own process only; not counted as different.
    pub unknown_pointers: u64,
}

impl Finding {
    /// Whether all values have the same bits.
    pub fn is_equal(&self) -> bool {
        self.different == 0
    }

    /// Whether all values are the same as far as the tolerance goes.
    pub fn is_good(&self) -> bool {
        self.beyond == 0
    }
}
