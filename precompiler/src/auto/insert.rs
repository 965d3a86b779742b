//! Lines put into a text, with the map back to the user's lines.
//!
//! In: a text and insertions at offsets of it. Out: the text with whole lines added. The one idea: a line that stands
//! alone goes before or after the line of its offset; where other text shares that line, the line is cut in two and the
//! second part keeps its column.
//!
//! Not here: what is inserted.

use crate::source::lexer::Token;
use crate::source::{Line, SourceRange, TokenKind, UserLines, tokens};
use cccp_grammar::openmp::{Construct, DirectiveName};

/// Where lines go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum At {
    /// After what ends at this offset.
    After(usize),
    /// Before what begins at this offset.
    Before(usize),
}

/// Lines to add at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// Where.
    pub at: At,
    /// Among those at one place, smaller numbers first.
    pub order: i32,
    /// The lines, without their ends.
    pub lines: Vec<String>,
}

/// Text in the place of other text, within a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// What goes.
    pub range: SourceRange,
    /// What comes.
    pub text: String,
}

/// A text with added lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edited {
    /// The text.
    pub text: String,
    /// Whose its lines are.
    pub lines: UserLines,
}

/// Where a text is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cut {
    offset: usize,
    /// In the middle of a line: how far the rest of it was from its beginning.
    column: Option<usize>,
}

/// Replaces text, and moves insertions to the same places of the new text.
pub fn replace(
    text: &str,
    mut replacements: Vec<Replacement>,
    insertions: &mut [Insertion],
) -> String {
    replacements.sort_by_key(|one| std::cmp::Reverse(one.range.start));
    let mut text = text.to_string();
    for Replacement { range, text: new } in replacements {
        text.replace_range(range.start..range.end, &new);
        for insertion in &mut *insertions {
            let (At::After(offset) | At::Before(offset)) = &mut insertion.at;
            if *offset >= range.end {
                *offset = *offset - (range.end - range.start) + new.len();
            }
        }
    }
    text
}

/// Adds the lines. `lines` says whose the lines of `text` are.
pub fn insert(text: &str, lines: &UserLines, insertions: &[Insertion]) -> Edited {
    let tokens = tokens(text.as_bytes());
    let mut cuts: Vec<(Cut, &Insertion)> = insertions
        .iter()
        .map(|one| (cut(text, &tokens, one.at), one))
        .collect();
    cuts.sort_by_key(|(cut, one)| (cut.offset, one.at, one.order));
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut writer = Writer {
        out: String::with_capacity(text.len() + 256),
        lines: Vec::new(),
        line: 1,
        known: lines,
    };
    let mut done = 0;
    let mut rest = cuts.as_slice();
    while let Some((first, _)) = rest.first() {
        let same = rest
            .iter()
            .take_while(|(cut, _)| cut.offset == first.offset)
            .count();
        writer.copy(&text[done..first.offset]);
        done = first.offset;
        let at_start = writer.out.is_empty() || writer.out.ends_with('\n');
        if !at_start {
            writer.ends(end, false);
        }
        for (_, one) in &rest[..same] {
            for line in &one.lines {
                if !line.starts_with('#') {
                    writer.out.push_str(indentation(text, one.at));
                }
                writer.out.push_str(line);
                writer.ends(end, true);
            }
        }
        if let (false, Some(column)) = (at_start, first.column) {
            writer.out.push_str(&" ".repeat(column));
        }
        rest = &rest[same..];
    }
    writer.copy(&text[done..]);
    writer.lines.push(lines.line(writer.line));
    Edited {
        text: writer.out,
        lines: UserLines::new(writer.lines, lines.parts().to_vec()),
    }
}

struct Writer<'a> {
    out: String,
    /// What is known of every line written so far.
    lines: Vec<Line>,
    /// The line of the text that is copied.
    line: usize,
    known: &'a UserLines,
}

impl Writer<'_> {
    fn copy(&mut self, text: &str) {
        self.out.push_str(text);
        for _ in text.matches('\n') {
            self.lines.push(self.known.line(self.line));
            self.line += 1;
        }
    }

    /// Ends a line where the text does not end one.
    fn ends(&mut self, end: &str, is_added: bool) {
        self.out.push_str(end);
        let known = self.known.line(self.line);
        self.lines.push(Line {
            is_added: is_added || known.is_added,
            ..known
        });
    }
}

fn cut(text: &str, tokens: &[Token], at: At) -> Cut {
    match at {
        At::Before(offset) => {
            let start = line_start(text, offset);
            let before = tokens.partition_point(|token| token.end <= offset);
            let above = above_pragmas(text, &tokens[..before]);
            if above.is_some() || text[start..offset].trim().is_empty() {
                return Cut {
                    offset: above.unwrap_or(start),
                    column: None,
                };
            }
            Cut {
                offset,
                column: Some(offset - start),
            }
        }
        At::After(offset) => {
            let end = text[offset..]
                .find('\n')
                .map_or(text.len(), |found| offset + found + 1);
            if is_blank(&text[offset..end]) {
                return Cut {
                    offset: below_threadprivate(text, end),
                    column: None,
                };
            }
            Cut {
                offset,
                column: Some(offset - line_start(text, offset)),
            }
        }
    }
}

/// The white space at the beginning of the line around a place.
fn indentation(text: &str, at: At) -> &str {
    let (At::Before(offset) | At::After(offset)) = at;
    let line = &text[line_start(text, offset)..];
    let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
    &line[..blank]
}

fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |found| found + 1)
}

/// Where the pragmas begin that govern the statement behind the tokens (OpenMP, hints for loops), with the conditions of the
/// preprocessor around them. `None` when it has none.
fn above_pragmas(text: &str, before: &[Token]) -> Option<usize> {
    let mut found = None;
    let mut groups = 0;
    let mut before = before;
    while let Some((token, rest)) = before.split_last() {
        if let Some(start) = pragma_operator(text, before) {
            // As a line of its own.
            if groups == 0 {
                found = Some(start);
            }
            before = &before[..before.len() - 4];
            continue;
        }
        before = rest;
        if token.kind != TokenKind::Directive {
            break;
        }
        let line = &text[token.start..token.end];
        let Some(rest) = line.strip_prefix('#') else {
            break;
        };
        let rest = rest.trim_start();
        if let Some(rest) = rest.strip_prefix("pragma") {
            let stands_alone = openmp(line).is_some_and(|one| one.stands_alone());
            if rest.trim_start().starts_with("cccp") || stands_alone {
                break;
            }
            if groups == 0 {
                found = Some(line_start(text, token.start));
            }
        } else if rest.starts_with("endif") {
            groups += 1;
        } else if groups > 0 && rest.starts_with("if") {
            groups -= 1;
            if groups == 0 {
                found = Some(line_start(text, token.start));
            }
        } else if groups == 0 || !rest.starts_with("el") {
            break;
        }
    }
    found
}

/// Where a line begins at whose beginning, and at the end of the tokens, `_Pragma("…")` governs the statement behind it.
fn pragma_operator(text: &str, tokens: &[Token]) -> Option<usize> {
    let [.., name, open, literal, close] = tokens else {
        return None;
    };
    let spelt = |token: &Token| &text[token.start..token.end];
    let literal = spelt(literal).strip_prefix('"')?.strip_suffix('"')?;
    if (spelt(name), spelt(open), spelt(close)) != ("_Pragma", "(", ")") {
        return None;
    }
    let construct = Construct::read(literal.trim_start().strip_prefix("omp")?);
    let start = line_start(text, name.start);
    let is_alone = text[start..name.start].trim().is_empty();
    (is_alone && !construct.stands_alone()).then_some(start)
}

/// `threadprivate` belongs to the declaration above it: it has to stand before the first use.
fn below_threadprivate(text: &str, mut start: usize) -> usize {
    while let Some(end) = text[start..].find('\n')
        && is_threadprivate(&text[start..start + end])
    {
        start += end + 1;
    }
    start
}

fn is_threadprivate(line: &str) -> bool {
    openmp(line).is_some_and(|one| one.has(&DirectiveName::Threadprivate))
}

/// The directive of OpenMP that a line is.
fn openmp(line: &str) -> Option<Construct> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest
        .strip_prefix("pragma")?
        .trim_start()
        .strip_prefix("omp")?;
    Some(Construct::read(rest))
}

/// Nothing but white space and comments that end on this line.
fn is_blank(line: &str) -> bool {
    let mut rest = line.trim();
    loop {
        if rest.is_empty() || rest.starts_with("//") {
            return true;
        }
        let Some(comment) = rest.strip_prefix("/*") else {
            return false;
        };
        let Some((_, after)) = comment.split_once("*/") else {
            return false;
        };
        rest = after.trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, at: At, expected: &str, numbers: &[usize]) {
        let one = Insertion {
            at,
            order: 0,
            lines: vec!["#pragma cccp init".to_string()],
        };
        let edited = insert(text, &UserLines::default(), &[one]);
        assert_eq!(edited.text, expected);
        let lines: Vec<usize> = (1..=numbers.len())
            .map(|line| edited.lines.of(line))
            .collect();
        assert_eq!(lines, numbers);
    }

    #[test]
    fn threadprivate_stays_with_the_declaration_above_it() {
        let text = "static int a;\n  # pragma omp threadprivate(a)\nb;\n";
        let expected = "static int a;\n  # pragma omp threadprivate(a)\n#pragma cccp init\nb;\n";
        check(text, At::After(13), expected, &[1, 2, 3, 3]);
        check(text, At::Before(46), expected, &[1, 2, 3, 3]);
    }

    #[test]
    fn lines_are_added_as_a_whole() {
        check(
            "a;\n  b;\n",
            At::Before(5),
            "a;\n#pragma cccp init\n  b;\n",
            &[1, 2, 2],
        );
        check(
            "a; /* x */\nb;",
            At::After(2),
            "a; /* x */\n#pragma cccp init\nb;",
            &[1, 2, 2],
        );
        check(
            "a;\n#pragma omp for\nfor (;;)",
            At::Before(19),
            "a;\n#pragma cccp init\n#pragma omp for\nfor (;;)",
            &[1, 2, 2, 3],
        );
    }

    #[test]
    fn comments_and_conditions_do_not_part_a_pragma_from_its_statement() {
        for (above, rest) in [
            ("a;\n", "#pragma omp for // all\n/* these\n */\nfor (;;)"),
            (
                "a;\n",
                "#ifdef _OPENMP\n#pragma omp for\n#endif\n/* x */ for (;;)",
            ),
            (
                "a;\n#endif\n",
                "#pragma ivdep\n#if A\n# pragma omp for\n#else\n#pragma omp single\n#endif\n  for (;;)",
            ),
            ("#endif\n// b\n", "for (;;)"),
        ] {
            let text = format!("{above}{rest}");
            let at = At::Before(text.len() - "for (;;)".len());
            let edited = insert(
                &text,
                &UserLines::default(),
                &[Insertion {
                    at,
                    order: 0,
                    lines: vec!["#pragma cccp init".to_string()],
                }],
            );
            assert_eq!(edited.text, format!("{above}#pragma cccp init\n{rest}"));
        }
    }

    #[test]
    fn what_waits_before_a_statement_is_none_of_its_own() {
        check(
            "a;\n#pragma omp barrier\n#pragma omp for\nfor (;;)",
            At::Before(39),
            "a;\n#pragma omp barrier\n#pragma cccp init\n#pragma omp for\nfor (;;)",
            &[1, 2, 3, 3, 4],
        );
        check(
            "a;\n#pragma omp taskwait depend(in : \\\n  x)\nb;",
            At::Before(43),
            "a;\n#pragma omp taskwait depend(in : \\\n  x)\n#pragma cccp init\nb;",
            &[1, 2, 3, 4, 4],
        );
    }

    #[test]
    fn a_shared_line_is_cut_in_two() {
        check(
            "{ a; }\n",
            At::Before(2),
            "{ \n#pragma cccp init\n  a; }\n",
            &[1, 1, 1],
        );
        check(
            "a; b;\n",
            At::After(2),
            "a;\n#pragma cccp init\n   b;\n",
            &[1, 1, 1],
        );
    }
}
