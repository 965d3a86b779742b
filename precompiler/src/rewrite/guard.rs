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

use super::calls::HEADER;
use crate::source::{SourceFile, TokenKind, tokens};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// What the library's headers declare.
static HEADERS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let all = [
        include_str!("../../../cccp-runtime/include/cccp.h"),
        include_str!("../../../cccp-runtime/include/cccp_files.h"),
        include_str!("../../../cccp-runtime/include/cccp_handles.h"),
        include_str!("../../../cccp-runtime/include/cccp_heap.h"),
        include_str!("../../../cccp-runtime/include/cccp_libraries.h"),
        include_str!("../../../cccp-runtime/include/cccp_messages.h"),
        include_str!("../../../cccp-runtime/include/cccp_mpi.h"),
        include_str!("../../../cccp-runtime/include/cccp_opens.h"),
    ];
    all.into_iter().flat_map(words).collect()
});

/// The names in a text that a program may mean otherwise. Those that begin with an underscore tell headers what to declare.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let all = tokens(text.as_bytes()).into_iter();
    all.filter(|token| token.kind == TokenKind::Word)
        .map(|token| &text[token.start..token.end])
        .filter(|word| word.starts_with(|letter: char| letter.is_ascii_lowercase()))
}

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
    let (taken, given_back) = around(&names);
    format!("{LINE_END}{taken}{line}{LINE_END}{text}{LINE_END}{given_back}{line}{LINE_END}")
}

/// The lines that take macros away, and those that give them back.
fn around(names: &BTreeSet<&str>) -> (String, String) {
    let all = names.iter();
    let taken = all
        .clone()
        .map(|name| format!("#pragma push_macro(\"{name}\"){LINE_END}#undef {name}{LINE_END}"));
    let given_back = all.map(|name| format!("#pragma pop_macro(\"{name}\"){LINE_END}"));
    (taken.collect(), given_back.collect())
}

/// Lines in front of the file, guarded from the macros that are there before its first line: `-Dsize=8`.
pub fn guarded_in_front(text: &str, file: &SourceFile) -> String {
    let of_headers = HEADERS.iter().copied().filter(|_| text == HEADER);
    let names = words(text).chain(of_headers);
    let names = names.filter(|name| file.is_macro_before(name)).collect();
    let (taken, given_back) = around(&names);
    with_lines(format!("{taken}{text}{given_back}"))
}

/// The lines of the guards become lines.
pub fn with_lines(text: String) -> String {
    match text.contains(LINE_END) {
        true => text.replace(LINE_END, "\n"),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_every_header_of_the_library_declares_is_known() {
        let place = concat!(env!("CARGO_MANIFEST_DIR"), "/../cccp-runtime/include");
        for entry in std::fs::read_dir(place).expect("the headers") {
            let text = std::fs::read_to_string(entry.expect("a header").path());
            for word in words(&text.expect("the text of a header")) {
                assert!(HEADERS.contains(word), "{word}");
            }
        }
    }
}
