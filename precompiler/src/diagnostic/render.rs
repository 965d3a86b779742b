//! Diagnostics as text, in the style of rustc:
//!
//! ```text
//! error[CCCP107]: `velocty` is not declared here
//!   --> heat.c:12:27
//!    |
//! 12 | #pragma cccp register(velocty)
//!    |                       ^^^^^^^ unknown name
//!    = reason: …
//!    = help: did you mean `velocity`?
//! ```

use std::fmt::Write;
use std::ops::Range;

use super::message::{Diagnostic, Place, Severity};

/// Texts of files, by the path that diagnostics name.
pub trait Texts {
    /// The text of a file.
    fn text(&self, path: &str) -> Option<&str>;

    /// The file and the number that a line of it has for the user: others when lines were added, or texts of included files.
    fn line(&self, path: &str, line: usize) -> (String, usize) {
        (path.to_string(), line)
    }
}

impl<F: Fn(&str) -> Option<&'static str>> Texts for F {
    fn text(&self, path: &str) -> Option<&str> {
        self(path)
    }
}

/// One file and its text.
impl Texts for (&str, &str) {
    fn text(&self, path: &str) -> Option<&str> {
        (path == self.0).then_some(self.1)
    }
}

const TAB: usize = 4;

/// Of a longer line, as a macro that stands for a whole function makes, the part around the mark is shown.
const LONGEST: usize = 200;

/// The diagnostic as text with a line end. `colour` adds terminal colours.
pub fn render(diagnostic: &Diagnostic, texts: &dyn Texts, colour: bool) -> String {
    let paint = Paint { colour };
    let (word, hue) = match diagnostic.severity {
        Severity::Error => ("error", "1;31"),
        Severity::Warning => ("warning", "1;33"),
        Severity::Note => ("note", "1;36"),
    };
    let head = paint.text(hue, &format!("{word}[{}]", diagnostic.code));
    let mut out = format!(
        "{head}{}\n",
        paint.text("1", &format!(": {}", diagnostic.message))
    );
    let width = std::iter::once(&diagnostic.place)
        .chain(diagnostic.others.iter().map(|(place, _)| place))
        .filter_map(|place| last_line(place, texts))
        .max()
        .map_or(1, |line| line.to_string().len());
    excerpt(
        &mut out,
        &paint,
        &diagnostic.place,
        &diagnostic.label,
        texts,
        width,
        ("-->", '^', hue),
    );
    for (place, label) in &diagnostic.others {
        excerpt(
            &mut out,
            &paint,
            place,
            label,
            texts,
            width,
            (":::", '-', "1;34"),
        );
    }
    for (word, text) in [("reason", &diagnostic.reason), ("help", &diagnostic.help)] {
        let Some(text) = text else { continue };
        let bar = paint.text("1;34", &format!("{:width$} =", ""));
        let indent = " ".repeat(width + 5 + word.len());
        let text = text.trim_end().replace('\n', &format!("\n{indent}"));
        let _ = writeln!(out, "{bar} {}: {text}", paint.text("1", word));
    }
    if let Some(text) = &diagnostic.paste {
        let _ = writeln!(out, "\n{}\n", text.trim_end());
    }
    out
}

struct Paint {
    colour: bool,
}

impl Paint {
    fn text(&self, hue: &str, text: &str) -> String {
        if self.colour {
            format!("\x1b[{hue}m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }
}

fn excerpt(
    out: &mut String,
    paint: &Paint,
    place: &Place,
    label: &str,
    texts: &dyn Texts,
    width: usize,
    (arrow, mark, hue): (&str, char, &str),
) {
    let arrow = paint.text("1;34", &format!("{:width$}{arrow}", ""));
    match place {
        Place::Nowhere => {}
        Place::File(path) => {
            let _ = writeln!(out, "{arrow} {path}");
        }
        Place::Line { path, line } => {
            let note = if label.is_empty() {
                String::new()
            } else {
                format!(": {label}")
            };
            let _ = writeln!(out, "{arrow} {path}:{line}{note}");
        }
        Place::Range { path, range } => match texts.text(path) {
            None => {
                let _ = writeln!(out, "{arrow} {path}");
            }
            Some(text) => {
                let (line, column) = line_and_column(text, range.start);
                let (path, line) = texts.line(path, line);
                let _ = writeln!(out, "{arrow} {path}:{line}:{column}");
                let bar = paint.text("1;34", &format!("{:width$} |", ""));
                let number = paint.text("1;34", &format!("{line:width$} |"));
                let (shown, marks) = marked_line(text, range, mark);
                let _ = writeln!(out, "{bar}\n{number} {shown}");
                let under = if label.is_empty() {
                    marks
                } else {
                    format!("{marks} {label}")
                };
                let blanks = under.len() - under.trim_start().len();
                let _ = writeln!(
                    out,
                    "{bar} {}{}",
                    &under[..blanks],
                    paint.text(hue, &under[blanks..])
                );
            }
        },
    }
}

fn last_line(place: &Place, texts: &dyn Texts) -> Option<usize> {
    match place {
        Place::Range { path, range } => texts
            .text(path)
            .map(|text| texts.line(path, line_and_column(text, range.start).0).1),
        _ => None,
    }
}

/// Line and column (in characters) of an offset, both from 1.
fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset.min(text.len())).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (line, before[start..].chars().count() + 1)
}

/// The first line of the range with tabs expanded, and the marks below it.
fn marked_line(text: &str, range: &Range<usize>, mark: char) -> (String, String) {
    let at = range.start.min(text.len());
    let start = text
        .get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |newline| newline + 1);
    let end = text
        .get(at..)
        .and_then(|rest| rest.find('\n'))
        .map_or(text.len(), |length| at + length);
    let (mut shown, mut marks) = (String::new(), String::new());
    let stop = range.end.clamp(at, end);
    for (offset, character) in text[start..end].trim_end().char_indices() {
        let piece = match character {
            '\t' => " ".repeat(TAB),
            '\u{feff}' => continue,
            character if character.is_control() => "?".to_string(),
            character => character.to_string(),
        };
        let offset = start + offset;
        let cells = piece.chars().count();
        if offset < at {
            marks.push_str(&" ".repeat(cells));
        } else if offset < stop {
            marks.push_str(&mark.to_string().repeat(cells));
        }
        shown.push_str(&piece);
    }
    if !marks.contains(mark) {
        marks.push(mark);
    }
    part_of_line(&shown, marks.trim_end())
}

/// So much of a line as can be read, and the marks below that.
fn part_of_line(shown: &str, marks: &str) -> (String, String) {
    let length = shown.chars().count();
    if length <= LONGEST {
        return (shown.to_string(), marks.to_string());
    }
    let first = marks.chars().take_while(|one| *one == ' ').count();
    let begin = match first < LONGEST / 2 {
        true => 0,
        false => first - LONGEST / 4,
    };
    let end = length.min(begin + LONGEST);
    let part = |text: &str| -> String { text.chars().take(end).skip(begin).collect() };
    let (before, blank) = if begin > 0 { ("…", " ") } else { ("", "") };
    let behind = if end < length { "…" } else { "" };
    (
        format!("{before}{}{behind}", part(shown)),
        format!("{blank}{}", part(marks)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    #[test]
    fn s01_a_diagnostic_shows_the_line_a_caret_and_what_to_write() {
        let text = "int x;\n\t#pragma cccp register(y)\n";
        let range = text.find('y').map_or(0..0, |_| 30..31);
        let range = text.find("(y)").map_or(range, |at| at + 1..at + 2);
        let place = Place::Range {
            path: "a.c".to_string(),
            range,
        };
        let diagnostic = Diagnostic::error(Code::UNKNOWN_NAME, place, "`y` is not declared here")
            .label("unknown name")
            .help("did you mean `x`?");
        let expected = "error[CCCP107]: `y` is not declared here\n --> a.c:2:24\n  |\n2 |     #pragma cccp register(y)\n  |                           ^ unknown name\n  = help: did you mean `x`?\n";
        assert_eq!(render(&diagnostic, &("a.c", text), false), expected);
    }

    #[test]
    fn of_a_long_line_the_part_around_the_mark_is_shown() {
        let text = format!("{}{}{}\n", "a".repeat(500), "b".repeat(900), "c".repeat(90));
        let (shown, marks) = marked_line(&text, &(500..1400), '^');
        let (before, here) = (LONGEST / 4, LONGEST - LONGEST / 4);
        assert_eq!(
            shown,
            format!("…{}{}…", "a".repeat(before), "b".repeat(here))
        );
        assert_eq!(
            marks,
            format!(" {}{}", " ".repeat(before), "^".repeat(here))
        );
    }
}
