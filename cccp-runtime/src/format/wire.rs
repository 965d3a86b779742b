//! The XDR primitives that everything but register data is made of, with our own lengths and limits.
//!
//! Writing appends to a vector and cannot fail. Reading goes through a [`Cursor`], which knows where in the file it
//! is, never reads past its end and never allocates more than there are bytes left.

use xdr_codec::Pack;

use super::FormatError;
use super::model::PointerValue;

/// Zero bytes that fill up to a multiple of four.
pub(super) fn padding(length: u64) -> u64 {
    length.wrapping_neg() % 4
}

pub(super) fn put_u32(value: u32, out: &mut Vec<u8>) {
    // Appending to a vector cannot fail.
    let _ = value.pack(out);
}

pub(super) fn put_u64(value: u64, out: &mut Vec<u8>) {
    let _ = value.pack(out);
}

/// Fixed-length opaque data: the bytes, and zeros up to a multiple of four.
pub(super) fn put_opaque(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(bytes);
    out.resize(out.len() + padding(bytes.len() as u64) as usize, 0);
}

/// Variable-length opaque data: a length, then the bytes as above. Longer than 4 GiB is cut: names never are.
pub(super) fn put_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    put_u32(length, out);
    put_opaque(&bytes[..length as usize], out);
}

/// A list: its length, then its items.
pub(super) fn put_list<T>(items: &[T], out: &mut Vec<u8>, mut put: impl FnMut(&T, &mut Vec<u8>)) {
    put_u32(items.len() as u32, out);
    for item in items {
        put(item, out);
    }
}

/// A pointer: its kind, then what that kind needs.
pub(super) fn put_pointer(value: &PointerValue, out: &mut Vec<u8>) {
    match value {
        PointerValue::Null => put_u32(0, out),
        PointerValue::Register {
            id,
            element,
            leaf,
            byte,
        } => {
            put_u32(1, out);
            [id, element, leaf, byte]
                .into_iter()
                .for_each(|number| put_u64(*number, out));
        }
        PointerValue::Argument { index, offset } => {
            put_u32(2, out);
            put_u32(*index, out);
            put_u64(*offset, out);
        }
        PointerValue::Function { name } => {
            put_u32(3, out);
            put_bytes(name.as_bytes(), out);
        }
        PointerValue::Image { offset } => {
            put_u32(4, out);
            put_u64(*offset, out);
        }
        PointerValue::Unresolved { address } => {
            put_u32(5, out);
            put_u64(*address, out);
        }
    }
}

/// Reads bytes that begin at `base` of the file.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    position: usize,
    base: u64,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8], base: u64) -> Cursor<'a> {
        Cursor {
            bytes,
            position: 0,
            base,
        }
    }

    /// Where in the file the next byte is.
    pub(super) fn offset(&self) -> u64 {
        self.base + self.position as u64
    }

    /// What was taken since the next byte was at this place in the file.
    pub(super) fn since(&self, offset: u64) -> &'a [u8] {
        let start = offset.saturating_sub(self.base) as usize;
        self.bytes.get(start..self.position).unwrap_or(&[])
    }

    /// What is left.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.position..]
    }

    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.position
    }

    pub(super) fn damaged(&self, reason: impl Into<String>) -> FormatError {
        FormatError::Damaged {
            offset: self.offset(),
            reason: reason.into(),
        }
    }

    /// The next bytes.
    pub(super) fn take(&mut self, length: u64) -> Result<&'a [u8], FormatError> {
        if length > self.left() as u64 {
            return Err(self.damaged(format!(
                "{length} bytes are needed, {} are left",
                self.left()
            )));
        }
        let bytes = &self.bytes[self.position..][..length as usize];
        self.position += length as usize;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N as u64)?);
        Ok(array)
    }

    pub(super) fn u32(&mut self) -> Result<u32, FormatError> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    pub(super) fn u64(&mut self) -> Result<u64, FormatError> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    pub(super) fn quad(&mut self) -> Result<[u8; 16], FormatError> {
        self.array()
    }

    pub(super) fn flag(&mut self) -> Result<bool, FormatError> {
        match self.u32()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(self.damaged(format!("{other} is neither 0 nor 1"))),
        }
    }

    pub(super) fn opaque(&mut self, length: u64) -> Result<&'a [u8], FormatError> {
        let bytes = self.take(length)?;
        if self.take(padding(length))?.iter().any(|byte| *byte != 0) {
            return Err(self.damaged("padding that is not zero"));
        }
        Ok(bytes)
    }

    pub(super) fn bytes(&mut self) -> Result<&'a [u8], FormatError> {
        let length = self.u32()?;
        self.opaque(u64::from(length))
    }

    pub(super) fn string(&mut self) -> Result<String, FormatError> {
        let bytes = self.bytes()?;
        String::from_utf8(bytes.to_vec()).map_err(|_| self.damaged("text that is not UTF-8"))
    }

    /// A list whose items take at least four bytes each, so its length cannot exceed what is left.
    pub(super) fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Cursor<'a>) -> Result<T, FormatError>,
    ) -> Result<Vec<T>, FormatError> {
        let count = self.u32()? as usize;
        if count > self.left() / 4 {
            return Err(self.damaged(format!("a list of {count} items in {} bytes", self.left())));
        }
        // Items are larger in memory than on disk: grow as they come.
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(item(self)?);
        }
        Ok(items)
    }

    pub(super) fn pointer(&mut self) -> Result<PointerValue, FormatError> {
        Ok(match self.u32()? {
            0 => PointerValue::Null,
            1 => PointerValue::Register {
                id: self.u64()?,
                element: self.u64()?,
                leaf: self.u64()?,
                byte: self.u64()?,
            },
            2 => PointerValue::Argument {
                index: self.u32()?,
                offset: self.u64()?,
            },
            3 => PointerValue::Function {
                name: self.string()?,
            },
            4 => PointerValue::Image {
                offset: self.u64()?,
            },
            5 => PointerValue::Unresolved {
                address: self.u64()?,
            },
            other => return Err(self.damaged(format!("{other} is no kind of pointer"))),
        })
    }
}
