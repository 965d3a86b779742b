//! What happens to keywords and other words.

use super::notes::NoteKind;
use super::pass::Pass;
use crate::source::lexer::{TokenKind, tokens};

/// Words with another word in their place.
const WORDS: &[(&str, &str, Option<NoteKind>)] = &[
    ("__int128", "long", Some(NoteKind::Int128)),
    ("__int128_t", "long", Some(NoteKind::Int128)),
    ("__uint128_t", "unsigned", Some(NoteKind::Int128)),
    ("__float128", "double", Some(NoteKind::Float128)),
    ("__float80", "double", Some(NoteKind::OtherFloat)),
    ("__ibm128", "double", Some(NoteKind::OtherFloat)),
    ("__bf16", "float", Some(NoteKind::OtherFloat)),
    ("__fp16", "float", Some(NoteKind::OtherFloat)),
    ("__auto_type", "int", Some(NoteKind::AutoType)),
    ("__alignof__", "sizeof", Some(NoteKind::AlignOf)),
    ("__alignof", "sizeof", Some(NoteKind::AlignOf)),
    ("_Alignof", "sizeof", Some(NoteKind::AlignOf)),
    ("__real__", "+", Some(NoteKind::ComplexPart)),
    ("__real", "+", Some(NoteKind::ComplexPart)),
    ("__imag__", "+", Some(NoteKind::ComplexPart)),
    ("__imag", "+", Some(NoteKind::ComplexPart)),
    ("__thread", "", Some(NoteKind::Thread)),
    ("thread_local", "", Some(NoteKind::Thread)),
    ("typeof_unqual", "typeof", None),
    ("__typeof_unqual__", "__typeof__", None),
    ("__typeof_unqual", "__typeof__", None),
    ("__extension__", "", None),
    ("_Nullable", "", None),
    ("_Nonnull", "", None),
    ("_Null_unspecified", "", None),
    ("__seg_fs", "", None),
    ("__seg_gs", "", None),
];

/// Words of attributes that change what a declaration means.
const ATTRIBUTES: &[(&str, NoteKind)] = &[
    ("cleanup", NoteKind::Cleanup),
    ("packed", NoteKind::Packed),
    ("always_inline", NoteKind::Copied),
    ("gnu_inline", NoteKind::Copied),
    ("target_clones", NoteKind::Copied),
    ("simd", NoteKind::Copied),
    ("const", NoteKind::WithoutEffects),
    ("pure", NoteKind::WithoutEffects),
    ("vector_size", NoteKind::Vector),
    ("ext_vector_type", NoteKind::Vector),
    ("mode", NoteKind::ChangedType),
];

impl Pass<'_> {
    pub(super) fn token(&mut self, index: usize) {
        match self.tokens[index].kind {
            TokenKind::Word => self.word(index),
            TokenKind::Number => self.number(index),
            TokenKind::Text => self.literal(index, false),
            TokenKind::Character => self.literal(index, true),
            TokenKind::Operator => self.operator(index),
            TokenKind::Directive => {}
        }
    }

    fn word(&mut self, index: usize) {
        match self.text(index) {
            b"__attribute__" | b"__attribute" | b"__declspec" => self.attribute(index),
            b"_Alignas" | b"alignas" => {
                if let Some(close) = self.close(index + 1, "(") {
                    self.blank(index, close);
                }
            }
            b"_BitInt" => {
                if let Some(close) = self.close(index + 1, "(") {
                    self.blank(index + 1, close);
                    self.note(index, NoteKind::BitInt);
                    self.overwrite(index, b"long");
                }
            }
            b"_Static_assert" | b"static_assert" => self.static_assertion(index),
            b"asm" | b"__asm" | b"__asm__" => self.assembly(index),
            b"__label__" => {
                if let Some(end) = self.semicolon(index) {
                    self.blank(index, end);
                }
            }
            b"goto" if self.is(index + 1, "*") => {
                self.note(index, NoteKind::ComputedGoto);
                self.blank(index, index);
            }
            b"alignof" if self.is(index + 1, "(") => {
                self.note(index, NoteKind::AlignOf);
                self.overwrite(index, b"sizeof");
            }
            b"__builtin_types_compatible_p"
            | b"__builtin_has_attribute"
            | b"__builtin_bit_cast"
            | b"__builtin_convertvector" => self.type_arguments(index),
            text => match WORDS.iter().find(|(old, ..)| text == old.as_bytes()) {
                Some((_, new, note)) => {
                    if let Some(note) = note {
                        self.note(index, *note);
                    }
                    self.gone[index] = new.is_empty();
                    self.overwrite(index, new.as_bytes());
                }
                None => self.identifier(index),
            },
        }
    }

    /// `$` and universal character names in an identifier; what is declared without a type.
    fn identifier(&mut self, index: usize) {
        let is_function = self.depth[index] == 0 && self.is_function_without_type(index);
        if is_function || self.is_declared_without_type(index) {
            self.put_int(index);
        }
        for at in self.tokens[index].start..self.tokens[index].end {
            if matches!(self.bytes[at], b'$' | b'\\') {
                self.out[at] = b'_';
            }
        }
    }

    /// Whether `main() {` or `f(a) char *a; {` begins here.
    fn is_function_without_type(&self, index: usize) -> bool {
        const NOT_NAMES: [&[u8]; 5] =
            [b"typeof", b"__typeof__", b"__typeof", b"_Atomic", b"sizeof"];
        let Some(close) = self.close(index + 1, "(") else {
            return false;
        };
        let first = self.first_specifier(index).unwrap_or(index);
        if NOT_NAMES.contains(&self.text(index)) || !self.begins(first) {
            return false;
        }
        let parameters = index + 2..close;
        let names = parameters
            .clone()
            .all(|at| self.kind(at) == Some(TokenKind::Word) || self.is(at, ","));
        let old_style = || {
            let mut at = close + 1;
            parameters.clone().any(|_| {
                at = self.semicolon(at).map_or(at, |end| end + 1);
                self.is(at, "{")
            })
        };
        self.is(close + 1, "{")
            || names && self.kind(close + 1) == Some(TokenKind::Word) && old_style()
    }

    /// The first of the words `static`, `const`, … before a name.
    fn first_specifier(&self, index: usize) -> Option<usize> {
        let is_specifier = |at: &usize| SPECIFIERS.contains(&self.text(*at));
        let mut first = self.before(index).filter(is_specifier)?;
        while let Some(at) = self.before(first).filter(is_specifier) {
            first = at;
        }
        Some(first)
    }

    /// Whether `static n;`, `register i = 0, k;` or `extern f();` names a variable or function here.
    fn is_declared_without_type(&self, index: usize) -> bool {
        let Some(first) = self.first_specifier(index) else {
            return false;
        };
        let Some(next) = AFTER_A_NAME
            .iter()
            .find(|next| index + 1 < self.tokens.len() && self.text(index + 1) == **next)
        else {
            return false;
        };
        let begins = match self.before(first).map(|at| self.text(at)) {
            // A parameter or a cast may be of a type with this name.
            Some(b"(") => *next == b"=",
            Some(b")") => self.depth[index] == 0,
            None | Some(b";" | b"{" | b"}" | b":") => true,
            _ => false,
        };
        // `static type (*name)(…);`, `static type (name);`
        let declares = *next != b"("
            || self.is(index + 2, ")")
            || self.kind(index + 2) == Some(TokenKind::Word) && !self.is(index + 3, ")");
        begins && declares
    }

    /// Puts `int` into the white space before a name, where there is enough.
    fn put_int(&mut self, index: usize) {
        let start = self.tokens[index].start;
        let from = self.before(index).map_or(0, |at| self.tokens[at].end);
        if start >= from + 4
            && self.out[start - 4..start]
                .iter()
                .all(u8::is_ascii_whitespace)
        {
            self.out[start - 4..start].copy_from_slice(b"int ");
        }
    }

    /// Whether a declaration of the file begins here: after another one or after a function.
    fn begins(&self, index: usize) -> bool {
        self.before(index).is_none_or(|at| match self.text(at) {
            b";" => true,
            b"}" => self
                .open(at)
                .and_then(|open| self.before(open))
                .is_some_and(|head| matches!(self.text(head), b")" | b";")),
            _ => false,
        })
    }

    fn attribute(&mut self, index: usize) {
        let Some(close) = self.close(index + 1, "(") else {
            return;
        };
        for at in index..close {
            let text = self.text(at);
            let name = text
                .strip_prefix(b"__")
                .and_then(|name| name.strip_suffix(b"__"))
                .unwrap_or(text);
            if let Some((_, kind)) = ATTRIBUTES.iter().find(|(word, _)| name == word.as_bytes()) {
                self.note(at, *kind);
            }
        }
        self.blank(index, close);
    }

    /// Whether a statement or declaration may begin at `index`.
    fn begins_statement(&self, index: usize) -> bool {
        self.before(index).is_none_or(|at| {
            matches!(self.text(at), b";" | b"{" | b"}" | b":" | b"else" | b"do")
                || self.is(at, ")") && self.closes_condition(at)
        })
    }

    /// The `)` of `if (…)` and its like.
    fn closes_condition(&self, index: usize) -> bool {
        self.open(index)
            .and_then(|open| self.before(open))
            .is_some_and(|head| matches!(self.text(head), b"if" | b"while" | b"for" | b"switch"))
    }

    fn static_assertion(&mut self, index: usize) {
        if let Some(close) = self.close(index + 1, "(")
            && self.is(close + 1, ";")
            && self.begins_statement(index)
        {
            self.blank(index, close + 1);
        }
    }

    /// A statement becomes an expression in parentheses, `("template", "=r"(x), "memory")`; assembly at file scope and in
    /// declarators leaves nothing.
    fn assembly(&mut self, index: usize) {
        let mut open = index + 1;
        while self.kind(open) == Some(TokenKind::Word) {
            open += 1;
        }
        let Some(close) = self.close(open, "(") else {
            return;
        };
        if !self.begins_statement(index) {
            return self.blank(index, close);
        }
        self.note(index, NoteKind::Assembly);
        if self.depth[index] == 0 {
            let semicolon = usize::from(self.is(close + 1, ";"));
            return self.blank(index, close + semicolon);
        }
        self.blank(index, open - 1);
        let mut colon = None;
        let mut at = open + 1;
        while at < close {
            match self.text(at) {
                b":" => {
                    self.blank(at, at);
                    colon = Some(at);
                }
                // A name for the template: `[name] "r"(x)`.
                b"[" => match self.close(at, "[") {
                    Some(end) => {
                        self.blank(at, end);
                        at = end;
                    }
                    None => return,
                },
                _ => {
                    if let Some(colon) = colon.take() {
                        self.overwrite(colon, b",");
                    }
                    if let Some(end) = self.open(at).filter(|&end| end > at) {
                        at = end;
                    }
                }
            }
            at += 1;
        }
    }

    /// Builtins that take types: the arguments that are types go.
    fn type_arguments(&mut self, index: usize) {
        let Some(close) = self.close(index + 1, "(") else {
            return;
        };
        let mut comma = index + 2;
        while comma < close && !self.is(comma, ",") {
            comma = self.open(comma).filter(|&end| end > comma).unwrap_or(comma) + 1;
        }
        let (first, last) = match self.text(index) {
            b"__builtin_bit_cast" if comma < close => (index + 2, comma),
            b"__builtin_convertvector" if comma < close => (comma, close - 1),
            _ => (index + 2, close - 1),
        };
        if first <= last {
            self.blank(first, last);
        }
    }
}

/// What follows a name that is declared.
const AFTER_A_NAME: [&[u8]; 5] = [b"(", b";", b"=", b",", b"["];

/// Words that may begin a declaration and are no type.
const SPECIFIERS: [&[u8]; 8] = [
    b"static",
    b"extern",
    b"register",
    b"auto",
    b"const",
    b"volatile",
    b"inline",
    b"__inline",
];

/// A preprocessed text with room for `int` before a word that may be declared without a type: one at the beginning of a line with
/// `(` behind it, and one behind `static` and its like.
pub fn with_room_for_types(text: String) -> String {
    const ROOM: &str = "    ";
    let bytes = text.as_bytes();
    let tokens = tokens(bytes);
    let mut places = Vec::new();
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate() {
        if token.kind != TokenKind::Word {
            match token.text(bytes) {
                b"{" => depth += 1,
                b"}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            continue;
        }
        let next = tokens.get(index + 1).map(|next| next.text(bytes));
        if !next.is_some_and(|next| AFTER_A_NAME.contains(&next)) {
            continue;
        }
        let before = index.checked_sub(1).map(|at| &tokens[at]);
        let blank = &text[before.map_or(0, |before| before.end)..token.start];
        let begins_line =
            depth == 0 && next == Some(b"(") && (before.is_none() || blank.contains('\n'));
        if begins_line || before.is_some_and(|before| SPECIFIERS.contains(&before.text(bytes))) {
            places.push(token.start);
        }
    }
    if places.is_empty() {
        return text;
    }
    let mut wide = String::with_capacity(text.len() + places.len() * ROOM.len());
    let mut done = 0;
    for place in places {
        wide.push_str(&text[done..place]);
        wide.push_str(ROOM);
        done = place;
    }
    wide.push_str(&text[done..]);
    wide
}
