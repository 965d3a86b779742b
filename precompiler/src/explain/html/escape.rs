//! Text that may stand in a page, whatever is in it.

/// The text with everything escaped that means something in HTML, inside of quotes as well. Control characters, which
/// no page may hold, become the sign for what cannot be shown.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            '\r' | '\u{c}' => out.push(' '),
            c if is_hidden(c) => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A sentence: what stands between two backquotes is code.
pub fn sentence(text: &str) -> String {
    let mut out = String::new();
    let mut parts = text.split('`').peekable();
    let mut code = false;
    while let Some(part) = parts.next() {
        match (code, parts.peek().is_some()) {
            (true, true) => out += &format!("<code>{}</code>", escaped(part)),
            // A backquote without a second one.
            (true, false) => out += &format!("`{}", escaped(part)),
            (false, _) => out += &escaped(part),
        }
        code = !code;
    }
    out
}

/// Control characters, and those that turn the direction of the text around: they make source look like what it is not.
fn is_hidden(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_the_text() {
        assert_eq!(
            escaped("</script><b a=\"x\" b='y'>&amp;"),
            "&lt;/script&gt;&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;"
        );
        assert_eq!(sentence("a `<b>` c` d"), "a <code>&lt;b&gt;</code> c` d");
        assert_eq!(escaped("a\0b\u{202e}c"), "a\u{fffd}b\u{fffd}c");
    }
}
