//! Expands simple macros, to learn how many tokens an invocation became.
//!
//! Only what needs no subtlety: no `, ## __VA_ARGS__`, no variadic tricks, no recursion beyond a depth. The result is compared
//! with what the preprocessor really made, so a mistake here costs precision, never correctness. Blanks are not known here: texts
//! that `#` makes are compared without them (`is_like`).

use super::lexer::{Token, TokenKind, tokens};
use super::markers::Markers;

const DEPTH: usize = 12;
const LENGTH: usize = 4000;
/// Before a macro's name that came out of its own expansion: it is never expanded any more.
const FINAL: u8 = 1;

/// Expands invocations with the macros of a file.
pub struct Expander<'a> {
    markers: &'a Markers,
}

impl<'a> Expander<'a> {
    /// An expander for these macros.
    pub fn new(markers: &'a Markers) -> Expander<'a> {
        Expander { markers }
    }

    /// The tokens that `written` expands to at `offset`; `None` when it is not simple.
    pub fn expand(&self, written: &[&[u8]], offset: usize) -> Option<Vec<Vec<u8>>> {
        let written: Vec<Vec<u8>> = written.iter().map(|token| token.to_vec()).collect();
        let mut expanded = self.rescan(written, offset, &mut Vec::new())?;
        for token in &mut expanded {
            token.retain(|byte| *byte != FINAL);
        }
        Some(expanded)
    }

    fn rescan(
        &self,
        input: Vec<Vec<u8>>,
        offset: usize,
        active: &mut Vec<String>,
    ) -> Option<Vec<Vec<u8>>> {
        if active.len() > DEPTH || input.len() > LENGTH {
            return None;
        }
        let mut output = Vec::new();
        let mut at = 0;
        while at < input.len() {
            let name = std::str::from_utf8(&input[at]).ok()?;
            let Some(found) = self
                .markers
                .macro_at(name, offset)
                .filter(|_| !active.iter().any(|n| n == name))
            else {
                if self.markers.macro_at(name, offset).is_none()
                    && self.markers.is_macro(name, offset)
                {
                    return None;
                }
                let is_final = self.markers.macro_at(name, offset).is_some();
                let mark = is_final.then_some(FINAL);
                output.push(mark.into_iter().chain(input[at].iter().copied()).collect());
                at += 1;
                continue;
            };
            let body = body_tokens(&found.body)?;
            let (replacement, after) = match &found.parameters {
                None => {
                    let none = (&[][..], false);
                    (self.substitute(&body, &[], none, offset, active)?, at + 1)
                }
                Some(_) if input.get(at + 1).map(Vec::as_slice) != Some(b"(") => {
                    // Whether it is one depends on what follows the invocation.
                    if at + 1 == input.len() && at > 0 {
                        return None;
                    }
                    output.push(input[at].clone());
                    at += 1;
                    continue;
                }
                Some(parameters) => {
                    let (arguments, after) =
                        split_arguments(&input, at + 1, parameters.len(), found.variadic)?;
                    let replacement = self.substitute(
                        &body,
                        parameters,
                        (&arguments, found.variadic),
                        offset,
                        active,
                    )?;
                    (replacement, after)
                }
            };
            active.push(name.to_string());
            let expanded = self.rescan(replacement, offset, active);
            active.pop();
            output.extend(expanded?);
            at = after;
        }
        Some(output)
    }

    /// A body with the arguments in it: as a text behind `#`, as they are written beside `##`, and expanded elsewhere (C11 6.10.3).
    fn substitute(
        &self,
        body: &[Vec<u8>],
        parameters: &[String],
        (arguments, is_variadic): (&[Vec<Vec<u8>>], bool),
        offset: usize,
        active: &mut Vec<String>,
    ) -> Option<Vec<Vec<u8>>> {
        let is = |at: usize, word: &[u8]| body.get(at).is_some_and(|token| token == word);
        let position = |at: usize| {
            let token = body.get(at)?;
            parameters.iter().position(|one| one.as_bytes() == token)
        };
        let mut made: Vec<Vec<u8>> = Vec::new();
        let mut at = 0;
        // What stands before `##`, to be joined with what comes; empty where an argument is.
        let mut left: Option<Option<Vec<u8>>> = None;
        while at < body.len() {
            let is_joined = left.is_some() || is(at + 1, b"##");
            let mut next = match position(at) {
                _ if is(at, b"#") && !parameters.is_empty() => {
                    at += 1;
                    vec![text_of(arguments.get(position(at)?)?)]
                }
                Some(own) => {
                    let argument = arguments.get(own)?.clone();
                    if is_joined && is_variadic && own + 1 == parameters.len() {
                        return None;
                    }
                    match is_joined {
                        true => argument,
                        false => self.rescan(argument, offset, active)?,
                    }
                }
                None => vec![body[at].clone()],
            };
            at += 1;
            if let Some(first) = left.take() {
                let joined = match (first, next.is_empty()) {
                    (Some(first), false) => Some([plain(&first), plain(&next.remove(0))].concat()),
                    (Some(first), true) => Some(first),
                    (None, _) => None,
                };
                next.splice(0..0, joined);
            }
            if is(at, b"##") {
                left = Some(next.pop());
                at += 1;
            }
            made.append(&mut next);
        }
        left.is_none().then_some(made)
    }
}

/// A token without the mark that it is not expanded any more.
fn plain(token: &[u8]) -> Vec<u8> {
    let bytes = token.iter().copied();
    bytes.filter(|byte| *byte != FINAL).collect()
}

/// The text that `#` makes of an argument, without blanks between its words.
fn text_of(argument: &[Vec<u8>]) -> Vec<u8> {
    let mut text = vec![b'"'];
    for token in argument {
        let is_literal = token.contains(&b'"') || token.contains(&b'\'');
        for byte in plain(token) {
            if is_literal && matches!(byte, b'"' | b'\\') {
                text.push(b'\\');
            }
            text.push(byte);
        }
    }
    text.push(b'"');
    text
}

/// Whether a token is the one that was computed.
pub fn is_like(token: &[u8], computed: &[u8]) -> bool {
    let words = |text: &[u8]| -> Vec<u8> {
        let bytes = text.iter().copied();
        bytes.filter(|byte| *byte != b' ').collect()
    };
    token == computed || token.first() == Some(&b'"') && words(token) == words(computed)
}

/// The tokens of a body. `_Pragma("…")` makes a line of the preprocessor, which is no token.
fn body_tokens(body: &str) -> Option<Vec<Vec<u8>>> {
    // Behind a word, so that a `#` at its beginning is no line of the preprocessor.
    let body = format!("0 {body}");
    let bytes = body.as_bytes();
    let all = tokens(bytes);
    let mut left = Vec::new();
    let mut at = 1;
    while at < all.len() {
        let text = all[at].text(bytes);
        let is_operator =
            text == b"_Pragma" && all.get(at + 1).is_some_and(|t| t.text(bytes) == b"(");
        if is_operator {
            at = behind_parentheses(bytes, &all, at + 1)?;
            continue;
        }
        if all[at].kind == TokenKind::Directive {
            return None;
        }
        left.push(text.to_vec());
        at += 1;
    }
    Some(left)
}

/// The token behind the parenthesis that closes the one at `open`.
fn behind_parentheses(bytes: &[u8], all: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in all.iter().enumerate().skip(open) {
        match token.text(bytes) {
            b"(" => depth += 1,
            b")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// The arguments of an invocation whose `(` stands at `open`, and the position after its `)`.
fn split_arguments(
    input: &[Vec<u8>],
    open: usize,
    count: usize,
    variadic: bool,
) -> Option<(Vec<Vec<Vec<u8>>>, usize)> {
    let mut arguments = vec![Vec::new()];
    let mut depth = 0usize;
    for (at, token) in input.iter().enumerate().skip(open) {
        match token.as_slice() {
            b"(" => depth += 1,
            b")" => depth -= 1,
            b"," if depth == 1 && !(variadic && arguments.len() == count) => {
                arguments.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if depth == 0 {
            return Some((arguments, at + 1));
        }
        if at > open {
            arguments.last_mut()?.push(token.clone());
        }
    }
    None
}
