//! Edits at byte ranges of the user's own file.
//!
//! In: the text and edits that do not overlap. Out: the edited text. The one idea: **no line ever moves**. An edit
//! that replaces several lines by fewer gets line ends appended; new text never contains one. The conditions of the
//! preprocessor and its definitions stay where they are also between replaced lines: what they begin or end may lie
//! outside, as where a loop has one head of two and the `#endif` stands before its body. Insertions at one place
//! are put in by their order. Words stay words: where new text would grow together with what stands beside it
//! (`return(f(x))` becomes `return y`), a space comes between. Overlapping edits are an error of the planner and
//! reported as such, never applied.

use crate::source::{TokenKind, tokens};

/// One edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// First byte replaced.
    pub start: usize,
    /// One past the last byte replaced.
    pub end: usize,
    /// Among edits at one place, smaller numbers first.
    pub order: i32,
    /// New text, without line ends.
    pub text: String,
}

/// Two edits want the same bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlap {
    /// Where the second one begins.
    pub start: usize,
}

/// Applies the edits.
pub fn apply(text: &str, mut edits: Vec<Edit>) -> Result<String, Overlap> {
    edits.sort_by_key(|edit| (edit.start, edit.end != edit.start, edit.order));
    let mut edited = String::with_capacity(text.len() * 2);
    let mut done = 0;
    for edit in &edits {
        if edit.start < done || edit.end < edit.start {
            return Err(Overlap { start: edit.start });
        }
        let (Some(before), Some(replaced)) =
            (text.get(done..edit.start), text.get(edit.start..edit.end))
        else {
            return Err(Overlap { start: edit.start });
        };
        append(&mut edited, before);
        append(&mut edited, &edit.text);
        append_lines(&mut edited, replaced);
        done = edit.end;
    }
    append(&mut edited, &text[done..]);
    Ok(edited)
}

/// What stays of replaced text: the ends of its lines, and the directives that other lines depend on.
fn append_lines(edited: &mut String, replaced: &str) {
    let end = if replaced.contains("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let ends = |text: &str| end.repeat(text.matches('\n').count());
    let mut done = 0;
    for token in tokens(replaced.as_bytes()) {
        let text = &replaced[token.start..token.end];
        if token.kind == TokenKind::Directive && governs_other_lines(text) {
            edited.push_str(&ends(&replaced[done..token.start]));
            edited.push_str(text);
            done = token.end;
        }
    }
    edited.push_str(&ends(&replaced[done..]));
}

/// Whether a directive says which other lines count, or what their names mean.
fn governs_other_lines(directive: &str) -> bool {
    let name = directive.trim_start_matches('#').trim_start();
    ["if", "el", "endif", "define", "undef"]
        .iter()
        .any(|word| name.starts_with(word))
}

/// Adds a piece whose first word does not become part of the last one.
fn append(edited: &mut String, piece: &str) {
    let is_of_a_word = |c: char| c.is_alphanumeric() || c == '_';
    if edited.ends_with(is_of_a_word) && piece.starts_with(is_of_a_word) {
        edited.push(' ');
    }
    edited.push_str(piece);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, order: i32, text: &str) -> Edit {
        Edit {
            start,
            end,
            order,
            text: text.to_string(),
        }
    }

    #[test]
    fn lines_stay_where_they_are() {
        let edited = apply("a(b,\n  c);\nd;\n", vec![edit(0, 10, 0, "x;")]).expect("no overlap");
        assert_eq!(edited, "x;\n\nd;\n");
    }

    #[test]
    fn conditions_that_reach_beyond_the_replaced_text_stay() {
        let text = "#if A\nf(1)\n#else\nf(2)\n  /*\n#endif */\n# endif\n#pragma p\n{}\n";
        let start = text.find("f(2)").expect("it is there");
        let end = text.find("{}").expect("it is there");
        let edited = apply(text, vec![edit(start, end, 0, "g")]).expect("no overlap");
        assert_eq!(edited, "#if A\nf(1)\n#else\ng\n\n\n# endif\n\n{}\n");
    }

    #[test]
    fn insertions_at_one_place_follow_their_order() {
        let edited = apply("a;", vec![edit(1, 1, 2, "-"), edit(1, 1, 1, "+")]).expect("no overlap");
        assert_eq!(edited, "a+-;");
    }

    #[test]
    fn words_do_not_grow_together() {
        let edited = apply("return(f(x));", vec![edit(6, 12, 0, "y")]).expect("no overlap");
        assert_eq!(edited, "return y;");
        let edited = apply("if(a)b(1)else c;", vec![edit(5, 9, 0, "y")]).expect("no overlap");
        assert_eq!(edited, "if(a)y else c;");
    }

    #[test]
    fn overlapping_edits_are_reported() {
        assert!(apply("abcdef", vec![edit(0, 3, 0, ""), edit(2, 4, 0, "")]).is_err());
    }
}
