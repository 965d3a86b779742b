//! NumPy's `.npy`: a line that says the type and the shape, then the values, little-endian and without gaps.
//!
//! | C | NumPy |
//! |---|---|
//! | integers, `float`, `double`, complex | `<i4`, `<f8`, `<c16`, … of the size the writer's machine had |
//! | `_Bool` | `\|b1` |
//! | `long double` | `<f8`: no other machine has the writer's |
//! | letters | `\|S8` |
//! | struct | a structured type with the names of the members |
//! | union | `\|V16`: its bytes |
//! | pointer | the number of the register it leads to (-1: NULL, -2: not to a register) and the element |
//!
//! Not here: what NumPy does with it.

use std::io::{self, Write};

use cccp::format::{PointerValue, Scalar};

use super::rows::{LONGEST_TEXT, Losses, Rows};
use crate::elements::{Element, Field, Number, Scalars};

/// Every part of the file begins at a multiple of this.
const ALIGNMENT: usize = 64;

/// Writes the whole file. `advance` is told after each row.
pub fn write_numpy(
    rows: &Rows,
    scalars: &mut Scalars,
    out: &mut dyn Write,
    advance: &mut dyn FnMut(),
) -> io::Result<Losses> {
    let mut writer = Writer {
        scalars,
        losses: Losses::default(),
        buffer: header(rows),
        out,
    };
    for _ in 0..rows.count() {
        writer.put(&rows.element)?;
        advance();
    }
    writer.out.write_all(&writer.buffer)?;
    match writer.scalars.pull() {
        Ok(None) => Ok(writer.losses),
        Ok(Some(_)) => Err(io::Error::other("there are more values than the type says")),
        Err(error) => Err(io::Error::other(error)),
    }
}

/// Magic, version, length, and the line.
fn header(rows: &Rows) -> Vec<u8> {
    let (kind, inner) = describe(&rows.element);
    let extents = rows.extents.iter().map(|extent| format!("{extent}, "));
    let shape = extents.collect::<String>() + &inner;
    // A tuple of one has a comma.
    let shape = match shape.matches(',').count() {
        1 => shape.trim_end(),
        _ => shape.trim_end_matches(", "),
    };
    let mut line = format!("{{'descr': {kind}, 'fortran_order': False, 'shape': ({shape}), }}");
    // Version 3 is version 2 in UTF-8.
    let version = match (line.is_ascii(), line.len() + ALIGNMENT < 1 << 16) {
        (true, true) => 1u8,
        (true, false) => 2,
        (false, _) => 3,
    };
    let before = if version == 1 { 10 } else { 12 };
    let whole = (before + line.len() + 1).next_multiple_of(ALIGNMENT);
    line.extend(std::iter::repeat_n(' ', whole - before - line.len() - 1));
    line.push('\n');
    let mut header = b"\x93NUMPY".to_vec();
    header.extend([version, 0]);
    match version {
        1 => header.extend((line.len() as u16).to_le_bytes()),
        _ => header.extend((line.len() as u32).to_le_bytes()),
    }
    header.extend(line.as_bytes());
    header
}

/// A type as Python spells it, and the extents of what is inside of it, each with a comma.
fn describe(element: &Element) -> (String, String) {
    let kind = match element {
        Element::Number(number) => format!("'{}'", code(*number)),
        Element::Pointer => "[('register', '<i8'), ('element', '<i8')]".to_string(),
        Element::Letters(length) if *length > LONGEST_TEXT => {
            return ("'|S1'".to_string(), format!("{length}, "));
        }
        Element::Letters(length) => format!("'|S{length}'"),
        Element::Opaque(length) => format!("'|V{length}'"),
        Element::Array { count, element } => {
            let (kind, inner) = describe(element);
            return (kind, format!("{count}, {inner}"));
        }
        Element::Struct(fields) => {
            let fields: Vec<String> = fields.iter().map(describe_field).collect();
            format!("[{}]", fields.join(", "))
        }
    };
    (kind, String::new())
}

fn describe_field(field: &Field) -> String {
    let name = field.name.replace('\\', "\\\\").replace('\'', "\\'");
    match describe(&field.element) {
        (kind, shape) if shape.is_empty() => format!("('{name}', {kind})"),
        (kind, shape) => format!("('{name}', {kind}, ({}))", shape.trim_end()),
    }
}

fn code(number: Number) -> String {
    match number {
        Number::Bool => "|b1".to_string(),
        Number::Integer { size, signed } => {
            let order = if size == 1 { '|' } else { '<' };
            format!("{order}{}{size}", if signed { 'i' } else { 'u' })
        }
        Number::Float => "<f4".to_string(),
        Number::Double | Number::LongDouble => "<f8".to_string(),
        Number::ComplexFloat => "<c8".to_string(),
        Number::ComplexDouble | Number::ComplexLongDouble => "<c16".to_string(),
    }
}

/// Values on their way to the file.
struct Writer<'a, 'v> {
    scalars: &'a mut Scalars<'v>,
    losses: Losses,
    buffer: Vec<u8>,
    out: &'a mut dyn Write,
}

impl Writer<'_, '_> {
    /// Writes the values of an element, which may be a large one.
    fn put(&mut self, element: &Element) -> io::Result<()> {
        match element {
            Element::Number(number) => {
                let scalar = self.take()?;
                put_number(*number, &scalar, &mut self.losses, &mut self.buffer);
            }
            Element::Pointer => {
                let scalar = self.take()?;
                put_pointer(&scalar, &mut self.buffer);
            }
            Element::Letters(length) => {
                for _ in 0..*length {
                    if let Scalar::Character(letter) = self.take()? {
                        self.buffer.push(letter);
                    }
                }
            }
            Element::Opaque(_) => {
                while let Scalar::Bytes { bytes, more } = self.take()? {
                    self.buffer.extend_from_slice(&bytes);
                    if !more {
                        break;
                    }
                }
            }
            Element::Array { count, element } => {
                for _ in 0..*count {
                    self.put(element)?;
                }
            }
            Element::Struct(fields) => {
                for field in fields {
                    self.put(&field.element)?;
                }
            }
        }
        Ok(())
    }

    /// The next value; what was gathered leaves when it is much.
    fn take(&mut self) -> io::Result<Scalar> {
        if self.buffer.len() >= 1 << 16 {
            self.out.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        self.scalars.take().map_err(io::Error::other)
    }
}

fn put_number(number: Number, scalar: &Scalar, losses: &mut Losses, out: &mut Vec<u8>) {
    let size = match number {
        Number::Bool => 1,
        Number::Integer { size, .. } => size as usize,
        _ => 8,
    };
    match scalar {
        Scalar::Bool(value) => out.extend(&u64::from(*value).to_le_bytes()[..size]),
        Scalar::Character(value) => out.push(*value),
        Scalar::Signed(value) => out.extend(&value.to_le_bytes()[..size]),
        Scalar::Unsigned(value) => out.extend(&value.to_le_bytes()[..size]),
        Scalar::Float(value) => out.extend(value.to_le_bytes()),
        Scalar::Double(value) => out.extend(value.to_le_bytes()),
        Scalar::LongDouble(value) => out.extend(losses.double(*value).to_le_bytes()),
        Scalar::ComplexFloat(re, im) => {
            for part in [re, im] {
                out.extend(part.to_le_bytes());
            }
        }
        Scalar::ComplexDouble(re, im) => {
            for part in [re, im] {
                out.extend(part.to_le_bytes());
            }
        }
        Scalar::ComplexLongDouble(parts) => {
            for part in **parts {
                out.extend(losses.double(part).to_le_bytes());
            }
        }
        Scalar::Pointer(_) | Scalar::Bytes { .. } => {}
    }
}

fn put_pointer(scalar: &Scalar, out: &mut Vec<u8>) {
    let (register, element) = match scalar {
        Scalar::Pointer(pointer) => match &**pointer {
            PointerValue::Null => (-1, -1),
            PointerValue::Register { id, element, .. } => (*id as i64, *element as i64),
            _ => (-2, -1),
        },
        _ => (-2, -1),
    };
    out.extend(register.to_le_bytes());
    out.extend(element.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(extents: &[u64], element: Element) -> Rows {
        Rows {
            extents: extents.to_vec(),
            element,
        }
    }

    fn line(rows: &Rows) -> String {
        let header = header(rows);
        assert_eq!(header.len() % ALIGNMENT, 0);
        assert_eq!(header[..6], *b"\x93NUMPY");
        let start = if header[6] == 1 { 10 } else { 12 };
        let line = String::from_utf8(header[start..].to_vec()).unwrap();
        let length = match header[6] {
            1 => usize::from(u16::from_le_bytes([header[8], header[9]])),
            _ => u32::from_le_bytes([header[8], header[9], header[10], header[11]]) as usize,
        };
        assert_eq!(line.len(), length);
        assert!(line.ends_with('\n'));
        line.trim_end().to_string()
    }

    #[test]
    fn the_header_says_type_and_shape_as_python_spells_them() {
        let double = Element::Number(Number::Double);
        assert_eq!(
            line(&rows(&[30, 10], double.clone())),
            "{'descr': '<f8', 'fortran_order': False, 'shape': (30, 10), }"
        );
        assert!(line(&rows(&[7], double.clone())).contains("'shape': (7,), }"));
        assert!(line(&rows(&[], double)).contains("'shape': (), }"));
    }

    #[test]
    fn a_struct_is_a_structured_type() {
        let field = |name: &str, element: Element| Field {
            name: name.to_string(),
            element,
        };
        let cell = Element::Struct(vec![
            field(
                "x",
                Element::Array {
                    count: 3,
                    element: Box::new(Element::Number(Number::Float)),
                },
            ),
            field("next", Element::Pointer),
            field("tag", Element::Letters(6)),
            field("either", Element::Opaque(16)),
            field("image", Element::Letters(LONGEST_TEXT + 1)),
            field(
                "größe",
                Element::Number(Number::Integer {
                    size: 1,
                    signed: false,
                }),
            ),
        ]);
        let rows = rows(&[2], cell);
        assert_eq!(header(&rows)[6], 3, "the name is not ASCII");
        assert_eq!(
            line(&rows),
            "{'descr': [('x', '<f4', (3,)), ('next', [('register', '<i8'), ('element', '<i8')]), ('tag', '|S6'), \
             ('either', '|V16'), ('image', '|S1', (65537,)), ('größe', '|u1')], 'fortran_order': False, 'shape': \
             (2,), }"
        );
    }

    #[test]
    fn a_long_header_has_another_version() {
        let number = Element::Number(Number::Bool);
        let fields = (0..5000).map(|index| Field {
            name: format!("member{index}"),
            element: number.clone(),
        });
        let rows = rows(&[1], Element::Struct(fields.collect()));
        assert_eq!(header(&rows)[6], 2);
        line(&rows);
    }
}
