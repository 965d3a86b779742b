//! Unknown functions that do not communicate, because their libraries know nothing of MPI.

use std::collections::BTreeSet;

use super::unknown_functions;
use crate::catalog::Catalogue;
use crate::program::{Program, ScopeId, SymbolKind};

/// Unknown functions that every file which declares them has from a header of the system without a word of MPI. What they call back may
/// communicate all the same. A function that the program declares itself may do anything.
pub fn silent_functions(program: &Program, catalogue: &Catalogue) -> BTreeSet<String> {
    let names = unknown_functions(program, catalogue).into_iter();
    names
        .map(|one| one.name)
        .filter(|name| is_silent(program, name))
        .collect()
}

fn is_silent(program: &Program, name: &str) -> bool {
    let mut is_declared = false;
    for unit in &program.units {
        let Some(symbol) = unit.lookup(ScopeId(0), name, usize::MAX) else {
            continue;
        };
        let symbol = &unit.symbols[symbol.0];
        let declared = symbol.declared.start;
        if symbol.kind != SymbolKind::Function
            || !unit.file.is_system(declared)
            || unit.file.header_mentions(declared, "MPI_")
        {
            return false;
        }
        is_declared = true;
    }
    is_declared
}
