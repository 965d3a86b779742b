//! Blanks the declarations of functions that the user's file never mentions.
//!
//! mpi.h declares a thousand functions, a program calls twenty. Parsing the others is most of the parser's work and
//! serves nothing: a prototype declares its function and nothing else. So declarations in included files of the plain
//! form `… name(…);` are overwritten by blanks when no word of the user's own lines, and no word of an included
//! file's other text, is `name`.
//!
//! When unsure, the declaration stays.

use std::collections::HashSet;

use super::lexer::{Token, TokenKind, tokens};
use super::markers::Markers;

/// Names that somebody asks for without the user's text mentioning them.
const ALWAYS: [&[u8]; 1] = [b"MPI_Init"];

/// Blanks unused prototypes in a normalised text. `also` are texts (directives) whose words count as mentioned.
pub fn blank_unused_prototypes(text: &mut String, markers: &Markers, also: &[&str]) {
    let mut bytes = std::mem::take(text).into_bytes();
    let all = tokens(&bytes);
    let segments = segments(&bytes, &all, markers);
    let mut mentioned: HashSet<&[u8]> = ALWAYS.into_iter().collect();
    for segment in segments.iter().filter(|segment| segment.names.is_empty()) {
        let words = all[segment.first..segment.end]
            .iter()
            .filter(|token| token.kind == TokenKind::Word);
        mentioned.extend(words.map(|token| token.text(&bytes)));
    }
    let also_tokens: Vec<(&str, Vec<Token>)> = also
        .iter()
        .map(|text| (*text, tokens(text.as_bytes())))
        .collect();
    for (text, list) in &also_tokens {
        mentioned.extend(list.iter().map(|token| token.text(text.as_bytes())));
    }
    let mut blanks = Vec::new();
    for segment in segments.iter().filter(|segment| !segment.names.is_empty()) {
        if !segment
            .names
            .iter()
            .any(|name| mentioned.contains(all[*name].text(&bytes)))
        {
            blanks.push(all[segment.first].start..all[segment.end - 1].end);
        }
    }
    for range in blanks {
        for byte in &mut bytes[range] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    *text = String::from_utf8(bytes).unwrap_or_default();
}

/// A piece of the text at file scope, up to its `;`.
struct Segment {
    first: usize,
    end: usize,
    /// Words before a `(`, when it may be a plain prototype of an included file.
    names: Vec<usize>,
}

fn segments(bytes: &[u8], all: &[Token], markers: &Markers) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut first = 0;
    let (mut braces, mut parentheses) = (0usize, 0usize);
    let mut line = 0;
    let mut shape = Shape::default();
    for (index, token) in all.iter().enumerate() {
        while line + 1 < markers.lines.len() && markers.lines[line + 1].start <= token.start {
            line += 1;
        }
        shape.own |= markers.lines.get(line).is_none_or(|origin| origin.own);
        let text = token.text(bytes);
        let mut ends = false;
        match text {
            b"{" => {
                braces += 1;
                shape.other = true;
            }
            b"}" => {
                braces = braces.saturating_sub(1);
                // The body of a function, or of a struct whose declarators follow on the same line.
                let breaks = all
                    .get(index + 1)
                    .is_none_or(|next| bytes[token.end..next.start].contains(&b'\n'));
                ends = braces == 0 && parentheses == 0 && breaks;
            }
            b"(" | b"[" => {
                let word = index
                    .checked_sub(1)
                    .filter(|&before| before >= first && all[before].kind == TokenKind::Word);
                if let (Some(word), b"(") = (word, text) {
                    shape.names.push(word);
                }
                parentheses += 1;
            }
            b")" | b"]" => parentheses = parentheses.saturating_sub(1),
            b"," | b"=" | b":" if parentheses == 0 => shape.other = true,
            b";" => ends = braces == 0 && parentheses == 0,
            b"typedef" | b"typeof" | b"__typeof__" | b"__typeof" | b"_Atomic" => shape.other = true,
            _ => {}
        }
        if ends || index + 1 == all.len() {
            let plain = text == b";"
                && index
                    .checked_sub(1)
                    .is_some_and(|before| all[before].text(bytes) == b")")
                && !shape.other
                && !shape.own;
            let names = if plain { shape.names } else { Vec::new() };
            segments.push(Segment {
                first,
                end: index + 1,
                names,
            });
            first = index + 1;
            shape = Shape::default();
        }
    }
    segments
}

#[derive(Default)]
struct Shape {
    own: bool,
    other: bool,
    names: Vec<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::markers::read_markers;

    #[test]
    fn only_plain_prototypes_that_nobody_mentions_are_blanked() {
        let mut text = "# 1 \"a.c\"\n# 1 \"h.h\" 1\nint unused(int a);\nint used(void);\nint (*hook)(int);\n\
                        int x, f(int);\nint helper(int);\nstatic inline int g(void) { return helper(1); }\n\
                        int old(a) int a;\n{ return a; }\ntypedef int (t)(int);\n# 2 \"a.c\" 2\nint mine(int);\n\
                        int main(void) { return used(); }\n"
            .to_string();
        let markers = read_markers(&mut text, "a.c");
        let length = text.len();
        blank_unused_prototypes(&mut text, &markers, &["directive(named)"]);
        assert_eq!(text.len(), length);
        assert!(!text.contains("unused"));
        for kept in [
            "used(void)",
            "hook",
            "x, f",
            "helper(int)",
            "old(a)",
            "typedef",
            "mine",
        ] {
            assert!(text.contains(kept), "{kept}");
        }
    }
}
