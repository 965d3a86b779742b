//! A number of what a program says: another one when a constant, an operator, a name has changed.
//!
//! In: the preprocessed text. Out: a hash of its tokens, without those of the system's headers. Comments, white space, lines that
//! moved, the names of files and the day of the build make no difference: what `__LINE__`, `__FILE__`, `__DATE__` and `__TIME__`
//! (and with them `assert`) stand for is left out. So are directives, which a restart compares by itself.
//!
//! ```text
//! double r = 0.25; /* stable */   the same as   double r = 0.25;   and not as   double r = 0.2;
//! ```

use super::file::SourceFile;
use super::lexer::{Token, TokenKind, tokens};
use super::position::Span;

/// A macro with several lines of arguments has its line number behind its first line.
const LINES: usize = 8;

impl SourceFile {
    /// The number of what the file says.
    pub fn number(&self) -> u64 {
        let bytes = self.preprocessed.as_bytes();
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        let mut lines = self.markers.lines.iter().peekable();
        let mut is_of_system = false;
        for token in tokens(bytes) {
            while let Some(line) = lines.next_if(|line| line.start <= token.start) {
                is_of_system = self.markers.system.contains(&line.file);
            }
            if token.kind == TokenKind::Directive || is_of_system {
                continue;
            }
            if self.is_of_place_or_day(&token) || self.is_of_added_line(&token) {
                continue;
            }
            let text = token.text(bytes).iter().chain(b" ");
            hash = text.fold(hash, |hash, byte| {
                (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
            });
        }
        hash
    }

    /// Whether a token stands in a line that the user has not written.
    fn is_of_added_line(&self, token: &Token) -> bool {
        let place = || self.place(Span::new(token.start, token.end));
        !self.lines.is_plain() && place().is_some_and(|place| self.is_added(place.start))
    }

    /// Whether a token is where the text stands, or when it was compiled: macros alone write that.
    fn is_of_place_or_day(&self, token: &Token) -> bool {
        let is_verbatim = || {
            let span = Span::new(token.start, token.end);
            self.place(span).is_some() && !self.touched_by_macro(span)
        };
        let text = &self.preprocessed[token.start..token.end];
        match token.kind {
            TokenKind::Number => {
                let line = self
                    .origin(token.start)
                    .map_or(0, |origin| origin.line as usize);
                let number: Option<usize> = text.parse().ok();
                let near = line.saturating_sub(1)..=line + LINES;
                number.is_some_and(|number| near.contains(&number)) && !is_verbatim()
            }
            TokenKind::Text => {
                let inner = text.trim_matches('"');
                (self.is_name_of_file(inner) || is_day(inner) || is_time(inner)) && !is_verbatim()
            }
            _ => false,
        }
    }
}

/// `Nov 23 2026`, also with more around it.
fn is_day(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_number = |word: &str| word.bytes().all(|one| one.is_ascii_digit());
    words.len() >= 3
        && words
            .windows(2)
            .any(|pair| pair[0].len() == 3 && is_number(pair[1]))
        && words.iter().any(|word| word.len() == 4 && is_number(word))
}

/// `04:58:00`.
fn is_time(text: &str) -> bool {
    let parts: Vec<&str> = text.split(':').collect();
    let is_number = |word: &&str| word.len() == 2 && word.bytes().all(|one| one.is_ascii_digit());
    parts.len() == 3 && parts.iter().all(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the preprocessor of a system writes it: a header of the system, one of the user, and the file.
    fn number(main: &str, header: &str, system: &str) -> u64 {
        let file = SourceFile::with_preprocessor("a.c", main.as_bytes().to_vec(), |text| {
            let text = String::from_utf8_lossy(text);
            format!(
                "# 1 \"a.c\"\n# 1 \"/usr/include/x.h\" 1 3\n{system}\n# 1 \"a.c\" 2\n# 1 \"h.h\" 1\n{header}\n# 1 \"a.c\" 2\n{text}"
            )
            .into_bytes()
        });
        file.number()
    }

    #[test]
    fn s21_constants_operators_and_names_count_and_their_looks_do_not() {
        let main = "double r = 0.25;\nint f(int a) { return a + 1; }\n";
        let same = number(main, "int h;", "int s;");
        for (main, header, system, is_same) in [
            (
                "/* what */ double  r\n= 0.25;\n\nint f(int a)\n{ return a + 1; }\n",
                "int h;",
                "int s;",
                true,
            ),
            (main, "int h; // now\n", "int s; int t;", true),
            (
                &main.replace("int f", "#pragma cccp init\nint f"),
                "int h;",
                "int s;",
                true,
            ),
            (&main.replace("0.25", "0.2"), "int h;", "int s;", false),
            (&main.replace("+", "-"), "int h;", "int s;", false),
            (main, "int h = 1;", "int s;", false),
        ] {
            assert_eq!(
                number(main, header, system) == same,
                is_same,
                "{main}{header}"
            );
        }
    }

    #[test]
    fn days_and_times_are_known() {
        assert!(
            is_day("Nov 23 2026") && is_day("Nov  3 2026") && is_day("Mon Nov 23 04:58:00 2026")
        );
        assert!(is_time("04:58:00"));
        assert!(!is_day("take 10 of 20") && !is_time("a:b:c") && !is_day("2026"));
    }
}
