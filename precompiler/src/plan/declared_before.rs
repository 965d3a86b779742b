//! Declarations that generated text puts between functions of the user's file, right before one of them.

use super::data::{PlannedEdit, Step};
use crate::program::{Function, Unit};
use crate::source::Span;

/// The declaration of a function right before its definition; none where there is no place for it.
pub(super) fn declaration(unit: &Unit, function: &Function) -> Option<PlannedEdit> {
    let symbol = &unit.symbols[function.symbol.0];
    let declaration = unit.spell(symbol.ty, &function.name).ok()?;
    before(unit, function, format!("{declaration}; "))
}

/// Second names for types whose own names mean something else in some function: before the first function of this file that
/// knows them all, and at the end of a file without functions.
pub(super) fn second_names(unit: &Unit) -> Option<PlannedEdit> {
    let (text, last) = unit.second_names()?;
    let mut functions = unit.functions.iter();
    let first = functions.find_map(|one| {
        let knows = one.span.start >= last;
        knows.then(|| before(unit, one, text.clone())).flatten()
    });
    let end = (unit.file.original.len(), unit.file.preprocessed.len());
    first.or_else(|| Some(edit(end.0, end.1, text)))
}

fn before(unit: &Unit, function: &Function, text: String) -> Option<PlannedEdit> {
    // Up to the brace: the name may have been declared before, in a header.
    let head = Span::new(function.span.start, function.body.span.start + 1);
    let place = unit.file.place(head).filter(|_| function.in_user_file)?;
    Some(edit(place.start, function.span.start, text))
}

fn edit(start: usize, at: usize, text: String) -> PlannedEdit {
    PlannedEdit {
        start,
        end: start,
        order: -1,
        at,
        function: None,
        steps: vec![Step::Text(text)],
    }
}
