//! Whether the messages of a program can be counted, and which functions that takes.
//!
//! A checkpoint with `messages(counted)` need not be known to be safe: the library counts what every rank has sent and
//! received, and no restart goes on from a generation over which a message was under way. It sees the functions of a list
//! only, `catalog/mpi/counted.list`.
//!
//! In: all files. Out: the mentions of functions that may communicate and are not on the list: of MPI,
//! and those that nobody knows. Errors fall on the side
//! of naming one too many. Not here: the counting (the crate `cccp-mpi`).

use super::unknown::{MentionedFunction, mentioned_functions};
use super::uses::library_names;
use crate::catalog::{Catalogue, LibraryFunction, Role};
use crate::program::{Directive, Program, Unit};

/// The list: words, and comments from `#` to the end of the line.
const LIST: &str = include_str!("../../catalog/mpi/counted.list");

/// What makes a function one that has to be counted.
const COMMUNICATING: [Role; 6] = [
    Role::Communicates,
    Role::Collective,
    Role::Persistent,
    Role::OneSided,
    Role::Spawns,
    Role::Opens,
];

/// Communicating functions after which there are as many messages under way as before.
const HARMLESS: [&str; 12] = [
    "MPI_Probe",
    "MPI_Iprobe",
    "MPI_Mprobe",
    "MPI_Improbe",
    "MPI_Request_get_status",
    "MPI_Buffer_detach",
    "MPI_Comm_free",
    "MPI_Comm_set_info",
    "MPI_Init",
    "MPI_Init_thread",
    "MPI_Finalize",
    "MPI_Abort",
];

/// The functions that the library counts.
pub fn counted() -> impl Iterator<Item = &'static str> {
    let lines = LIST.lines();
    let lines = lines.map(|line| line.split_once('#').map_or(line, |(words, _)| words));
    lines.flat_map(str::split_whitespace)
}

/// Whether a checkpoint of the program wants messages to be counted.
pub fn is_wanted(program: &Program) -> bool {
    let mut directives = program.units.iter().flat_map(|unit| &unit.directives);
    directives.any(|one| {
        matches!(
            one.directive,
            Directive::Checkpoint {
                messages_counted: true,
                ..
            }
        )
    })
}

/// Whether a file has calls that are counted.
pub fn is_concerned(unit: &Unit) -> bool {
    let mut found = false;
    library_names(unit, &mut |name, _| {
        found |= name.starts_with("MPI_") && counted().any(|one| one == name);
    });
    found
}

/// The functions that may communicate and are not counted: of MPI, and those that nobody knows.
pub fn uncounted(program: &Program, catalogue: &Catalogue) -> Vec<MentionedFunction> {
    mentioned_functions(program, &|name| {
        is_uncounted(name, catalogue) || !catalogue.contains(name)
    })
}

fn is_uncounted(name: &str, catalogue: &Catalogue) -> bool {
    if !name.starts_with("MPI_") || HARMLESS.contains(&name) || counted().any(|one| one == name) {
        return false;
    }
    let communicates =
        |function: &LibraryFunction| COMMUNICATING.iter().any(|role| function.is(*role));
    name == "MPI_Cancel"
        || catalogue
            .find(name)
            .is_some_and(|function| communicates(&function))
}
