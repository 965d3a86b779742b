//! A table as CSV (RFC 4180, but with plain line feeds): a line of names, then one row per element.
//!
//! The first columns are the indices as C counts them: `index`, or `index0`, `index1`, … A struct has a column for each
//! of its values, a complex number two. Numbers with a fraction have as many digits as it takes to get the same number
//! back; what is no number is `NaN`, `inf` or `-inf`. Bytes of a union are hexadecimal; letters that are no text are
//! `\xNN`.

use std::fmt::Write as _;
use std::io::{self, Write};

use cccp::format::{FormatError, Scalar};

use super::rows::{Losses, Rows};
use crate::elements::{Element, Grid, Number, Scalars, Targets};

/// Most columns of a table.
const MOST_COLUMNS: u64 = 1 << 16;

/// Writes the whole table. `grid` says where the rows stand, `targets` where pointers lead; `advance` is told after each
/// row.
pub fn write_table(
    rows: &Rows,
    grid: &Grid,
    targets: &Targets,
    scalars: &mut Scalars,
    out: &mut dyn Write,
    advance: &mut dyn FnMut(),
) -> io::Result<Losses> {
    let columns = rows.element.columns();
    if columns > MOST_COLUMNS {
        return Err(io::Error::other(format!(
            "an element has {columns} values; nothing reads a table of so many columns; export it as .npy"
        )));
    }
    let mut writer = Table {
        losses: Losses::default(),
        targets,
        line: String::new(),
    };
    let directions = rows.extents.len();
    match directions {
        0 => {}
        1 => writer.cell("index"),
        _ => (0..directions).for_each(|direction| writer.cell(&format!("index{direction}"))),
    }
    writer.names(&rows.element, "");
    writer.end(out)?;
    for position in 0..rows.count() {
        for index in grid.indices(position) {
            writer.cell(&index.to_string());
        }
        writer
            .values(&rows.element, scalars)
            .map_err(io::Error::other)?;
        writer.end(out)?;
        advance();
    }
    match scalars.pull() {
        Ok(None) => Ok(writer.losses),
        Ok(Some(_)) => Err(io::Error::other("there are more values than the type says")),
        Err(error) => Err(io::Error::other(error)),
    }
}

struct Table<'a> {
    losses: Losses,
    targets: &'a Targets<'a>,
    /// The line being made; every cell ends with a comma.
    line: String,
}

impl Table<'_> {
    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.line.pop();
        self.line.push('\n');
        out.write_all(self.line.as_bytes())?;
        self.line.clear();
        Ok(())
    }

    fn cell(&mut self, text: &str) {
        if text.contains([',', '"', '\n', '\r']) {
            self.line.push('"');
            self.line.push_str(&text.replace('"', "\"\""));
            self.line.push('"');
        } else {
            self.line.push_str(text);
        }
        self.line.push(',');
    }

    /// A number: nothing in it has to be quoted.
    fn number(&mut self, value: impl std::fmt::Debug) {
        // Writing to a string cannot fail.
        let _ = write!(self.line, "{value:?},");
    }

    /// The names of the columns of an element.
    fn names(&mut self, element: &Element, path: &str) {
        match element {
            Element::Number(
                Number::ComplexFloat | Number::ComplexDouble | Number::ComplexLongDouble,
            ) => {
                for part in ["re", "im"] {
                    self.cell(&join(path, part));
                }
            }
            Element::Number(_) | Element::Pointer | Element::Letters(_) | Element::Opaque(_) => {
                self.cell(if path.is_empty() { "value" } else { path });
            }
            Element::Array { count, element } => {
                (0..*count).for_each(|index| self.names(element, &format!("{path}[{index}]")));
            }
            Element::Struct(fields) => fields
                .iter()
                .for_each(|field| self.names(&field.element, &join(path, &field.name))),
        }
    }

    /// The cells of an element.
    fn values(&mut self, element: &Element, scalars: &mut Scalars) -> Result<(), FormatError> {
        match element {
            Element::Number(_) | Element::Pointer => self.scalar(scalars.take()?),
            Element::Letters(length) => {
                let mut letters = Vec::new();
                for _ in 0..*length {
                    if let Scalar::Character(letter) = scalars.take()? {
                        letters.push(letter);
                    }
                }
                self.cell(&text(&letters));
            }
            Element::Opaque(_) => {
                while let Scalar::Bytes { bytes, more } = scalars.take()? {
                    for byte in bytes {
                        let _ = write!(self.line, "{byte:02x}");
                    }
                    if !more {
                        break;
                    }
                }
                self.line.push(',');
            }
            Element::Array { count, element } => {
                for _ in 0..*count {
                    self.values(element, scalars)?;
                }
            }
            Element::Struct(fields) => {
                for field in fields {
                    self.values(&field.element, scalars)?;
                }
            }
        }
        Ok(())
    }

    fn scalar(&mut self, scalar: Scalar) {
        match scalar {
            Scalar::Bool(value) => self.number(u8::from(value)),
            Scalar::Character(letter) => self.cell(&text(&[letter])),
            Scalar::Signed(value) => self.number(value),
            Scalar::Unsigned(value) => self.number(value),
            Scalar::Float(value) => self.number(value),
            Scalar::Double(value) => self.number(value),
            Scalar::LongDouble(value) => {
                let value = self.losses.double(value);
                self.number(value);
            }
            Scalar::ComplexFloat(re, im) => {
                self.number(re);
                self.number(im);
            }
            Scalar::ComplexDouble(re, im) => {
                self.number(re);
                self.number(im);
            }
            Scalar::ComplexLongDouble(parts) => {
                for part in *parts {
                    let part = self.losses.double(part);
                    self.number(part);
                }
            }
            Scalar::Pointer(pointer) => self.cell(&self.targets.spell(&pointer)),
            Scalar::Bytes { .. } => self.line.push(','),
        }
    }
}

fn join(path: &str, name: &str) -> String {
    match path.is_empty() {
        true => name.to_string(),
        false => format!("{path}.{name}"),
    }
}

/// Letters as text: up to the zeros at the end, what is no text as `\xNN`.
fn text(letters: &[u8]) -> String {
    let end = letters
        .iter()
        .rposition(|letter| *letter != 0)
        .map_or(0, |last| last + 1);
    let mut text = String::new();
    for chunk in letters[..end].utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '\\' => text.push_str("\\\\"),
                letter if letter.is_control() => {
                    let mut bytes = [0; 4];
                    for byte in letter.encode_utf8(&mut bytes).bytes() {
                        let _ = write!(text, "\\x{byte:02x}");
                    }
                }
                letter => text.push(letter),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_are_no_text_can_be_told_apart() {
        assert_eq!(text(b"cell\0\0"), "cell");
        assert_eq!(text(b"\0\0"), "");
        assert_eq!(text(b"a\0b"), "a\\x00b");
        assert_eq!(
            text("größe\\\n\u{85}".as_bytes()),
            "größe\\\\\\x0a\\xc2\\x85"
        );
        assert_eq!(text(b"\xff."), "\\xff.");
    }
}
