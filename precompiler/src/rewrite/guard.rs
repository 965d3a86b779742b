//! Keeps the preprocessor away from text that it has already expanded, and from names.
//!
//! In: the text of an edit, the macros that are alive where it stands, and the words that the user wrote in a directive
//! and means as macros. Out: the same text; where it holds a word that would be expanded, lines around it take the macro
//! away for so long. The one idea: generated text says what the compiler shall see, whatever is defined there.
//!
//! ```text
//! #pragma push_macro("sum")
//! #undef sum
//! #line 8 "a.c"
//! cccp_s.sum = state_.sum;
//! #pragma pop_macro("sum")
//! #line 8 "a.c"
//! ```
//!
//! An edit never stands inside the arguments of a macro, where such lines would be wrong: what a macro made has no place
//! in the user's file, and the statement around it is replaced as a whole.

use crate::source::{SourceFile, TokenKind, tokens};
use std::collections::BTreeSet;

/// Stands for a line end until the lines of the user's file are marked.
const LINE_END: char = '\u{1}';

/// The text, guarded from the macros at `offset` of the preprocessed text but for those in `meant`. `line` is the mark
/// that gives the line its number again.
pub fn guarded(
    text: String,
    file: &SourceFile,
    offset: usize,
    meant: &[&str],
    line: &str,
) -> String {
    let bytes = text.as_bytes();
    let all = tokens(bytes);
    let mut names = BTreeSet::new();
    for (index, token) in all.iter().enumerate() {
        let word = &text[token.start..token.end];
        if token.kind != TokenKind::Word || word.starts_with("CCCP_") || meant.contains(&word) {
            continue;
        }
        let is_called = all
            .get(index + 1)
            .is_some_and(|next| next.text(bytes) == b"(");
        let is_expanded = file.macro_at(word, offset).is_some_and(|found| {
            (found.parameters.is_none() && found.body != word)
                || (found.parameters.is_some() && is_called)
        });
        if is_expanded {
            names.insert(word);
        }
    }
    if names.is_empty() {
        return text;
    }
    let mut out = String::new();
    for name in &names {
        out.push_str(&format!(
            "{LINE_END}#pragma push_macro(\"{name}\"){LINE_END}#undef {name}"
        ));
    }
    out.push_str(&format!("{LINE_END}{line}{LINE_END}{text}"));
    for name in &names {
        out.push_str(&format!("{LINE_END}#pragma pop_macro(\"{name}\")"));
    }
    out.push_str(&format!("{LINE_END}{line}{LINE_END}"));
    out
}

/// The lines of the guards become lines.
pub fn with_lines(text: String) -> String {
    match text.contains(LINE_END) {
        true => text.replace(LINE_END, "\n"),
        false => text,
    }
}
