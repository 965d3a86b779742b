//! Whether the library can see to it that no process which the program has started is there at a checkpoint.
//!
//! It is told that the program starts some (`popen`, `fork`), and asks the system at each checkpoint whether one is there or has not
//! been waited for; then the checkpoint waits. A stream of `popen` is open for as long as its process has not been waited for.
//!
//! In: the program. Out: yes where they are started in no block that a restart executes again (whoever writes one wants them at
//! checkpoints), in programs without MPI and OpenMP. Errors fall on the side of *no*: then they are beside the program all the time.

use super::joined::has_regions;
use super::unknown::mentioned_functions;
use crate::catalog::Catalogue;
use crate::program::{Directive, ExpressionKind, Program, Unit};

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
            .all(|unit| !has_regions(unit) && !starts_in_a_block(unit) && !is_made_here(unit));
    are_awaited.then(|| catalogue.with_awaited_children())
}

/// Whether a file mentions one of the functions.
pub fn is_concerned(unit: &Unit) -> bool {
    let mut symbols = unit.symbols.iter();
    symbols.any(|one| START.contains(&one.name.as_str()))
}

/// Whether a block that is executed on restart starts a process.
fn starts_in_a_block(unit: &Unit) -> bool {
    let is_in_block = |span: crate::source::Span| {
        unit.directives.iter().any(|one| {
            let end = one.partner.map(|end| unit.directives[end.0].span.start);
            matches!(one.directive, Directive::ExecuteOnRestart)
                && end.is_some_and(|end| one.span.end <= span.start && span.end <= end)
        })
    };
    let mut found = false;
    for function in &unit.functions {
        function.body.walk_expressions(&mut |one| {
            if let ExpressionKind::Call { callee, .. } = &one.kind
                && let Some(symbol) = callee.symbol()
            {
                let name = unit.symbols[symbol.0].name.as_str();
                found |= START.contains(&name) && is_in_block(one.span);
            }
        });
    }
    found
}
