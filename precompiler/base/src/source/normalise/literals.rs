//! Numbers, strings and characters in the spelling that the parser knows.

use super::notes::NoteKind;
use super::pass::Pass;

impl Pass<'_> {
    /// `1'000`, `2.0q`, `3wb` → `1000 `, `2.0 `, `3  `.
    pub(super) fn number(&mut self, index: usize) {
        let text = self.text(index);
        let hexadecimal = text.starts_with(b"0x") || text.starts_with(b"0X");
        let mut plain: Vec<u8> = text.iter().copied().filter(|&b| b != b'\'').collect();
        if let Some(at) = plain.iter().position(|b| matches!(b, b'w' | b'W')) {
            // `wb` of a _BitInt or `w` of a __float80; an unsigned suffix may stand before it.
            let tail = plain.split_off(at);
            plain.extend(tail.into_iter().filter(|b| !b"wWbB".contains(b)));
        }
        plain.retain(|b| !matches!(b, b'q' | b'Q'));
        if let Some(stem) = plain.strip_suffix(b"bf16")
            && !hexadecimal
        {
            plain.truncate(stem.len());
        }
        if plain != text {
            if plain.len() + text.iter().filter(|&&b| b == b'\'').count() < text.len() {
                self.note(index, NoteKind::OtherFloat);
            }
            self.overwrite(index, &plain);
        }
    }

    /// Odd escapes and bytes beyond ASCII in a string or character.
    pub(super) fn literal(&mut self, index: usize, character: bool) {
        let token = self.tokens[index];
        let text = self.text(index);
        if character && text.starts_with(b"u8") {
            self.out[token.start..token.start + 2].fill(b' ');
        }
        let mut at = token.start;
        while at < token.end {
            let byte = self.bytes[at];
            if byte != b'\\' || at + 1 >= token.end {
                at += 1;
                continue;
            }
            let escaped = self.bytes[at + 1];
            let hexadecimal = escaped == b'x'
                && self
                    .bytes
                    .get(at + 2)
                    .is_some_and(|digit| digit.is_ascii_hexdigit());
            let known = b"'\"?\\abfnrtv01234567\n\r".contains(&escaped);
            if !known && !hexadecimal {
                self.out[at + 1] = b'n';
            }
            at += 2;
        }
    }
}
