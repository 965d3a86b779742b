//! Whether a program without `shutdown` is known to come to the end of its run: a return from `main`, or `exit(0)`.
//!
//! In: the program. Out: warnings. The library takes those two for the end where no directive says so; after any other the next
//! start resumes from the last checkpoint, although the work was done. So `_exit`, `_Exit` and `quick_exit` are named, but with a
//! status that says failure, and in programs that fork, whose children end like that. Where `main` never returns and nobody calls
//! `exit` with another status than failure, no end is known at all.
//!
//! Errors fall on the side of silence: a status that is no number may be 0, and files that are not given may call `exit`.

use super::finding::Finding;
use crate::catalog::Catalogue;
use crate::dataflow::Flow;
use crate::dataflow::calls::called_name;
use crate::diagnostic::Code;
use crate::program::{Directive, Expression, ExpressionKind, Program, Unit};

/// Ends of a process that nobody is told of.
const UNTOLD: [&str; 3] = ["_exit", "_Exit", "quick_exit"];

/// What there is to say, by unit.
pub fn findings(program: &Program, catalogue: &Catalogue) -> Vec<(usize, Finding)> {
    let units = || program.units.iter().enumerate();
    let mut directives = units().flat_map(|(_, unit)| &unit.directives);
    let mains: Vec<_> = units()
        .flat_map(|(at, unit)| unit.functions.iter().map(move |one| (at, unit, one)))
        .filter(|(_, _, function)| function.name == "main")
        .collect();
    let [(_, _, main)] = mains[..] else {
        return Vec::new();
    };
    if directives.any(|one| matches!(one.directive, Directive::Shutdown)) {
        return Vec::new();
    }
    let mut calls: Vec<(usize, &Unit, &str, &Expression, bool)> = Vec::new();
    for (at, unit) in units() {
        for function in &unit.functions {
            function.body.walk_expressions(&mut |expression| {
                if let ExpressionKind::Call { callee, arguments } = &expression.kind
                    && let Some((name, _)) = called_name(callee)
                {
                    let fails = arguments.first().is_some_and(|one| is_failure(unit, one));
                    calls.push((at, unit, name, expression, fails));
                }
            });
        }
    }
    let has = |names: &[&str]| {
        calls
            .iter()
            .any(|(_, _, name, _, fails)| names.contains(name) && !fails)
    };
    let mut found = Vec::new();
    if !has(&["fork", "vfork"]) {
        for (at, _, name, call, _) in calls.iter().filter(|(.., fails)| !fails) {
            if UNTOLD.contains(name) {
                found.push((*at, untold(name, call)));
            }
        }
    }
    let returns = Flow::of(main, catalogue).reached()[Flow::EXIT.0];
    if found.is_empty() && !returns && !has(&["exit"]) {
        for (at, unit) in units() {
            let mut all = unit.directives.iter();
            if let Some(init) = all.find(|one| matches!(one.directive, Directive::Init { .. })) {
                found.push((at, unknown(unit, init.span)));
            }
        }
    }
    found
}

/// Whether an exit status is a number that says failure.
fn is_failure(unit: &Unit, status: &Expression) -> bool {
    let text = unit.file.preprocessed_text(status.span);
    let number: Option<i64> = text.trim_matches(['(', ')', ' ']).parse().ok();
    number.is_some_and(|number| number != 0)
}

fn untold(name: &str, call: &Expression) -> Finding {
    Finding::warning(
        Code::UNKNOWN_END,
        format!("`{name}` is no end of the run: the next start resumes from the last checkpoint"),
    )
    .at(call.place, call.span)
    .label("the library does not learn that the run is complete")
    .reason(
        "the program has no `shutdown`, so that a return from `main` and `exit(0)` are its ends",
    )
    .help("write `#pragma cccp shutdown` before it, or `exit` instead")
}

fn unknown(unit: &Unit, span: crate::source::Span) -> Finding {
    Finding::warning(
        Code::UNKNOWN_END,
        "no end of this run is known: the next start always resumes from the last checkpoint",
    )
    .at(unit.file.place(span), span)
    .label("the run begins here")
    .reason("the program has no `shutdown`, `main` never returns, and nothing calls `exit` with 0")
    .help("write `#pragma cccp shutdown` where the work is done")
}
