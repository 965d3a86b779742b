//! Makes preprocessed text digestible for a C11 parser without moving a byte.
//!
//! Compilers accept much that the parser does not: attributes anywhere, `__int128`, `asm`, `a ?: b`, … One pass over
//! the tokens blanks or overwrites them *in place*, so that every span of the tree still indexes the real text. The
//! tree is used for its structure only. What the change hides but somebody needs to know is kept as a [`Note`].

use super::lexer::{Token, TokenKind, tokens};

/// Something that the normalised text does not show any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// `__attribute__((cleanup(f)))`
    Cleanup,
    /// `__attribute__((packed))`
    Packed,
    /// An attribute that changes the type: `vector_size`, `mode`.
    ChangedType,
    /// `__thread`
    Thread,
    /// `__int128` or `_BitInt`
    Int128,
    /// `__float128` or another type of the compiler
    OtherFloat,
    /// `__auto_type`
    AutoType,
    /// `asm`, as a statement or at file scope
    Assembly,
    /// `goto *p`
    ComputedGoto,
    /// `&&label`
    LabelAddress,
    /// `a ?: b`
    OmittedThen,
    /// `__alignof__`
    AlignOf,
    /// `__real__` or `__imag__`
    ComplexPart,
    /// `(T){}`
    EmptyBraces,
}

/// A note and where it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// Offset of the token that was changed.
    pub offset: usize,
    /// What it was.
    pub kind: NoteKind,
}

/// The text for the parser.
#[derive(Debug, Default)]
pub struct Normalised {
    /// ASCII, as long as the preprocessed text.
    pub text: String,
    /// In the order of the text.
    pub notes: Vec<Note>,
}

/// Normalises a preprocessed text.
pub fn normalise(preprocessed: &str) -> Normalised {
    let source = preprocessed.as_bytes();
    let mut pass = Pass {
        source,
        tokens: tokens(source),
        out: source.to_vec(),
        notes: Vec::new(),
        depth: 0,
    };
    let mut index = 0;
    while index < pass.tokens.len() {
        index = pass.token(index);
    }
    for byte in &mut pass.out {
        if *byte >= 0x80 {
            *byte = b'_';
        } else if matches!(*byte, b'\r' | 0x0b | 0x0c | 0) {
            *byte = b' ';
        }
    }
    pass.notes.sort_by_key(|note| note.offset);
    Normalised {
        text: String::from_utf8(pass.out).unwrap_or_default(),
        notes: pass.notes,
    }
}

struct Pass<'a> {
    source: &'a [u8],
    tokens: Vec<Token>,
    out: Vec<u8>,
    notes: Vec<Note>,
    depth: usize,
}

impl Pass<'_> {
    fn text(&self, index: usize) -> &[u8] {
        self.tokens
            .get(index)
            .map_or(b"", |token| token.text(self.source))
    }

    fn note(&mut self, index: usize, kind: NoteKind) {
        self.notes.push(Note {
            offset: self.tokens[index].start,
            kind,
        });
    }

    fn blank(&mut self, from: usize, to: usize) {
        for index in from..to.min(self.tokens.len()) {
            let token = self.tokens[index];
            self.out[token.start..token.end].fill(b' ');
        }
    }

    /// Overwrites a token by a text that is not longer.
    fn overwrite(&mut self, index: usize, text: &str) {
        let token = self.tokens[index];
        self.out[token.start..token.end].fill(b' ');
        let length = text.len().min(token.end - token.start);
        self.out[token.start..token.start + length].copy_from_slice(&text.as_bytes()[..length]);
    }

    /// The token after the bracket that closes the one at `index` (which must be an opening one).
    fn after_brackets(&self, index: usize) -> usize {
        let mut depth = 0usize;
        for at in index..self.tokens.len() {
            match self.text(at) {
                b"(" | b"[" | b"{" => depth += 1,
                b")" | b"]" | b"}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return at + 1;
                    }
                }
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// The token after `index`, and after the parentheses that follow it if any do.
    fn after_arguments(&self, index: usize) -> usize {
        if self.text(index + 1) == b"(" {
            self.after_brackets(index + 1)
        } else {
            index + 1
        }
    }

    /// Handles the token at `index`; returns the next one to look at.
    fn token(&mut self, index: usize) -> usize {
        let token = self.tokens[index];
        match token.kind {
            TokenKind::Directive => {
                for byte in &mut self.out[token.start..token.end] {
                    if *byte != b'\n' {
                        *byte = b' ';
                    }
                }
                index + 1
            }
            TokenKind::Word => self.word(index),
            TokenKind::Operator => self.operator(index),
            TokenKind::Text | TokenKind::Character => {
                self.literal(token);
                index + 1
            }
            TokenKind::Number => {
                self.number(token);
                index + 1
            }
        }
    }

    fn word(&mut self, index: usize) -> usize {
        let source = self.source;
        match self.tokens[index].text(source) {
            b"__attribute__" | b"__attribute" | b"__declspec" => {
                let end = self.after_arguments(index);
                for at in index..end {
                    let kind = match self.text(at) {
                        b"cleanup" | b"__cleanup__" => NoteKind::Cleanup,
                        b"packed" | b"__packed__" => NoteKind::Packed,
                        b"vector_size" | b"__vector_size__" | b"mode" | b"__mode__"
                        | b"ext_vector_type" => NoteKind::ChangedType,
                        _ => continue,
                    };
                    self.note(at, kind);
                }
                self.blank(index, end);
                end
            }
            b"asm" | b"__asm__" | b"__asm" => self.assembly(index),
            b"__extension__" => self.replaced(index, ""),
            b"__thread" => {
                self.note(index, NoteKind::Thread);
                self.replaced(index, "")
            }
            b"_Alignas" | b"alignas" if self.text(index + 1) == b"(" => {
                let end = self.after_arguments(index);
                self.blank(index, end);
                end
            }
            b"_Static_assert" | b"static_assert" if self.text(index + 1) == b"(" => {
                let mut end = self.after_arguments(index);
                if self.text(end) == b";" {
                    end += 1;
                }
                self.blank(index, end);
                end
            }
            b"__int128" | b"__int128_t" => self.noted(index, NoteKind::Int128, "long"),
            b"__uint128_t" => self.noted(index, NoteKind::Int128, "unsigned"),
            b"_BitInt" => {
                let end = self.after_arguments(index);
                self.blank(index, end);
                self.noted(index, NoteKind::Int128, "long");
                end
            }
            b"__float128" | b"__float80" | b"__ibm128" => {
                self.noted(index, NoteKind::OtherFloat, "double")
            }
            b"__bf16" | b"__fp16" => self.noted(index, NoteKind::OtherFloat, "float"),
            b"__auto_type" => self.noted(index, NoteKind::AutoType, "int"),
            b"__alignof__" | b"__alignof" | b"_Alignof" | b"alignof"
                if self.text(index + 1) == b"(" =>
            {
                self.noted(index, NoteKind::AlignOf, "sizeof")
            }
            b"typeof_unqual" => self.replaced(index, "typeof"),
            b"__real__" | b"__imag__" | b"__real" | b"__imag" => {
                self.noted(index, NoteKind::ComplexPart, "+")
            }
            b"__label__" => {
                let mut end = index;
                while end < self.tokens.len() && self.text(end) != b";" {
                    end += 1;
                }
                self.blank(index, end + 1);
                end + 1
            }
            b"goto" if self.text(index + 1) == b"*" => {
                self.noted(index, NoteKind::ComputedGoto, "")
            }
            b"__builtin_types_compatible_p"
            | b"__builtin_bit_cast"
            | b"__builtin_has_attribute"
            | b"__builtin_convertvector"
                if self.text(index + 1) == b"(" =>
            {
                let end = self.after_arguments(index);
                self.blank(index + 2, end - 1);
                end
            }
            word if word.contains(&b'$') => {
                let range = self.tokens[index].start..self.tokens[index].end;
                for byte in &mut self.out[range] {
                    if *byte == b'$' {
                        *byte = b'_';
                    }
                }
                index + 1
            }
            _ => index + 1,
        }
    }

    fn replaced(&mut self, index: usize, text: &str) -> usize {
        self.overwrite(index, text);
        index + 1
    }

    fn noted(&mut self, index: usize, kind: NoteKind, text: &str) -> usize {
        self.note(index, kind);
        self.replaced(index, text)
    }

    fn assembly(&mut self, index: usize) -> usize {
        let mut end = index + 1;
        while matches!(
            self.text(end),
            b"volatile"
                | b"__volatile__"
                | b"__volatile"
                | b"inline"
                | b"__inline__"
                | b"__inline"
                | b"goto"
        ) {
            end += 1;
        }
        if self.text(end) == b"(" {
            end = self.after_brackets(end);
        }
        // A label of a declaration follows a declarator; everything else is a statement.
        let label = index > 0 && !matches!(self.text(index - 1), b";" | b"{" | b"}" | b":");
        let control = index > 0 && matches!(self.text(index - 1), b"else" | b"do");
        if !label || control || self.closes_condition(index) {
            self.note(index, NoteKind::Assembly);
            if self.depth == 0 && self.text(end) == b";" {
                end += 1;
            }
        }
        self.blank(index, end);
        end
    }

    /// Whether the token before `index` is the `)` of `if (…)` and its like.
    fn closes_condition(&self, index: usize) -> bool {
        let mut depth = 0usize;
        for at in (0..index).rev() {
            match self.text(at) {
                b")" => depth += 1,
                b"(" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return at > 0
                            && matches!(self.text(at - 1), b"if" | b"while" | b"for" | b"switch");
                    }
                }
                _ if depth == 0 => return false,
                _ => {}
            }
        }
        false
    }

    /// Whether the token at `index` can end a value.
    fn ends_value(&self, index: usize) -> bool {
        let Some(token) = self.tokens.get(index) else {
            return false;
        };
        match token.kind {
            TokenKind::Word => !matches!(
                token.text(self.source),
                b"return" | b"case" | b"else" | b"do" | b"goto" | b"sizeof"
            ),
            TokenKind::Number | TokenKind::Text | TokenKind::Character => true,
            TokenKind::Operator => matches!(token.text(self.source), b")" | b"]" | b"++" | b"--"),
            TokenKind::Directive => false,
        }
    }

    fn operator(&mut self, index: usize) -> usize {
        match self.text(index) {
            b"{" => self.depth += 1,
            b"}" => self.depth = self.depth.saturating_sub(1),
            b"&&"
                if index > 0
                    && self
                        .tokens
                        .get(index + 1)
                        .is_some_and(|next| next.kind == TokenKind::Word)
                    && !self.ends_value(index - 1) =>
            {
                return self.noted(index, NoteKind::LabelAddress, "&");
            }
            b"?" if self.text(index + 1) == b":" => {
                let token = self.tokens[index];
                self.note(index, NoteKind::OmittedThen);
                self.blank(index, index + 2);
                self.out[token.start] = b'|';
                // The byte after `?` is either the `:` or a blank.
                self.out[token.start + 1] = b'|';
                return index + 2;
            }
            b"[" if self.text(index + 1) == b"["
                && self.tokens[index + 1].start == self.tokens[index].end =>
            {
                let end = self.after_brackets(index);
                self.blank(index, end);
                return end;
            }
            b"(" => self.empty_compound_literal(index),
            _ => {}
        }
        index + 1
    }

    /// `(T){}` → `(T)0`, where a value is expected.
    fn empty_compound_literal(&mut self, index: usize) {
        if index == 0 || self.ends_value(index - 1) {
            return;
        }
        if matches!(self.text(index - 1), b";" | b"{" | b"}") {
            return;
        }
        // Only short type names are looked at, so that nested parentheses stay cheap.
        let mut close = index + 1;
        while close < self.tokens.len() && close < index + 12 && self.text(close) != b")" {
            if matches!(self.text(close), b"(" | b";" | b"{") {
                return;
            }
            close += 1;
        }
        if self.text(close) == b")" && self.text(close + 1) == b"{" && self.text(close + 2) == b"}"
        {
            self.note(close + 1, NoteKind::EmptyBraces);
            self.overwrite(close + 1, "0");
            self.overwrite(close + 2, "");
        }
    }

    fn literal(&mut self, token: Token) {
        if token.kind == TokenKind::Character
            && self.source[token.start] == b'u'
            && self.source[token.start + 1] == b'8'
        {
            self.out[token.start..token.start + 2].fill(b' ');
        }
        let mut at = token.start;
        while at + 1 < token.end {
            if self.source[at] == b'\\' {
                if matches!(
                    self.source[at + 1],
                    b'e' | b'E' | b'u' | b'U' | b'c' | b'%' | b'(' | b'[' | b'{' | b'N'
                ) {
                    self.out[at + 1] = b'n';
                }
                at += 1;
            }
            at += 1;
        }
    }

    fn number(&mut self, token: Token) {
        let text = &self.source[token.start..token.end];
        if text.contains(&b'\'') {
            let digits: Vec<u8> = text.iter().copied().filter(|&byte| byte != b'\'').collect();
            self.out[token.start..token.end].fill(b' ');
            self.out[token.start..token.start + digits.len()].copy_from_slice(&digits);
        }
        if matches!(text.last(), Some(b'q' | b'Q' | b'w' | b'W')) {
            self.note_at(token.start, NoteKind::OtherFloat);
            self.out[token.end - 1] = b' ';
        }
    }

    fn note_at(&mut self, offset: usize, kind: NoteKind) {
        self.notes.push(Note { offset, kind });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalising_keeps_every_offset() {
        for text in [
            "struct __attribute__((packed)) S { int a; };",
            "int f(void) { return x ?: 3; }",
            "static void *t[] = {&&a};",
            "char *s = \"\\e[1m\u{e4}\";",
            "goto *p;",
        ] {
            assert_eq!(normalise(text).text.len(), text.len());
        }
        assert_eq!(normalise("a = x ?: 3;").text, "a = x || 3;");
        assert_eq!(normalise("a = x ? : 3;").text, "a = x ||  3;");
        assert_eq!(normalise("f((struct S){});").text, "f((struct S)0 );");
        assert_eq!(normalise("void f(int a){}").text, "void f(int a){}");
        assert_eq!(normalise("a && b").text, "a && b");
    }
}
