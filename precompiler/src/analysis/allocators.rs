//! The functions of libraries whose blocks the run knows: in a program with items that bring blocks they go through the library.
//!
//! Blocks that other functions give lie in memory of a library, as far as a checkpoint is concerned: what is there is saved
//! only where an item names it.

use std::collections::BTreeSet;

use cccp_grammar::{MEMORY_OF_GMP, OF_CONTAINERS, OF_GMP};

use super::effects::Effects;
use super::inits;
use super::points_to::{PointsTo, Scope};
use super::uses::library_names;
use crate::catalog::{Catalogue, Role};
use crate::dataflow::steps::{Call, Routine, StepKind, Steps, TextPlace, VariableId};
use crate::program::{Program, Storage, Unit};

/// Those that cccp.h gives another meaning whenever it is asked to.
pub const ALWAYS: [&str; 4] = ["malloc", "calloc", "realloc", "free"];

/// Those that it gives another meaning one by one: a program may have a function of such a name, in old C.
pub const SINGLY: [&str; 35] = [
    "reallocarray",
    "posix_memalign",
    "aligned_alloc",
    "memalign",
    "valloc",
    "mmap",
    "mmap64",
    "munmap",
    "mremap",
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

/// What makes mappings of memory; the second is what `_FILE_OFFSET_BITS` makes of the first.
pub const MAPS: [&str; 2] = ["mmap", "mmap64"];

/// Bits of the flags and of the protection of `mmap` on Linux.
const SHARED: i128 = 1;
const FIXED: i128 = 0x10;
const ANONYMOUS: i128 = 0x20;
const NORESERVE: i128 = 0x4000;
const READ: i128 = 1;
const WRITE: i128 = 2;
const EXECUTE: i128 = 4;

/// The state in which files lie that the program has mapped to read them: a restart maps them again.
pub const VIEWS: &str = "views";

/// Protection and flags of a call of `mmap`, as far as they are constants.
fn mapped_as(routine: &Routine, call: &Call) -> Option<(i128, i128)> {
    let constant = |position| routine.constant_argument(call, position);
    Some((constant(2)?, constant(3)?))
}

/// Whether a call of `mmap` surely gives memory of the program's own: then it is a block of memory like any other. A file in it is
/// where it gets its values from.
fn is_own_mapping(routine: &Routine, call: &Call) -> bool {
    mapped_as(routine, call).is_some_and(|(protection, flags)| {
        let is_code = protection & EXECUTE != 0 && flags & ANONYMOUS == 0;
        protection & WRITE != 0 && flags & (SHARED | FIXED | NORESERVE) == 0 && !is_code
    })
}

/// Whether a call surely maps a file that is only read.
pub fn is_view(name: &str, routine: &Routine, call: &Call) -> bool {
    MAPS.contains(&name)
        && mapped_as(routine, call).is_some_and(|(protection, flags)| {
            protection == READ && flags & (FIXED | ANONYMOUS) == 0
        })
}

/// The calls that give blocks which the run does not know: those of libraries.
pub fn foreign_calls(
    program: &Program,
    steps: &Steps,
    points_to: &PointsTo,
) -> BTreeSet<TextPlace> {
    let known = Known::of(program);
    calls_of(steps, points_to, |routine, call, name| {
        match MAPS.contains(&name) {
            true => !is_own_mapping(routine, call),
            false => !known.has(name),
        }
    })
}

/// Those of them at which surely a library allocates for itself: no handle, whose makers have a role of their own, and no mapping.
pub fn calls_of_libraries(
    program: &Program,
    steps: &Steps,
    points_to: &PointsTo,
    catalogue: &Catalogue,
) -> BTreeSet<TextPlace> {
    let known = Known::of(program);
    let allocates = |name: &str| {
        let function = catalogue.find(name);
        !known.has(name) && function.is_some_and(|function| function.is(Role::Allocates))
    };
    let found = calls_of(steps, points_to, |_, _, name| allocates(name));
    let others = calls_of(steps, points_to, |_, _, name| !allocates(name));
    found.difference(&others).copied().collect()
}

/// The calls that give several blocks at once, of which one leads to the others: containers of GSL. To the analyses they are one object.
pub fn calls_for_several(steps: &Steps, points_to: &PointsTo) -> BTreeSet<TextPlace> {
    calls_of(steps, points_to, |_, _, name| OF_CONTAINERS.contains(&name))
}

/// The calls of functions with such names.
fn calls_of(
    steps: &Steps,
    points_to: &PointsTo,
    is_meant: impl Fn(&Routine, &Call, &str) -> bool,
) -> BTreeSet<TextPlace> {
    let mut found = BTreeSet::new();
    for id in steps.routine_ids() {
        let routine = steps.routine(id);
        let unit = routine.function.unit;
        routine.walk(&mut |step| {
            if let StepKind::Call(call) = &step.kind {
                let names = points_to.callees(Scope::Routine(id), call).named;
                if names.iter().any(|name| is_meant(routine, call, name)) {
                    let span = step.span;
                    found.insert(TextPlace { unit, span });
                }
            }
        });
    }
    found
}

/// What lies at the same address in every process of a program with a fixed heap: the blocks that the run knows, and the locals of `main`
/// and of what it calls, as its stack lies there, too. Nothing without one.
#[derive(Clone, Debug, Default)]
pub struct FixedHeap {
    /// Calls that give other blocks, and locals on other stacks.
    elsewhere: Option<(BTreeSet<TextPlace>, BTreeSet<VariableId>)>,
}

impl FixedHeap {
    /// That of a program.
    pub fn of(
        program: &Program,
        steps: &Steps,
        points_to: &PointsTo,
        effects: &Effects,
    ) -> FixedHeap {
        let elsewhere = || {
            let locals = moving_locals(program, steps, points_to, effects);
            (foreign_calls(program, steps, points_to), locals)
        };
        FixedHeap {
            elsewhere: program.has_fixed_heap().then(elsewhere),
        }
    }

    /// Whether the program has one.
    pub fn is_there(&self) -> bool {
        self.elsewhere.is_some()
    }

    /// Whether the blocks of an allocating call lie in it.
    pub fn holds(&self, call: &TextPlace) -> bool {
        let elsewhere = self.elsewhere.as_ref();
        elsewhere.is_some_and(|(foreign, _)| !foreign.contains(call))
    }

    /// Whether a variable lies at the same address in every process, or is over at every checkpoint.
    pub fn has_place(&self, variable: VariableId) -> bool {
        let elsewhere = self.elsewhere.as_ref();
        elsewhere.is_some_and(|(_, locals)| !locals.contains(&variable))
    }
}

/// The locals that do not lie on the fixed stack: those of other threads, of what code that is not given calls, and all where `main` does
/// not lead to `init`. What handlers run, and threads that are joined before a checkpoint, is over at each checkpoint, and their locals
/// with it: nobody asks for their addresses any more.
fn moving_locals(
    program: &Program,
    steps: &Steps,
    points_to: &PointsTo,
    effects: &Effects,
) -> BTreeSet<VariableId> {
    let below_main = points_to.called_from(steps, effects.main);
    let begins = inits(program, steps).any(|(routine, _)| below_main.contains(&routine));
    let others = effects.threads.iter().chain(&effects.from_outside);
    let others = points_to.called_from(steps, others.copied());
    let all = steps.variable_ids().filter(|&id| {
        let one = steps.variable(id);
        let is_local = matches!(one.storage, Storage::Automatic | Storage::Register);
        let moves = |owner| !begins || others.contains(&owner) || points_to.teams().has(id, owner);
        one.per_thread || is_local && one.owner.is_none_or(moves)
    });
    all.collect()
}

/// All functions whose blocks the run knows; those of GSL's containers are the grammar's.
pub fn known() -> impl Iterator<Item = &'static str> {
    ALWAYS.iter().chain(&SINGLY).chain(OF_CONTAINERS).copied()
}

/// Those of a program, with GMP's: its numbers lie in blocks that the run knows, unless the program says where they get them.
struct Known {
    has_own_numbers: bool,
}

impl Known {
    fn of(program: &Program) -> Known {
        let tells = |unit: &Unit| names(unit, |name| name == MEMORY_OF_GMP);
        Known {
            has_own_numbers: program.units.iter().any(tells),
        }
    }

    /// Whether the run knows the blocks that a function gives.
    fn has(&self, function: &str) -> bool {
        let is_of_gmp = function.starts_with(OF_GMP) && !self.has_own_numbers;
        is_of_gmp || known().any(|name| name == function)
    }
}

/// Whether a file names such a function of a library.
fn names(unit: &Unit, is_meant: impl Fn(&str) -> bool) -> bool {
    let mut found = false;
    library_names(unit, &mut |name, _| found |= is_meant(name));
    found
}

/// Whether a file calls functions of GMP, in a program that does not say where numbers get their memory.
pub fn has_numbers_of_gmp(program: &Program, unit: &Unit) -> bool {
    names(unit, |name| name.starts_with(OF_GMP)) && !Known::of(program).has_own_numbers
}
