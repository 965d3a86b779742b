//! Finds the directive lines of a file and marks them so that they are recognised after preprocessing.
//!
//! `#pragma cccp checkpoint` on line 24 becomes `#pragma cccp @24@ checkpoint`: the tag says the physical line whatever
//! `#line` and macros do. A pragma that comes out of the preprocessor *without* a tag was made by `_Pragma` in a macro
//! or stands in an included file. `#line` directives of the user are blanked, so that the preprocessor's line markers
//! count physical lines.

use super::lexer::{Token, TokenKind, tokens};
use super::position::SourceRange;

/// A line `#pragma cccp …` or `#pragma omp …` of the user's file, or `_Pragma("omp …")` on a line of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectiveLine {
    /// Number of its first physical line, from 1.
    pub line: usize,
    /// From the first byte of its first line to the end of its last line, without the line end.
    pub lines: SourceRange,
    /// What follows `cccp` or `omp`, up to the end of the directive.
    pub body: SourceRange,
}

/// What [`tag`] finds in a text.
#[derive(Debug, Default)]
pub struct Tagged {
    /// The lines `#pragma cccp …`.
    pub directives: Vec<DirectiveLine>,
    /// The lines `#pragma omp …` and `_Pragma("omp …")`, which are not tagged.
    pub openmp: Vec<DirectiveLine>,
    /// The text in which the directives are tagged.
    pub text: String,
}

/// Finds the directive lines of a text, and tags them.
pub fn tag(original: &str) -> Tagged {
    let bytes = original.as_bytes();
    let (mut found, mut openmp) = (Vec::new(), Vec::new());
    let mut tagged = String::with_capacity(original.len() + 64);
    let mut copied = 0;
    let mut line = 1;
    let mut counted = 0;
    let all = tokens(bytes);
    for (number, token) in all.iter().enumerate() {
        let operator = operator_line(original, &all[number..]);
        if token.kind != TokenKind::Directive && operator.is_none() {
            continue;
        }
        line += bytes[counted..token.start]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count();
        counted = token.start;
        if let Some((lines, body)) = operator {
            openmp.push(DirectiveLine { line, lines, body });
            continue;
        }
        let words = leading_words(&bytes[token.start..token.end]);
        match words.as_slice() {
            [(b"pragma", _), (word @ (b"cccp" | b"omp"), end), ..] => {
                let body = token.start + end;
                let end = trim_end(bytes, token.end);
                let start = original[..token.start].rfind('\n').map_or(0, |at| at + 1);
                let directive = DirectiveLine {
                    line,
                    lines: SourceRange::new(start, end),
                    body: SourceRange::new(body, end.max(body)),
                };
                if *word == b"omp" {
                    openmp.push(directive);
                    continue;
                }
                found.push(directive);
                tagged.push_str(&original[copied..body]);
                tagged.push_str(&format!(" @{line}@"));
                copied = body;
            }
            [(b"line", _), ..] | [(b"", _), ..] => {
                tagged.push_str(&original[copied..token.start]);
                let newlines = original[token.start..token.end].matches('\n').count();
                tagged.push_str(&"\n".repeat(newlines));
                copied = token.end;
            }
            _ => {}
        }
    }
    tagged.push_str(&original[copied..]);
    Tagged {
        directives: found,
        openmp,
        text: tagged,
    }
}

/// The line and the words of `_Pragma("omp …")`, where the tokens begin with it and nothing else is on the line. One in the arguments of
/// a macro is on the line of the macro for the preprocessor.
fn operator_line(text: &str, tokens: &[Token]) -> Option<(SourceRange, SourceRange)> {
    let [name, open, literal, close, ..] = tokens else {
        return None;
    };
    let spelt = |token: &Token| &text[token.start..token.end];
    if name.kind != TokenKind::Word || spelt(name) != "_Pragma" {
        return None;
    }
    let words = spelt(literal)
        .strip_prefix('"')?
        .strip_suffix('"')?
        .trim_start();
    let words = words.strip_prefix("omp")?;
    let is_whole = !words.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let start = text[..name.start].rfind('\n').map_or(0, |at| at + 1);
    let end = (text[name.start..].find('\n')).map_or(text.len(), |length| name.start + length);
    let is_alone = text[start..name.start].trim().is_empty()
        && close.end <= end
        && text[close.end..end].trim().is_empty();
    (is_whole && is_alone && spelt(open) == "(" && spelt(close) == ")").then(|| {
        let body = SourceRange::new(literal.end - 1 - words.len(), literal.end - 1);
        (SourceRange::new(start, close.end), body)
    })
}

/// The first two words of a directive line after `#`, each with the offset of its end. A number in place of the first
/// word (`# 12 "file"`) is an empty word.
fn leading_words(line: &[u8]) -> Vec<(&[u8], usize)> {
    let mut inner = line.to_vec();
    inner[0] = b' ';
    let mut words = Vec::new();
    for token in tokens(&inner).iter().take(2) {
        match token.kind {
            TokenKind::Word => words.push((&line[token.start..token.end], token.end)),
            TokenKind::Number if words.is_empty() => words.push((&line[..0], token.end)),
            _ => break,
        }
    }
    words
}

fn trim_end(bytes: &[u8], mut end: usize) -> usize {
    while end > 0 && matches!(bytes[end - 1], b' ' | b'\t' | b'\r') {
        end -= 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s01_directive_lines_are_found_in_every_spelling() {
        let text = "int a;\n#pragma cccp init\r\n  # pragma\tcccp  register(a, \\\n   b)\n/*\n#pragma cccp no\n*/ x\n#line 7 \"y\"\n#pragma cccp shutdown /* a\n b */\nz";
        let tagged = tag(text);
        let (lines, tagged) = (tagged.directives, tagged.text);
        assert_eq!(lines.iter().map(|d| d.line).collect::<Vec<_>>(), [2, 3, 9]);
        assert!(
            tagged
                .contains("#pragma cccp @2@ init\r\n  # pragma\tcccp @3@  register(a, \\\n   b)\n")
        );
        assert!(
            tagged.contains("\n#pragma cccp no\n*/ x\n\n#pragma cccp @9@ shutdown /* a\n b */\nz")
        );
        assert_eq!(
            &text[lines[1].body.start..lines[1].body.end],
            "  register(a, \\\n   b)"
        );
    }

    #[test]
    fn s62_the_operator_pragma_on_a_line_of_its_own_is_a_line_of_openmp() {
        let text = "#pragma omp parallel\n{\n  _Pragma(\"omp barrier\")  \nx; _Pragma(\"omp flush\")\n\
                    _Pragma(\"omp single\") y;\n_Pragma(\"ompss\")\n#define B _Pragma(\"omp barrier\")\n_Pragma(\"omp flush(a)\")\n}";
        let openmp = tag(text).openmp;
        let found: Vec<_> = (openmp.iter())
            .map(|one| (one.line, &text[one.body.start..one.body.end]))
            .collect();
        assert_eq!(found, [(1, " parallel"), (3, " barrier"), (8, " flush(a)")]);
    }
}
