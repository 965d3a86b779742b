//! The source text of the project, and the same without comments, literals and unit tests.
//!
//! A small scanner, not a parser: it knows comments, strings, raw strings and characters. What it gets wrong shows as
//! an offence that is none, in a test that names the line.

use std::path::{Path, PathBuf};

/// A source file: its path from the top, its text, and its text without comments and literals.
pub struct Source {
    pub path: String,
    pub text: String,
    pub code: String,
}

impl Source {
    /// The rest of the path below `folder`.
    pub fn below(&self, folder: &str) -> Option<&str> {
        self.path.strip_prefix(folder)
    }

    /// Its path in the precompiler, whose lowest rooms are a crate of their own.
    pub fn in_precompiler(&self) -> Option<&str> {
        let low = self.below("precompiler/base/src/");
        low.or_else(|| self.below("precompiler/src/"))
    }

    /// Whether it lies in one of these rooms of a crate's `src`.
    pub fn in_rooms(&self, rooms: &[&str]) -> bool {
        room_of(&self.path).is_some_and(|room| rooms.contains(&room))
    }

    /// Whether it lies in this room of a tool of its own: the inspection tool, or the one that starts programs.
    pub fn in_tool(&self, room: &str) -> bool {
        let tools = ["cccp-runtime/ckpt/src/", "cccp-runtime/run/src/"];
        tools.iter().any(|tool| self.path.starts_with(tool)) && self.in_rooms(&[room])
    }

    /// Whether it holds only tests or benchmarks.
    pub fn is_test(&self) -> bool {
        self.path.starts_with("tests/")
            || self.path.contains("/tests/")
            || self.path.contains("/benches/")
            || self.path.ends_with("/tests.rs")
    }
}

/// The room of a file: the folder or file right below `src`.
pub fn room_of(path: &str) -> Option<&str> {
    let (_, rest) = path.split_once("src/")?;
    Some(rest.split('/').next()?.trim_end_matches(".rs"))
}

pub fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below `folder` that the project holds, without build results.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)
        .expect("a folder of the project")
        .flatten()
    {
        let name = entry.file_name().into_string().expect("a name in UTF-8");
        let path = entry.path();
        if name.starts_with('.') || name == "target" || name.ends_with(".cccp") {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The Rust files of the project.
pub fn sources() -> Vec<Source> {
    let named = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a source file");
        let path = path
            .strip_prefix(top())
            .expect("below the top")
            .to_str()
            .expect("UTF-8")
            .to_owned();
        let code = without_tests(&without_words(&text));
        Source { path, text, code }
    };
    files(top())
        .into_iter()
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .map(named)
        .collect()
}

/// The text with comments and literals blanked. Lines stay.
fn without_words(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = skipped(rest).unwrap_or(0);
        if length == 0 {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            code.extend(rest[..length].chars().filter(|&c| c == '\n'));
            code.push(' ');
            rest = &rest[length..];
        }
    }
    code
}

/// The length of the comment or literal at the start of `text`.
fn skipped(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return Some(text.find("*/").map_or(text.len(), |at| at + 2));
    }
    if let Some(raw) = text.strip_prefix('r')
        && raw.trim_start_matches('#').starts_with('"')
    {
        let marks = raw.len() - raw.trim_start_matches('#').len();
        let end = format!("\"{}", "#".repeat(marks));
        let start = 1 + marks + 1;
        return Some(
            text[start..]
                .find(&end)
                .map_or(text.len(), |at| start + at + end.len()),
        );
    }
    if let Some(literal) = text.strip_prefix('"') {
        let mut escaped = false;
        let end = literal.find(|c| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        return Some(end.map_or(text.len(), |at| at + 2));
    }
    // A character, not a lifetime.
    let character = text.strip_prefix('\'')?;
    let mut signs = character.char_indices();
    let (_, first) = signs.next()?;
    if first == '\\' {
        return character[2..].find('\'').map(|at| at + 4);
    }
    let (at, second) = signs.next()?;
    (second == '\'').then_some(at + 2)
}

/// The code up to a `#[cfg(test)]` module at the end of the file.
fn without_tests(code: &str) -> String {
    code.split("#[cfg(test)]")
        .next()
        .unwrap_or_default()
        .to_owned()
}
