//! Where the entries of a file stand and what they are called, without reading them.
//!
//! The precompiler's build script uses it, too, to look names up in no time later; so this file stands on its own.

use std::ops::Range;

/// An entry by its first words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its bytes, up to the next entry.
    pub entry: Range<usize>,
    /// The text after `chapter` of the chapter that it stands in; empty before the first one.
    pub chapter: Range<usize>,
    /// What it is.
    pub kind: HeadKind,
}

/// Kinds of entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeadKind {
    /// A chapter begins.
    Chapter,
    /// Names of types.
    Handles(Vec<String>),
    /// Names of those that are generators of random numbers.
    Generators(Vec<String>),
    /// Names of those that are files which a library reads.
    Readers(Vec<String>),
    /// A state, without its `@`.
    State(String),
    /// Names of variables, and the state that they belong to, without its `@`. With `true` they point to what is kept there only.
    Variables(Vec<String>, String, bool),
    /// A family of names.
    Family,
    /// Names of functions, each member of a family by itself. A `{` is left where there is no such family.
    Functions(Vec<String>),
}

/// The bytes of each entry of a file: from a line that begins in the first column up to the next one.
pub fn catalogue_entries(text: &str) -> Vec<Range<usize>> {
    let mut entries: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(|c: char| !c.is_whitespace() && c != '#') {
            entries.push(at..at);
        }
        at += line.len();
        match entries.last_mut() {
            Some(entry) => entry.end = at,
            // What stands before the first entry has to be an error, not lost.
            None if !blank(line) => entries.push(0..at),
            None => {}
        }
    }
    entries
}

/// Nothing but a remark.
fn blank(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#')
}

/// The entries of a file by their first words.
pub fn catalogue_heads(text: &str) -> Vec<Head> {
    let mut chapter = 0..0;
    let mut families: Vec<(String, Vec<String>)> = Vec::new();
    let mut heads = Vec::new();
    for entry in catalogue_entries(text) {
        let body = &text[entry.clone()];
        let after = |word: &str| {
            let rest = body.strip_prefix(word)?;
            rest.starts_with([' ', '\t']).then_some(rest)
        };
        let kind = if let Some(rest) = after("chapter") {
            let line = rest.lines().next().unwrap_or("");
            let line = line.split(" #").next().unwrap_or("").trim();
            let start = entry.start + "chapter".len();
            let start = start + (rest.len() - rest.trim_start().len());
            chapter = start..start + line.len();
            HeadKind::Chapter
        } else if let Some(rest) = after("handle") {
            HeadKind::Handles(list(rest))
        } else if let Some(rest) = after("generator") {
            HeadKind::Generators(list(rest))
        } else if let Some(rest) = after("reader") {
            HeadKind::Readers(list(rest))
        } else if let Some(rest) = after("state") {
            let name = rest.split(':').next().unwrap_or("").trim();
            HeadKind::State(name.trim_start_matches('@').to_string())
        } else if let Some(rest) = after("variable") {
            let inside = rest.rsplit_once(" into ");
            let (names, state) = { inside.or(rest.rsplit_once(" in ")) }.unwrap_or((rest, ""));
            let state = list(state).pop().unwrap_or_default();
            let state = state.trim_start_matches('@').to_string();
            HeadKind::Variables(list(names), state, inside.is_some())
        } else if let Some(rest) = after("family") {
            let (name, parts) = rest.split_once(':').unwrap_or((rest, ""));
            families.push((format!("{{{}}}", name.trim()), list(parts)));
            HeadKind::Family
        } else {
            let names = list(body.split('(').next().unwrap_or(""));
            HeadKind::Functions(members(names, &families))
        };
        heads.push(Head {
            entry,
            chapter: chapter.clone(),
            kind,
        });
    }
    heads
}

/// Words between commas, without remarks.
fn list(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or(""));
    let text: String = lines.collect();
    let words = text.split(',').map(|word| word.trim().to_string());
    words.filter(|word| !word.is_empty()).collect()
}

/// Names with each part of the families in them. The latest family of a name counts.
fn members(names: Vec<String>, families: &[(String, Vec<String>)]) -> Vec<String> {
    let mut names = names;
    for (family, parts) in families.iter().rev() {
        let mut each = Vec::new();
        for name in names {
            if name.contains(family) {
                each.extend(parts.iter().map(|part| name.replace(family, part)));
            } else {
                each.push(name);
            }
        }
        names = each;
    }
    names
}
