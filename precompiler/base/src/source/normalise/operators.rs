//! What happens to operators and brackets.

use super::notes::NoteKind;
use super::pass::Pass;
use crate::source::lexer::TokenKind;

/// Words that begin a declaration for sure.
const DECLARATION_WORDS: &[&str] = &[
    "int",
    "char",
    "void",
    "long",
    "short",
    "unsigned",
    "signed",
    "float",
    "double",
    "const",
    "volatile",
    "static",
    "struct",
    "union",
    "enum",
    "register",
    "auto",
    "extern",
    "typedef",
    "_Bool",
    "typeof",
    "__typeof__",
    "__typeof",
];

/// Operators whose operand may be a type in parentheses.
fn is_size_of(word: &[u8]) -> bool {
    matches!(
        word,
        b"sizeof" | b"_Alignof" | b"alignof" | b"__alignof__" | b"__alignof"
    )
}

impl Pass<'_> {
    pub(super) fn operator(&mut self, index: usize) {
        let token = self.tokens[index];
        match self.text(index) {
            b"[" if self.is(index + 1, "[") => {
                if let Some(close) = self.close(index, "[")
                    && self.open(index + 1) == Some(close - 1)
                {
                    self.blank(index, close);
                }
            }
            b"&&" if self.is_label_address(index) => {
                self.note(index, NoteKind::LabelAddress);
                self.out[token.start + 1] = b' ';
            }
            b"?" if self.is(index + 1, ":") => self.elvis(index),
            b"{" => {
                self.size_of_literal(index);
                if self.is(index + 1, "}") {
                    self.empty_braces(index);
                }
            }
            b":" => self.enum_type(index),
            b"..."
                if self.is(index + 1, ")")
                    && self.before(index).is_some_and(|at| self.is(at, "(")) =>
            {
                self.blank(index, index);
            }
            // The backslash of a universal character name in an identifier.
            b"\\" if matches!(self.bytes.get(token.end), Some(b'u' | b'U')) => {
                self.out[token.start] = b'_';
            }
            _ => {}
        }
    }

    /// `a ?: b` needs two bytes side by side: both signs, or one of them and a blank.
    fn elvis(&mut self, index: usize) {
        let (question, colon) = (self.tokens[index].start, self.tokens[index + 1].start);
        let pair = if colon == question + 1 || self.is_blank(question + 1) {
            question
        } else if question > 0 && self.is_blank(question - 1) {
            question - 1
        } else if self.is_blank(colon - 1) {
            colon - 1
        } else if self.is_blank(colon + 1) {
            colon
        } else {
            return;
        };
        self.note(index, NoteKind::OmittedThen);
        self.overwrite(index, b"");
        self.overwrite(index + 1, b"");
        self.out[pair..pair + 2].fill(b'|');
    }

    /// `sizeof (T){ … }` and what may follow, `.member` and the like: the parser takes `sizeof (T)` for all of it.
    fn size_of_literal(&mut self, index: usize) {
        let close = self.before(index).filter(|&at| self.is(at, ")"));
        let open = close.and_then(|at| self.open(at));
        if let Some(head) = open.and_then(|open| self.before(open))
            && is_size_of(self.text(head))
        {
            self.note(head, NoteKind::SizeOfLiteral);
            self.overwrite(head, b"+");
        }
    }

    /// `(T){}`, which is no function's body.
    fn empty_braces(&mut self, index: usize) {
        let Some(open) = self
            .before(index)
            .filter(|&at| self.is(at, ")"))
            .and_then(|at| self.open(at))
        else {
            return;
        };
        let Some(head) = self.before(open) else {
            return;
        };
        let text = self.text(head);
        let literal = match self.tokens[head].kind {
            TokenKind::Word => {
                is_size_of(text) || matches!(text, b"return" | b"case" | b"else" | b"do")
            }
            TokenKind::Operator => match text {
                b")" => self.depth[index] > 0,
                b"]" => false,
                _ => true,
            },
            _ => false,
        };
        if literal {
            self.note(index, NoteKind::EmptyBraces);
            self.overwrite(index, b"0");
            self.overwrite(index + 1, b"");
        }
    }

    /// `enum E : unsigned char { … }`.
    fn enum_type(&mut self, index: usize) {
        let is_enum = |at: Option<usize>| at.is_some_and(|at| self.is(at, "enum"));
        let tag = self.before(index);
        if !is_enum(tag) && !is_enum(tag.and_then(|tag| self.before(tag))) {
            return;
        }
        let mut end = index + 1;
        while self.kind(end) == Some(TokenKind::Word) {
            end += 1;
        }
        if end > index + 1 && (self.is(end, "{") || self.is(end, ";")) {
            self.blank(index, end - 1);
        }
    }

    /// A label before a declaration or before `}` gets an empty statement, when there is white space for it.
    pub(super) fn label_ends(&mut self) {
        let mut colon: Option<usize> = None;
        for index in 0..self.tokens.len() {
            if self.gone[index] {
                continue;
            }
            let text = self.text(index);
            if let Some(colon) = colon.take()
                && (text == b"}" || DECLARATION_WORDS.iter().any(|word| text == word.as_bytes()))
            {
                // The last white space, so that a directive in between stands before the empty statement.
                let range = self.tokens[colon].end..self.tokens[index].start;
                if let Some(at) = range.rev().find(|&at| self.out[at].is_ascii_whitespace()) {
                    self.out[at] = b';';
                }
            }
            if text == b":" {
                colon = Some(index);
            }
        }
    }

    /// `&&` before a label's name: nothing to its left that it could connect.
    fn is_label_address(&self, index: usize) -> bool {
        if self.kind(index + 1) != Some(TokenKind::Word) {
            return false;
        }
        let Some(left) = self.before(index) else {
            return true;
        };
        let text = self.text(left);
        match self.tokens[left].kind {
            TokenKind::Word => matches!(text, b"return" | b"case" | b"else" | b"do"),
            TokenKind::Operator if text == b")" => {
                self.is_label(index + 1) && self.looks_like_a_cast(left)
            }
            TokenKind::Operator => !matches!(text, b"]" | b"}" | b"++" | b"--"),
            _ => false,
        }
    }

    /// Some statement of the file has this label.
    fn is_label(&self, index: usize) -> bool {
        let name = self.text(index);
        (1..self.tokens.len()).any(|at| {
            self.text(at) == name
                && self.is(at + 1, ":")
                && matches!(self.text(at - 1), b";" | b"{" | b"}" | b":" | b")")
        })
    }

    /// `( … )` with a type in it, not the arguments of a call and not a value.
    fn looks_like_a_cast(&self, close: usize) -> bool {
        let Some(open) = self.open(close) else {
            return false;
        };
        let called = self.before(open).is_some_and(|at| {
            self.kind(at) == Some(TokenKind::Word) && !self.is(at, "return")
                || self.is(at, ")")
                || self.is(at, "]")
        });
        let inside = open + 1..close;
        let words = inside
            .clone()
            .all(|at| self.gone[at] || self.kind(at) == Some(TokenKind::Word) || self.is(at, "*"));
        let ends_with_star = self.is(close - 1, "*");
        let type_word = inside.into_iter().any(|at| {
            let text = self.text(at);
            text.ends_with(b"_t") || DECLARATION_WORDS.iter().any(|word| text == word.as_bytes())
        });
        !called && words && (ends_with_star || type_word)
    }
}
