//! Whether the messages of a program can be counted, and which functions that takes.
//!
//! A checkpoint with `messages(counted)` need not be known to be safe: the library counts what every rank has sent and
//! received, and no restart goes on from a generation over which a message was in flight. It sees the functions of a list
//! only, `grammar`'s `COUNTED` and, for files, `FILES`.
//!
//! In: all files. Out: the mentions of functions that may communicate and are not on the list: of MPI, and those that nobody
//! knows and whose libraries may know MPI. Errors fall on the side of naming one too many. Not here: the counting (the crate `cccp-mpi`).

use cccp_grammar::{COUNTED, FILES};

use super::unknown::{MentionedFunction, mentioned_functions, silent_functions};
use super::uses::library_names;
use crate::catalog::{Catalogue, LibraryFunction, Role};
use crate::program::{Directive, Program, Unit};

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
const HARMLESS: [&str; 9] = [
    "MPI_Probe",
    "MPI_Iprobe",
    "MPI_Request_get_status",
    "MPI_Buffer_detach",
    "MPI_Comm_set_info",
    "MPI_Init",
    "MPI_Init_thread",
    "MPI_Finalize",
    "MPI_Abort",
];

/// Whether the library counts the messages of a function.
fn is_counted(name: &str) -> bool {
    COUNTED.contains(&name) || FILES.contains(&name)
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
        found |= is_counted(name);
    });
    found
}

/// Whether a file has calls by which the library knows files of MPI.
pub fn opens_files(unit: &Unit) -> bool {
    let mut found = false;
    library_names(unit, &mut |name, _| {
        found |= FILES.contains(&name);
    });
    found
}

/// The functions that may communicate and are not counted: of MPI, and those that nobody knows.
pub fn uncounted(program: &Program, catalogue: &Catalogue) -> Vec<MentionedFunction> {
    let silent = silent_functions(program, catalogue);
    mentioned_functions(program, &|name| {
        is_uncounted(name, catalogue) || !catalogue.contains(name) && !silent.contains(name)
    })
}

fn is_uncounted(name: &str, catalogue: &Catalogue) -> bool {
    if !name.starts_with("MPI_") || HARMLESS.contains(&name) || is_counted(name) {
        return false;
    }
    let communicates =
        |function: &LibraryFunction| COMMUNICATING.iter().any(|role| function.is(*role));
    catalogue
        .find(name)
        .is_some_and(|function| communicates(&function))
}
