//! Statements and functions that a macro makes, written out where directives have to stand among them.
//!
//! In: the loops that are to have a checkpoint; functions that lead to one; what is missing at a checkpoint and no directive brings; calls
//! around which a block has to stand. Out: what a macro stands for in the place of its call, so that there is a place for lines:
//!
//! ```c
//! COUNTED(small);        do { const int before = tests; small(); report(tests - before); } while (0);
//! ```
//!
//! The text has as many lines as before. Left alone is what would mean something else there: text in which a word is a macro again,
//! a pragma of the macro's own, calls around which directives stand, and all where macros count their expansions (`__COUNTER__`).

use super::declarations::leading;
use super::insert::Replacement;
use super::proposal::Proposal;
use super::spots::{Chain, together};
use crate::analysis::Analysed;
use crate::analysis::allocators::known;
use crate::analysis::completeness::Decision;
use crate::analysis::load::SelectedLoop;
use crate::dataflow::steps::{Called, RoutineId};
use crate::plan::flatten::{flatten, has_foreign_pragma};
use crate::program::{Function, Statement, StatementKind, Unit};
use crate::source::{SourceFile, SourceRange, Span, TokenKind, tokens};

/// So many declarations are looked at that a macro may make together with a function.
const NEIGHBOURS: usize = 16;

/// The macros that make these loops, or the functions around them, and leave no room in the loop.
pub fn loops_written_out<'a>(
    facts: &Analysed,
    loops: impl Iterator<Item = &'a SelectedLoop>,
) -> Proposal {
    let mut proposal = Proposal::default();
    for one in loops {
        let function = facts.function(one.routine);
        let unit = facts.unit(one.routine);
        let written = match function.body_open {
            None => around(unit, function),
            Some(_) => {
                let chain = Chain::to(function, one.statement);
                let chain = chain.filter(|chain| leaves_no_room(chain.innermost()));
                chain.and_then(|chain| statements(&unit.file, &chain))
            }
        };
        add(&mut proposal, facts.unit_index(one.routine), written);
    }
    proposal
}

/// Whether the brace of a function in a file of the program comes from a macro.
pub fn is_made_by_macro(function: &Function) -> bool {
    function.in_user_file && function.body_open.is_none()
}

/// The macros that make functions which lead to a checkpoint, or allocate memory: there the library is told what it holds.
pub fn functions_written_out(facts: &Analysed) -> Proposal {
    let mut proposal = Proposal::default();
    let routines = facts.steps.routine_ids();
    let routines = routines.filter(|one| is_made_by_macro(facts.function(*one)));
    let routines: Vec<_> = routines.collect();
    if routines.is_empty() {
        return proposal;
    }
    let leading = leading(facts);
    let allocates = |routine: RoutineId| {
        facts
            .calls(routine)
            .iter()
            .any(|(_, call)| match &call.callee {
                Called::Named(name) => known().any(|one| one == name),
                _ => false,
            })
    };
    let is_meant = |one: &RoutineId| leading[one.0 as usize] || allocates(*one);
    for routine in routines.into_iter().filter(is_meant) {
        let written = around(facts.unit(routine), facts.function(routine));
        add(&mut proposal, facts.unit_index(routine), written);
    }
    proposal
}

/// The macros whose locals are missing at a checkpoint.
pub fn locals_written_out(facts: &Analysed) -> Proposal {
    let mut proposal = Proposal::default();
    let checks = facts.completeness.checkpoints.iter();
    for location in checks.flat_map(|check| &check.locations) {
        let (Decision::Missing(_), Some(root)) = (&location.decision, location.root) else {
            continue;
        };
        let variable = facts.steps.variable(root);
        let Some(owner) = variable.owner else {
            continue;
        };
        let span = variable.declared.span;
        let file = &facts.unit(owner).file;
        if file.touched_by_macro(span) {
            let chain = Chain::of(facts.function(owner), span.start);
            add(
                &mut proposal,
                facts.unit_index(owner),
                statements(file, &chain),
            );
        }
    }
    proposal
}

/// The macro that makes a statement around which a block has to stand. Whether that can be written out.
pub(super) fn write_out(
    facts: &Analysed,
    routine: RoutineId,
    chain: &Chain,
    proposal: &mut Proposal,
) -> bool {
    // What is the user's own text has no more room when it is written out.
    let is_made = chain.innermost().place.is_none();
    let file = &facts.unit(routine).file;
    let written = is_made.then(|| statements(file, chain)).flatten();
    let can_be = written.is_some();
    add_to(&mut proposal.written, facts.unit_index(routine), written);
    can_be
}

/// Adds what is not there yet.
fn add(proposal: &mut Proposal, unit: usize, written: Option<Replacement>) {
    add_to(&mut proposal.replacements, unit, written);
}

fn add_to(all: &mut Vec<(usize, Replacement)>, unit: usize, written: Option<Replacement>) {
    let Some(written) = written else { return };
    let overlaps = |one: &Replacement| {
        one.range.start < written.range.end && written.range.start < one.range.end
    };
    let mut own = all.iter().filter(|(of, _)| *of == unit);
    if !own.any(|(_, one)| overlaps(one)) {
        all.push((unit, written));
    }
}

/// Whether no line can stand in a loop.
fn leaves_no_room(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::For { body, .. }
        | StatementKind::While { body, .. }
        | StatementKind::DoWhile { body, .. } => body.place.is_none(),
        _ => false,
    }
}

/// A function, with what a macro makes together with it.
fn around(unit: &Unit, function: &Function) -> Option<Replacement> {
    let file = &unit.file;
    let functions = unit.functions.iter().map(|one| one.span);
    let globals = unit.globals.iter().map(|one| one.span);
    let mut all: Vec<Span> = functions.chain(globals).collect();
    all.retain(|one| file.touched_by_macro(*one));
    all.sort_unstable();
    let at = all.iter().position(|one| *one == function.span)?;
    let firsts = (at.saturating_sub(NEIGHBOURS)..=at).rev();
    let span = firsts
        .flat_map(|first| {
            all[at..]
                .iter()
                .take(NEIGHBOURS)
                .map(move |last| (first, last))
        })
        .flat_map(|(first, last)| {
            let end = last.end + semicolons(file, last.end);
            [last.end, end].map(|end| Span::new(all[first].start, end))
        })
        .find(|span| file.place(*span).is_some())?;
    replaced(file, span, file.place(span)?)
}

/// How much of the text behind a function are semicolons, with which macros end what they make.
fn semicolons(file: &SourceFile, start: usize) -> usize {
    let text = &file.preprocessed[start..];
    let is_other = |one: char| one != ';' && !one.is_whitespace();
    let all = &text[..text.find(is_other).unwrap_or(text.len())];
    all.rfind(';').map_or(0, |last| last + 1)
}

/// The smallest statement, or row of statements, around the end of a chain that the user's text has as a whole.
fn statements(file: &SourceFile, chain: &Chain) -> Option<Replacement> {
    let (span, range) =
        { chain.statements.iter().rev() }.find_map(|&statement| match statement.place {
            Some(place) => Some((statement.span, place)),
            None => row(file, chain.parent(statement)?, statement),
        })?;
    replaced(file, span, range)
}

/// The text of a span in the place of what the user wrote, where it means the same there.
fn replaced(file: &SourceFile, span: Span, range: SourceRange) -> Option<Replacement> {
    let own = file.original_text(range);
    let text = file.preprocessed_text(span);
    // What counts its expansions would count fewer of them.
    let counts = file.mentions_in_macros("__COUNTER__");
    if counts || has_directive(own) || has_foreign_pragma(text) {
        return None;
    }
    let flat = flatten(text);
    let lines = own.matches('\n').count();
    let end = if own.contains("\r\n") { "\r\n" } else { "\n" };
    is_plain(file, &flat, span.start).then(|| Replacement {
        range,
        text: flat + &end.repeat(lines),
    })
}

/// The statements beside one that a macro makes together with it.
fn row(
    file: &SourceFile,
    parent: &Statement,
    statement: &Statement,
) -> Option<(Span, SourceRange)> {
    let StatementKind::Compound { items, .. } = &parent.kind else {
        return None;
    };
    let items: Vec<&Statement> = items.iter().collect();
    let index = items.iter().position(|one| one.id == statement.id)?;
    let (all, place) = together(file, &items, index, |_| true)?;
    let span = Span::new(items[all.start].span.start, items[all.end - 1].span.end);
    Some((span, place))
}

/// Whether lines of the preprocessor stand in a text.
fn has_directive(text: &str) -> bool {
    let all = tokens(text.as_bytes());
    all.iter().any(|one| one.kind == TokenKind::Directive)
}

/// Whether a text that was expanded stays as it is where it is expanded once more.
fn is_plain(file: &SourceFile, text: &str, offset: usize) -> bool {
    let all = tokens(text.as_bytes());
    let mut words = all.iter().filter(|one| one.kind == TokenKind::Word);
    words.all(|one| {
        let word = &text[one.start..one.end];
        let found = file.macro_at(word, offset);
        // `#define stdout stdout`
        let itself = found.filter(|one| one.parameters.is_none() && one.body.trim() == word);
        !file.is_macro(word, offset) || itself.is_some()
    })
}
