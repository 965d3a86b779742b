//! Places of a function at which a directive may stand.
//!
//! In: an offset of the preprocessed text. Out: the statements around it, and the insertions that put lines before or
//! after one of them. A statement that is no item of braces gets braces; one behind a label gets an empty statement.
//!
//! Not here: which place is wanted.

use super::insert::{At, Insertion};
use crate::program::{Function, Statement, StatementId, StatementKind};
use crate::source::{SourceFile, SourceRange, Span};
use std::ops::Range;

/// The statements around a place, from the body of the function to the innermost one.
pub struct Chain<'a> {
    /// Outermost first.
    pub statements: Vec<&'a Statement>,
}

impl<'a> Chain<'a> {
    /// Of a function, around an offset.
    pub fn of(function: &'a Function, offset: usize) -> Chain<'a> {
        let mut statements = vec![&function.body];
        let mut here = &function.body;
        while let Some(inner) = here
            .children()
            .into_iter()
            .find(|child| child.span.has(offset))
        {
            statements.push(inner);
            here = inner;
        }
        Chain { statements }
    }

    /// Of a function, down to a statement.
    pub fn to(function: &'a Function, statement: StatementId) -> Option<Chain<'a>> {
        fn search<'a>(from: &'a Statement, to: StatementId, way: &mut Vec<&'a Statement>) -> bool {
            way.push(from);
            let found = from.id == to || from.children().iter().any(|one| search(one, to, way));
            if !found {
                way.pop();
            }
            found
        }
        let mut statements = Vec::new();
        search(&function.body, statement, &mut statements).then_some(Chain { statements })
    }

    /// The innermost statement.
    pub fn innermost(&self) -> &'a Statement {
        self.statements[self.statements.len() - 1]
    }

    /// The parent of a statement of the chain.
    pub fn parent(&self, statement: &Statement) -> Option<&'a Statement> {
        let index = self
            .statements
            .iter()
            .position(|one| one.id == statement.id)?;
        index.checked_sub(1).map(|index| self.statements[index])
    }
}

/// Lines before a statement; `None` where the text does not allow it.
pub fn before(
    statement: &Statement,
    parent: Option<&Statement>,
    lines: Vec<String>,
) -> Option<Vec<Insertion>> {
    around(statement, parent, lines, Vec::new())
}

/// Lines before the first statement of braces that are the user's own, where that statement comes from a macro and leaves no room.
pub fn at_begin(
    file: &SourceFile,
    statement: &Statement,
    parent: Option<&Statement>,
    lines: Vec<String>,
) -> Option<Vec<Insertion>> {
    let parent = parent?;
    let StatementKind::Compound { items, .. } = &parent.kind else {
        return None;
    };
    let brace = parent.place?.start;
    let is_first = items.first().is_some_and(|one| one.id == statement.id);
    let behind = file.original[brace..].strip_prefix('{')?.trim_start();
    is_first.then(|| {
        vec![Insertion {
            at: At::Before(file.original.len() - behind.len()),
            order: 0,
            lines,
        }]
    })
}

/// The fewest neighbours in braces around one of them that have a place of their own together, as those that one macro makes, and that
/// place. `is_part`: whether a neighbour may be among them.
pub fn together(
    file: &SourceFile,
    items: &[&Statement],
    index: usize,
    is_part: impl Fn(&Statement) -> bool,
) -> Option<(Range<usize>, SourceRange)> {
    let is_part = |one: &&&Statement| one.in_compound && one.openmp.is_empty() && is_part(one);
    let before = items[..=index].iter().rev().take_while(is_part).count();
    let behind = items[index..].iter().take_while(is_part).count();
    let firsts = (index + 1 - before..=index).rev();
    let mut all = firsts.flat_map(|first| (index..index + behind).map(move |last| first..last + 1));
    all.find_map(|all| {
        let span = Span::new(items[all.start].span.start, items[all.end - 1].span.end);
        Some((all, file.place(span)?))
    })
}

/// Lines before and after a statement.
pub fn around(
    statement: &Statement,
    parent: Option<&Statement>,
    lines: Vec<String>,
    behind: Vec<String>,
) -> Option<Vec<Insertion>> {
    around_place(statement, parent, statement.place?, lines, behind)
}

/// The same where the text of the statement is part of the text at a place.
pub fn around_place(
    statement: &Statement,
    parent: Option<&Statement>,
    place: SourceRange,
    mut lines: Vec<String>,
    mut behind: Vec<String>,
) -> Option<Vec<Insertion>> {
    // Between a directive of OpenMP and its statement nothing stands.
    let mut begin = place.start;
    for construct in &statement.openmp {
        begin = begin.min(construct.begins?);
    }
    if !statement.in_compound {
        let in_compound = parent.is_some_and(|parent| parent.in_compound);
        match parent.map(|parent| &parent.kind) {
            Some(StatementKind::Labelled { .. }) if behind.is_empty() || in_compound => {
                lines.insert(0, ";".to_string());
            }
            Some(
                StatementKind::If { .. }
                | StatementKind::For { .. }
                | StatementKind::While { .. }
                | StatementKind::DoWhile { .. },
            ) => {
                lines.insert(0, "{".to_string());
                behind.push("}".to_string());
            }
            _ => return None,
        }
    }
    let mut all = vec![Insertion {
        at: At::Before(begin),
        order: 0,
        lines,
    }];
    if !behind.is_empty() {
        all.push(Insertion {
            at: At::After(place.end),
            order: -(place.start as i32),
            lines: behind,
        });
    }
    Some(all)
}

/// Lines after a statement that is an item of braces.
pub fn after(statement: &Statement, lines: Vec<String>) -> Option<Insertion> {
    if !statement.in_compound {
        return None;
    }
    Some(Insertion {
        at: At::After(statement.place?.end),
        order: 0,
        lines,
    })
}
