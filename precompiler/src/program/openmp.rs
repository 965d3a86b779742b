//! The directives of OpenMP in a unit, each with its place.
//!
//! What they say is [`openmp::Construct`]'s business; here is where they stand, and which of them belong to a statement.

use std::ops::{Deref, Range};

use cccp_grammar::openmp;

use super::statement::Statement;
use crate::source::{SourceFile, SourceRange, Span};

/// A directive of OpenMP in the text.
#[derive(Clone, Debug)]
pub struct Construct {
    /// What it says.
    pub says: openmp::Construct,
    /// Its line in the preprocessed text.
    pub span: Span,
    /// All its lines in the user's file; none when it comes from a macro or an included file.
    pub place: Option<SourceRange>,
    /// Where the text begins that [`Construct::says`] is about.
    begin: usize,
}

impl Deref for Construct {
    type Target = openmp::Construct;

    fn deref(&self) -> &openmp::Construct {
        &self.says
    }
}

impl Construct {
    /// All of a file, in the order of the preprocessed text.
    pub fn all(file: &SourceFile) -> Vec<Construct> {
        let pragmas = file.pragmas().iter();
        let own = pragmas.filter_map(|pragma| {
            let text = pragma.text.strip_prefix("omp")?;
            if text.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
                return None;
            }
            let span = Span::new(pragma.offset, pragma.end);
            let line = file.preprocessed_text(span).trim_end();
            Some(Construct {
                says: openmp::Construct::read(text),
                span,
                place: file.openmp_place(pragma.offset),
                begin: (span.start + line.len()).saturating_sub(text.len()),
            })
        });
        own.collect()
    }

    /// Where a part of it stands in the preprocessed text.
    pub fn span_of(&self, range: &Range<usize>) -> Span {
        Span::new(self.begin + range.start, self.begin + range.end)
    }

    /// Something happens where it stands, and it belongs to no statement.
    pub fn is_statement(&self) -> bool {
        self.stands_alone() && !self.is_declarative()
    }
}

impl Statement {
    /// The statements with constructs around a text inside, from the outside in, this one included.
    pub fn regions_around(&self, at: Span) -> Vec<&Statement> {
        let mut found = Vec::new();
        let mut inside = Some(self);
        while let Some(statement) = inside {
            if !statement.openmp.is_empty() {
                found.push(statement);
            }
            let mut children = statement.children().into_iter();
            inside = children.find(|child| child.span.contains(at));
        }
        found
    }

    /// In how many teams around a text inside several threads may come to it, each for itself, when it is so many around the
    /// statement: 0, 1, or 2 for more. With more than one team a construct for one thread is executed by one of each.
    pub fn teams_at(&self, at: Span, outside: usize) -> usize {
        let (mut teams, mut is_one) = (outside, false);
        for construct in self
            .regions_around(at)
            .into_iter()
            .flat_map(|one| &one.openmp)
        {
            if construct.runs_in_other_threads() {
                (teams, is_one) = (teams + 1, false);
            }
            is_one |= construct.is_by_one_thread();
        }
        match teams {
            1 if is_one => 0,
            _ => teams.min(2),
        }
    }
}
