//! The answer as data: what `--json` prints.

use cccp::format::{Checkpoint, Register, Scalar, scalar_name};
use serde::Serialize;
use serde_json::Value;

use crate::compare::{Difference, Finding, Largest};
use crate::elements::{Grid, Targets, spell};

/// All of it.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// Whether nothing counts as different.
    pub equal: bool,
    /// Registers that do not agree, of all ranks.
    pub different_registers: u64,
    /// Registers looked at, of all ranks.
    pub registers: u64,
    /// What A is.
    pub a: Source,
    /// What B is.
    pub b: Source,
    /// What else is different.
    pub header: Vec<HeaderDifference>,
    /// Rank by rank.
    pub ranks: Vec<Rank>,
}

/// One side.
#[derive(Debug, Serialize)]
pub struct Source {
    /// Its file, or the directory of the generation.
    pub path: String,
    /// Name of the program.
    pub program: String,
    /// Of the job.
    pub ranks: u32,
    /// Its number.
    pub generation: u64,
    /// For people.
    pub machine: String,
    /// `xdr` or `native`.
    pub encoding: &'static str,
}

impl Source {
    /// What a file says of itself.
    pub fn of(path: &std::path::Path, checkpoint: &Checkpoint) -> Source {
        let header = &checkpoint.header;
        Source {
            path: path.display().to_string(),
            program: header.program.clone(),
            ranks: header.size,
            generation: header.generation,
            machine: header.machine.description.clone(),
            encoding: header.encoding.word(),
        }
    }
}

/// Something about the runs themselves.
#[derive(Debug, Serialize)]
pub struct HeaderDifference {
    /// What.
    pub what: &'static str,
    /// In A.
    pub a: String,
    /// In B.
    pub b: String,
    /// Whether it makes the two different; the others are for information.
    pub counts: bool,
}

/// A rank.
#[derive(Debug, Serialize)]
pub struct Rank {
    /// Its number.
    pub rank: u32,
    /// In the order of A.
    pub registers: Vec<Compared>,
}

/// How the comparison of a register ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Bit for bit.
    Equal,
    /// All differences are within the tolerance.
    Tolerated,
    /// Some value differs.
    Different,
    /// B has no such register.
    OnlyA,
    /// A has no such register.
    OnlyB,
    /// Its types cannot be compared.
    Type,
    /// Its shapes are different.
    Shape,
}

impl Verdict {
    /// Whether it is as it should be.
    pub fn is_good(self) -> bool {
        matches!(self, Verdict::Equal | Verdict::Tolerated)
    }
}

/// A register.
#[derive(Debug, Serialize)]
pub struct Compared {
    /// The user's file with its register.
    #[serde(skip)]
    pub file: String,
    /// The line in it.
    #[serde(skip)]
    pub line: u32,
    /// That registered it.
    pub function: String,
    /// As the user wrote it.
    pub name: String,
    /// Of an element.
    #[serde(rename = "type")]
    pub kind: String,
    /// It is no item of the program, but what the library keeps for it.
    #[serde(skip)]
    pub is_of_library: bool,
    /// Empty for a single object.
    pub extents: Vec<u64>,
    /// How it ended.
    pub verdict: Verdict,
    /// Why the values were not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What came out of the values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Values>,
}

/// What came out of the values of a register.
#[derive(Debug, Serialize)]
pub struct Values {
    /// Compared.
    pub compared: u64,
    /// With other bits.
    pub different: u64,
    /// Not covered by the tolerance.
    pub beyond_tolerance: u64,
    /// The first difference.
    pub first: Option<At>,
    /// The largest absolute difference.
    pub largest_absolute: Option<LargestAt>,
    /// The largest relative difference.
    pub largest_relative: Option<LargestAt>,
    /// Most floating-point numbers in between.
    pub largest_ulp: Option<u64>,
    /// Differences that have no distance.
    pub without_distance: u64,
    /// Pointers that nobody can compare.
    pub unknown_pointers: u64,
}

/// A difference.
#[derive(Debug, Serialize)]
pub struct At {
    /// As C writes it: `[3][4].x`.
    pub index: String,
    /// The value of A.
    pub a: Value,
    /// The value of B.
    pub b: Value,
    /// Both in words.
    #[serde(skip)]
    pub words: [String; 2],
}

/// The largest difference of its kind.
#[derive(Debug, Serialize)]
pub struct LargestAt {
    /// How large.
    pub difference: Value,
    /// Where.
    #[serde(flatten)]
    pub at: At,
    /// As a number.
    #[serde(skip)]
    pub distance: f64,
}

impl Values {
    /// A finding in the words of the files it came from.
    pub fn of(finding: &Finding, sides: [&Checkpoint; 2], register: &Register) -> Values {
        let targets = sides.map(Targets::of);
        let at = |difference: &Difference| {
            let types = &sides[0].types;
            let member = scalar_name(types, register.type_index, difference.scalar);
            let grid = Grid::of(register);
            let [a, b] = &difference.values;
            At {
                index: grid.spell(difference.element, &member.unwrap_or_default()),
                a: value(a, &targets[0]),
                b: value(b, &targets[1]),
                words: [spell(a, &targets[0]), spell(b, &targets[1])],
            }
        };
        let largest = |largest: &Largest| LargestAt {
            difference: number(largest.distance),
            distance: largest.distance,
            at: at(&largest.at),
        };
        Values {
            compared: finding.values,
            different: finding.different,
            beyond_tolerance: finding.beyond,
            first: finding.first.as_ref().map(at),
            largest_absolute: finding.absolute.as_ref().map(largest),
            largest_relative: finding.relative.as_ref().map(largest),
            largest_ulp: finding.steps,
            without_distance: finding.without_distance,
            unknown_pointers: finding.unknown_pointers,
        }
    }
}

/// A number; JSON has none for what is no number.
fn number(number: f64) -> Value {
    match number {
        number if number.is_nan() => Value::from("NaN"),
        f64::INFINITY => Value::from("Infinity"),
        f64::NEG_INFINITY => Value::from("-Infinity"),
        number => Value::from(number),
    }
}

fn value(scalar: &Scalar, targets: &Targets) -> Value {
    match scalar {
        Scalar::Bool(value) => Value::from(*value),
        Scalar::Character(value) => Value::from(*value),
        Scalar::Signed(value) => Value::from(*value),
        Scalar::Unsigned(value) => Value::from(*value),
        // The shortest digits of a float, not those of its double.
        Scalar::Float(value) if value.is_finite() => {
            number(format!("{value:?}").parse().unwrap_or(f64::from(*value)))
        }
        Scalar::Float(value) => number(f64::from(*value)),
        Scalar::Double(value) => number(*value),
        Scalar::LongDouble(value) => number(value.to_f64()),
        Scalar::ComplexFloat(re, im) => {
            Value::from(vec![number((*re).into()), number((*im).into())])
        }
        Scalar::ComplexDouble(re, im) => Value::from(vec![number(*re), number(*im)]),
        Scalar::ComplexLongDouble(parts) => {
            Value::from(parts.map(|part| number(part.to_f64())).to_vec())
        }
        Scalar::Pointer(_) | Scalar::Bytes { .. } => Value::from(spell(scalar, targets)),
    }
}
