//! Which files a source includes, and whether they are still what they were.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// A checksum of bytes, the same in every run of one version.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// The files that the first rule of a list in the form of make depends on, but for its first, the source.
pub fn included(rules: &str) -> Vec<String> {
    let rules = rules.replace("\\\r\n", " ").replace("\\\n", " ");
    let rule = rules.lines().find(|line| !line.trim().is_empty());
    let mut names = Vec::new();
    let mut name = String::new();
    let Some((_, rest)) = rule.and_then(|rule| rule.split_once(": ")) else {
        return names;
    };
    let mut characters = rest.chars().peekable();
    while let Some(one) = characters.next() {
        match one {
            '\\' if matches!(characters.peek(), Some(' ' | '#')) => name.extend(characters.next()),
            '$' if characters.peek() == Some(&'$') => name.extend(characters.next()),
            ' ' | '\t' => {
                if !name.is_empty() {
                    names.push(std::mem::take(&mut name));
                }
            }
            one => name.push(one),
        }
    }
    if !name.is_empty() {
        names.push(name);
    }
    names.drain(..names.len().min(1));
    names
}

/// Reads files for their checksums, each once.
#[derive(Default)]
pub struct Checksums {
    known: BTreeMap<std::path::PathBuf, Option<u64>>,
}

impl Checksums {
    /// A file's checksum; `None` when it cannot be read.
    pub fn of(&mut self, path: &Path) -> Option<u64> {
        if let Some(known) = self.known.get(path) {
            return *known;
        }
        let sum = std::fs::read(path).ok().map(|bytes| checksum(&bytes));
        self.known.insert(path.to_path_buf(), sum);
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_make_reads_them() {
        let rules = "a.o a\\ b.d: src/a.c inc/x.h \\\n /usr/include/y\\ z.h m$$n.h\n\ninc/x.h:\n";
        assert_eq!(included(rules), ["inc/x.h", "/usr/include/y z.h", "m$n.h"]);
        assert!(included("a.o: a.c\n").is_empty());
    }
}
