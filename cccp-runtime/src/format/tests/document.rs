//! FORMAT.md and the code say the same.

use std::path::PathBuf;

use crate::format::envelope::{CHUNK, LARGEST_GROWTH, MAGIC, MAJOR, MINOR, TRAILER};
use crate::format::types::{DEEPEST, MOST_BYTES, MOST_MEMBERS};
use crate::format::*;

/// The rows of the table below a heading, as cells.
fn table(heading: &str) -> Vec<Vec<String>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("FORMAT.md");
    let text = std::fs::read_to_string(path).expect("FORMAT.md stands beside the crate");
    let section = text
        .split("\n#")
        .find(|section| {
            section
                .trim_start_matches('#')
                .trim_start()
                .starts_with(heading)
        })
        .unwrap_or_else(|| panic!("FORMAT.md has no section {heading}"));
    let rows = section.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(|row| {
        row.trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().replace('`', ""))
            .collect()
    })
    .collect()
}

fn value(heading: &str, name: &str) -> String {
    let rows = table(heading);
    let row = rows.iter().find(|row| row[0] == name);
    row.unwrap_or_else(|| panic!("{heading}: no row {name}"))[1].clone()
}

#[test]
fn s22_the_document_has_the_magic_the_version_and_the_limits_of_the_code() {
    let magic: Vec<u8> = value("Constants", "magic")
        .split_whitespace()
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect();
    assert_eq!(magic, MAGIC);
    let number = |name: &str| value("Constants", name).parse::<u64>().unwrap();
    assert_eq!(number("major version"), u64::from(MAJOR));
    assert_eq!(number("minor version"), u64::from(MINOR));
    assert_eq!(number("largest chunk"), CHUNK as u64);
    assert_eq!(
        number("largest growth of a compressed chunk"),
        LARGEST_GROWTH
    );
    assert_eq!(number("most members"), MOST_MEMBERS);
    assert_eq!(number("most bytes"), MOST_BYTES);
    assert_eq!(number("deepest nesting"), u64::from(DEEPEST));
    assert_eq!(number("length of the trailer"), TRAILER);
}

#[test]
fn s23_the_document_has_the_kinds_of_the_code() {
    let rows = table("Kinds");
    assert_eq!(rows.len(), Kind::ALL.len());
    for (row, kind) in rows.iter().zip(Kind::ALL) {
        assert_eq!(row[0].parse::<u32>().unwrap(), kind as u32);
        assert_eq!(row[1], format!("{kind:?}"));
    }
}

#[test]
fn s21_the_document_has_the_representations_of_the_code() {
    for row in table("Representations of long double") {
        let format = LongDouble::from_number(row[0].parse().unwrap()).unwrap();
        assert_eq!(row[1], format!("{format:?}"));
        assert_eq!(
            row[2],
            format!("{:?}", format.sizes()).trim_matches(['[', ']'])
        );
    }
    assert_eq!(table("Representations of long double").len(), 4);
}
