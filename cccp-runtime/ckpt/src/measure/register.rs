//! One walk over the values of a register.

use cccp::format::{File, FormatError, Register, Scalar, scalar_count};

use super::members::Members;
use super::summary::{Number, Summary};

/// What was found in a register.
#[derive(Debug, Default)]
pub struct Measured {
    /// Each member with its numbers; those without any are left out. One without a name for a register of scalars.
    pub members: Vec<(String, Summary)>,
    /// The first scalars, in the order of elements and members.
    pub first: Vec<Scalar>,
    /// Scalars of an element.
    pub per_element: u64,
    /// Scalars of all elements.
    pub count: u64,
}

/// Walks over all values of a register and keeps the first so many. `advance` is told the number of scalars.
pub fn measure(
    file: &File,
    register: &Register,
    first: u64,
    advance: &dyn Fn(u64),
) -> Result<Measured, FormatError> {
    let types = &file.checkpoint.types;
    let per_element = scalar_count(types, register.type_index);
    let members = Members::of(types, register.type_index, per_element);
    let mut summaries = vec![Summary::default(); members.names.len()];
    let mut found = Measured {
        per_element,
        ..Measured::default()
    };
    let mut values = file.values(register)?;
    let mut batch = Vec::new();
    let row_of = |run: usize| match members.runs.len() {
        1 => u64::MAX,
        _ => members.runs[run].0,
    };
    let (mut run, mut left) = (0, row_of(0));
    while values.next(&mut batch)? {
        advance(batch.len() as u64);
        let mut rest = &batch[..];
        while !rest.is_empty() {
            // The scalars of one member in a row.
            let length = (rest.len() as u64).min(left.max(1));
            let (row, after) = rest.split_at(length as usize);
            let summary = &mut summaries[members.runs[run].1];
            row.iter()
                .filter_map(Number::of)
                .for_each(|number| summary.add(number));
            let piece = |scalar: &&Scalar| matches!(scalar, Scalar::Bytes { more: true, .. });
            let whole = match row.first() {
                Some(Scalar::Bytes { .. }) => row.len() - row.iter().filter(piece).count(),
                _ => row.len(),
            } as u64;
            found.count += whole;
            left = left.saturating_sub(whole);
            if left == 0 {
                run = (run + 1) % members.runs.len();
                left = row_of(run);
            }
            rest = after;
        }
        let wanted = first.saturating_sub(found.first.len() as u64);
        let wanted = wanted.min(batch.len() as u64) as usize;
        found.first.extend(batch.drain(..wanted));
    }
    let named = members.names.into_iter().zip(summaries);
    found.members = named.filter(|(_, summary)| summary.count > 0).collect();
    Ok(found)
}
