//! Response files: `@FILE` stands for the words in it, split as the compiler splits them.

use std::path::Path;

/// So many files may name each other.
const DEPTH: usize = 16;

/// The words with those of response files in their places. A file that cannot be read stays as it is: the compiler says so.
pub fn expand(words: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    expand_into(words, DEPTH, &mut all);
    all
}

fn expand_into(words: &[String], depth: usize, all: &mut Vec<String>) {
    for word in words {
        let text = word
            .strip_prefix('@')
            .filter(|_| depth > 0)
            .and_then(|name| std::fs::read_to_string(Path::new(name)).ok());
        match text {
            Some(text) => expand_into(&split(&text), depth - 1, all),
            None => all.push(word.clone()),
        }
    }
}

/// White space separates; quotes hold together; a backslash takes the next character as it is.
fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(one) = characters.next() {
        match one {
            '\\' => word.get_or_insert_default().extend(characters.next()),
            one if quote == Some(one) => quote = None,
            '"' | '\'' if quote.is_none() => {
                quote = Some(one);
                word.get_or_insert_default();
            }
            one if one.is_whitespace() && quote.is_none() => words.extend(word.take()),
            one => word.get_or_insert_default().push(one),
        }
    }
    words.extend(word);
    words
}

/// The text of a response file with these words.
pub fn text(words: &[String]) -> String {
    let mut text = String::new();
    for word in words {
        text.push('"');
        for one in word.chars() {
            if matches!(one, '"' | '\\') {
                text.push('\\');
            }
            text.push(one);
        }
        text.push_str("\"\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_the_compiler_splits_them() {
        let words = split("-DA=\"x y\" 'b c'\\ d\n\"\" e\\\\f");
        assert_eq!(words, ["-DA=x y", "b c d", "", "e\\f"]);
        assert_eq!(split(&text(&words)), words);
    }
}
