//! The directives of OpenMP in a unit, each with its place.
//!
//! What they say is [`openmp::Construct`]'s business; here is where they stand, and which of them belong to a statement.

use std::ops::{Deref, Range};

use cccp_grammar::openmp;

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
