//! C text in colours: comments, strings, numbers, keywords, directives of the preprocessor.
//!
//! A scanner that knows how long a token is and nothing else; what it takes wrongly is shown in another colour.

use super::escape::escaped;

const KEYWORDS: [&str; 40] = [
    "auto", "bool", "break", "case", "char", "complex", "const", "continue", "default", "do",
    "double", "else", "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long",
    "register", "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch",
    "typedef", "typeof", "union", "unsigned", "void", "volatile", "while", "_Bool", "_Complex",
    "_Atomic",
];

/// The lines of a text as HTML, each complete in itself.
pub fn lines(text: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut rest = text;
    let mut fresh = true;
    while let Some(first) = rest.chars().next() {
        let (length, class) = token(rest, first, fresh);
        let (own, after) = rest.split_at(length);
        rest = after;
        fresh = if own.contains('\n') {
            class.is_empty() && own.ends_with('\n')
        } else {
            fresh && own.trim().is_empty()
        };
        for (number, part) in own.split('\n').enumerate() {
            if number > 0 {
                out.push(String::new());
            }
            let part = part.strip_suffix('\r').unwrap_or(part);
            if part.is_empty() {
                continue;
            }
            if let Some(line) = out.last_mut() {
                if class.is_empty() {
                    line.push_str(&escaped(part));
                } else {
                    line.push_str(&format!("<i class={class}>{}</i>", escaped(part)));
                }
            }
        }
    }
    if out.last().is_some_and(String::is_empty) && out.len() > 1 {
        out.pop();
    }
    out
}

/// How long the token at the start is, and its class. `fresh`: only white space stands before it on its line.
fn token(rest: &str, first: char, fresh: bool) -> (usize, &'static str) {
    let until = |end: &dyn Fn(char) -> bool| rest.find(end).unwrap_or(rest.len());
    let word = |c: char| c.is_alphanumeric() || c == '_';
    if rest.starts_with("//") {
        return (until(&|c| c == '\n'), "c");
    }
    if let Some(comment) = rest.strip_prefix("/*") {
        let end = comment.find("*/").map_or(rest.len(), |at| at + 4);
        return (end, "c");
    }
    match first {
        '#' if fresh => (directive(rest), "d"),
        '"' | '\'' => (literal(rest, first), "s"),
        c if c.is_ascii_digit() => (until(&|c| !word(c) && c != '.'), "n"),
        c if word(c) => {
            let length = until(&|c| !word(c));
            let class = if KEYWORDS.contains(&&rest[..length]) {
                "k"
            } else {
                ""
            };
            (length, class)
        }
        c => (c.len_utf8(), ""),
    }
}

/// A directive ends with its line, or before a comment; a backslash takes it on to the next line.
fn directive(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\n' if at > 0 && bytes[at - 1] == b'\\' => {}
            b'\n' => return at,
            b'/' if matches!(bytes.get(at + 1), Some(b'*' | b'/')) => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

/// A literal ends with its quote, or with the line.
fn literal(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' if !escaped => return at,
            c if c == quote && !escaped => return at + 1,
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_complete_in_itself() {
        let text = "/* a\n b */ int x = 'c'; // <d>\n#define A \"1\" \\\n  2\n";
        assert_eq!(
            lines(text),
            [
                "<i class=c>/* a</i>",
                "<i class=c> b */</i> <i class=k>int</i> x = <i class=s>&#39;c&#39;</i>; <i class=c>// &lt;d&gt;</i>",
                "<i class=d>#define A &quot;1&quot; \\</i>",
                "<i class=d>  2</i>",
            ]
        );
    }

    #[test]
    fn what_never_ends_ends_with_the_text() {
        assert_eq!(lines("\"open\nx"), ["<i class=s>&quot;open</i>", "x"]);
        assert_eq!(lines("/*"), ["<i class=c>/*</i>"]);
        assert_eq!(lines("'\\"), ["<i class=s>&#39;\\</i>"]);
        assert_eq!(lines("é\u{301}#"), ["é\u{301}#"]);
        assert!(lines("").iter().all(String::is_empty));
    }
}
