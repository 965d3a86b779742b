//! Values that the library reads, in the shape in which `read.py` prints them.
//!
//! In: the scalars of a register or of the trace, one after the other. Out: JSON with structs as objects and arrays as
//! arrays. `read.py` says what each kind of value looks like.

use cccp::format::{
    File, FormatError, Kind, LongDoubleValue, PointerValue, Register, Scalar, Value as Kept,
    Values, scalar_count,
};
use serde_json::{Map, Value, json};

/// The values of a register.
pub fn of_register(file: &File, register: &Register) -> Result<Value, FormatError> {
    let scalars = Scalars::new(file.values(register)?);
    scalars.whole(file, register.type_index, register.elements, true)
}

/// A value of the trace.
pub fn of_trace(file: &File, value: &Kept) -> Result<Value, FormatError> {
    let scalars = Scalars::new(file.value(value)?);
    scalars.whole(file, value.type_index, 1, false)
}

/// Scalars one by one.
struct Scalars<'a> {
    values: Values<'a>,
    batch: std::vec::IntoIter<Scalar>,
}

impl<'a> Scalars<'a> {
    fn new(values: Values<'a>) -> Scalars<'a> {
        let batch = Vec::new().into_iter();
        Scalars { values, batch }
    }

    fn next(&mut self) -> Result<Option<Scalar>, FormatError> {
        loop {
            if let Some(scalar) = self.batch.next() {
                return Ok(Some(scalar));
            }
            let mut batch = Vec::new();
            if !self.values.next(&mut batch)? && batch.is_empty() {
                return Ok(None);
            }
            self.batch = batch.into_iter();
        }
    }

    /// All of them.
    fn whole(
        mut self,
        file: &File,
        type_index: u32,
        count: u64,
        as_array: bool,
    ) -> Result<Value, FormatError> {
        let value = self.elements(file, type_index, count, as_array)?;
        assert_eq!(self.next()?, None, "scalars are left");
        Ok(value)
    }

    fn elements(
        &mut self,
        file: &File,
        type_index: u32,
        count: u64,
        as_array: bool,
    ) -> Result<Value, FormatError> {
        let types = &file.checkpoint.types;
        if scalar_count(types, type_index) == 0 {
            return Ok(Value::Null);
        }
        let one = &types[type_index as usize];
        let mut values = Vec::new();
        for _ in 0..count {
            values.push(match one.kind {
                Kind::Struct => self.members(file, type_index)?,
                _ => self.scalar()?,
            });
        }
        Ok(match (one.kind, as_array) {
            (Kind::Char, _) => values
                .iter()
                .filter_map(Value::as_str)
                .collect::<String>()
                .into(),
            (_, true) => values.into(),
            (_, false) => values.remove(0),
        })
    }

    fn members(&mut self, file: &File, type_index: u32) -> Result<Value, FormatError> {
        let mut object = Map::new();
        let members = &file.checkpoint.types[type_index as usize].members;
        for (place, member) in members.iter().enumerate() {
            let value = match member.bits {
                Some(_) => self.scalar()?,
                None => self.elements(file, member.type_index, member.count, member.count != 1)?,
            };
            let name = match member.name.as_str() {
                "" => format!("#{place}"),
                name => name.to_owned(),
            };
            object.insert(name, value);
        }
        Ok(object.into())
    }

    fn scalar(&mut self) -> Result<Value, FormatError> {
        let scalar = self.next()?.expect("another scalar");
        Ok(match scalar {
            Scalar::Bool(value) => value.into(),
            Scalar::Character(value) => char::from(value).to_string().into(),
            Scalar::Signed(value) => value.into(),
            Scalar::Unsigned(value) => value.into(),
            Scalar::Float(value) => float(value),
            Scalar::Double(value) => double(value),
            Scalar::LongDouble(value) => long_double(value),
            Scalar::ComplexFloat(real, imaginary) => json!([float(real), float(imaginary)]),
            Scalar::ComplexDouble(real, imaginary) => json!([double(real), double(imaginary)]),
            Scalar::ComplexLongDouble(parts) => json!(parts.map(long_double)),
            Scalar::Pointer(pointer) => place(&pointer),
            Scalar::Bytes { bytes, mut more } => {
                let mut text = hexadecimal(&bytes);
                while more {
                    let Some(Scalar::Bytes { bytes, more: rest }) = self.next()? else {
                        panic!("a union ends early")
                    };
                    text.push_str(&hexadecimal(&bytes));
                    more = rest;
                }
                text.into()
            }
        })
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn place(pointer: &PointerValue) -> Value {
    match pointer {
        PointerValue::Null => Value::Null,
        PointerValue::Register {
            id,
            element,
            leaf,
            byte,
        } => {
            json!({ "register": id, "element": element, "leaf": leaf, "byte": byte })
        }
        PointerValue::Argument {
            index: u32::MAX,
            offset,
        } => json!({ "argv": offset }),
        PointerValue::Argument { index, offset } => json!({ "argument": index, "byte": offset }),
        PointerValue::Function { name } => json!({ "function": name }),
        PointerValue::Image { offset } => json!({ "image": offset }),
        PointerValue::Unresolved { address } => json!({ "nothing saved": address }),
    }
}

fn float(value: f32) -> Value {
    match value.is_nan() {
        true => format!("nan(0x{:08x})", value.to_bits()).into(),
        false => finite_or_word(value.into()),
    }
}

fn double(value: f64) -> Value {
    match value.is_nan() {
        true => format!("nan(0x{:016x})", value.to_bits()).into(),
        false => finite_or_word(value),
    }
}

fn finite_or_word(value: f64) -> Value {
    match value.is_finite() {
        true => value.into(),
        false => if value > 0.0 { "inf" } else { "-inf" }.into(),
    }
}

/// The exact value only: the library does not say it in decimal digits.
fn long_double(value: LongDoubleValue) -> Value {
    let bits = u128::from_be_bytes(value.bits());
    let parts = match value.is_pair() {
        true => vec![
            exact(bits >> 64, 11, 52),
            exact(bits & u128::from(u64::MAX), 11, 52),
        ],
        false => vec![exact(bits, 15, 112)],
    };
    match parts.iter().find(|part| part.contains(['i', 'n'])) {
        Some(word) => word.as_str().into(),
        None => json!({ "exact": parts.join(" + ") }),
    }
}

/// An IEEE number as an odd number and a power of two.
fn exact(bits: u128, exponent_bits: u32, fraction_bits: u32) -> String {
    let most = (1 << exponent_bits) - 1;
    let fraction = bits & ((1 << fraction_bits) - 1);
    let exponent = (bits >> fraction_bits) as i32 & most;
    let negative = bits >> (fraction_bits + exponent_bits) == 1;
    let sign = if negative { "-" } else { "" };
    if exponent == most {
        if fraction == 0 {
            return format!("{sign}inf");
        }
        let wide = u128::from(negative) << 127 | 0x7FFF << 112 | fraction << (112 - fraction_bits);
        return format!("nan(0x{wide:032x})");
    }
    let number = fraction | u128::from(exponent > 0) << fraction_bits;
    if number == 0 {
        return format!("{sign}0p0");
    }
    let zeros = number.trailing_zeros();
    let power = exponent.max(1) - (most >> 1) - fraction_bits as i32 + zeros as i32;
    format!("{sign}{}p{power}", number >> zeros)
}
