//! A setting that is not understood.

use std::fmt;

/// Where the word stands, what is wrong with it and what was probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    /// The word as the user wrote it, with its place.
    pub place: String,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for SettingsError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.place, self.reason)
    }
}

impl std::error::Error for SettingsError {}

/// The word of a list that is nearest to a misspelt one, as a question; empty when none is near.
pub(super) fn nearest<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> String {
    let word = word.to_lowercase();
    let scored = words
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&word, candidate), candidate));
    match scored.min() {
        Some((distance, candidate)) if distance <= 1 + candidate.len() / 3 => {
            format!("; did you mean {candidate}?")
        }
        _ => String::new(),
    }
}
