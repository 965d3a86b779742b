//! Values of character constants and lengths of string literals.

/// The value of a plain character constant; `None` for what depends on the compiler.
pub fn character_value(text: &str) -> Option<i128> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let bytes = inner.as_bytes();
    match bytes {
        [byte] if byte.is_ascii() => Some(i128::from(*byte)),
        [b'\\', rest @ ..] => escape(rest),
        _ => None,
    }
}

fn escape(rest: &[u8]) -> Option<i128> {
    let text = std::str::from_utf8(rest).ok()?;
    Some(match text {
        "n" => 10,
        "t" => 9,
        "r" => 13,
        "a" => 7,
        "b" => 8,
        "f" => 12,
        "v" => 11,
        "\\" | "'" | "\"" | "?" => i128::from(rest[0]),
        _ => {
            let value = match text.strip_prefix('x') {
                Some(digits) => u8::from_str_radix(digits, 16).ok()?,
                None => u8::from_str_radix(text, 8).ok()?,
            };
            // Plain char is signed where we look at values.
            i128::from(value as i8)
        }
    })
}

/// Whether literals mean the same to every compiler: only characters of ASCII and escapes of the C standard, no universal
/// character names, and nothing that the normaliser replaced.
pub fn is_plain(spelt: &str) -> bool {
    let mut bytes = spelt.bytes();
    while let Some(byte) = bytes.next() {
        let known = byte != b'\\'
            || bytes
                .next()
                .is_some_and(|next| b"'\"?\\abfnrtvx01234567".contains(&next));
        if !byte.is_ascii() || !known {
            return false;
        }
    }
    true
}

/// How many characters a piece of a string literal (with its quotes) stands for.
pub fn string_length(piece: &str) -> usize {
    let Some(begin) = piece.find('"') else {
        return 0;
    };
    let inner = piece[begin + 1..]
        .strip_suffix('"')
        .unwrap_or(&piece[begin + 1..]);
    let bytes = inner.as_bytes();
    let (mut at, mut length) = (0, 0);
    while at < bytes.len() {
        length += 1;
        if bytes[at] != b'\\' {
            at += 1;
            continue;
        }
        at += 1;
        match bytes.get(at) {
            Some(b'x') => {
                at += 1;
                while bytes.get(at).is_some_and(u8::is_ascii_hexdigit) {
                    at += 1;
                }
            }
            Some(b'0'..=b'7') => {
                let first = at;
                while at < first + 3 && matches!(bytes.get(at), Some(b'0'..=b'7')) {
                    at += 1;
                }
            }
            _ => at += 1,
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_and_strings_have_their_values() {
        assert_eq!(character_value("'A'"), Some(65));
        assert_eq!(character_value("'\\n'"), Some(10));
        assert_eq!(character_value("'\\377'"), Some(-1));
        assert_eq!(character_value("L'a'"), None);
        assert_eq!(string_length("\"a\\n\\x41\\101b\""), 5);
        assert!(is_plain("\"a\\n\\x41\\101\\\\u\""));
        assert!(!is_plain("\"\\u00e9\"") && !is_plain("\"é\"") && !is_plain("'\\e'"));
    }
}
