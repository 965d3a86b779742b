//! FORMAT.md, executed: its tables of structures are a grammar, and a file is read by it alone.
//!
//! In: the text of the page and the bytes of a file. Out: every field in the order of the file, with the structure and
//! the name that the page gives it. A table says what a structure consists of; a cell in its column of types is one of
//! the spellings that the page explains under Notation. Nothing of the reader is used.

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;

/// The page.
pub(crate) struct Page {
    text: String,
}

/// A field of a file.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The structures it lies in, outermost first, and its name: `Header.rank`.
    pub(super) name: String,
    pub(super) place: Range<usize>,
    /// What the page calls its type.
    pub(super) kind: String,
}

pub(super) fn page_path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("FORMAT.md")
}

impl Page {
    pub(crate) fn read() -> Page {
        Page {
            text: std::fs::read_to_string(page_path()).expect("FORMAT.md stands beside the crate"),
        }
    }

    /// The first table below a heading, as cells without decoration.
    pub(crate) fn table(&self, heading: &str) -> Vec<Vec<String>> {
        let section = self.section(heading);
        let rows = section
            .lines()
            .skip_while(|line| !line.starts_with('|'))
            .take_while(|line| line.starts_with('|'));
        rows.skip(2)
            .map(|row| {
                row.trim_matches('|')
                    .split('|')
                    .map(|cell| plain(cell.trim()))
                    .collect()
            })
            .collect()
    }

    /// Whether there is a structure of this name.
    fn has(&self, heading: &str) -> bool {
        self.text
            .lines()
            .any(|line| line.starts_with('#') && title(line) == heading)
    }

    /// The text below a heading, up to the next one.
    pub(super) fn section(&self, heading: &str) -> &str {
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            start += line.len();
            if line.starts_with('#') && title(line) == heading {
                let rest = &self.text[start..];
                return &rest[..rest.find("\n#").unwrap_or(rest.len())];
            }
        }
        panic!("FORMAT.md has no section {heading}")
    }
}

fn title(line: &str) -> &str {
    line.trim_start_matches('#').trim()
}

/// A cell without code marks, links and the mark of additions.
fn plain(cell: &str) -> String {
    let cell = cell.trim_start_matches("`+`").replace('`', "");
    let mut out = String::new();
    let mut rest = cell.as_str();
    while let Some(open) = rest.find('[') {
        let Some(middle) = rest[open..].find("](").map(|at| open + at) else {
            break;
        };
        let Some(close) = rest[middle..].find(')').map(|at| middle + at) else {
            break;
        };
        out.push_str(&rest[..open]);
        out.push_str(&rest[open + 1..middle]);
        rest = &rest[close + 1..];
    }
    out.push_str(rest);
    out.trim().to_string()
}

/// Reads a file by the page.
pub(super) fn dissect(page: &Page, bytes: &[u8]) -> Vec<Found> {
    let mut walk = Walk {
        page,
        bytes,
        at: 0,
        found: Vec::new(),
        tables: HashMap::new(),
    };
    walk.structure("The file", "");
    assert_eq!(walk.at, bytes.len(), "FORMAT.md does not know the end");
    walk.found
}

struct Walk<'a> {
    page: &'a Page,
    bytes: &'a [u8],
    at: usize,
    found: Vec<Found>,
    tables: HashMap<String, Vec<Vec<String>>>,
}

/// The numbers of the fields of a structure so far.
type Known = HashMap<String, u64>;

impl Walk<'_> {
    fn table(&mut self, heading: &str) -> Vec<Vec<String>> {
        if !self.tables.contains_key(heading) {
            let table = self.page.table(heading);
            self.tables.insert(heading.to_string(), table);
        }
        self.tables[heading].clone()
    }

    fn structure(&mut self, name: &str, path: &str) -> Known {
        let mut known = Known::new();
        for row in self.table(name) {
            let path = match path {
                "" => row[0].clone(),
                _ => format!("{path}.{}", row[0]),
            };
            if let Some(number) = self.item(&row[1], &path, &known) {
                known.insert(row[0].clone(), number);
            }
        }
        known
    }

    fn take(&mut self, length: usize, kind: &str, path: &str) -> u64 {
        let place = self.at..self.at + length;
        self.at = place.end;
        let number = self.bytes[place.clone()]
            .iter()
            .fold(0u64, |value, byte| value << 8 | u64::from(*byte));
        self.found.push(Found {
            name: path.to_string(),
            place,
            kind: kind.to_string(),
        });
        number
    }

    fn padded(&mut self, length: usize, kind: &str, path: &str) {
        self.take(length, kind, path);
        let zeros = length.wrapping_neg() % 4;
        assert!(
            self.bytes[self.at..self.at + zeros]
                .iter()
                .all(|byte| *byte == 0)
        );
        if zeros > 0 {
            self.take(zeros, "zeros", path);
        }
    }

    /// An item of this type; its value when it is a number.
    fn item(&mut self, kind: &str, path: &str, known: &Known) -> Option<u64> {
        if let Some((kind, field)) = kind.split_once(" unless ") {
            let field = field.strip_suffix(" is 0").expect("unless f is 0");
            return match known[field] {
                0 => None,
                _ => self.item(kind, path, known),
            };
        }
        if let Some((kind, field)) = kind.split_once(" × ") {
            for _ in 0..known[field] {
                self.structure(kind, path);
            }
        } else if let Some((kind, field)) = kind.split_once(" until ") {
            let field = field.strip_suffix(" is 0").expect("until f is 0");
            while self.structure(kind, path)[field] != 0 {}
        } else if let Some((kind, field)) = kind.split_once(" by ") {
            let number = known[field].to_string();
            let rows = self.table(kind);
            let row = rows.iter().find(|row| row[0] == number);
            let row = row.unwrap_or_else(|| panic!("{kind} has no {number}"));
            for part in row[2].split(", ").filter(|part| *part != "nothing") {
                let (name, kind) = part.split_once(": ").expect("name: type");
                self.item(kind, &format!("{path}.{name}"), known);
            }
        } else if let Some((kind, field)) = kind.split_once(" of ") {
            let end = self.at + known[field] as usize;
            self.structure(kind, path);
            assert_eq!(self.at, end, "{path} has another length");
        } else if let Some(field) = kind.strip_prefix("padded ") {
            self.padded(known[field] as usize, "bytes", path);
        } else if let Some(length) = kind.strip_suffix(" bytes") {
            self.take(length.parse().expect("n bytes"), kind, path);
        } else if let Some(kind) = kind.strip_suffix(['*', '?']) {
            let count = self.take(4, "count", path);
            for _ in 0..count {
                self.item(kind, path, known);
            }
        } else {
            return self.simple(kind, path);
        }
        None
    }

    fn simple(&mut self, kind: &str, path: &str) -> Option<u64> {
        match kind {
            "u32" => return Some(self.take(4, kind, path)),
            "u64" => return Some(self.take(8, kind, path)),
            "flag" => {
                let flag = self.take(4, kind, path);
                assert!(flag < 2, "{path} is no flag");
                return Some(flag);
            }
            "bytes" | "text" => {
                let length = self.take(4, "length", path) as usize;
                self.padded(length, kind, path);
            }
            structure => {
                assert!(self.page.has(structure), "{path}: what is {structure:?}?");
                self.structure(structure, path);
            }
        }
        None
    }
}
