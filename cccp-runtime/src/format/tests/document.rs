//! FORMAT.md and the code say the same.

use std::path::PathBuf;

use super::everything::everything;
use super::samples::{bytes, checkpoint};
use super::schema::{Found, Page, dissect};
use crate::format::envelope::{CHUNK, LARGEST_GROWTH, MAGIC, MAJOR, MINOR, TRAILER};
use crate::format::types::{DEEPEST, MOST_BYTES, MOST_MEMBERS};
use crate::format::*;

fn value(heading: &str, name: &str) -> String {
    let rows = Page::read().table(heading);
    let row = rows.iter().find(|row| row[0] == name);
    row.unwrap_or_else(|| panic!("{heading}: no row {name}"))[1].clone()
}

#[test]
fn s22_the_document_has_the_magic_the_version_and_the_limits_of_the_code() {
    let constants = "Constants and limits";
    let magic: Vec<u8> = value(constants, "magic")
        .split_whitespace()
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect();
    assert_eq!(magic, MAGIC);
    let number = |name: &str| value(constants, name).parse::<u64>().unwrap();
    let all = [
        ("major version", u64::from(MAJOR)),
        ("minor version", u64::from(MINOR)),
        ("largest chunk", CHUNK as u64),
        ("largest growth of a compressed chunk", LARGEST_GROWTH),
        ("most members", MOST_MEMBERS),
        ("deepest nesting", u64::from(DEEPEST)),
        ("most bytes", MOST_BYTES),
        ("length of the trailer", TRAILER),
    ];
    for (name, expected) in all {
        assert_eq!(number(name), expected, "{name}");
    }
    assert_eq!(Page::read().table(constants).len(), all.len() + 1);
    let changes = Page::read().table("Changes");
    let newest = changes.last().map(|row| row[0].clone());
    assert_eq!(newest, Some(format!("{MAJOR}.{MINOR}")), "the change log");
}

/// The rows of a table of numbers and names.
fn numbered(heading: &str) -> Vec<(u32, String)> {
    let rows = Page::read().table(heading);
    let row = |row: Vec<String>| (row[0].parse().unwrap(), row[1].clone());
    rows.into_iter().map(row).collect()
}

#[test]
fn s23_the_document_has_the_kinds_of_the_code() {
    let kinds = Kind::ALL.map(|kind| (kind as u32, format!("{kind:?}")));
    assert_eq!(numbered("Kinds"), kinds);
    let blocks = BlockKind::ALL.map(|kind| (kind as u32, format!("{kind:?}")));
    assert_eq!(numbered("Kinds of blocks"), blocks);
    let encodings = Encoding::ALL.map(|one| (one as u32, format!("{one:?}")));
    assert_eq!(numbered("Encodings"), encodings);
    let none_is_new = (MAJOR, Encoding::ALL.len()) == (1, 2);
    assert!(
        none_is_new,
        "older readers cannot read a new encoding: FORMAT.md, Versions"
    );
}

#[test]
fn s23_the_document_has_the_sizes_that_the_code_accepts() {
    let accepts = |kind: Kind, size: u64| {
        let machines = [4, 8].into_iter().flat_map(|word| {
            [8, 12, 16].map(|long_double| Machine {
                pointer: word,
                long: word,
                long_double,
                ..super::samples::machine(false)
            })
        });
        let one = [super::samples::scalar("x", kind, size)];
        machines
            .into_iter()
            .any(|machine| types::check(&one, &machine).is_ok())
    };
    for row in Page::read().table("Kinds") {
        let kind = Kind::from_number(row[0].parse().unwrap()).unwrap();
        let sizes: Vec<u64> = match row[3].as_str() {
            "any" => (0..40).collect(),
            "twice that of long double" => vec![16, 24, 32],
            some => some.split(", ").map(|size| size.parse().unwrap()).collect(),
        };
        for size in 0..40 {
            assert_eq!(
                accepts(kind, size),
                sizes.contains(&size),
                "{kind:?} {size}"
            );
        }
    }
}

#[test]
fn s21_the_document_has_the_representations_of_the_code() {
    let rows = Page::read().table("Representations of long double");
    assert_eq!(rows.len(), 4);
    for row in rows {
        let format = LongDouble::from_number(row[0].parse().unwrap()).unwrap();
        assert_eq!(row[1], format!("{format:?}"));
        let sizes = format!("{:?}", format.sizes());
        assert_eq!(row[2], sizes.trim_matches(['[', ']']));
    }
    assert_eq!(LongDouble::from_number(5), None);
}

#[test]
fn s22_the_document_has_the_flags_of_cccp_h() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("include/cccp.h");
    let header = std::fs::read_to_string(path).unwrap();
    let defined: Vec<(u32, String)> = header
        .lines()
        .filter_map(|line| line.strip_prefix("#define CCCP_ITEM_")?.split_once(' '))
        .map(|(name, number)| (number.trim().parse().unwrap(), name.to_string()))
        .collect();
    assert_eq!(numbered("Flags"), defined);
    let all = defined.iter().fold(0, |flags, (number, _)| flags | number);
    assert_eq!(all, REGISTER_FLAGS);
}

/// The fields with this name.
fn fields<'f>(found: &'f [Found], name: &str) -> Vec<&'f Found> {
    found.iter().filter(|field| field.name == name).collect()
}

#[test]
fn s22_files_are_read_by_the_tables_of_the_document_alone() {
    let page = Page::read();
    for encoding in Encoding::ALL {
        for compress in [0, 6] {
            dissect(&page, &bytes(&checkpoint(encoding), compress));
            let original = everything(encoding);
            let file = bytes(&original, compress);
            let found = dissect(&page, &file);
            let number = |name: &str, nth: usize| {
                let field = fields(&found, name)[nth];
                let bytes = &file[field.place.clone()];
                bytes
                    .iter()
                    .fold(0u64, |value, byte| value << 8 | u64::from(*byte))
            };
            let text = |name: &str, nth: usize| {
                let all = fields(&found, name);
                let mut content = all
                    .iter()
                    .filter(|field| matches!(&field.kind[..], "text" | "bytes"));
                file[content.nth(nth).unwrap().place.clone()].to_vec()
            };
            let header = &original.header;
            assert_eq!(text("header.program", 0), header.program.as_bytes());
            assert_eq!(text("header.arguments", 1), header.arguments[1]);
            let machine = &header.machine;
            for (name, expected) in [
                ("fingerprint", header.fingerprint),
                ("rank", header.rank.into()),
                ("size", header.size.into()),
                ("generation", header.generation),
                ("time", header.time),
                ("byte order", machine.big_endian.into()),
                ("size of a pointer", machine.pointer.into()),
                ("size of a long", machine.long.into()),
                ("size of a long double", machine.long_double.into()),
                (
                    "representation of long double",
                    machine.long_double_format as u64,
                ),
                ("line", header.site.line.into()),
            ] {
                assert_eq!(number(&format!("header.{name}"), 0), expected, "{name}");
            }
            assert_eq!(text("header.function", 0), header.site.function.as_bytes());
            assert_eq!(
                text("header.name", 0),
                header.site.name.as_ref().unwrap().as_bytes()
            );
            let all = original
                .sections
                .iter()
                .flat_map(|section| &section.registers);
            for (nth, register) in all.enumerate() {
                let head = |name: &str| number(&format!("sections.registers.head.{name}"), nth);
                for (name, expected) in [
                    ("address", register.address),
                    ("bytes per element", register.element_size),
                    ("number of elements", register.elements),
                    ("type", register.type_index.into()),
                    ("number", register.id),
                    ("function", register.function.into()),
                    ("line", register.line.into()),
                    ("first", register.first),
                    ("flags", register.flags.into()),
                ] {
                    assert_eq!(head(name), expected, "{name} of {}", register.name);
                }
                assert_eq!(
                    text("sections.registers.head.name", nth),
                    register.name.as_bytes()
                );
            }
            for (nth, kind) in original.types.iter().enumerate() {
                assert_eq!(text("description.types.name", nth), kind.name.as_bytes());
                assert_eq!(number("description.types.kind", nth), kind.kind as u64);
                assert_eq!(number("description.types.size", nth), kind.size);
            }
            let entries = original.trace.nodes.iter().flat_map(|node| &node.entries);
            for (nth, entry) in entries.enumerate() {
                let field = |name: &str| number(&format!("description.nodes.entries.{name}"), nth);
                assert_eq!(field("sequence"), entry.sequence);
                assert_eq!(field("block"), entry.block.into());
            }
            let plan = &original.plans[0];
            assert_eq!(
                number("description.plans.blocks.passed", 4),
                plan.blocks[4].passed
            );
            assert_eq!(
                text("description.plans.items.name", 0),
                plan.items[0].name.as_bytes()
            );
        }
    }
}
