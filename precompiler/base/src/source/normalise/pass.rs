//! The token pass: one walk, each token is either kept, overwritten, or blanked together with what belongs to it.

use super::notes::{Note, NoteKind};
use crate::source::lexer::{Token, TokenKind, tokens};

/// The text for the parser.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Normalised {
    /// ASCII, as long as the preprocessed text.
    pub text: String,
    /// In the order of the text.
    pub notes: Vec<Note>,
}

/// Normalises a preprocessed text.
pub fn normalise(preprocessed: &str) -> Normalised {
    let mut pass = Pass::new(preprocessed.as_bytes());
    for index in 0..pass.tokens.len() {
        if !pass.gone[index] {
            pass.token(index);
        }
    }
    pass.label_ends();
    pass.finish()
}

/// No matching bracket.
const UNMATCHED: usize = usize::MAX;

/// The state of the walk. Positions are token numbers; `#` lines are blanked and not among them.
pub(super) struct Pass<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) out: Vec<u8>,
    pub(super) tokens: Vec<Token>,
    /// Token was blanked.
    pub(super) gone: Vec<bool>,
    /// The bracket that matches this one.
    partner: Vec<usize>,
    /// How many braces are open before the token.
    pub(super) depth: Vec<usize>,
    notes: Vec<Note>,
}

impl<'a> Pass<'a> {
    fn new(bytes: &'a [u8]) -> Pass<'a> {
        let (mut out, mut tokens) = (bytes.to_vec(), tokens(bytes));
        tokens.retain(|token| {
            let keep = token.kind != TokenKind::Directive;
            for byte in &mut out[token.start..token.end] {
                if !keep && *byte != b'\n' {
                    *byte = b' ';
                }
            }
            keep
        });
        let mut partner = vec![UNMATCHED; tokens.len()];
        let mut depth = Vec::with_capacity(tokens.len());
        let mut open: Vec<(usize, u8)> = Vec::new();
        let mut braces = 0usize;
        for (index, token) in tokens.iter().enumerate() {
            depth.push(braces);
            if token.kind != TokenKind::Operator || token.end - token.start != 1 {
                continue;
            }
            let byte = bytes[token.start];
            match byte {
                b'(' | b'[' | b'{' => {
                    open.push((index, byte));
                    braces += usize::from(byte == b'{');
                }
                b')' | b']' | b'}' => {
                    let opener = match byte {
                        b')' => b'(',
                        b']' => b'[',
                        _ => b'{',
                    };
                    if let Some(&(at, kind)) = open.last()
                        && kind == opener
                    {
                        open.pop();
                        partner[at] = index;
                        partner[index] = at;
                        braces = braces.saturating_sub(usize::from(byte == b'}'));
                    }
                }
                _ => {}
            }
        }
        Pass {
            bytes,
            out,
            gone: vec![false; tokens.len()],
            tokens,
            partner,
            depth,
            notes: Vec::new(),
        }
    }

    fn finish(mut self) -> Normalised {
        for byte in &mut self.out {
            if *byte >= 0x80 {
                *byte = b'_';
            } else if matches!(*byte, b'\r' | 0x0b | 0x0c | 0) {
                *byte = b' ';
            }
        }
        self.notes.sort_by_key(|note| note.offset);
        Normalised {
            text: String::from_utf8(self.out).unwrap_or_default(),
            notes: self.notes,
        }
    }

    pub(super) fn text(&self, index: usize) -> &'a [u8] {
        self.tokens[index].text(self.bytes)
    }

    /// Whether there is such a token and it reads so.
    pub(super) fn is(&self, index: usize, text: &str) -> bool {
        index < self.tokens.len() && self.text(index) == text.as_bytes()
    }

    pub(super) fn kind(&self, index: usize) -> Option<TokenKind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    /// The last token before this one that was not blanked.
    pub(super) fn before(&self, index: usize) -> Option<usize> {
        (0..index).rev().find(|&at| !self.gone[at])
    }

    /// The bracket that closes the one at `index`, when it is `open`.
    pub(super) fn close(&self, index: usize, open: &str) -> Option<usize> {
        (self.is(index, open) && self.partner[index] != UNMATCHED).then(|| self.partner[index])
    }

    /// The bracket that opens the one at `index`.
    pub(super) fn open(&self, index: usize) -> Option<usize> {
        (self.partner[index] != UNMATCHED).then(|| self.partner[index])
    }

    /// The `;` that ends what begins at `index`, at the same level of brackets.
    pub(super) fn semicolon(&self, index: usize) -> Option<usize> {
        let mut at = index;
        while at < self.tokens.len() {
            match self.text(at) {
                b";" => return Some(at),
                b")" | b"]" | b"}" => return None,
                b"(" | b"[" | b"{" => at = self.open(at)? + 1,
                _ => at += 1,
            }
        }
        None
    }

    /// Blanks tokens `first` to `last`; line ends stay.
    pub(super) fn blank(&mut self, first: usize, last: usize) {
        for index in first..=last {
            self.gone[index] = true;
            self.overwrite(index, b"");
        }
    }

    /// Writes something shorter in the place of a token. Line ends in a token stay.
    pub(super) fn overwrite(&mut self, index: usize, text: &[u8]) {
        let token = self.tokens[index];
        let mut new = text.iter();
        for at in token.start..token.end {
            if self.bytes[at] != b'\n' {
                self.out[at] = new.next().copied().unwrap_or(b' ');
            }
        }
    }

    /// Notes what the token at `index` was.
    pub(super) fn note(&mut self, index: usize, kind: NoteKind) {
        self.notes.push(Note {
            offset: self.tokens[index].start,
            kind,
        });
    }

    pub(super) fn is_blank(&self, at: usize) -> bool {
        matches!(self.bytes.get(at), Some(b' ' | b'\t'))
    }
}
