//! What library functions do, as far as it matters whether all ranks see the same.

use super::everybody::Everybody;
use crate::analysis::effects::{ActionKind, Effects, walk};
use crate::analysis::memory::CellId;
use crate::analysis::points_to::PointsTo;
use crate::analysis::unknown::{silent_functions, why_not_silent};
use crate::catalog::{Catalogue, LibraryFunction, Role};
use crate::dataflow::steps::{Call, RoutineId, Steps};
use crate::program::Program;
use crate::source::Span;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Functions whose results depend on their arguments and the memory that these lead to, and on nothing else.
const PLAIN: [&str; 4] = ["<string.h>", "<math.h>", "<ctype.h>", "<complex.h>"];
const PLAIN_NAMES: [&str; 23] = [
    "atoi",
    "atol",
    "atoll",
    "atof",
    "strtol",
    "strtoul",
    "strtoll",
    "strtoull",
    "strtod",
    "strtof",
    "abs",
    "labs",
    "llabs",
    "div",
    "ldiv",
    "bsearch",
    "snprintf",
    "sprintf",
    "sscanf",
    "getopt",
    "getopt_long",
    "getopt_long_only",
    "MPI_Dims_create",
];
/// Memory of the heap is there on all ranks or on none.
const ALLOCATING: [&str; 6] = [
    "malloc",
    "calloc",
    "realloc",
    "free",
    "posix_memalign",
    "aligned_alloc",
];
/// After these all ranks of the communicator have the same.
const SHARING: [&str; 8] = [
    "MPI_Init",
    "MPI_Init_thread",
    "MPI_Bcast",
    "MPI_Allreduce",
    "MPI_Allgather",
    "MPI_Allgatherv",
    "MPI_Comm_size",
    "MPI_Comm_compare",
];

/// How a library function relates what ranks have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The same when it gets the same.
    Plain,
    /// The same for all ranks of a communicator, whatever they had.
    Sharing,
    /// Makes a handle: all ranks have the one that this call made.
    Handle,
    /// Anything may be different on each rank.
    Varying,
}

/// The kind of a function.
pub fn kind(catalogue: &Catalogue, name: &str) -> Kind {
    let name = name
        .strip_prefix('P')
        .filter(|rest| rest.starts_with("MPI_"))
        .unwrap_or(name);
    if SHARING.contains(&name) {
        return Kind::Sharing;
    }
    if PLAIN_NAMES.contains(&name) || ALLOCATING.contains(&name) {
        return Kind::Plain;
    }
    let Some(found) = catalogue.find(name) else {
        return Kind::Varying;
    };
    let varies = [
        Role::Random,
        Role::Rank,
        Role::ReadsClock,
        Role::ReadsInput,
        Role::Receives,
        Role::Opens,
        Role::Spawns,
        Role::Tests,
        Role::Probes,
        Role::Waits,
    ];
    if varies.into_iter().any(|role| found.is(role)) {
        return Kind::Varying;
    }
    if PLAIN.iter().any(|header| found.chapter.contains(header)) {
        return Kind::Plain;
    }
    if is_mpi(name) && makes_handles(&found) {
        return Kind::Handle;
    }
    Kind::Varying
}

fn makes_handles(function: &LibraryFunction) -> bool {
    function
        .effects
        .iter()
        .any(|effect| effect.kind == crate::catalog::EffectKind::Creates)
}

/// Whether a function is one of MPI.
pub fn is_mpi(name: &str) -> bool {
    name.starts_with("MPI_") || name.starts_with("PMPI_")
}

/// Whether a function of MPI sends or receives messages, or waits for other ranks, or has to do with requests or
/// windows.
pub fn communicates(function: &LibraryFunction) -> bool {
    const ROLES: [Role; 10] = [
        Role::Collective,
        Role::Communicates,
        Role::NonBlocking,
        Role::OneSided,
        Role::Persistent,
        Role::Probes,
        Role::Receives,
        Role::Sends,
        Role::Starts,
        Role::Tests,
    ];
    ROLES.into_iter().any(|role| function.is(role))
        || function.is(Role::Waits)
        || function.parameters.iter().any(|name| {
            matches!(
                name.as_str(),
                "comm" | "newcomm" | "request" | "win" | "array_of_requests"
            )
        })
}

/// The cells that a call may read, and those that it may store to; true: surely all of it.
type Touched = (Vec<CellId>, Vec<(CellId, bool)>);

/// Entries of the catalogue, and what is read and stored by calls, by their text.
pub struct Library<'a> {
    catalogue: &'a Catalogue,
    /// Functions without an entry whose libraries or objects know nothing of MPI.
    silent: BTreeSet<String>,
    found: HashMap<String, Option<Arc<LibraryFunction>>>,
    touched: Vec<HashMap<Span, Touched>>,
    everybody: Everybody<'a>,
}

impl<'a> Library<'a> {
    /// For a program.
    pub fn of(
        program: &'a Program,
        steps: &'a Steps,
        points_to: &'a PointsTo,
        effects: &Effects,
        catalogue: &'a Catalogue,
    ) -> Library<'a> {
        let bodies = effects.bodies.iter().map(|body| {
            let mut touched: HashMap<Span, Touched> = HashMap::new();
            walk(body.nodes.iter().flatten(), &mut |action| {
                let entry = touched.entry(action.span).or_default();
                match &action.kind {
                    ActionKind::Read(cells) => entry.0.extend(effects.cells(*cells)),
                    ActionKind::Write { cells, all } => {
                        let cells = effects.cells(*cells).iter();
                        entry.1.extend(cells.map(|cell| (*cell, *all)));
                    }
                    _ => {}
                }
            });
            touched
        });
        Library {
            catalogue,
            silent: silent_functions(program, catalogue),
            found: HashMap::new(),
            touched: bodies.collect(),
            everybody: Everybody::of(program, steps, points_to, catalogue),
        }
    }

    /// Forgets memory that calls touch.
    pub fn forget(&mut self, which: impl Fn(CellId) -> bool) {
        let touched = self.touched.iter_mut().flat_map(HashMap::values_mut);
        for (read, stored) in touched {
            read.retain(|cell| !which(*cell));
            stored.retain(|(cell, _)| !which(*cell));
        }
    }

    /// Whether a function without an entry communicates only by what it calls back.
    pub fn is_silent(&self, name: &str) -> bool {
        name.starts_with("__builtin") || self.silent.contains(name)
    }

    /// What the link knows of a function that may communicate.
    pub fn why_not_silent(&self, name: &str) -> Option<String> {
        why_not_silent(self.catalogue, name)
    }

    /// The entry of a function.
    pub fn find(&mut self, name: &str) -> Option<Arc<LibraryFunction>> {
        if let Some(known) = self.found.get(name) {
            return known.clone();
        }
        let found = self.catalogue.find(name);
        self.found.insert(name.to_string(), found.clone());
        found
    }

    /// The kind of a function.
    pub fn kind(&self, name: &str) -> Kind {
        kind(self.catalogue, name)
    }

    /// The same of a call: what the ranks of a group share may be another thing in the next group.
    pub fn kind_of(&self, routine: RoutineId, call: &Call, name: &str) -> Kind {
        match (self.kind(name), self.catalogue.find(name)) {
            (Kind::Sharing, Some(function)) if !self.everybody.make(routine, call, &function) => {
                Kind::Varying
            }
            (kind, _) => kind,
        }
    }

    /// The cells that a call may read.
    pub fn read(&self, routine: RoutineId, call: Span) -> &[CellId] {
        let touched = self.touched[routine.0 as usize].get(&call);
        touched.map_or(&[], |(read, _)| read)
    }

    /// The cells that a call may store to; true: surely all of it.
    pub fn stored(&self, routine: RoutineId, call: Span) -> &[(CellId, bool)] {
        let touched = self.touched[routine.0 as usize].get(&call);
        touched.map_or(&[], |(_, stored)| stored)
    }
}
