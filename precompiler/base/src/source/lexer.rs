//! C tokens, as byte ranges.
//!
//! One lexer serves the normaliser, the map of columns and the search for directives. It knows comments, line splices,
//! literals with prefixes, preprocessing numbers and the longest operators; it never fails: an odd byte is a token.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Identifier or keyword.
    Word,
    /// A preprocessing number.
    Number,
    /// A string literal with its prefix.
    Text,
    /// A character constant with its prefix.
    Character,
    /// Anything else.
    Operator,
    /// A whole line whose first character is `#` (with its continuation lines), without the line end.
    Directive,
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What it is.
    pub kind: TokenKind,
}

impl Token {
    /// Its bytes.
    pub fn text<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start..self.end]
    }
}

/// Whether a byte may begin a word.
pub const fn begins_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Whether a byte may go on in a word.
pub fn in_word(byte: u8) -> bool {
    // A table: most of a text is asked for here.
    const IN_WORD: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            table[byte] = begins_word(byte as u8) || (byte as u8).is_ascii_digit();
            byte += 1;
        }
        table
    };
    IN_WORD[usize::from(byte)]
}

/// Splits a text into tokens. Comments are white space; a line that begins with `#` is one token.
pub fn tokens(bytes: &[u8]) -> Vec<Token> {
    let mut all = Vec::with_capacity(bytes.len() / 5);
    let mut at = if bytes.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    };
    let mut line_begins = true;
    while at < bytes.len() {
        let byte = bytes[at];
        match byte {
            b'\n' => {
                line_begins = true;
                at += 1;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => at += 1,
            b'\\' if splice(bytes, at) > 0 => at += splice(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = comment_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = line_end(bytes, at),
            b'#' if line_begins => {
                let end = directive_end(bytes, at);
                all.push(Token {
                    start: at,
                    end,
                    kind: TokenKind::Directive,
                });
                at = end;
            }
            _ => {
                line_begins = false;
                let (end, kind) = token_at(bytes, at);
                all.push(Token {
                    start: at,
                    end,
                    kind,
                });
                at = end;
            }
        }
    }
    all
}

/// Length of a backslash-newline at `at`, 0 when there is none.
fn splice(bytes: &[u8], at: usize) -> usize {
    match &bytes[at..] {
        [b'\\', b'\n', ..] => 2,
        [b'\\', b'\r', b'\n', ..] => 3,
        _ => 0,
    }
}

/// Length of a universal character name (`\uXXXX`, `\UXXXXXXXX`) at `at`, 0 when there is none.
fn universal_name(bytes: &[u8], at: usize) -> usize {
    let length = match bytes.get(at..) {
        Some([b'\\', b'u', ..]) => 6,
        Some([b'\\', b'U', ..]) => 10,
        _ => return 0,
    };
    match bytes.get(at + 2..at + length) {
        Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => length,
        _ => 0,
    }
}

fn comment_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 2;
    while end < bytes.len() {
        if bytes[end] == b'*' && bytes.get(end + 1) == Some(&b'/') {
            return end + 2;
        }
        end += 1;
    }
    end
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    while end < bytes.len() && bytes[end] != b'\n' {
        end += splice(bytes, end).max(1);
    }
    end.min(bytes.len())
}

/// The end of a directive line: the line end that is neither spliced nor inside a comment.
fn directive_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    while end < bytes.len() {
        match bytes[end] {
            b'\n' => break,
            b'\\' => end += splice(bytes, end).max(1),
            b'/' if bytes.get(end + 1) == Some(&b'*') => end = comment_end(bytes, end),
            b'/' if bytes.get(end + 1) == Some(&b'/') => end = line_end(bytes, end),
            b'"' => end = literal_end(bytes, end),
            _ => end += 1,
        }
    }
    end.min(bytes.len())
}

/// The end of a literal that begins with its quote at `at`; an unclosed one ends with its line.
fn literal_end(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    let mut end = at + 1;
    while end < bytes.len() && bytes[end] != b'\n' {
        if bytes[end] == quote {
            return end + 1;
        }
        end += if bytes[end] == b'\\' {
            splice(bytes, end).max(2)
        } else {
            1
        };
    }
    end.min(bytes.len())
}

fn token_at(bytes: &[u8], at: usize) -> (usize, TokenKind) {
    let byte = bytes[at];
    let next = bytes.get(at + 1).copied().unwrap_or(0);
    if begins_word(byte) || universal_name(bytes, at) > 0 {
        let mut end = at + universal_name(bytes, at).max(1);
        while let Some(&byte) = bytes.get(end) {
            if in_word(byte) {
                end += 1;
            } else if byte == b'\\' && universal_name(bytes, end) > 0 {
                end += universal_name(bytes, end);
            } else if byte == b'\\' && splice(bytes, end) > 0 {
                let after = end + splice(bytes, end);
                if after < bytes.len() && in_word(bytes[after]) {
                    end = after;
                } else {
                    break;
                }
            } else {
                break;
            }
        }
        let prefix = matches!(&bytes[at..end], b"L" | b"u" | b"U" | b"u8");
        return match bytes.get(end) {
            Some(b'"') if prefix => (literal_end(bytes, end), TokenKind::Text),
            Some(b'\'') if prefix => (literal_end(bytes, end), TokenKind::Character),
            _ => (end, TokenKind::Word),
        };
    }
    if byte.is_ascii_digit() || (byte == b'.' && next.is_ascii_digit()) {
        return (number_end(bytes, at), TokenKind::Number);
    }
    match byte {
        b'"' => (literal_end(bytes, at), TokenKind::Text),
        b'\'' => (literal_end(bytes, at), TokenKind::Character),
        _ => (at + operator_length(&bytes[at..]), TokenKind::Operator),
    }
}

fn number_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < bytes.len() {
        let byte = bytes[end];
        let sign =
            (byte == b'+' || byte == b'-') && matches!(bytes[end - 1], b'e' | b'E' | b'p' | b'P');
        let separator = byte == b'\'' && bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
        if !(in_word(byte) || byte == b'.' || sign || separator) {
            break;
        }
        end += 1;
    }
    end
}

fn operator_length(bytes: &[u8]) -> usize {
    match bytes {
        [b'.', b'.', b'.', ..] | [b'<', b'<', b'=', ..] | [b'>', b'>', b'=', ..] => 3,
        [b'-', b'>', ..]
        | [b'#', b'#', ..]
        | [b'+', b'+' | b'=', ..]
        | [b'-', b'-' | b'=', ..]
        | [b'&', b'&' | b'=', ..]
        | [b'|', b'|' | b'=', ..]
        | [b'<', b'<' | b'=', ..]
        | [b'>', b'>' | b'=', ..]
        | [b'=' | b'!' | b'*' | b'/' | b'%' | b'^', b'=', ..] => 2,
        _ => 1,
    }
}

/// A token without line splices; in names, universal character names (`\u00e9`) are written out.
pub fn plain_name(token: &str) -> String {
    let bytes = token.as_bytes();
    let is_literal = token.ends_with(['"', '\'']);
    let mut plain = String::with_capacity(token.len());
    let mut rest = 0;
    let mut at = 0;
    while at < bytes.len() {
        let escaped = if is_literal {
            0
        } else {
            universal_name(bytes, at)
        };
        let length = splice(bytes, at).max(escaped);
        if length == 0 {
            at += 1;
            continue;
        }
        plain.push_str(&token[rest..at]);
        if escaped > 0 {
            let code = u32::from_str_radix(&token[at + 2..at + escaped], 16).ok();
            plain.extend(code.and_then(char::from_u32));
        }
        at += length;
        rest = at;
    }
    plain.push_str(&token[rest..]);
    plain
}

/// Position of a word in a text.
pub fn find_word(text: &str, word: &str) -> Option<usize> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(word).map(|(at, _)| at).find(|&at| {
        !text[..at].chars().next_back().is_some_and(is_word)
            && !text[at + word.len()..].chars().next().is_some_and(is_word)
    })
}
