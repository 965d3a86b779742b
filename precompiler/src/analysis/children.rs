//! Whether the library can see to it that no process which the program has started is there at a checkpoint.
//!
//! It is told that the program starts some (`popen`, `fork`), and asks the system at each checkpoint whether one is there or has not
//! been waited for; then the checkpoint waits. A stream of `popen` is open for as long as its process has not been waited for.
//!
//! In: the program. Out: yes where it has no directives of its own (whoever places checkpoints by hand may want them while a process
//! is there, and gets them), in programs without MPI and OpenMP. Errors fall on the side of *no*: then they are beside the program all
//! the time.

use super::joined::has_regions;
use super::unknown::mentioned_functions;
use crate::catalog::Catalogue;
use crate::program::{Program, Unit};

/// What starts a process that is waited for.
pub const START: [&str; 2] = ["fork", "popen"];

/// The catalogue for a program of whose processes none is there at a checkpoint.
pub fn catalogue(program: &Program, catalogue: &Catalogue) -> Option<Catalogue> {
    let mentioned = mentioned_functions(program, &|name| {
        name.starts_with("MPI_") || START.contains(&name)
    });
    let is_made_here = |unit: &Unit| {
        let mut functions = unit.functions.iter();
        functions.any(|one| START.contains(&unit.symbols[one.symbol.0].name.as_str()))
    };
    let are_awaited = !mentioned.is_empty()
        && mentioned
            .iter()
            .all(|one| START.contains(&one.name.as_str()))
        && program
            .units
            .iter()
            .all(|unit| !has_regions(unit) && !has_own_directives(unit) && !is_made_here(unit));
    are_awaited.then(|| catalogue.with_awaited_children())
}

/// Whether the user has written directives.
fn has_own_directives(unit: &Unit) -> bool {
    let mut all = unit.directives.iter();
    all.any(|one| !unit.file.is_added(one.lines.start))
}
