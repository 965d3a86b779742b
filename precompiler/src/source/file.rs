//! A file as the user wrote it, as the preprocessor made it, and the map between the two.
//!
//! Texts are kept as `String`. A file that is not UTF-8 is read as Latin-1 and written back as Latin-1, so that every
//! byte the user wrote survives.

use super::position::{SourceRange, Span};

/// How the bytes of the user's file are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8 (and so ASCII).
    #[default]
    Utf8,
    /// Every byte is a character.
    Latin1,
}

/// One of the user's files with its preprocessed text.
#[derive(Debug, Default)]
pub struct SourceFile {
    /// The path as the user gave it.
    pub path: String,
    /// How bytes became text.
    pub encoding: Encoding,
    /// The text as the user wrote it.
    pub original: String,
    /// What the preprocessor made of it.
    pub preprocessed: String,
    /// Offsets in `original` at which lines begin.
    pub line_starts: Vec<usize>,
}

impl SourceFile {
    /// A slice of the user's own text.
    pub fn original_text(&self, range: SourceRange) -> &str {
        &self.original[range.start..range.end]
    }

    /// A slice of the preprocessed text. It may contain line markers (`# 12 "file"`).
    pub fn preprocessed_text(&self, span: Span) -> &str {
        &self.preprocessed[span.start..span.end]
    }

    /// Line (from 1) of an offset in the user's own file.
    pub fn line_of(&self, offset: usize) -> usize {
        self.line_starts
            .partition_point(|&start| start <= offset)
            .max(1)
    }

    /// Line and column (from 1, in characters) of an offset in the user's own file.
    pub fn line_and_column(&self, offset: usize) -> (usize, usize) {
        let line = self.line_of(offset);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0);
        let column = self
            .original
            .get(start..offset)
            .map_or(1, |text| text.chars().count() + 1);
        (line, column)
    }
}
