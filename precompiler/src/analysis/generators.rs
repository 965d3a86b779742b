//! Which generators of random numbers of the C library a program uses.
//!
//! In: all files. Out: the families whose state the library has to save, because the C library keeps it to itself. A name
//! counts wherever it stands, so that a pointer to `rand` counts, too; a function of the program's own with such a name
//! does not. Too many cost a few bytes in a checkpoint, one too few a wrong sequence.
//!
//! Not here: generators whose state is the program's own (`rand_r`, `erand48`), which are live memory like any other.

use super::uses::library_names;
use crate::program::{Program, Unit};

/// Families with a state of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Generators {
    /// `rand`, `random`: one state in the GNU C library.
    pub random: bool,
    /// `drand48`.
    pub drand48: bool,
}

const RANDOM: [&str; 6] = [
    "rand",
    "srand",
    "random",
    "srandom",
    "initstate",
    "setstate",
];
const DRAND48: [&str; 6] = [
    "drand48", "lrand48", "mrand48", "srand48", "seed48", "lcong48",
];

impl Generators {
    /// Those that a program uses.
    pub fn of(program: &Program) -> Generators {
        let mut found = Generators::default();
        for unit in &program.units {
            found.add(unit);
        }
        found
    }

    /// Those that a file uses.
    pub fn of_unit(unit: &Unit) -> Generators {
        let mut found = Generators::default();
        found.add(unit);
        found
    }

    fn add(&mut self, unit: &Unit) {
        library_names(unit, &mut |name, _| {
            self.random |= RANDOM.contains(&name);
            self.drand48 |= DRAND48.contains(&name);
        });
    }

    /// None at all.
    pub fn is_empty(self) -> bool {
        self == Generators::default()
    }

    /// Whether a restart brings all of them back: the array of `rand` and `random` is within reach in the GNU C library
    /// only, which tells its name to whoever includes one of its headers.
    pub fn are_restored(self, program: &Program) -> bool {
        let is_gnu = |unit: &Unit| {
            let end = unit.file.preprocessed.len();
            unit.file.macro_at("__GLIBC__", end).is_some()
        };
        !self.random || program.units.iter().any(is_gnu)
    }
}
