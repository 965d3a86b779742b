//! Blanks what included files declare and define and nobody mentions.
//!
//! mpi.h declares a thousand functions, a program calls twenty; immintrin.h defines six thousand inline ones. Parsing the others
//! is most of the parser's work and serves nothing. So two kinds of text in included files are overwritten by blanks when no word of
//! other text is their name: declarations of the plain form `… name(…);`, and definitions of functions that only this file can call,
//! `static` or `inline`. What such a function mentions counts when the function itself is mentioned.
//!
//! Mentioned is what is a word of the text as the compiler reads it: in attributes, assembly and pragmas, too. When unsure, the
//! text stays.

use rustc_hash::{FxHashMap, FxHashSet};

use super::lexer::{Token, TokenKind, in_word, tokens};
use super::markers::Markers;
use crate::solver::closure;

/// Names that somebody asks for without the user's text mentioning them.
const ALWAYS: [&str; 2] = ["MPI_Init", "omp_get_schedule"];

/// Words of a declaration by which a function runs, or gets another name, without being mentioned in another one.
const USED: &[&str] = &[
    "alias",
    "asm",
    "constructor",
    "destructor",
    "ifunc",
    "init_priority",
    "pragma",
    "retain",
    "section",
    "used",
    "weakref",
];

/// Whether a word of a declaration says that a function may run without being mentioned.
pub fn may_run_unmentioned(declaration: &str) -> bool {
    words(declaration).any(|word| USED.contains(&word.trim_matches('_')))
}

/// Everything in a text that may be a name.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let is_part = |at: usize| in_word(bytes[at]) || bytes[at] == b'\\';
    let mut at = 0;
    // By bytes: all that is not ASCII is a part of a name.
    std::iter::from_fn(move || {
        loop {
            while at < bytes.len() && !is_part(at) {
                at += 1;
            }
            let start = at;
            while at < bytes.len() && is_part(at) {
                at += 1;
            }
            match bytes.get(start) {
                None => return None,
                Some(first) if first.is_ascii_digit() => {}
                Some(_) => return Some(&text[start..at]),
            }
        }
    })
}

/// The words of a text that may be names there: what its strings say is for people, but where assembler text and attributes may stand.
pub fn names(text: &str) -> Vec<&str> {
    if may_run_unmentioned(text) {
        return words(text).collect();
    }
    let all = tokens(text.as_bytes()).into_iter();
    let literals = all.filter(|one| matches!(one.kind, TokenKind::Text | TokenKind::Character));
    let mut found = Vec::new();
    let mut start = 0;
    for literal in literals {
        found.extend(words(&text[start..literal.start]));
        start = literal.end;
    }
    found.extend(words(&text[start..]));
    found
}

/// Blanks them in a normalised text, which is as long as the preprocessed one. `also` are texts (directives) whose words count as
/// mentioned.
pub fn blank_unmentioned(text: &mut String, preprocessed: &str, markers: &Markers, also: &[&str]) {
    let mut bytes = std::mem::take(text).into_bytes();
    let all = tokens(&bytes);
    let segments = segments(&bytes, preprocessed, &all, markers);
    let read = |segment: &Segment| words(preprocessed.get(segment.range()).unwrap_or_default());
    let others = segments.iter().filter(|one| one.form == Form::Other);
    let also = also.iter().flat_map(|text| words(text));
    let first = ALWAYS.into_iter().chain(also).chain(others.flat_map(read));
    let named = |name: &usize| &preprocessed[all[*name].start..all[*name].end];
    let mut defined: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (number, segment) in segments.iter().enumerate() {
        if segment.form == Form::Definition {
            for name in segment.names.iter().map(named) {
                defined.entry(name).or_default().push(number);
            }
        }
    }
    let mentioned: FxHashSet<&str> = closure(first, |name, open| {
        let bodies = defined.get(name).into_iter().flatten();
        open.extend(bodies.flat_map(|&number| read(&segments[number])));
    })
    .collect();
    for segment in segments.iter().filter(|one| one.form != Form::Other) {
        if !segment
            .names
            .iter()
            .any(|name| mentioned.contains(named(name)))
        {
            for byte in &mut bytes[all[segment.first].start..segment.end] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
    }
    *text = String::from_utf8(bytes).unwrap_or_default();
}

/// What a piece of the text at file scope may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A plain prototype of an included file.
    Prototype,
    /// A function of an included file that only this file can call.
    Definition,
    Other,
}

/// A piece of the text at file scope, up to its `;` or `}`.
struct Segment {
    form: Form,
    /// Where the one before ends.
    start: usize,
    /// Number of its first token.
    first: usize,
    /// One past its last byte.
    end: usize,
    /// Words before a `(`, when it may be left out.
    names: Vec<usize>,
}

impl Segment {
    fn range(&self) -> std::ops::Range<usize> {
        self.start..self.end
    }
}

fn segments(bytes: &[u8], preprocessed: &str, all: &[Token], markers: &Markers) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    let mut first = 0;
    let (mut braces, mut parentheses) = (0usize, 0usize);
    let mut line = 0;
    let mut shape = Shape::default();
    for (index, token) in all.iter().enumerate() {
        while line + 1 < markers.lines.len() && markers.lines[line + 1].start <= token.start {
            line += 1;
        }
        shape.own |= markers.lines.get(line).is_none_or(|origin| origin.own);
        let text = token.text(bytes);
        let is_after = |text: &[u8]| index > first && all[index - 1].text(bytes) == text;
        let is_head = braces == 0;
        let mut ends = false;
        match text {
            b"{" => {
                if is_head && shape.body.is_none() {
                    shape.body = Some(token.start).filter(|_| is_after(b")"));
                    shape.other |= shape.body.is_none();
                }
                braces += 1;
            }
            b"}" => {
                braces = braces.saturating_sub(1);
                // The body of a function, or of a struct whose declarators follow on the same line.
                let breaks = all
                    .get(index + 1)
                    .is_none_or(|next| bytes[token.end..next.start].contains(&b'\n'));
                ends = braces == 0 && parentheses == 0 && (breaks || shape.body.is_some());
            }
            b"(" | b"[" => {
                let word = index
                    .checked_sub(1)
                    .filter(|&before| before >= first && all[before].kind == TokenKind::Word);
                if let (Some(word), b"(", true) = (word, text, is_head) {
                    shape.names.push(word);
                }
                parentheses += 1;
            }
            b")" | b"]" => parentheses = parentheses.saturating_sub(1),
            b"," | b"=" | b":" if parentheses == 0 && is_head => shape.other = true,
            b";" => ends = braces == 0 && parentheses == 0,
            b"typedef" | b"typeof" | b"__typeof__" | b"__typeof" | b"_Atomic" if is_head => {
                shape.other = true;
            }
            b"static" if is_head => shape.is_static = true,
            b"extern" if is_head => shape.is_extern = true,
            b"inline" | b"__inline" | b"__inline__" if is_head => shape.is_inline = true,
            _ => {}
        }
        if ends || index + 1 == all.len() {
            let start = segments.last().map_or(0, |one| one.end);
            let head = start..shape.body.unwrap_or(token.end);
            let head = preprocessed.get(head).unwrap_or_default();
            let is_alone = !shape.other && !shape.own && !shape.names.is_empty();
            let form = match text {
                b";" if is_alone && shape.body.is_none() && is_after(b")") => Form::Prototype,
                b"}" if is_alone && shape.body.is_some() && shape.is_local(head) => {
                    Form::Definition
                }
                _ => Form::Other,
            };
            segments.push(Segment {
                form,
                start,
                first,
                end: token.end,
                names: std::mem::take(&mut shape.names),
            });
            first = index + 1;
            shape = Shape::default();
        }
    }
    segments
}

#[derive(Default)]
struct Shape {
    own: bool,
    other: bool,
    is_static: bool,
    is_extern: bool,
    is_inline: bool,
    /// Where the body of a function begins.
    body: Option<usize>,
    names: Vec<usize>,
}

impl Shape {
    /// Whether a function that begins so can be called by this file alone, and by those who name it. `extern inline` is a definition
    /// for all files in C99, and for none with `gnu_inline`.
    fn is_local(&self, head: &str) -> bool {
        let for_all =
            self.is_extern && !words(head).any(|word| word.trim_matches('_') == "gnu_inline");
        (self.is_static || self.is_inline && !for_all) && !may_run_unmentioned(head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::markers::read_markers;
    use crate::source::normalise::normalise;

    #[test]
    fn words_in_strings_are_no_names_but_beside_assembler_and_attributes() {
        let text = "{ puts(\"call start() \\\" first\"); int c = 'x'; run(); }";
        assert_eq!(names(text), ["puts", "int", "c", "run"]);
        let text = "{ __asm__(\"call start\"); }";
        assert!(names(text).contains(&"start"));
        let text = "int f(void) __attribute__((alias(\"start\")));";
        assert!(names(text).contains(&"start"));
    }

    #[test]
    fn what_included_files_declare_and_define_and_nobody_mentions_is_blanked() {
        let mut text = "# 1 \"a.c\"\n# 1 \"h.h\" 1\nint unused(int a);\nint used(void);\nint (*hook)(int);\n\
                        int x, f(int);\nint helper(int);\nstatic inline int g(void) { return helper(1); }\n\
                        static int h(int a) { return g() + a; }\nstatic void early(void) __attribute__((constructor)) { }\n\
                        extern inline int shared(void) { return 1; }\nint all(void) { return helper(2); }\n\
                        extern inline __attribute__((gnu_inline)) int mine_only(void) { if (1) { return lost(); } }\nint lost(void);\n\
                        int old(a) int a;\n{ return a; }\ntypedef int (t)(int);\n# 2 \"a.c\" 2\nint mine(int);\n\
                        int main(void) { return used(); }\n"
            .to_string();
        let markers = read_markers(&mut text, "a.c");
        let length = text.len();
        let preprocessed = text.clone();
        let mut text = normalise(&preprocessed).text;
        blank_unmentioned(&mut text, &preprocessed, &markers, &["directive(named)"]);
        assert_eq!(text.len(), length);
        for blanked in ["unused", "g(void)", "h(int", "mine_only", "lost"] {
            assert!(!text.contains(blanked), "{blanked}");
        }
        for kept in [
            "used(void)",
            "hook",
            "x, f",
            "helper(int)",
            "old(a)",
            "typedef",
            "mine(int)",
            "early(void)",
            "shared(void)",
            "all(void)",
        ] {
            assert!(text.contains(kept), "{kept}");
        }
    }
}
