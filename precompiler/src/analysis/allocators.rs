//! The functions of libraries whose blocks the run knows: in a program with items that bring blocks they go through the library.
//!
//! Blocks that other functions give lie in memory of a library, as far as a checkpoint is concerned: what is there is saved
//! only where an item names it.

use std::collections::BTreeSet;

use super::points_to::{PointsTo, Scope};
use crate::dataflow::steps::{StepKind, Steps, TextPlace};
use crate::program::Program;

/// Those that cccp.h gives another meaning whenever it is asked to.
pub const ALWAYS: [&str; 4] = ["malloc", "calloc", "realloc", "free"];

/// Those that it gives another meaning one by one: a program may have a function of such a name, in old C.
pub const SINGLY: [&str; 31] = [
    "reallocarray",
    "posix_memalign",
    "aligned_alloc",
    "memalign",
    "valloc",
    "malloc_usable_size",
    "strdup",
    "strndup",
    "realpath",
    "getline",
    "getdelim",
    "asprintf",
    "vasprintf",
    "fftw_malloc",
    "fftw_alloc_real",
    "fftw_alloc_complex",
    "fftw_free",
    "fftwf_malloc",
    "fftwf_alloc_real",
    "fftwf_alloc_complex",
    "fftwf_free",
    "fftwl_malloc",
    "fftwl_alloc_real",
    "fftwl_alloc_complex",
    "fftwl_free",
    "__builtin_malloc",
    "__builtin_calloc",
    "__builtin_realloc",
    "__builtin_free",
    "__builtin_strdup",
    "__builtin_strndup",
];

/// The calls that give blocks which the run does not know: those of libraries.
pub fn foreign_calls(steps: &Steps, points_to: &PointsTo) -> BTreeSet<TextPlace> {
    let mut found = BTreeSet::new();
    for id in steps.routine_ids() {
        let routine = steps.routine(id);
        let unit = routine.function.unit;
        routine.walk(&mut |step| {
            if let StepKind::Call(call) = &step.kind {
                let names = points_to.callees(Scope::Routine(id), call).named;
                if names.iter().any(|name| !is_known(name)) {
                    let span = step.span;
                    found.insert(TextPlace { unit, span });
                }
            }
        });
    }
    found
}

/// Which blocks lie in the fixed heap of a program: those that the run knows. None without one.
#[derive(Clone, Debug)]
pub struct FixedHeap {
    foreign: Option<BTreeSet<TextPlace>>,
}

impl FixedHeap {
    /// That of a program.
    pub fn of(program: &Program, steps: &Steps, points_to: &PointsTo) -> FixedHeap {
        let foreign = || foreign_calls(steps, points_to);
        FixedHeap {
            foreign: program.has_fixed_heap().then(foreign),
        }
    }

    /// Whether the program has one.
    pub fn is_there(&self) -> bool {
        self.foreign.is_some()
    }

    /// Whether the blocks of an allocating call lie in it.
    pub fn holds(&self, call: &TextPlace) -> bool {
        let foreign = self.foreign.as_ref();
        foreign.is_some_and(|foreign| !foreign.contains(call))
    }
}

/// Whether the run knows the blocks that a function gives.
pub fn is_known(function: &str) -> bool {
    ALWAYS.contains(&function) || SINGLY.contains(&function)
}
