//! Unknown functions that do not communicate: because their libraries know nothing of MPI, or because the link says that no way
//! leads from their objects there.

use std::collections::BTreeSet;

use super::unknown_functions;
use crate::analysis::communication::{communicates, is_mpi};
use crate::catalog::{Catalogue, UnseenFunction, Way};
use crate::dataflow::calls::innermost;
use crate::program::{Expression, ExpressionKind, Program, ScopeId, SymbolKind};
use crate::source::Span;

/// Unknown functions that every file which declares them has from a header of the system without a word of MPI, or whose objects the
/// linker knows. What they call back may communicate all the same. Of other functions that the program declares itself anything
/// may come.
pub fn silent_functions(program: &Program, catalogue: &Catalogue) -> BTreeSet<String> {
    quiet(program, catalogue, |one| one.messages.is_none())
}

/// The same of what a team of threads does together: barriers, and work that is handed out.
pub fn functions_without_team(program: &Program, catalogue: &Catalogue) -> BTreeSet<String> {
    quiet(program, catalogue, |one| one.team.is_none())
}

fn quiet(
    program: &Program,
    catalogue: &Catalogue,
    is_quiet: impl Fn(&UnseenFunction) -> bool,
) -> BTreeSet<String> {
    let names = unknown_functions(program, catalogue).into_iter();
    let names = names.map(|one| one.name);
    let quiet: BTreeSet<String> = names
        .filter(|name| is_silent(program, name) || catalogue.unseen(name).is_some_and(&is_quiet))
        .collect();
    // What is handed a function that communicates may call it.
    if !quiet.is_empty() && hands_out(program, &|name| may_communicate(catalogue, &quiet, name)) {
        return BTreeSet::new();
    }
    quiet
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

fn may_communicate(catalogue: &Catalogue, quiet: &BTreeSet<String>, name: &str) -> bool {
    match catalogue.find(name) {
        Some(found) => is_mpi(name) && communicates(&found),
        None => catalogue.unseen(name).is_some() && !quiet.contains(name),
    }
}

/// Whether the program names a function that it does not define otherwise than to call it.
fn hands_out(program: &Program, is_it: &dyn Fn(&str) -> bool) -> bool {
    program.units.iter().any(|unit| {
        let mut called: BTreeSet<Span> = BTreeSet::new();
        let mut named: BTreeSet<Span> = BTreeSet::new();
        let mut look = |one: &Expression| match &one.kind {
            ExpressionKind::Call { callee, .. } => {
                called.insert(innermost(callee).span);
            }
            ExpressionKind::Name { name, symbol } => {
                let symbol = symbol.map(|symbol| &unit.symbols[symbol.0]);
                let is_foreign = symbol.is_some_and(|symbol| {
                    symbol.kind == SymbolKind::Function && symbol.definition.is_none()
                });
                if is_foreign && is_it(name) {
                    named.insert(one.span);
                }
            }
            _ => {}
        };
        for function in &unit.functions {
            function.body.walk_expressions(&mut look);
        }
        for value in unit.globals.iter().flat_map(|global| global.expressions()) {
            value.walk(&mut look);
        }
        !named.is_subset(&called)
    })
}

/// Why the link takes a function to communicate, as a part of a sentence that begins with its name; none where nobody knows.
pub fn why_not_silent(catalogue: &Catalogue, name: &str) -> Option<String> {
    let found = catalogue.unseen(name)?;
    let Way { objects, symbol } = found.messages.as_ref()?;
    let object = &found.object;
    Some(match &objects[..] {
        [] => format!("is in {object}, which is not seen and uses `{symbol}`"),
        behind => format!(
            "is in {object}, which is not seen and leads to {}, which uses `{symbol}`",
            behind.join(", to ")
        ),
    })
}
