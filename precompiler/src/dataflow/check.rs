//! Checks that need the whole program: checkpoints that no `init` can reach, unregisters of what is never registered,
//! a second `init` in a function.
//!
//! When unsure, nothing is said: a function that code elsewhere may call may be called after `init`.

use std::collections::{HashMap, HashSet};

use cccp_grammar::nearest;

use super::calls::{FunctionRef, client_names};
use super::started::after_init;
use crate::catalog::Catalogue;
use crate::diagnostic::{Code, Diagnostic, Place};
use crate::program::{Directive, DirectiveUse, FunctionId, Program, Unit};
use crate::source::SourceRange;

/// What is wrong with the directives of a program, seen as a whole.
pub fn check_program(program: &Program, catalogue: &Catalogue) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    checkpoints_after_init(program, catalogue, &mut diagnostics);
    unregistered_names(program, &mut diagnostics);
    second_inits(program, &mut diagnostics);
    diagnostics
}

fn at(unit: &Unit, range: SourceRange) -> Place {
    let text = unit.file.original_text(range);
    let start = range.start + (text.len() - text.trim_start().len());
    Place::Range {
        path: unit.file.path.clone(),
        range: start..range.end.max(start),
    }
}

fn checkpoints_after_init(
    program: &Program,
    catalogue: &Catalogue,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut all = Vec::new();
    for (unit, one) in program.units.iter().enumerate() {
        for directive in &one.directives {
            if let (Directive::Checkpoint { .. }, Some(function)) =
                (&directive.directive, directive.function)
            {
                all.push((FunctionRef { unit, function }, directive));
            }
        }
    }
    if all.is_empty() {
        return;
    }
    let places: Vec<_> = all
        .iter()
        .map(|(function, one)| (*function, one.span.start))
        .collect();
    let started = after_init(program, catalogue, &places);
    for ((function, directive), started) in all.into_iter().zip(started) {
        if !started {
            let one = &program.units[function.unit];
            let any = program.units.iter().flat_map(|unit| &unit.directives);
            let any = any
                .filter(|other| matches!(other.directive, Directive::Init { .. }))
                .count()
                > 0;
            let message = "no `init` can reach this checkpoint";
            let diagnostic = Diagnostic::error(Code::NO_INIT, at(one, directive.lines), message);
            diagnostics.push(if any {
                diagnostic.reason(
                    "there is an `init`, but no way through the program leads from it to here",
                )
            } else {
                diagnostic
                    .reason("the library must be started before a checkpoint can be taken")
                    .help("put `#pragma cccp init` near the beginning of `main`")
            });
        }
    }
}

fn second_inits(program: &Program, diagnostics: &mut Vec<Diagnostic>) {
    for unit in &program.units {
        let mut first: HashMap<FunctionId, SourceRange> = HashMap::new();
        for directive in &unit.directives {
            let (Directive::Init { .. }, Some(function)) =
                (&directive.directive, directive.function)
            else {
                continue;
            };
            let Some(before) = first.insert(function, directive.lines) else {
                continue;
            };
            let message = "a second `init` in one function";
            diagnostics.push(
                Diagnostic::error(Code::SECOND_INIT, at(unit, directive.lines), message)
                    .reason("a restart enters the function at its `init`, so there is one only")
                    .also(at(unit, before), "the first one")
                    .help("keep the one before all `register` and `checkpoint` directives"),
            );
        }
    }
}

fn unregistered_names(program: &Program, diagnostics: &mut Vec<Diagnostic>) {
    let main_is_here = program.units.iter().any(|unit| {
        unit.functions
            .iter()
            .any(|function| function.name == "main")
    });
    let others = program
        .units
        .iter()
        .any(|unit| client_names(unit).next().is_some());
    if !main_is_here || others {
        return;
    }
    let mut registered: HashSet<&str> = HashSet::new();
    for directive in program.units.iter().flat_map(|unit| &unit.directives) {
        if let Directive::Register { items } = &directive.directive {
            registered.extend(items.iter().map(|item| item.name.as_str()));
        }
    }
    for unit in &program.units {
        for directive in &unit.directives {
            let Directive::Unregister { names } = &directive.directive else {
                continue;
            };
            for name in names
                .iter()
                .filter(|name| !registered.contains(name.as_str()))
            {
                let message = format!("`{name}` is never registered");
                let place = at(unit, name_in(unit, directive, name));
                let diagnostic = Diagnostic::error(Code::NEVER_REGISTERED, place, message);
                diagnostics.push(match nearest(name, registered.iter().copied()) {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic,
                });
            }
        }
    }
}

/// Where a name stands in a directive; the whole directive when it is written in another way.
fn name_in(unit: &Unit, directive: &DirectiveUse, name: &str) -> SourceRange {
    let text = unit.file.original_text(directive.lines);
    let list = text.find('(').unwrap_or(0);
    match text[list..].find(name) {
        Some(found) => {
            let start = directive.lines.start + list + found;
            SourceRange::new(start, start + name.len())
        }
        None => directive.lines,
    }
}
