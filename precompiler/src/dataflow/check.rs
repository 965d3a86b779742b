//! Checks that need the whole program: checkpoints that no `init` can reach, unregisters of what is never registered,
//! overlapping loops around directives.

use std::collections::HashSet;

use cccp_grammar::nearest;

use super::calls::{CallGraph, FunctionRef, client_names};
use super::loops::{LoopKind, loop_regions};
use super::summary::Summary;
use crate::diagnostic::{Code, Diagnostic, Place};
use crate::program::{Directive, DirectiveUse, Program, StatementId, Unit};
use crate::source::SourceRange;

/// What is wrong with the directives of a program, seen as a whole.
pub fn check_program(program: &Program, graph: &CallGraph, summary: &Summary) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    checkpoints_after_init(program, graph, summary, &mut diagnostics);
    unregistered_names(program, &mut diagnostics);
    overlapping_loops(program, &mut diagnostics);
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
    graph: &CallGraph,
    summary: &Summary,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (unit, one) in program.units.iter().enumerate() {
        for directive in &one.directives {
            let (Directive::Checkpoint { .. }, Some(function), Some(statement)) = (
                &directive.directive,
                directive.function,
                directive.statement,
            ) else {
                continue;
            };
            let function = FunctionRef { unit, function };
            if summary.after_init(program, graph, function, statement) {
                continue;
            }
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

fn overlapping_loops(program: &Program, diagnostics: &mut Vec<Diagnostic>) {
    for unit in &program.units {
        for (index, function) in unit.functions.iter().enumerate() {
            let here: Vec<&DirectiveUse> = unit
                .directives
                .iter()
                .filter(|one| one.function.is_some_and(|id| id.0 == index))
                .collect();
            if here.is_empty() {
                continue;
            }
            let (regions, overlaps) = loop_regions(function);
            for overlap in overlaps {
                let find = |first: StatementId| {
                    regions
                        .iter()
                        .find(|r| r.first == first && r.kind == LoopKind::Goto)
                };
                let goto = find(overlap.second).or_else(|| find(overlap.first));
                let Some(goto) = goto else { continue };
                if !here.iter().any(|one| {
                    one.statement
                        .is_some_and(|statement| goto.contains(statement))
                }) {
                    continue;
                }
                let mut place = Place::File(unit.file.path.clone());
                function.body.walk(&mut |statement| {
                    if statement.id == goto.first
                        && let Some(range) = unit.file.message_place(statement.span)
                    {
                        place = at(unit, range);
                    }
                    true
                });
                diagnostics.push(
                    Diagnostic::error(Code::OVERLAPPING_LOOPS, place, "a backward `goto` makes a loop that overlaps another one")
                        .label("this label is jumped back to")
                        .reason("loops around directives must lie one inside the other, so that iterations can be counted")
                        .help("write it as a `for`, `while` or `do` loop"),
                );
            }
        }
    }
}
