//! What an object carries: everything that is needed to run the precompiler over its source, and to compile it again.
//!
//! In the section: a mark, whether the text has directives, the length of the rest, the rest compressed. The mark and what
//! follows it can be found without taking the object apart. Where `ld -r` joins objects, records stand in a row.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The section's name: `strip` takes out what begins so.
pub const SECTION: &str = ".debug_cccp_source";
/// That of a shared library.
pub const LIBRARY: &str = ".cccp.library";
/// A section of whose text a linker makes a warning, and leaves it out.
pub const WARNING: &str = ".gnu.warning";
/// What it says.
pub const UNSERVED: &[u8] =
    b"compiled by cccp-cc for checkpoints, of which there are none unless cccp-cc links it, too; where a compiler of C++ links, let that \
      be `cccp-cc g++`, with CMake -DCMAKE_CXX_COMPILER=\"cccp-cc;g++\"";
/// The beginning of a record.
const MARK: &[u8; 12] = b"\x7fcccp.source";
/// The version that made a record has to be the one that reads it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What an object was compiled from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The version of cccp-cc.
    pub version: String,
    /// Where the compiler ran.
    pub directory: String,
    /// The compiler.
    pub compiler: Vec<String>,
    /// Its words before the source.
    pub before: Vec<String>,
    /// And after it; without `-c`, `-o` and what asks for files beside the object.
    pub after: Vec<String>,
    /// The source, as the command names it.
    pub source: String,
    /// All files it includes, with checksums.
    pub included: Vec<(String, u64)>,
    /// It has directives.
    #[serde(skip)]
    pub is_marked: bool,
    /// The source's text.
    #[serde(skip)]
    pub text: Vec<u8>,
}

impl Record {
    /// The section's bytes.
    pub fn encode(&self) -> std::io::Result<Vec<u8>> {
        encode(self, self.is_marked, &self.text)
    }

    /// All records of a section; `None` when it is damaged.
    pub fn decode_all(mut bytes: &[u8]) -> Option<Vec<Record>> {
        let mut all = Vec::new();
        loop {
            // The linker may fill up between two of them.
            while let [0, rest @ ..] = bytes {
                bytes = rest;
            }
            if bytes.is_empty() {
                return Some(all);
            }
            let (mut record, is_marked, text): (Record, _, _) = decode(&mut bytes)?;
            record.is_marked = is_marked;
            record.text = text;
            all.push(record);
        }
    }
}

/// What a shared library carries: the words that it was linked with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Library {
    /// The version of cccp-cc.
    pub version: String,
    /// Words that stand for it in the command of a program: its objects, archives and libraries, with their whole paths.
    pub words: Vec<String>,
    /// The files among them, with checksums.
    pub files: Vec<(String, u64)>,
}

impl Library {
    /// The section's bytes.
    pub fn encode(&self, is_marked: bool) -> std::io::Result<Vec<u8>> {
        encode(self, is_marked, &[])
    }

    /// From the section's bytes; `None` when it is damaged.
    pub fn decode(mut bytes: &[u8]) -> Option<Library> {
        decode(&mut bytes).map(|(library, _, _)| library)
    }
}

fn encode(head: &impl Serialize, is_marked: bool, text: &[u8]) -> std::io::Result<Vec<u8>> {
    let head = serde_json::to_vec(head)?;
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&(head.len() as u64).to_le_bytes())?;
    packed.write_all(&head)?;
    packed.write_all(text)?;
    let packed = packed.finish()?;
    let mut bytes = MARK.to_vec();
    bytes.push(u8::from(is_marked));
    bytes.extend((packed.len() as u64).to_le_bytes());
    bytes.extend(packed);
    Ok(bytes)
}

/// Takes one from the front: what it is, whether there are directives, the text.
fn decode<T: DeserializeOwned>(bytes: &mut &[u8]) -> Option<(T, bool, Vec<u8>)> {
    let rest = bytes.strip_prefix(MARK)?;
    let (&marked, rest) = rest.split_first()?;
    let (length, rest) = number(rest)?;
    let mut unpacked = Vec::new();
    let packed = rest.get(..length)?;
    ZlibDecoder::new(packed).read_to_end(&mut unpacked).ok()?;
    *bytes = &rest[length..];
    let (length, rest) = number(&unpacked)?;
    let head = serde_json::from_slice(rest.get(..length)?).ok()?;
    Some((head, marked != 0, rest[length..].to_vec()))
}

fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((usize::try_from(u64::from_le_bytes(*number)).ok()?, rest))
}

/// What a file of objects carries, at a glance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glance {
    /// There are records.
    pub has_records: bool,
    /// One of them has directives.
    pub is_marked: bool,
}

/// Looks through the bytes of an object or an archive.
pub fn glance(bytes: &[u8]) -> Glance {
    let mut found = Glance::default();
    let mut rest = bytes;
    while let Some(at) = find(rest, MARK) {
        rest = &rest[at + MARK.len()..];
        found.has_records = true;
        found.is_marked |= rest.first() == Some(&1);
    }
    found
}

/// Where `wanted` stands.
fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = bytes.get(from..)?.iter().position(|&one| one == wanted[0]) {
        from += at;
        if bytes[from..].starts_with(wanted) {
            return Some(from);
        }
        from += 1;
    }
    None
}

/// Whether a text has a directive: `#pragma cccp`, or the operator `_Pragma("cccp …")`.
pub fn has_directive(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some(at) = find(rest, b"ragma") {
        rest = &rest[at + b"ragma".len()..];
        let skipped = rest.iter().position(|one| !b" \t\\\r\n(\"".contains(one));
        if rest[skipped.unwrap_or(rest.len())..].starts_with(b"cccp") {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(name: &str, is_marked: bool) -> Record {
        Record {
            version: VERSION.to_string(),
            directory: "/d".to_string(),
            compiler: vec!["cc".to_string()],
            before: vec!["-O2".to_string()],
            after: Vec::new(),
            source: name.to_string(),
            included: vec![("a.h".to_string(), 7)],
            is_marked,
            text: b"int \xff;\n".to_vec(),
        }
    }

    #[test]
    fn records_in_a_row_come_back() {
        let (a, b) = (record("a.c", false), record("b.c", true));
        let mut bytes = a.encode().expect("bytes");
        assert_eq!(
            glance(&bytes),
            Glance {
                has_records: true,
                is_marked: false
            }
        );
        bytes.extend([0; 5]);
        bytes.extend(b.encode().expect("bytes"));
        assert!(glance(&bytes).is_marked);
        assert_eq!(Record::decode_all(&bytes), Some(vec![a, b]));
        let damaged = &bytes[..bytes.len() - 1];
        assert_eq!(Record::decode_all(damaged), None);
    }

    #[test]
    fn directives_are_found_in_every_spelling() {
        assert!(has_directive(b"x\n # pragma  cccp init"));
        assert!(has_directive(b"_Pragma(\"cccp init\")"));
        assert!(!has_directive(b"#pragma omp parallel\n/* cccp */"));
    }
}
