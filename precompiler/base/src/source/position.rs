//! Places in the two texts we work with.
//!
//! A [`Span`] counts bytes in the *preprocessed* text, where the tree comes from. A [`SourceRange`] counts bytes in
//! the *user's own file*, where edits go. They are different types so that nobody mixes them up; only
//! [`SourceFile`](super::SourceFile) turns one into the other, and says `None` when it is not certain.

/// A byte range in the preprocessed text, without white space at its ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The range from `start` to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// Whether `other` lies inside.
    pub fn contains(&self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the byte at `offset` lies inside.
    pub fn has(&self, offset: usize) -> bool {
        self.start <= offset && offset < self.end
    }
}

/// A byte range in the user's own file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceRange {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl SourceRange {
    /// The range from `start` to `end`.
    pub fn new(start: usize, end: usize) -> SourceRange {
        SourceRange { start, end }
    }
}
