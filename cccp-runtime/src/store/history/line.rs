//! A line of a history: a JSON object whose values are texts, numbers or null.
//!
//! In and out: names and values in order. What is not exactly such an object is no line. The library has no parser of
//! whole JSON, because nothing else of it reads any.

use std::fmt::{Display, Write};
use std::iter::Peekable;
use std::str::Chars;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::store) enum Word {
    Text(String),
    Number(f64),
    Null,
}

/// A line that grows.
pub(in crate::store) struct Line(String);

impl Line {
    /// With what every line has.
    pub(in crate::store) fn new(event: &str, time: f64) -> Line {
        Line(format!("{{\"event\":\"{event}\",\"time\":{time:.3}"))
    }

    /// A number, or null.
    pub(in crate::store) fn plain(&mut self, name: &str, value: impl Display) {
        let _ = write!(self.0, ",\"{name}\":{value}");
    }

    pub(in crate::store) fn text(&mut self, name: &str, value: &str) {
        let _ = write!(self.0, ",\"{name}\":\"");
        for one in value.chars() {
            let _ = match one {
                '"' | '\\' => write!(self.0, "\\{one}"),
                one if one.is_control() => write!(self.0, "\\u{:04x}", u32::from(one)),
                one => write!(self.0, "{one}"),
            };
        }
        self.0.push('"');
    }

    /// The whole line.
    pub(in crate::store) fn end(self) -> String {
        self.0 + "}\n"
    }
}

/// The names and values of a line.
pub(in crate::store) fn read(line: &str) -> Option<Vec<(String, Word)>> {
    let mut rest = line.chars().peekable();
    let mut words = Vec::new();
    take(&mut rest, '{')?;
    loop {
        let name = text(&mut rest)?;
        take(&mut rest, ':')?;
        words.push((name, word(&mut rest)?));
        match rest.next()? {
            ',' => {}
            '}' => break,
            _ => return None,
        }
    }
    rest.next().is_none().then_some(words)
}

fn take(rest: &mut Peekable<Chars>, wanted: char) -> Option<()> {
    (rest.next()? == wanted).then_some(())
}

fn word(rest: &mut Peekable<Chars>) -> Option<Word> {
    if *rest.peek()? == '"' {
        return text(rest).map(Word::Text);
    }
    let mut plain = String::new();
    while let Some(one) = rest.next_if(|one| one.is_ascii_alphanumeric() || "+-.".contains(*one)) {
        plain.push(one);
    }
    match plain.as_str() {
        "null" => Some(Word::Null),
        number => {
            let number: f64 = number.parse().ok()?;
            number.is_finite().then_some(Word::Number(number))
        }
    }
}

fn text(rest: &mut Peekable<Chars>) -> Option<String> {
    take(rest, '"')?;
    let mut found = String::new();
    loop {
        match rest.next()? {
            '"' => return Some(found),
            '\\' => found.push(match rest.next()? {
                'u' => {
                    let digits: String = rest.by_ref().take(4).collect();
                    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
                }
                one @ ('"' | '\\') => one,
                _ => return None,
            }),
            one => found.push(one),
        }
    }
}
