//! A field of numbers out of a register: two directions of an array, one value of each element.

use std::io;

use cccp::format::{Checkpoint, Register, Scalar, scalar_count, scalar_name};

use super::arguments::Slice;
use crate::elements::{Grid, Scalars};
use crate::forms::{Blocks, Heat};
use crate::outcome::Failure;

/// Which values are shown.
pub struct Field {
    grid: Grid,
    /// An index for the directions that are not shown.
    fixed: Vec<Option<u64>>,
    rows: u64,
    columns: u64,
    elements: u64,
    /// Values of an element, and which of them is shown.
    each: u64,
    member: u64,
}

impl Field {
    /// Finds the two directions and the value, or says what is missing.
    pub fn of(
        checkpoint: &Checkpoint,
        register: &Register,
        slice: Option<&Slice>,
        member: Option<&str>,
    ) -> Result<Field, Failure> {
        let grid = Grid::of(register);
        let extents = &grid.extents;
        let fixed = match slice {
            Some(Slice(fixed)) => fixed.clone(),
            None => vec![None; extents.len()],
        };
        let shown: Vec<usize> = (0..fixed.len())
            .filter(|direction| fixed[*direction].is_none())
            .collect();
        let &[down, across] = &shown[..] else {
            return Err(Failure::said(match slice {
                Some(_) => format!(
                    "--slice shows {} dimensions; a picture has two",
                    shown.len()
                ),
                None => format!(
                    "{} is an array of {} dimensions; a picture has two{}",
                    register.name,
                    extents.len(),
                    match extents.len() {
                        0 | 1 => "; export it as .csv or .npy",
                        _ => ": choose them with --slice, as in 0,:,:",
                    }
                ),
            }));
        };
        if fixed.len() != extents.len() {
            return Err(Failure::said(format!(
                "--slice has {} indices, {} has {}",
                fixed.len(),
                register.name,
                extents.len()
            )));
        }
        for (direction, index) in fixed.iter().enumerate() {
            let first = if direction == 0 {
                grid.indices(0)[0]
            } else {
                0
            };
            let range = first..first + extents[direction];
            if let Some(index) = index.filter(|index| !range.contains(index)) {
                return Err(Failure::said(format!(
                    "index {index} of --slice: dimension {direction} of {} goes from {first} to {}",
                    register.name,
                    range.end.saturating_sub(1)
                )));
            }
        }
        let (rows, columns) = (extents[down], extents[across]);
        if rows == 0 || columns == 0 {
            return Err(Failure::said(format!("{} has no elements", register.name)));
        }
        Ok(Field {
            rows,
            columns,
            fixed,
            elements: register.elements,
            each: scalar_count(&checkpoint.types, register.type_index),
            member: find_member(checkpoint, register, member)?,
            grid,
        })
    }

    /// Reads the values and averages them to so many pixels in each direction.
    pub fn read(
        &self,
        scalars: &mut Scalars,
        pixels: u32,
        advance: &mut dyn FnMut(),
    ) -> io::Result<Heat> {
        let mut blocks = Blocks::new(self.rows, self.columns, pixels);
        let whole = self.fixed.iter().all(Option::is_none);
        for position in 0..self.elements {
            let shown = whole
                || self
                    .grid
                    .indices(position)
                    .iter()
                    .zip(&self.fixed)
                    .all(|(index, fixed)| fixed.is_none_or(|fixed| fixed == *index));
            let mut taken = 0;
            while taken < self.each {
                let scalar = scalars.take().map_err(io::Error::other)?;
                if let Scalar::Bytes { more: true, .. } = scalar {
                    continue;
                }
                if shown && taken == self.member {
                    blocks.add(number(&scalar));
                }
                taken += 1;
            }
            advance();
        }
        // The last call verifies the checksum.
        scalars.pull().map_err(io::Error::other)?;
        Ok(blocks.finish())
    }
}

/// Which value of an element is meant.
fn find_member(
    checkpoint: &Checkpoint,
    register: &Register,
    member: Option<&str>,
) -> Result<u64, Failure> {
    const MOST: u64 = 1 << 16;
    let (types, kind) = (&checkpoint.types, register.type_index);
    let count = scalar_count(types, kind);
    let names = || (0..count.min(MOST)).map_while(|number| scalar_name(types, kind, number));
    let wanted = member.unwrap_or_default();
    match names().position(|name| name == wanted) {
        Some(place) => Ok(place as u64),
        None => {
            let known: Vec<String> = names().filter(|name| !name.is_empty()).take(20).collect();
            Err(Failure::said(match (member, known.is_empty()) {
                (Some(_), true) => format!("{} has no members", register.name),
                (Some(name), false) => {
                    format!(
                        "{} has no member {name}; it has {}",
                        register.name,
                        known.join(", ")
                    )
                }
                (None, _) => format!(
                    "the elements of {} are structs; choose a number with --member: {}",
                    register.name,
                    known.join(", ")
                ),
            }))
        }
    }
}

/// A value as a number; of a complex one its modulus. What is none is NaN.
fn number(scalar: &Scalar) -> f64 {
    match scalar {
        Scalar::Bool(value) => f64::from(u8::from(*value)),
        Scalar::Character(value) => f64::from(*value),
        Scalar::Signed(value) => *value as f64,
        Scalar::Unsigned(value) => *value as f64,
        Scalar::Float(value) => f64::from(*value),
        Scalar::Double(value) => *value,
        Scalar::LongDouble(value) => value.to_f64(),
        Scalar::ComplexFloat(re, im) => f64::from(*re).hypot(f64::from(*im)),
        Scalar::ComplexDouble(re, im) => re.hypot(*im),
        Scalar::ComplexLongDouble(parts) => parts[0].to_f64().hypot(parts[1].to_f64()),
        Scalar::Pointer(_) | Scalar::Bytes { .. } => f64::NAN,
    }
}
