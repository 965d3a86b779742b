//! Edits before they are known to fit: each has its span in the preprocessed text and perhaps a place in the user's.
//!
//! An edit without a place (its tokens come from a macro) takes the innermost statement around it that has one: that
//! whole statement is replaced by its own preprocessed text with all edits in it applied.

use super::data::{PlannedEdit, Step};
use super::flatten::{flatten, has_foreign_pragma};
use crate::analysis::{Finding, Picture};
use crate::diagnostic::Code;
use crate::source::{SourceRange, Span};

/// An edit to be.
#[derive(Debug, Clone)]
pub struct RawEdit {
    /// In the preprocessed text.
    pub span: Span,
    /// In the user's file.
    pub place: Option<SourceRange>,
    /// Among edits at one place.
    pub order: i32,
    /// What comes there.
    pub steps: Vec<Step>,
}

/// Fits the edits of one function into the user's file.
pub fn fit(
    picture: &Picture,
    raw: Vec<RawEdit>,
    function: usize,
    findings: &mut Vec<Finding>,
) -> Vec<PlannedEdit> {
    let mut homes: Vec<usize> = Vec::new();
    for edit in raw.iter().filter(|edit| edit.place.is_none()) {
        match home(picture, edit.span) {
            Some(number) => homes.push(number),
            None => findings.push(
                Finding::error(
                    Code::MACRO_TEXT,
                    "the text that has to change here comes from a macro",
                )
                .at(None, edit.span)
                .label("made by a macro that is more than one statement")
                .help("write the statement without the macro"),
            ),
        }
    }
    homes.sort_unstable();
    homes.dedup();
    let outer: Vec<usize> = homes
        .iter()
        .copied()
        .filter(|&number| {
            !homes
                .iter()
                .any(|&other| other != number && picture.is_inside(number, other))
        })
        .collect();
    let mut planned = Vec::new();
    let mut taken = vec![false; raw.len()];
    for number in outer {
        let statement = picture.statements[number];
        let Some(place) = statement.place else {
            continue;
        };
        let mut inner: Vec<&RawEdit> = Vec::new();
        for (index, edit) in raw.iter().enumerate() {
            if absorbs(statement.span, edit.span) {
                taken[index] = true;
                inner.push(edit);
            }
        }
        inner.sort_by_key(|edit| {
            (
                edit.span.start,
                edit.span.start != edit.span.end,
                edit.order,
            )
        });
        let text = &picture.unit.file.preprocessed;
        let mut steps = Vec::new();
        let mut done = statement.span.start;
        let mut own = String::new();
        for edit in inner {
            if edit.span.start < done {
                continue;
            }
            own.push_str(&text[done..edit.span.start]);
            steps.push(Step::Text(format!(
                "{} ",
                flatten(&text[done..edit.span.start])
            )));
            steps.extend(edit.steps.clone());
            steps.push(Step::Text(" ".to_string()));
            done = edit.span.end;
        }
        own.push_str(&text[done..statement.span.end]);
        steps.push(Step::Text(flatten(&text[done..statement.span.end])));
        if has_foreign_pragma(&own) {
            findings.push(
                Finding::error(
                    Code::MACRO_TEXT,
                    "this statement has to be rewritten, but it contains a `#pragma`",
                )
                .at(Some(place), statement.span)
                .help("write the call of the client function outside the macro"),
            );
        }
        planned.push(PlannedEdit {
            start: place.start,
            end: place.end,
            order: 0,
            at: statement.span.start,
            function: Some(function),
            steps,
        });
    }
    for (index, edit) in raw.into_iter().enumerate() {
        if let (false, Some(place)) = (taken[index], edit.place) {
            planned.push(PlannedEdit {
                start: place.start,
                end: place.end,
                order: edit.order,
                at: edit.span.start,
                function: Some(function),
                steps: edit.steps,
            });
        }
    }
    planned
}

/// Whether an edit lies inside a statement (insertions at its very edges do not).
fn absorbs(statement: Span, edit: Span) -> bool {
    if edit.start == edit.end {
        statement.start < edit.start && edit.end < statement.end
    } else {
        statement.contains(edit)
    }
}

/// The innermost statement around a span that has a place in the user's file.
fn home(picture: &Picture, span: Span) -> Option<usize> {
    (0..picture.statements.len()).rev().find(|&number| {
        picture.statements[number].place.is_some() && absorbs(picture.statements[number].span, span)
    })
}
