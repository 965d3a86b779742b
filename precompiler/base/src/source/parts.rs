//! Takes the texts of included files into the file that includes them.
//!
//! In: a file, and which of the files that its own lines include are wanted. Out: the same file with their texts in the
//! places of the directives, as the preprocessor would have put them there; each inclusion has a text of its own, so that a
//! file that is included twice, with other macros, is two texts. The one idea: afterwards everything stands in one text, and
//! all that can be done with the user's own lines can be done with these.
//!
//! Whether a text means the same in its new place is not proved but looked at: the preprocessor has to make the same tokens
//! of it. Where it does not (`__INCLUDE_LEVEL__`, `#pragma once` and a second inclusion from elsewhere), nothing is taken in.
//!
//! Not here: which files are wanted, and what is changed in them.

use std::path::Path;

use super::file::SourceFile;
use super::lexer::{Token, TokenKind, tokens};
use super::lines::{Line, Part, UserLines};
use super::markers::Inclusion;
use super::preprocess::{Preprocessor, quoted};
use super::read::{decode, encode};

/// The file with the texts of all wanted files that its own lines include; `None` when that cannot be.
pub fn with_parts(
    file: &SourceFile,
    is_wanted: impl Fn(&Inclusion) -> bool,
    preprocessor: &Preprocessor,
) -> Option<SourceFile> {
    let wanted = file.inclusions().iter().filter(|one| is_wanted(one));
    let (bytes, lines) = taken_in(file, &wanted.collect::<Vec<_>>())?;
    let whole = SourceFile::with_lines(&file.path, bytes, lines, preprocessor).ok()?;
    has_same_tokens(file, &whole).then_some(whole)
}

/// A directive that includes a file.
struct Directive<'a> {
    /// Its lines in the text, without the last line's end: from this byte on, up to that one.
    range: (usize, usize),
    /// Their numbers, from 1.
    lines: (usize, usize),
    included: &'a Inclusion,
}

fn taken_in(file: &SourceFile, wanted: &[&Inclusion]) -> Option<(Vec<u8>, UserLines)> {
    let text = &file.original;
    let directives = directives(file, wanted)?;
    let mut bytes = Vec::new();
    let mut lines: Vec<Line> = Vec::new();
    let mut parts = file.lines.parts().to_vec();
    let (mut copied, mut line) = (0, 1);
    for directive in &directives {
        let (start, end) = directive.range;
        bytes.extend(file.encode(&text[copied..start]));
        lines.extend((line..directive.lines.0).map(|line| file.lines.line(line)));
        let above = file.lines.line(directive.lines.0);
        parts.push(Part {
            name: file.seen_from_here(&directive.included.name),
            within: above.part,
            directive: format!("{}\n", &text[start..end]),
            line: above.number,
            is_foreign: !file.lies_with(&directive.included.name),
        });
        let part = part_text(file, &directive.included.name)?;
        let count = part.iter().filter(|&&byte| byte == b'\n').count();
        let inside = parts.len();
        lines.extend((1..=count).map(|number| Line {
            number,
            part: inside,
            is_added: false,
        }));
        bytes.extend(part);
        copied = (end + 1).min(text.len());
        line = directive.lines.1 + 1;
    }
    bytes.extend(file.encode(&text[copied..]));
    lines.extend((line..=file.line_starts.len()).map(|line| file.lines.line(line)));
    Some((bytes, UserLines::new(lines, parts)))
}

/// The directives of the inclusions, in the order of the text.
fn directives<'a>(file: &SourceFile, wanted: &[&'a Inclusion]) -> Option<Vec<Directive<'a>>> {
    let text = &file.original;
    let all = tokens(text.as_bytes());
    let line_at = |offset: usize| file.line_starts.partition_point(|&start| start <= offset);
    let found = wanted.iter().map(|included| {
        let token = all.iter().find(|token| {
            token.kind == TokenKind::Directive && line_at(token.end) == included.last_line
        })?;
        let start = file.line_starts[line_at(token.start) - 1];
        let end = text[token.end..]
            .find('\n')
            .map_or(text.len(), |at| token.end + at);
        Some(Directive {
            range: (start, end),
            lines: (line_at(token.start), included.last_line),
            included,
        })
    });
    let mut found: Vec<Directive> = found.collect::<Option<_>>()?;
    found.sort_by_key(|one| one.range);
    Some(found)
}

/// The text of an included file as it is to stand in the other one: with a line end at its end, and paths that are seen from
/// there.
fn part_text(file: &SourceFile, name: &str) -> Option<Vec<u8>> {
    let base = Path::new(&file.path).parent().unwrap_or(Path::new(""));
    let bytes = std::fs::read(base.join(name)).ok()?;
    let (text, encoding) = decode(bytes);
    let text = text.trim_start_matches('\u{feff}');
    let beside = Path::new(name).parent().unwrap_or(Path::new(""));
    let mut out = String::with_capacity(text.len() + 1);
    let mut copied = 0;
    let directives = tokens(text.as_bytes()).into_iter();
    for token in directives.filter(|token| token.kind == TokenKind::Directive) {
        let directive = &text[token.start..token.end];
        let words = directive[1..].trim_start();
        if words.strip_prefix("pragma").map(str::trim) == Some("once") {
            out.push_str(&text[copied..token.start]);
            copied = token.end;
        }
        let Some(operand) = words.strip_prefix("include").map(str::trim_start) else {
            continue;
        };
        let Some((included, _)) = operand
            .strip_prefix('"')
            .and_then(|rest| rest.split_once('"'))
        else {
            continue;
        };
        let path = beside.join(included);
        // What does not lie beside it is searched for, here as there.
        if beside.as_os_str().is_empty() || !base.join(&path).is_file() {
            continue;
        }
        let at = token.end - operand.len() + 1;
        out.push_str(&text[copied..at]);
        out.push_str(path.to_str()?);
        copied = at + included.len();
    }
    out.push_str(&text[copied..]);
    if !out.ends_with('\n') {
        out.push('\n');
    }
    Some(encode(&out, encoding))
}

/// Whether the preprocessor makes the same of both: the marks of directives differ, and how a file is named where it is seen
/// from another place.
fn has_same_tokens(before: &SourceFile, after: &SourceFile) -> bool {
    let names: Vec<String> = after
        .lines
        .parts()
        .iter()
        .map(|one| quoted(&one.name))
        .collect();
    let (old, new) = (
        before.preprocessed.as_bytes(),
        after.preprocessed.as_bytes(),
    );
    let (old_tokens, new_tokens) = (tokens(old), tokens(new));
    let is_same = |(one, other): (&Token, &Token)| {
        let (one_text, other_text) = (one.text(old), other.text(new));
        one_text == other_text
            || one.kind == TokenKind::Directive
                && other.kind == TokenKind::Directive
                && untagged(one_text) == untagged(other_text)
            || one.kind == TokenKind::Text
                && (names.iter().any(|name| name.as_bytes() == other_text)
                    || is_clock(one_text) && is_clock(other_text))
    };
    old_tokens.len() == new_tokens.len() && old_tokens.iter().zip(&new_tokens).all(is_same)
}

/// Whether a text is what `__TIME__` stands for: another one when the preprocessor runs again a second later.
fn is_clock(text: &[u8]) -> bool {
    let digits = text.iter().map(|byte| match byte {
        b'0'..=b'9' => b'0',
        other => *other,
    });
    digits.eq(*b"\"00:00:00\"")
}

/// A directive without the mark of its line.
fn untagged(directive: &[u8]) -> String {
    let text = String::from_utf8_lossy(directive);
    let parts: Vec<&str> = text.splitn(3, '@').collect();
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let text = match parts[..] {
        [before, number, behind] if is_number(number) => format!("{before}{behind}"),
        _ => text.into_owned(),
    };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::{Preprocessor, SourceFile};
    use super::with_parts;

    #[test]
    fn a_second_that_passes_between_two_preprocessings_changes_nothing() {
        let place = std::env::temp_dir().join(format!("cccp-parts-{}", std::process::id()));
        std::fs::create_dir_all(&place).expect("a directory");
        let text = "const char *when = __TIME__;\nint work(void) { return 1; }\n";
        std::fs::write(place.join("piece.c"), text).expect("the piece");
        let main = place.join("main.c");
        std::fs::write(
            &main,
            "#include \"piece.c\"\nint main(void) { return work(); }\n",
        )
        .expect("the file");
        let preprocessor = Preprocessor {
            compiler: "cc".to_string(),
            arguments: Vec::new(),
            is_complete: false,
            others: Default::default(),
            made: Default::default(),
        };
        let path = main.to_str().expect("a path");
        let file = SourceFile::load(path, &preprocessor).expect("it is preprocessed");
        std::thread::sleep(std::time::Duration::from_millis(1100));
        let whole = with_parts(&file, |_| true, &preprocessor).map(|one| one.original);
        std::fs::remove_dir_all(&place).expect("the directory can be removed");
        let whole = whole.expect("its text is taken in");
        assert!(whole.contains("int work(void)"), "{whole}");
    }
}
