//! Preprocessed text on one line: line markers, line ends and runs of blanks are gone, literals stay as they are.
//!
//! Moved text must not bring line ends with it, or every later line of the user's file would move.

/// `text` on one line. Lines that begin with `#` (markers of the preprocessor) are dropped.
pub fn flatten(text: &str) -> String {
    let mut flat = String::with_capacity(text.len());
    let mut literal: Option<char> = None;
    let mut escaped = false;
    let mut at_line_start = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if let Some(quote) = literal {
            flat.push(character);
            if escaped {
                escaped = false;
            } else if character == '\\' {
                escaped = true;
            } else if character == quote {
                literal = None;
            }
            continue;
        }
        if at_line_start && character == '#' {
            while characters.next_if(|&next| next != '\n').is_some() {}
            continue;
        }
        match character {
            '\n' | '\r' | ' ' | '\t' | '\x0b' | '\x0c' => {
                if character == '\n' {
                    at_line_start = true;
                }
                if !flat.ends_with(' ') && !flat.is_empty() {
                    flat.push(' ');
                }
            }
            _ => {
                at_line_start = false;
                if character == '"' || character == '\'' {
                    literal = Some(character);
                }
                flat.push(character);
            }
        }
    }
    flat.trim().to_string()
}

/// Whether the text contains a `#pragma` line of somebody else, which cannot be moved onto one line.
pub fn has_foreign_pragma(text: &str) -> bool {
    text.lines().any(|line| {
        line.trim_start()
            .strip_prefix('#')
            .is_some_and(|rest| rest.trim_start().starts_with("pragma"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_and_line_ends_go_and_literals_stay() {
        assert_eq!(
            flatten("f(a,\n# 12 \"x.c\" 3 4\n   \"b  #\\\" c\")"),
            "f(a, \"b  #\\\" c\")"
        );
        assert_eq!(flatten("  '\"'  +\t1 "), "'\"' + 1");
    }

    #[test]
    fn a_foreign_pragma_is_seen() {
        assert!(has_foreign_pragma("x;\n#pragma omp parallel\ny;"));
        assert!(!has_foreign_pragma("x;\n# 3 \"a.c\"\n"));
    }
}
