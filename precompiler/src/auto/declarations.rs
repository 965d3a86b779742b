//! Declarations in which a call leads to a checkpoint and other variables have their values already.
//!
//! In: a program with checkpoints. Out: such declarations cut in two before the call, so that there is a place for registers:
//!
//! ```c
//! int a = solve(1), b = solve(2);        int a = solve(1); int b = solve(2);
//! ```
//!
//! Left alone is what defines a type, and what a macro has written.

use super::insert::Replacement;
use super::proposal::Proposal;
use crate::analysis::Analysed;
use crate::dataflow::FunctionRef;
use crate::dataflow::steps::Call;
use crate::program::{Declaration, Directive, StatementKind, Unit};
use crate::source::{SourceRange, Span};

/// The cuts.
pub fn declarations(facts: &Analysed) -> Proposal {
    let mut proposal = Proposal::default();
    let mut candidates = Vec::new();
    for routine in facts.steps.routine_ids() {
        facts.function(routine).body.walk(&mut |statement| {
            if let StatementKind::Declaration(declaration) = &statement.kind
                && statement.in_compound
                && declaration.declarators.len() > 1
            {
                candidates.push((routine, declaration));
            }
            true
        });
    }
    if candidates.is_empty() {
        return proposal;
    }
    let leading = leading(facts);
    for (routine, declaration) in candidates {
        let leads = |call: &Call| {
            let callees = facts.points_to.callees(routine, call).routines;
            callees.iter().any(|one| leading[one.0 as usize])
        };
        let calls = facts.calls(routine).into_iter();
        let calls: Vec<Span> = calls
            .filter(|(_, call)| leads(call))
            .map(|(place, _)| place.span)
            .collect();
        if calls.is_empty() {
            continue;
        }
        let index = facts.unit_index(routine);
        let cuts = cuts(facts.unit(routine), declaration, &calls).unwrap_or_default();
        let cuts = cuts.into_iter().map(|one| (index, one));
        proposal.replacements.extend(cuts);
    }
    proposal
}

/// The functions that come to a checkpoint.
pub(super) fn leading(facts: &Analysed) -> Vec<bool> {
    let checkpoints = facts.directives();
    let checkpoints =
        checkpoints.filter(|(_, one)| matches!(one.directive, Directive::Checkpoint { .. }));
    facts.leading(checkpoints.filter_map(|(unit, one)| {
        let function = one.function?;
        Some(facts.steps.routine_of(FunctionRef { unit, function }))
    }))
}

fn cuts(unit: &Unit, declaration: &Declaration, calls: &[Span]) -> Option<Vec<Replacement>> {
    let declarators = &declaration.declarators;
    if declaration.defines_type || declaration.is_typedef || declaration.variably_modified {
        return None;
    }
    let specifiers = SourceRange {
        start: declaration.place?.start,
        end: declarators.first()?.place?.start,
    };
    let specifiers = unit.file.original_text(specifiers).trim_end();
    if specifiers.contains(['\n', '#', '(']) {
        return None;
    }
    let mut cuts = Vec::new();
    for (number, one) in declarators.iter().enumerate().skip(1) {
        let next = declarators.get(number + 1);
        let end = next.map_or(declaration.span.end, |next| next.span.start);
        let here = Span::new(one.span.start, end);
        let has_value = declarators[..number]
            .iter()
            .any(|one| one.initialiser.is_some());
        if !has_value || !calls.iter().any(|call| here.contains(*call)) {
            continue;
        }
        let before = SourceRange {
            start: declarators[number - 1].place?.end,
            end: one.place?.start,
        };
        let text = unit.file.original_text(before);
        // Only white space between the comma and the name.
        let comma = text.trim_end().strip_suffix(',')?.len();
        let range = SourceRange {
            start: before.start + comma,
            end: before.end,
        };
        let text = format!(";{}{specifiers} ", &text[comma + 1..]);
        cuts.push(Replacement { range, text });
    }
    Some(cuts)
}
