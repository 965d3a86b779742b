//! What is done to bring an element of the file into one of the program, as a list of steps.
//!
//! Neighbouring bytes and words of the same width become one step, so that an array of structs of doubles is brought over
//! at the speed of an array of doubles. Not here: which steps (`matching`), doing them (`decode`).

use super::types::BitField;

/// A run of equal things: from where in an element of the file, to where in an element of the program.
#[derive(Debug)]
pub(super) struct Step {
    /// Of the member, from the element on.
    pub(super) path: String,
    /// Byte in the file's element (native data only).
    pub(super) from: u64,
    /// Byte in the program's element.
    pub(super) to: u64,
    /// How many.
    pub(super) count: u64,
    /// What.
    pub(super) work: Work,
}

#[derive(Debug)]
pub(super) enum Work {
    /// Single bytes of native data that stay as they are.
    Copy,
    /// XDR opaque data, padded together.
    Opaque,
    /// Words of 4 or 8 bytes whose byte order may differ.
    Words(u64),
    Bool,
    /// Integers that change size or sign.
    Integer {
        from: u64,
        from_signed: bool,
        wide: bool,
        to: u64,
        to_signed: bool,
        /// How the program spells its type.
        name: String,
    },
    LongDouble,
    Pointer {
        to: u64,
    },
    Bits {
        from: BitField,
        to: BitField,
    },
    /// Bytes of the program that the file has no value for.
    Zero,
    /// The same for a bit-field.
    ZeroBits(BitField),
    /// A member of the file that the program does not have, as a step within its own type of this many bytes.
    Skip {
        step: Box<Step>,
        size: u64,
    },
    /// A handle.
    Nothing,
    Group {
        steps: Vec<Step>,
        from: u64,
        to: u64,
    },
}

/// Bytes without a value.
pub(super) fn zero(path: &str, to: u64, count: u64) -> Step {
    Step {
        path: path.to_string(),
        from: 0,
        to,
        count,
        work: Work::Zero,
    }
}

/// Bytes per unit of the works that may be merged.
pub(super) fn width(work: &Work) -> u64 {
    if let Work::Words(width) = work {
        *width
    } else {
        1
    }
}

/// Adds a step, merged with the one before it when both are runs of the same words in a row on both sides.
pub(super) fn push(steps: &mut Vec<Step>, step: Step) {
    if let Some(last) = steps.last_mut() {
        let alike = match (&last.work, &step.work) {
            (Work::Copy, Work::Copy) => true,
            (Work::Words(one), Work::Words(other)) => one == other,
            _ => false,
        };
        let length = last.count * width(&last.work);
        if alike && last.from + length == step.from && last.to + length == step.to {
            last.count += step.count;
            return;
        }
    }
    steps.push(step);
}
