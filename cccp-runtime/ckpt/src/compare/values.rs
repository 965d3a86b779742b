//! The values of two registers, one by one.

use cccp::format::{File, FormatError, Register, Scalar, scalar_count};

use super::distance::{Tolerance, distance};
use super::finding::{Difference, Finding, Largest};
use super::pairs::Side;
use crate::elements::Scalars;

/// Compares the values of two registers whose types are alike and whose shapes are the same. `advance` is told how many
/// values are done.
pub fn compare(
    sides: [&Side; 2],
    files: [&File; 2],
    registers: [&Register; 2],
    tolerance: &Tolerance,
    advance: &mut dyn FnMut(u64),
) -> Result<Finding, FormatError> {
    let each = scalar_count(&files[0].checkpoint.types, registers[0].type_index).max(1);
    let mut streams = [
        Scalars::new(files[0], registers[0])?,
        Scalars::new(files[1], registers[1])?,
    ];
    let mut finding = Finding::default();
    // A piece of the present union differed.
    let mut torn = false;
    loop {
        let [one, other] = &mut streams;
        let (one, other) = (one.ready()?, other.ready()?);
        let length = one.len().min(other.len());
        if length == 0 {
            if one.len() != other.len() {
                return Err(FormatError::Damaged {
                    offset: 0,
                    reason: "one side has more values than its shape says".to_string(),
                });
            }
            return Ok(finding);
        }
        for (one, other) in one[..length].iter().zip(&other[..length]) {
            let same = is_same(one, other, sides, &mut finding.unknown_pointers);
            if let Scalar::Bytes { more: true, .. } = one {
                torn |= !same;
                continue;
            }
            if !same || torn {
                note(&mut finding, each, [one, other], tolerance);
                torn = false;
            }
            finding.values += 1;
        }
        advance(length as u64);
        streams.iter_mut().for_each(|stream| stream.pass(length));
    }
}

/// Whether two values have the same bits. Integers are equal when they have the same value.
fn is_same(one: &Scalar, other: &Scalar, sides: [&Side; 2], unknown: &mut u64) -> bool {
    match (one, other) {
        (Scalar::Double(one), Scalar::Double(other)) => one.to_bits() == other.to_bits(),
        (Scalar::Float(one), Scalar::Float(other)) => one.to_bits() == other.to_bits(),
        (Scalar::ComplexFloat(a, b), Scalar::ComplexFloat(c, d)) => {
            (a.to_bits(), b.to_bits()) == (c.to_bits(), d.to_bits())
        }
        (Scalar::ComplexDouble(a, b), Scalar::ComplexDouble(c, d)) => {
            (a.to_bits(), b.to_bits()) == (c.to_bits(), d.to_bits())
        }
        (Scalar::Signed(one), Scalar::Unsigned(other))
        | (Scalar::Unsigned(other), Scalar::Signed(one)) => u64::try_from(*one) == Ok(*other),
        (Scalar::Pointer(one), Scalar::Pointer(other)) => {
            match sides[0].leads_to_the_same(one, sides[1], other) {
                Some(same) => same,
                None => {
                    *unknown += 1;
                    true
                }
            }
        }
        (one, other) => one == other,
    }
}

fn note(finding: &mut Finding, each: u64, values: [&Scalar; 2], tolerance: &Tolerance) {
    let difference = || Difference {
        element: finding.values / each,
        scalar: finding.values % each,
        values: values.map(Scalar::clone),
    };
    let at = difference();
    finding.different += 1;
    let covered = tolerance.covers(values[0], values[1]);
    // One beyond the tolerance is worth more than one within it.
    if finding.first.is_none() || !covered && finding.beyond == 0 {
        finding.first = Some(at.clone());
    }
    finding.beyond += u64::from(!covered);
    let Some(distance) = distance(values[0], values[1]) else {
        finding.without_distance += 1;
        return;
    };
    for (largest, distance) in [
        (&mut finding.absolute, distance.absolute),
        (&mut finding.relative, distance.relative),
    ] {
        if largest
            .as_ref()
            .is_none_or(|largest| distance > largest.distance)
        {
            *largest = Some(Largest {
                distance,
                at: at.clone(),
            });
        }
    }
    finding.steps = finding.steps.max(distance.steps);
}
