//! Whether the library can see to it that no process which the program has started is there at a checkpoint.
//!
//! It is told that the program starts some (`popen`, `fork`, `vfork`), and asks the system at each checkpoint whether one is there or has not
//! been waited for; then the checkpoint waits. A stream of `popen` is open for as long as its process has not been waited for.
//!
//! In: the program. Out: yes where it has no directives of its own (whoever places checkpoints by hand may want them while a process
//! is there, and gets them); with MPI where processes are started by `popen` alone: a rank takes no checkpoint then, while the others do,
//! and none of them is used; with OpenMP where no checkpoint is in a region, itself or by calls, and processes are started by `popen`
//! alone. Errors fall on the side of *no*: then they are beside the program all the time.

use std::collections::{BTreeSet, HashSet};

use super::joined::has_regions;
use super::unknown::mentioned_functions;
use crate::catalog::Catalogue;
use crate::dataflow::{called_name, innermost};
use crate::program::{
    Directive, Expression, ExpressionKind, Function, Program, Statement, SymbolId, SymbolKind, Unit,
};
use crate::solver::closure;

/// What starts a process that is waited for.
pub const START: [&str; 3] = ["fork", "popen", "vfork"];

/// The catalogue for a program of whose processes none is there at a checkpoint.
pub fn catalogue(program: &Program, catalogue: &Catalogue) -> Option<Catalogue> {
    let mentioned = mentioned_functions(program, &|name| {
        name.starts_with("MPI_") || START.contains(&name)
    });
    let is_made_here = |unit: &Unit| {
        let mut functions = unit.functions.iter();
        functions.any(|one| START.contains(&unit.symbols[one.symbol.0].name.as_str()))
    };
    let (starting, of_mpi) = { mentioned.iter().map(|one| one.name.as_str()) }
        .partition::<Vec<&str>, _>(|name| START.contains(name));
    let has_commands_alone = starting.iter().all(|name| *name == "popen");
    let are_awaited = !starting.is_empty()
        && { program.units.iter() }.all(|unit| !has_own_directives(unit) && !is_made_here(unit))
        && (of_mpi.is_empty() || has_commands_alone)
        && (!program.units.iter().any(has_regions)
            || has_commands_alone && are_outside_regions(program));
    are_awaited.then(|| catalogue.with_awaited_children())
}

/// Whether the user has written directives.
fn has_own_directives(unit: &Unit) -> bool {
    let mut all = unit.directives.iter();
    all.any(|one| !unit.file.is_added(one.lines.start))
}

/// Whether all checkpoints are passed by the thread that is there between regions: threads of a team ask for them in another way.
fn are_outside_regions(program: &Program) -> bool {
    let inside = in_regions(program);
    program.units.iter().all(|unit| {
        unit.directives.iter().all(|one| {
            let is_checkpoint = matches!(one.directive, Directive::Checkpoint { .. });
            let function = one.function.filter(|_| is_checkpoint);
            function.is_none_or(|function| {
                let function = unit.function(function);
                let around = function.body.regions_around(one.span);
                around.is_empty() && !inside.contains(name(unit, function))
            })
        })
    })
}

/// Names of functions that threads of a team may run: those named in regions, those whose address is used, as it may be called there,
/// and all that these name.
fn in_regions(program: &Program) -> BTreeSet<&str> {
    let mut first: Vec<&str> = Vec::new();
    for unit in &program.units {
        for function in &unit.functions {
            function.body.walk(&mut |statement| {
                if !statement.openmp.is_empty() {
                    first.extend(named_in(unit, statement));
                }
                true
            });
            first.extend(not_called(unit, &function.body));
        }
        for value in unit.globals.iter().flat_map(|global| global.expressions()) {
            value.walk(&mut |one| first.extend(named(unit, one)));
        }
    }
    closure(first, |one, open| {
        for unit in &program.units {
            let mut functions = unit.functions.iter();
            if let Some(function) = functions.find(|function| name(unit, function) == one) {
                open.extend(named_in(unit, &function.body));
            }
        }
    })
    .collect()
}

fn name<'a>(unit: &'a Unit, function: &Function) -> &'a str {
    &unit.symbols[function.symbol.0].name
}

/// The functions named in a statement.
fn named_in<'a>(unit: &Unit, statement: &'a Statement) -> Vec<&'a str> {
    let mut found = Vec::new();
    statement.walk_expressions(&mut |one| found.extend(named(unit, one)));
    found
}

/// The function that an expression names, declared or not.
fn named<'a>(unit: &Unit, expression: &'a Expression) -> Option<&'a str> {
    let ExpressionKind::Name { name, symbol } = &expression.kind else {
        return None;
    };
    let is_function = |id: SymbolId| unit.symbols[id.0].kind == SymbolKind::Function;
    symbol.is_none_or(is_function).then_some(name.as_str())
}

/// The functions that a statement names in another place than that of the function which is called.
fn not_called<'a>(unit: &Unit, statement: &'a Statement) -> Vec<&'a str> {
    let mut called = HashSet::new();
    statement.walk_expressions(&mut |one| {
        if let ExpressionKind::Call { callee, .. } = &one.kind
            && called_name(callee).is_some()
        {
            called.insert(innermost(callee).span);
        }
    });
    let mut found = Vec::new();
    statement.walk_expressions(&mut |one| {
        found.extend(named(unit, one).filter(|_| !called.contains(&one.span)));
    });
    found
}
