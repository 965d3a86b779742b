//! Bytes to text and back.

use super::file::Encoding;

/// Bytes as text: UTF-8 when they are, otherwise one character per byte.
pub fn decode(bytes: Vec<u8>) -> (String, Encoding) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, Encoding::Utf8),
        Err(error) => (latin1(error.as_bytes()), Encoding::Latin1),
    }
}

/// Bytes as text in an encoding that is already decided. In UTF-8, bytes that are none become `?`: they can only come
/// from an included file, of which nothing is ever written.
pub fn decode_as(bytes: Vec<u8>, encoding: Encoding) -> String {
    match encoding {
        Encoding::Latin1 => latin1(&bytes),
        Encoding::Utf8 => match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).replace('\u{fffd}', "?"),
        },
    }
}

/// Text as bytes, the inverse of [`decode`].
pub fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Latin1 => text
            .chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'))
            .collect(),
    }
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s03_every_byte_of_a_latin1_file_survives() {
        let bytes: Vec<u8> = (1..=255).collect();
        let (text, encoding) = decode(bytes.clone());
        assert_eq!(encoding, Encoding::Latin1);
        assert_eq!(encode(&text, encoding), bytes);
    }
}
